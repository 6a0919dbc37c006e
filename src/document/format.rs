//! Document formats: the interface of a format ([`DocumentFormat`]), and the table of all formats
//! ([`FORMATS`]).
//!
//! A new format is a folder with an implementation and a row in the table. Search, `--markup`, the
//! audit, the parts of mail, the conformance test, the fuzz targets, and the search for slow inputs
//! all read the table.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::path::Path;

use super::anchors::{Anchors, Outline, Slugs};
use super::code::languages;
use super::epub::Book;
#[cfg(feature = "pdf")]
use super::pdf;
use super::{
    EventSink, Source, asciidoc, bibtex, calendar, chat, csl, csv, dokuwiki, epub, har, html,
    index, ini, json, latex, mail, man, markdown, mediawiki, notebook, office, org, po, ris, rst,
    rtf, sqlite, texinfo, textile, tnef, toml, typst, xml, yaml,
};
use crate::finder::Rest;
use crate::slice::SliceExt as _;
pub use crate::sniff::Sniff;

/// All document formats. The order only matters if two formats recognize the same first bytes.
pub static FORMATS: &[Format] = &[
    Format::HTML,
    Format::CSS,
    Format::MARKDOWN,
    Format(&rst::Rst),
    Format(&asciidoc::AsciiDoc),
    Format(&org::Org),
    Format(&latex::Latex),
    Format(&man::Man),
    Format(&texinfo::Texinfo),
    Format(&mediawiki::MediaWiki),
    Format(&typst::Typst),
    Format(&textile::Textile),
    Format(&dokuwiki::DokuWiki),
    Format(&notebook::Notebook),
    Format(&har::Har),
    Format(&csl::Csl),
    Format(&chat::SLACK),
    Format(&chat::DISCORD),
    Format(&chat::TELEGRAM),
    Format(&chat::MATTERMOST),
    Format::MAIL,
    Format::CALENDAR,
    Format::CSV,
    Format(&json::Json),
    Format(&yaml::Yaml),
    Format(&toml::Toml),
    Format(&ini::Ini),
    Format(&po::Po),
    Format(&bibtex::Bibtex),
    Format(&ris::Ris),
    Format(&xml::Xml),
    Format(&office::Office::Word),
    Format(&office::Office::Excel),
    Format(&office::Office::PowerPoint),
    Format(&office::Office::OpenDocument),
    Format(&epub::Epub),
    Format::RTF,
    Format(&tnef::Tnef),
    Format(&sqlite::Sqlite),
    #[cfg(feature = "pdf")]
    Format(&pdf::Pdf),
    Format(&languages::C),
    Format(&languages::CPP),
    Format(&languages::OBJECTIVE_C),
    Format(&languages::C_SHARP),
    Format(&languages::JAVA),
    Format(&languages::KOTLIN),
    Format(&languages::SCALA),
    Format(&languages::GROOVY),
    Format(&languages::GO),
    Format(&languages::RUST),
    Format(&languages::SWIFT),
    Format(&languages::DART),
    Format(&languages::JAVASCRIPT),
    Format(&languages::TYPESCRIPT),
    Format(&languages::PHP),
    Format(&languages::PYTHON),
    Format(&languages::RUBY),
    Format(&languages::PERL),
    Format(&languages::LUA),
    Format(&languages::R),
    Format(&languages::JULIA),
    Format(&languages::SHELL),
    Format(&languages::POWERSHELL),
    Format(&languages::SQL),
    Format(&languages::HASKELL),
    Format(&languages::ELIXIR),
    Format(&languages::ERLANG),
    Format(&languages::CLOJURE),
    Format(&languages::OCAML),
    Format(&languages::F_SHARP),
    Format(&languages::ZIG),
    Format(&languages::NIX),
    Format(&languages::TERRAFORM),
    Format(&languages::VISUAL_BASIC),
];

/// A document format.
///
/// Only [`name`](Self::name), [`limits`](Self::limits), [`kind`](Self::kind), and [`read`](Self::read) are required.
pub trait DocumentFormat: Sync {
    /// Returns the name used in `--markup`, JSON, and `corpus/documents/`.
    fn name(&self) -> &'static str;

    /// Returns a short description for `urigrep registry formats`.
    fn title(&self) -> &'static str;

    /// Returns the file name extensions, in lower case.
    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the media types of MIME and HTTP, in lower case and without parameters.
    fn media_types(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the name of the format that these documents have by their extension. Content decides
    /// between the two: chats are files of JSON.
    fn refines(&self) -> Option<&'static str> {
        None
    }

