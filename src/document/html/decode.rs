//! Decodes character references (HTML Standard §13.2.5.72–80), with a map to the source.

use memchr::memchr;

use super::super::Source;
use crate::offset_map::{Layers, OffsetMap};
use crate::registry::references::{
    self, MAX_LEGACY_LENGTH, MAX_LENGTH, ReferenceCharacters, is_legacy, named,
};
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// Place of a reference. In attributes, `&copy=` is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferencePlace {
    Text,
    Attribute,
}

/// A hyphen that only marks a possible break in a word.
const SOFT_HYPHEN: ReferenceCharacters = ('\u{ad}', None);

/// Text decoded from pieces of the document; its buffers are reused.
#[derive(Debug, Default)]
pub(super) struct DecodedText {
    pub text: Vec<u8>,
    pub map: OffsetMap,
}

impl DecodedText {
    pub fn clear(&mut self) {
        self.text.clear();
        self.map.clear();
    }

    /// Decodes the bytes at `span`. Returns them without a copy if there is nothing to decode.
    pub fn undo<'a>(
        &'a mut self,
        source: &'a Source<'_>,
        span: Span,
        place: ReferencePlace,
    ) -> (&'a [u8], Layers<'a>) {
        let raw = source.bytes.part(span.range());
        // Most values have nothing to decode, so they are not copied.
        if is_plain(raw, place) {
            return (raw, source.part(span.start()));
        }
        self.clear();
        self.decode(raw, span.start(), place);
        (&self.text, source.layers(&self.map))
    }

    /// Appends `raw`, which is at `at` in the source, undecoded.
    pub fn copy(&mut self, raw: &[u8], at: usize) {
        self.text.extend_from_slice(raw);
        self.map.copy(raw.len(), at);
    }

    /// Appends `text`, which stands for these bytes of the source.
    pub fn replace(&mut self, text: &[u8], source: Span) {
        self.text.extend_from_slice(text);
        self.map.replace(text.len(), source);
    }

    /// Appends `raw`, which is at `at` in the source, decoded. In text, soft hyphens are dropped,
    /// because readers do not see them and they would split a URI.
    pub fn decode(&mut self, raw: &[u8], at: usize, place: ReferencePlace) {
        work_counter::add(raw.len());
        let mut done = 0;
        let mut from = 0;
        while let Some(start) = next_special(raw, from, place) {
            let rest = raw.clamped(start..);
            let Some((value, len)) = special(rest, place) else {
                from = start + 1;
                continue;
            };
            self.copy(raw.part(done..start), at + done);
            if !(place == ReferencePlace::Text && value == SOFT_HYPHEN) {
                let mut utf8 = [0; 8];
                let value = references::as_str(value, &mut utf8);
                self.replace(value.as_bytes(), Span::new(at + start, at + start + len));
            }
            from = start + len;
            done = from;
        }
        self.copy(raw.clamped(done..), at + done);
    }
}

/// First bytes of everything that must be decoded: a reference, and a soft hyphen in UTF-8.
pub(super) const SPECIAL: [u8; 2] = [b'&', 0xc2];

/// True if decoding would change nothing.
pub(super) fn is_plain(raw: &[u8], place: ReferencePlace) -> bool {
    next_special(raw, 0, place).is_none()
}

/// Returns the next `&` or, in text, the next byte that may start a soft hyphen.
fn next_special(raw: &[u8], from: usize, place: ReferencePlace) -> Option<usize> {
    let rest = raw.get(from..)?;
    let at = match place {
        ReferencePlace::Text => memchr::memchr2(SPECIAL[0], SPECIAL[1], rest),
        ReferencePlace::Attribute => memchr(b'&', rest),
    };
    work_counter::add(at.unwrap_or(rest.len()));
    Some(from + at?)
}

/// Returns the reference or soft hyphen at the start of `raw`, with its length.
fn special(raw: &[u8], place: ReferencePlace) -> Option<(ReferenceCharacters, usize)> {
    match raw {
        [b'&', b'#', b'x' | b'X', digits @ ..] => number(digits, 16, 3),
        [b'&', b'#', digits @ ..] => number(digits, 10, 2),
        [b'&', rest @ ..] => name(rest, place),
        [0xc2, 0xad, ..] => Some((SOFT_HYPHEN, 2)),
        _ => None,
    }
}

fn name(rest: &[u8], place: ReferencePlace) -> Option<(ReferenceCharacters, usize)> {
    let is_name = |c: &&u8| c.is_ascii_alphanumeric();
    let len = rest.iter().take(MAX_LENGTH + 1).take_while(is_name).count();
    // The run is bounded by the longest name, so a long word after `&` is not scanned again for
    // each `&`.
    let run = rest.get(..len)?;
    if rest.get(len) == Some(&b';')
        && let Some(value) = named(run)
    {
        return Some((value, 1 + len + 1));
    }
    // Find the longest prefix that is a name without a semicolon.
    let legacy = (2..=len.min(MAX_LEGACY_LENGTH)).rev().find_map(|len| {
        let name = run.get(..len)?;
        is_legacy(name).then_some(name)
    })?;
    let after = rest.get(legacy.len());
    // In an attribute, `&copy=1` is a query, as browsers read it for compatibility (§13.2.5.73).
    let continues = after.is_some_and(|&c| c == b'=' || c.is_ascii_alphanumeric());
    if place == ReferencePlace::Attribute && continues {
        return None;
    }
    Some((named(legacy)?, 1 + legacy.len()))
}

fn number(digits: &[u8], radix: u32, before: usize) -> Option<(ReferenceCharacters, usize)> {
    let (mut code, mut len) = (0u32, 0);
    for &digit in digits {
        let Some(value) = char::from(digit).to_digit(radix) else {
            break;
        };
        // Saturate, so that a long number cannot wrap around to a valid character.
        code = code.saturating_mul(radix).saturating_add(value);
        len += 1;
    }
    if len == 0 {
        return None;
    }
    let semicolon = usize::from(digits.get(len) == Some(&b';'));
    Some(((numbered(code), None), before + len + semicolon))
}

/// Returns the character with this number. Numbers of C1 controls mean Windows-1252 (§13.2.5.80).
fn numbered(code: u32) -> char {
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    let windows = code.checked_sub(0x80).and_then(|at| WINDOWS.get(at as usize));
    match windows {
        Some(&c) => c,
        None if code == 0 => char::REPLACEMENT_CHARACTER,
        None => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}
