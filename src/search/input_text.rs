//! Reads all of an input as text, because a document is read as a whole.

use std::borrow::Cow;
use std::io::{Error, ErrorKind, Read, Result};
use std::sync::Arc;

use memchr::{memchr, memmem};

use crate::decode::{Encoding, Transcoder};
use crate::document::{Dialect, Format, Place, SharedText, mail};
use crate::finder::Rest;
use crate::search::input_shape::{InputShape, ShapeSniff, sniff_shape};
use crate::search::source::text_source::SourceOffsets;
use crate::search::stream::BINARY_SNIFF;
use crate::search::{Binary, Compressed, Input, InputKind, Limits, Markup, Origin, Search};
use crate::slice::SliceExt as _;

/// Bytes of a file in the first read.
const FIRST: usize = 64 << 10;

/// The reading of text without a name, such as standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamelessText {
    Text,
    /// As Markdown if it has an inline link.
    MayBeMarkdown,
}

/// All of an input as text: UTF-16 and UTF-32 are decoded, everything else is verbatim.
#[derive(Clone, Debug)]
pub struct InputText {
    bytes: Arc<Vec<u8>>,
    format: Option<Format>,
    /// The format of a document that is too large to be read in it.
    oversized: Option<Format>,
    read: u64,
    transcoder: Option<Transcoder>,
    /// Set for a text that was made of a document: the places of what starts at these offsets.
    places: Option<Arc<Vec<(usize, Place<'static>)>>>,
}

impl InputText {
    /// A text that is the whole input.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self {
            read: bytes.len() as u64,
            bytes: Arc::new(bytes),
            format: None,
            oversized: None,
            transcoder: None,
            places: None,
        }
    }

    /// Returns a text that was made of a document, with places by the offset of their start.
    pub(crate) fn extracted(bytes: Vec<u8>, places: Vec<(usize, Place<'static>)>) -> Self {
        Self { places: Some(Arc::new(places)), ..Self::new(bytes) }
    }

    /// Returns the text of a document in this format.
    pub(crate) fn of_document(bytes: Vec<u8>, format: Format) -> Self {
        let encoding = Encoding::detect(bytes.clamped(..BINARY_SNIFF));
        Self::of_format(bytes, encoding.map(|(encoding, _)| encoding), Some(format))
    }

    /// True for a text that was made of a document.
    pub(crate) fn is_extracted(&self) -> bool {
        self.places.is_some()
    }

    /// Returns the place of a byte in the document that the text was made of.
    pub(crate) fn place(&self, at: usize) -> Option<&Place<'static>> {
        let places = self.places.as_ref()?;
        let after = places.partition_point(|(start, _)| *start <= at);
        places.get(after.checked_sub(1)?).map(|(_, place)| place)
    }

    fn decoded(encoding: Encoding, source: &[u8]) -> Self {
        let mut transcoder = Transcoder::new(encoding, 0);
        let mut bytes = Vec::new();
        transcoder.push(source, &mut bytes);
        transcoder.finish(&mut bytes);
        Self {
            bytes: Arc::new(bytes),
            format: None,
            oversized: None,
            read: source.len() as u64,
            transcoder: Some(transcoder),
            places: None,
        }
    }

    fn of_format(source: Vec<u8>, encoding: Option<Encoding>, format: Option<Format>) -> Self {
        let text = match encoding {
            Some(encoding) => Self::decoded(encoding, &source),
            None => Self::new(source),
        };
        // The limit counts decoded bytes, since the parser sees those.
        let (format, oversized) = match format {
            Some(it) if text.bytes.len() > it.limits().largest_audited => (None, Some(it)),
            format => (format, None),
        };
        Self { format, oversized, ..text }
    }

    /// The text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the text in the form that readers of its format expect.
    pub(crate) fn prepared(&self, dialect: &Dialect) -> SharedText {
        match self.format.map(|format| format.prepare(dialect, &self.bytes)) {
            Some(Cow::Owned(prepared)) => SharedText::new(prepared),
            _ => SharedText::clone(&self.bytes),
        }
    }

    /// Returns the text in the form that readers of its format expect.
    pub(crate) fn into_prepared(self, dialect: &Dialect) -> Self {
        Self { bytes: self.prepared(dialect), ..self }
    }

    /// Returns the text without its origin.
    pub fn into_bytes(self) -> Vec<u8> {
        Arc::unwrap_or_clone(self.bytes)
    }

    /// The format; `None` for text that is not a document or is too large to be read as one. HTML
    /// may have any size.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// The format of a document that is too large to be read in it.
    pub(crate) fn oversized(&self) -> Option<Format> {
        self.oversized
    }

    /// The encoding of the input, if it is UTF-16 or UTF-32.
    pub fn encoding(&self) -> Option<Encoding> {
        self.transcoder.as_ref().map(Transcoder::encoding)
    }

    /// The size of the input in bytes.
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    /// Converts the offset `at` of the text to an offset of the input.
    pub fn source(&self, at: usize) -> u64 {
        SourceOffsets::source(self, at as u64)
    }
}

impl SourceOffsets for InputText {
    fn source(&self, at: u64) -> u64 {
        match &self.transcoder {
            Some(transcoder) => transcoder.source_of(at),
            None => at,
        }
    }

    fn is_verbatim(&self, _: u64, _: u64) -> bool {
        self.transcoder.is_none()
    }
}

