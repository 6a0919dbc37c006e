//! One candidate through all the rules.

use std::mem::take;

use super::abbreviated;
use super::byte_class::hard_end;
use super::decode::{self, DecodedExtent};
use super::delimited::{Decision, Delimited, make, wrapper_of};
use super::escape::{self, EscapeDialect, SlashSpelling};
use super::explain;
use super::finish::{Finished, finish, finish_with_prefix, judge};
use super::host_placeholder;
use super::join::{self, JoinedWrapper, WrapperContent};
use super::refang;
use super::rejoin::{self, LineContinuation};
use super::run::{
    self, BracketRule, DelimitScratch, SchemeSyntax, StopReason, UriFault, UriRun, WalkPlan,
};
use super::scheme_rules::{CandidateStart, NoMatch, body, has_host, rejected};
use super::start::{self, AfterColon, RegistryStatus, starts_uri};
use super::text_view::{TextView, first_char};
use super::trim::{self, MarksState, TrimmedRun};
use super::wrapper::{self, WrapperContext, WrapperEdge};
use crate::error::{ErrorKind, Reason};
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::{Lax, Options, Refang, Rejoin};
use crate::scheme::{HEAD, QuoteState};
use crate::span::Span;

/// The first part of a run that is decoded; doubled while the URI goes on.
const FIRST_PART: usize = 160;
/// How near the end of a decoded part a walk may come: the rules look past the end of a run.
const MARGIN: usize = 64;

/// What the end of a URI must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndRequirement {
    /// Wherever the rules of D4 put it.
    Open,
    /// The whole content of a wrapper, which is this long (D3.5).
    Whole { end: usize },
}

/// A text with its right end.
struct UriEnd {
    /// One past its last byte, in the view.
    end: usize,
    /// Where the run ended before trimming, in the view.
    run_end: usize,
    /// Where the search goes on, in the view.
    next: usize,
    stop: StopReason,
    wrapper: Wrapper,
    flags: Flags,
    finished: Finished,
}

/// Examines one candidate.
pub(super) struct Examiner<'h, 'e> {
    haystack: &'h [u8],
    options: &'e Options,
    scratch: &'e mut DelimitScratch,
    /// How far any rule looked, in source bytes.
    reach: usize,
    /// How far the last walk looked, in bytes of its view.
    walked: usize,
}

impl<'h, 'e> Examiner<'h, 'e> {
    pub fn new(haystack: &'h [u8], options: &'e Options, scratch: &'e mut DelimitScratch) -> Self {
        Self {
            haystack,
            options,
            scratch,
            reach: 0,
            walked: 0,
        }
    }

    /// The candidate at `colon`, and how far the rules looked at it.
    pub fn candidate(mut self, colon: usize) -> (Decision, usize) {
        self.reach = colon + HEAD;
        let outcome = match self.refanged(colon) {
            Some(outcome) => outcome,
            None => match self.case(colon) {
                Some(case) => self.wrapped(&case).unwrap_or_else(|| self.unwrapped(&case)),
                None => Decision::Nothing,
            },
        };
        (outcome, self.reach)
    }

    /// D4.6: the URI that was made unclickable, when it is asked for.
    fn refanged(&mut self, colon: usize) -> Option<Decision> {
        if self.options.refang == Refang::Reject {
            return None;
        }
        let haystack = self.haystack;
        let end = refang::scheme_end(haystack, colon);
        let start = start::find(haystack, end, AfterColon::Slashes, self.options.schemes)?;
        refang::refang(
            haystack,
            start.at,
            end,
            FIRST_PART,
            &mut self.scratch.derived,
        )?;
        let case = CandidateStart {
            at: start.at,
            colon: end - start.at,
            status: start.status,
            context: wrapper::before(haystack, start.at),
            host: None,
        };
        Some(self.in_parts(&case, |most, derived| {
            refang::refang(haystack, start.at, end, most, derived)
        }))
    }

