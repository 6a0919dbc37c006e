//! One candidate through all the rules.

use super::decode::{self, Extent};
use super::escape::{self, Dialect, Slashes};
use super::hole;
use super::join::{self, Content, Joined};
use super::outcome::{Delimited, Outcome, component_flags, make, wrapper_of};
use super::rejoin::{self, Continuation};
use super::run::{self, Fault, Plan, Run, Scratch, Stop, Syntax};
use super::settle::{Settled, settle};
use super::start::{self, Follow, Standing};
use super::trim::{self, Marks, Trimmed};
use super::view::{View, first_char};
use super::wrapper::{self, Context, Edge, Prefix};
use crate::error::Reason;
use crate::grammar::table::{is_scheme_byte, is_uri_byte};
use crate::offset_map::Origin;
use crate::options::{Lax, Options, Rejoin};
use crate::scheme::{self, HEAD, Nested, Quote, Recognizer, Target};
use crate::span::Span;
use crate::verdict::{Flag, Flags, Kind, Wrapper};

/// Schemes whose host follows D4.9.
const WEB: [&[u8]; 5] = [b"http", b"https", b"ftp", b"ws", b"wss"];
/// Spellings that make a URI unclickable (D4.6).
const DEFANGED: [&[u8]; 4] = [b"hxxp", b"hxxps", b"fxp", b"fxps"];
/// The first part of a run that is decoded; doubled while the URI goes on.
const FIRST_PART: usize = 160;
/// How near the end of a decoded part a walk may come: the rules look past the end of a run.
const MARGIN: usize = 64;
/// `view-source:jar:` and the like.
const DEEPEST_NESTING: usize = 4;

/// Why a text gives no match.
#[derive(Clone, Copy, Debug)]
enum Miss {
    /// It is no URI.
    Silent,
    /// It has escapes that must be decoded first.
    Escaped,
    /// It is one, and is broken.
    Rejected(Fault),
}

impl From<Fault> for Miss {
    fn from(fault: Fault) -> Self {
        Self::Rejected(fault)
    }
}

fn rejected(reason: Reason, at: usize) -> Miss {
    Miss::Rejected(Fault { reason, at })
}

/// What the scheme says about the rest.
#[derive(Clone, Copy)]
struct Body {
    syntax: Syntax,
    /// Its first byte.
    at: usize,
    /// Where the innermost scheme starts, and the colon after it.
    start: usize,
    colon: usize,
    recognizer: Option<&'static dyn Recognizer>,
    /// The schemes around it, outermost first, each with the offset of what it wraps.
    nested: [Option<(Nested, usize)>; DEEPEST_NESTING],
}

/// A candidate with what stands before it. Offsets into views count from the scheme.
struct Case<'h> {
    /// The source offset of the scheme.
    at: usize,
    /// The colon after it, counted from the scheme.
    colon: usize,
    standing: Standing,
    context: Context<'h>,
}

/// What the end of a URI must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// Wherever the rules of D4 put it.
    Open,
    /// The whole content of a wrapper, which is this long (D3.5).
    Whole { end: usize },
}

/// A text with its right end.
struct Ended {
    /// One past its last byte, in the view.
    end: usize,
    /// Where the run ended before trimming, in the view.
    run_end: usize,
    /// Where the search goes on, in the view.
    next: usize,
    stop: Stop,
    wrapper: Wrapper,
    flags: Flags,
    settled: Settled,
}

/// Examines one candidate.
pub(super) struct Examiner<'h, 'e> {
    haystack: &'h [u8],
    options: &'e Options,
    scratch: &'e mut Scratch,
    /// How far any rule looked, in source bytes.
    reach: usize,
    /// How far the last walk looked, in bytes of its view.
    walked: usize,
}

impl<'h, 'e> Examiner<'h, 'e> {
    pub fn new(haystack: &'h [u8], options: &'e Options, scratch: &'e mut Scratch) -> Self {
        Self {
            haystack,
            options,
            scratch,
            reach: 0,
            walked: 0,
        }
    }

