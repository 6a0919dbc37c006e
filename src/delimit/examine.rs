//! Runs one candidate through all the rules.

use alloc::boxed::Box;
use core::mem::take;

use super::abbreviated::{self, BareStart};
use super::byte_class::hard_end;
use super::decode::{self, DecodedExtent};
use super::delimited::{Decision, Delimited, derivation, make, wrapper_of};
use super::escape::{self, EscapeDialect, SlashSpelling};
use super::explain;
use super::finish::{Finished, finish, finish_with_prefix, judge};
use super::host_placeholder;
use super::prose;
use super::refang;
use super::run::SchemeSyntax;
use super::run::{
    self, BracketRule, DelimitScratch, MarkRule, StopReason, UriFault, UriRun, WalkPlan,
};
use super::scheme_rules::{self, CandidateStart, NoMatch, SchemeRules, has_host, rejected};
use super::start::{self, AfterColon, SchemeStart, starts_uri};
use super::texinfo;
use super::text_view::{MARGIN, TextView, first_char};
use super::trim::{self, TrimmedRun};
use super::unclosed::WalkedText;
use super::unschemed::{self, Unschemed};
use super::value::{self, StringRole};
use super::wrapper::{self, WrapperContext, WrapperEdge};
use crate::error::{ErrorKind, Reason};
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::{Lax, Options, Refang};
use crate::scheme::{HEAD, QuoteState};
use crate::slice::SliceExt;
use crate::span::Span;

/// Bytes of a run that are decoded first; doubled while the URI continues.
const FIRST_PART: usize = 160;

/// A URI with its right end. Offsets are into the view.
pub(super) struct UriEnd {
    pub end: usize,
    /// End of the run before trimming.
    pub run_end: usize,
    /// The host, if the URI ends with it.
    pub host: Option<(usize, usize)>,
    next: usize,
    pub stop: StopReason,
    wrapper: Wrapper,
    pub flags: Flags,
    finished: Finished,
}

