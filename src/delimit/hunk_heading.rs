//! Detects headings of hunks that git or `diff -p` cut at their longest length (D5).

use crate::slice::{ByteRuns, SliceExt};

/// Longest heading that git writes.
const GIT_BYTES: usize = 80;
/// Longest heading that `diff -p` writes.
const DIFF_BYTES: usize = 40;
/// Longest line numbers of a hunk, with the prefix of a quotation.
const MAX_RANGES_LENGTH: usize = 64;

/// True if the run of a URI ends at `end`, where a heading has its longest length:
/// `@@ -5,5 +5,5 @@ def f():  # see https://a.example/conf`.
#[inline(always)]
pub(super) fn cuts(haystack: &[u8], start: usize, end: usize) -> bool {
    // Few URIs end a line, and few lines have a mark at one of these places, so that nearly all
    // cost the comparison of two bytes.
    matches!(haystack.get(end), None | Some(b'\n' | b'\r'))
        && (opens_after(haystack, start, end.wrapping_sub(GIT_BYTES))
            || opens_after(haystack, start, end.wrapping_sub(DIFF_BYTES)))
}

#[inline(always)]
fn opens_after(haystack: &[u8], start: usize, heading: usize) -> bool {
    haystack.get(heading.wrapping_sub(b"@ ".len())) == Some(&b'@')
        && opens_heading(haystack, start, heading)
}

/// True if a heading starts at `heading`, after the line numbers of a hunk, and a URI in it at
/// `start`.
#[cold]
fn opens_heading(haystack: &[u8], start: usize, heading: usize) -> bool {
    let before = haystack.part(..heading);
    heading <= start && before.ends_with(b" @@ ") && {
        let ranges = before.part(..before.len() - b"@@ ".len()).tail(MAX_RANGES_LENGTH);
        let numbers = ranges.trailing(|b| b.is_ascii_digit() || b" ,+-".contains(&b));
        numbers >= b" -1 +1 ".len() && ranges.part(..ranges.len() - numbers).ends_with(b"@@")
    }
}
