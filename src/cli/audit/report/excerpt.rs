//! Lines of a source as they are shown under a finding: what is invisible spelled out, tabs as
//! spaces, long lines cut around the span, and how many columns to underline.
//!
//! Time and size are bounded, whatever the length of the line: only what is shown is looked at.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

use crate::cli::escape::{is_plain, visible};

/// Columns of a line that are shown.
const WIDTH: usize = 100;
/// Columns that are shown before the span, if the line has to be cut.
const BEFORE: usize = 40;
const TAB: &str = "    ";
const CUT: &str = "…";
/// No character is longer in UTF-8.
const CHAR: usize = 4;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceExcerpt {
    pub text: String,
    pub indent: usize,
    /// Columns of the underlined part; at least one.
    pub width: usize,
}

/// Cuts `line` so that what is from `start` to `end` is seen.
pub fn excerpt(line: &[u8], start: usize, end: usize) -> SourceExcerpt {
    let start = start.min(line.len());
    let end = end.clamp(start, line.len());
    let mut shown = SourceExcerpt::default();
    let (before, is_cut) = tail(&line[..start]);
    if is_cut {
        shown.text.push_str(CUT);
        shown.indent += 1;
    }
    shown.text.push_str(&before.text);
    shown.indent += before.columns;
    let span = head(&line[start..end], WIDTH);
    shown.text.push_str(&span.text);
    shown.width = span.columns.max(1);
    let rest = match span.is_whole {
        true => {
            let used = shown.indent + span.columns;
            head(&line[end..], WIDTH.saturating_sub(used).max(WIDTH / 5))
        }
        false => ExcerptPart::default(),
    };
    shown.text.push_str(&rest.text);
    if !rest.is_whole {
        shown.text.push_str(CUT);
    }
    let text = shown.text.trim_end().len();
    shown.text.truncate(text);
    shown
}

#[derive(Clone, Debug, Default)]
struct ExcerptPart {
    text: String,
    columns: usize,
    is_whole: bool,
}

/// The text if it is ASCII that is shown as it is, each character in a column of its own.
fn plain(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|_| is_plain(bytes))
}

fn head(bytes: &[u8], columns: usize) -> ExcerptPart {
    // The character after it may be one without width.
    if let Some(text) = plain(&bytes[..bytes.len().min(columns + 1)]) {
        let columns = text.len().min(columns);
        return ExcerptPart {
            text: text[..columns].to_owned(),
            columns,
            is_whole: columns == bytes.len(),
        };
    }
    let window = &bytes[..bytes.len().min(CHAR * (columns + 1))];
    let mut part = ExcerptPart::default();
    let mut taken = 0;
    for (unit, text, width) in units(window) {
        if part.columns + width > columns {
            break;
        }
        part.text.push_str(&text);
        part.columns += width;
        taken += unit;
    }
    part.is_whole = taken == bytes.len();
    part
}

/// The end of `bytes`: all of it if that is short, and whether it was cut.
fn tail(bytes: &[u8]) -> (ExcerptPart, bool) {
    let from = bytes.len().saturating_sub(CHAR * (WIDTH / 2 + 1));
    // not in the middle of a character
    let middle = |byte: &u8| byte & 0xC0 == 0x80;
    let from = match from {
        0 => 0,
        from => from + bytes[from..].iter().take(CHAR).take_while(|b| middle(b)).count(),
    };
    if let Some(text) = plain(&bytes[from..]) {
        let is_cut = from > 0 || text.len() > WIDTH / 2;
        let first = if is_cut { text.len().saturating_sub(BEFORE) } else { 0 };
        let is_whole = from == 0 && first == 0;
        let text = text[first..].to_owned();
        return (ExcerptPart { columns: text.len(), text, is_whole }, !is_whole);
    }
    let units: Vec<_> = units(&bytes[from..]).collect();
    let width = |units: &[Unit<'_>]| units.iter().map(|unit| unit.2).sum::<usize>();
    let whole = width(&units);
    let mut first = 0;
    let mut left = whole;
    if from > 0 || whole > WIDTH / 2 {
        while left > BEFORE {
            left -= units[first].2;
            first += 1;
        }
    }
    let part = ExcerptPart {
        text: units[first..].iter().map(|unit| &*unit.1).collect(),
        columns: left,
        is_whole: from == 0 && first == 0,
    };
    let is_cut = !part.is_whole;
    (part, is_cut)
}

/// A character: its length in bytes, how it is shown, and in how many columns.
type Unit<'a> = (usize, Cow<'a, str>, usize);

fn units(bytes: &[u8]) -> impl Iterator<Item = Unit<'_>> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let text = chunk.valid();
        let valid = text.char_indices().map(|(at, c)| {
            let shown = match c {
                // most characters, and there may be many findings
                ' '..='~' => return (1, Cow::Borrowed(&text[at..=at]), 1),
                '\t' => Cow::Borrowed(TAB),
                c => {
                    let mut escaped = Vec::new();
                    visible(c.encode_utf8(&mut [0; CHAR]).as_bytes(), &mut escaped);
                    Cow::Owned(String::from_utf8_lossy(&escaped).into_owned())
                }
            };
            let width = shown.chars().map(|c| c.width().unwrap_or(0)).sum();
            (c.len_utf8(), shown, width)
        });
        let invalid = chunk.invalid().iter().map(|byte| {
            let text = format!("\\x{byte:02x}");
            let width = text.len();
            (1, Cow::Owned(text), width)
        });
        valid.chain(invalid)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lines_are_cut_as_others() {
        for before in [0, 1, 39, 40, 41, 50, 51, 399, 400, 401, 1000] {
            for length in [0, 1, 99, 100, 101, 300] {
                for after in [0, 1, 19, 20, 21, 100, 101] {
                    let line = |c: &str| c.repeat(before + length + after);
                    let cut = |line: &str, wide: usize| {
                        excerpt(line.as_bytes(), wide * before, wide * (before + length))
                    };
                    let (plain, wide) = (cut(&line("x"), 1), cut(&line("ö"), 2));
                    // A window is one of bytes.
                    if before < CHAR * WIDTH / 2 {
                        assert_eq!(plain.text, wide.text.replace('ö', "x"));
                        assert_eq!((plain.indent, plain.width), (wide.indent, wide.width));
                    }
                }
            }
        }
    }

    #[test]
    fn a_line_without_end_costs_no_more() {
        let line = vec![b'x'; 1 << 24];
        for at in (0..line.len()).step_by(1 << 12) {
            assert!(excerpt(&line, at, at + 5).text.len() < 200);
        }
    }
}