    /// D7: the candidate around the dot at `dot`, and how far the rules looked at it.
    pub fn abbreviated(mut self, dot: usize) -> (Decision, usize) {
        self.reach = dot + HEAD;
        let Some(host) = abbreviated::host(self.haystack, dot) else {
            return (Decision::Nothing, self.reach);
        };
        if host.cut {
            self.haystack = self.haystack.get(..host.end).unwrap_or_default();
        }
        let case = CandidateStart {
            at: host.at,
            colon: 0,
            status: RegistryStatus::Known,
            context: wrapper::before(self.haystack, host.at),
            host: Some(host.end - host.at),
        };
        self.reach = self.reach.max(host.end + HEAD);
        let outcome = self.wrapped(&case).unwrap_or_else(|| self.unwrapped(&case));
        (outcome, self.reach)
    }

    /// D1, and what stands before the scheme.
    fn case(&self, colon: usize) -> Option<CandidateStart<'h>> {
        let follow = match escape::slashes(self.haystack.get(colon + 1..)?) {
            SlashSpelling::None => AfterColon::Other,
            SlashSpelling::Plain | SlashSpelling::Escaped(_) => AfterColon::Slashes,
        };
        let found = start::find(self.haystack, colon, follow, self.options.schemes);
        let announced = || {
            start::announced(self.haystack, colon)
                .filter(|start| wrapper::announces(self.haystack, start.at))
        };
        let start = found.or_else(announced)?;
        Some(CandidateStart {
            at: start.at,
            colon: colon - start.at,
            status: start.status,
            context: wrapper::before(self.haystack, start.at),
            host: None,
        })
    }

    /// D3.2–D3.6: a wrapper with white space in it.
    fn wrapped(&mut self, case: &CandidateStart<'h>) -> Option<Decision> {
        let angle = case.context.angle.is_some();
        if !angle && case.context.closers != ['"'] {
            return None;
        }
        let inside = self.haystack.get(case.at..).unwrap_or_default();
        let inside = inside
            .get(..inside.len().min(join::WRAPPER_BYTES))
            .unwrap_or_default();
        let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'<' | b'"');
        let first = inside.iter().copied().find(|b| ends(b))?;
        if !(matches!(first, b'\r' | b'\n') || angle && first.is_ascii_whitespace()) {
            return None;
        }
        self.reach = self.reach.max(case.at + join::WRAPPER_BYTES);
        let limits = (self.options.rejoin, self.options.max_wrapper);
        self.with_derived(|examiner, derived| {
            match join::join(examiner.haystack, case.at, &case.context, limits, derived) {
                JoinedWrapper::Text(content) => examiner.joined(case, derived, &content),
                JoinedWrapper::Broken { at, end } => {
                    let view = TextView::raw(examiner.haystack, case.at);
                    let ended = examiner.end(&view, case, EndRequirement::Open);
                    let meant = !matches!(ended, Err(NoMatch::Silent));
                    meant.then_some(Decision::Rejected {
                        span: Span::new(case.at, end),
                        reason: Reason::BrokenWrapper,
                        at: at - case.at,
                    })
                }
                JoinedWrapper::NotWrapped => None,
            }
        })
    }

    /// Lends the memory of the last derived text.
    fn with_derived<T>(&mut self, act: impl FnOnce(&mut Self, &mut DerivedText) -> T) -> T {
        let mut derived = take(&mut self.scratch.derived);
        let made = act(self, &mut derived);
        self.scratch.derived = derived;
        made
    }

    /// D3.5: the joined text is a URI as a whole, or there is no wrapper.
    fn joined(
        &mut self,
        case: &CandidateStart<'h>,
        derived: &DerivedText,
        content: &WrapperContent,
    ) -> Option<Decision> {
        let view = TextView::derived(derived, case.at);
        let ended = self
            .end(
                &view,
                case,
                EndRequirement::Whole {
                    end: content.length,
                },
            )
            .ok()?;
        Some(self.found(&view, ended, &content.hyphens))
    }

    /// D4, on the text as it stands or with its escapes decoded.
    fn unwrapped(&mut self, case: &CandidateStart<'h>) -> Decision {
        let view = TextView::raw(self.haystack, case.at);
        match self.end(&view, case, EndRequirement::Open) {
            Err(NoMatch::Escaped) => self.decoded(case),
            Ok(ended) if ended.stop == StopReason::Hard && ended.end == ended.run_end => {
                self.at_line_end(case, &view, ended)
            }
            result => self.outcome(&view, result),
        }
    }

    /// D2.4.
    fn decoded(&mut self, case: &CandidateStart<'h>) -> Decision {
        let dialect = match escape::slashes(
            self.haystack
                .get(case.at + case.colon + 1..)
                .unwrap_or_default(),
        ) {
            SlashSpelling::Escaped(EscapeDialect::Json) => EscapeDialect::Json,
            _ => case.context.dialect(),
        };
        let haystack = self.haystack;
        self.in_parts(case, |most, derived| {
            Some(decode::decode(haystack, case.at, dialect, most, derived))
        })
    }

    /// The outcome on a derived text, of which `derive` makes as much as is needed.
    fn in_parts(
        &mut self,
        case: &CandidateStart<'h>,
        derive: impl Fn(usize, &mut DerivedText) -> Option<DecodedExtent>,
    ) -> Decision {
        self.with_derived(|examiner, derived| {
            let mut most = FIRST_PART;
            loop {
                let Some(extent) = derive(most, derived) else {
                    return Decision::Nothing;
                };
                let view = TextView::derived(derived, case.at);
                let result = examiner.end(&view, case, EndRequirement::Open);
                let near = examiner.walked + MARGIN >= most && most <= examiner.options.max_uri;
                if extent == DecodedExtent::Part && near {
                    most *= 2;
                    continue;
                }
                return examiner.outcome(&view, result);
            }
        })
    }

    /// D5: a bare URI that may go on in the next line.
    fn at_line_end(
        &mut self,
        case: &CandidateStart<'h>,
        view: &TextView<'_>,
        mut ended: UriEnd,
    ) -> Decision {
        let end = case.at + ended.end;
        let joins = match (
            rejoin::continuation(self.haystack, case.at, end),
            self.options.rejoin,
        ) {
            (LineContinuation::None, _) => return self.found(view, ended, &[]),
            (LineContinuation::Hyphen { .. }, Rejoin::Hyphen | Rejoin::Always) => true,
            (LineContinuation::LongLine { .. }, Rejoin::Always) => true,
            _ => false,
        };
        if joins && let Some(outcome) = self.rejoined(case, end) {
            return outcome;
        }
        ended.flags.set(Flag::MaybeWrapped);
        self.found(view, ended, &[])
    }

    /// D5: the URI that ends at the source offset `end`, with the lines that continue it.
    fn rejoined(&mut self, case: &CandidateStart<'h>, end: usize) -> Option<Decision> {
        self.with_derived(|examiner, derived| {
            let rejoin = examiner.options.rejoin;
            let hyphens = rejoin::join(examiner.haystack, case.at, end, rejoin, derived)?;
            let view = TextView::derived(derived, case.at);
            let ended = examiner.end(&view, case, EndRequirement::Open).ok()?;
            Some(examiner.found(&view, ended, &hyphens))
        })
    }

    fn outcome(&mut self, view: &TextView<'_>, result: Result<UriEnd, NoMatch>) -> Decision {
        match result {
            Ok(ended) => self.found(view, ended, &[]),
            Err(NoMatch::Silent | NoMatch::Escaped) => Decision::Nothing,
            Err(NoMatch::Rejected(fault)) => self.rejected(view, fault),
        }
    }

    /// D4.7: a rejected URI takes its whole run with it.
    fn rejected(&mut self, view: &TextView<'_>, fault: UriFault) -> Decision {
        let walked = view.source_end(self.walked.min(view.text.len()));
        let most = (view.base + self.options.max_uri).saturating_sub(walked);
        let end = hard_end(self.haystack, walked, most);
        self.reach = self.reach.max(end);
        let span = Span::new(view.base, end);
        let at = view
            .source_end(fault.at)
            .saturating_sub(view.base)
            .min(span.len());
        explain::rejection(&mut self.scratch.trace, fault.reason, span);
        Decision::Rejected {
            span,
            reason: fault.reason,
            at,
        }
    }

    fn found(&mut self, view: &TextView<'_>, ended: UriEnd, hyphens: &[usize]) -> Decision {
        let prefix = match ended.finished.kind {
            Kind::Abbreviated => self.options.assume.prefix(),
            _ => "",
        };
        let text = view.text.get(..ended.end).unwrap_or_default();
        if let Err((reason, at)) = judge(self.options.grammar, prefix, text) {
            return self.rejected(view, UriFault { reason, at });
        }
        let UriEnd {
            end,
            next,
            wrapper,
            mut flags,
            finished,
            ..
        } = ended;
        // most escapes and breaks stand behind the URI
        let derived = view.derived.filter(|derived| !derived.is_copied(end));
        let plain = derived.is_none() && finished.uri.is_none();
        let made = (!plain).then(|| Box::new(make(view, end, &finished, hyphens, self.haystack)));
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
        let next = view.source_end(next).max(span.end());
        Decision::Found(Delimited {
            span,
            kind: finished.kind,
            wrapper,
            flags,
            parts: finished.parts,
            next,
            made,
        })
    }

    /// The right end of the URI of `view`.
    fn end(
        &mut self,
        view: &TextView<'_>,
        case: &CandidateStart<'_>,
        fit: EndRequirement,
    ) -> Result<UriEnd, NoMatch> {
        self.scratch.trace.restart();
        let body = body(view, case, self.options.grammar)?;
        let context = &case.context;
        let closers = if context.is_quote() {
            context.closers
        } else {
            &[]
        };
        let mut plan = WalkPlan {
            syntax: body.syntax,
            body: body.at,
            closers,
            brackets: context.brackets(),
            context,
        };
        let mut run = run::walk(view, &plan, self.options, self.scratch);
        let mut looked = run.reach;
        let is_free = plan.brackets != BracketRule::Pair && !closes(view, run.end, context);
        if is_free && asks_for_pairs(view, &run, body.at) {
            plan.brackets = BracketRule::Pair;
            run = run::walk(view, &plan, self.options, self.scratch);
            looked = looked.max(run.reach);
        }
        self.walked = run.reach;
        let looked = view.source_end(looked.min(view.text.len()));
        self.reach = self.reach.max(looked);
        if self.scratch.trace.is_on() {
            explain::start(&mut self.scratch.trace, self.haystack, view, case, run.end);
            explain::end(&mut self.scratch.trace, view, &run, &body, closers);
        }
        if let Some(fault) = run.fault {
            return Err(fault.into());
        }
        match run.stop {
            StopReason::Escape => return Err(NoMatch::Escaped),
            StopReason::TooLong => return Err(rejected(Reason::TooLong, self.options.max_uri)),
            StopReason::Hard | StopReason::Soft => {}
        }
        if let EndRequirement::Whole { end } = fit
            && run.end != end
        {
            return Err(NoMatch::Silent);
        }
        let closed = closes(view, run.end, context);
        let exact = context.edge == WrapperEdge::Exact && closed;
        if context.edge == WrapperEdge::Exact
            && !closed
            && goes_on(view, run.end, context, body.syntax)
        {
            return Err(rejected(ErrorKind::Character.into(), run.end));
        }
        let trimmed = if exact {
            TrimmedRun {
                end: run.end,
                flags: Flags::default(),
                marks: MarksState::Open,
            }
        } else {
            if host_placeholder::angle_placeholder(view.from(run.end)) {
                return Err(rejected(Reason::Template, run.end));
            }
            trim::trim(view, &run, context, body.at, &mut self.scratch.trace)
        };
        has_host(view, &run, &body)?;
        let quote = match (context.is_quote(), closed) {
            (false, _) => QuoteState::None,
            (true, true) => QuoteState::Closed,
            (true, false) => QuoteState::Open,
        };
        let end = body.recognize(view, case, trimmed.end, quote)?;
        if fit != EndRequirement::Open && end != trimmed.end {
            return Err(NoMatch::Silent);
        }
        let text = view.text.get(..end).unwrap_or_default();
        let authority = run.authority_end.min(end);
        let mut finished = match case.host {
            None => finish(text, authority),
            Some(host) if abbreviated::ends(view, &run, host, end) => {
                finish_with_prefix(self.options.assume.prefix(), text, authority)
            }
            Some(host) => return Err(rejected(Reason::InvalidHost, host)),
        }
        .map_err(|(reason, at)| rejected(reason, at))?;
        if finished.kind == Kind::Lax && self.options.lax == Lax::Reject {
            return Err(rejected(Reason::Lax, 0));
        }
        if case.host.is_some() {
            finished.kind = Kind::Abbreviated;
        }
        if self.scratch.trace.is_on() {
            let trace = &mut self.scratch.trace;
            if end < trimmed.end {
                let rest = Span::new(view.source_end(end), view.source_end(trimmed.end));
                trace.note("D1.6", "no part of it by the syntax of its scheme", rest);
            }
            explain::kind(trace, view.span(end), &finished);
        }
        let mut flags = trimmed.flags;
        if run.braces.is_some_and(|at| at < end) {
            flags.set(Flag::Template);
        }
        let wrapper = wrapper_of(context, closed, trimmed.marks, view.byte(run.end));
        // what a recognizer leaves over is not searched again, or `tel:1/tel:1/` would be quadratic
        let next = if end < trimmed.end { run.end } else { end };
        Ok(UriEnd {
            end,
            run_end: run.end,
            next,
            stop: run.stop,
            wrapper,
            flags,
            finished,
        })
    }
}

