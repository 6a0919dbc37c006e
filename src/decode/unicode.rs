//! Converts UTF-16 and UTF-32 to UTF-8, chunk by chunk (Unicode chapter 3, D91, D99, D101).
//!
//! The map back to the source consists of runs of characters that have the same width in both
//! texts. It is kept only as long as needed; an ASCII text of any length is a single run.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::slice::SliceExt as _;
#[cfg(feature = "search")]
use crate::{
    offset_map::{OffsetMap, Unit},
    span::Span,
};

/// An encoding of Unicode with code units wider than a byte.
///
/// ```
/// use urigrep::decode::Encoding;
/// assert_eq!(Encoding::detect(b"\xff\xfeh\0i\0"), Some((Encoding::Utf16Le, 2)));
/// assert_eq!(Encoding::detect(b"\0h\0t\0t\0p\0:\0/\0/\0x"), Some((Encoding::Utf16Be, 0)));
/// assert_eq!(Encoding::detect(b"plain"), None);
/// // a mark that the text after it contradicts
/// assert_eq!(Encoding::detect(b"\xff\xfehttp://a.example/"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// UTF-32, low byte first.
    Utf32Le,
    /// UTF-32, high byte first.
    Utf32Be,
}

/// Bytes needed to detect the encoding of a text without a byte order mark.
const LEAST: usize = 16;

impl Encoding {
    /// Bytes inspected in a text without a byte order mark.
    pub(crate) const HEAD: usize = 512;

    /// Detects the encoding of a text that starts with `head`, and the length of its byte order
    /// mark.
    ///
    /// Without a mark, the zero bytes of ASCII characters decide. Returns `None` if the text is
    /// neither UTF-16 nor UTF-32, or if its mark contradicts it.
    pub fn detect(head: &[u8]) -> Option<(Self, usize)> {
        let zeros = |text: &[u8]| Self::by_zeros(text.get(..Self::HEAD).unwrap_or(text));
        let Some((marked, mark)) = Self::by_mark(head) else {
            return zeros(head).map(|encoding| (encoding, 0));
        };
        let text = head.get(mark..).unwrap_or_default();
        // A mark before ASCII would hide the whole text: read as UTF-16, it consists only of
        // ideographs. So would the mark of another of these encodings.
        if is_ascii_text(text) { None } else { Some((zeros(text).unwrap_or(marked), mark)) }
    }

    fn by_mark(head: &[u8]) -> Option<(Self, usize)> {
        match head {
            // Before UTF-16, whose mark is the start of this one.
            [0xff, 0xfe, 0, 0, ..] => Some((Self::Utf32Le, 4)),
            [0, 0, 0xfe, 0xff, ..] => Some((Self::Utf32Be, 4)),
            [0xff, 0xfe, ..] => Some((Self::Utf16Le, 2)),
            [0xfe, 0xff, ..] => Some((Self::Utf16Be, 2)),
            _ => None,
        }
    }

    /// True if a text starts with a byte order mark but is not in that encoding.
    #[cfg(feature = "search")]
    pub(crate) fn has_false_mark(head: &[u8]) -> bool {
        Self::by_mark(head).is_some() && Self::detect(head).is_none()
    }

    /// Detects the encoding by its zero bytes: nearly every unit must be a printable ASCII
    /// character.
    fn by_zeros(head: &[u8]) -> Option<Self> {
        // ASCII in 16 or 32 bits contains zeros, and hardly any other text does. If the first units
        // contain no zero, at least an eighth of them are not ASCII, which already rules out the
        // text.
        let start = head.get(..Self::HEAD / 8).unwrap_or(head);
        if head.len() < LEAST || memchr::memchr(0, start).is_none() {
            return None;
        }
        let all = [Self::Utf32Le, Self::Utf32Be, Self::Utf16Le, Self::Utf16Be];
        all.into_iter().find(|encoding| {
            let units = head.chunks_exact(encoding.width());
            // At most a tenth of the units may be something else, such as a few characters of
            // another language.
            let most_others = units.len() / 10;
            let is_other =
                |unit: &&[u8]| !matches!(encoding.unit(unit), 0x09 | 0x0a | 0x0d | 0x20..=0x7e);
            // Binary files exceed the limit after a few units.
            units.filter(is_other).nth(most_others).is_none()
        })
    }

    const fn width(self) -> usize {
        match self {
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf32Le | Self::Utf32Be => 4,
        }
    }

    fn unit(self, bytes: &[u8]) -> u32 {
        let fold = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
        match self {
            Self::Utf16Le | Self::Utf32Le => bytes.iter().rev().fold(0, fold),
            Self::Utf16Be | Self::Utf32Be => bytes.iter().fold(0, fold),
        }
    }
}

