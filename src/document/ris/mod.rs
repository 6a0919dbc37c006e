//! RIS, the exchange format of reference managers.
//!
//! Each line has a tag. Values of link tags are destinations.

mod format;
mod reader;

pub(super) use format::Ris;
