//! Searches for a restricted set of matches and skips candidates that cannot give one.
//!
//! A search is a chain: each finding starts at or after the end of the one before. Skipping a
//! candidate could therefore change a later, wanted match. Before a wanted candidate is delimited,
//! the skipped ones are replayed: all of them when they are few, otherwise only those after an
//! [independent line](crate::delimit::line_dependency), into which no URI continues from the text
//! before it.
//!
//! The result must equal the full search without the unwanted matches;
//! `tests/invariants/prefiltered.rs` compares both.

use core::ops::Range;

use super::findings::{Examined, Findings};
use super::prefilter::{LOOKBEHIND_BYTES, LiteralCursor, MIN_LEAP_BYTES, Prefilter};
use super::window::{Progress, Rest, Window};
use super::{Finder, Finding};
use crate::scan::Candidate;

/// Replay up to this many skipped candidates at once: searching for an independent line is slower
/// below that.
const MAX_REPLAYED_AT_ONCE: usize = 2;
/// Replay up to this many where no line is independent. Beyond it, the search rescans the text
/// instead.
const MAX_REPLAYED_CANDIDATES: usize = 12;
/// After this many wanted candidates in a row, skip none for [`SHORT_BACKOFF_BYTES`].
const MIN_WANTED_IN_A_ROW: usize = 16;
/// Bytes to search normally after a row of wanted candidates: the next ones mostly are wanted, too.
const SHORT_BACKOFF_BYTES: usize = 1024;
/// Bytes to search normally after skipping turned out slower.
const LONG_BACKOFF_BYTES: usize = 8192;
/// The most times that the back-off may double.
const MAX_BACKOFF_DOUBLINGS: u32 = 4;
/// If candidates are further apart than this on average, searching for literals is not faster.
const MIN_BYTES_PER_CANDIDATE: usize = 1024;
/// The most lines to try in the search for an independent one.
const MAX_LINES_TRIED: usize = 32;

impl Finder {
    /// Like [`find_in`](Finder::find_in), without some of the matches that `prefilter` does not
    /// want.
    #[inline]
    pub(crate) fn find_prefiltered<'f, 'h>(
        &'f self,
        window: impl Into<Window<'h>>,
        rest: Rest,
        prefilter: Option<&'f Prefilter>,
    ) -> PrefilteredFindings<'f, 'h> {
        let findings = self.find_in(window, rest);
        // The bytes before belong to the previous window, whose findings have been reported.
        let from = findings.position();
        PrefilteredFindings {
            findings,
            prefilter,
            skipped: SkippedCandidates::default(),
            ahead: LiteralCursor::default(),
            all_until: 0,
            wanted: 0,
            leap: LeapState { due: from + MIN_LEAP_BYTES, last: from, ..LeapState::default() },
        }
    }
}

/// The findings of a window in order. With a prefilter, all wanted ones and perhaps others.
#[derive(Clone, Debug)]
pub(crate) struct PrefilteredFindings<'f, 'h> {
    findings: Findings<'f, 'h>,
    prefilter: Option<&'f Prefilter>,
    skipped: SkippedCandidates,
    ahead: LiteralCursor,
    /// Skip no candidate before this offset.
    all_until: usize,
    /// Wanted candidates in a row, while skipping was possible.
    wanted: usize,
    leap: LeapState,
}

/// Schedule of searches for the next literal, and the result of the last one.
#[derive(Clone, Debug, Default)]
struct LeapState {
    /// The next offset at which to search.
    due: usize,
    /// The offset of the last search, and the number of candidates since.
    last: usize,
    candidates: usize,
    /// A range without wanted candidates, from the last search.
    unwanted: Range<usize>,
    /// Times in a row that skipping did not pay.
    failures: u32,
}

/// The candidates skipped since the last one that was delimited.
#[derive(Clone, Debug, Default)]
struct SkippedCandidates {
    /// The first few, for a replay without a new scan.
    first: [Option<Candidate>; MAX_REPLAYED_CANDIDATES],
    number: usize,
    last: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replay {
    /// The search is now where the full search would be.
    Done,
    /// The search went back and must now delimit every candidate up to the wanted one.
    Again,
    /// More text is needed.
    Held,
}

impl SkippedCandidates {
    #[inline(always)]
    fn add(&mut self, candidate: Candidate) {
        if let Some(free) = self.first.get_mut(self.number) {
            *free = Some(candidate);
        }
        self.number += 1;
        self.last = candidate.at;
    }
}

impl<'h> PrefilteredFindings<'_, 'h> {
    pub fn progress(&self) -> Progress {
        self.findings.progress()
    }

