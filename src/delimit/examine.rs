//! Runs one candidate through all the rules.

use alloc::boxed::Box;
use core::mem::take;

use super::abbreviated::{self, BareStart};
use super::decode::{self, DecodedExtent};
use super::delimited::{Decision, Delimited, derivation, derive};
use super::escape::{self, EscapeDialect, SlashSpelling};
use super::explain;
use super::finish::{Finished, judge};
use super::refang;
use super::rejected_run::rejected_end;
use super::right_end::UriEnd;
use super::run::{DelimitScratch, UriFault};
use super::scheme_rules::{CandidateStart, NoMatch};
use super::start::{self, AfterColon, SchemeStart};
use super::substitution;
use super::texinfo;
use super::text_view::{MARGIN, TextView};
use super::unclosed::WalkedText;
use super::unschemed::{self, Unschemed};
use super::wrapper;
use crate::error::Reason;
use crate::kind::{Flag, Kind};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::{Options, Refang};
use crate::scan::is_end_of_web;
use crate::scheme::MAX_HEAD_BYTES;
use crate::slice::SliceExt;
use crate::span::Span;

/// Bytes of a run that are decoded first; doubled while the URI continues.
const FIRST_PART: usize = 160;
/// Longest nested schemes, as in `jdbc:mysql:`, in bytes.
const MAX_SCHEMES_LENGTH: usize = 64;

pub(super) struct Examiner<'h, 'e> {
    pub haystack: &'h [u8],
    pub options: &'e Options,
    pub scratch: &'e mut DelimitScratch,
    /// End of the last finding; no finding may start before it.
    floor: usize,
    /// Source offset up to which the rules have read.
    pub reach: usize,
    /// View offsets up to which the last walk went and its rules read.
    pub walked: usize,
    pub looked: usize,
    /// The wrapper continues in the next line, but the lines are not joined (D3.6, D5).
    pub is_cut: bool,
}

impl<'h, 'e> Examiner<'h, 'e> {
    pub fn new(
        haystack: &'h [u8],
        floor: usize,
        options: &'e Options,
        scratch: &'e mut DelimitScratch,
    ) -> Self {
        Self { haystack, options, scratch, floor, reach: 0, walked: 0, looked: 0, is_cut: false }
    }

    /// Decides the candidate at `colon`; also returns how far the rules read.
    pub fn colon(mut self, colon: usize) -> (Decision, usize) {
        self.reach = colon + MAX_HEAD_BYTES;
        // Both checks read a colon in ways that the ordinary rules do not know. They come first,
        // and most colons leave them at once.
        if let Some(decision) = self.refanged(colon) {
            return (decision, self.reach);
        }
        if let Some(decision) = self.escaped_colon(colon) {
            return (decision, self.reach);
        }
        let decision = match self.scheme(colon) {
            Some(candidate) => self.decide(&candidate),
            None => Decision::Nothing,
        };
        (decision, self.reach)
    }

    /// D7: decides the candidate around the dot at `dot`; also returns how far the rules read.
    pub fn abbreviated(mut self, dot: usize) -> (Decision, usize) {
        self.reach = dot + MAX_HEAD_BYTES;
        let haystack = self.haystack;
        let host = match abbreviated::start(haystack, dot, self.options.identifiers()) {
            Some(BareStart::Host(host)) => host,
            Some(BareStart::Repository(repository)) => {
                return self.unschemed(repository.unschemed(), |most, derived| {
                    Some(repository.derive(haystack, most, derived))
                });
            }
            None => return (Decision::Nothing, self.reach),
        };
        // The adjoining script ends the match. Hiding the rest of the text makes every later rule
        // end it there.
        if host.cut {
            self.haystack = self.haystack.part(..host.end);
        }
        let candidate = CandidateStart {
            at: host.at,
            colon: 0,
            is_known: true,
            context: wrapper::before(self.haystack, host.at),
            host: Some(host.end - host.at),
        };
        self.reach = self.reach.max(host.end + MAX_HEAD_BYTES);
        let decision = self.decide(&candidate);
        (decision, self.reach)
    }