    /// The candidate at `colon`, and how far the rules looked at it.
    pub fn candidate(mut self, colon: usize) -> (Outcome, usize) {
        self.reach = colon + HEAD;
        let outcome = match self.case(colon) {
            Some(case) => self.wrapped(&case).unwrap_or_else(|| self.unwrapped(&case)),
            None => Outcome::Nothing,
        };
        (outcome, self.reach)
    }

    /// D1, and what stands before the scheme.
    fn case(&self, colon: usize) -> Option<Case<'h>> {
        let follow = match escape::slashes(self.haystack.get(colon + 1..)?) {
            Slashes::None => Follow::Other,
            Slashes::Plain | Slashes::Escaped(_) => Follow::Slashes,
        };
        let found = start::find(self.haystack, colon, follow, self.options.schemes);
        let start = found.or_else(|| start::announced(self.haystack, colon))?;
        let context = wrapper::before(self.haystack, start.at);
        let case = Case {
            at: start.at,
            colon: colon - start.at,
            standing: start.standing,
            context,
        };
        (found.is_some() || case.announced()).then_some(case)
    }

    /// D3.2–D3.6: a wrapper with white space in it.
    fn wrapped(&mut self, case: &Case<'h>) -> Option<Outcome> {
        let angle = case.context.angle.is_some();
        if !angle && case.context.closers != ['"'] {
            return None;
        }
        let inside = &self.haystack[case.at..];
        let inside = &inside[..inside.len().min(join::WRAPPER_BYTES)];
        let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'<' | b'"');
        let first = inside.iter().position(ends).map(|at| inside[at])?;
        if !(matches!(first, b'\r' | b'\n') || angle && first.is_ascii_whitespace()) {
            return None;
        }
        self.reach = self.reach.max(case.at + join::WRAPPER_BYTES);
        match join::join(self.haystack, case.at, &case.context, self.options.rejoin) {
            Joined::Text(content) => self.joined(case, &content),
            Joined::Broken { at, end } => {
                let meant = !matches!(
                    self.end(&View::raw(self.haystack, case.at), case, Fit::Open),
                    Err(Miss::Silent)
                );
                let span = Span::new(case.at, end);
                meant.then_some(Outcome::Rejected {
                    span,
                    reason: Reason::BrokenWrapper,
                    at: at - case.at,
                })
            }
            Joined::NotWrapped => None,
        }
    }

    /// D3.5: the joined text is a URI as a whole, or there is no wrapper.
    fn joined(&mut self, case: &Case<'h>, content: &Content) -> Option<Outcome> {
        let view = View::derived(&content.derived, case.at);
        let ended = self
            .end(
                &view,
                case,
                Fit::Whole {
                    end: content.length,
                },
            )
            .ok()?;
        Some(self.found(&view, ended, &content.hyphens))
    }

    /// D4, on the text as it stands or with its escapes decoded.
    fn unwrapped(&mut self, case: &Case<'h>) -> Outcome {
        let view = View::raw(self.haystack, case.at);
        match self.end(&view, case, Fit::Open) {
            Err(Miss::Escaped) => self.decoded(case),
            Ok(ended) if ended.stop == Stop::Hard && ended.end == ended.run_end => {
                self.at_line_end(case, &view, ended)
            }
            result => self.outcome(&view, result),
        }
    }

    /// D2.4.
    fn decoded(&mut self, case: &Case<'h>) -> Outcome {
        let dialect = match escape::slashes(&self.haystack[case.at + case.colon + 1..]) {
            Slashes::Escaped(Dialect::Json) => Dialect::Json,
            _ => wrapper::dialect(case.context.before),
        };
        let mut most = FIRST_PART;
        loop {
            let (derived, extent) = decode::decode(self.haystack, case.at, dialect, most);
            let view = View::derived(&derived, case.at);
            let result = self.end(&view, case, Fit::Open);
            if extent == Extent::Part
                && self.walked + MARGIN >= most
                && most <= self.options.max_uri
            {
                most *= 2;
                continue;
            }
            return self.outcome(&view, result);
        }
    }

    /// D5: a bare URI that may go on in the next line.
    fn at_line_end(&mut self, case: &Case<'h>, view: &View<'_>, mut ended: Ended) -> Outcome {
        let end = case.at + ended.end;
        let joins = match (
            rejoin::continuation(self.haystack, case.at, end),
            self.options.rejoin,
        ) {
            (Continuation::None, _) => return self.found(view, ended, &[]),
            (Continuation::Hyphen { .. }, Rejoin::Hyphen | Rejoin::Always) => true,
            (Continuation::LongLine { .. }, Rejoin::Always) => true,
            _ => false,
        };
        if joins
            && let Some((derived, hyphens)) =
                rejoin::join(self.haystack, case.at, end, self.options.rejoin)
        {
            let view = View::derived(&derived, case.at);
            if let Ok(ended) = self.end(&view, case, Fit::Open) {
                return self.found(&view, ended, &hyphens);
            }
        }
        ended.flags.set(Flag::MaybeWrapped);
        self.found(view, ended, &[])
    }

    fn outcome(&mut self, view: &View<'_>, result: Result<Ended, Miss>) -> Outcome {
        match result {
            Ok(ended) => self.found(view, ended, &[]),
            Err(Miss::Silent | Miss::Escaped) => Outcome::Nothing,
            Err(Miss::Rejected(fault)) => self.rejected(view, fault),
        }
    }

    /// D4.7: a rejected URI takes its whole run with it.
    fn rejected(&mut self, view: &View<'_>, fault: Fault) -> Outcome {
        let walked = view.source_end(self.walked.min(view.text.len()));
        let most = (view.base + self.options.max_uri).saturating_sub(walked);
        let end = run::hard_end(self.haystack, walked, most);
        self.reach = self.reach.max(end);
        let span = Span::new(view.base, end);
        let at = view
            .source_end(fault.at)
            .saturating_sub(view.base)
            .min(span.len());
        Outcome::Rejected {
            span,
            reason: fault.reason,
            at,
        }
    }

    fn found(&self, view: &View<'_>, ended: Ended, hyphens: &[usize]) -> Outcome {
        let Ended {
            end,
            next,
            wrapper,
            mut flags,
            settled,
            ..
        } = ended;
        let plain = view.derived.is_none() && settled.uri.is_none();
        let made = (!plain).then(|| Box::new(make(view, end, &settled, hyphens, self.haystack)));
        if let Some(derived) = view.derived {
            for (origin, flag) in [
                (Origin::Joined, Flag::Rejoined),
                (Origin::Decoded, Flag::Decoded),
            ] {
                if derived.has(origin, end) {
                    flags.set(flag);
                }
            }
        }
        let uri = made.as_ref().map_or_else(
            || view.text.get(..end).unwrap_or_default(),
            |made| made.uri.as_bytes(),
        );
        component_flags(uri, settled.parts, &mut flags);
        let span = view.span(end);
        let next = view.source_end(next).max(span.end());
        Outcome::Found(Delimited {
            span,
            kind: settled.kind,
            wrapper,
            flags,
            parts: settled.parts,
            next,
            made,
        })
    }

    /// The right end of the URI of `view`.
    fn end(&mut self, view: &View<'_>, case: &Case<'_>, fit: Fit) -> Result<Ended, Miss> {
        let body = body(view, case)?;
        let context = &case.context;
        let closers = if context.is_quote() {
            context.closers
        } else {
            &[]
        };
        let plan = Plan {
            syntax: body.syntax,
            body: body.at,
            closers,
            before: context.before,
        };
        let run = run::walk(view, &plan, self.options, self.scratch);
        self.walked = run.reach;
        self.reach = self
            .reach
            .max(view.source_end(run.reach.min(view.text.len())));
        if let Some(fault) = run.fault {
            return Err(fault.into());
        }
        match run.stop {
            Stop::Escape => return Err(Miss::Escaped),
            Stop::TooLong => return Err(rejected(Reason::TooLong, self.options.max_uri)),
            Stop::Hard | Stop::Soft => {}
        }
        if let Fit::Whole { end } = fit
            && run.end != end
        {
            return Err(Miss::Silent);
        }
        let closed = closes(view, run.end, context);
        let exact = context.edge == Edge::Exact && closed;
        let trimmed = if exact {
            Trimmed {
                end: run.end,
                flags: Flags::default(),
                marks: Marks::Open,
            }
        } else {
            if hole::placeholder(view.from(run.end)) {
                return Err(rejected(Reason::Template, run.end));
            }
            trim::trim(view, &run, context, body.at)
        };
        has_host(view, &run, &body)?;
        let quote = match (context.is_quote(), closed) {
            (false, _) => Quote::None,
            (true, true) => Quote::Closed,
            (true, false) => Quote::Open,
        };
        let end = body.recognize(view, case, trimmed.end, quote)?;
        if fit != Fit::Open && end != trimmed.end {
            return Err(Miss::Silent);
        }
        let text = view.text.get(..end).unwrap_or_default();
        let settled = settle(text, run.authority_end.min(end))
            .map_err(|(reason, at)| rejected(reason, at))?;
        if settled.kind == Kind::Lax && self.options.lax == Lax::Reject {
            return Err(rejected(Reason::Lax, 0));
        }
        let mut flags = trimmed.flags;
        if run.braces.is_some_and(|at| at < end) {
            flags.set(Flag::Template);
        }
        let wrapper = wrapper_of(context, closed, trimmed.marks, view.byte(run.end));
        // what a recognizer leaves over is not searched again, or `tel:1/tel:1/` would be quadratic
        let next = if end < trimmed.end { run.end } else { end };
        Ok(Ended {
            end,
            run_end: run.end,
            next,
            stop: run.stop,
            wrapper,
            flags,
            settled,
        })
    }
}

