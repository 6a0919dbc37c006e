//! Remembers brackets without a closer, so that walks do not search for the closers again (D4.2).
//!
//! A walk continues after an opener until something closes it, if need be to the end of the run.
//! Then the URI ends before the opener, and the next one may start directly after it. In a row of
//! `http://a/[x=`, every walk would reach the end of the row. So the openers left open at the end
//! of a walk are recorded, with the rules that decided where it ended. Each byte is walked once per
//! set of rules, and once per candidate that contains it.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::colour::TextStyles;
use super::escape::EscapeDialect;
use super::run::MarkRule;

/// Rules that decide where a walk stops, besides the characters, the options, and the text before
/// the opener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WalkRules {
    /// Only ASCII is allowed (D2.2).
    pub opaque: bool,
    pub dialect: EscapeDialect,
    /// Its closer ends the walk.
    pub style: TextStyles,
    /// A `<…>` is allowed.
    pub sici: bool,
    /// A bar ends the walk, because the wrapper may contain a label.
    pub label: bool,
    pub marks: MarkRule,
    /// A `"` ends the walk, because the URI is in a string.
    pub in_string: bool,
    pub text: WalkedText,
    pub closers: Closers,
}

/// Closers of the wrapper before the URI. Compared by a loop, which is faster than a call of
/// `memcmp` for so few characters; each walk compares them with all recorded rules.
#[derive(Clone, Copy, Debug, Eq)]
pub(super) struct Closers(pub &'static [char]);

impl Closers {
    pub const NONE: Self = Self(&[]);
}

impl PartialEq for Closers {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(other.0).all(|(a, b)| a == b)
    }
}

/// The text that a walk reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkedText {
    /// The source.
    Source,
    /// The source up to an escape that must be decoded first: the opener was not closed before the
    /// escape.
    Escaped,
    Decoded(EscapeDialect),
    Refanged,
    Unschemed,
    /// Joined lines or literals, which are bounded by themselves.
    Joined,
}

/// Maximum number of recorded sets of rules. If a run has more, walks repeat work.
const MAX_RULES: usize = 32;
/// Largest distance between openers recorded for the same rules, in words of the bit set. Covers
/// more than 1 MiB, the default limit of a walk. All sets together hold at most 4.1 MiB of words;
/// `VecDeque` may reserve up to four times as much.
const MAX_WORDS: usize = (1 << 20) / 64 + 64;

/// Source offsets of openers that are known to be unclosed.
#[derive(Clone, Debug, Default)]
pub(super) struct UnclosedBrackets {
    /// Oldest rules first.
    known: Vec<(WalkRules, OffsetSet)>,
}

impl UnclosedBrackets {
    /// Records the openers left open by a walk with these rules. `openers` must be in ascending
    /// order.
    pub fn add(&mut self, rules: WalkRules, openers: impl Iterator<Item = usize>) {
        let mut openers = openers.peekable();
        if rules.text == WalkedText::Joined || openers.peek().is_none() {
            return;
        }
        let at = match self.at(rules) {
            Some(at) => at,
            None => {
                if self.known.len() == MAX_RULES {
                    // The oldest set is the one that the walk has most likely left behind.
                    self.known.remove(0);
                }
                self.known.push((rules, OffsetSet::default()));
                self.known.len() - 1
            }
        };
        if let Some((_, known)) = self.known.get_mut(at) {
            openers.for_each(|opener| known.insert(opener));
        }
    }

    /// Returns the records that a walk with these rules may use, until the next
    /// [`UnclosedBrackets::add`].
    ///
    /// A walk that no closer could end went at least as far as any other, so its records are valid
    /// too.
    pub fn openers(&self, rules: WalkRules) -> KnownOpeners {
        let free = WalkRules { closers: Closers::NONE, ..rules };
        KnownOpeners { ended: self.at(rules), free: self.at(free) }
    }

    fn at(&self, rules: WalkRules) -> Option<usize> {
        self.known.iter().position(|(known, _)| *known == rules)
    }

