//! HTML and CSS as rows of the format table.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::charset::charset;
use super::{css, entities, read};
use crate::document::format::{
    CommentStyle, DocumentFormat, FormatKind, FormatLimits, MarkupFamily, Sniff,
};
use crate::document::{Dialect, EventSink, Source, declared_charset, markdown};
use crate::finder::Rest;

/// HTML, XHTML, and SVG.
pub(in crate::document) struct Html;

impl DocumentFormat for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn title(&self) -> &'static str {
        "HTML, XHTML, and SVG"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["html", "htm", "xhtml", "xht", "shtml", "svg"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        // Mail readers show the second and third instead of HTML: AMP, and watches of Apple.
        &[
            "text/html",
            "text/x-amp-html",
            "text/watch-html",
            "application/xhtml+xml",
            "image/svg+xml",
        ]
    }

    fn first_bytes(&self) -> &'static [u8] {
        b"<"
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        let starts =
            |start| Sniff::prefix(head, start, rest, |after| !after.is_ascii_alphanumeric());
        starts("<!doctype html").or(starts("<html"))
    }

    /// Fills in the addresses that a template engine writes before a path.
    fn prepare<'t>(&self, dialect: &Dialect, text: &'t [u8]) -> Cow<'t, [u8]> {
        let mut prepared = Cow::Borrowed(text);
        match dialect {
            Dialect::Kramdown(values) if !values.is_empty() => {
                markdown::fill_addresses(&mut prepared, values);
            }
            Dialect::Eleventy => markdown::fill_urls(&mut prepared),
            _ => {}
        }
        prepared
    }

    fn limits(&self) -> FormatLimits {
        // The reader keeps nothing of the bytes it has passed, so pages of any size can be audited.
        // Manuals on one page have more than 4 MiB.
        FormatLimits { largest: 12 << 20, largest_audited: usize::MAX, ..FormatLimits::USUAL }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Page
    }

    fn family(&self) -> MarkupFamily {
        MarkupFamily::Html
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Html
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        declared_charset::read(source, charset(source.bytes), sink, |source, sink| {
            entities::read(source, sink, read)
        })
    }
}

/// Style sheets.
pub(in crate::document) struct Css;

impl DocumentFormat for Css {
    fn name(&self) -> &'static str {
        "css"
    }

    fn title(&self) -> &'static str {
        "CSS"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["css"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::USUAL
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Style
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::C
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        css::read(source, sink)
    }
}
