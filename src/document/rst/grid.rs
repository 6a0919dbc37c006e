//! Finds the cells of a grid table: `+---+` around each, with cells that span rows and columns.

use std::collections::BTreeSet;

use super::cells::{TableCell, TableLines};
use crate::work_counter;

/// Steps for each character of a table. A table of usual cells takes two to six.
const MAX_STEPS: usize = 32;

/// True for the top of a grid table, and for any of its borders without spans.
pub(super) fn is_border(text: &[u8]) -> bool {
    text.len() > 3
        && text.starts_with(b"+-")
        && text.ends_with(b"-+")
        && text.iter().all(|byte| matches!(byte, b'+' | b'-'))
}

/// True for the line below the heading of a table.
fn is_heading_border(text: &[u8]) -> bool {
    text.starts_with(b"+=")
        && text.ends_with(b"=+")
        && text.iter().all(|byte| matches!(byte, b'+' | b'='))
}

/// Walks around the cells of a table.
struct Grid<'t, 'd> {
    lines: &'t TableLines<'d>,
    is_heading_border: Vec<bool>,
    steps: usize,
}

/// Returns the cells of a table from column `left` on, ordered by their upper left corners; `None`
/// if the lines are not a table, or one that takes too long.
pub(super) fn cells(lines: &TableLines<'_>, left: usize) -> Option<Vec<TableCell>> {
    let (bottom, width) = (lines.len().checked_sub(1)?, lines.width(0));
    let right = width.checked_sub(1)?;
    let is_whole =
        |line| lines.width(line) == width && matches!(lines.at(line, right), b'+' | b'|');
    if !(0..=bottom).all(is_whole) {
        return None;
    }
    let is_heading = (0..=bottom).map(|line| is_heading_border(lines.text(line)));
    let mut grid = Grid {
        lines,
        is_heading_border: is_heading.collect(),
        steps: MAX_STEPS * lines.len() * width,
    };
    let taken = grid.steps;
    let cells = grid.cells((left, right), bottom);
    work_counter::add(taken - grid.steps);
    cells
}

impl Grid<'_, '_> {
    fn cells(&mut self, (left, right): (usize, usize), bottom: usize) -> Option<Vec<TableCell>> {
        let mut cells = Vec::new();
        // The line in which the last cell of each column ends.
        let mut ends = vec![0; right];
        let mut corners = BTreeSet::from([(0, left)]);
        while let Some((top, left)) = corners.pop_first() {
            // A corner inside a cell that spans rows starts no cell.
            if top == bottom || left == right || ends.get(left).is_none_or(|&end| end > top) {
                continue;
            }
            let Some((below, behind)) = self.around((top, left), (bottom, right))? else {
                continue;
            };
            for end in ends.get_mut(left..behind)? {
                // Each cell starts where the one above ends, so that no text is left out.
                if *end != top {
                    return None;
                }
                *end = below;
            }
            cells.push(TableCell { top: top + 1, bottom: below, left: left + 1, right: behind });
            corners.extend([(top, behind), (below, left)]);
        }
        ends.get(left..)?.iter().all(|&end| end == bottom).then_some(cells)
    }

    /// Takes a step and returns the character there, `-` for the border of a heading.
    fn at(&mut self, line: usize, column: usize) -> Option<u8> {
        self.steps = self.steps.checked_sub(1)?;
        let byte = self.lines.at(line, column);
        let is_heading = byte == b'=' && self.is_heading_border.get(line) == Some(&true);
        Some(if is_heading { b'-' } else { byte })
    }

    /// Returns the bottom and the right border of the smallest cell at an upper left corner. The
    /// outer `None` says that the walk took too long.
    fn around(
        &mut self,
        (top, left): (usize, usize),
        (bottom, right): (usize, usize),
    ) -> Option<Option<(usize, usize)>> {
        for behind in left + 1..=right {
            match self.at(top, behind)? {
                b'+' => {
                    if let Some(below) = self.below(top, (left, behind), bottom)? {
                        return Some(Some((below, behind)));
                    }
                }
                b'-' => {}
                _ => break,
            }
        }
        Some(None)
    }

    /// Returns the bottom border of a cell between two columns.
    fn below(
        &mut self,
        top: usize,
        (left, right): (usize, usize),
        bottom: usize,
    ) -> Option<Option<usize>> {
        for below in top + 1..=bottom {
            match self.at(below, right)? {
                b'+' => {
                    if self.is_closed(top, (left, right), below)? {
                        return Some(Some(below));
                    }
                }
                b'|' => {}
                _ => return Some(None),
            }
        }
        Some(None)
    }

    /// True if borders lead from the lower right corner to the left one, and up to the upper one.
    fn is_closed(
        &mut self,
        top: usize,
        (left, right): (usize, usize),
        bottom: usize,
    ) -> Option<bool> {
        if self.at(bottom, left)? != b'+' {
            return Some(false);
        }
        for column in (left + 1..right).rev() {
            if !matches!(self.at(bottom, column)?, b'+' | b'-') {
                return Some(false);
            }
        }
        for line in (top + 1..bottom).rev() {
            if !matches!(self.at(line, left)?, b'+' | b'|') {
                return Some(false);
            }
        }
        Some(true)
    }
}
