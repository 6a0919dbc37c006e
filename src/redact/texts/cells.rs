//! The cells of a row of a table.

use alloc::vec::Vec;

use memchr::memmem;

use super::gaps;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Maximum number of cells in a row; further ones are not read.
const MAX_CELLS: usize = 128;

/// The separator of the cells in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Divider {
    /// `|`, the lines of a terminal, `!!` and `||`.
    Bar,
    Tab,
    Comma,
    Semicolon,
    /// `&` of TeX.
    Ampersand,
    /// Two or more blanks.
    Blanks,
}

impl Divider {
    /// Returns the separator of the cells in a header.
    pub fn detect(line: &[u8]) -> Option<Self> {
        let has = |byte: u8| line.contains(&byte);
        let is_indented = line.first().is_none_or(u8::is_ascii_whitespace);
        let content = line.trim_ascii();
        Some(match () {
            () if has(b'|') || content.starts_with(b"!") || has_border(content) => Self::Bar,
            () if content.ends_with(b"\\\\") && has(b'&') => Self::Ampersand,
            () if is_indented => return None,
            () if has(b'\t') => Self::Tab,
            () if has(b';') => Self::Semicolon,
            () if has(b',') => Self::Comma,
            () if memmem::find(content, b"  ").is_some() => Self::Blanks,
            () => return None,
        })
    }

    /// True for files of data, rather than tables that people read.
    pub fn is_of_data(self) -> bool {
        matches!(self, Self::Tab | Self::Comma | Self::Semicolon)
    }

    /// Returns the length of a separator at the start of a text.
    fn length(self, text: &[u8], is_header_of_wiki: bool) -> usize {
        let first = text.first().copied().unwrap_or_default();
        let byte = match self {
            Self::Tab => b'\t',
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Ampersand => b'&',
            Self::Blanks => {
                let blanks = text.leading(|byte| byte == b' ');
                return if blanks > 1 { blanks } else { 0 };
            }
            Self::Bar => {
                // `||` is one separator; an empty cell has a blank.
                let bars = text.leading(|byte| byte == b'|' || is_header_of_wiki && byte == b'!');
                return if bars > 0 { bars } else { border(text) };
            }
        };
        usize::from(first == byte)
    }
}

/// Vertical lines of tables in terminals: `│`, `┃`, `║`.
const BORDERS: [&[u8]; 3] = ["│".as_bytes(), "┃".as_bytes(), "║".as_bytes()];

fn border(text: &[u8]) -> usize {
    BORDERS.into_iter().find(|border| text.starts_with(border)).map_or(0, <[u8]>::len)
}

fn has_border(text: &[u8]) -> bool {
    !text.is_ascii() && BORDERS.into_iter().any(|border| memmem::find(text, border).is_some())
}

/// True for a line that separates rows, and has no cells: `|---|:-:|`, `+====+`, `|-`.
pub(super) fn is_rule(line: &[u8]) -> bool {
    line.iter().all(|byte| b"-=+|:*~_ \t\r".contains(byte) || !byte.is_ascii())
        && line.iter().any(|byte| b"-=+".contains(byte) || !byte.is_ascii())
        && border(line.trim_ascii()) == 0
}

/// Returns the spans of the cells of a line, without the blanks and marks around their contents.
pub(super) fn split(line: &[u8], divider: Divider) -> Vec<Span> {
    let mut cells = Vec::new();
    let content = line.trim_ascii();
    let content = content.strip_suffix(b"\\\\").unwrap_or(content).trim_ascii_end();
    let is_header_of_wiki = content.starts_with(b"!");
    let mut at = line.leading(|byte| byte.is_ascii_whitespace() && byte != b'\t');
    let end = at + content.len().min(line.len() - at);
    let text = line.clamped(..end);
    // The bars at both ends of a line separate nothing.
    if divider == Divider::Bar {
        at += divider.length(text.clamped(at..), is_header_of_wiki);
    }
    let mut start = at;
    while at <= text.len() && cells.len() < MAX_CELLS {
        let quoted = quoted(text, start, at, divider);
        let length = divider.length(text.clamped(at..), is_header_of_wiki);
        match (quoted, length) {
            (Some(close), _) => at = close + 1,
            (None, 0) if at < text.len() => at += 1,
            (None, length) => {
                let is_end = at == text.len();
                if !(is_end && divider == Divider::Bar && start == at) {
                    cells.push(trimmed(text, start, at));
                }
                at += length.max(usize::from(is_end));
                start = at;
            }
        }
    }
    cells
}

/// Returns the closing quotation mark of a field of CSV that starts at `at` (RFC 4180 §2).
fn quoted(text: &[u8], start: usize, at: usize, divider: Divider) -> Option<usize> {
    let is_open = at == start && divider.is_of_data() && text.get(at) == Some(&b'"');
    let mut close = is_open.then_some(at + 1)?;
    loop {
        close += memchr::memchr(b'"', text.clamped(close..))?;
        if text.get(close + 1) != Some(&b'"') {
            return Some(close);
        }
        close += 2;
    }
}

/// Returns a span without the blanks and marks at its ends.
fn trimmed(text: &[u8], start: usize, end: usize) -> Span {
    let is_mark = |byte: u8| b" \t\r\"'`*_".contains(&byte);
    let start = start + text.part(start..end).leading(is_mark);
    Span::new(start, end - text.part(start..end).trailing(is_mark))
}

/// Returns the cells of a row of HTML that consist of one word in their first line, with their
/// indices.
pub(super) fn of_elements(text: &[u8], row: Span) -> Vec<(usize, Span)> {
    let mut cells = Vec::new();
    let (mut index, mut at) = (0, row.start());
    while let Some(length) = memmem::find(text.part(at..row.end()), b"<t")
        && index < MAX_CELLS
    {
        let start = at + length;
        at = start + 2;
        if !matches!(text.get(at..at + 2), Some([b'd' | b'h', b'>' | b' ' | b'\n'])) {
            continue;
        }
        // The gap consists of the tag, and the tags of the elements in the cell.
        let tag = memchr::memchr(b'>', text.part(at..row.end()));
        if let Some(close) = tag
            && let Some(gap) = gaps::behind(text.clamped(..row.end()), at + close)
        {
            let line = text.part(gap.end..row.end());
            let word = line.part(..line.leading(|byte| !matches!(byte, b'<' | b'\n')));
            let is_cell = memmem::find(text.part(at + close..gap.end), b"<t").is_none();
            if is_cell {
                cells.push((index, trimmed(text, gap.end, gap.end + word.len())));
                at = gap.end;
            }
        }
        index += 1;
    }
    cells
}
