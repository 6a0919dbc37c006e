//! Excerpts of source lines under a finding. Invisible characters are spelled out, tabs become
//! spaces, and long lines are cut around the span.
//!
//! Time and size are bounded whatever the length of the line: only the shown part is examined.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

use urigrep::internal::output::escape::{is_plain, visible};

/// Columns of a line that are shown, unless the terminal is narrower.
pub const MAX_WIDTH: usize = 100;
/// Columns that are shown in any case.
pub const MIN_WIDTH: usize = 30;

/// Columns before the span, if the line must be cut.
const fn before_span(width: usize) -> usize {
    width * 2 / 5
}

const TAB: &str = "    ";
const CUT: &str = "…";
/// The longest character in UTF-8.
const CHAR: usize = 4;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceExcerpt {
    pub text: String,
    pub indent: usize,
    /// Columns of the underlined part; at least one.
    pub width: usize,
}

/// Cuts `line` to `width` columns so that the range from `start` to `end` is visible.
pub fn excerpt(line: &[u8], start: usize, end: usize, width: usize) -> SourceExcerpt {
    let start = start.min(line.len());
    let end = end.clamp(start, line.len());
    let mut shown = SourceExcerpt::default();
    let (before, is_cut) = tail(&line[..start], width);
    if is_cut {
        shown.text.push_str(CUT);
        shown.indent += 1;
    }
    shown.text.push_str(&before.text);
    shown.indent += before.columns;
    let span = head(&line[start..end], width.saturating_sub(shown.indent + 1));
    shown.text.push_str(&span.text);
    // An empty span, such as a missing target, still gets one caret.
    shown.width = span.columns.max(1);
    let rest = if span.is_whole {
        let used = shown.indent + span.columns;
        // One column is for the sign of the cut.
        head(&line[end..], width.saturating_sub(used + 1))
    } else {
        ExcerptPart::default()
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

/// Returns the text if it is printable ASCII, in which each character takes one column.
fn plain(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|_| is_plain(bytes))
}

fn head(bytes: &[u8], columns: usize) -> ExcerptPart {
    // One more column, because the next character may have no width of its own.
    if let Some(text) = plain(&bytes[..bytes.len().min(columns + 1)]) {
        let columns = text.len().min(columns);
        return ExcerptPart {
            text: text[..columns].to_owned(),
            columns,
            is_whole: columns == bytes.len(),
        };
    }
    // As many bytes as the columns can take, whatever the characters are. So the work does not
    // depend on the length of the line.
    let window = &bytes[..bytes.len().min(CHAR * (columns + 1))];
    let mut part = ExcerptPart::default();
    let mut taken = 0;
    for unit in units(window) {
        let room = columns - part.columns;
        let fits = unit.columns <= room;
        let (bytes, text) = match unit.is_plain() && !fits {
            true => (room, &unit.text[..room]),
            false if fits => (unit.bytes, &*unit.text),
            false => break,
        };
        part.text.push_str(text);
        part.columns += unit.columns.min(room);
        taken += bytes;
        if !fits {
            break;
        }
    }
    part.is_whole = taken == bytes.len();
    part
}

/// Returns the end of `bytes`, or all of it if that is short, and whether it was cut.
fn tail(bytes: &[u8], width: usize) -> (ExcerptPart, bool) {
    let from = bytes.len().saturating_sub(CHAR * (width / 2 + 1));
    // Don't start in the middle of a character.
    let middle = |byte: &u8| byte & 0xC0 == 0x80;
    let from = match from {
        0 => 0,
        from => from + bytes[from..].iter().take(CHAR).take_while(|b| middle(b)).count(),
    };
    if let Some(text) = plain(&bytes[from..]) {
        let is_cut = from > 0 || text.len() > width / 2;
        let first = if is_cut { text.len().saturating_sub(before_span(width)) } else { 0 };
        let is_whole = from == 0 && first == 0;
        let text = text[first..].to_owned();
        return (ExcerptPart { columns: text.len(), text, is_whole }, !is_whole);
    }
    let units: Vec<_> = units(&bytes[from..]).collect();
    let whole = units.iter().map(|unit| unit.columns).sum::<usize>();
    let is_cut = from > 0 || whole > width / 2;
    let mut left = whole;
    let mut text = String::new();
    for unit in &units {
        let over = if is_cut { left.saturating_sub(before_span(width)) } else { 0 };
        let dropped = match over {
            0 => 0,
            over if unit.is_plain() => over.min(unit.columns),
            _ => unit.columns,
        };
        left -= dropped;
        if over == 0 {
            text.push_str(&unit.text);
        } else if unit.is_plain() {
            text.push_str(&unit.text[dropped..]);
        }
    }
    let is_whole = from == 0 && left == whole;
    (ExcerptPart { text, columns: left, is_whole }, !is_whole)
}

/// A character, or a run of characters that are shown unchanged.
struct ShownUnit<'a> {
    /// Its length in the source.
    bytes: usize,
    /// The shown text.
    text: Cow<'a, str>,
    columns: usize,
}

impl ShownUnit<'_> {
    /// True if it can be cut anywhere.
    fn is_plain(&self) -> bool {
        self.bytes == self.columns && is_plain(self.text.as_bytes())
    }
}