    /// D7: decides a URI without its scheme; `derive` adds one.
    pub fn unschemed(
        mut self,
        found: Unschemed,
        derive: impl Fn(usize, &mut DerivedText) -> Option<DecodedExtent>,
    ) -> (Decision, usize) {
        self.reach = found.rest + unschemed::AHEAD;
        let scheme = found.scheme.bytes().take_while(|&b| b != b':').count();
        let start = SchemeStart { at: found.at, is_known: true };
        let candidate = self.candidate(start, found.at + scheme);
        let mut decision = self.in_parts(&candidate, WalkedText::Unschemed, derive);
        if let Decision::Found(delimited) = &mut decision {
            delimited.kind = found.kind;
            if let Some(derived) = &mut delimited.derived {
                // Only `Kind::Iri` carries an IRI, and this kind has just been replaced.
                derived.iri = None;
            }
        }
        (decision, self.reach)
    }

    fn decide(&mut self, candidate: &CandidateStart<'h>) -> Decision {
        if !self.may_start_at(candidate.at) {
            return Decision::Nothing;
        }
        let argument_end = texinfo::argument_end(self.haystack, candidate.at)
            .or_else(|| substitution::argument_end(self.haystack, candidate.at));
        if let Some(end) = argument_end {
            // D3.7, D4.7: the mark ends the argument. Hiding the text after it ends every rule
            // there.
            self.haystack = self.haystack.part(..end);
            self.reach = self.reach.max(end + 1);
        }
        match self.wrapped(candidate) {
            Some(decision) => decision,
            None => self.unwrapped(candidate),
        }
    }

    fn may_start_at(&self, at: usize) -> bool {
        at >= self.floor && self.scratch.latest_start.is_none_or(|latest| at <= latest)
    }

    /// D4.6: decides a defanged URI, if the options allow it.
    fn refanged(&mut self, colon: usize) -> Option<Decision> {
        let haystack = self.haystack;
        let end = refang::scheme_end(haystack, colon);
        if self.options.refang() == Refang::Reject {
            // `hxxps[://]`; a scheme without a bracket after it goes through the other rules.
            return if end < colon { self.defanged_separator(end) } else { None };
        }
        let start = start::find(haystack, end, AfterColon::Slashes, self.options)?;
        let refang = |most, derived: &mut _| refang::refang(haystack, start.at, end, most, derived);
        refang(FIRST_PART, &mut self.scratch.derived)?;
        let candidate = self.candidate(start, end);
        Some(self.in_parts(&candidate, WalkedText::Refanged, refang))
    }

    /// D4.6: rejects a URI whose scheme ends at `end`, before a separator in brackets.
    fn defanged_separator(&mut self, end: usize) -> Option<Decision> {
        let haystack = self.haystack;
        let start = start::find(haystack, end, AfterColon::Slashes, self.options)?;
        let scheme = haystack.part(start.at..end);
        let is_uri = (start.is_known || refang::is_defanged(scheme))
            && refang::starts_authority(haystack.part(end..));
        if !is_uri || !self.may_start_at(start.at) {
            return None;
        }
        self.walked = end - start.at;
        let view = TextView::raw(haystack, start.at);
        Some(self.rejected(&view, UriFault::new(Reason::Defanged, end - start.at)))
    }

    /// D2.4: decides a URI whose colon is escaped, as in properties files: `http\://`.
    fn escaped_colon(&mut self, colon: usize) -> Option<Decision> {
        let haystack = self.haystack;
        let end = colon.checked_sub(1).filter(|&at| haystack.get(at) == Some(&b'\\'))?;
        let follow = AfterColon::classify(haystack.part(colon + 1..));
        let start = start::find(haystack, end, follow, self.options)?;
        if follow == AfterColon::Other || !start.is_known {
            return None;
        }
        let candidate = self.candidate(start, end);
        let dialect = EscapeDialect::Properties;
        Some(self.in_parts(&candidate, WalkedText::Decoded(dialect), |most, derived| {
            Some(decode::decode(haystack, start.at, dialect, most, derived))
        }))
    }