/// True if `bytes` are ASCII text that cannot be UTF-16: a short text as a whole, or a long run.
///
/// In one of four or five ideographs, both bytes are printable ASCII. A run of [`ASCII_RUN`] such
/// bytes therefore occurs about once in 10^10 positions of real UTF-16. Text that also has ASCII
/// characters has zeros between them.
fn is_ascii_text(bytes: &[u8]) -> bool {
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7e);
    let mut runs = bytes.split(|byte| !is_text(byte)).map(<[u8]>::len);
    let longest = runs.by_ref().max().unwrap_or(0);
    longest >= ASCII_RUN || (longest >= SHORT_ASCII && longest == bytes.len())
}

/// This many bytes of ASCII text in a row are not UTF-16.
const ASCII_RUN: usize = 32;
/// This many are enough if there is nothing else.
const SHORT_ASCII: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Run {
    text: u64,
    source: u64,
    text_width: u8,
    source_width: u8,
}

/// Decodes a stream chunk by chunk and maps offsets in its text back to the source.
///
/// Invalid sequences become U+FFFD. Offsets count bytes in the whole text and the whole source,
/// however they were cut into chunks.
///
/// ```
/// use urigrep::decode::{Encoding, Transcoder};
/// let mut text = Vec::new();
/// let mut transcoder = Transcoder::new(Encoding::Utf16Le, 2); // past a byte order mark
/// transcoder.push(b"a\0\xe9", &mut text);
/// transcoder.push(b"\0b\0", &mut text);
/// transcoder.finish(&mut text);
/// assert_eq!(text, "aéb".as_bytes());
/// assert_eq!(transcoder.source_of(0), 2); // `a`
/// assert_eq!(transcoder.source_of(3), 6); // `b`
/// assert_eq!(transcoder.source_of(4), 8); // the end
/// ```
#[derive(Clone, Debug)]
pub struct Transcoder {
    encoding: Encoding,
    /// Start of an incomplete character.
    pending: Vec<u8>,
    runs: VecDeque<Run>,
    text: u64,
    source: u64,
}

impl Transcoder {
    /// Creates a decoder for a stream whose next byte is at offset `source`.
    pub fn new(encoding: Encoding, source: u64) -> Self {
        Self { encoding, pending: Vec::new(), runs: VecDeque::new(), text: 0, source }
    }

    /// Returns the encoding of the stream.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Appends the text of `source` to `text`.
    pub fn push(&mut self, source: &[u8], text: &mut Vec<u8>) {
        // A character may be split across chunks. Complete it byte by byte, then decode the rest in
        // place.
        let mut pending = core::mem::take(&mut self.pending);
        let mut rest = source;
        while !pending.is_empty() {
            let Some((&byte, tail)) = rest.split_first() else {
                self.pending = pending;
                return;
            };
            pending.push(byte);
            rest = tail;
            if let Some(length) = self.character(&pending, text) {
                pending.drain(..length);
            }
        }
        while let Some(length) = self.character(rest, text) {
            rest = rest.clamped(length..);
        }
        self.pending = rest.to_vec();
    }

    /// Ends the stream; an incomplete character becomes U+FFFD.
    pub fn finish(&mut self, text: &mut Vec<u8>) {
        let left = core::mem::take(&mut self.pending).len();
        if left > 0 {
            self.emit(char::REPLACEMENT_CHARACTER, left, text);
        }
    }

    /// Returns the source offset of the text offset `at`, which must not lie before the last offset
    /// passed to [`Transcoder::forget`].
    pub fn source_of(&self, at: u64) -> u64 {
        let index = self.runs.partition_point(|run| run.text <= at);
        match index.checked_sub(1).and_then(|index| self.runs.get(index)) {
            Some(run) => {
                // The last character before `at` may be incomplete, so the result must not exceed
                // the start of the next run.
                let end = self.runs.get(index).map_or(self.source, |next| next.source);
                let characters = (at - run.text) / u64::from(run.text_width);
                (run.source + characters * u64::from(run.source_width)).min(end)
            }
            None => self.runs.front().map_or(self.source, |run| run.source),
        }
    }

    /// Drops the map of the text before `at`.
    pub fn forget(&mut self, at: u64) {
        while self.runs.get(1).is_some_and(|next| next.text <= at) {
            self.runs.pop_front();
        }
    }

    /// Appends the map of the whole text. Requires that nothing was forgotten and that the source
    /// was one slice.
    #[cfg(feature = "search")]
    pub(super) fn append_to(&self, map: &mut OffsetMap) {
        for (index, run) in self.runs.iter().enumerate() {
            let next = self.runs.get(index + 1);
            let (text, source) =
                next.map_or((self.text, self.source), |next| (next.text, next.source));
            let unit = Unit { text: run.text_width, source: run.source_width };
            let source = Span::new(run.source as usize, source as usize);
            map.units((text - run.text) as usize, source, unit);
        }
    }

