//! Searches for any of a set of ASCII strings, ignoring case.

use aho_corasick::packed::{Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, Input, Span};

use super::kernel::{KernelLoops, LandmarkLoop};
use super::landmark::{FOLD, Landmarks, OPENERS, Percent};
use crate::slice::SliceExt;

/// Bytes of a literal that the searcher matches in all spellings; the rest is compared where they
/// match.
const FRAGMENT: usize = 4;
/// The bytes of a literal among which a pair is chosen.
const MAX_PAIR_DISTANCE: usize = 32;
/// Most patterns for Teddy; beyond that, an automaton is used.
const MAX_PATTERNS: usize = 64;

/// ASCII strings to be found regardless of case.
#[derive(Clone, Debug)]
pub(crate) struct Literals {
    finder: LiteralFinder,
    literals: Vec<Literal>,
}

/// The reason why a stretch without the literal ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StretchEnd {
    /// The literal, or an encoded byte of it.
    Literal(usize),
    /// A byte that opens a wrapper or an escape, that is not ASCII, or the end of the text.
    Other(usize),
}

/// Finds the end of a stretch without the only literal that is not an encoded byte.
#[derive(Clone, Debug)]
pub(crate) struct StretchFinder {
    landmarks: Landmarks,
    next: LandmarkLoop,
    /// The literal, and the offset in it of the first byte of the pair.
    literal: Literal,
}

#[derive(Clone, Debug)]
enum LiteralFinder {
    /// Teddy with every spelling of each fragment.
    Packed(Searcher),
    /// An automaton of the fragments, for too many spellings or machines without vectors.
    Automaton(AhoCorasick),
}

#[derive(Clone, Debug)]
struct Literal {
    text: Vec<u8>,
    /// Offset of its fragment in it.
    before: usize,
}

impl Literals {
    /// Returns `None` for an empty set, and for one with a literal of less than two bytes, which
    /// would match everywhere.
    pub fn new(literals: impl IntoIterator<Item = Vec<u8>>) -> Option<Self> {
        let literal = |text: Vec<u8>| Literal { before: rarest(&text), text };
        let literals: Vec<_> = literals.into_iter().map(literal).collect();
        if literals.is_empty() || literals.iter().any(|literal| literal.text.len() < 2) {
            return None;
        }
        let fragments = || literals.iter().map(Literal::fragment);
        // Teddy matches exact bytes, so each spelling of a fragment is a pattern of its own: up to
        // 16 for four letters.
        let spellings: Vec<_> = fragments().flat_map(spellings).collect();
        let packed = if spellings.len() <= MAX_PATTERNS {
            let mut config = Config::new();
            config.match_kind(MatchKind::LeftmostFirst).builder().extend(spellings).build()
        } else {
            None
        };
        let automaton = || AhoCorasick::builder().ascii_case_insensitive(true).build(fragments());
        let finder = match packed {
            Some(searcher) => LiteralFinder::Packed(searcher),
            None => LiteralFinder::Automaton(automaton().ok()?),
        };
        Some(Self { finder, literals })
    }

    /// Returns a byte of the first literal whose fragment starts at or after `from`. Literals are
    /// found in the order of their fragments.
    pub fn find(&self, text: &[u8], from: usize) -> Option<usize> {
        let mut from = from;
        while from < text.len() {
            let start = match &self.finder {
                LiteralFinder::Packed(finder) => {
                    finder.find_in(text, Span::from(from..text.len()))?.start()
                }
                LiteralFinder::Automaton(finder) => {
                    finder.find(Input::new(text).range(from..))?.start()
                }
            };
            if self.literals.iter().any(|literal| literal.is_around(text, start)) {
                return Some(start);
            }
            // The fragment matched, but not the rest of its literal.
            from = start + 1;
        }
        None
    }
}

