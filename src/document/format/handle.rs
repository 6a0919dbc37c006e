//! A handle to a format, which is a row of [`FORMATS`].

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::str::FromStr;

use super::{
    CommentStyle, DocumentFormat, EscapeStyle, FORMATS, FormatEncoding, FormatKind, FormatLimits,
    MarkupFamily, PathTest, Reading, Sniff,
};
use crate::document::anchors::{Anchors, HeadingPlaces, Outline, Slugs};
use crate::document::epub::Book;
use crate::document::{
    Dialect, EventSink, Part, Source, calendar, csv, html, index, mail, markdown, rtf,
};
use crate::finder::Rest;
use crate::span::Span;

/// In UTF-8, into which other encodings are decoded.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Result of recognizing an input by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sniffed {
    /// A document of this format.
    Is(Format),
    /// Not recognizable by its first bytes.
    Unknown,
    /// More bytes are needed.
    NeedMore,
}

/// A document format; one row of [`FORMATS`].
///
/// ```
/// use urigrep::document::Format;
/// assert_eq!(Format::named("html"), Some(Format::HTML));
/// assert_eq!(Format::from_extension("HTM"), Some(Format::HTML));
/// ```
#[derive(Clone, Copy)]
pub struct Format(pub(super) &'static dyn DocumentFormat);

impl Format {
    /// HTML, XHTML, and SVG.
    pub const HTML: Self = Self(&html::Html);
    /// CSS.
    pub const CSS: Self = Self(&html::Css);
    /// Markdown: CommonMark with GitHub's extensions.
    pub const MARKDOWN: Self = Self(&markdown::Markdown);
    /// A message (RFC 5322, MIME).
    pub const MAIL: Self = Self(&mail::MailFormat);
    /// iCalendar and vCard, whose lines are folded (RFC 5545, RFC 6350).
    pub const CALENDAR: Self = Self(&calendar::Calendar);
    /// Rich Text Format.
    pub(in crate::document) const RTF: Self = Self(&rtf::Rtf);
    /// Comma-separated values, whose fields end a URI (RFC 4180, D4.11).
    pub const CSV: Self = Self(&csv::Csv);

    /// Size limit of most formats, in bytes; see [`FormatLimits`] for that of each.
    pub const LARGEST: usize = 4 << 20;

    /// Returns the format with this name.
    ///
    /// ```
    /// use urigrep::document::Format;
    /// assert_eq!(Format::named("markdown").map(Format::name), Some("markdown"));
    /// assert_eq!(Format::named("nonsense"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.iter().copied().find(|format| format.name() == name)
    }

    /// Returns the format of files with this extension; ASCII case is ignored.
    ///
    /// ```
    /// use urigrep::document::Format;
    /// assert_eq!(Format::from_extension("HTM"), Some(Format::HTML));
    /// assert_eq!(Format::from_extension("txt"), None);
    /// ```
    pub fn from_extension(extension: &str) -> Option<Self> {
        if extension.bytes().any(|byte| byte.is_ascii_uppercase()) {
            index::by_extension(&extension.to_ascii_lowercase())
        } else {
            index::by_extension(extension)
        }
    }

    /// Returns the format of the file at a path, by its name.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        Self::from_file_name(path.file_name()?.as_encoded_bytes())
    }

    /// Returns the format of files with this name, which may be a path: by its extension, or else by
    /// the whole of it, or by its first word.
    pub(crate) fn from_file_name(name: &[u8]) -> Option<Self> {
        let name = name.rsplit(|&byte| byte == b'/').next()?;
        let dot = name.iter().rposition(|&byte| byte == b'.');
        let extension = dot.and_then(|dot| std::str::from_utf8(name.get(dot + 1..)?).ok());
        extension.and_then(Self::from_extension).or_else(|| {
            let word = name.split(|&byte| byte == b'.').next()?;
            index::by_file_name(name).or_else(|| index::by_file_name(word))
        })
    }

    /// Returns the format of this media type, without parameters; ASCII case is ignored.
    ///
    /// ```
    /// use urigrep::document::Format;
    /// assert_eq!(Format::from_media_type("text/html"), Some(Format::HTML));
    /// assert_eq!(Format::from_media_type("text/plain"), None);
    /// ```
    pub fn from_media_type(media_type: &str) -> Option<Self> {
        FORMATS.iter().copied().find(|format| has_word(format.media_types(), media_type))
    }

    /// Recognizes a document by its first bytes.
    ///
    /// ```
    /// use urigrep::document::{Format, Sniffed};
    /// use urigrep::finder::Rest;
    /// assert_eq!(Format::sniff(b"\n<!DOCTYPE html><title>", Rest::End), Sniffed::Is(Format::HTML));
    /// assert_eq!(Format::sniff(b"# Title\n", Rest::More), Sniffed::Unknown);
    /// assert_eq!(Format::sniff(b"<!doc", Rest::More), Sniffed::NeedMore);
    /// ```
    pub fn sniff(head: &[u8], rest: Rest) -> Sniffed {
        Self::sniff_among(head, rest, |_| true)
    }

    /// Like [`Format::sniff`], limited to wanted formats.
    pub(crate) fn sniff_among(
        head: &[u8],
        rest: Rest,
        is_wanted: impl Fn(Self) -> bool,
    ) -> Sniffed {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        // The input may consist of a part of a byte order mark so far.
        if rest == Rest::More && BYTE_ORDER_MARK.starts_with(head) {
            return Sniffed::NeedMore;
        }
        let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
        // A format that needs more bytes must not hide a later one that is certain.
        let mut sniffed = Sniffed::Unknown;
        for &format in index::starting_with(head.first().copied()) {
            match format.0.sniff(head, rest) {
                Sniff::Yes if is_wanted(format) => return Sniffed::Is(format),
                Sniff::NeedMore if is_wanted(format) => sniffed = Sniffed::NeedMore,
                _ => {}
            }
        }
        sniffed
    }

    /// Recognizes a more special format, of which documents with this one's extension may be.
    pub(crate) fn refined(self, head: &[u8], rest: Rest) -> Sniffed {
        Self::sniff_among(head, rest, |format| format.0.refines() == Some(self.name()))
    }

    /// Recognizes a document whose content does not match its name: a page that was saved as
    /// `a.docx` or `a.csv`, or RTF as `a.docx`.
    pub(crate) fn contradicting(self, head: &[u8], rest: Rest) -> Sniffed {
        match (self.encoding(), self.kind()) {
            (FormatEncoding::Binary { signature }, _) if !head.starts_with(signature) => {
                Self::sniff_among(head, rest, |format| !format.is_binary())
            }
            // The reader of XML reads pages, too.
            (FormatEncoding::Text, FormatKind::Data) if self.family() != MarkupFamily::Xml => {
                Self::sniff_among(head, rest, |format| format == Self::HTML)
            }
            _ => Sniffed::Unknown,
        }
    }

    /// See [`DocumentFormat::sniff`].
    pub(in crate::document) fn sniffed(self, head: &[u8], rest: Rest) -> Sniff {
        self.0.sniff(head, rest)
    }

    /// See [`DocumentFormat::path_test`].
    pub(in crate::document) fn path_test(self) -> Option<PathTest> {
        self.0.path_test()
    }

    /// See [`DocumentFormat::first_bytes`].
    pub(in crate::document) fn first_bytes(self) -> &'static [u8] {
        self.0.first_bytes()
    }

    /// Recognizes a document by its path.
    pub(crate) fn stored_at(path: &Path) -> Option<Self> {
        index::stored_at(path)
    }

    /// True for a source from which a processor makes pages.
    pub fn is_source(self) -> bool {
        self.kind() == FormatKind::Source
    }

    /// True for a page.
    pub fn is_page(self) -> bool {
        self.kind() == FormatKind::Page
    }

    /// True for documents that people read, whose markup says where a value ends: sources of pages,
    /// pages, and messages.
    pub fn is_markup(self) -> bool {
        self.is_source() || self.is_page() || self.is_message()
    }

    /// True for a published format, whose links name published files instead of sources.
    pub fn is_published(self) -> bool {
        matches!(self.kind(), FormatKind::Page | FormatKind::Style)
    }

    /// True for messages.
    pub fn is_message(self) -> bool {
        self.kind() == FormatKind::Message
    }

    /// Reads a document; stops if the sink breaks.
    pub fn read(self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        match source.bytes.strip_prefix(BYTE_ORDER_MARK) {
            // The mark is not part of the text: after it, a title or directive would not start its
            // line.
            Some(text) => {
                self.0.read(Source::inside(text, &source.part(BYTE_ORDER_MARK.len())), sink)
            }
            None => self.0.read(source, sink),
        }
    }
}

