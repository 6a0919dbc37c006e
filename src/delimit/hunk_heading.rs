//! Tells whether a program cut the text that it put behind the line numbers of a hunk (D5).

use crate::slice::{ByteRuns, SliceExt};

/// Most bytes of the heading of a hunk by git.
const GIT_BYTES: usize = 80;
/// Most bytes of one by `diff -p`.
const DIFF_BYTES: usize = 40;
/// Longest line numbers of a hunk, with the prefix of a quotation.
const LONGEST_RANGES: usize = 64;

/// True if the run of a URI ends at `end`, at the end of a heading as long as it can be:
/// `@@ -5,5 +5,5 @@ def f():  # see https://a.example/conf`.
#[inline(always)]
pub(super) fn cuts(haystack: &[u8], start: usize, end: usize) -> bool {
    // Few URIs end a line, and few lines have a mark at one of these places, so that nearly all cost
    // the comparison of two bytes.
    matches!(haystack.get(end), None | Some(b'\n' | b'\r'))
        && (opens_behind(haystack, start, end.wrapping_sub(GIT_BYTES))
            || opens_behind(haystack, start, end.wrapping_sub(DIFF_BYTES)))
}

#[inline(always)]
fn opens_behind(haystack: &[u8], start: usize, heading: usize) -> bool {
    let mark = heading.wrapping_sub(b"@ ".len());
    haystack.get(mark) == Some(&b'@') && opens_heading(haystack, start, mark)
}

/// True if the `@` at `mark` is the last one before the heading of a hunk, in which a URI starts at
/// `start`.
#[cold]
fn opens_heading(haystack: &[u8], start: usize, mark: usize) -> bool {
    let heading = mark + b"@ ".len();
    heading <= start && haystack.part(..heading).ends_with(b" @@ ") && {
        let ranges = haystack.part(..heading - b"@@ ".len()).tail(LONGEST_RANGES);
        let numbers = ranges.trailing(|b| b.is_ascii_digit() || b" ,+-".contains(&b));
        numbers >= b" -1 +1 ".len() && ranges.part(..ranges.len() - numbers).ends_with(b"@@")
    }
}
