//! The formats of documents, and their detection.

use std::ops::ControlFlow;

use super::html::css;
use super::{PartSink, Source, calendar, csv, html, mail, markdown};

/// A document format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// HTML, XHTML and SVG.
    Html,
    /// CSS: style sheets.
    Css,
    /// Markdown: CommonMark, with what GitHub adds.
    Markdown,
    /// A message (RFC 5322, MIME).
    Mail,
    /// iCalendar and vCard, whose lines are folded (RFC 5545, RFC 6350).
    Calendar,
    /// Comma-separated values, whose fields end a URI (RFC 4180, D4.11).
    Csv,
}

impl Format {
    /// The largest document, in bytes; larger ones are searched as text.
    pub const LARGEST: usize = 4 << 20;

    /// The same for this format. Hostile Markdown takes some 70 times its size in memory.
    ///
    /// ```
    /// use urigrep::document::Format;
    /// assert_eq!((Format::Html.largest(), Format::Markdown.largest()), (4 << 20, 512 << 10));
    /// ```
    pub const fn largest(self) -> usize {
        match self {
            Self::Html | Self::Css | Self::Mail | Self::Calendar | Self::Csv => Self::LARGEST,
            Self::Markdown => 512 << 10,
        }
    }

    /// The format of files with this extension; ASCII case is ignored.
    ///
    /// ```
    /// use urigrep::document::Format;
    /// assert_eq!(Format::of_extension("HTM"), Some(Format::Html));
    /// assert_eq!(Format::of_extension("rs"), None);
    /// ```
    pub fn of_extension(extension: &str) -> Option<Self> {
        let is = |names: &[&str]| names.iter().any(|name| extension.eq_ignore_ascii_case(name));
        if is(&["html", "htm", "xhtml", "xht", "shtml", "svg"]) {
            return Some(Self::Html);
        }
        if is(&["css"]) {
            return Some(Self::Css);
        }
        if is(&["md", "mdx", "markdown", "mdown", "mkd", "mkdn", "mdwn"]) {
            return Some(Self::Markdown);
        }
        if is(&["eml", "emlx", "mht", "mhtml"]) {
            return Some(Self::Mail);
        }
        if is(&["ics", "ical", "icalendar", "ifb", "vcf", "vcard"]) {
            return Some(Self::Calendar);
        }
        if is(&["csv"]) {
            return Some(Self::Csv);
        }
        None
    }

    /// The format of a document that starts with `head`, if that shows.
    ///
    /// ```
    /// use urigrep::document::Format;
    /// assert_eq!(Format::of_content(b"\n<!DOCTYPE html><title>"), Some(Format::Html));
    /// assert_eq!(Format::of_content(b"# Title\n"), None);
    /// ```
    pub fn of_content(head: &[u8]) -> Option<Self> {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let head = head.trim_ascii_start();
        for start in ["<!doctype html", "<html"] {
            let rest = head.get(..start.len());
            if rest.is_some_and(|rest| rest.eq_ignore_ascii_case(start.as_bytes()))
                && head.get(start.len()).is_none_or(|after| !after.is_ascii_alphanumeric())
            {
                return Some(Self::Html);
            }
        }
        if calendar::starts(head) {
            return Some(Self::Calendar);
        }
        mail::is_message(head).then_some(Self::Mail)
    }

    /// True when more bytes after `head` could show what [`Format::of_content`] sees.
    pub(crate) fn may_be_content(head: &[u8]) -> bool {
        let mark = b"\xef\xbb\xbf";
        if mark.starts_with(head) {
            return true;
        }
        let head = head.strip_prefix(mark).unwrap_or(head);
        let head = head.trim_ascii_start();
        let may_be = |start: &str| {
            start.as_bytes().get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head))
        };
        ["<!doctype html", "<html"].into_iter().any(may_be)
            || calendar::may_start(head)
            || (Self::of_content(head).is_none() && mail::may_be_message(head))
    }

    /// True for the formats of finished pages.
    pub(crate) fn is_of_pages(self) -> bool {
        matches!(self, Self::Html | Self::Css)
    }

    /// Reads a document; breaks when the sink does.
    pub fn read(self, source: Source<'_>, sink: &mut dyn PartSink) -> ControlFlow<()> {
        match self {
            Self::Html => html::read(source, sink),
            Self::Css => css::read(source, sink),
            Self::Markdown => markdown::read(source, sink),
            Self::Mail => mail::read(source, sink),
            Self::Calendar => calendar::read(source, sink),
            Self::Csv => csv::read(source, sink),
        }
    }
}