pub(super) struct Examiner<'h, 'e> {
    pub haystack: &'h [u8],
    pub options: &'e Options,
    pub scratch: &'e mut DelimitScratch,
    /// End of the last finding; no finding may start before it.
    floor: usize,
    /// Source offset up to which the rules have read.
    pub reach: usize,
    /// View offsets up to which the last walk went and its rules read.
    walked: usize,
    looked: usize,
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
        self.reach = colon + HEAD;
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
        self.reach = dot + HEAD;
        let haystack = self.haystack;
        let host = match abbreviated::start(haystack, dot, self.options.identifiers) {
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
        self.reach = self.reach.max(host.end + HEAD);
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
            if let Some(made) = &mut delimited.made {
                // Only `Kind::Iri` carries an IRI, and this kind has just been replaced.
                made.iri = None;
            }
        }
        (decision, self.reach)
    }

    fn decide(&mut self, candidate: &CandidateStart<'h>) -> Decision {
        if !self.may_start_at(candidate.at) {
            return Decision::Nothing;
        }
        if let Some(end) = texinfo::argument_end(self.haystack, candidate.at) {
            // D3.7: the comma ends the argument. Hiding the text after it ends every rule there.
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
        if self.options.refang == Refang::Reject {
            return None;
        }
        let haystack = self.haystack;
        let end = refang::scheme_end(haystack, colon);
        let start = start::find(haystack, end, AfterColon::Slashes, self.options)?;
        let refang = |most, derived: &mut _| refang::refang(haystack, start.at, end, most, derived);
        refang(FIRST_PART, &mut self.scratch.derived)?;
        let candidate = self.candidate(start, end);
        Some(self.in_parts(&candidate, WalkedText::Refanged, refang))
    }

    /// D2.4: decides a URI whose colon is escaped, as in properties files: `http\://`.
    fn escaped_colon(&mut self, colon: usize) -> Option<Decision> {
        let haystack = self.haystack;
        let end = colon.checked_sub(1).filter(|&at| haystack.get(at) == Some(&b'\\'))?;
        let follow = AfterColon::of(haystack.part(colon + 1..));
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
            follow == AfterColon::Slashes || !start::is_parameter(before)
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
                if candidate.host.is_some() && self.options.refang == Refang::Read =>
            {
                Decision::Nothing
            }
            result => self.decision(&view, result),
        }
    }

    /// D2.4: decides the candidate with its escapes decoded.
    fn decoded(&mut self, candidate: &CandidateStart<'h>) -> Decision {
        let (haystack, at) = (self.haystack, candidate.at);
        let run = haystack.part(at..);
        let backslash = self.scratch.backslash.find(haystack, at) - at;
        // `http:\/\/`, `jdbc:mysql:\/\/`: only JSON writes slashes so directly after a colon.
        let follows_colon = run.part(..backslash).last() == Some(&b':');
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

    /// D4.7: a rejected URI takes its whole run with it, so no part of it is found as a URI of its
    /// own.
    pub fn rejected(&mut self, view: &TextView<'_>, UriFault { reason, at }: UriFault) -> Decision {
        let walked = view.source_end(self.walked.min(view.text.len()));
        // Bounded by `max_uri`: the run of a rejected URI may be as long as the text.
        let most = (view.base + self.options.max_uri).saturating_sub(walked);
        let end = hard_end(self.haystack, walked, most);
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
        if let Err(fault) = judge(self.options.grammar, prefix, view.text.part(..end)) {
            return self.rejected(view, fault);
        }
        let derived = derivation(view, end);
        let rewritten = (derived.is_some() || finished.uri.is_some())
            .then(|| Box::new(make(view, end, finished, hyphens, self.haystack)));
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
            made: rewritten,
        })
    }

    /// Returns the right end of the URI in `view`. D3.5: in a wrapper, it must be at `required`.
    pub fn end(
        &mut self,
        view: &TextView<'_>,
        candidate: &CandidateStart<'_>,
        required: Option<usize>,
    ) -> Result<UriEnd, NoMatch> {
        self.scratch.trace.restart();
        let context = &candidate.context;
        let rules = scheme_rules::read(view, candidate, self.options)?;
        let run = self.walk(view, candidate, &rules);
        self.check(&run)?;
        if required.is_some_and(|end| run.end != end) {
            return Err(NoMatch::Silent);
        }
        let closed = closes(view, run.end, context);
        let trimmed = self.trim(view, candidate, &rules, &run, closed)?;
        has_host(view, &run, &rules)?;
        let end = rules.recognize(view, candidate, trimmed.end, quote_state(context, closed))?;
        // D3.5: the joined text must be a URI as a whole.
        if required.is_some() && end != trimmed.end {
            return Err(NoMatch::Silent);
        }
        let finished = self.finish(view, candidate, &run, end)?;
        if self.scratch.trace.is_on() {
            explain::finished(&mut self.scratch.trace, view, (end, trimmed.end), &finished);
        }
        let mut flags = trimmed.flags;
        if run.braces.is_some_and(|at| at < end) {
            flags.set(Flag::Template);
        }
        if run.has_symbol {
            flags.set(Flag::IdnaSymbol);
        }
        let may_go_on = || {
            let after = view.from(end);
            let goes_on = if end > run.authority_end {
                prose::goes_on(context.before, after)
            } else {
                prose::host_goes_on(after)
            };
            goes_on || prose::is_undecoded(after)
        };
        if end == run.end && may_go_on() {
            flags.set(Flag::MaybeCut);
        }
        Ok(UriEnd {
            end,
            run_end: run.end,
            host: (run.host.0 < run.host.1 && end <= run.authority_end)
                .then_some((run.host.0, end.min(run.host.1))),
            // The text that a recognizer rejects is not searched again: `tel:1/tel:1/…` would take
            // quadratic time.
            next: if end < trimmed.end { run.end } else { end },
            stop: run.stop,
            wrapper: wrapper_of(context, closed, trimmed.marks_closed, view.byte(run.end)),
            flags,
            finished,
        })
    }

    /// D2, D4.1, D4.2: walks the run of URI characters. If a wrapper that allows unpaired brackets
    /// is not closed behind the run, the run is walked again with brackets that pair.
    fn walk(
        &mut self,
        view: &TextView<'_>,
        candidate: &CandidateStart<'_>,
        rules: &SchemeRules<'_>,
    ) -> UriRun {
        let context = &candidate.context;
        let mut plan = WalkPlan {
            syntax: rules.syntax,
            body: rules.at,
            closers: if context.is_quote() { context.closers } else { &[] },
            brackets: context.brackets(),
            marks: context.marks_rule(),
            is_written: candidate.host.is_none() && view.walked != WalkedText::Unschemed,
            context,
        };
        let mut run = run::walk(view, &plan, self.options, self.scratch);
        let mut looked = run.looked;
        let is_free = plan.brackets != BracketRule::Pair || plan.marks != MarkRule::End;
        if is_free && !closes(view, run.end, context) && depends_on_marks(view, &run, rules.at) {
            plan.brackets = BracketRule::Pair;
            plan.marks = MarkRule::End;
            run = run::walk(view, &plan, self.options, self.scratch);
            looked = looked.max(run.looked);
        }
        (self.walked, self.looked) = (run.reach, looked);
        let looked = view.source_end(looked.min(view.text.len()));
        self.reach = self.reach.max(looked);
        self.scratch.looked.reach(looked);
        if self.scratch.trace.is_on() {
            explain::start(&mut self.scratch.trace, self.haystack, view, candidate, run.end);
            explain::end(&mut self.scratch.trace, view, &run, rules, plan.closers);
        }
        run
    }

    /// Rejects a run with a fault, an escape that must be decoded first (D2.4), or too many bytes
    /// (D4.10).
    fn check(&self, run: &UriRun) -> Result<(), NoMatch> {
        match (run.fault, run.stop) {
            (Some(fault), _) => Err(fault.into()),
            (None, StopReason::Escape) => Err(NoMatch::Escaped),
            (None, StopReason::TooLong) => Err(rejected(Reason::TooLong, self.options.max_uri)),
            (None, StopReason::Hard | StopReason::Soft) => Ok(()),
        }
    }

    /// D4.3–D4.5: trims the run, unless the wrapper gives the exact end (D3.8). D4.8: rejects it if
    /// a placeholder follows.
    fn trim(
        &mut self,
        view: &TextView<'_>,
        candidate: &CandidateStart<'_>,
        rules: &SchemeRules<'_>,
        run: &UriRun,
        closed: bool,
    ) -> Result<TrimmedRun, NoMatch> {
        let context = &candidate.context;
        match (context.edge, closed) {
            (WrapperEdge::Exact, true) => Ok(TrimmedRun::whole(run)),
            (WrapperEdge::Exact, false) if goes_on(view, run.end, context, rules.syntax) => {
                Err(rejected(ErrorKind::Character.into(), run.end))
            }
            _ if host_placeholder::placeholder_follows(view.from(run.end)) => {
                Err(rejected(Reason::Template, run.end))
            }
            (WrapperEdge::Open, true) if context.wrapper == Wrapper::Quote => {
                match value::role(context.before, view.text.part(..run.end), view.from(run.end)) {
                    role if is_cut_authority(view, run, role) => {
                        Err(rejected(Reason::Template, run.end))
                    }
                    StringRole::Prose => {
                        Ok(trim::trim(view, run, context, rules.at, &mut self.scratch.trace))
                    }
                    StringRole::Value | StringRole::Operand => Ok(TrimmedRun::whole(run)),
                }
            }
            _ => Ok(trim::trim(view, run, context, rules.at, &mut self.scratch.trace)),
        }
    }

    /// D2.2, D2.3: parses the text up to `end` as a URI. D7: prepends the assumed scheme.
    #[inline(always)]
    fn finish(
        &self,
        view: &TextView<'_>,
        candidate: &CandidateStart<'_>,
        run: &UriRun,
        end: usize,
    ) -> Result<Finished, NoMatch> {
        let text = view.text.part(..end);
        let authority = run.authority_end.min(end);
        let mut finished = match candidate.host {
            None => finish(text, authority, self.options.hosts)?,
            Some(host) if abbreviated::ends(view, run, host, end) => finish_with_prefix(
                self.options.assume.prefix(),
                text,
                authority,
                self.options.hosts,
            )?,
            Some(host) => return Err(rejected(Reason::InvalidHost, host)),
        };
        if finished.kind == Kind::Lax && self.options.lax == Lax::Reject {
            return Err(rejected(Reason::Lax, 0));
        }
        if candidate.host.is_some() {
            finished.kind = Kind::Abbreviated;
        }
        Ok(finished)
    }
}