/// Properties of the format; see [`DocumentFormat`].
impl Format {
    /// See [`DocumentFormat::name`].
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// See [`DocumentFormat::title`].
    pub fn title(self) -> &'static str {
        self.0.title()
    }

    /// See [`DocumentFormat::extensions`].
    pub fn extensions(self) -> &'static [&'static str] {
        self.0.extensions()
    }

    /// See [`DocumentFormat::file_names`].
    pub fn file_names(self) -> &'static [&'static str] {
        self.0.file_names()
    }

    /// See [`DocumentFormat::media_types`].
    pub fn media_types(self) -> &'static [&'static str] {
        self.0.media_types()
    }

    /// See [`DocumentFormat::reading`].
    pub fn reading(self) -> Reading {
        self.0.reading()
    }

    /// See [`DocumentFormat::limits`].
    pub fn limits(self) -> FormatLimits {
        self.0.limits()
    }

    /// See [`DocumentFormat::is_dense`].
    pub(crate) fn is_dense(self, bytes: &[u8]) -> bool {
        self.0.is_dense(bytes)
    }

    /// See [`DocumentFormat::unread_companion`].
    pub fn unread_companion(self) -> Option<&'static str> {
        self.0.unread_companion()
    }

    /// See [`DocumentFormat::kind`].
    pub fn kind(self) -> FormatKind {
        self.0.kind()
    }

    /// See [`DocumentFormat::family`].
    pub fn family(self) -> MarkupFamily {
        self.0.family()
    }

    /// See [`DocumentFormat::escapes`].
    pub(crate) fn escapes(self) -> EscapeStyle {
        self.0.escapes()
    }

    /// See [`DocumentFormat::encoding`].
    pub fn is_binary(self) -> bool {
        matches!(self.encoding(), FormatEncoding::Binary { .. })
    }

    /// See [`DocumentFormat::encoding`].
    pub fn encoding(self) -> FormatEncoding {
        self.0.encoding()
    }

    /// See [`DocumentFormat::book`].
    pub(crate) fn book(self, bytes: &[u8]) -> Option<Book> {
        self.0.book(bytes)
    }

    /// See [`DocumentFormat::comments`].
    pub fn comments(self) -> CommentStyle {
        self.0.comments()
    }

    /// See [`DocumentFormat::prepare`].
    pub fn prepare<'t>(self, dialect: &Dialect, text: &'t [u8]) -> Cow<'t, [u8]> {
        self.0.prepare(dialect, text)
    }

    /// See [`DocumentFormat::heading_ids`].
    pub fn heading_ids(self, outline: Outline<'_>, slugs: Slugs) -> Vec<String> {
        self.0.heading_ids(outline, slugs)
    }

    /// Returns the heading that each of their names refers to.
    pub(crate) fn heading_places(self, outline: &Outline<'_>, slugs: Slugs) -> HeadingPlaces {
        HeadingPlaces::new(|add| self.0.heading_names(outline, slugs, add))
    }

    /// See [`DocumentFormat::heading_name`].
    pub fn heading_name(self, text: &str) -> Cow<'_, str> {
        self.0.heading_name(text)
    }

    /// See [`DocumentFormat::anchors`].
    pub fn anchors(self, outline: Outline<'_>, slugs: Slugs) -> Anchors {
        self.0.anchors(outline, slugs)
    }

    /// See [`DocumentFormat::has_directives`].
    pub(crate) fn has_directives(self) -> bool {
        self.0.has_directives()
    }

    /// See [`DocumentFormat::has_attributes`].
    pub(crate) fn has_attributes(self) -> bool {
        self.0.has_attributes()
    }

    /// See [`DocumentFormat::is_extended_by_sites`].
    pub(crate) fn is_extended_by_sites(self) -> bool {
        self.0.is_extended_by_sites()
    }

    /// See [`DocumentFormat::schemes`].
    pub(crate) fn schemes(self) -> &'static [&'static str] {
        self.0.schemes()
    }

    /// See [`DocumentFormat::is_file_name`].
    pub(crate) fn is_file_name(self, part: &Part<'_>) -> bool {
        self.0.is_file_name(part)
    }

    /// See [`DocumentFormat::conditional_blocks`].
    pub(crate) fn conditional_blocks(self, text: &[u8]) -> Vec<Range<usize>> {
        self.0.conditional_blocks(text)
    }

    /// See [`DocumentFormat::search_option`].
    pub(crate) fn search_option(self, text: &[u8], end: usize) -> Option<(String, Span)> {
        self.0.search_option(text, end)
    }

    /// See [`DocumentFormat::page_address`].
    pub fn page_address(self, text: &[u8]) -> Option<String> {
        self.0.page_address(text)
    }
}