    /// True if one of these walks found no closer for the opener at `at`.
    pub fn holds(&self, known: KnownOpeners, at: usize) -> bool {
        let holds = |set: usize| self.known.get(set).is_some_and(|(_, openers)| openers.holds(at));
        known.ended.is_some_and(holds) || known.free.is_some_and(holds)
    }
}

/// Indices of the records for one set of rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownOpeners {
    /// Records of walks that the same closers could end.
    ended: Option<usize>,
    /// Records of walks that no closer could end.
    free: Option<usize>,
}

/// A set of nearby offsets, one bit each: nearly all bytes of a walk may be openers.
#[derive(Clone, Debug, Default)]
struct OffsetSet {
    /// Number of the first word.
    first: usize,
    words: VecDeque<u64>,
}

impl OffsetSet {
    fn insert(&mut self, offset: usize) {
        let word = offset / 64;
        // Far from all known offsets: start a new set. Without this, the loops below would add all
        // the empty words in between.
        if self.words.is_empty() || word.abs_diff(self.first) > 2 * MAX_WORDS {
            self.words.clear();
            self.first = word;
        }
        while word < self.first {
            self.words.push_front(0);
            self.first -= 1;
        }
        while word - self.first >= self.words.len() {
            self.words.push_back(0);
        }
        if let Some(bits) = self.words.get_mut(word - self.first) {
            *bits |= 1 << (offset % 64);
        }
        while self.words.len() > MAX_WORDS {
            // Drop the words at the end that is farther from this offset.
            if word - self.first < MAX_WORDS {
                self.words.pop_back();
            } else {
                self.words.pop_front();
                self.first += 1;
            }
        }
    }

    fn holds(&self, offset: usize) -> bool {
        let word = (offset / 64).checked_sub(self.first).and_then(|at| self.words.get(at));
        word.is_some_and(|bits| bits >> (offset % 64) & 1 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: WalkRules = WalkRules {
        opaque: false,
        dialect: EscapeDialect::Plain,
        style: TextStyles::NONE,
        sici: false,
        label: false,
        marks: MarkRule::End,
        in_string: false,
        text: WalkedText::Source,
        closers: Closers::NONE,
    };

    fn holds(brackets: &UnclosedBrackets, rules: WalkRules, at: usize) -> bool {
        brackets.holds(brackets.openers(rules), at)
    }

    #[test]
    fn what_was_found_stays_known() {
        let mut brackets = UnclosedBrackets::default();
        brackets.add(RULES, [1000, 2000, 3000].into_iter());
        brackets.add(RULES, [12, 15].into_iter());
        brackets.add(RULES, core::iter::empty());
        for (at, is_known) in
            [(10, false), (12, true), (15, true), (1000, true), (3000, true), (3001, false)]
        {
            assert_eq!(holds(&brackets, RULES, at), is_known, "{at}");
        }
    }

    #[test]
    fn a_closer_says_nothing_of_others() {
        let mut brackets = UnclosedBrackets::default();
        let quoted = WalkRules { closers: Closers(&['"']), ..RULES };
        brackets.add(quoted, [1].into_iter());
        assert!(holds(&brackets, quoted, 1) && !holds(&brackets, RULES, 1));
        brackets.add(RULES, [2].into_iter());
        assert!(holds(&brackets, quoted, 2) && holds(&brackets, RULES, 2));
        assert!(!holds(&brackets, WalkRules { opaque: true, ..RULES }, 2));
    }

    /// Compares with a plain set, except for offsets far from the last one, which are forgotten.
    #[test]
    fn offsets() {
        let (mut offsets, mut all) = (OffsetSet::default(), Vec::new());
        let mut seed = 7_usize;
        for _ in 0..4000 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = (seed >> 33) % (200 * MAX_WORDS);
            offsets.insert(at);
            all.push(at);
            assert!(offsets.holds(at) && offsets.words.len() <= MAX_WORDS);
            assert!(!offsets.holds(at + 1) || all.contains(&(at + 1)), "{at}");
        }
        let near: Vec<usize> = (0..64 * MAX_WORDS - 64).step_by(7).collect();
        near.iter().rev().for_each(|&at| offsets.insert(at));
        assert!(near.iter().all(|&at| offsets.holds(at) && !offsets.holds(at + 3)));
    }
}