/// D4.8: true if a string ends in an authority that a program completes: `"http://a.example:" +
/// port`.
fn is_cut_authority(view: &TextView<'_>, run: &UriRun, role: StringRole) -> bool {
    // A port's colon without digits is not part of the host. No complete URI in a program ends with
    // it.
    let last = view.text.part(..run.end).last();
    run.end == run.authority_end
        && run.host.0 < run.end
        && match role {
            StringRole::Prose => false,
            StringRole::Value => last == Some(&b':'),
            StringRole::Operand => matches!(last, Some(b':' | b'-' | b'.' | b'_')),
        }
}

/// D3.6: returns whether a quotation mark opened before the scheme, and whether it closed.
fn quote_state(context: &WrapperContext<'_>, closed: bool) -> QuoteState {
    match (context.is_quote(), closed) {
        (false, _) => QuoteState::None,
        (true, true) => QuoteState::Closed,
        (true, false) => QuoteState::Open,
    }
}

/// D2.2, D4.2: true if a walk with paired brackets and ending marks could end elsewhere than `run`.
/// Skips a second walk in the common case.
fn depends_on_marks(view: &TextView<'_>, run: &UriRun, body: usize) -> bool {
    let pairs = |byte: &u8| {
        matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b'"') || !byte.is_ascii()
    };
    run.stop != StopReason::Hard
        || run.fault.is_some()
        || view.text.part(body..run.end).iter().any(pairs)
}

