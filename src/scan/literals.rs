//! Searches for any of a set of ASCII strings, ignoring case.

use aho_corasick::packed::{Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, Input, Span};

use crate::slice::SliceExt;

/// Bytes of a literal that the searcher matches in all spellings; the rest is compared where they
/// match.
const FRAGMENT: usize = 4;
/// Most patterns for Teddy; beyond that, an automaton is used.
const MOST_PATTERNS: usize = 64;

/// ASCII strings to be found regardless of case.
#[derive(Clone, Debug)]
pub(crate) struct Literals {
    finder: LiteralFinder,
    literals: Vec<Literal>,
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
        let packed = match spellings.len() <= MOST_PATTERNS {
            true => {
                let mut config = Config::new();
                config.match_kind(MatchKind::LeftmostFirst).builder().extend(spellings).build()
            }
            false => None,
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

/// Rates how rare a byte is in texts with URIs, approximately.
fn rarity(byte: u8) -> usize {
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
}
