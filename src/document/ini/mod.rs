//! INI files and Java properties.
//!
//! Values are emitted as written, with their section and key.

mod format;
mod reader;

pub(super) use format::Ini;
