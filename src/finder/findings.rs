//! Iterators over the findings of a window.

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use super::data::MatchData;
use super::finding::{Finding, Rejected};
use super::matched::Match;
use super::plan::SearchPlan;
use super::window::{Certainty, Progress, Rest, Resume, ResumeState, Window};
use crate::delimit::{
    self, Decision, DelimitScratch, Delimited, DerivedUri, FastMatch, FastOutcome, LOOKAHEAD,
    LOOKBEHIND, ReachedBytes,
};
use crate::grammar::UriParts;
use crate::kind::Flag;
use crate::options::{Embedded, Options};
use crate::scan::{Candidate, Scanner, Trigger, Triggers};
use crate::span::Span;

/// The most URIs reported inside one (D4.7), and the most candidates examined for them. Both keep a
/// long row of schemes linear.
const MAX_EMBEDDED: usize = 16;
const MAX_LOOKS: usize = 32;
/// Total bytes to examine inside one URI: the larger of this and a multiple of its own length.
const EMBEDDED_BYTES: usize = 384;
const EMBEDDED_TIMES: usize = 3;

/// Iterator over the matches and rejected candidates of one window, in order.
#[derive(Clone, Debug)]
pub struct Findings<'f, 'h> {
    options: &'f Options,
    plan: &'f SearchPlan,
    pub(super) haystack: &'h [u8],
    resume: Resume,
    pub(super) until: usize,
    pub(super) rest: Rest,
    certainty: Certainty,
    scanner: Scanner,
    /// Allocated lazily: most texts never leave the fast path.
    kept: Option<Box<FindingsBuffer<'h>>>,
}

/// Buffers kept between findings.
#[derive(Clone, Debug, Default)]
struct FindingsBuffer<'h> {
    scratch: DelimitScratch,
    embedded: VecDeque<Match<'h>>,
}

/// The outcome of examining a candidate.
pub(super) enum Examined<'h> {
    Finding(Finding<'h>),
    Nothing,
    /// More text could change it.
    Uncertain,
}

impl<'f, 'h> Findings<'f, 'h> {
    #[inline]
    pub(super) fn new(
        (options, plan): (&'f Options, &'f SearchPlan),
        window: Window<'h>,
        rest: Rest,
    ) -> Self {
        Self {
            options,
            plan,
            haystack: window.bytes,
            resume: window.resume,
            until: window.until,
            rest,
            certainty: window.certainty,
            scanner: Scanner::new(plan.triggers, plan.loops),
            kept: None,
        }
    }

    /// Returns the progress of the search.
    ///
    /// Between two findings this is the position after the first of them. Once the iterator has
    /// ended, it is where to resume with the next window.
    ///
    /// ```
    /// use urigrep::Finder;
    /// let finder = Finder::new();
    /// let mut findings = finder.findings(b"see urn:example:a");
    /// assert!(findings.by_ref().count() == 1 && findings.progress().consumed <= 17);
    /// ```
    pub fn progress(&self) -> Progress {
        let Resume { at, floor, state } = self.resume;
        let consumed = at.min(self.haystack.len()).saturating_sub(LOOKBEHIND);
        // A floor that far back has no effect: no match starts before the look-behind of a
        // candidate.
        let floor = if at.saturating_sub(floor) > delimit::look_back(self.plan.triggers) {
            0
        } else {
            floor.saturating_sub(consumed)
        };
        Progress { consumed, resume: Resume { at: at - consumed, floor, state } }
    }

    /// Byte offset at which the search resumes.
    #[cfg(feature = "search")]
    pub(super) fn position(&self) -> usize {
        self.resume.at
    }

    /// Resumes at `at`, which no earlier finding may overlap.
    #[cfg(feature = "search")]
    pub(super) fn skip_to(&mut self, at: usize) {
        self.resume = Resume::at(at);
    }

    /// Restarts the scan for candidates at `at`. Earlier findings still count.
    #[cfg(feature = "search")]
    pub(super) fn scan_from(&mut self, at: usize) {
        self.scanner.restart(at);
    }

    /// Skips the rest of a rejected run; returns false if its end is not in the window.
    #[cfg(feature = "search")]
    #[inline]
    pub(super) fn leave_run(&mut self) -> bool {
        self.resume.state != ResumeState::SkipRun || self.skip_run()
    }

    /// Returns the next candidate at or after both the current position and `from`.
    #[cfg(feature = "search")]
    #[inline]
    pub(super) fn next_candidate(&mut self, from: usize) -> Option<Candidate> {
        let found = self.scanner.next(self.haystack, self.resume.at.max(from));
        found.filter(|candidate| candidate.at < self.until)
    }