impl Search {
    /// Reads all of an input if `wants` accepts its format. Returns `None` for other formats, and
    /// for binary files of directories.
    ///
    /// # Errors
    /// If it can't be read, or has more than `largest` bytes.
    ///
    /// ```
    /// use urigrep::search::{Input, Search};
    /// let text = Search::default().read_text(&Input::file("Cargo.toml"), 1 << 20, |_| true);
    /// assert!(text.unwrap().unwrap().bytes().starts_with(b"[package]"));
    /// ```
    pub fn read_text(
        &self,
        input: &Input,
        largest: u64,
        is_wanted: impl FnOnce(Option<Format>) -> bool,
    ) -> Result<Option<InputText>> {
        let open = input.open()?;
        let mut reader = open.reader;
        // One byte more than the file has: the read then sees the end of the file without growing
        // the buffer again.
        let room = |most: u64| match open.kind {
            InputKind::File(size) => usize::try_from(size.min(most) + 1).unwrap_or_default(),
            _ => 0,
        };
        let first = FIRST as u64;
        let mut source = Vec::with_capacity(room(first));
        reader.by_ref().take(first).read_to_end(&mut source)?;
        let head = source.clamped(..BINARY_SNIFF);
        let encoding = Encoding::detect(head).map(|(encoding, _)| encoding);
        if input.origin() == Origin::Tree
            && self.settings.binary == Binary::Skip
            && encoding.is_none()
            && memchr(0, head).is_some()
            // A document with a NUL byte is still one, and its links are shown.
            && !input.extension().and_then(Format::from_extension).is_some_and(is_document)
        {
            return Ok(None);
        }
        let format = self.format_of(input, encoding, &source, NamelessText::MayBeMarkdown);
        if !is_wanted(format) {
            return Ok(None);
        }
        let too_large = || {
            let message = format!("it is larger than {} MiB", largest >> 20);
            Error::new(ErrorKind::FileTooLarge, message)
        };
        // A file known to be too large is not read at all.
        if matches!(open.kind, InputKind::File(size) if size > largest) {
            return Err(too_large());
        }
        source.reserve_exact(room(largest).saturating_sub(source.len()));
        reader.take((largest + 1).saturating_sub(source.len() as u64)).read_to_end(&mut source)?;
        if source.len() as u64 > largest {
            return Err(too_large());
        }
        Ok(Some(InputText::of_format(source, encoding, format)))
    }

    /// Returns the bytes of an input as text, as an audit reads it; `None` if they are binary.
    pub(crate) fn text_of(&self, input: &Input, bytes: Vec<u8>) -> Option<InputText> {
        self.text_read_as(input, bytes, NamelessText::MayBeMarkdown)
    }

    /// Returns the bytes of an input as text, as a search reads it; `None` if they are binary.
    pub(crate) fn searched_text(&self, input: &Input, bytes: Vec<u8>) -> Option<InputText> {
        self.text_read_as(input, bytes, NamelessText::Text)
    }

    fn text_read_as(
        &self,
        input: &Input,
        bytes: Vec<u8>,
        nameless: NamelessText,
    ) -> Option<InputText> {
        let head = bytes.clamped(..BINARY_SNIFF);
        let encoding = Encoding::detect(head).map(|(encoding, _)| encoding);
        if encoding.is_none()
            && memchr(0, head).is_some()
            && !input.extension().and_then(Format::from_extension).is_some_and(is_document)
        {
            return None;
        }
        let format = self.format_of(input, encoding, bytes.clamped(..FIRST), nameless);
        Some(InputText::of_format(bytes, encoding, format))
    }

    /// The format of an input that starts with `head`; messages only if mail is read.
    fn format_of(
        &self,
        input: &Input,
        encoding: Option<Encoding>,
        head: &[u8],
        nameless: NamelessText,
    ) -> Option<Format> {
        let query = &self.settings.query;
        let decoded = encoding.map(|encoding| InputText::decoded(encoding, head));
        let head = decoded.as_ref().map_or(head, |text| &text.bytes);
        match sniff_shape(query, input, head, Rest::End) {
            // Their links are not at offsets of the file, which findings need.
            ShapeSniff::Known(Some(InputShape::Document(format))) if format.is_binary() => None,
            ShapeSniff::Known(Some(InputShape::Document(format))) => Some(format),
            ShapeSniff::Known(Some(InputShape::Mailbox)) => Some(mail::FORMAT),
            ShapeSniff::Known(None) | ShapeSniff::NeedMore => {
                // An audit of text judges no links, and standard input has no name that says more.
                let is_nameless = input.path().is_none() && input.name().is_empty();
                let is_markdown = nameless == NamelessText::MayBeMarkdown
                    && is_nameless
                    && query.markup != Markup::Never
                    && memmem::find(head, b"](").is_some();
                if is_markdown { Format::named("markdown") } else { None }
            }
        }
    }

    /// Returns whether archives in directories are unpacked.
    pub(crate) fn compressed(&self) -> Compressed {
        self.settings.compressed
    }

    /// Returns the limits of what an input may cost.
    pub(crate) fn limits(&self) -> &Limits {
        &self.settings.query.limits
    }
}
/// True for a format whose documents people write and read, such as Markdown and HTML.
fn is_document(format: Format) -> bool {
    format.is_source() || format.is_page()
}
