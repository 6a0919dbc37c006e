//! Finds the cells of a simple table: columns below `====  ====`.

use super::cells::{TableCell, TableLines};
use crate::work_counter;

/// Steps for each character of a table. A usual table takes fewer than one.
const MAX_STEPS: usize = 8;

/// Columns of a table, each from its start to its end.
type TableColumns = Vec<(usize, usize)>;

/// True for the top of a simple table, `===  ===`, which has at least two columns.
pub(super) fn is_top(text: &[u8]) -> bool {
    is_border(text) && text.contains(&b' ')
}

/// True for a border of a simple table.
pub(super) fn is_border(text: &[u8]) -> bool {
    is_line_of(text, b'=')
}

fn is_line_of(text: &[u8], mark: u8) -> bool {
    text.first() == Some(&mark) && text.iter().all(|&byte| byte == mark || byte == b' ')
}

/// Returns the columns that a line of marks draws, from column `left` on.
fn columns(lines: &TableLines<'_>, line: usize, left: usize) -> TableColumns {
    let mut columns = TableColumns::new();
    let mut start = None;
    // The column after the last one is a space.
    for column in left..=lines.width(line) {
        let is_mark = lines.at(line, column) != b' ';
        match (is_mark, start) {
            (true, None) => start = Some(column),
            (false, Some(from)) => {
                columns.push((from, column));
                start = None;
            }
            _ => {}
        }
    }
    columns
}

/// Returns the cells of a table from column `left` on, row by row; `None` if its lines are not one,
/// or take too long.
pub(super) fn cells(lines: &TableLines<'_>, left: usize) -> Option<Vec<TableCell>> {
    let usual = columns(lines, 0, left);
    let &(first_start, first_end) = usual.first()?;
    let most = (0..lines.len()).map(|line| MAX_STEPS * (lines.width(line) + 1)).sum();
    let mut rows = SimpleRows { lines, cells: Vec::new(), steps: most };
    // The first line of the row, and whether its first column has a text.
    let (mut start, mut has_text) = (1, false);
    for line in 1..lines.len() {
        let text = lines.text(line);
        if is_border(text) || is_line_of(text, b'-') {
            // A line of hyphens below a row joins columns of it.
            rows.push((start, line), &columns(lines, line, left))?;
            (start, has_text) = (line + 1, false);
        } else if !lines.columns(line, first_start, first_end).is_empty() {
            if has_text {
                rows.push((start, line), &usual)?;
                start = line;
            }
            has_text = true;
        }
    }
    work_counter::add(most - rows.steps);
    Some(rows.cells)
}

struct SimpleRows<'t, 'd> {
    lines: &'t TableLines<'d>,
    cells: Vec<TableCell>,
    steps: usize,
}

impl SimpleRows<'_, '_> {
    /// Adds the cells of a row; `None` if a text is between its columns.
    fn push(&mut self, (top, bottom): (usize, usize), columns: &TableColumns) -> Option<()> {
        let width = (top..bottom).map(|line| self.lines.width(line)).max().unwrap_or(0);
        let mut before = 0;
        for (index, &(left, right)) in columns.iter().enumerate() {
            self.steps = self.steps.checked_sub(bottom - top)?;
            if (top..bottom).any(|line| !self.lines.columns(line, before, left).is_empty()) {
                return None;
            }
            // The columns after the text of a row are empty.
            if left >= width {
                break;
            }
            // The text of the last column may be wider than its border.
            let is_last = index + 1 == columns.len();
            let right = if is_last { usize::MAX } else { right };
            self.cells.push(TableCell { top, bottom, left, right });
            before = right;
        }
        Some(())
    }
}
