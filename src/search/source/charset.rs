//! Searches text of a legacy charset as UTF-8, some lines at a time.
//!
//! In all of these charsets a line feed is one byte and never part of a character. So lines can be
//! decoded separately. A line without end is cut when the piece gets too large.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use crate::Span;
use crate::decode::{Encoding, MimeCharset};
use crate::offset_map::OffsetMap;
use crate::search::source::text_source::{SourceOffsets, TextSource};
use crate::slice::SliceExt;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use memchr::memrchr;

/// Bytes per read.
const READ_SIZE: usize = 64 << 10;
/// The longest line that is decoded as a whole.
const LINE_MAX: usize = 1 << 20;

/// The encoding in which the bytes of an input are read.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum TextEncoding {
    /// UTF-8 or a superset of ASCII. UTF-16 and UTF-32 are detected by byte order marks and zeros.
    #[default]
    Unicode,
    /// The bytes unchanged.
    Raw,
    /// UTF-16 or UTF-32, without detection.
    Wide(Encoding),
    /// This charset of the Encoding Standard.
    Charset(MimeCharset),
    /// Detected from the content.
    Guessed,
}

/// A label of an unknown encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEncoding;

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "an encoding is `auto`, `none` or a label of the Encoding Standard, such as latin1, \
             windows-1251, shift_jis, gbk or utf-16le",
        )
    }
}

impl std::error::Error for UnknownEncoding {}

impl FromStr for TextEncoding {
    type Err = UnknownEncoding;

    /// Reads `auto`, `none` or a label of the Encoding Standard, in either case.
    ///
    /// ```
    /// use urigrep::search::TextEncoding;
    /// assert!(matches!("Latin1".parse(), Ok(TextEncoding::Charset(_))));
    /// assert!("latin".parse::<TextEncoding>().is_err());
    /// ```
    fn from_str(label: &str) -> Result<Self, UnknownEncoding> {
        Ok(match label.to_ascii_lowercase().as_str() {
            "auto" => Self::Guessed,
            "none" | "utf-8" | "utf8" => Self::Raw,
            // The Encoding Standard reads `utf-16` as little-endian, too. It has no UTF-32.
            "utf-16" | "utf-16le" => Self::Wide(Encoding::Utf16Le),
            "utf-16be" => Self::Wide(Encoding::Utf16Be),
            "utf-32" | "utf-32le" => Self::Wide(Encoding::Utf32Le),
            "utf-32be" => Self::Wide(Encoding::Utf32Be),
            _ => Self::Charset(MimeCharset::for_label(label.as_bytes()).ok_or(UnknownEncoding)?),
        })
    }
}

/// Number of leading bytes that [`guess`] examines, however they arrive.
pub(crate) const GUESS_SIZE: usize = 64 << 10;

/// Guesses the charset of a text that starts with `head`; `None` for UTF-8 and ASCII.
pub fn guess(head: &[u8]) -> Option<MimeCharset> {
    let head = head.clamped(..GUESS_SIZE);
    if std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true) {
        return None;
    }
    // Only for text that is not UTF-8: the detector is a guess by frequencies, UTF-8 is a proof.
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(head, true);
    let encoding = detector.guess(None, Utf8Detection::Allow);
    MimeCharset::for_label(encoding.name().as_bytes())
}

/// Lines that were decoded together, and their start.
struct DecodedLines {
    text: u64,
    source: u64,
    map: OffsetMap,
}

pub(crate) struct CharsetText<R> {
    reader: R,
    charset: MimeCharset,
    raw: Vec<u8>,
    text: Vec<u8>,
    given: usize,
    lines: VecDeque<DecodedLines>,
    text_end: u64,
    source_end: u64,
    ended: bool,
}

impl<R: Read> CharsetText<R> {
    pub fn new(reader: R, charset: MimeCharset) -> Self {
        Self {
            reader,
            charset,
            raw: Vec::new(),
            text: Vec::new(),
            given: 0,
            lines: VecDeque::new(),
            text_end: 0,
            source_end: 0,
            ended: false,
        }
    }

    /// Decodes the next lines, if they have arrived.
    fn decode_lines(&mut self) -> io::Result<()> {
        let before = self.raw.len();
        self.raw.resize(before + READ_SIZE, 0);
        let count = self.reader.read(self.raw.get_mut(before..).unwrap_or_default());
        self.raw.truncate(before + *count.as_ref().unwrap_or(&0));
        self.ended = count? == 0;
        let lines = memrchr(b'\n', &self.raw).map_or(0, |newline| newline + 1);
        // Decode whole lines only, since a window may end within a character. A line longer than
        // the limit is cut anyway, so that memory stays bounded.
        let end = if self.ended || (lines == 0 && self.raw.len() >= LINE_MAX) {
            self.raw.len()
        } else {
            lines
        };
        if end == 0 {
            return Ok(());
        }
        self.text.clear();
        self.given = 0;
        let mut map = OffsetMap::new();
        let source = self.raw.part(..end);
        // Invalid bytes become U+FFFD, which ends a URI.
        let _ = self.charset.decode(source, &mut self.text, &mut map);
        self.lines.push_back(DecodedLines { text: self.text_end, source: self.source_end, map });
        self.text_end += self.text.len() as u64;
        self.source_end += end as u64;
        self.raw.drain(..end);
        Ok(())
    }
}

impl<R: Read> Read for CharsetText<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // Until a line is whole, there is no text. To return 0 would mean the end.
        while self.given == self.text.len() && !self.ended {
            self.decode_lines()?;
        }
        let rest = self.text.part(self.given..);
        let count = rest.len().min(out.len());
        for (to, from) in out.iter_mut().zip(rest) {
            *to = *from;
        }
        self.given += count;
        Ok(count)
    }
}

impl<R> CharsetText<R> {
    /// The lines that hold the text byte `at`, and its offset in them.
    fn at(&self, at: u64) -> Option<(&DecodedLines, usize)> {
        let index = self.lines.partition_point(|lines| lines.text <= at);
        let lines = self.lines.get(index.checked_sub(1)?)?;
        Some((lines, (at - lines.text) as usize))
    }
}

impl<R> SourceOffsets for CharsetText<R> {
    fn source(&self, at: u64) -> u64 {
        match self.at(at) {
            Some((lines, at)) => lines.source + lines.map.source(Span::new(at, at)).start() as u64,
            None => self.source_end,
        }
    }

    fn source_end(&self, end: u64) -> u64 {
        let Some(last) = end.checked_sub(1) else {
            return 0;
        };
        match self.at(last) {
            Some((lines, at)) => {
                lines.source + lines.map.source(Span::new(at, at + 1)).end() as u64
            }
            None => self.source_end,
        }
    }

    fn is_verbatim(&self, start: u64, end: u64) -> bool {
        self.at(start).is_some_and(|(lines, at)| {
            let span = Span::new(at, at + (end - start) as usize);
            span.end() <= lines.map.len() && lines.map.is_copied(span)
        })
    }
}

impl<R: Read> TextSource for CharsetText<R> {
    fn forget(&mut self, at: u64) {
        // Keep the piece that holds `at` itself: offsets in it may still be mapped.
        while self.lines.get(1).is_some_and(|next| next.text <= at) {
            self.lines.pop_front();
        }
    }
}
