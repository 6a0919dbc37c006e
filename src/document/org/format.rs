//! Org as a row of the format table.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::inline::search_option;
use super::reader::OrgReader;
use super::title::{heading_name, titles_with_keywords};
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::format::{
    CommentStyle, DocumentFormat, FormatKind, FormatLimits, MarkupFamily,
};
use crate::document::markdown::slug::SlugRule;
use crate::document::{EventSink, Part, Source};
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Org mode.
pub(in crate::document) struct Org;

impl DocumentFormat for Org {
    fn name(&self) -> &'static str {
        "org"
    }

    fn title(&self) -> &'static str {
        "Org mode"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["org"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/org", "text/x-org"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::TEXT_MARKUP
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn family(&self) -> MarkupFamily {
        MarkupFamily::Org
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Hash
    }

    /// Links have the literal names of files: `%20` is not a space (Org 9.3, "Link Format").
    fn is_file_name(&self, part: &Part<'_>) -> bool {
        let has_scheme = part.text.contains(&b':') && !part.text.starts_with(b"file:");
        part.attribute.is_none()
            && matches!(part.element, Some("image" | "link"))
            && !has_scheme
            && !part.text.starts_with(b"#")
    }

    fn search_option(&self, text: &[u8], end: usize) -> Option<(String, Span)> {
        search_option(text, end)
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        OrgReader::new(source, sink).read()
    }

    fn heading_ids(&self, outline: Outline<'_>, _: Slugs) -> Vec<String> {
        SlugRule::Github.anchors(outline.headings.into_iter()).collect()
    }

    fn heading_name<'t>(&self, text: &'t str) -> Cow<'t, str> {
        heading_name(text)
    }

    fn heading_names(&self, outline: &Outline<'_>, _: Slugs, add: &mut dyn FnMut(usize, String)) {
        Anchors::heading_slugs(outline, add);
    }

    /// Returns the names in the document, the slugs that forges make of headlines, and the names of
    /// headlines for links with `::*Name`.
    fn anchors(&self, outline: Outline<'_>, _: Slugs) -> Anchors {
        let text = outline.text();
        let titles = outline.headings.iter().map(|text| heading_name(text).into_owned());
        let titles = titles.chain(titles_with_keywords(&text)).collect::<Vec<_>>();
        let names = Anchors::names_and_slugs(&outline);
        Anchors::fixed(names, includes_others(&text)).and_titles(titles)
    }
}

/// True if a document includes others, whose headlines and targets count as its own.
fn includes_others(text: &[u8]) -> bool {
    let keys = [&b"#+include:"[..], b"#+setupfile:"];
    let starts =
        |at: usize, key: &[u8]| text.clamped(at..).clamped(..key.len()).eq_ignore_ascii_case(key);
    memchr::memmem::find_iter(text, b"#+").any(|at| keys.iter().any(|key| starts(at, key)))
}
