//! RIS, the exchange format of reference managers.
//!
//! Each line has a tag; those of links are destinations.

mod format;
mod reader;

pub(super) use format::Ris;
