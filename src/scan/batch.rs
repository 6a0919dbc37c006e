//! What a kernel has found, some at a time.

/// The bytes of a block of text at which a candidate may be, in order, and perhaps others.
///
/// Leaving the loop over the text at each of them would cost more than searching the bytes in between.
#[derive(Clone, Copy, Debug)]
pub(super) struct CandidateBatch {
    start: usize,
    /// Counted from `start`.
    found: [u16; Self::MOST],
    len: usize,
    given: usize,
    /// All before it were found.
    end: usize,
    dots: FoundDots,
}

/// Which dots between labels a kernel gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoundDots {
    All,
    /// The first one of each word that may be a host, and some before digits.
    Sifted,
}

impl CandidateBatch {
    /// Few, since each text has a batch and many texts are short.
    const MOST: usize = 192;
    /// The most that are pushed between two calls of [`Self::is_full`].
    const AT_ONCE: usize = 128;
    /// How far a batch goes: what it holds fits into two bytes each.
    const LONGEST: usize = 8192;

    #[inline(always)]
    pub fn new() -> Self {
        Self { start: 0, found: [0; Self::MOST], len: 0, given: 0, end: 0, dots: FoundDots::All }
    }

    #[inline(always)]
    pub fn next(&mut self) -> Option<usize> {
        let found = self.found.get(..self.len)?.get(self.given)?;
        self.given += 1;
        Some(self.start + usize::from(*found))
    }

    /// One past the bytes that were searched.
    #[inline(always)]
    pub fn end(&self) -> usize {
        self.end
    }

    /// Forgets what was found, to go on at `from`.
    #[inline(always)]
    pub fn restart(&mut self, from: usize) {
        (self.start, self.len, self.given, self.end) = (from, 0, 0, from);
    }

    /// Takes those among 64 bytes, bit `n` for the byte `base + n`, of which there are `FEW` at most, mostly.
    #[inline(always)]
    pub fn push<const FEW: usize>(&mut self, base: usize, mut bits: u64) {
        let base = base.wrapping_sub(self.start) as u16;
        // a variable of its own: in memory each would wait for the one before it
        let mut len = self.len;
        loop {
            // where there are fewer these are written, too, but not counted: that needs no branch
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

    /// Takes what `push` writes behind those there are: of all of them, their count, and what `base` is written as, it gives
    /// how many there are then.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[inline(always)]
    pub fn push_by(&mut self, base: usize, push: impl FnOnce(&mut [u16], usize, u16) -> usize) {
        self.len = push(&mut self.found, self.len, base.wrapping_sub(self.start) as u16);
    }

    /// Which dots it holds.
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
        self.start + Self::LONGEST
    }

    /// Whether there may be no room for those of another step.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len > Self::MOST - Self::AT_ONCE
    }
}