impl StretchFinder {
    /// Returns `None` for a literal of one byte.
    pub fn new(literal: &[u8], percent: Percent, loops: &KernelLoops) -> Option<Self> {
        let [first, second] = rarest_pair(literal)?;
        let folded = |at: usize| literal.get(at).map(|byte| byte | FOLD);
        let landmarks = Landmarks {
            pair: [folded(first)?, folded(second)?],
            distance: second - first,
            percent,
        };
        let literal = Literal { text: literal.to_vec(), before: first };
        Some(Self { landmarks, next: loops.landmark, literal })
    }

    /// Returns the end of the stretch from `from` on. The literal may start before that, at
    /// `before` or later.
    pub fn end(&self, text: &[u8], before: usize, from: usize) -> StretchEnd {
        let mut at = before;
        loop {
            at = (self.next)(text, at, &self.landmarks);
            match text.get(at) {
                Some(_) if self.literal.is_around(text, at) => return StretchEnd::Literal(at),
                Some(b'%') if self.is_encoded(text.clamped(at + 1..)) => {
                    return StretchEnd::Literal(at);
                }
                // Neither a pair of another word nor an encoded byte that the literal does not have
                // ends it.
                Some(&byte) if at < from || byte.is_ascii() && !OPENERS.contains(&byte) => {}
                _ => return StretchEnd::Other(at),
            }
            at += 1;
        }
    }

    /// True if the two digits after a `%` encode a byte of the literal, in either case, or one of a
    /// character that may be mapped to ASCII.
    fn is_encoded(&self, digits: &[u8]) -> bool {
        let digit = |at: usize| digits.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let encoded = digit(0).zip(digit(1)).map(|(high, low)| (high * 16 + low) as u8);
        let is_wanted = |encoded: u8| {
            let is = |byte: &u8| encoded.eq_ignore_ascii_case(byte);
            !encoded.is_ascii() || self.literal.text.iter().any(is)
        };
        self.landmarks.percent == Percent::Found && encoded.is_some_and(is_wanted)
    }
}

impl Literal {
    fn fragment(&self) -> &[u8] {
        self.text.clamped(self.before..self.before + FRAGMENT)
    }

    /// True if `text` contains the literal with its fragment at `at`.
    fn is_around(&self, text: &[u8], at: usize) -> bool {
        let start = at.checked_sub(self.before);
        let there = start.and_then(|start| text.get(start..start + self.text.len()));
        there.is_some_and(|there| there.eq_ignore_ascii_case(&self.text))
    }
}

/// Returns the offset of the fragment that is rarest in texts.
fn rarest(literal: &[u8]) -> usize {
    let windows = literal.windows(FRAGMENT.min(literal.len()).max(1)).enumerate();
    let rarity = |window: &[u8]| window.iter().copied().map(rarity).sum::<usize>();
    windows.max_by_key(|(_, window)| rarity(window)).map_or(0, |(start, _)| start)
}

/// Returns the offsets of the two bytes that are rarest in texts.
fn rarest_pair(literal: &[u8]) -> Option<[usize; 2]> {
    let by_rarity = |&at: &usize| literal.get(at).map(|&byte| rarity(byte));
    // A kernel reads that far after the first one.
    let places = 0..literal.len().min(MAX_PAIR_DISTANCE);
    let first = places.clone().max_by_key(by_rarity)?;
    let second = places.filter(|at| *at != first).max_by_key(by_rarity)?;
    Some([first.min(second), first.max(second)])
}

/// Rates how rare a byte is in texts with URIs, approximately.
fn rarity(byte: u8) -> usize {
    // From the most frequent letter of English to the rarest.
    const LETTERS: &[u8] = b"etaoinsrhldcumpfgwybvkxjqz";
    let letter = |&known: &u8| known == byte.to_ascii_lowercase();
    match byte {
        b'.' | b'/' | b'-' => 4,
        b'0'..=b'9' => 12,
        _ => LETTERS.iter().position(letter).unwrap_or(16),
    }
}

