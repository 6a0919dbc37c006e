//! Parts of slices, by offsets that never panic in a release build and by what their bytes are.

use core::ops::{Bound, RangeBounds};
use core::slice::SliceIndex;

use crate::work_counter;

pub(crate) trait SliceExt {
    /// The part at `range`, which must lie inside: builds with debug assertions panic when it does not,
    /// others give the empty part.
    fn part(&self, range: impl SliceIndex<Self, Output = Self>) -> &Self;

    /// As much of the part at `range` as lies inside.
    ///
    /// In a string both ends must also be character boundaries, else the part is empty.
    fn clamped(&self, range: impl RangeBounds<usize>) -> &Self;
}

impl<T> SliceExt for [T] {
    #[inline(always)]
    #[track_caller]
    fn part(&self, range: impl SliceIndex<Self, Output = Self>) -> &Self {
        let part = self.get(range);
        debug_assert!(part.is_some(), "outside a slice of {}", self.len());
        part.unwrap_or_default()
    }

    #[inline(always)]
    fn clamped(&self, range: impl RangeBounds<usize>) -> &Self {
        let (start, end) = bounds(range, self.len());
        self.get(start..end).unwrap_or_default()
    }
}

impl SliceExt for str {
    #[inline(always)]
    #[track_caller]
    fn part(&self, range: impl SliceIndex<Self, Output = Self>) -> &Self {
        let part = self.get(range);
        debug_assert!(part.is_some(), "outside {self:?}, or inside a character");
        part.unwrap_or_default()
    }

    #[inline(always)]
    fn clamped(&self, range: impl RangeBounds<usize>) -> &Self {
        let (start, end) = bounds(range, self.len());
        self.get(start..end).unwrap_or_default()
    }
}

/// The ends of `range`, neither past `length`.
#[inline(always)]
fn bounds(range: impl RangeBounds<usize>, length: usize) -> (usize, usize) {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => length,
    };
    (start.min(length), end.min(length))
}

/// [`str::from_utf8`](core::str::from_utf8) for whole documents, at several times its speed where they are not ASCII.
#[cfg(feature = "search")]
pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

/// [`String::from_utf8_lossy`] for what is UTF-8 nearly always, which it looks at byte by byte.
#[cfg(feature = "search")]
pub(crate) fn lossy(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    match utf8(bytes) {
        Some(text) => text.into(),
        None => String::from_utf8_lossy(bytes),
    }
}

/// Where some bytes are in others, if they are a slice of them.
#[cfg(feature = "search")]
#[inline]
pub(crate) fn span_within(bytes: &[u8], whole: &[u8]) -> Option<crate::Span> {
    let start = bytes.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let room = whole.len().checked_sub(start)?;
    (room >= bytes.len()).then(|| crate::Span::new(start, start + bytes.len()))
}

pub(crate) trait ByteRuns {
    /// The last `most` bytes, or all of them.
    fn tail(&self, most: usize) -> &Self;

    /// Whether `end` ends them, letters of ASCII in either case.
    fn ends_with_ignore_case(&self, end: &[u8]) -> bool;

    /// How many bytes at the start pass.
    fn leading(&self, test: impl Fn(u8) -> bool) -> usize;

    /// How many bytes at the end pass.
    fn trailing(&self, test: impl Fn(u8) -> bool) -> usize;
}

impl ByteRuns for [u8] {
    #[inline(always)]
    fn tail(&self, most: usize) -> &Self {
        self.part(self.len().saturating_sub(most)..)
    }

    #[inline(always)]
    fn ends_with_ignore_case(&self, end: &[u8]) -> bool {
        self.tail(end.len()).eq_ignore_ascii_case(end)
    }

    #[inline(always)]
    fn leading(&self, test: impl Fn(u8) -> bool) -> usize {
        let length = self.iter().position(|&byte| !test(byte)).unwrap_or(self.len());
        work_counter::add(length);
        length
    }

    #[inline(always)]
    fn trailing(&self, test: impl Fn(u8) -> bool) -> usize {
        let length = self.iter().rev().position(|&byte| !test(byte)).unwrap_or(self.len());
        work_counter::add(length);
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clamped_to_the_end() {
        assert_eq!(b"abc".clamped(1..9), b"bc");
        assert_eq!(b"abc".clamped(4..), b"");
        assert_eq!(b"abc".clamped(..=1), b"ab");
        assert_eq!("aé".clamped(..9), "aé");
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic = "outside a slice of 3"]
    fn part_outside() {
        b"abc".part(2..4);
    }
}