    /// Returns the next finding that more text cannot change.
    #[inline]
    fn step(&mut self) -> Option<Finding<'h>> {
        loop {
            if self.resume.state == ResumeState::SkipRun && !self.skip_run() {
                return None;
            }
            let found = self
                .scanner
                .next(self.haystack, self.resume.at)
                .filter(|candidate| candidate.at < self.until);
            let Some(candidate) = found else {
                self.reach_end();
                return None;
            };
            let examined = match candidate.trigger {
                Trigger::Web(start) => match self.look_web(candidate, start) {
                    // Two branches, so that a plain match is built directly in the return value. If
                    // `made` could write to the same variable, LLVM would build every match on the
                    // stack and copy it. The wide loads of that copy stall on the narrow stores
                    // just before (store forwarding; docs/measurements/2026-11-29-lists.md).
                    Some(found) if found.is_text() => {
                        return Some(Finding::Match(self.plain(found)));
                    }
                    Some(found) => return Some(Finding::Match(self.match_of(found))),
                    None => self.examine(candidate),
                },
                Trigger::Colon => match self.look_colon(candidate) {
                    // For the same reason, these are branches of their own.
                    Some(found) if found.is_text() => {
                        return Some(Finding::Match(self.plain(found)));
                    }
                    Some(found) => return Some(Finding::Match(self.match_of(found))),
                    None => self.examine(candidate),
                },
                _ => self.decide_other(candidate),
            };
            match examined {
                Examined::Finding(finding) => return Some(finding),
                Examined::Nothing => {}
                Examined::Uncertain => return None,
            }
        }
    }

    /// Examines a candidate, by the fast path if possible. Not inlined, so that
    /// [`step`](Self::step) keeps its own inlined copy of both.
    #[cfg(feature = "search")]
    #[inline(never)]
    pub(super) fn decide(&mut self, candidate: Candidate) -> Examined<'h> {
        let found = match candidate.trigger {
            Trigger::Web(start) => self.look_web(candidate, start),
            Trigger::Colon => self.look_colon(candidate),
            _ => return self.decide_other(candidate),
        };
        match found {
            Some(found) => Examined::Finding(Finding::Match(self.match_of(found))),
            None => self.examine(candidate),
        }
    }

    /// Does the same for a candidate without a colon (D7). Not inlined, because only some options
    /// need these.
    #[inline(never)]
    fn decide_other(&mut self, candidate: Candidate) -> Examined<'h> {
        if !self.plan.takes_shortcut() {
            return self.examine(candidate);
        }
        match delimit::look(self.haystack, candidate, self.options, self.scanner.loops()) {
            FastOutcome::Match(found) if self.accepts(candidate, &found) => {
                Examined::Finding(Finding::Match(self.match_of(found)))
            }
            // Without a match, only the end of the text is certain: otherwise the rules must find
            // out how many more bytes they need.
            FastOutcome::Nothing if self.rest == Rest::End => {
                self.resume.at = candidate.at + 1;
                Examined::Nothing
            }
            _ => self.examine(candidate),
        }
    }

    /// Tries the fast path for the scheme at a colon. Not inlined, so that [`step`](Self::step)
    /// keeps its registers for the web.
    #[inline(never)]
    fn look_colon(&mut self, candidate: Candidate) -> Option<FastMatch> {
        if !self.plan.takes_shortcut() {
            return None;
        }
        let loops = self.scanner.loops();
        let found = delimit::look_colon(self.haystack, candidate.at, self.options, loops)?;
        self.accepts(candidate, &found).then_some(found)
    }

    /// Tries the fast path for the web scheme at `start`.
    #[inline(always)]
    fn look_web(&mut self, candidate: Candidate, start: usize) -> Option<FastMatch> {
        if !self.plan.takes_shortcut() {
            return None;
        }
        let (body, loops) = (candidate.at + "://".len(), self.scanner.loops());
        let found = delimit::look_web(self.haystack, start, body, self.options, loops)?;
        self.accepts(candidate, &found).then_some(found)
    }

    /// Moves on after `found`, unless the rules might find something else.
    ///
    /// The fast path ignores the floor and the end of the window. Its match is valid only if it
    /// starts after the last finding, and if no later byte can change it: enough bytes follow, or
    /// its line is complete.
    #[inline(always)]
    fn accepts(&mut self, candidate: Candidate, found: &FastMatch) -> bool {
        let span = found.span;
        let is_certain = span.start() >= self.resume.floor
            && (self.is_certain(span.end() + delimit::FAST_PATH_LOOKAHEAD_BYTES)
                || self.has_line_end(found.looked(self.haystack)));
        if is_certain {
            self.go_on(candidate, span, span.end(), ResumeState::Search);
        }
        is_certain
    }

    /// Tries the fast path for a URI with escapes. It keeps a buffer, so it is apart from
    /// [`look_web`](Self::look_web).
    #[inline]
    fn look_escaped(&mut self, candidate: Candidate) -> Option<Match<'h>> {
        if !self.plan.takes_shortcut() {
            return None;
        }
        let (options, loops) = (self.options, self.scanner.loops());
        let scratch = &mut self.kept.get_or_insert_default().scratch;
        let found = delimit::look_escaped(self.haystack, candidate, options, loops, scratch)?;
        let span = found.span;
        let is_certain = span.start() >= self.resume.floor
            && self.is_certain(span.end() + delimit::FAST_PATH_LOOKAHEAD_BYTES);
        if !is_certain {
            return None;
        }
        self.go_on(candidate, span, found.next, ResumeState::Search);
        Some(self.matched(found))
    }

    #[inline(always)]
    fn examine(&mut self, candidate: Candidate) -> Examined<'h> {
        if let Some(found) = self.look_escaped(candidate) {
            return Examined::Finding(Finding::Match(found));
        }
        let at = candidate.at;
        let (outcome, reach) = delimit::examine(
            self.haystack,
            candidate,
            self.resume.floor,
            self.options,
            &mut self.kept.get_or_insert_default().scratch,
        );
        if !self.is_certain(reach) && !self.is_certain_by_line() {
            // The next window must contain this candidate with the text before it.
            self.resume.at = self.resume.at.max(at);
            return Examined::Uncertain;
        }
        let (span, next, state) = match &outcome {
            Decision::Found(found) => (found.span, found.next, ResumeState::Search),
            Decision::Rejected { span, .. } => (*span, span.end(), ResumeState::SkipRun),
            Decision::Nothing => (Span::new(at, at), at, ResumeState::Search),
        };
        let finding = match outcome {
            _ if span.start() < self.resume.floor => None,
            Decision::Found(found) => Some(Finding::Match(self.matched(found))),
            Decision::Rejected { span, reason, at } => {
                Some(Rejected::finding(self.haystack, span, reason, at))
            }
            Decision::Nothing => None,
        };
        match finding {
            // D7: one label announces a list, and is read again for the next value in it.
            Some(finding) if candidate.trigger == Trigger::Label && next == at => {
                self.resume = Resume { at, floor: span.end(), state };
                self.scanner.restart(at);
                Examined::Finding(finding)
            }
            Some(finding) => {
                self.go_on(candidate, span, next, state);
                Examined::Finding(finding)
            }
            None => {
                self.resume.at = at + 1;
                Examined::Nothing
            }
        }
    }

    /// True if no byte after the window can change a decision that read the bytes up to `reach`.
    #[inline]
    fn is_certain(&self, reach: usize) -> bool {
        self.rest == Rest::End || reach.saturating_add(LOOKAHEAD) <= self.haystack.len()
    }

    /// True if the line is complete after every byte that the rules read. No rule looks past that
    /// line end.
    fn is_certain_by_line(&self) -> bool {
        // This lets `tail -f log | urigrep` print a match as soon as its line ends. Waiting for the
        // full look-ahead of 8 KiB would delay every line of a slow log
        // (docs/decisions/0011-certain-matches.md).
        let looked: ReachedBytes =
            self.kept.as_ref().map_or_else(Default::default, |kept| kept.scratch.looked);
        let looked = match self.certainty {
            Certainty::Whole => looked.total(self.haystack),
            Certainty::Span => looked.span,
        };
        self.has_line_end(looked)
    }

    #[cold]
    fn has_line_end(&self, from: usize) -> bool {
        self.haystack.get(from..).is_some_and(|rest| memchr::memchr(b'\n', rest).is_some())
    }

    #[inline]
    fn go_on(&mut self, candidate: Candidate, span: Span, next: usize, state: ResumeState) {
        // Always move past the candidate: a match may end before its own trigger, and the search
        // must not find that again.
        self.resume = Resume { at: next.max(candidate.at + 1), floor: span.end(), state };
    }

    /// Moves to the end of the window. Only candidates that the next window may complete are left.
    pub(super) fn reach_end(&mut self) {
        let end = match self.rest {
            Rest::End => self.haystack.len(),
            // The byte after a trigger decides whether it is a candidate, so the last bytes are
            // scanned again.
            Rest::More => self.haystack.len().saturating_sub(self.plan.triggers.width()),
        };
        self.resume.at = self.resume.at.max(end.min(self.until));
    }

    /// Skips to the end of the run, if that is in the window.
    fn skip_run(&mut self) -> bool {
        let (from, length) = (self.resume.at, self.haystack.len());
        let end = delimit::rejected_end(self.haystack, from, from, usize::MAX, self.options);
        // A character has up to four bytes. One that the window cuts looks hard, but may continue
        // the run.
        let certain = self.rest == Rest::End || end + 4 <= length;
        if certain {
            self.resume.at = end;
            self.resume.state = ResumeState::Search;
        } else {
            // The next window reads again what may be the scheme of a new URI, with its separator:
            // `','http://`.
            let scheme = "','".len() + delimit::look_back(self.plan.triggers) + "://".len();
            self.resume.at = from.max(length.saturating_sub(scheme));
        }
        certain
    }

    /// Returns the match of a URI that is its text.
    #[inline(always)]
    fn plain(&self, found: FastMatch) -> Match<'h> {
        let parts = found.parts(self.haystack, self.options.assume);
        self.of_fast(found, parts, None)
    }

    /// Returns the match of any URI.
    #[inline(never)]
    fn match_of(&self, found: FastMatch) -> Match<'h> {
        let assumed = self.options.assume;
        let mut parts = found.parts(self.haystack, assumed);
        let derived = found.derived(self.haystack, assumed, &mut parts);
        self.of_fast(found, parts, derived)
    }

    #[inline(always)]
    fn of_fast(
        &self,
        found: FastMatch,
        parts: UriParts,
        derived: Option<Box<DerivedUri>>,
    ) -> Match<'h> {
        Match {
            haystack: self.haystack,
            data: MatchData {
                span: found.span,
                kind: found.kind(),
                wrapper: found.wrapper,
                flags: found.flags(),
                parts,
                derived,
            },
        }
    }

    #[inline]
    fn matched(&self, found: Delimited) -> Match<'h> {
        Match { haystack: self.haystack, data: found.into() }
    }

    /// Like [`step`](Self::step), for options that look inside a match. Not inlined, so that other
    /// searches do not pay for it.
    #[inline(never)]
    fn step_inside(&mut self) -> Option<Finding<'h>> {
        let kept = self.kept.as_mut();
        if let Some(inner) = kept.and_then(|kept| kept.embedded.pop_front()) {
            return Some(Finding::Match(inner));
        }
        let mut finding = self.step();
        if let Some(Finding::Match(outer)) = &mut finding {
            if self.options.embedded == Embedded::Report && outer.data.derived.is_none() {
                self.find_embedded(outer.span());
            }
            outer.unwrap_redirectors(self.options);
        }
        finding
    }

    /// Collects the URIs inside `outer` (D4.7).
    fn find_embedded(&mut self, outer: Span) {
        let text: &'h [u8] = &self.haystack[..outer.end()];
        let mut kept = self.kept.take().unwrap_or_default();
        let embedded = &mut kept.embedded;
        let mut from = outer.start();
        let mut first = true;
        let mut looks = 0;
        let mut room = EMBEDDED_BYTES.max(EMBEDDED_TIMES * outer.len());
        let mut scanner = Scanner::new(Triggers::COLONS, self.plan.loops);
        // The scratch caches facts about the whole text. They do not hold in this part of it, so it
        // needs its own.
        let mut scratch = DelimitScratch::default();
        while let Some(candidate) = scanner.next(text, from) {
            let Candidate { at: colon, .. } = candidate;
            from = colon + 1;
            // The first colon is that of `outer` itself. Others count only with `//`, as in
            // `?u=http://b.example/`.
            if core::mem::take(&mut first) || !text[colon..].starts_with(b"://") {
                continue;
            }
            looks += 1;
            let Some(left) = room.checked_sub(outer.end() - colon) else { break };
            room = left;
            let (outcome, _) = delimit::examine(text, candidate, 0, self.options, &mut scratch);
            if let Decision::Found(mut found) = outcome
                && found.span.start() > outer.start()
            {
                found.flags.set(Flag::Embedded);
                // The rules saw no text after `outer`. `explain` must not see any either, so the
                // match keeps the cut text.
                let inner = Match { haystack: text, ..self.matched(found) };
                embedded.push_back(inner);
            }
            if embedded.len() == MAX_EMBEDDED || looks == MAX_LOOKS {
                break;
            }
        }
        self.kept = Some(kept);
    }
}

impl<'h> Iterator for Findings<'_, 'h> {
    type Item = Finding<'h>;

    fn next(&mut self) -> Option<Finding<'h>> {
        if !self.plan.looks_inside {
            return self.step();
        }
        loop {
            let finding = self.step_inside()?;
            if self.options.allows(finding.scheme()) {
                return Some(finding);
            }
        }
    }
}

/// Iterator over the matches of one haystack, in order.
#[derive(Clone, Debug)]
pub struct FindIter<'f, 'h> {
    findings: Findings<'f, 'h>,
}

impl<'f, 'h> FindIter<'f, 'h> {
    pub(super) fn new(findings: Findings<'f, 'h>) -> Self {
        Self { findings }
    }
}

impl<'h> Iterator for FindIter<'_, 'h> {
    type Item = Match<'h>;

    #[inline]
    fn next(&mut self) -> Option<Match<'h>> {
        loop {
            match self.findings.next()? {
                Finding::Match(m) => return Some(m),
                Finding::Relative(_) | Finding::Rejected(_) => {}
            }
        }
    }
}