    /// Decodes the first character of `source` and returns its length, or `None` if it is
    /// incomplete.
    fn character(&mut self, source: &[u8], text: &mut Vec<u8>) -> Option<usize> {
        let width = self.encoding.width();
        let unit = self.encoding.unit(source.get(..width)?);
        let (char, length) = match (self.encoding, unit) {
            (Encoding::Utf16Le | Encoding::Utf16Be, 0xd800..=0xdbff) => {
                let low = self.encoding.unit(source.get(width..2 * width)?);
                match low {
                    0xdc00..=0xdfff => (
                        char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)),
                        2 * width,
                    ),
                    // A high surrogate without a low one. Only the high one is replaced; the next
                    // unit is decoded on its own.
                    _ => (None, width),
                }
            }
            _ => (char::from_u32(unit), width),
        };
        self.emit(char.unwrap_or(char::REPLACEMENT_CHARACTER), length, text);
        Some(length)
    }

    fn emit(&mut self, char: char, source_width: usize, text: &mut Vec<u8>) {
        let mut utf8 = [0; 4];
        let bytes = char.encode_utf8(&mut utf8).as_bytes();
        text.extend_from_slice(bytes);
        let (text_width, source_width) = (bytes.len() as u8, source_width as u8);
        // Extend the last run as long as the widths are the same.
        let same = |run: &Run| run.text_width == text_width && run.source_width == source_width;
        if !self.runs.back().is_some_and(same) {
            self.runs.push_back(Run {
                text: self.text,
                source: self.source,
                text_width,
                source_width,
            });
        }
        self.text += u64::from(text_width);
        self.source += u64::from(source_width);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The specification, counted directly: nine tenths of the units.
    fn naive(head: &[u8]) -> Option<Encoding> {
        let all = [Encoding::Utf32Le, Encoding::Utf32Be, Encoding::Utf16Le, Encoding::Utf16Be];
        all.into_iter().filter(|_| head.len() >= LEAST && head.contains(&0)).find(|encoding| {
            let units: Vec<_> = head.chunks_exact(encoding.width()).collect();
            let is_text =
                |unit: &&&[u8]| matches!(encoding.unit(unit), 0x09 | 0x0a | 0x0d | 0x20..=0x7e);
            units.iter().filter(is_text).count() * 10 >= units.len() * 9
        })
    }

    #[test]
    fn a_mark_that_is_not_true() {
        let text = b"see http://a.example/ and more";
        for mark in [&b"\xff\xfe"[..], b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff"] {
            assert_eq!(Encoding::detect(&[mark, text].concat()), None, "{mark:?}");
            // A single character of another language does not make it UTF-16.
            let long = [mark, b"\xe9 ", text, text].concat();
            assert_eq!(Encoding::detect(&long), None, "{mark:?}");
            assert!(Encoding::detect(mark).is_some());
        }
        let text = "http://a.example/\n".encode_utf16();
        let [little, big]: [Vec<u8>; 2] = [
            text.clone().flat_map(u16::to_le_bytes).collect(),
            text.clone().flat_map(u16::to_be_bytes).collect(),
        ];
        let wider: Vec<u8> = text.flat_map(|unit| u32::from(unit).to_le_bytes()).collect();
        for mark in [&b"\xff\xfe"[..], b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff"] {
            for (text, encoding) in [
                (&little, Encoding::Utf16Le),
                (&big, Encoding::Utf16Be),
                (&wider, Encoding::Utf32Le),
            ] {
                let found = Encoding::detect(&[mark, text].concat());
                assert_eq!(found, Some((encoding, mark.len())), "{mark:?}");
            }
        }
        let wide: Vec<u8> = "\u{feff}\u{6874}\u{7474} http://a.example/\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(Encoding::detect(&wide), Some((Encoding::Utf16Le, 2)));
    }

    proptest! {
        #[test]
        fn looks_no_further_than_it_must(
            other in 0usize..400, before in "[é-ż]{0,90}", units in prop::collection::vec(0x20u8..0x7f, 0..300),
            width in 1usize..5, places in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let mut head = before.into_bytes();
            for (n, unit) in units.iter().enumerate() {
                // A unit of 8, 16 or 32 bits; every other one is not a character.
                let mut bytes = [0; 4];
                bytes[0] = if n < other && places.get(n % 40).is_some_and(|place| place & 7 == 0) { 1 } else { *unit };
                head.extend_from_slice(&bytes[..width]);
            }
            head.truncate(Encoding::HEAD);
            prop_assert_eq!(Encoding::by_zeros(&head), naive(&head));
        }
    }
}
