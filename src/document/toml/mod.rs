//! TOML.
//!
//! Values are emitted as written, with the path of their keys.

mod format;
mod reader;

pub(super) use format::Toml;
