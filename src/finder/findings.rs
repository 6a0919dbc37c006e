//! The iterators, and the window they look through.

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use super::data::MatchData;
use super::finding::{Finding, Rejected};
use super::matched::Match;
use crate::delimit::{
    self, Decision, DelimitScratch, Delimited, FastMatch, FastOutcome, LOOKAHEAD, LOOKBEHIND,
    ReachedBytes,
};
use crate::kind::{Flag, Flags};
use crate::options::{Embedded, Options, Shortcut, Unwrap};
use crate::scan::{Candidate, KernelLoops, Scanner, Triggers};
use crate::span::Span;

/// The most URIs reported inside one (D4.7), and the most places looked at for them, so that a
/// row of schemes stays linear.
const MOST_EMBEDDED: usize = 16;
const MOST_LOOKS: usize = 32;
/// The bytes of all that is looked at in one: so many, or so many times its own.
const EMBEDDED_BYTES: usize = 384;
const EMBEDDED_TIMES: usize = 3;

/// Part of a longer text: bytes, and where to go on in them.
#[derive(Clone, Copy, Debug)]
pub struct Window<'h> {
    bytes: &'h [u8],
    resume: Resume,
    until: usize,
    certainty: Certainty,
}

/// What of a finding has to be certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certainty {
    /// All of it.
    #[default]
    Whole,
    /// All but the flag [`MaybeWrapped`](Flag::MaybeWrapped), for which the next line is looked at: with this, the
    /// last finding of a line need not wait for it.
    Span,
}

impl<'h> Window<'h> {
    /// The first window of a text.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Rest, Window};
    /// let window = Window::new(b"urn:example:a");
    /// assert_eq!(Finder::new().find_in(window, Rest::End).count(), 1);
    /// ```
    pub fn new(bytes: &'h [u8]) -> Self {
        Self::resumed(bytes, Resume::default())
    }

    /// A later window, which starts at the first byte that was not consumed.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Rest, Resume, Window};
    /// let window = Window::resumed(b"urn:example:a", Resume::default());
    /// assert_eq!(Finder::new().find_in(window, Rest::End).count(), 1);
    /// ```
    pub fn resumed(bytes: &'h [u8], resume: Resume) -> Self {
        Self { bytes, resume, until: usize::MAX, certainty: Certainty::Whole }
    }

    /// Only the candidates whose colon (dot, `@`) is before `until`; the rules still see all bytes.
    ///
    /// So a large window can be searched in pieces, by several threads.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Rest, Window};
    /// let window = Window::new(b"urn:example:a urn:example:b").until(10);
    /// assert_eq!(Finder::new().find_in(window, Rest::End).count(), 1);
    /// ```
    pub fn until(self, until: usize) -> Self {
        Self { until, ..self }
    }

    /// Only so much of a finding has to be certain.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Certainty, Rest, Window};
    /// let window = Window::new(b"http://a.example/whose-path-fills-the-line-so-that-it-may-go-on-in-the-next\n");
    /// assert_eq!(Finder::new().find_in(window, Rest::More).count(), 0);
    /// assert_eq!(Finder::new().find_in(window.certainty(Certainty::Span), Rest::More).count(), 1);
    /// ```
    pub fn certainty(self, certainty: Certainty) -> Self {
        Self { certainty, ..self }
    }
}

impl<'h> From<&'h [u8]> for Window<'h> {
    fn from(bytes: &'h [u8]) -> Self {
        Self::new(bytes)
    }
}

/// What follows the bytes that there are of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rest {
    /// More bytes, which have not been read.
    More,
    /// Nothing: the text ends with these.
    End,
}

/// How far a window was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes at the start of the window that no later finding needs.
    pub consumed: usize,
    /// How to go on in what is left.
    pub resume: Resume,
}

/// Where to go on in the next [`Window`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    at: usize,
    /// Where the last finding ended: no scheme starts before it.
    floor: usize,
    state: ResumeState,
}

impl Resume {
    /// The byte of the window where it goes on.
    #[cfg(feature = "search")]
    pub(crate) fn offset(self) -> usize {
        self.at
    }

    /// Goes on at the byte `at` of the window.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Rest, Resume, Window};
    /// let window = Window::resumed(b"urn:example:a urn:example:b", Resume::at(14));
    /// assert_eq!(Finder::new().find_in(window, Rest::End).count(), 1);
    /// ```
    pub fn at(at: usize) -> Self {
        Self { at, floor: 0, state: ResumeState::Search }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ResumeState {
    #[default]
    Search,
    /// Inside a run that was rejected (D4.7), up to its end.
    SkipRun,
}

/// What follows from the options: many texts are short, so that it is not asked for each.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchPlan {
    triggers: Triggers,
    loops: KernelLoops,
    shortcut: Shortcut,
    /// Whether the options look inside a match.
    looks_inside: bool,
}

impl SearchPlan {
    /// Whether a match is where its colon is, and nothing is reported inside of it.
    #[cfg(feature = "search")]
    pub fn is_plain(&self) -> bool {
        self.triggers.are_plain_colons() && !self.looks_inside
    }