    /// Recognizes a document by its first bytes, without a byte order mark and leading white space.
    /// By default, a signature is recognized. Asked only about a head that is empty or starts with
    /// one of the [first bytes](Self::first_bytes).
    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        match self.encoding() {
            FormatEncoding::Text => Sniff::No,
            FormatEncoding::Binary { signature } => Sniff::signature(head, signature, rest),
        }
    }

    /// Returns the bytes that a document may start with which [`sniff`](Self::sniff) recognizes or
    /// needs more of. By default, that of a signature.
    fn first_bytes(&self) -> &'static [u8] {
        match self.encoding() {
            FormatEncoding::Text => &[],
            FormatEncoding::Binary { signature } => signature.clamped(..1),
        }
    }

    /// Returns the test that recognizes a document by its path, if there is one. Used only if no
    /// format recognizes the content.
    fn path_test(&self) -> Option<PathTest> {
        None
    }

    /// Tells when documents are read in this format.
    fn reading(&self) -> Reading {
        Reading::Always
    }

    /// Returns the memory limits of a document.
    fn limits(&self) -> FormatLimits;

    /// Returns the end of the name of a file beside the document that holds changes of it, which are not read.
    fn unread_companion(&self) -> Option<&'static str> {
        None
    }

    /// Returns the purpose of documents in this format.
    fn kind(&self) -> FormatKind;

    /// Returns whether documents are text.
    fn encoding(&self) -> FormatEncoding {
        FormatEncoding::Text
    }

    /// Returns the files of a document that consists of several, whose links lead to one another.
    fn book(&self, bytes: &[u8]) -> Option<Book> {
        let _ = bytes;
        None
    }

    /// Returns how characters are written that mean something in the format.
    fn escapes(&self) -> EscapeStyle {
        match self.kind() {
            FormatKind::Page => EscapeStyle::References,
            FormatKind::Message => EscapeStyle::QuotedPrintable,
            _ => EscapeStyle::None,
        }
    }

    /// Returns the syntax of comments, which may disable checks.
    fn comments(&self) -> CommentStyle {
        CommentStyle::None
    }

    /// Rewrites the text of a file with this extension for the reader, if a variant of the format
    /// needs it. The length stays the same.
    fn prepare<'t>(&self, extension: &str, text: &'t [u8]) -> Cow<'t, [u8]> {
        let _ = extension;
        Cow::Borrowed(text)
    }

    /// Reads a document; stops if the sink breaks.
    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()>;

    /// Returns the usual anchor of each heading, in order; by default, headings have none.
    fn heading_ids(&self, _outline: Outline<'_>, _slugs: Slugs) -> Vec<String> {
        Vec::new()
    }

    /// Returns the anchors of a document: by default, the names that it defines.
    fn anchors(&self, outline: Outline<'_>, slugs: Slugs) -> Anchors {
        let _ = slugs;
        Anchors::named(outline)
    }

    /// Returns the absolute path that the document sets for its page.
    fn page_address(&self, text: &[u8]) -> Option<String> {
        let _ = text;
        None
    }
}

/// Tells when documents are read in their format, and not as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reading {
    /// Always.
    Always,
    /// Only if a search asks for places or roles, or names the format. As text, the same URIs are
    /// found, and faster.
    OnRequest,
}

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

/// Limits for documents of a format, in bytes unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatLimits {
    /// Larger documents are searched as text.
    pub largest: usize,
    /// Larger documents are audited as text.
    pub largest_audited: usize,
    /// Upper bound of the memory for reading, as a multiple of the document's size. Measured with
    /// adversarial documents (tests/faults/bounds.py).
    pub memory_factor: usize,
    /// Documents up to this size may be read on all threads at once.
    pub light: usize,
}

impl FormatLimits {
    /// 4 MiB, for readers that make one pass and keep little.
    pub const USUAL: Self = Self {
        largest: Format::LARGEST,
        largest_audited: Format::LARGEST,
        memory_factor: 4,
        light: 2 << 20,
    };
}

impl FormatLimits {
    /// 64 MiB, for data: its readers keep a path only.
    pub const DATA: Self = Self {
        largest: 64 << 20,
        largest_audited: Format::LARGEST,
        memory_factor: 3,
        light: 2 << 20,
    };
}

/// Purpose of documents in a format, for the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FormatKind {
    /// A source from which a processor makes a page: Markdown. Its relative links name files or
    /// pages.
    Source,
    /// A page for readers: HTML.
    Page,
    /// A resource of pages: style sheets. Fragments do not refer to it.
    Style,
    /// Data, such as tables and calendars.
    Data,
    /// Source code of a program.
    Code,
    /// Messages. Their relative links do not refer to files of a tree.
    Message,
}

/// Escapes that a format requires, even where its reader accepts the bare character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapeStyle {
    /// None, or only those without which a text is read differently.
    None,
    /// Character references: `&amp;`.
    References,
    /// A backslash before `%` and `#`, which TeX needs in arguments of most commands.
    Tex,
    /// Quoted-printable: `=3D`.
    QuotedPrintable,
}