/// Returns `fragment` in all spellings.
fn spellings(fragment: &[u8]) -> Vec<Vec<u8>> {
    let mut spellings = vec![Vec::new()];
    for byte in fragment {
        let (lower, upper) = (byte.to_ascii_lowercase(), byte.to_ascii_uppercase());
        let mut others = spellings.clone();
        spellings.iter_mut().for_each(|spelling| spelling.push(lower));
        if lower != upper {
            others.iter_mut().for_each(|spelling| spelling.push(upper));
            spellings.append(&mut others);
        }
    }
    spellings
}

#[cfg(test)]
mod tests {
    use super::super::Kernel;
    use super::*;
    use proptest::prelude::*;

    fn naive(literals: &[String], text: &[u8], from: usize) -> bool {
        let is = |start: usize| {
            let starts = |literal: &String| {
                text.get(start..start + literal.len())
                    .is_some_and(|there| there.eq_ignore_ascii_case(literal.as_bytes()))
            };
            literals.iter().any(starts)
        };
        (from..text.len()).any(is)
    }

    #[test]
    fn spellings_of_a_fragment() {
        assert_eq!(spellings(b"a:B").len(), 4);
        assert!(Literals::new([]).is_none() && Literals::new([b"a".to_vec()]).is_none());
    }

    proptest! {
        /// No literal is missed, and every match is one.
        #[test]
        fn as_the_naive_search(
            literals in proptest::collection::vec("[a-dA-D:.]{2,7}", 1..12),
            text in "[a-dA-D:. ]{0,90}",
        ) {
            let text = text.as_bytes();
            let Some(set) = Literals::new(literals.iter().map(|l| l.clone().into_bytes())) else {
                return Err(TestCaseError::fail("they are long enough"));
            };
            let mut from = 0;
            while let Some(at) = set.find(text, from) {
                prop_assert!(at >= from);
                prop_assert!(set.literals.iter().any(|literal| literal.is_around(text, at)));
                from = at + 1;
            }
            prop_assert!(!naive(&literals, text, from));
        }
    }

    fn naive_end(text: &[u8], before: usize, from: usize, percent: Percent) -> StretchEnd {
        let literal = b"one.host";
        let [first, _] = rarest_pair(literal).unwrap();
        let is_literal = |at: usize| {
            let there =
                at.checked_sub(first).and_then(|start| text.get(start..start + literal.len()));
            there.is_some_and(|there| there.eq_ignore_ascii_case(literal))
        };
        let is_encoded = |at: usize| {
            let byte = crate::percent::octet(text, at);
            byte.is_some_and(|byte| {
                !byte.is_ascii() || literal.contains(&byte.to_ascii_lowercase())
            })
        };
        let is_stop = |byte: u8| !byte.is_ascii() || OPENERS.contains(&byte);
        for (at, &byte) in text.iter().enumerate().skip(before) {
            if is_literal(at) || percent == Percent::Found && is_encoded(at) {
                return StretchEnd::Literal(at);
            }
            if at >= from && is_stop(byte) {
                return StretchEnd::Other(at);
            }
        }
        StretchEnd::Other(text.len())
    }

    proptest! {
        #[test]
        fn stretches_end_where_a_loop_ends_them(
            text in "(one[.]host|ONE[.]Host|one-host|h[.]o|e[.]h|%6f|%4F|%e3|%2|%7a|%|<|'|é|http://a/b?c\n|[a-z ]{0,90}){0,12}",
            before in 0usize..150,
            more in 0usize..80,
        ) {
            let text = text.as_bytes();
            let before = before.min(text.len());
            for percent in [Percent::Found, Percent::Ignored] {
                for kernel in [Kernel::Portable, Kernel::Avx2, Kernel::Avx512] {
                    let finder = StretchFinder::new(b"one.host", percent, &kernel.loops()).unwrap();
                    let expected = naive_end(text, before, before + more, percent);
                    prop_assert_eq!(finder.end(text, before, before + more), expected);
                }
            }
        }
    }
}
