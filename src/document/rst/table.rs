//! Reads grid tables and simple tables: each cell is a text of its own (docutils, `tableparser`).
//!
//! A paragraph over several lines of a cell is interrupted by the cells beside it, so that a link
//! in it would be cut. What is not a table to docutils is read as lines, and so is a table that is
//! too large.

use std::ops::ControlFlow;

use super::cells::{TableCell, TableLines};
use super::reader::RstReader;
use super::row::RowEvents;
use super::{grid, simple_table};
use crate::document::lines::TextLine;
use crate::document::{EventSink, Source};
use crate::offset_map::DerivedText;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Longest table in bytes. The largest of 628 in 1,672 documents has 16 KB.
const MAX_TABLE_LENGTH: usize = 128 << 10;

/// A table: its lines, its cells, and the start of the line after it.
type Found<'d> = (TableLines<'d>, Vec<TableCell>, usize);

impl<'d> RstReader<'d, '_> {
    /// Reads the table that starts in this line; false if there is none.
    pub(super) fn table(&mut self, line: TextLine) -> ControlFlow<(), bool> {
        let text = self.bytes.part(line.span().range());
        let found = match text.first() {
            _ if self.cell.is_some() => None,
            Some(b'+') if grid::is_border(text) => self.grid_table(line),
            Some(b'=') if simple_table::is_top(text) => self.simple_table(line),
            _ => None,
        };
        let Some((lines, cells, next)) = found else { return ControlFlow::Continue(false) };
        self.at = next;
        let mut text = DerivedText::default();
        let mut rest = cells.as_slice();
        while !rest.is_empty() {
            let (row, below) = rest.split_at(row_length(rest));
            self.row(&lines, row, &mut text)?;
            rest = below;
        }
        ControlFlow::Continue(true)
    }

    /// Returns the lines of a grid table, its cells, and the start of the line after it.
    fn grid_table(&self, first: TextLine) -> Option<Found<'d>> {
        let mut lines = TableLines::new(self.bytes);
        lines.push(first);
        // The number of lines up to the last border, and the end of that.
        let mut last = (1, first.next);
        let mut at = first.next;
        while at < self.bytes.len() {
            let line = self.line(at);
            let text = self.bytes.part(line.span().range());
            if line.indent() != first.indent() || !matches!(text.first(), Some(b'+' | b'|')) {
                break;
            }
            if line.next - first.start > MAX_TABLE_LENGTH {
                return None;
            }
            lines.push(line);
            if grid::is_border(text) {
                last = (lines.len(), line.next);
            }
            at = line.next;
        }
        lines.truncate(last.0);
        let cells = grid::cells(&lines, first.indent())?;
        Some((lines, cells, last.1))
    }

    /// Returns the lines of a simple table, its cells, and the start of the line after it.
    fn simple_table(&self, first: TextLine) -> Option<Found<'d>> {
        let mut lines = TableLines::new(self.bytes);
        lines.push(first);
        let (mut at, mut borders) = (first.next, 1);
        while at < self.bytes.len() {
            let line = self.line(at);
            let is_outside = !line.is_blank() && line.indent() < first.indent();
            if is_outside || line.next - first.start > MAX_TABLE_LENGTH {
                return None;
            }
            lines.push(line);
            at = line.next;
            if !simple_table::is_border(self.bytes.part(line.span().range())) {
                continue;
            }
            if line.indent() != first.indent() || line.span().len() != first.span().len() {
                return None;
            }
            borders += 1;
            // The third border is the bottom, and so is the second one if the block ends there.
            let below = self.line(at);
            let ends = below.is_blank() || below.indent() < first.indent();
            if borders == 3 || borders == 2 && ends {
                let cells = simple_table::cells(&lines, first.indent())?;
                return Some((lines, cells, at));
            }
        }
        None
    }

    /// Reads the cells of a row.
    fn row(
        &mut self,
        lines: &TableLines<'_>,
        row: &[TableCell],
        text: &mut DerivedText,
    ) -> ControlFlow<()> {
        // Cells of one line are in the order of the document.
        let is_in_order = row.iter().all(|cell| cell.bottom - cell.top == 1);
        let mut events = (!is_in_order).then(|| RowEvents::new(self.wants));
        for &cell in row {
            text.clear();
            lines.derive(cell, text);
            if text.text().trim_ascii().is_empty() {
                continue;
            }
            let layers = self.source.layers(text.map());
            let sink: &mut dyn EventSink = match &mut events {
                Some(events) => {
                    events.start_cell(layers.source(Span::new(0, 1)).start());
                    events
                }
                None => &mut *self.sink,
            };
            let mut reader = RstReader {
                source: Source::inside(text.text(), &layers),
                bytes: text.text(),
                wants: self.wants,
                sink,
                at: 0,
                piece: std::mem::take(&mut self.piece),
                styles: Vec::new(),
                references: std::mem::take(&mut self.references),
                raw_role: None,
                html_roles: std::mem::take(&mut self.html_roles),
                cell: Some(text.map()),
            };
            let flow = reader.blocks();
            self.piece = reader.piece;
            self.references = reader.references;
            self.html_roles = reader.html_roles;
            flow?;
        }
        events.map_or(ControlFlow::Continue(()), |events| events.replay(self.sink))
    }
}

/// Returns the number of cells, from the first on, that share lines, directly or by others that
/// span rows.
fn row_length(cells: &[TableCell]) -> usize {
    let mut bottom = 0;
    let shares_lines = |cell: &&TableCell| {
        let shares = bottom == 0 || cell.top < bottom;
        bottom = bottom.max(cell.bottom);
        shares
    };
    cells.iter().take_while(shares_lines).count().max(1)
}
