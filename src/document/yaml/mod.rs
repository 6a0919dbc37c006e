//! YAML.
//!
//! The reader goes over lines and keeps the path of keys by their indentation. Values are emitted
//! as written: the escapes of strings are those that the search of text knows, too.

mod flow;
mod format;
mod reader;

pub(super) use format::Yaml;
