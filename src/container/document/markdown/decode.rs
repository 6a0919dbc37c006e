//! Decodes Markdown: escapes, character references and lines in containers. Each function appends to a
//! text that maps back to the document.

use std::collections::HashMap;

use pulldown_cmark::{Event, Parser};

use super::link::{escapes, prefix};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::registry::entities;
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// The longest name of a character reference in HTML, `&CounterClockwiseContourIntegral;`.
const LONGEST: usize = 33;

/// What a line break in a construct means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Break {
    /// A line break: titles (CommonMark §6.3).
    Line,
    /// A space: code spans (§6.1).
    Space,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextPlace {
    /// In a cell of a table, where a bar is written `\|` (GFM §4.10).
    Cell,
    Other,
}

/// A cache of the character references that our own table doesn't have.
#[derive(Debug, Default)]
pub(super) struct NamedReferences(HashMap<Vec<u8>, Option<String>>);

impl NamedReferences {
    /// Appends `span` of `bytes` with backslash escapes (CommonMark §2.4) and character references (§2.5)
    /// undone.
    pub fn undo(&mut self, bytes: &[u8], span: Span, into: &mut DerivedText) {
        let Some(text) = bytes.get(..span.end()) else {
            return;
        };
        work_counter::add(span.len());
        let (mut copied, mut at) = (span.start(), span.start());
        while let Some(&byte) = text.get(at) {
            match byte {
                b'\\' if escapes(text, at) => {
                    copy(text, copied, at, into);
                    let of = Span::new(at, at + 2);
                    let character = text.clamped(at + 1..at + 2);
                    into.replace(character, of, RunOrigin::Decoded);
                    (at, copied) = (at + 2, at + 2);
                }
                b'&' => {
                    let mut utf8 = [0; 4];
                    let rest = text.clamped(at..);
                    let Some((value, length)) = self.read(rest, &mut utf8) else {
                        at += 1;
                        continue;
                    };
                    copy(text, copied, at, into);
                    into.replace(value, Span::new(at, at + length), RunOrigin::Decoded);
                    (at, copied) = (at + length, at + length);
                }
                b'\n' => {
                    copy(text, copied, at, into);
                    break_line(text, at, Break::Line, into);
                    at = prefix(text, at + 1);
                    copied = at;
                }
                _ => at += 1,
            }
        }
        copy(text, copied, at, into);
    }

    /// The meaning of the reference at the start of `text`, and its length with `;`.
    fn read<'r>(&'r mut self, text: &[u8], utf8: &'r mut [u8; 4]) -> Option<(&'r [u8], usize)> {
        let end = text.iter().take(LONGEST + 1).position(|&b| b == b';')?;
        let name = text.get(1..end)?;
        let char = match name {
            [b'#', b'x' | b'X', hex @ ..] if hex.len() <= 6 => number(hex, 16)?,
            [b'#', decimal @ ..] if decimal.len() <= 7 => number(decimal, 10)?,
            name if !name.iter().all(u8::is_ascii_alphanumeric) => return None,
            name => match entities::named(name) {
                Some(char) => char,
                None => return Some((self.rare(name)?.as_bytes(), end + 1)),
            },
        };
        Some((char.encode_utf8(utf8).as_bytes(), end + 1))
    }

    /// The meaning of a name of HTML 5: the parser knows, but only says so of a document.
    fn rare(&mut self, name: &[u8]) -> Option<&str> {
        if !self.0.contains_key(name) {
            let text = format!("&{};", String::from_utf8_lossy(name));
            let value = Parser::new(&text).find_map(|event| match event {
                Event::Text(value) if value.as_ref() != text => Some(value.into_string()),
                _ => None,
            });
            // An unknown name comes back in two pieces, `&` first.
            let value = value.filter(|value| !value.starts_with('&'));
            self.0.insert(name.to_vec(), value);
        }
        self.0.get(name)?.as_deref()
    }
}

/// Appends `span` of `bytes` as code: literal, but for `lines` and `place`.
pub(super) fn code(
    bytes: &[u8],
    span: Span,
    lines: Break,
    place: TextPlace,
    into: &mut DerivedText,
) {
    let Some(text) = bytes.get(..span.end()) else {
        return;
    };
    work_counter::add(span.len());
    let (mut copied, mut at) = (span.start(), span.start());
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => {
                copy(text, copied, at, into);
                break_line(text, at, lines, into);
                at = prefix(text, at + 1);
                copied = at;
            }
            b'\\' if place == TextPlace::Cell && text.get(at + 1) == Some(&b'|') => {
                copy(text, copied, at, into);
                into.replace(b"|", Span::new(at, at + 2), RunOrigin::Decoded);
                (at, copied) = (at + 2, at + 2);
            }
            _ => at += 1,
        }
    }
    copy(text, copied, at, into);
}

fn break_line(text: &[u8], at: usize, lines: Break, into: &mut DerivedText) {
    match lines {
        Break::Line => into.copy(b"\n", at),
        Break::Space => into.replace(b" ", Span::new(at, at + 1), RunOrigin::Decoded),
    }
    debug_assert_eq!(text.get(at), Some(&b'\n'));
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
    // U+0000 and invalid numbers are U+FFFD (CommonMark §2.5).
    let char = char::from_u32(value).filter(|&char| char != '\0');
    Some(char.unwrap_or(char::REPLACEMENT_CHARACTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undone(text: &str) -> String {
        let mut into = DerivedText::default();
        let span = Span::new(0, text.len());
        NamedReferences::default().undo(text.as_bytes(), span, &mut into);
        assert_eq!(into.map().len(), into.text().len());
        String::from_utf8(into.text().to_vec()).unwrap()
    }

    #[test]
    fn references_and_escapes_are_undone() {
        for (text, expected) in [
            (r"a\_b\\c\d", r"a_b\c\d"),
            ("a&amp;b&auml;&#x26;&#38;", "a&bä&&"),
            ("&Dcaron;&ClockwiseContourIntegral;&ngE;", "Ď∲≧̸"),
            ("&#0;&#xD800;", "\u{FFFD}\u{FFFD}"),
            ("&nonsense;&;&#;&#x;&amp&#12345678;", "&nonsense;&;&#;&#x;&amp&#12345678;"),
            ("a\n > > b", "a\nb"),
        ] {
            assert_eq!(undone(text), expected, "{text}");
        }
    }
}
