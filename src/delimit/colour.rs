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

/// Longest colour that is compared with another one, `2::255:255:255`, in bytes.
const MAX_COLOUR_LENGTH: usize = 16;

/// What a row of sequences turned on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenedStyles {
    pub styles: TextStyles,
    appearance: Appearance,
}

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

/// How a terminal shows text after a row of sequences that nothing precedes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Appearance {
    /// A bit for each parameter below 10; bit 0 is the second underline.
    attributes: u16,
    front: Colour,
    back: Colour,
}

/// A colour by the text of its parameters, each character one digit to the base 16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Colour(u64);

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
    let length = parameters.leading(is_parameter);
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

/// Returns what the row of sequences at the end of `before` turns on.
pub(super) fn before(before: &[u8]) -> OpenedStyles {
    if !matches!(before.last(), Some(b'm' | b'K')) {
        return OpenedStyles::default();
    }
    let near = before.tail(MAX_ROW_LENGTH);
    // The row starts at the first sequence that only sequences follow.
    memchr::memchr2_iter(0x1b, b'\\', near)
        .find_map(|at| {
            let mut found = OpenedStyles::default();
            let width = row(near.part(at..), |sequence| found.apply(sequence));
            (width == near.len() - at).then_some(found)
        })
        .unwrap_or_default()
}

/// D1.3a: true if `before` ends in a sequence without its last letter, `ESC [ 0 ; 1`.
pub(super) fn ends_in_parameters(before: &[u8]) -> bool {
    let near = before.tail(MAX_ROW_LENGTH);
    let parameters = near.trailing(is_parameter);
    work_counter::add(parameters);
    let rest = near.part(..near.len() - parameters).strip_suffix(b"[");
    rest.is_some_and(|rest| SPELLINGS.iter().any(|escape| rest.ends_with_ignore_case(escape)))
}

fn is_parameter(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b';' | b':')
}

/// Returns what the row of sequences at the start of `text` means inside a URI; `None` if there is
/// none. `opened` is what the row before the URI turned on.
pub(super) fn read(text: &[u8], opened: OpenedStyles) -> Option<EscapeMeaning> {
    let mut closed = 0;
    let mut again = Appearance::default();
    let width = row(text, |sequence| {
        close(sequence, &mut closed);
        again.apply(sequence);
    });
    if width == 0 {
        return None;
    }
    let OpenedStyles { styles: TextStyles(style), appearance } = opened;
    // What the row before the URI turned on has not ended if it begins again at once.
    let ends = style != 0 && closed & style == style && again != appearance;
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
            // An escape of a program or of troff, as in `a.example\-b`
            // But one of a quotation mark ends a string inside a string.
            [b'\\', next, ..] => next.is_ascii_punctuation() && !b"\"'`\\".contains(next),
            [next, ..] => next.is_ascii_alphanumeric() || b"/?#&=%@~_-+${".contains(next),
            [] => false,
        }
}

impl TextStyles {
    #[cfg(test)]
    pub const NONE: Self = Self(0);
}

impl OpenedStyles {
    fn apply(&mut self, sequence: &Sequence<'_>) {
        self.appearance.apply(sequence);
        for_each_change(sequence, |change| match change {
            StyleChange::Off(bits, _) => self.styles.0 &= !bits,
            StyleChange::On(bit, ..) => self.styles.0 |= bit,
        });
    }
}

impl Appearance {
    fn apply(&mut self, sequence: &Sequence<'_>) {
        for_each_change(sequence, |change| match change {
            StyleChange::Off(bits, attributes) => {
                self.attributes &= !attributes;
                if bits & FRONT != 0 {
                    self.front = Colour::default();
                }
                if bits & BACK != 0 {
                    self.back = Colour::default();
                }
            }
            StyleChange::On(FRONT, _, colour) => self.front = colour,
            StyleChange::On(BACK, _, colour) => self.back = colour,
            StyleChange::On(_, attribute, _) => self.attributes |= attribute,
        });
    }
}

impl Colour {
    /// Returns the colour with the name `text`, which is not empty.
    fn from_parameters(text: &[u8]) -> Self {
        let text = text.clamped(..MAX_COLOUR_LENGTH);
        // `0` to `9`, `:` and `;` are consecutive in ASCII. One more, since zero is no colour.
        Self(text.iter().fold(0, |colour, &b| colour << 4 | u64::from((b & 15) + 1)))
    }
}

/// Notes in `closed` what the sequence turns off. Bold that is turned on again is not closed:
/// libraries end bold inside bold so. A colour after the one that closed is another one.
fn close(sequence: &Sequence<'_>, closed: &mut u8) {
    for_each_change(sequence, |change| match change {
        StyleChange::Off(bits, _) => *closed |= bits,
        StyleChange::On(bit, ..) => *closed &= !(bit & WEIGHT),
    });
}

/// A change of the style of a kind, with the attribute or colour.
enum StyleChange {
    Off(u8, u16),
    On(u8, u16, Colour),
}

fn for_each_change(sequence: &Sequence<'_>, mut each: impl FnMut(StyleChange)) {
    if !sequence.is_style {
        return;
    }
    let mut rest = Some(sequence.parameters);
    while let Some(parameters) = rest {
        let length = parameters.leading(|b| b != b';');
        let parameter = parameters.part(..length);
        rest = parameters.get(length + 1..);
        let number = parameter.part(..parameter.leading(|b| b.is_ascii_digit()));
        let code = number.iter().fold(0_u32, |code, &b| (code * 10 + u32::from(b - b'0')) % 10_000);
        let on = |bit, attribute| StyleChange::On(bit, attribute, Colour::default());
        let colour = |bit, name| StyleChange::On(bit, 0, Colour::from_parameters(name));
        each(match code {
            0 => StyleChange::Off(u8::MAX, u16::MAX),
            1 | 2 => on(WEIGHT, 1 << code),
            3..=9 => on(OTHER, 1 << code),
            21 => on(OTHER, 1),
            22 => StyleChange::Off(WEIGHT, 1 << 1 | 1 << 2),
            24 => StyleChange::Off(OTHER, 1 << 4 | 1),
            25 => StyleChange::Off(OTHER, 1 << 5 | 1 << 6),
            23 | 26..=29 => StyleChange::Off(OTHER, 1 << (code - 20)),
            30..=37 | 90..=97 => colour(FRONT, number),
            39 => StyleChange::Off(FRONT, 0),
            40..=47 | 100..=107 => colour(BACK, number),
            49 => StyleChange::Off(BACK, 0),
            // The numbers after these name the colour: `38;5;208`, `48:2::1:2:3`.
            38 | 48 => {
                let name = parameters.part(2..);
                each(colour(if code == 38 { FRONT } else { BACK }, name));
                return;
            }
            _ => continue,
        });
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
            ("\x1b[36m", "\x1b[39m\x1b[36m/", nothing(10)),
            ("\x1b[4m", "\x1b[0m\x1b[4me", nothing(8)),
            ("\x1b[4m", "\x1b[0m\x1b[3me", hard),
            ("\x1b[4;38;5;12m", "\x1b[0m\x1b[4;38;5;12me", nothing(16)),
            ("\x1b[4;38;5;12m", "\x1b[0m\x1b[4;38;5;13me", hard),
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
