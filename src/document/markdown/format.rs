//! Markdown as a row of the format table.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use memchr::memmem;

use super::slug::SlugRule;
use super::{dialects, front, line_anchors, read};
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::format::{
    CommentStyle, DocumentFormat, FormatKind, FormatLimits, MarkupFamily,
};
use crate::document::{Dialect, EventSink, Format, Source};

/// CommonMark with GitHub's extensions.
pub(in crate::document) struct Markdown;

/// A document up to this size is read whatever it holds: 80 MiB of memory at most.
const ALWAYS_READ: usize = 512 << 10;
/// Most marks of a larger document. Each ends a text and makes two nodes at most, so that their
/// nodes take 50 MiB at most. Changelogs have one mark in ten bytes.
const MAX_MARKS: usize = 160 << 10;

impl DocumentFormat for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn title(&self) -> &'static str {
        "Markdown (CommonMark, GitHub)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["md", "mdx", "markdown", "mdown", "mkd", "mkdn", "mdwn", "qmd", "rmd"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/markdown", "text/x-markdown"]
    }

    fn limits(&self) -> FormatLimits {
        // The parser builds a tree: a hostile document with one node per byte takes 160 times its
        // size. So [`is_dense`](DocumentFormat::is_dense) counts marks in larger ones.
        FormatLimits {
            largest: Format::LARGEST,
            largest_audited: Format::LARGEST,
            memory_factor: 160,
            light: 96 << 10,
        }
    }

    fn is_dense(&self, bytes: &[u8]) -> bool {
        let is_mark = |b: &&u8| b"*_[]<>`!&\\~|$^\n".contains(b);
        bytes.len() > ALWAYS_READ && bytes.iter().filter(is_mark).count() > MAX_MARKS
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn family(&self) -> MarkupFamily {
        MarkupFamily::Markdown
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Html
    }

    fn prepare<'t>(&self, dialect: &Dialect, text: &'t [u8]) -> Cow<'t, [u8]> {
        dialects::prepare(dialect, text)
    }

    fn is_extended_by_sites(&self) -> bool {
        true
    }

    fn conditional_blocks(&self, text: &[u8]) -> Vec<Range<usize>> {
        variable_blocks(text)
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        read(source, sink)
    }

    fn heading_ids(&self, outline: Outline<'_>, slugs: Slugs) -> Vec<String> {
        let rule = SlugRule::for_slugs(slugs).first().copied().unwrap_or(SlugRule::Github);
        rule.anchors(outline.headings.into_iter()).collect()
    }

    fn heading_names(
        &self,
        outline: &Outline<'_>,
        slugs: Slugs,
        add: &mut dyn FnMut(usize, String),
    ) {
        line_anchors::heading_names(outline, slugs, add);
    }

    fn anchors(&self, outline: Outline<'_>, slugs: Slugs) -> Anchors {
        line_anchors::anchors(outline, slugs)
    }

    fn page_address(&self, text: &[u8]) -> Option<String> {
        front::address(text)
    }
}

/// Longest tag `{% set a %}`.
const MAX_TAG_BYTES: usize = 256;

/// Returns the blocks that a template keeps as the text of a variable, `{% set a %}` to
/// `{% endset %}` (Nunjucks and Jinja, "Block set").
fn variable_blocks(text: &[u8]) -> Vec<Range<usize>> {
    let (mut blocks, mut start) = (Vec::new(), None);
    for at in memmem::find_iter(text, b"{%") {
        // Bounded, so that a text of many starts takes linear time.
        let tag = text.get(at + 2..text.len().min(at + MAX_TAG_BYTES)).unwrap_or_default();
        let tag = tag.strip_prefix(b"-").unwrap_or(tag).trim_ascii_start();
        let tag = tag.get(..memmem::find(tag, b"%}").unwrap_or(0)).unwrap_or_default();
        match start {
            // `{% set a = 1 %}` has no end.
            None if tag.starts_with(b"set ") && !tag.contains(&b'=') => start = Some(at),
            Some(from) if tag.starts_with(b"endset") => {
                blocks.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    blocks
}
