//! Man pages in the macros man and mdoc.
//!
//! `UR`, `MT`, `Lk`, and `Mt` are links; the escapes of troff in their arguments are undone.

mod format;
mod reader;

pub(super) use format::Man;
