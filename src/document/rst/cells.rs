//! Lines of a table by column, and its cells.

use crate::document::lines::TextLine;
use crate::offset_map::DerivedText;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;
use crate::work_counter;

/// A tab ends at a multiple of this many columns (docutils, `tab_width`).
const TAB_COLUMNS: usize = 8;

/// A column of a character that is not ASCII.
pub(super) const OTHER: u8 = 0xFF;

/// A part of a table that is a text of its own. Ends are exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TableCell {
    /// Its first line in the table.
    pub top: usize,
    pub bottom: usize,
    pub left: usize,
    pub right: usize,
}

/// A line of a table, without white space at its end.
#[derive(Debug)]
struct TableLine {
    start: usize,
    end: usize,
    /// The offset of the character in each column, for a line in which that is not its own number.
    offsets: Option<Vec<u32>>,
}

/// The lines of a table.
#[derive(Debug)]
pub(super) struct TableLines<'d> {
    bytes: &'d [u8],
    lines: Vec<TableLine>,
}

impl<'d> TableLines<'d> {
    pub fn new(bytes: &'d [u8]) -> Self {
        Self { bytes, lines: Vec::new() }
    }

    pub fn push(&mut self, line: TextLine) {
        let text = self.bytes.part(line.start..line.end);
        work_counter::add(text.len());
        let is_plain = text.is_ascii() && !text.contains(&b'\t');
        let offsets = if is_plain { None } else { Some(column_offsets(text)) };
        self.lines.push(TableLine { start: line.start, end: line.end, offsets });
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn truncate(&mut self, length: usize) {
        self.lines.truncate(length);
    }

    /// Returns the number of columns of a line.
    pub fn width(&self, line: usize) -> usize {
        self.lines.get(line).map_or(0, |line| match &line.offsets {
            Some(offsets) => offsets.len(),
            None => line.end - line.start,
        })
    }

    /// Returns the character in a column of a line; a space after the end of the line.
    pub fn at(&self, line: usize, column: usize) -> u8 {
        let Some(line) = self.lines.get(line) else { return b' ' };
        let text = self.bytes.part(line.start..line.end);
        let byte = match &line.offsets {
            None => text.get(column),
            Some(offsets) => offsets.get(column).and_then(|&at| text.get(at as usize)),
        };
        match byte {
            None | Some(b'\t') => b' ',
            Some(byte) if byte.is_ascii() => *byte,
            Some(_) => OTHER,
        }
    }

    /// Returns a line without its indentation.
    pub fn text(&self, line: usize) -> &'d [u8] {
        let text =
            self.lines.get(line).map_or(&[][..], |line| self.bytes.part(line.start..line.end));
        text.trim_ascii_start()
    }

    /// Returns the columns from `left` to `right` of a line, without white space at their end.
    pub fn columns(&self, line: usize, left: usize, right: usize) -> Span {
        let Some(line) = self.lines.get(line) else { return Span::new(0, 0) };
        let offset = |column: usize| match &line.offsets {
            None => (line.start + column.min(line.end - line.start)).min(line.end),
            Some(offsets) => offsets.get(column).map_or(line.end, |&at| line.start + at as usize),
        };
        let (start, end) = (offset(left), offset(right));
        let text = self.bytes.part(start..end.max(start));
        Span::new(start, end.max(start) - text.trailing(|byte| byte.is_ascii_whitespace()))
    }

    /// Returns the text of a cell without its common indentation (docutils, `get_2D_block`).
    pub fn derive(&self, cell: TableCell, text: &mut DerivedText) {
        let lines =
            || (cell.top..cell.bottom).map(|line| self.columns(line, cell.left, cell.right));
        let indent = |span: Span| self.bytes.part(span.range()).leading(|byte| byte == b' ');
        let common = lines().filter(|span| !span.is_empty()).map(indent).min().unwrap_or(0);
        for (line, span) in (cell.top..cell.bottom).zip(lines()) {
            if line > cell.top {
                // The line feed in the source is after the cells to the right.
                let start = self.lines.get(line).map_or(span.start(), |line| line.start);
                text.copy(b"\n", start.saturating_sub(1));
            }
            let start = (span.start() + common).min(span.end());
            text.copy(self.bytes.part(start..span.end()), start);
        }
        work_counter::add(text.text().len());
    }
}

/// Returns the offset of the character in each column. Characters of East Asia take two, and those
/// that combine with the one before take none.
fn column_offsets(text: &[u8]) -> Vec<u32> {
    let mut offsets = Vec::with_capacity(text.len());
    let mut at = 0;
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            let columns = match character {
                '\t' => TAB_COLUMNS - offsets.len() % TAB_COLUMNS,
                _ => width(character),
            };
            // The text of a table is bounded.
            offsets.extend(std::iter::repeat_n(at as u32, columns));
            at += character.len_utf8();
        }
        for _ in chunk.invalid() {
            offsets.push(at as u32);
            at += 1;
        }
    }
    offsets
}

/// Returns the columns of a character (docutils, `pad_double_width`).
fn width(character: char) -> usize {
    match character {
        '\u{300}'..='\u{36F}' => 0,
        '\u{1100}'..='\u{115F}'
        | '\u{2E80}'..='\u{303E}'
        | '\u{3041}'..='\u{A4CF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE6F}'
        | '\u{FF00}'..='\u{FF60}'
        | '\u{FFE0}'..='\u{FFE6}'
        | '\u{1F300}'..='\u{1F64F}'
        | '\u{1F900}'..='\u{1F9FF}'
        | '\u{20000}'..='\u{3FFFD}' => 2,
        _ => 1,
    }
}
