//! AsciiDoc as a row of the format table.

use std::ops::{ControlFlow, Range};

use super::reader::AsciiDocReader;
use super::title_ids;
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::format::{
    CommentStyle, DocumentFormat, FormatKind, FormatLimits, MarkupFamily,
};
use crate::document::{EventSink, Source};

/// AsciiDoc.
pub(in crate::document) struct AsciiDoc;

impl DocumentFormat for AsciiDoc {
    fn name(&self) -> &'static str {
        "asciidoc"
    }

    fn title(&self) -> &'static str {
        "AsciiDoc (Asciidoctor, Antora)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["adoc", "asciidoc", "asciidoctor", "asc"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/asciidoc", "text/x-asciidoc"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::TEXT_MARKUP
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn family(&self) -> MarkupFamily {
        MarkupFamily::AsciiDoc
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Slashes
    }

    fn has_attributes(&self) -> bool {
        true
    }

    fn conditional_blocks(&self, text: &[u8]) -> Vec<Range<usize>> {
        conditional_blocks(text)
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        AsciiDocReader::new(source, sink).read()
    }

    fn heading_ids(&self, outline: Outline<'_>, _: Slugs) -> Vec<String> {
        title_ids::heading_ids(&outline)
    }

    fn heading_names(&self, outline: &Outline<'_>, _: Slugs, add: &mut dyn FnMut(usize, String)) {
        title_ids::heading_names(outline, add);
    }

    fn anchors(&self, outline: Outline<'_>, _: Slugs) -> Anchors {
        title_ids::anchors(outline)
    }
}

/// Returns the outermost blocks between `ifdef::a[]` and `endif::[]` (AsciiDoc, "Conditionals").
fn conditional_blocks(text: &[u8]) -> Vec<Range<usize>> {
    let (mut blocks, mut depth, mut start, mut at) = (Vec::new(), 0_usize, 0, 0);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let starts = |word: &[u8]| line.starts_with(word);
        // `ifdef::a[text]` is one line.
        let is_block = line.trim_ascii_end().ends_with(b"[]");
        if (starts(b"ifdef::") || starts(b"ifndef::")) && is_block || starts(b"ifeval::") {
            if depth == 0 {
                start = at;
            }
            depth += 1;
        } else if starts(b"endif::") && depth > 0 {
            depth -= 1;
            if depth == 0 {
                blocks.push(start..at);
            }
        }
        at += line.len();
    }
    // Without an `endif`, the block reaches to the end of the document.
    if depth > 0 {
        blocks.push(start..at);
    }
    blocks
}