impl Case<'_> {
    /// D1.5: directly inside `<URL:` or `<URI:`, where any scheme is taken.
    fn announced(&self) -> bool {
        self.context
            .angle
            .is_some_and(|angle| angle.prefix == Prefix::Present)
    }
}

/// What follows the colon, and by whose rules it is read.
fn body(view: &View<'_>, case: &Case<'_>) -> Result<Body, Miss> {
    let mut nested = [None; DEEPEST_NESTING];
    let (mut start, mut colon) = (0, case.colon);
    for slot in &mut nested {
        let name = view.text.get(start..colon).unwrap_or_default();
        let Some(kind) = scheme::nested(name) else {
            break;
        };
        start = colon + 1;
        colon = match (kind, scheme_end(view, start)) {
            (_, Some(end)) => end,
            // an opaque origin: `blob:null/uuid`
            (Nested::Blob, None) if view.from(start).starts_with(b"null/") => {
                *slot = Some((kind, start));
                return Ok(Body {
                    syntax: Syntax::Opaque,
                    at: start,
                    start,
                    colon,
                    recognizer: None,
                    nested,
                });
            }
            (_, None) => return Err(Miss::Silent),
        };
        // a driver before the scheme: `jdbc:microsoft:sqlserver://`
        if kind == Nested::Jdbc
            && let Some(end) = scheme_end(view, colon + 1)
        {
            colon = end;
        }
        *slot = Some((kind, start));
    }
    let name = view.text.get(start..colon).unwrap_or_default();
    let rest = view.from(colon + 1);
    let body = Body {
        syntax: Syntax::Opaque,
        at: colon + 1,
        start,
        colon,
        recognizer: None,
        nested,
    };
    let slashes = escape::slashes(rest);
    if matches!(slashes, Slashes::Escaped(_)) {
        return Err(Miss::Escaped);
    }
    if slashes == Slashes::Plain && !name.eq_ignore_ascii_case(b"urn") {
        if DEFANGED.iter().any(|bad| name.eq_ignore_ascii_case(bad)) {
            return Err(rejected(Reason::Defanged, start));
        }
        if case.standing == Standing::Unknown && !plausible(&rest[2..]) {
            return Err(Miss::Silent);
        }
        let syntax = if is_web(name) {
            Syntax::Web
        } else {
            Syntax::Hierarchical
        };
        return Ok(Body {
            syntax,
            at: colon + 3,
            ..body
        });
    }
    let head = &rest[..rest.len().min(HEAD)];
    match scheme::lookup(name) {
        Some(recognizer) if recognizer.opens(head) => Ok(Body {
            recognizer: Some(recognizer),
            ..body
        }),
        None if case.announced() && head.first().is_some_and(|&b| is_uri_byte(b)) => Ok(body),
        _ => Err(Miss::Silent),
    }
}

