//! Reads the sequences with which a terminal changes colours, and `ESC [ K` of grep (D2.4). They
//! take no room on the screen, so a URI may continue after one.

use super::byte_class::starts_with;
use super::escape::EscapeMeaning;
use crate::grammar::table::is_uri_byte;
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// The escape character, and how strings of programs spell it.
const SPELLINGS: [&[u8]; 6] = [b"\x1b", b"\\u001b", b"\\x1b", b"\\033", b"\\e", b"\\u{1b}"];
/// Longest row of sequences that is read, in bytes. Below [`LOOKBACK`](super::wrapper::LOOKBACK).
const MAX_ROW_LENGTH: usize = 96;

/// The styles that the sequences directly before a URI turned on. Few bits, because each style is a
/// set of rules for [`UnclosedBrackets`](super::unclosed::UnclosedBrackets).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TextStyles(u8);

/// Bold and faint.
const WEIGHT: u8 = 1;
/// Italic, underlined, and the like.
const OTHER: u8 = 1 << 1;
/// The colours of letters and of their background.
const FRONT: u8 = 1 << 2;
const BACK: u8 = 1 << 3;

/// One sequence. ECMA-48 §8.3.117 and §8.3.41: SGR ends in `m`, EL in `K`.
struct Sequence<'t> {
    width: usize,
    parameters: &'t [u8],
    is_style: bool,
}

/// Returns the sequence at the start of `text`.
fn sequence(text: &[u8]) -> Option<Sequence<'_>> {
    let spelling = match text.first()? {
        0x1b => 1,
        b'\\' => SPELLINGS.iter().find(|&&spelling| starts_with(text, spelling))?.len(),
        _ => return None,
    };
    let parameters = text.part(spelling..).strip_prefix(b"[")?.clamped(..MAX_ROW_LENGTH);
    let length = parameters.leading(|b| b.is_ascii_digit() || matches!(b, b';' | b':'));
    let last = *parameters.get(length)?;
    matches!(last, b'm' | b'K').then_some(Sequence {
        width: spelling + 1 + length + 1,
        parameters: parameters.part(..length),
        is_style: last == b'm',
    })
}

/// Returns the length of the row of sequences at the start of `text`, and passes each to `each`.
fn row<'t>(text: &'t [u8], mut each: impl FnMut(&Sequence<'t>)) -> usize {
    let near = text.clamped(..MAX_ROW_LENGTH);
    let mut width = 0;
    while let Some(sequence) = sequence(near.part(width..)) {
        width += sequence.width;
        each(&sequence);
    }
    work_counter::add(width);
    width
}

/// Returns the style that the row of sequences at the end of `before` sets.
pub(super) fn before(before: &[u8]) -> TextStyles {
    let mut style = TextStyles::default();
    if !matches!(before.last(), Some(b'm' | b'K')) {
        return style;
    }
    let near = before.tail(MAX_ROW_LENGTH);
    // The row starts at the first sequence that only sequences follow.
    let starts = memchr::memchr2_iter(0x1b, b'\\', near);
    for at in starts {
        let mut found = TextStyles::default();
        if row(near.part(at..), |sequence| found.apply(sequence)) == near.len() - at {
            style = found;
            break;
        }
    }
    style
}

/// Returns what the row of sequences at the start of `text` means inside a URI that stands in
/// `style`; `None` if there is none.
pub(super) fn read(text: &[u8], style: TextStyles) -> Option<EscapeMeaning> {
    let mut closed = 0;
    let width = row(text, |sequence| close(sequence, &mut closed));
    if width == 0 {
        return None;
    }
    let ends = style.0 != 0 && closed & style.0 == style.0;
    let continues = match text.part(width..) {
        [b'\\', b'/', ..] => true,
        [next, ..] => is_uri_byte(*next) || *next >= 0x80,
        [] => false,
    };
    Some(if continues && !ends { EscapeMeaning::Nothing { width } } else { EscapeMeaning::Hard })
}

