//! Normalizes letter case and percent triplets (RFC 3986 §6.2.2.1, §6.2.2.2).

use alloc::string::String;

use memchr::memchr;

use crate::grammar::table;
use crate::percent;
use crate::slice::SliceExt;

/// The treatment of a triplet that encodes an unreserved character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Triplets {
    /// Decode it (RFC 3986 §6.2.2.2).
    Decoded,
    /// Keep it (RFC 8141 §3.1). Only its digits become upper case, like those of any other triplet.
    Kept,
}

/// The treatment of letters outside triplets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterCase {
    Kept,
    Lower,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SpellingRules {
    triplets: Triplets,
    letters: LetterCase,
}

impl SpellingRules {
    pub(super) const fn new(triplets: Triplets, letters: LetterCase) -> Self {
        Self { triplets, letters }
    }

    pub(super) const fn with(self, letters: LetterCase) -> Self {
        Self { letters, ..self }
    }
}

/// Appends `text`, a component of a URI, in its normal spelling.
pub(super) fn spell(text: &str, spelling: SpellingRules, out: &mut String) {
    let mut rest = text;
    while let Some((plain, tail)) =
        memchr(b'%', rest.as_bytes()).and_then(|at| rest.split_at_checked(at))
    {
        push(plain, spelling.letters, out);
        let Some(value) = percent::octet(tail.as_bytes(), 0) else {
            // Unreachable: parsing required two digits after each `%`.
            rest = tail;
            break;
        };
        if spelling.triplets == Triplets::Decoded && table::is_unreserved(value) {
            // The case of a decoded letter is folded as well: `%41` in a host is the same as `a`.
            let c = char::from(value);
            out.push(match spelling.letters {
                LetterCase::Kept => c,
                LetterCase::Lower => c.to_ascii_lowercase(),
            });
        } else {
            percent::push(value, out);
        }
        rest = tail.part(3..);
    }
    push(rest, spelling.letters, out);
}

fn push(plain: &str, letters: LetterCase, out: &mut String) {
    let start = out.len();
    out.push_str(plain);
    if letters == LetterCase::Lower
        && let Some(pushed) = out.get_mut(start..)
    {
        pushed.make_ascii_lowercase();
    }
}

/// Returns the offsets at which `a` and `b` differ, comparing normalized characters and triplets.
/// If one is a prefix of the other, returns their ends.
pub(super) fn parting(a: &str, b: &str, spelling: SpellingRules) -> (usize, usize) {
    // Equal bytes have equal spellings, except for a triplet that is cut at the end.
    let pairs = a.bytes().zip(b.bytes());
    let same = pairs.take_while(|(a, b)| a == b).count();
    // The texts may first differ inside a triplet, such as `%4a` and `%4A`. Go back to its start.
    let tail = same.saturating_sub(2);
    let whole = memchr(b'%', a.as_bytes().part(tail..same)).map_or(same, |at| tail + at);
    let (mut at_a, mut at_b) = (whole, whole);
    let mut next_a = String::new();
    let mut next_b = String::new();
    loop {
        let (width_a, width_b) =
            (character(a, at_a, spelling, &mut next_a), character(b, at_b, spelling, &mut next_b));
        // If one text has ended, the other has as well, or the two differ here.
        if next_a != next_b || width_a == 0 {
            return (at_a, at_b);
        }
        at_a += width_a;
        at_b += width_b;
    }
}

/// Puts the normalized character or triplet at `at` into `out`, and returns its length in `text`.
fn character(text: &str, at: usize, spelling: SpellingRules, out: &mut String) -> usize {
    out.clear();
    let rest = text.clamped(at..);
    let width = if rest.starts_with('%') { 3 } else { 1 }.min(rest.len());
    spell(rest.part(..width), spelling, out);
    width
}