/// The colon after the scheme that starts at `start`, if one does.
fn scheme_end(view: &View<'_>, start: usize) -> Option<usize> {
    let text = view.from(start);
    let length = text
        .iter()
        .take(start::LONGEST_SCHEME)
        .take_while(|&&b| is_scheme_byte(b))
        .count();
    (length > 0 && text.get(length) == Some(&b':')).then_some(start + length)
}

impl Body {
    /// The end that the scheme's own syntax gives, innermost first.
    fn recognize(
        &self,
        view: &View<'_>,
        case: &Case<'_>,
        end: usize,
        quote: Quote,
    ) -> Result<usize, Miss> {
        let outcome = |outcome, start: usize| match outcome {
            scheme::Outcome::Match { end } => Ok(start + end),
            scheme::Outcome::Reject { reason, at } => Err(rejected(reason, start + at)),
        };
        let mut end = end;
        if let Some(recognizer) = self.recognizer {
            let target = Target {
                text: view.from(self.start),
                colon: self.colon - self.start,
                end: end - self.start,
                quote,
            };
            end = outcome(recognizer.recognize(&target), self.start)?;
        }
        for (nested, inner) in self.nested.iter().flatten().rev() {
            let target = Target {
                text: view.text,
                colon: case.colon,
                end,
                quote,
            };
            end = outcome(nested.recognize(&target, *inner), 0)?;
        }
        Ok(end)
    }
}

