//! Tells whether a program cut the text that it put behind the line numbers of a hunk (D5).

use crate::slice::{ByteRuns, SliceExt};

/// Most bytes of the heading of a hunk: of git, and of `diff -p`.
const WIDTHS: [usize; 2] = [80, 40];
/// Longest line numbers of a hunk, with the prefix of a quotation.
const LONGEST_RANGES: usize = 64;

/// True if the run of a URI ends at `end`, at the end of a heading as long as it can be:
/// `@@ -5,5 +5,5 @@ def f():  # see https://a.example/conf`.
#[inline]
pub(super) fn cuts(haystack: &[u8], start: usize, end: usize) -> bool {
    // Few URIs end a line, and the heading of fewer starts at one of these places.
    matches!(haystack.get(end), None | Some(b'\n' | b'\r'))
        && WIDTHS.iter().any(|width| {
            let heading = end.saturating_sub(*width);
            heading <= start && haystack.part(..heading).ends_with(b" @@ ") && {
                let ranges = haystack.part(..heading - b"@@ ".len()).tail(LONGEST_RANGES);
                let numbers = ranges.trailing(|b| b.is_ascii_digit() || b" ,+-".contains(&b));
                numbers >= b" -1 +1 ".len()
                    && ranges.part(..ranges.len() - numbers).ends_with(b"@@")
            }
        })
}
