//! Candidates found by a kernel, in batches.

/// Offsets of possible candidates in a block of text, in ascending order.
///
/// Returning from the kernel's loop for each of them would cost more than searching the bytes in
/// between.
#[derive(Clone, Copy, Debug)]
pub(super) struct CandidateBatch {
    start: usize,
    /// Offsets from `start`.
    found: [u16; Self::MAX_CANDIDATES],
    len: usize,
    given: usize,
    /// The kernel has searched all text before it.
    end: usize,
    dots: FoundDots,
}

/// The dots between labels that a kernel reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoundDots {
    All,
    /// The first dot of each word that may be a host, and some before digits.
    Sifted,
}

impl CandidateBatch {
    /// Small, because each text has a batch and many texts are short.
    const MAX_CANDIDATES: usize = 192;
    /// Most offsets pushed between two calls of [`Self::is_full`].
    const AT_ONCE: usize = 128;
    /// Bytes after which a batch ends, so that each offset fits into two bytes.
    const MAX_LENGTH: usize = 8192;

    #[inline(always)]
    pub fn new() -> Self {
        Self {
            start: 0,
            found: [0; Self::MAX_CANDIDATES],
            len: 0,
            given: 0,
            end: 0,
            dots: FoundDots::All,
        }
    }

    #[inline(always)]
    pub fn next(&mut self) -> Option<usize> {
        let found = self.found.get(..self.len)?.get(self.given)?;
        self.given += 1;
        Some(self.start + usize::from(*found))
    }

    /// Returns the end of the searched text.
    #[inline(always)]
    pub fn end(&self) -> usize {
        self.end
    }

    /// Discards all offsets and continues at `from`.
    #[inline(always)]
    pub fn restart(&mut self, from: usize) {
        (self.start, self.len, self.given, self.end) = (from, 0, 0, from);
    }

    /// Pushes the set bits of `bits`, where bit `n` stands for the byte `base + n`. Fast if there
    /// are usually at most `FEW` of them.
    #[inline(always)]
    pub fn push<const FEW: usize>(&mut self, base: usize, mut bits: u64) {
        // Fits: a batch ends soon after `MAX_LENGTH` bytes.
        let base = base.wrapping_sub(self.start) as u16;
        // A local variable: in memory, each push would wait for the one before it.
        let mut len = self.len;
        loop {
            // If there are fewer bits, the surplus elements are written but not counted. That
            // avoids a branch per bit, which would be mispredicted often.
            for _ in 0..FEW {
                let at = base.wrapping_add(bits.trailing_zeros() as u16);
                if let Some(free) = self.found.get_mut(len) {
                    *free = at;
                }
                len = len.wrapping_add(usize::from(bits != 0));
                bits &= bits.wrapping_sub(1);
            }
            if bits == 0 {
                break;
            }
        }
        self.len = len;
    }

    /// Lets `push` append offsets. It receives the buffer, the number of offsets in it, and the
    /// representation of `base`, and returns the new number.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[inline(always)]
    pub fn push_by(&mut self, base: usize, push: impl FnOnce(&mut [u16], usize, u16) -> usize) {
        self.len = push(&mut self.found, self.len, base.wrapping_sub(self.start) as u16);
    }

    /// Returns which dots the batch contains.
    #[inline(always)]
    pub fn dots(&self) -> FoundDots {
        self.dots
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[inline(always)]
    pub fn set_dots(&mut self, dots: FoundDots) {
        self.dots = dots;
    }

    #[inline(always)]
    pub fn reach(&mut self, end: usize) {
        self.end = end;
    }

    #[inline(always)]
    pub fn limit(&self) -> usize {
        self.start + Self::MAX_LENGTH
    }

    /// True if another step might not fit.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len > Self::MAX_CANDIDATES - Self::AT_ONCE
    }
}
