//! Man pages as a row of the format table.

use std::ops::ControlFlow;

use super::reader::ManReader;
use crate::document::format::{CommentStyle, DocumentFormat, FormatKind, FormatLimits, Sniff};
use crate::document::{EventSink, Source};
use crate::finder::Rest;

/// Man pages, in the macros man and mdoc.
pub(in crate::document) struct Man;

impl DocumentFormat for Man {
    fn name(&self) -> &'static str {
        "man"
    }

    fn title(&self) -> &'static str {
        "man pages (man, mdoc)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["man", "mdoc", "roff", "troff"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/troff", "application/x-troff-man"]
    }

    fn first_bytes(&self) -> &'static [u8] {
        b".'"
    }

    /// Recognizes a page by its first line: extensions such as `.1` are also those of logs.
    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        let starts = |start| Sniff::prefix(head, start, rest, |byte| matches!(byte, b' ' | b'\t'));
        // Comments. In the second one, `man` finds the preprocessors that the page needs, as in
        // `'\" t`.
        let comments = |start| Sniff::prefix(head, start, rest, |_| true);
        starts(".TH").or(starts(".Dd")).or(comments(".\\\"")).or(comments("'\\\""))
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::TEXT_MARKUP
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Troff
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        ManReader::new(source, sink).read()
    }
}