fn has_word(words: &[&str], word: &str) -> bool {
    words.iter().any(|it| it.eq_ignore_ascii_case(word))
}

// Formats are compared by name; a test ensures that names are unique.
impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl Hash for Format {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.name())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No format has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat {
    name: String,
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not the name of a document format, such as html", self.name)
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    /// Returns the format with this name, as [`Format::named`] does.
    ///
    /// ```
    /// use urigrep::document::Format;
    /// assert_eq!("markdown".parse(), Ok(Format::MARKDOWN));
    /// assert!("nothing".parse::<Format>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::named(name).ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_extensions_and_media_types_belong_to_one_format() {
        let words = |list: fn(Format) -> &'static [&'static str]| {
            FORMATS.iter().flat_map(move |&format| list(format))
        };
        let mut seen = HashSet::new();
        assert!(FORMATS.iter().all(|format| seen.insert(format.name())));
        for words in [words(Format::extensions), words(Format::media_types)] {
            let mut seen = HashSet::new();
            for word in words {
                assert!(seen.insert(word) && *word == word.to_ascii_lowercase(), "{word}");
            }
        }
    }

    #[test]
    fn an_end_is_always_decided() {
        for head in [&b""[..], b"<", b"<html", b"BEGIN:VC", b"Sub", b"Subject: a\n", b"\xef\xbb"] {
            assert_ne!(Format::sniff(head, Rest::End), Sniffed::NeedMore, "{head:?}");
            assert!(FORMATS.iter().all(|it| it.0.sniff(head, Rest::End) != Sniff::NeedMore));
        }
    }
}