    fn next_prefiltered(&mut self, prefilter: &Prefilter) -> Option<Finding<'h>> {
        let text = self.findings.haystack;
        let is_last = self.findings.rest == Rest::End;
        // Searching for the wanted literals first was slower in prose, code, man pages and mail:
        // 1.2 to 4.8 times the time of the full search (docs/decisions/0003-prefilter.md). The
        // kernel therefore still searches for colons, and a look at the bytes around each one
        // decides.
        loop {
            if !self.findings.leave_run() {
                return None;
            }
            let mut from = self.findings.position();
            if self.skipped.number > 0 {
                from = from.max(self.skipped.last + 1);
            } else if from < self.all_until {
                // Inside a back-off the full search runs; its next finding may be anywhere.
                self.leap.candidates += 1;
                return self.findings.next();
            }
            if from >= self.leap.due.max(self.all_until) {
                self.leap(prefilter, from);
                continue;
            }
            let Some(candidate) = self.findings.next_candidate(from) else {
                // Without skipped candidates, or at the end of the text, nothing can cover the text
                // after the window.
                if self.skipped.number == 0 || is_last && self.findings.until >= text.len() {
                    self.findings.reach_end();
                    return None;
                }
                // A skipped candidate may start a match that ends in the next window and covers
                // what follows there.
                if self.replay(prefilter, self.findings.until.min(text.len())) == Replay::Held {
                    return None;
                }
                continue;
            };
            self.leap.candidates += 1;
            // Inside a back-off, every candidate counts as wanted and does not enter the
            // statistics.
            let is_kept = candidate.at < self.all_until;
            if !is_kept
                && (self.leap.unwanted.contains(&candidate.at)
                    || !prefilter.wants(text, is_last, candidate, &mut self.ahead))
            {
                self.wanted = 0;
                self.skipped.add(candidate);
                continue;
            }
            self.wanted += usize::from(!is_kept);
            // A list of URIs may have hundreds of wanted candidates in a row. There, the test only
            // costs time.
            if self.wanted == MIN_WANTED_IN_A_ROW {
                self.wanted = 0;
                self.take_all(candidate.at, SHORT_BACKOFF_BYTES);
            }
            if self.skipped.number > 0 {
                match self.replay(prefilter, candidate.at) {
                    Replay::Done if !self.findings.leave_run() => return None,
                    // A replayed match covers the candidate.
                    Replay::Done if candidate.at < self.findings.position() => continue,
                    Replay::Done => {}
                    Replay::Again => {
                        self.all_until = candidate.at + 1;
                        continue;
                    }
                    Replay::Held => return None,
                }
            }
            match self.findings.decide(candidate) {
                Examined::Finding(finding) => return Some(finding),
                Examined::Nothing => {}
                Examined::Uncertain => return None,
            }
        }
    }

    /// Jumps to an independent line near the next wanted candidate if that is far enough from
    /// `from`. Does nothing where candidates are rare: there, scanning for them is faster than
    /// scanning for literals.
    #[cold]
    fn leap(&mut self, prefilter: &Prefilter, from: usize) {
        self.leap.due = from + MIN_LEAP_BYTES;
        if from >= self.leap.last + MIN_LEAP_BYTES {
            let candidates = core::mem::take(&mut self.leap.candidates);
            let last = core::mem::replace(&mut self.leap.last, from);
            // The average distance tells which loop is faster here: the colon kernel beats the
            // search for several literals unless candidates are dense.
            if from - last > MIN_BYTES_PER_CANDIDATE * candidates {
                return self.take_all(from, LONG_BACKOFF_BYTES);
            }
        }
        let text = self.findings.haystack;
        let position = self.findings.position();
        let to = prefilter.leap(text, position, from, &mut self.ahead).min(self.findings.until);
        if to > from {
            self.leap.due = to + 1;
            self.leap.unwanted = from + LOOKBEHIND_BYTES..to;
        }
        // Between `from` and `to` no candidate is wanted, but one may start a match that ends after
        // `to`. Only an independent line is a safe place to resume.
        if to > from + MIN_LEAP_BYTES
            && let Some(line) = prefilter.independent_line(text, position, to, MAX_LINES_TRIED)
            && line > from + MIN_LEAP_BYTES
        {
            self.findings.skip_to(line);
            self.skipped = SkippedCandidates::default();
            self.wanted = 0;
            self.all_until = to;
            self.leap = LeapState { due: to + 1, last: to, ..LeapState::default() };
        }
    }

    /// Skips no candidate for `long` bytes after `from`; the distance doubles with each failure in
    /// a row.
    fn take_all(&mut self, from: usize, long: usize) {
        self.all_until = from + (long << self.leap.failures.min(MAX_BACKOFF_DOUBLINGS));
        self.leap.failures += 1;
    }

    /// Brings the search up to `near`, as if the skipped candidates had been delimited.
    fn replay(&mut self, prefilter: &Prefilter, near: usize) -> Replay {
        let number = core::mem::take(&mut self.skipped.number);
        let from = self.findings.position();
        let text = self.findings.haystack;
        let line = match number {
            // Delimiting two candidates is cheaper than testing lines.
            ..=MAX_REPLAYED_AT_ONCE => None,
            _ => prefilter.independent_line(text, from, near, MAX_LINES_TRIED),
        };
        if let Some(line) = line {
            self.findings.skip_to(line);
        }
        if self.skipped.last < line.unwrap_or(from) {
            return Replay::Done;
        }
        if number <= MAX_REPLAYED_CANDIDATES {
            let mut first = self.skipped.first.iter().take(number).flatten().copied();
            let replayed = first.all(|candidate| {
                self.findings.leave_run()
                    && (candidate.at < self.findings.position()
                        || !matches!(self.findings.decide(candidate), Examined::Uncertain))
            });
            return if replayed { Replay::Done } else { Replay::Held };
        }
        // There are more skipped candidates than were stored. Scan again from the current position
        // and delimit all of them.
        self.all_until = self.skipped.last + 1;
        self.findings.scan_from(self.findings.position());
        Replay::Again
    }
}

impl<'h> Iterator for PrefilteredFindings<'_, 'h> {
    type Item = Finding<'h>;

    #[inline(always)]
    fn next(&mut self) -> Option<Finding<'h>> {
        match self.prefilter {
            None => self.findings.next(),
            Some(prefilter) => self.next_prefiltered(prefilter),
        }
    }
}
