//! Lines and columns, counted as the search goes on.
//!
//! Invariant: places are asked for in order, and never before bytes that were dropped.

use memchr::{memchr_iter, memrchr};

use super::offsets::Offsets;

/// Where something stands: both count from 1, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line; `\n` ends one.
    pub line: u64,
    /// The column, in bytes.
    pub column: u64,
}

/// Counts lines up to the last place asked for.
#[derive(Clone, Debug)]
pub struct Lines {
    line: u64,
    /// Offset in the source of the first byte of that line.
    start: u64,
    /// Absolute offset up to which line ends were counted.
    counted: u64,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            line: 1,
            start: 0,
            counted: 0,
        }
    }
}

impl Lines {
    /// The place of `window[at]`, where `window` starts at the absolute offset `base`.
    pub fn place(&mut self, window: &[u8], base: u64, at: usize, offsets: &dyn Offsets) -> Place {
        self.count_to(window, base, at, offsets);
        Place {
            line: self.line,
            column: offsets.source(base + at as u64).saturating_sub(self.start) + 1,
        }
    }

    /// The same, where the place may also stand before the one that was last asked for.
    pub fn place_anywhere(
        &mut self,
        window: &[u8],
        base: u64,
        at: usize,
        offsets: &dyn Offsets,
    ) -> Place {
        let counted = usize::try_from(self.counted.saturating_sub(base)).unwrap_or(usize::MAX);
        if let Some(back) = window.get(at..counted)
            && let Some(before) = window.get(..at)
            && memrchr(b'\n', back).is_some()
        {
            self.line -= memchr_iter(b'\n', back).count() as u64;
            // a document starts with a line
            let start = memrchr(b'\n', before).map_or(0, |newline| newline + 1);
            self.start = offsets.source(base + start as u64);
            self.counted = base + at as u64;
        }
        self.place(window, base, at, offsets)
    }

    /// Counts up to `window[at]`; to be called before bytes are dropped.
    pub fn count_to(&mut self, window: &[u8], base: u64, at: usize, offsets: &dyn Offsets) {
        let from = usize::try_from(self.counted.saturating_sub(base)).unwrap_or(usize::MAX);
        let Some(new) = window.get(from..at) else {
            return;
        };
        if let Some(last) = memrchr(b'\n', new) {
            self.line += memchr_iter(b'\n', new).count() as u64;
            self.start = offsets.source(base + (from + last) as u64 + 1);
        }
        self.counted = base + at as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::super::offsets::Plain;
    use super::*;

    #[test]
    fn same_for_every_cut() {
        let text = b"ab\n\ncd\r\ne\nfgh";
        for cut in 0..=text.len() {
            let mut lines = Lines::default();
            for at in 0..text.len() {
                let before = &text[..at];
                let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
                let column = (at
                    - before
                        .iter()
                        .rposition(|&byte| byte == b'\n')
                        .map_or(0, |nl| nl + 1)) as u64
                    + 1;
                if at == cut {
                    lines.count_to(text, 0, cut, &Plain(()));
                }
                let base = if at >= cut { cut } else { 0 };
                let place = lines.place(&text[base..], base as u64, at - base, &Plain(()));
                assert_eq!(place, Place { line, column }, "at {at}, cut {cut}");
            }
        }
    }
}
