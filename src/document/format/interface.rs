//! The interface of a format.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use super::{
    CommentStyle, EscapeStyle, FormatEncoding, FormatKind, FormatLimits, MarkupFamily, PathTest,
    Reading, Sniff,
};
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::epub::Book;
use crate::document::{Dialect, EventSink, Part, Source};
use crate::finder::Rest;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// A document format.
///
/// Only [`name`](Self::name), [`limits`](Self::limits), [`kind`](Self::kind), and
/// [`read`](Self::read) are required.
pub trait DocumentFormat: Sync {
    /// Returns the name used in `--markup`, JSON, and `corpus/documents/`.
    fn name(&self) -> &'static str;

    /// Returns a short description for `urigrep registry formats`.
    fn title(&self) -> &'static str;

    /// Returns the file name extensions, in lower case.
    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns names of files without an extension that tells, in their case: `Makefile`. One may
    /// have a word behind it, as in `Dockerfile.dev`.
    fn file_names(&self) -> &'static [&'static str] {
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

    /// True for a document that would take more memory than its size suggests. A search reads it as
    /// text.
    fn is_dense(&self, bytes: &[u8]) -> bool {
        let _ = bytes;
        false
    }

    /// Returns the end of the name of a file beside the document that holds changes of it, which
    /// are not read.
    fn unread_companion(&self) -> Option<&'static str> {
        None
    }

    /// Returns the purpose of documents in this format.
    fn kind(&self) -> FormatKind;

    /// Returns the family of the markup.
    fn family(&self) -> MarkupFamily {
        MarkupFamily::Other
    }

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

    /// Rewrites the text of a document for the reader, if its dialect needs it. The length stays
    /// the same.
    fn prepare<'t>(&self, dialect: &Dialect, text: &'t [u8]) -> Cow<'t, [u8]> {
        let _ = dialect;
        Cow::Borrowed(text)
    }

    /// Reads a document; stops if the sink breaks.
    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()>;

    /// Returns the usual anchor of each heading, in order; by default, headings have none.
    fn heading_ids(&self, _outline: Outline<'_>, _slugs: Slugs) -> Vec<String> {
        Vec::new()
    }

    /// Passes each name that [`anchors`](Self::anchors) adds for a heading to `add`, with the index
    /// of that heading; by default, there are none.
    fn heading_names(
        &self,
        _outline: &Outline<'_>,
        _slugs: Slugs,
        _add: &mut dyn FnMut(usize, String),
    ) {
    }

    /// Returns the name by which links mean a heading with this text: by default, the text itself.
    fn heading_name<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(text)
    }

    /// Returns the anchors of a document: by default, the names that it defines.
    fn anchors(&self, outline: Outline<'_>, slugs: Slugs) -> Anchors {
        let _ = slugs;
        Anchors::named(outline)
    }

    /// True if directives name files and documents, as those of docutils and Sphinx do.
    fn has_directives(&self) -> bool {
        false
    }

    /// True if documents have attributes of AsciiDoc, which others may set, and are parts of one
    /// another.
    fn has_attributes(&self) -> bool {
        false
    }

    /// True if its generator decides whether bare addresses become links, and whether `[[name]]` is
    /// one.
    fn is_extended_by_sites(&self) -> bool {
        false
    }

    /// Returns schemes that only programs for this format understand.
    fn schemes(&self) -> &'static [&'static str] {
        &[]
    }

    /// True if the text of a destination is the literal name of a file, not a reference.
    fn is_file_name(&self, part: &Part<'_>) -> bool {
        let _ = part;
        false
    }

    /// Returns the outermost blocks that depend on attributes, or that are texts of variables, in
    /// order.
    fn conditional_blocks(&self, text: &[u8]) -> Vec<Range<usize>> {
        let _ = text;
        Vec::new()
    }

    /// Returns the name that is looked up in the target of a link that ends at `end`, and its span.
    fn search_option(&self, text: &[u8], end: usize) -> Option<(String, Span)> {
        let _ = (text, end);
        None
    }

    /// Returns the absolute path that the document sets for its page.
    fn page_address(&self, text: &[u8]) -> Option<String> {
        let _ = text;
        None
    }
}
