//! Slicing that does not panic in release builds, and runs of bytes.

use core::ops::{Bound, RangeBounds};
use core::slice::SliceIndex;

use crate::work_counter;

pub(crate) trait SliceExt {
    /// Returns the part at `range`, which must lie inside. Builds with debug assertions panic
    /// otherwise; others return the empty part.
    fn part(&self, range: impl SliceIndex<Self, Output = Self>) -> &Self;

    /// Returns the part of `range` that lies inside.
    ///
    /// In a string, both ends must also be character boundaries; otherwise the part is empty.
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

/// Returns the ends of `range`, both clamped to `length`.
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

/// Returns the number that hexadecimal digits write. `from_str_radix` alone takes a sign, too.
#[cfg(feature = "search")]
pub(crate) fn hexadecimal(digits: &[u8]) -> Option<u32> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    utf8(digits).filter(|_| is_number).and_then(|digits| u32::from_str_radix(digits, 16).ok())
}

/// Like [`str::from_utf8`](core::str::from_utf8), but several times as fast on whole documents that
/// are not ASCII.
#[cfg(feature = "search")]
pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

/// Like [`String::from_utf8_lossy`], but fast for valid UTF-8: the standard function checks byte by
/// byte.
#[cfg(feature = "search")]
pub(crate) fn lossy(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    match utf8(bytes) {
        Some(text) => text.into(),
        None => String::from_utf8_lossy(bytes),
    }
}

/// Returns the span of `bytes` in `whole` if they are a slice of it.
#[cfg(feature = "search")]
#[inline]
pub(crate) fn span_within(bytes: &[u8], whole: &[u8]) -> Option<crate::Span> {
    // Addresses only: the pointers may belong to different allocations, so they must not be
    // subtracted.
    let start = bytes.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let room = whole.len().checked_sub(start)?;
    (room >= bytes.len()).then(|| crate::Span::new(start, start + bytes.len()))
}

pub(crate) trait ByteRuns {
    /// Returns the last `most` bytes, or all of them.
    fn tail(&self, most: usize) -> &Self;

    /// True if the bytes end in `end`, ignoring ASCII case.
    fn ends_with_ignore_case(&self, end: &[u8]) -> bool;

    /// Returns the number of bytes at the start that pass.
    fn leading(&self, test: impl FnMut(u8) -> bool) -> usize;

    /// Returns the number of bytes at the end that pass.
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
    fn leading(&self, mut test: impl FnMut(u8) -> bool) -> usize {
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