/// http, https, ftp, ws, wss, also behind a `+`.
fn is_web(scheme: &[u8]) -> bool {
    let last = scheme.rsplit(|&b| b == b'+').next().unwrap_or(scheme);
    WEB.iter().any(|web| last.eq_ignore_ascii_case(web))
}

/// D1.4: what makes an unknown word before `//` a scheme.
fn plausible(authority: &[u8]) -> bool {
    let userinfo = authority
        .iter()
        .take(HEAD)
        .take_while(|&&b| is_uri_byte(b) && !matches!(b, b'@' | b'/'))
        .count();
    let host = match authority.get(userinfo) {
        Some(b'@') => &authority[userinfo + 1..],
        _ => authority,
    };
    first_char(host).is_some_and(|(c, _)| c.is_alphanumeric() || matches!(c, '_' | '['))
}

/// D4.6: what stands after `//`.
fn has_host(view: &View<'_>, run: &Run, body: &Body) -> Result<(), Miss> {
    let (start, end) = run.host;
    let host = view.text.get(start..end).unwrap_or_default();
    let has = match body.syntax {
        Syntax::Opaque => true,
        Syntax::Web => {
            host.first() == Some(&b'[')
                || host.iter().any(u8::is_ascii_alphanumeric)
                || std::str::from_utf8(host).is_ok_and(|host| host.contains(char::is_alphanumeric))
        }
        Syntax::Hierarchical => {
            let host = host
                .iter()
                .rposition(|&b| b == b'@')
                .map_or(start, |at| start + at + 1);
            let host = view.text.get(host..run.end).unwrap_or_default();
            // a socket's path may stand there: `postgres://%2Frun%2Fpg/db`
            run::is_triplet(host)
                || first_char(host)
                    .is_some_and(|(c, _)| c.is_alphanumeric() || matches!(c, '/' | '[' | '_'))
        }
    };
    if has {
        Ok(())
    } else {
        Err(rejected(Reason::NoHost, body.at))
    }
}

/// True when the closer of the wrapper stands at `at`.
fn closes(view: &View<'_>, at: usize, context: &Context<'_>) -> bool {
    match first_char(view.from(at)) {
        Some((c, _)) if context.closers.contains(&c) => true,
        // `](uri "title")`
        Some((' ', _)) if context.edge == Edge::Exact && context.wrapper == Wrapper::Paren => {
            matches!(view.byte(at + 1), Some(b'"' | b'\'' | b'('))
        }
        _ => false,
    }
}
