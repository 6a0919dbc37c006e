//! Finds the end of a stretch of text without a wanted literal: the literal itself, or a byte after
//! which other rules apply.
//!
//! One pass looks for all of these. A search for the literal, two for the bytes that open a
//! wrapper, and a test for ASCII would read the same text four times.

#[cfg(target_arch = "x86_64")]
use super::prefetch::prefetch;

/// The bytes to look for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landmarks {
    /// Two bytes of the literal, with [`FOLD`] set, and how far the second is behind the first.
    pub pair: [u8; 2],
    pub distance: usize,
    /// Selects whether a `%` is a landmark, because it may encode a byte of the literal.
    pub percent: Percent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Percent {
    Ignored,
    Found,
}

/// The bit in which the two cases of a letter differ. Setting it makes some other bytes the same,
/// too, so a pair has to be compared with the literal.
pub(super) const FOLD: u8 = 0x20;

/// Bytes that open a wrapper or an escape, and the escape character of terminals. They differ in
/// their low nibble from each other, except `\` from `<`.
pub(super) const OPENERS: [u8; 5] = *b"<\"'\\\x1b";

/// Bytes per step of a vector kernel.
pub(super) const STEP: usize = 128;

impl Landmarks {
    fn is_stop(&self, byte: u8) -> bool {
        !byte.is_ascii()
            || OPENERS.contains(&byte)
            || byte == b'%' && self.percent == Percent::Found
    }

    /// True if the byte is an opener, an encoded byte, or not ASCII, or if it starts a pair.
    pub(super) fn is_at(&self, text: &[u8], at: usize) -> bool {
        let folded = |at: usize| text.get(at).map(|byte| byte | FOLD);
        let pair = [folded(at), folded(at + self.distance)];
        pair == self.pair.map(Some) || text.get(at).is_some_and(|byte| self.is_stop(*byte))
    }
}

/// Returns the first landmark from `at` on, or the length of the text.
pub(super) fn scalar(text: &[u8], at: usize, landmarks: &Landmarks) -> usize {
    (at..text.len()).find(|&at| landmarks.is_at(text, at)).unwrap_or(text.len())
}

/// Like [`scalar`]. The compiler vectorizes the test of a step for whatever machine it compiles
/// for.
pub(super) fn portable(text: &[u8], at: usize, landmarks: &Landmarks) -> usize {
    let [first, second] = landmarks.pair;
    let percent = match landmarks.percent {
        Percent::Found => b'%',
        // An opener anyway, so the comparison finds nothing more.
        Percent::Ignored => b'<',
    };
    let mut at = at;
    while let Some(here) = text.get(at..).and_then(|rest| rest.first_chunk::<STEP>())
        && let Some(there) = text.get(at + landmarks.distance..)
        && let Some(there) = there.first_chunk::<STEP>()
    {
        let is_landmark = |here: u8, there: u8| {
            let opener = OPENERS.iter().fold(false, |any, &opener| any | (here == opener));
            opener
                | (here == percent)
                | (here >= 0x80)
                | ((here | FOLD == first) & (there | FOLD == second))
        };
        let pairs = here.iter().zip(there);
        if pairs.fold(false, |any, (&here, &there)| any | is_landmark(here, there)) {
            return scalar(text, at, landmarks);
        }
        at += STEP;
    }
    scalar(text, at, landmarks)
}

/// Like [`scalar`], one step of vectors at a time. `found` returns a bit for each landmark among
/// the bytes of a step, given those at the distance of the pair.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn next(
    text: &[u8],
    at: usize,
    landmarks: &Landmarks,
    found: impl Fn(&[u8; STEP], &[u8; STEP]) -> u128,
) -> usize {
    let mut at = at;
    while let Some(here) = text.get(at..).and_then(|rest| rest.first_chunk())
        && let Some(there) = text.get(at + landmarks.distance..)
        && let Some(there) = there.first_chunk()
    {
        prefetch(text, at);
        prefetch(text, at + STEP / 2);
        let found = found(here, there);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += STEP;
    }
    scalar(text, at, landmarks)
}
