//! A search for few of the matches: candidates that can't give one of them are passed over.
//!
//! A search is a chain: what is found depends on where the finding before it ended. So candidates that were passed over are made up
//! for before one that may be wanted, all of them when they are few, else those behind the start of a line that is
//! [apart](crate::delimit::joint) from what is before it.

use core::ops::Range;

use super::findings::{Examined, Findings, Progress, Rest, Window};
use super::prefilter::{LONGEST_BEFORE, LookAhead, NEAR, Prefilter};
use super::{Finder, Finding};
use crate::scan::Candidate;

/// So many candidates that were passed over are made up for, one by one: to look for a line that is apart takes longer.
const NEXT_TO_NONE: usize = 2;
/// So many are, where there is no such line.
const FEW: usize = 12;
/// Behind so many in a row that may be wanted, no other is passed over for [`SHORT`].
const MANY: usize = 16;
/// Where many are wanted in a row, the next ones mostly are, too.
const SHORT: usize = 1024;
/// For so long no candidate is passed over where that does not pay.
const LONG: usize = 8192;
/// It gets twice as long so often.
const MOST_FAILURES: u32 = 4;
/// Where candidates are further apart, the search for all of them is as fast as one for literals.
const SPARSE: usize = 1024;
/// How many lines are looked at for one that is apart.
const MOST_LINES: usize = 32;

impl Finder {
    /// As [`find_in`](Finder::find_in); what a prefilter leaves out is no match that is wanted.
    #[inline]
    pub(crate) fn find_near<'f, 'h>(
        &'f self,
        window: impl Into<Window<'h>>,
        rest: Rest,
        prefilter: Option<&'f Prefilter>,
    ) -> NearFindings<'f, 'h> {
        let findings = self.find_in(window, rest);
        // what is before is of another window
        let from = findings.position();
        NearFindings {
            findings,
            prefilter,
            passed: Passed::default(),
            ahead: LookAhead::default(),
            all_until: 0,
            wanted: 0,
            leap: LeapState { due: from + NEAR, last: from, ..LeapState::default() },
        }
    }
}

/// Findings of a window, in order: all of them, or with a prefilter at least those that are wanted.
#[derive(Clone, Debug)]
pub(crate) struct NearFindings<'f, 'h> {
    findings: Findings<'f, 'h>,
    prefilter: Option<&'f Prefilter>,
    passed: Passed,
    ahead: LookAhead,
    /// No candidate before this is passed over.
    all_until: usize,
    /// How many in a row were not, though they could have been.
    wanted: usize,
    leap: LeapState,
}

/// When the text is searched for the next candidate that may be wanted.
#[derive(Clone, Debug, Default)]
struct LeapState {
    /// Where it is time for it.
    due: usize,
    /// Where it was done last, and how many candidates there were since.
    last: usize,
    candidates: usize,
    /// Where no candidate is wanted, as was found then.
    unwanted: Range<usize>,
    /// How often in a row it did not pay, or all were wanted.
    failures: u32,
}

/// The candidates that were passed over since the last one that was not.
#[derive(Clone, Debug, Default)]
struct Passed {
    /// The first of them, as many as there are.
    first: [Option<Candidate>; FEW],
    number: usize,
    last: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MadeUp {
    /// The search is where it would be without a prefilter.
    Done,
    /// It goes back to some of the candidates, and takes all of them.
    Again,
    /// More text is needed.
    Held,
}

impl Passed {
    #[inline(always)]
    fn add(&mut self, candidate: Candidate) {
        if let Some(free) = self.first.get_mut(self.number) {
            *free = Some(candidate);
        }
        self.number += 1;
        self.last = candidate.at;
    }
}

impl<'h> NearFindings<'_, 'h> {
    pub fn progress(&self) -> Progress {
        self.findings.progress()
    }

