//! Decodes encoded words in header fields (RFC 2047; languages by RFC 2231 §5).

use memchr::{memchr, memmem};

use super::base64::{Quads, base64_at};
use super::charset::MimeCharset;
use crate::offset_map::{OffsetMap, Unit};
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// Result of [`encoded_words`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Words {
    /// No encoded word: the text equals its source.
    None,
    /// Encoded words, all of them valid.
    Decoded,
    /// Encoded words with skipped characters, such as a `:` in base64: the source itself may be the
    /// text.
    Damaged,
}

/// Appends the text of a header field's value to `text`, and the position of each byte to `map`.
///
/// White space between two encoded words is removed (RFC 2047 §6.2), and one character may be split
/// across two words of the same charset. Everything else is copied, including line breaks.
///
/// ```
/// use urigrep::decode::{Words, encoded_words};
/// use urigrep::offset_map::OffsetMap;
/// use urigrep::Span;
/// let (mut text, mut map) = (Vec::new(), OffsetMap::new());
/// let value = b"on =?UTF-8?B?aHR0cDovL2EuZXhhbXBsZS8=?=\r\n =?utf-8?q?b=C3=A9?=";
/// assert_eq!(encoded_words(value, &mut text, &mut map), Words::Decoded);
/// assert_eq!(text, "on http://a.example/bé".as_bytes());
/// assert_eq!(map.source(Span::new(3, 7)), Span::new(13, 19)); // `http`
/// ```
pub fn encoded_words(source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) -> Words {
    work_counter::add(source.len());
    let mut met = Words::None;
    let mut group: Option<WordGroup> = None;
    let mut closes = CloseMarks { source, next: 0 };
    let (mut kept, mut at) = (0, 0);
    while let Some(rest) = source.get(at..)
        && let Some(found) = memmem::find(rest, b"=?")
    {
        let start = at + found;
        let Some(word) = EncodedWord::parse(source, start, &mut closes) else {
            at = start + 2;
            continue;
        };
        // White space between two encoded words is dropped (RFC 2047 §6.2). Anything else between
        // them ends the group and is copied.
        let between = source.part(kept..start);
        if group.is_none() || !between.trim_ascii().is_empty() {
            WordGroup::finish(group.take(), text, map);
            text.extend_from_slice(between);
            map.copy(between.len(), kept);
        }
        let mut same = match group.take() {
            Some(group) if group.label.eq_ignore_ascii_case(word.label) => group,
            other => {
                WordGroup::finish(other, text, map);
                WordGroup::new(word.label)
            }
        };
        met = met.max(same.add(&word));
        group = Some(same);
        kept = word.end;
        at = word.end;
    }
    WordGroup::finish(group, text, map);
    let rest = source.clamped(kept..);
    text.extend_from_slice(rest);
    map.copy(rest.len(), kept);
    met
}

/// Finds each `?=` once, so that many unclosed `=?` stay linear.
struct CloseMarks<'s> {
    source: &'s [u8],
    next: usize,
}

impl CloseMarks<'_> {
    fn from(&mut self, at: usize) -> Option<usize> {
        if self.next < at {
            let rest = self.source.get(at..)?;
            let found = memmem::find(rest, b"?=");
            work_counter::add(found.unwrap_or(rest.len()));
            self.next = found.map_or(usize::MAX, |found| at + found);
        }
        (self.next < self.source.len()).then_some(self.next)
    }
}

/// `=?charset*language?encoding?encoded-text?=`
struct EncodedWord<'s> {
    label: &'s [u8],
    /// True for `B` (base64), false for `Q`.
    is_base64: bool,
    encoded: &'s [u8],
    /// Start of the encoded text, and end of the word.
    at: usize,
    end: usize,
}

impl<'s> EncodedWord<'s> {
    /// Maximum length of charset and language.
    const LABEL: usize = 80;

    fn parse(source: &'s [u8], start: usize, closes: &mut CloseMarks<'_>) -> Option<Self> {
        let rest = source.get(start + 2..)?;
        // The length limit keeps a `=?` without a second `?` from scanning the rest of the field.
        let length = memchr(b'?', rest.get(..rest.len().min(Self::LABEL))?)?;
        let label = rest.get(..length)?;
        if !label.iter().all(u8::is_ascii_graphic) {
            return None;
        }
        let is_base64 = match rest.get(length + 1..length + 3)? {
            b"b?" | b"B?" => true,
            b"q?" | b"Q?" => false,
            _ => return None,
        };
        let at = start + 2 + length + 3;
        let close = closes.from(at)?;
        Some(Self {
            // RFC 2231 §5 adds the language after a `*`. It does not affect decoding.
            label: label.split(|&byte| byte == b'*').next()?,
            is_base64,
            encoded: source.get(at..close)?,
            at,
            end: close + 2,
        })
    }
}

/// Words of one charset with only white space between them. They are decoded together, since a
/// character may be split across them.
struct WordGroup<'s> {
    label: &'s [u8],
    bytes: Vec<u8>,
    map: OffsetMap,
}

impl<'s> WordGroup<'s> {
    fn new(label: &'s [u8]) -> Self {
        Self { label, bytes: Vec::new(), map: OffsetMap::new() }
    }

    fn add(&mut self, word: &EncodedWord<'_>) -> Words {
        if !word.is_base64 {
            self.add_q(word.encoded, word.at);
            return Words::Decoded;
        }
        // Each word starts its own quads: an encoder must not split a quad across two words (RFC
        // 2047 §5).
        let at = (word.at, Quads::Anywhere);
        match base64_at(word.encoded, at, &mut self.bytes, &mut self.map) {
            None => Words::Decoded,
            Some(_) => Words::Damaged,
        }
    }

    /// Decodes the `Q` encoding (RFC 2047 §4.2). Only escapes change; everything else is copied.
    fn add_q(&mut self, encoded: &[u8], offset: usize) {
        let mut at = 0;
        while let Some(&byte) = encoded.get(at) {
            let digit = |index: usize| char::from(*encoded.get(at + index)?).to_digit(16);
            let source = offset + at;
            match (byte, digit(1).zip(digit(2))) {
                // Folding inside a word is not allowed, but occurs; drop the line break.
                (b'\r' | b'\n', _) => {}
                // `_` is a space in every charset (RFC 2047 §4.2).
                (b'_', _) => {
                    self.bytes.push(b' ');
                    self.map.replace(1, Span::new(source, source + 1));
                }
                (b'=', Some((high, low))) => {
                    self.bytes.push((high << 4 | low) as u8);
                    let unit = Unit { text: 1, source: 3 };
                    self.map.units(1, Span::new(source, source + 3), unit);
                    at += 2;
                }
                _ => {
                    self.bytes.push(byte);
                    self.map.copy(1, source);
                }
            }
            at += 1;
        }
    }

    fn finish(group: Option<Self>, text: &mut Vec<u8>, map: &mut OffsetMap) {
        let Some(Self { label, bytes, map: lower }) = group else {
            return;
        };
        match MimeCharset::for_label(label) {
            // The charset applies to the joined bytes of the group, as one character may be split
            // between two words.
            Some(charset) if !charset.is_text(&bytes) => {
                let mut upper = OffsetMap::new();
                // Invalid sequences become U+FFFD; the text around them is unchanged.
                let _ = charset.decode(&bytes, text, &mut upper);
                map.append_composed(&upper, &lower);
            }
            _ => {
                text.extend_from_slice(&bytes);
                map.append_composed(&OffsetMap::copied(bytes.len(), 0), &lower);
            }
        }
    }
}
