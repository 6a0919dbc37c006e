//! Decodes Markdown: escapes, character references, and lines in containers. Each function appends
//! to a text with a map to the document.

use super::link::{escapes, prefix};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::registry::references::{self, MAX_LENGTH, ReferenceCharacters};
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// Meaning of a line break in a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Break {
    /// A line break, in titles (CommonMark §6.3).
    Line,
    /// A space, in code spans (§6.1).
    Space,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextPlace {
    /// In a table cell, where a bar is written `\|` (GFM §4.10).
    Cell,
    Other,
}

/// Appends `span` of `bytes` with backslash escapes (CommonMark §2.4) and character references
/// (§2.5) decoded.
pub(super) fn undo(bytes: &[u8], span: Span, into: &mut DerivedText) {
    decode(bytes, span, Break::Line, into, |text, at| match text.get(at)? {
        b'\\' if escapes(text, at) => Some(((char::from(*text.get(at + 1)?), None), 2)),
        b'&' => reference(text.clamped(at..)),
        _ => None,
    });
}

/// Appends `span` of `bytes` with character references decoded, but not backslashes: they are no
/// escapes in an autolink (§6.5).
pub(super) fn references(bytes: &[u8], span: Span, into: &mut DerivedText) {
    decode(bytes, span, Break::Line, into, |text, at| match text.get(at)? {
        b'&' => reference(text.clamped(at..)),
        _ => None,
    });
}

/// Appends `span` of `bytes` as code: literal, except for line breaks and bars in cells.
pub(super) fn code(
    bytes: &[u8],
    span: Span,
    lines: Break,
    place: TextPlace,
    into: &mut DerivedText,
) {
    let is_cell = place == TextPlace::Cell;
    decode(bytes, span, lines, into, |text, at| {
        (is_cell && text.clamped(at..).starts_with(br"\|")).then_some((('|', None), 2))
    });
}

/// Appends `span` of `bytes`. At each offset, `special` returns the characters that the text stands
/// for and its length, if it is special.
fn decode(
    bytes: &[u8],
    span: Span,
    lines: Break,
    into: &mut DerivedText,
    special: impl Fn(&[u8], usize) -> Option<(ReferenceCharacters, usize)>,
) {
    let Some(text) = bytes.get(..span.end()) else {
        return;
    };
    work_counter::add(span.len());
    let (mut copied, mut at) = (span.start(), span.start());
    while let Some(&byte) = text.get(at) {
        if byte == b'\n' {
            copy(text, copied, at, into);
            match lines {
                Break::Line => into.copy(b"\n", at),
                Break::Space => into.replace(b" ", Span::new(at, at + 1), RunOrigin::Decoded),
            }
            at = prefix(text, at + 1);
        } else if let Some((value, length)) = special(text, at) {
            copy(text, copied, at, into);
            // A named reference may stand for two characters, of at most four bytes each.
            let mut utf8 = [0; 8];
            let value = references::as_str(value, &mut utf8).as_bytes();
            into.replace(value, Span::new(at, at + length), RunOrigin::Decoded);
            at += length;
        } else {
            at += 1;
            continue;
        }
        copied = at;
    }
    copy(text, copied, at, into);
}

/// Returns the characters of the reference at the start of `text`, and its length including `;`.
fn reference(text: &[u8]) -> Option<(ReferenceCharacters, usize)> {
    // The longest name, with `&` and `;`. Without the bound, each `&` of a text without `;` would
    // be followed by a search to its end.
    let end = text.iter().take(MAX_LENGTH + 2).position(|&b| b == b';')?;
    let characters = match text.get(1..end)? {
        // The most digits that CommonMark §2.5 takes, here and below.
        [b'#', b'x' | b'X', hex @ ..] if hex.len() <= 6 => (number(hex, 16)?, None),
        [b'#', decimal @ ..] if decimal.len() <= 7 => (number(decimal, 10)?, None),
        name => references::named(name)?,
    };
    Some((characters, end + 1))
}

fn copy(text: &[u8], from: usize, to: usize, into: &mut DerivedText) {
    into.copy(text.clamped(from..to), from);
}

fn number(digits: &[u8], radix: u32) -> Option<char> {
    if digits.is_empty() {
        return None;
    }
    let value = digits
        .iter()
        .try_fold(0_u32, |value, &b| Some(value * radix + char::from(b).to_digit(radix)?))?;
    // U+0000 and invalid numbers become U+FFFD (CommonMark §2.5).
    let char = char::from_u32(value).filter(|&char| char != '\0');
    Some(char.unwrap_or(char::REPLACEMENT_CHARACTER))
}