/// Whether documents of a format are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormatEncoding {
    /// Text, in any encoding. What is too large to be read as a document is searched as text.
    Text,
    /// Bytes that only the reader understands.
    Binary {
        /// The first bytes of every document.
        signature: &'static [u8],
    },
}

/// Syntax of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CommentStyle {
    /// The format has no comments.
    None,
    /// `<!-- … -->`.
    Html,
    /// `/* … */`.
    C,
    /// `.. …`.
    Rst,
    /// `// …`.
    Slashes,
    /// `# …`.
    Hash,
    /// `% …`.
    Percent,
    /// `.\" …`.
    Troff,
    /// `@c …`.
    Texinfo,
}

impl CommentStyle {
    /// Returns a comment with this text; `None` if the format has no comments.
    pub fn comment(self, text: &str) -> Option<String> {
        match self {
            Self::None => None,
            Self::Html => Some(format!("<!-- {text} -->")),
            Self::C => Some(format!("/* {text} */")),
            Self::Rst => Some(format!(".. {text}")),
            Self::Slashes => Some(format!("// {text}")),
            Self::Hash => Some(format!("# {text}")),
            Self::Percent => Some(format!("% {text}")),
            Self::Troff => Some(format!(".\\\" {text}")),
            Self::Texinfo => Some(format!("@c {text}")),
        }
    }
}

/// True for the path of a document.
pub type PathTest = fn(&Path) -> bool;

/// A document format; one row of [`FORMATS`].
///
/// ```
/// use urigrep::document::Format;
/// assert_eq!(Format::named("html"), Some(Format::HTML));
/// assert_eq!(Format::from_extension("HTM"), Some(Format::HTML));
/// ```
#[derive(Clone, Copy)]
pub struct Format(&'static dyn DocumentFormat);

impl Format {
    /// HTML, XHTML, and SVG.
    pub const HTML: Self = Self(&html::Html);
    /// CSS.
    pub const CSS: Self = Self(&html::Css);
    /// Markdown: CommonMark with GitHub's extensions.
    pub const MARKDOWN: Self = Self(&markdown::Markdown);
    /// A message (RFC 5322, MIME).
    pub const MAIL: Self = Self(&mail::Mail);
    /// iCalendar and vCard, whose lines are folded (RFC 5545, RFC 6350).
    pub const CALENDAR: Self = Self(&calendar::Calendar);
    /// Rich Text Format.
    pub(super) const RTF: Self = Self(&rtf::Rtf);
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
        match extension.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => index::by_extension(&extension.to_ascii_lowercase()),
            false => index::by_extension(extension),
        }
    }

    /// Returns the format of files with this name.
    pub(crate) fn from_file_name(name: &[u8]) -> Option<Self> {
        let dot = name.iter().rposition(|&byte| byte == b'.')?;
        std::str::from_utf8(name.get(dot + 1..)?).ok().and_then(Self::from_extension)
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

    /// Recognizes a document whose contents are not what its name says: a page that was saved as
    /// `a.docx` or `a.csv`, or RTF as `a.docx`.
    pub(crate) fn contradicting(self, head: &[u8], rest: Rest) -> Sniffed {
        match (self.encoding(), self.kind()) {
            (FormatEncoding::Binary { signature }, _) if !head.starts_with(signature) => {
                Self::sniff_among(head, rest, |format| !format.is_binary())
            }
            // The reader of XML reads pages, too.
            (FormatEncoding::Text, FormatKind::Data) if self.name() != "xml" => {
                Self::sniff_among(head, rest, |format| format == Self::HTML)
            }
            _ => Sniffed::Unknown,
        }
    }

    /// See [`DocumentFormat::sniff`].
    pub(super) fn sniffed(self, head: &[u8], rest: Rest) -> Sniff {
        self.0.sniff(head, rest)
    }

    /// See [`DocumentFormat::path_test`].
    pub(super) fn path_test(self) -> Option<PathTest> {
        self.0.path_test()
    }

    /// See [`DocumentFormat::first_bytes`].
    pub(super) fn first_bytes(self) -> &'static [u8] {
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
        self.0.read(source, sink)
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

    /// See [`DocumentFormat::unread_companion`].
    pub fn unread_companion(self) -> Option<&'static str> {
        self.0.unread_companion()
    }

    /// See [`DocumentFormat::kind`].
    pub fn kind(self) -> FormatKind {
        self.0.kind()
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
    pub fn prepare<'t>(self, extension: &str, text: &'t [u8]) -> Cow<'t, [u8]> {
        self.0.prepare(extension, text)
    }

    /// See [`DocumentFormat::heading_ids`].
    pub fn heading_ids(self, outline: Outline<'_>, slugs: Slugs) -> Vec<String> {
        self.0.heading_ids(outline, slugs)
    }

    /// See [`DocumentFormat::anchors`].
    pub fn anchors(self, outline: Outline<'_>, slugs: Slugs) -> Anchors {
        self.0.anchors(outline, slugs)
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
