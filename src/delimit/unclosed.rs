//! Brackets that nothing closes: what one walk has found out, the next ones do not look for again (D4.2).
//!
//! A walk goes on behind an opener until something closes it, to the end of the run if need be; then the URI ends before
//! the opener, and the next one may start right behind it. In a row of `http://a/[x=` every walk would go to the end of
//! the row. So what was still open at the end of a walk is known from then on, by the rules that decided where that end
//! was: each byte is walked over once for each set of rules, and once for each candidate that it belongs to.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::escape::EscapeDialect;
use super::run::MarkRule;

/// What says where a walk stops, besides the characters, the options, and what was before the opener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WalkRules {
    /// Whether only ASCII is in it (D2.2).
    pub opaque: bool,
    pub dialect: EscapeDialect,
    /// Whether a `<…>` may be in it.
    pub sici: bool,
    /// Whether a bar ends it, for what opened before the URI has a label.
    pub label: bool,
    pub marks: MarkRule,
    /// Whether a `"` ends it, for it is in a string.
    pub in_string: bool,
    pub text: WalkedText,
    pub closers: Closers,
}

/// What closes what opened before the URI. So few characters are compared faster here than by a call of `memcmp`, and each
/// walk compares them with all that is known.
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

/// Which text a walk goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkedText {
    /// The source.
    Source,
    /// The source up to an escape that has to be decoded first: an opener was not closed before that.
    Escaped,
    Decoded(EscapeDialect),
    Refanged,
    Unschemed,
    /// Lines or literals that were joined, which have bounds of their own.
    Joined,
}

/// How many sets of rules are told apart; more than these in one run begin to repeat work.
const MOST_RULES: usize = 32;
/// How far apart the openers are that are known by the same rules, in words of the bit set: more than 1 MiB, how far a walk
/// goes by default. All sets take 4 MiB at most.
const MOST_WORDS: usize = (1 << 20) / 64 + 64;

/// The openers that are known to be never closed, as source offsets.
#[derive(Clone, Debug, Default)]
pub(super) struct UnclosedBrackets {
    /// The oldest rules first.
    known: Vec<(WalkRules, OffsetSet)>,
}

impl UnclosedBrackets {
    /// Notes what was open at the end of a walk by these rules: `openers` are in order.
    pub fn add(&mut self, rules: WalkRules, openers: impl Iterator<Item = usize>) {
        let mut openers = openers.peekable();
        if rules.text == WalkedText::Joined || openers.peek().is_none() {
            return;
        }
        let at = match self.at(rules) {
            Some(at) => at,
            None => {
                if self.known.len() == MOST_RULES {
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

    /// What a walk by these rules may rely on, until the next [`UnclosedBrackets::add`].
    ///
    /// A walk that nothing before the URI can end goes as far as any.
    pub fn of(&self, rules: WalkRules) -> KnownOpeners {
        let free = WalkRules { closers: Closers::NONE, ..rules };
        KnownOpeners { ended: self.at(rules), free: self.at(free) }
    }

    fn at(&self, rules: WalkRules) -> Option<usize> {
        self.known.iter().position(|(known, _)| *known == rules)
    }

    /// Whether one of these walks has found no closer for the opener at `at`.
    pub fn holds(&self, known: KnownOpeners, at: usize) -> bool {
        let holds = |set: usize| self.known.get(set).is_some_and(|(_, openers)| openers.holds(at));
        known.ended.is_some_and(holds) || known.free.is_some_and(holds)
    }
}

/// The openers that walks by the same rules have left open; where they are among all that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownOpeners {
    /// Of walks that the same closers could end.
    ended: Option<usize>,
    /// Of walks that no closer could end.
    free: Option<usize>,
}

/// Offsets that are near each other, a bit each: of a walk nearly all bytes may be openers.
#[derive(Clone, Debug, Default)]
struct OffsetSet {
    /// The number of the first word.
    first: usize,
    words: VecDeque<u64>,
}

impl OffsetSet {
    fn insert(&mut self, offset: usize) {
        let word = offset / 64;
        if self.words.is_empty() || word.abs_diff(self.first) > 2 * MOST_WORDS {
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
        while self.words.len() > MOST_WORDS {
            // what is far away from this offset
            match word - self.first < MOST_WORDS {
                true => drop(self.words.pop_back()),
                false => {
                    self.words.pop_front();
                    self.first += 1;
                }
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
        sici: false,
        label: false,
        marks: MarkRule::End,
        in_string: false,
        text: WalkedText::Source,
        closers: Closers::NONE,
    };

    fn holds(brackets: &UnclosedBrackets, rules: WalkRules, at: usize) -> bool {
        brackets.holds(brackets.of(rules), at)
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

    /// Against a plain set, of which what is far from the last one is not known any more.
    #[test]
    fn offsets() {
        let (mut offsets, mut all) = (OffsetSet::default(), Vec::new());
        let mut seed = 7_usize;
        for _ in 0..4000 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = (seed >> 33) % (200 * MOST_WORDS);
            offsets.insert(at);
            all.push(at);
            assert!(offsets.holds(at) && offsets.words.len() <= MOST_WORDS);
            assert!(!offsets.holds(at + 1) || all.contains(&(at + 1)), "{at}");
        }
        let near: Vec<usize> = (0..64 * MOST_WORDS - 64).step_by(7).collect();
        near.iter().rev().for_each(|&at| offsets.insert(at));
        assert!(near.iter().all(|&at| offsets.holds(at) && !offsets.holds(at + 3)));
    }
}
