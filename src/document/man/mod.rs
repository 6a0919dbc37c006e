//! Man pages in the macros man and mdoc.
//!
//! `UR`, `MT`, `Lk`, and `Mt` are links. The escapes of troff in their arguments are decoded.

mod format;
mod reader;

pub(super) use format::Man;
