//! reStructuredText: docutils markup, with Sphinx directives and roles that contain links.
//!
//! The reader goes over lines once. The first line decides about a block ([`reader`]), the text of
//! a paragraph is split at inline markup ([`inline`]), and names become ids as in docutils
//! ([`names`]). Nothing nests on the stack: the body of a directive is read like any other text,
//! only indented.
//!
//! The cells of a table are texts of their own ([`table`]), one level deep: a table in a cell is
//! read as lines.
//!
//! Every byte with a letter is in some part. Errors to docutils are text here.

mod cells;
mod directives;
mod emit;
mod format;
mod grid;
mod inline;
mod names;
mod reader;
mod references;
mod row;
mod simple_table;
mod table;

use std::ops::ControlFlow;

use super::{EventSink, Source};

/// Reads a text.
pub(super) fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    reader::RstReader::new(source, sink).read()
}

pub(super) use format::Rst;
pub(crate) use names::{labels, normalized, terms, titles};