/// True if `after`, the text after a URI, is a row of sequences that a part of a URI may follow.
pub(super) fn cuts(after: &[u8]) -> bool {
    if !matches!(after.first(), Some(0x1b | b'\\')) {
        return false;
    }
    let width = row(after, |_| ());
    width > 0
        && match after.part(width..) {
            [b'.' | b':' | b',', next, ..] => next.is_ascii_alphanumeric(),
            [next, ..] => next.is_ascii_alphanumeric() || b"/?#&=%@~_-+$".contains(next),
            [] => false,
        }
}

impl TextStyles {
    #[cfg(test)]
    pub const NONE: Self = Self(0);

    fn apply(&mut self, sequence: &Sequence<'_>) {
        for_each_change(sequence, |change| match change {
            StyleChange::Off(bits) => self.0 &= !bits,
            StyleChange::On(bit) => self.0 |= bit,
        });
    }
}

/// Notes in `closed` what the sequence turns off. Bold that is turned on again is not closed:
/// libraries end bold inside bold so. A colour after the one that closed is another one.
fn close(sequence: &Sequence<'_>, closed: &mut u8) {
    for_each_change(sequence, |change| match change {
        StyleChange::Off(bits) => *closed |= bits,
        StyleChange::On(bit) => *closed &= !(bit & WEIGHT),
    });
}

enum StyleChange {
    Off(u8),
    On(u8),
}

fn for_each_change(sequence: &Sequence<'_>, mut each: impl FnMut(StyleChange)) {
    if !sequence.is_style {
        return;
    }
    for parameter in sequence.parameters.split(|&b| b == b';') {
        let number = parameter.part(..parameter.leading(|b| b.is_ascii_digit()));
        let code = number.iter().fold(0_u32, |code, &b| (code * 10 + u32::from(b - b'0')) % 10_000);
        match code {
            0 => each(StyleChange::Off(u8::MAX)),
            1 | 2 => each(StyleChange::On(WEIGHT)),
            3..=9 | 21 => each(StyleChange::On(OTHER)),
            22 => each(StyleChange::Off(WEIGHT)),
            23..=29 => each(StyleChange::Off(OTHER)),
            30..=37 | 90..=97 => each(StyleChange::On(FRONT)),
            39 => each(StyleChange::Off(FRONT)),
            40..=47 | 100..=107 => each(StyleChange::On(BACK)),
            49 => each(StyleChange::Off(BACK)),
            // The numbers after these name the colour: `38;5;208`, `48:2::1:2:3`.
            38 | 48 => {
                each(StyleChange::On(if code == 38 { FRONT } else { BACK }));
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_ends_where_it_is_closed() {
        let nothing = |width| Some(EscapeMeaning::Nothing { width });
        let hard = Some(EscapeMeaning::Hard);
        for (opened, text, expected) in [
            ("", "\x1b[1m5", nothing(4)),
            ("\x1b[36m", "\x1b[1m5", nothing(4)),
            ("\x1b[36m", "\x1b[22m/", nothing(5)),
            ("\x1b[36m", "\x1b[39m/", hard),
            ("\x1b[36m", "\x1b[m/", hard),
            ("\x1b[1m", "\x1b[22m\x1b[1m/", nothing(9)),
            ("\x1b[36m", "\x1b[39m\x1b[33m/", hard),
            ("\x1b[1m\x1b[38;5;208m", "\x1b[22m/", nothing(5)),
            ("\x1b[1m\x1b[38;5;208m", "\x1b[39m\x1b[22m/", hard),
            ("", "\x1b[01;31m\x1b[Kfoo", nothing(11)),
            ("", "\x1b[m\x1b[K/bar", nothing(6)),
            ("", "\x1b[0m ", hard),
            ("\\u001b[36m", "\\u001B[1m5", nothing(9)),
            ("", "\\033[0m\\/x", nothing(7)),
            ("", "\x1b]8;;http://x", None),
            ("", "\\x1b", None),
            ("", "x", None),
        ] {
            assert_eq!(
                read(text.as_bytes(), before(opened.as_bytes())),
                expected,
                "{opened}{text}"
            );
        }
    }
}
