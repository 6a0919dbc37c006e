//! Which bytes of an archive belong to its members and its lists; the others may be anything.

use std::ops::Range;

/// More ranges that are apart from each other are not held in memory.
const RANGES_MAX: usize = 1 << 20;

/// The ranges of a file that belong to members, or to the directory.
#[derive(Debug, Default)]
pub(super) struct Claims {
    ranges: Vec<Range<u64>>,
    /// Some were too many to be held.
    pub is_full: bool,
}

impl Claims {
    pub fn add(&mut self, range: Range<u64>) {
        let count = self.ranges.len();
        // Members mostly follow each other.
        match self.ranges.last_mut() {
            Some(last) if (last.start..=last.end).contains(&range.start) => {
                last.end = last.end.max(range.end);
            }
            _ if count < RANGES_MAX => self.ranges.push(range),
            _ => self.is_full = true,
        }
    }

    /// The ranges between them, up to `end`.
    pub fn gaps(mut self, end: u64) -> impl Iterator<Item = Range<u64>> {
        self.ranges.sort_unstable_by_key(|range| range.start);
        self.ranges.push(end..end);
        self.ranges
            .into_iter()
            .scan(0, |covered, range| {
                let gap = *covered..range.start;
                *covered = range.end.max(*covered);
                Some(gap)
            })
            .filter(|gap| !gap.is_empty())
    }
}
