//! Brackets that nothing closes: what one walk has found out, the next ones do not look for again (D4.2).
//!
//! A walk goes on behind an opener until something closes it, to the end of the run if need be; then the URI ends before
//! the opener, and the next one may start right behind it. In a row of `http://a/[x=` every walk would go to the end of
//! the row. So what was still open at the end of a walk is known from then on, by the rules that decided where that end
//! was: each byte is walked over once for each set of rules, and once for each candidate that it belongs to.

use alloc::vec::Vec;

use super::escape::EscapeDialect;

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
    /// What closes what opened before the URI.
    pub closers: &'static [char],
    pub text: WalkedText,
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
/// How many openers of a walk are kept: the nearest ones.
const MOST_OPENERS: usize = 16 << 10;

/// The openers that are known to be never closed, as source offsets.
#[derive(Clone, Debug, Default)]
pub(super) struct UnclosedBrackets {
    /// The oldest rules first; of the openers the last one first, so that those which the search has passed are at the end.
    known: Vec<(WalkRules, Vec<usize>)>,
}

impl UnclosedBrackets {
    /// Notes what was open at the end of a walk by these rules: `openers` are in order.
    pub fn add(&mut self, rules: WalkRules, openers: &[usize]) {
        let Some(&last) = openers.last() else { return };
        if rules.text == WalkedText::Joined {
            return;
        }
        let at = match self.known.iter().position(|(known, _)| *known == rules) {
            Some(at) => at,
            None => {
                if self.known.len() == MOST_RULES {
                    self.known.remove(0);
                }
                self.known.push((rules, Vec::new()));
                self.known.len() - 1
            }
        };
        let Some((_, known)) = self.known.get_mut(at) else { return };
        while known.last().is_some_and(|&nearest| nearest <= last) {
            known.pop();
        }
        if known.len() > MOST_OPENERS {
            known.clear();
        }
        known.extend(openers.iter().take(MOST_OPENERS).rev());
    }

    /// Whether a walk by these rules has found no closer for the opener at `at`.
    ///
    /// A walk that nothing before the URI can end goes as far as any.
    pub fn holds(&self, rules: WalkRules, at: usize) -> bool {
        let is_known = |(known, openers): &(WalkRules, Vec<usize>)| {
            (*known == rules || *known == WalkRules { closers: &[], ..rules })
                && openers.binary_search_by(|opener| at.cmp(opener)).is_ok()
        };
        self.known.iter().any(is_known)
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
        closers: &[],
        text: WalkedText::Source,
    };

    #[test]
    fn what_is_ahead_stays_known() {
        let mut brackets = UnclosedBrackets::default();
        brackets.add(RULES, &[10, 20, 30]);
        brackets.add(RULES, &[12, 15]);
        for (at, is_known) in
            [(10, false), (12, true), (15, true), (20, true), (30, true), (31, false)]
        {
            assert_eq!(brackets.holds(RULES, at), is_known, "{at}");
        }
        brackets.add(RULES, &[40]);
        assert!(brackets.holds(RULES, 40) && !brackets.holds(RULES, 30));
    }

    #[test]
    fn a_closer_says_nothing_of_others() {
        let mut brackets = UnclosedBrackets::default();
        let quoted = WalkRules { closers: &['"'], ..RULES };
        brackets.add(quoted, &[1]);
        assert!(brackets.holds(quoted, 1) && !brackets.holds(RULES, 1));
        brackets.add(RULES, &[2]);
        assert!(brackets.holds(quoted, 2) && brackets.holds(RULES, 2));
        assert!(!brackets.holds(WalkRules { opaque: true, ..RULES }, 2));
    }

    #[test]
    fn bounded() {
        let mut brackets = UnclosedBrackets::default();
        let many: Vec<usize> = (0..3 * MOST_OPENERS).collect();
        brackets.add(RULES, &many);
        assert!(brackets.holds(RULES, MOST_OPENERS - 1) && !brackets.holds(RULES, MOST_OPENERS));
    }
}