    /// D1: returns the scheme before `colon`.
    fn scheme(&self, colon: usize) -> Option<CandidateStart<'h>> {
        let follow = match escape::slashes(self.haystack.get(colon + 1..)?) {
            SlashSpelling::None => AfterColon::Other,
            SlashSpelling::Plain | SlashSpelling::Escaped(_) => AfterColon::Slashes,
        };
        let found = start::find(self.haystack, colon, follow, self.options);
        let found = found.filter(|start| {
            let before = self.haystack.part(..start.at);
            let scheme = self.haystack.part(start.at..colon);
            let after = self.haystack.part(colon + 1..);
            follow == AfterColon::Slashes
                || !start::is_parameter(before) && !start::is_property(before, scheme, after)
        });
        let announced = || {
            start::announced(self.haystack, colon)
                .filter(|start| wrapper::announces(self.haystack, start.at))
        };
        Some(self.candidate(found.or_else(announced)?, colon))
    }

    fn candidate(&self, start: SchemeStart, colon: usize) -> CandidateStart<'h> {
        CandidateStart {
            at: start.at,
            colon: colon - start.at,
            is_known: start.is_known,
            context: wrapper::before(self.haystack, start.at),
            host: None,
        }
    }

    /// Lends `act` the buffer of the last derived text. Taking it out of the scratch space lets
    /// `act` borrow both.
    pub fn with_derived<T>(&mut self, act: impl FnOnce(&mut Self, &mut DerivedText) -> T) -> T {
        let mut derived = take(&mut self.scratch.derived);
        let result = act(self, &mut derived);
        self.scratch.derived = derived;
        result
    }

    /// D4: decides the candidate on the source, or with its escapes decoded.
    fn unwrapped(&mut self, candidate: &CandidateStart<'h>) -> Decision {
        let view = TextView::raw(self.haystack, candidate.at);
        match self.end(&view, candidate, None) {
            Err(NoMatch::Escaped) => self.decoded(candidate),
            Ok(ended) => self.at_end(candidate, &view, ended),
            // The bracket of `a[.]example` is a candidate itself, and reads the whole host.
            Err(NoMatch::Rejected(UriFault { reason: Reason::Defanged, .. }))
                if candidate.host.is_some() && self.options.refang() == Refang::Read =>
            {
                Decision::Nothing
            }
            Err(NoMatch::Rejected(fault @ UriFault { reason: Reason::NoHost, .. })) => {
                let joined = self.host_in_next_line(candidate);
                joined.unwrap_or_else(|| self.rejected(&view, fault))
            }
            Err(NoMatch::Silent) if self.ends_line_after_web_scheme(candidate) => {
                self.host_in_next_line(candidate).unwrap_or(Decision::Nothing)
            }
            result => self.decision(&view, result),
        }
    }

    /// D5: true if the line ends after the colon of `http` or `https`.
    fn ends_line_after_web_scheme(&self, candidate: &CandidateStart<'h>) -> bool {
        let colon = candidate.at + candidate.colon;
        matches!(self.haystack.get(colon + 1), Some(b'\n' | b'\r'))
            && is_end_of_web(self.haystack, colon)
    }

    /// D2.4: decides the candidate with its escapes decoded.
    fn decoded(&mut self, candidate: &CandidateStart<'h>) -> Decision {
        let (haystack, at) = (self.haystack, candidate.at);
        let run = haystack.part(at..);
        let backslash = self.scratch.backslash.find(haystack, at) - at;
        // `http:\/\/`, `jdbc:mysql:\/\/`: only JSON writes slashes so directly after a colon. Only
        // the first slashes of a URI count: later ones say nothing about it, and would make
        // candidates before and after them use different rules.
        let before = run.part(..backslash);
        let follows_colon = backslash < MAX_SCHEMES_LENGTH
            && before.last() == Some(&b':')
            && !before.contains(&b'/');
        let dialect = match escape::slashes(run.part(backslash..)) {
            SlashSpelling::Escaped(EscapeDialect::Json) if follows_colon => EscapeDialect::Json,
            _ => candidate.context.dialect(),
        };
        if escape::is_pattern(candidate.context.before, run, dialect) {
            let fault = UriFault::new(Reason::Escaped, backslash);
            return self.rejected(&TextView::raw(haystack, at), fault);
        }
        self.in_parts(candidate, WalkedText::Decoded(dialect), |most, derived| {
            Some(decode::decode(haystack, at, dialect, most, derived))
        })
    }

    /// Decides a derived text, of which `derive` makes as much as needed.
    ///
    /// Most URIs are short, so decoding starts with a few bytes and doubles while a rule reads near
    /// the end. The total stays linear in the length of the URI.
    fn in_parts(
        &mut self,
        candidate: &CandidateStart<'h>,
        walked: WalkedText,
        derive: impl Fn(usize, &mut DerivedText) -> Option<DecodedExtent>,
    ) -> Decision {
        if !self.may_start_at(candidate.at) {
            return Decision::Nothing;
        }
        self.with_derived(|examiner, derived| {
            let mut most = FIRST_PART;
            loop {
                let Some(extent) = derive(most, derived) else {
                    return Decision::Nothing;
                };
                let is_part = extent == DecodedExtent::Part;
                let view = TextView { is_part, ..TextView::derived(derived, candidate.at, walked) };
                let result = examiner.end(&view, candidate, None);
                // Rules that read near the end might decide otherwise with more text. Beyond
                // `max_uri` the result is certain.
                let near = examiner.looked + MARGIN >= most && most <= examiner.options.max_uri;
                if !is_part || !near {
                    return examiner.decision(&view, result);
                }
                most *= 2;
            }
        })
    }

    fn decision(&mut self, view: &TextView<'_>, result: Result<UriEnd, NoMatch>) -> Decision {
        match result {
            Ok(ended) => self.found(view, ended, &[]),
            Err(NoMatch::Silent) => Decision::Nothing,
            // An escape that decoding left in cannot be decoded.
            Err(NoMatch::Escaped) => {
                let at = self.walked.min(view.text.len());
                self.rejected(view, UriFault::new(Reason::Escaped, at))
            }
            Err(NoMatch::Rejected(fault)) => self.rejected(view, fault),
        }
    }

    /// D4.7: a rejected URI takes the rest of its run with it, so no part of it is found as a URI
    /// of its own, unless a separator divides them.
    pub fn rejected(&mut self, view: &TextView<'_>, UriFault { reason, at }: UriFault) -> Decision {
        let walked = view.source_end(self.walked.min(view.text.len()));
        // Bounded by `max_uri`: the run of a rejected URI may be as long as the text.
        let most = (view.base + self.options.max_uri).saturating_sub(walked);
        // The part with decoded escapes and joined lines differs from the source, so only the rest
        // of the run is searched for separators.
        let from = if view.derived.is_none() { view.base } else { walked };
        let end = rejected_end(self.haystack, from, walked, most, self.options);
        self.reach = self.reach.max(end);
        let span = Span::new(view.base, end);
        let at = view.source_end(at).saturating_sub(view.base).min(span.len());
        explain::rejection(&mut self.scratch.trace, reason, span);
        Decision::Rejected { span, reason, at }
    }

    pub fn found(&mut self, view: &TextView<'_>, ended: UriEnd, hyphens: &[usize]) -> Decision {
        let UriEnd { end, next, wrapper, mut flags, finished, .. } = ended;
        let Finished { kind, parts, .. } = finished;
        let prefix = match kind {
            Kind::Abbreviated => self.options.assume.prefix(),
            _ => "",
        };
        if let Err(fault) = judge(self.options.grammar(), prefix, view.text.part(..end)) {
            return self.rejected(view, fault);
        }
        let derived = derivation(view, end);
        let rewritten = (derived.is_some() || finished.uri.is_some())
            .then(|| Box::new(derive(view, end, finished, hyphens, self.haystack)));
        if let Some(derived) = derived {
            for (origin, flag) in [
                (RunOrigin::Joined, Flag::Rejoined),
                (RunOrigin::Decoded, Flag::Decoded),
                (RunOrigin::Refanged, Flag::Refanged),
            ] {
                if derived.has(origin, end) {
                    flags.set(flag);
                }
            }
        }
        let span = view.span(end);
        Decision::Found(Delimited {
            span,
            kind,
            wrapper,
            flags,
            parts,
            next: view.source_end(next).max(span.end()),
            derived: rewritten,
        })
    }
}