    /// Up to where a text has nothing to find, if that can be known by its colons.
    #[cfg(feature = "search")]
    #[inline]
    pub fn first(&self, haystack: &[u8]) -> Option<usize> {
        self.triggers.are_plain_colons().then(|| (self.loops.first)(haystack))
    }

    /// Whether there is nothing to find in a text without a colon.
    #[cfg(feature = "search")]
    pub fn needs_colon(&self) -> bool {
        self.triggers.are_colons()
    }

    pub fn new(options: &Options) -> Self {
        Self {
            triggers: Triggers::of(options),
            loops: options.kernel.loops(),
            shortcut: delimit::shortcut(options),
            looks_inside: (options.embedded, options.unwrap) != (Embedded::Skip, Unwrap::Never),
        }
    }
}

/// Matches and rejected candidates of one window, in order.
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
    /// Of many texts nothing is asked that needs it.
    kept: Option<Box<FindingsBuffer<'h>>>,
}

/// What is kept from one finding to the next, besides where the search is.
#[derive(Clone, Debug, Default)]
struct FindingsBuffer<'h> {
    scratch: DelimitScratch,
    embedded: VecDeque<Match<'h>>,
}

/// What all the rules give for a candidate.
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

    /// How far the window was searched.
    ///
    /// Between two findings it says where the search is after the first of them; once
    /// the iterator has ended, how to go on with the next window.
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
        // further back than a match starts, it does not matter
        let floor = if at - floor > delimit::look_back(self.plan.triggers) {
            0
        } else {
            floor.saturating_sub(consumed)
        };
        Progress { consumed, resume: Resume { at: at - consumed, floor, state } }
    }

    /// Where the search goes on.
    #[cfg(feature = "search")]
    pub(super) fn position(&self) -> usize {
        self.resume.at
    }

    /// Goes on at `at`, where nothing reaches over from before.
    #[cfg(feature = "search")]
    pub(super) fn skip_to(&mut self, at: usize) {
        self.resume = Resume::at(at);
    }

    /// Looks for candidates from `at` on, whatever was found before.
    #[cfg(feature = "search")]
    pub(super) fn scan_from(&mut self, at: usize) {
        self.scanner.restart(at);
    }

    /// Goes to the end of a run that was rejected; false when that is not in the window.
    #[cfg(feature = "search")]
    #[inline]
    pub(super) fn leave_run(&mut self) -> bool {
        self.resume.state != ResumeState::SkipRun || self.skip_run()
    }

    /// The next candidate where the search goes on, but none before `from`.
    #[cfg(feature = "search")]
    #[inline]
    pub(super) fn next_candidate(&mut self, from: usize) -> Option<Candidate> {
        let found = self.scanner.next(self.haystack, self.resume.at.max(from));
        found.filter(|candidate| candidate.at < self.until)
    }

    /// The next finding that is certain.
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
            let examined = match self.look(candidate) {
                FastOutcome::Match(found) => return Some(Finding::Match(self.plain(found))),
                FastOutcome::Nothing => continue,
                FastOutcome::Unknown => self.examine(candidate),
            };
            match examined {
                Examined::Finding(finding) => return Some(finding),
                Examined::Nothing => {}
                Examined::Uncertain => return None,
            }
        }
    }

    /// The finding at a candidate, by the short way or by all the rules. Apart, so that it does not take them out of
    /// [`step`](Self::step).
    #[cfg(feature = "search")]
    #[inline(never)]
    pub(super) fn decide(&mut self, candidate: Candidate) -> Examined<'h> {
        match self.look(candidate) {
            FastOutcome::Match(found) => Examined::Finding(Finding::Match(self.plain(found))),
            FastOutcome::Nothing => Examined::Nothing,
            FastOutcome::Unknown => self.examine(candidate),
        }
    }

    /// What a short look at a candidate gives, if that is certain.
    #[inline(always)]
    fn look(&mut self, candidate: Candidate) -> FastOutcome {
        if self.plan.shortcut != Shortcut::Taken {
            return FastOutcome::Unknown;
        }
        match delimit::look(self.haystack, candidate, self.options, self.scanner.loops()) {
            FastOutcome::Match(found) => {
                let span = found.span();
                let is_certain = span.start() >= self.resume.floor
                    && (self.is_certain(span.end() + delimit::FAST_PATH_LOOKAHEAD_BYTES)
                        || self.has_line_end(found.looked(self.haystack)));
                if !is_certain {
                    return FastOutcome::Unknown;
                }
                self.go_on(candidate, span, span.end(), ResumeState::Search);
                FastOutcome::Match(found)
            }
            FastOutcome::Nothing if self.rest == Rest::End => {
                self.resume.at = candidate.at + 1;
                FastOutcome::Nothing
            }
            FastOutcome::Nothing | FastOutcome::Unknown => FastOutcome::Unknown,
        }
    }

    #[inline(always)]
    fn examine(&mut self, candidate: Candidate) -> Examined<'h> {
        let at = candidate.at;
        let (outcome, reach) = delimit::examine(
            self.haystack,
            candidate,
            self.resume.floor,
            self.options,
            &mut self.kept.get_or_insert_default().scratch,
        );
        if !self.is_certain(reach) && !self.is_certain_by_line() {
            // the text before it is looked at again
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

    /// No byte behind the window can change what was decided by those up to `reach`.
    #[inline]
    fn is_certain(&self, reach: usize) -> bool {
        self.rest == Rest::End || reach.saturating_add(LOOKAHEAD) <= self.haystack.len()
    }

    /// The line is complete behind all that the rules looked at, and no rule looks further.
    fn is_certain_by_line(&self) -> bool {
        let looked: ReachedBytes =
            self.kept.as_ref().map_or_else(Default::default, |kept| kept.scratch.looked);
        let looked = match self.certainty {
            Certainty::Whole => looked.whole(self.haystack),
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
        self.resume = Resume { at: next.max(candidate.at + 1), floor: span.end(), state };
    }

    /// Nothing is left but what the next window may complete.
    pub(super) fn reach_end(&mut self) {
        let end = match self.rest {
            Rest::End => self.haystack.len(),
            // the byte after a trigger decides whether it is a candidate
            Rest::More => self.haystack.len().saturating_sub(self.plan.triggers.width()),
        };
        self.resume.at = self.resume.at.max(end.min(self.until));
    }

    /// Goes to the end of the run, if it is in the window.
    fn skip_run(&mut self) -> bool {
        let end = delimit::hard_end(self.haystack, self.resume.at, usize::MAX);
        let certain = self.rest == Rest::End || end + 4 <= self.haystack.len();
        self.resume.at = if certain { end } else { end.min(self.haystack.len()) };
        if certain {
            self.resume.state = ResumeState::Search;
        }
        certain
    }

    #[inline(always)]
    fn plain(&self, found: FastMatch) -> Match<'h> {
        let assumed = self.options.assume;
        Match {
            haystack: self.haystack,
            data: MatchData {
                span: found.span(),
                kind: found.kind(),
                wrapper: found.wrapper,
                flags: Flags::default(),
                parts: found.parts(self.haystack, assumed),
                made: found.made(self.haystack, assumed),
            },
        }
    }

    #[inline]
    fn matched(&self, found: Delimited) -> Match<'h> {
        Match { haystack: self.haystack, data: found.into() }
    }

    /// As [`step`](Self::step), for options that look inside a match. Apart, so that others don't pay for it.
    #[inline(never)]
    fn step_inside(&mut self) -> Option<Finding<'h>> {
        let kept = self.kept.as_mut();
        if let Some(inner) = kept.and_then(|kept| kept.embedded.pop_front()) {
            return Some(Finding::Match(inner));
        }
        let mut finding = self.step();
        if let Some(Finding::Match(outer)) = &mut finding {
            if self.options.embedded == Embedded::Report && outer.data.made.is_none() {
                self.find_embedded(outer.span());
            }
            outer.unwrap_redirectors(self.options);
        }
        finding
    }

    /// D4.7: the URIs inside `outer`, when they were asked for.
    fn find_embedded(&mut self, outer: Span) {
        let text: &'h [u8] = &self.haystack[..outer.end()];
        let mut kept = self.kept.take().unwrap_or_default();
        let embedded = &mut kept.embedded;
        let mut from = outer.start();
        let mut first = true;
        let mut looks = 0;
        let mut room = EMBEDDED_BYTES.max(EMBEDDED_TIMES * outer.len());
        let mut scanner = Scanner::new(Triggers::COLONS, self.plan.loops);
        // what is known of all of the text does not hold in its part
        let mut scratch = DelimitScratch::default();
        while let Some(candidate) = scanner.next(text, from) {
            let Candidate { at: colon, .. } = candidate;
            from = colon + 1;
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
                // what is behind the outer one did not count, and does not when it is explained
                let inner = Match { haystack: text, ..self.matched(found) };
                embedded.push_back(inner);
            }
            if embedded.len() == MOST_EMBEDDED || looks == MOST_LOOKS {
                break;
            }
        }
        self.kept = Some(kept);
    }
}

impl<'h> Iterator for Findings<'_, 'h> {
    type Item = Finding<'h>;

    fn next(&mut self) -> Option<Finding<'h>> {
        if self.plan.looks_inside { self.step_inside() } else { self.step() }
    }
}

/// The matches of one haystack, in order.
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

    fn next(&mut self) -> Option<Match<'h>> {
        self.findings.find_map(|finding| match finding {
            Finding::Match(m) => Some(m),
            Finding::Relative(_) | Finding::Rejected(_) => None,
        })
    }
}