    fn next_near(&mut self, prefilter: &Prefilter) -> Option<Finding<'h>> {
        let text = self.findings.haystack;
        let is_last = self.findings.rest == Rest::End;
        loop {
            if !self.findings.leave_run() {
                return None;
            }
            let mut from = self.findings.position();
            if self.passed.number > 0 {
                from = from.max(self.passed.last + 1);
            } else if from < self.all_until {
                // the next finding, wherever it is
                self.leap.candidates += 1;
                return self.findings.next();
            }
            if from >= self.leap.due.max(self.all_until) {
                self.leap(prefilter, from);
                continue;
            }
            let Some(candidate) = self.findings.next_candidate(from) else {
                if self.passed.number == 0 || is_last && self.findings.until >= text.len() {
                    self.findings.reach_end();
                    return None;
                }
                // the next window may have the rest of a match
                if self.make_up(prefilter, self.findings.until.min(text.len())) == MadeUp::Held {
                    return None;
                }
                continue;
            };
            self.leap.candidates += 1;
            let is_kept = candidate.at < self.all_until;
            if !is_kept
                && (self.leap.unwanted.contains(&candidate.at)
                    || !prefilter.wants(text, is_last, candidate, &mut self.ahead))
            {
                self.wanted = 0;
                self.passed.add(candidate);
                continue;
            }
            self.wanted += usize::from(!is_kept);
            if self.wanted == MANY {
                self.wanted = 0;
                self.take_all(candidate.at, SHORT);
            }
            if self.passed.number > 0 {
                match self.make_up(prefilter, candidate.at) {
                    MadeUp::Done if !self.findings.leave_run() => return None,
                    MadeUp::Done if candidate.at < self.findings.position() => continue,
                    MadeUp::Done => {}
                    MadeUp::Again => {
                        self.all_until = candidate.at + 1;
                        continue;
                    }
                    MadeUp::Held => return None,
                }
            }
            match self.findings.decide(candidate) {
                Examined::Finding(finding) => return Some(finding),
                Examined::Nothing => {}
                Examined::Uncertain => return None,
            }
        }
    }

    /// Goes to a line near the next candidate that may be wanted, when it is far enough from `from`; nothing is looked for
    /// where candidates are so rare that the search for them is the faster one.
    #[cold]
    fn leap(&mut self, prefilter: &Prefilter, from: usize) {
        self.leap.due = from + NEAR;
        if from >= self.leap.last + NEAR {
            let candidates = core::mem::take(&mut self.leap.candidates);
            let last = core::mem::replace(&mut self.leap.last, from);
            if from - last > SPARSE * candidates {
                return self.take_all(from, LONG);
            }
        }
        let text = self.findings.haystack;
        let position = self.findings.position();
        let to = prefilter.leap(text, position, from, &mut self.ahead).min(self.findings.until);
        if to > from {
            self.leap.due = to + 1;
            self.leap.unwanted = from + LONGEST_BEFORE..to;
        }
        if to > from + NEAR
            && let Some(line) = prefilter.line_apart(text, position, to, MOST_LINES)
            && line > from + NEAR
        {
            self.findings.skip_to(line);
            self.passed = Passed::default();
            self.wanted = 0;
            self.all_until = to;
            self.leap = LeapState { due: to + 1, last: to, ..LeapState::default() };
        }
    }

    /// For `long` no candidate behind `from` is passed over, and for longer each time in a row.
    fn take_all(&mut self, from: usize, long: usize) {
        self.all_until = from + (long << self.leap.failures.min(MOST_FAILURES));
        self.leap.failures += 1;
    }

    /// Brings the search up to `near`, behind the candidates that were passed over.
    fn make_up(&mut self, prefilter: &Prefilter, near: usize) -> MadeUp {
        let number = core::mem::take(&mut self.passed.number);
        let from = self.findings.position();
        let text = self.findings.haystack;
        let line = match number {
            ..=NEXT_TO_NONE => None,
            _ => prefilter.line_apart(text, from, near, MOST_LINES),
        };
        if let Some(line) = line {
            self.findings.skip_to(line);
        }
        if self.passed.last < line.unwrap_or(from) {
            return MadeUp::Done;
        }
        if number <= FEW {
            let mut first = self.passed.first.iter().take(number).flatten().copied();
            let made_up = first.all(|candidate| {
                self.findings.leave_run()
                    && (candidate.at < self.findings.position()
                        || !matches!(self.findings.decide(candidate), Examined::Uncertain))
            });
            return if made_up { MadeUp::Done } else { MadeUp::Held };
        }
        self.all_until = self.passed.last + 1;
        self.findings.scan_from(self.findings.position());
        MadeUp::Again
    }
}

impl<'h> Iterator for NearFindings<'_, 'h> {
    type Item = Finding<'h>;

    #[inline(always)]
    fn next(&mut self) -> Option<Finding<'h>> {
        match self.prefilter {
            None => self.findings.next(),
            Some(prefilter) => self.next_near(prefilter),
        }
    }
}