/// True if the wrapper's closer is at `at`.
fn closes(view: &TextView<'_>, at: usize, context: &WrapperContext<'_>) -> bool {
    match first_char(view.from(at)) {
        Some((c, _)) if context.closers.contains(&c) => true,
        // A title may follow the destination in Markdown: `](uri "title")`.
        Some((' ', _))
            if context.edge == WrapperEdge::Exact && context.wrapper == Wrapper::Paren =>
        {
            matches!(view.byte(at + 1), Some(b'"' | b'\'' | b'('))
        }
        _ => false,
    }
}

/// D3.8: true if the author delimited exactly, but a character that no URI may contain precedes the
/// closer. A URI that ended there would be only half of the text. Angle brackets follow D3.5
/// instead.
fn goes_on(
    view: &TextView<'_>,
    at: usize,
    context: &WrapperContext<'_>,
    syntax: SchemeSyntax,
) -> bool {
    let rest = view.from(at).clamped(..HEAD);
    let end = match rest {
        // Opaque schemes have a recognizer, which decides more precisely.
        [b' ', ..] if syntax != SchemeSyntax::Opaque && context.holds_one_uri() => {
            rest.iter().position(|b| matches!(b, b'\n' | b'<' | b'>'))
        }
        [b'"' | b'`' | b'|' | b'^' | b'&', tail @ ..]
            if context.wrapper != Wrapper::Angle && !starts_uri(tail) =>
        {
            rest.iter().position(u8::is_ascii_whitespace)
        }
        _ => return false,
    };
    let inside = rest.part(..end.unwrap_or(rest.len()));
    inside.iter().any(|&b| context.closers.contains(&char::from(b)))
}
