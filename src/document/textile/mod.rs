//! Textile.
//!
//! `"text":url`, images, aliases, and code.

mod format;
mod reader;

pub(super) use format::Textile;
