//! Jupyter notebooks: the cells of nbformat 3 and 4.
//!
//! The JSON is read once. When a cell ends, its kind is known, and its source is read by its own
//! markup ([`cell`]): Markdown, code, or text. Outputs are metadata, so that an audit does not
//! judge what a program printed.

mod cell;
mod format;
mod reader;

pub(super) use format::Notebook;