fn units(bytes: &[u8]) -> impl Iterator<Item = ShownUnit<'_>> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let mut rest = chunk.valid();
        let valid = std::iter::from_fn(move || {
            let plain = rest.bytes().take_while(|byte| matches!(byte, b' '..=b'~')).count();
            let length = match plain {
                0 => rest.chars().next()?.len_utf8(),
                plain => plain,
            };
            let (unit, after) = rest.split_at(length);
            rest = after;
            Some(if plain > 0 {
                ShownUnit { bytes: plain, text: Cow::Borrowed(unit), columns: plain }
            } else {
                special(unit)
            })
        });
        let invalid = chunk.invalid().iter().map(|byte| {
            let text = format!("\\x{byte:02x}");
            ShownUnit { bytes: 1, columns: text.len(), text: Cow::Owned(text) }
        });
        valid.chain(invalid)
    })
}

/// Returns a character that is not ASCII or is invisible.
fn special(character: &str) -> ShownUnit<'_> {
    let text = match character {
        "\t" => Cow::Borrowed(TAB),
        character => {
            let mut escaped = Vec::new();
            visible(character.as_bytes(), &mut escaped);
            Cow::Owned(String::from_utf8_lossy(&escaped).into_owned())
        }
    };
    // East Asian characters take two columns, and combining marks take none.
    let columns = text.chars().map(|c| c.width().unwrap_or(0)).sum();
    ShownUnit { bytes: character.len(), text, columns }
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
                        excerpt(line.as_bytes(), wide * before, wide * (before + length), MAX_WIDTH)
                    };
                    let (plain, wide) = (cut(&line("x"), 1), cut(&line("ö"), 2));
                    // A window is one of bytes.
                    if before < CHAR * MAX_WIDTH / 2 {
                        assert_eq!(plain.text, wide.text.replace('ö', "x"));
                        assert_eq!((plain.indent, plain.width), (wide.indent, wide.width));
                    }
                }
            }
        }
    }

    /// The naive twin works character by character.
    fn naive(line: &[u8], start: usize, end: usize) -> SourceExcerpt {
        let all = |bytes| -> Vec<(String, usize)> {
            let units = units(bytes).flat_map(|unit| {
                if unit.is_plain() {
                    unit.text.chars().map(|c| (c.to_string(), 1)).collect()
                } else {
                    vec![(unit.text.into_owned(), unit.columns)]
                }
            });
            units.collect()
        };
        let columns = |units: &[(String, usize)]| units.iter().map(|unit| unit.1).sum::<usize>();
        let fitting = |units: &[(String, usize)], most: usize| {
            (0..=units.len()).rev().find(|&count| columns(&units[..count]) <= most).unwrap()
        };
        let (before, span, after) =
            (all(&line[..start]), all(&line[start..end]), all(&line[end..]));
        let is_cut = columns(&before) > MAX_WIDTH / 2;
        let first = if is_cut {
            (0..).find(|&first| columns(&before[first..]) <= before_span(MAX_WIDTH)).unwrap()
        } else {
            0
        };
        let indent = columns(&before[first..]) + usize::from(is_cut);
        let kept = fitting(&span, MAX_WIDTH.saturating_sub(indent + 1));
        let width = columns(&span[..kept]);
        let room = MAX_WIDTH.saturating_sub(indent + width + 1);
        let rest = if kept == span.len() { fitting(&after, room) } else { 0 };
        let is_whole = kept == span.len() && rest == after.len();
        let units = before[first..].iter().chain(&span[..kept]).chain(&after[..rest]);
        let text: String = units.map(|unit| unit.0.as_str()).collect();
        let (head, tail) = (if is_cut { CUT } else { "" }, if is_whole { "" } else { CUT });
        let text = format!("{head}{text}{tail}").trim_end().to_owned();
        SourceExcerpt { text, indent, width: width.max(1) }
    }

    proptest::proptest! {
        #[test]
        fn rows_are_cut_as_characters(
            pieces in proptest::collection::vec(
                proptest::sample::select(vec!["a", "bc d", "é", "日", "\t", "\u{ad}", "\u{301}", "\u{a0}", "0123456789abcdef"]), 0..60),
            at in 0..60usize,
            length in 0..60usize,
        ) {
            let start = pieces.iter().take(at).map(|piece| piece.len()).sum();
            let end = pieces.iter().take(at + length).map(|piece| piece.len()).sum();
            let line = pieces.concat();
            // A window is one of bytes
            if start < CHAR * MAX_WIDTH / 2 {
                let (fast, naive) = (excerpt(line.as_bytes(), start, end, MAX_WIDTH), naive(line.as_bytes(), start, end));
                proptest::prop_assert_eq!(fast, naive);
            }
        }
    }

    #[test]
    fn an_excerpt_is_no_wider_than_the_terminal() {
        for width in [MIN_WIDTH, 50, 77, MAX_WIDTH] {
            for (before, length, after) in [(0, 5, 400), (400, 5, 400), (20, 300, 9), (400, 400, 0)]
            {
                let line = "x".repeat(before + length + after);
                let shown = excerpt(line.as_bytes(), before, before + length, width);
                assert!(shown.text.chars().count() <= width, "{width}: {shown:?}");
                assert!(shown.indent + shown.width <= width, "{width}: {shown:?}");
            }
        }
    }

    #[test]
    fn a_line_without_end_costs_no_more() {
        let line = vec![b'x'; 1 << 24];
        for at in (0..line.len()).step_by(1 << 12) {
            assert!(excerpt(&line, at, at + 5, MAX_WIDTH).text.len() < 200);
        }
    }
}
