//! LaTeX.
//!
//! The reader looks for commands and comments ([`reader`]); [`commands`] says what their arguments
//! are. Arguments that hold URIs are read verbatim, as the packages `url` and `hyperref` do, and
//! without the escapes that TeX needs. References are resolved at the end of the document, and only
//! if it is complete by itself.

mod commands;
mod format;
mod reader;

use std::ops::ControlFlow;

use super::{EventSink, Source};

/// Reads a text.
pub(super) fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    reader::LatexReader::new(source, sink).read()
}

pub(super) use format::Latex;
pub(super) use reader::unescape;
