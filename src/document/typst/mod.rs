//! Typst.
//!
//! `link`, `image`, `include`, and other functions with a path or a URL, labels, and references.

mod format;
mod reader;

pub(super) use format::Typst;
