//! All of an input as text, to read a document as a whole.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;
use std::sync::Arc;

use memchr::memchr;

use crate::archive::ArchiveLimits;
use crate::decode::{Encoding, Transcoder};
use crate::document::{Format, SharedText, mail};
use crate::finder::Rest;
use crate::search::document::{InputShape, ShapeSniff, sniff_shape};
use crate::search::source::text_source::SourceOffsets;
use crate::search::stream::BINARY_SNIFF;
use crate::search::{Binary, Compressed, Input, InputKind, Origin, Search};
use crate::slice::SliceExt as _;

/// Of a file so much is read at once.
const FIRST: usize = 64 << 10;

/// All of an input as text: UTF-16 and UTF-32 are decoded, everything else is verbatim.
#[derive(Clone, Debug)]
pub struct InputText {
    bytes: Arc<Vec<u8>>,
    format: Option<Format>,
    read: u64,
    transcoder: Option<Transcoder>,
}

impl InputText {
    /// A text that is all of its input.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { read: bytes.len() as u64, bytes: Arc::new(bytes), format: None, transcoder: None }
    }

    fn decoded(encoding: Encoding, source: &[u8]) -> Self {
        let mut transcoder = Transcoder::new(encoding, 0);
        let mut bytes = Vec::new();
        transcoder.push(source, &mut bytes);
        transcoder.finish(&mut bytes);
        Self {
            bytes: Arc::new(bytes),
            format: None,
            read: source.len() as u64,
            transcoder: Some(transcoder),
        }
    }

    fn of_format(source: Vec<u8>, encoding: Option<Encoding>, format: Option<Format>) -> Self {
        let text = match encoding {
            Some(encoding) => Self::decoded(encoding, &source),
            None => Self::new(source),
        };
        let format = format.filter(|it| text.bytes.len() <= it.limits().largest_audited);
        Self { format, ..text }
    }

    /// The text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text as readers of its format want it, for a file at `path`.
    pub(crate) fn prepared(&self, path: &Path) -> SharedText {
        let extension = path.extension().and_then(OsStr::to_str);
        match self.format.zip(extension).map(|(format, it)| format.prepare(it, &self.bytes)) {
            Some(Cow::Owned(prepared)) => SharedText::new(prepared),
            _ => SharedText::clone(&self.bytes),
        }
    }

    /// The text without where it came from.
    pub fn into_bytes(self) -> Vec<u8> {
        Arc::unwrap_or_clone(self.bytes)
    }

    /// The format; `None` for text that is no document, or too large to be read as one. HTML may be of any size.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// How many bytes the input has.
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    /// The offset in the input of the offset `at` in the text.
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
    /// Reads all of an input whose format is wanted; `None` for another, and for a binary file of a directory.
    ///
    /// # Errors
    /// When it can't be read, or has more than `largest` bytes.
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
        // one more than there is, so that the end is seen without another growth
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
        {
            return Ok(None);
        }
        let format = self.audited_format(input, encoding, &source);
        if !is_wanted(format) {
            return Ok(None);
        }
        let too_large = || {
            let message = format!("it is larger than {} MiB", largest >> 20);
            Error::new(ErrorKind::FileTooLarge, message)
        };
        // Nothing is read of what is known to be too much.
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

    /// The bytes of a member of an archive as text; `None` if they are binary.
    pub(crate) fn text_of(&self, input: &Input, bytes: Vec<u8>) -> Option<InputText> {
        let head = bytes.clamped(..BINARY_SNIFF);
        let encoding = Encoding::detect(head).map(|(encoding, _)| encoding);
        if encoding.is_none() && memchr(0, head).is_some() {
            return None;
        }
        let format = self.audited_format(input, encoding, bytes.clamped(..FIRST));
        Some(InputText::of_format(bytes, encoding, format))
    }

    /// The format of an input that starts with `head`; messages only if mail is read.
    fn audited_format(
        &self,
        input: &Input,
        encoding: Option<Encoding>,
        head: &[u8],
    ) -> Option<Format> {
        let query = &self.settings.query;
        let decoded = encoding.map(|encoding| InputText::decoded(encoding, head));
        let head = decoded.as_ref().map_or(head, |text| &text.bytes);
        match sniff_shape(query, input, head, Rest::End) {
            ShapeSniff::Known(Some(InputShape::Document(format))) => Some(format),
            ShapeSniff::Known(Some(InputShape::Mailbox)) => Some(mail::FORMAT),
            ShapeSniff::Known(None) | ShapeSniff::NeedMore => None,
        }
    }

    /// Whether archives of directories are unpacked.
    pub(crate) fn compressed(&self) -> Compressed {
        self.settings.compressed
    }

    /// How much an archive may unpack to.
    pub(crate) fn archive_limits(&self) -> ArchiveLimits {
        self.settings.query.limits.archive
    }
}
