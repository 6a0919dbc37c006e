//! Records which bytes of an archive belong to its members and lists; all others may be anything.

use std::ops::Range;

/// Limit on the disjoint ranges held in memory.
const RANGES_MAX: usize = 1 << 20;

/// The ranges of a file that belong to members, or to the directory.
#[derive(Debug, Default)]
pub(super) struct Claims {
    ranges: Vec<Range<u64>>,
    /// True once there were too many ranges to hold.
    pub is_full: bool,
}

impl Claims {
    pub fn add(&mut self, range: Range<u64>) {
        let count = self.ranges.len();
        // Members usually follow each other, so ranges can be merged.
        match self.ranges.last_mut() {
            Some(last) if (last.start..=last.end).contains(&range.start) => {
                last.end = last.end.max(range.end);
            }
            _ if count < RANGES_MAX => self.ranges.push(range),
            _ => self.is_full = true,
        }
    }

    /// Returns the gaps between the ranges, up to `end`.
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