/// D4.2: a walk in which brackets pair may end elsewhere than `run`, in which they were free.
fn asks_for_pairs(view: &TextView<'_>, run: &UriRun, body: usize) -> bool {
    let walked = view.text.get(body..run.end).unwrap_or_default();
    let asks = |byte: &u8| {
        matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|') || !byte.is_ascii()
    };
    run.stop != StopReason::Hard || run.fault.is_some() || walked.iter().any(asks)
}

/// True when the closer of the wrapper stands at `at`.
fn closes(view: &TextView<'_>, at: usize, context: &WrapperContext<'_>) -> bool {
    match first_char(view.from(at)) {
        Some((c, _)) if context.closers.contains(&c) => true,
        // `](uri "title")`
        Some((' ', _))
            if context.edge == WrapperEdge::Exact && context.wrapper == Wrapper::Paren =>
        {
            matches!(view.byte(at + 1), Some(b'"' | b'\'' | b'('))
        }
        _ => false,
    }
}

/// D3.8: the author delimited exactly, and a character that no URI holds stands at `at`, before
/// the closer: what ends there is half of what was meant. (Angle brackets have D3.5.)
fn goes_on(
    view: &TextView<'_>,
    at: usize,
    context: &WrapperContext<'_>,
    syntax: SchemeSyntax,
) -> bool {
    let rest = view.from(at);
    let rest = rest.get(..rest.len().min(HEAD)).unwrap_or_default();
    let inside = match rest {
        // an opaque scheme has a recognizer, which can say more
        [b' ', ..] if syntax != SchemeSyntax::Opaque && context.holds_one_uri() => {
            let end = rest.iter().position(|b| matches!(b, b'\n' | b'<' | b'>'));
            rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
        }
        [b'"' | b'`' | b'|' | b'^' | b'&', tail @ ..]
            if context.wrapper != Wrapper::Angle && !starts_uri(tail) =>
        {
            let end = rest.iter().position(u8::is_ascii_whitespace);
            rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
        }
        _ => return false,
    };
    inside
        .iter()
        .any(|&b| context.closers.contains(&char::from(b)))
}
