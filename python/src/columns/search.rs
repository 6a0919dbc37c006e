//! Searches many rows, with several threads if that pays.

use std::ops::Range;

use rayon::prelude::*;
use urigrep::search::{
    Flow, Hit, Input, Labels, Level, Needs, OwnedHit, Search, Sink, shared_pool,
};

use super::ColumnsError;
use super::rows::Rows;
use super::table::{Column, Lists, Place, Table};
use crate::options::TextFinder;
use crate::text::{OffsetCounter, Unit};

/// For fewer bytes, searching takes less time than waking threads.
const SMALL: usize = 1 << 20;
/// Searching this much takes a fraction of a second.
const BLOCK_BYTES: usize = 64 << 20;
/// Fraction of the rows after which space is reserved for the matches of all rows.
const SAMPLE: usize = 16;
/// Parts per thread. Some parts take longer, so each thread takes several, one after the other.
const PARTS_A_THREAD: usize = 8;

pub struct BatchSearch<'s> {
    pub finder: &'s TextFinder,
    pub columns: &'s [Column],
    pub unit: Unit,
    pub threads: usize,
}

/// The matches of some rows, and their number per row; `None` for null.
type Part = (Table, Vec<Option<usize>>);

impl BatchSearch<'_> {
    /// Appends the matches of some rows; row 0 has the number `first`.
    pub fn find(
        &self,
        rows: &Rows<'_>,
        range: Range<usize>,
        first: u64,
        table: &mut Table,
    ) -> Result<(), ColumnsError> {
        if !self.is_split(rows, range.clone()) {
            let sample = sample(&range, table);
            for row in range {
                if row == sample {
                    table.reserve(SAMPLE);
                }
                self.row(rows, row, first, table);
            }
            return Ok(());
        }
        for (part, _) in self.parts(rows, range, first) {
            table.append(part);
        }
        Ok(())
    }

    /// Appends the matches of each of some rows.
    pub fn extract(
        &self,
        rows: &Rows<'_>,
        range: Range<usize>,
        lists: &mut Lists,
    ) -> Result<(), ColumnsError> {
        if !self.is_split(rows, range.clone()) {
            let sample = sample(&range, &lists.table);
            for row in range {
                if row == sample {
                    lists.table.reserve(SAMPLE);
                }
                let count = self.row(rows, row, 0, &mut lists.table);
                lists.end(count);
            }
            return Ok(());
        }
        for (table, counts) in self.parts(rows, range, 0) {
            lists.append(table, &counts);
        }
        Ok(())
    }

    fn is_split(&self, rows: &Rows<'_>, mut range: Range<usize>) -> bool {
        let mut bytes = 0;
        self.threads > 1
            && range.any(|row| {
                bytes += rows.get(row).map_or(0, <[u8]>::len);
                // Stop at the threshold: counting the bytes of all rows would cost a pass over a
                // large array.
                bytes >= SMALL
            })
    }

    /// Appends the matches of one row, and returns their number.
    fn row(&self, rows: &Rows<'_>, row: usize, first: u64, table: &mut Table) -> Option<usize> {
        let text = rows.get(row)?;
        let mut offsets = OffsetCounter::new(text, self.unit);
        let mut count = 0;
        if let Some(search) = self.finder.documents() {
            let labels = match self.columns.contains(&Column::Label) {
                true => Labels::All,
                false => Labels::Known,
            };
            for hit in hits(search, text, labels) {
                let [start, end] = [hit.start(), hit.end()]
                    .map(|at| offsets.offset(usize::try_from(at).unwrap_or(usize::MAX)));
                table.push_hit(&hit, Place { row: first + row as u64, start, end });
                count += 1;
            }
            return Some(count);
        }
        // Iterate by reference: moving the iterator would cost as much as searching about 100
        // bytes.
        for m in &mut self.finder.finder.find_iter(text) {
            if self.finder.selects(&m) {
                let [start, end] = [m.start(), m.end()].map(|at| offsets.offset(at));
                table.push(&m, Place { row: first + row as u64, start, end });
                count += 1;
            }
        }
        Some(count)
    }

    fn part(&self, rows: &Rows<'_>, range: Range<usize>, first: u64) -> Part {
        let mut table = Table::new(self.columns);
        let counts = range.map(|row| self.row(rows, row, first, &mut table)).collect();
        (table, counts)
    }

    /// Searches the rows in parts, and returns these in order.
    fn parts(&self, rows: &Rows<'_>, range: Range<usize>, first: u64) -> Vec<Part> {
        let size = range.len().div_ceil(self.threads * PARTS_A_THREAD).max(1);
        let count = range.len().div_ceil(size);
        let part = |number: usize| {
            let start = range.start + number * size;
            self.part(rows, start..(start + size).min(range.end), first)
        };
        match shared_pool(self.threads) {
            // The parallel iterator keeps the order.
            Some(pool) => pool.install(|| (0..count).into_par_iter().map(part).collect()),
            None => (0..count).map(part).collect(),
        }
    }
}

/// Returns the ranges of rows that are searched between two looks for signals.
pub fn blocks(rows: &Rows<'_>) -> Vec<Range<usize>> {
    let (mut blocks, mut start, mut bytes) = (Vec::new(), 0, 0);
    // Such an array may have any number of rows, and holds nothing to search.
    if rows.is_all_null() {
        return blocks;
    }
    for row in 0..rows.len() {
        bytes += rows.get(row).map_or(0, <[u8]>::len);
        if bytes >= BLOCK_BYTES {
            blocks.push(start..row + 1);
            (start, bytes) = (row + 1, 0);
        }
    }
    if start < rows.len() {
        blocks.push(start..rows.len());
    }
    blocks
}

/// Returns the hits in a document.
pub fn hits(search: &Search, text: &[u8], labels: Labels) -> Vec<OwnedHit> {
    struct Kept(Vec<OwnedHit>, Labels);

    impl Sink for Kept {
        fn hit(&mut self, hit: &Hit<'_>) -> Flow {
            self.0.extend(hit.to_owned_hit());
            Flow::Continue
        }

        fn needs(&self, _: Level) -> Needs {
            Needs::new().labels(self.1)
        }
    }

    let mut kept = Kept(Vec::new(), labels);
    search.reader(text, &Input::named(""), &mut kept);
    kept.0
}

/// Returns the row after which space is reserved, if this is the first array of several.
fn sample(range: &Range<usize>, table: &Table) -> usize {
    match table.is_empty() {
        true => range.start + range.len() / SAMPLE,
        false => usize::MAX,
    }
}
