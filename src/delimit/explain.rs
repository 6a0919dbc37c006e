//! Reports which rule made a decision (`--explain`). Nothing here decides.

use super::delimited::Decision;
use super::finish::Finished;
use super::prose;
use super::run::{SchemeSyntax, StopReason, UriRun};
use super::scheme_rules::{CandidateStart, SchemeRules};
use super::start::starts_with_scheme;
use super::text_view::{TextView, first_char};
use super::unclosed::WalkedText;
use crate::error::Reason;
use crate::grammar::table::is_scheme_byte;
use crate::kind::{Kind, Wrapper};
use crate::offset_map::RunOrigin;
use crate::registry::{LinkTerm, link_term};
use crate::slice::SliceExt;
use crate::span::Span;
use crate::trace::Trace;

/// D1 and D3: notes the scheme and the wrapper before it.
pub(super) fn start(
    trace: &mut Trace,
    haystack: &[u8],
    view: &TextView<'_>,
    candidate: &CandidateStart<'_>,
    end: usize,
) {
    let scheme = Span::new(candidate.at, candidate.at + candidate.colon);
    let before = haystack.part(..candidate.at).last().copied().unwrap_or(b' ');
    let is_assumed = view.walked == WalkedText::Unschemed;
    let name = haystack.clamped(scheme.range());
    let scheme = match candidate.host {
        Some(host) => Span::new(candidate.at, candidate.at + host),
        None if is_assumed => view.span(end),
        None => scheme,
    };
    let (rule, what) = match (candidate.is_known, before) {
        _ if candidate.host.is_some() => ("D7", "a host without a scheme"),
        _ if is_assumed => ("D7", "what has a scheme, without it"),
        (false, _) if candidate.announced() => ("D1.5", "any scheme, inside `<URL:`"),
        (false, _) => ("D1.4", "an unknown scheme before `//` and a plausible authority"),
        (_, b'+' | b'-' | b'.') => ("D1.3", "the longest known suffix of a longer word"),
        (_, b) if is_scheme_byte(b) => match haystack.get(..candidate.at) {
            Some([.., b'\\', _] | [.., b'\\', b'f', _]) => ("D1.3a", "a scheme after an escape"),
            _ => ("D1.3b", "a scheme at the end of a longer word"),
        },
        _ if name.contains(&b'+') => ("D1.3", "schemes joined by `+`"),
        _ => ("D1.2", "a known scheme"),
    };
    trace.note(rule, what, scheme);
    let opener = candidate.at.saturating_sub(candidate.context.opener_length());
    let opener = Span::new(opener, candidate.at);
    match candidate.context.wrapper {
        Wrapper::None => {}
        Wrapper::Angle => trace.note("D3.1", "an angle bracket opens before it", opener),
        Wrapper::Prefix => trace.note("D3.1", "after a prefix", opener),
        Wrapper::Quote | Wrapper::Backtick => {
            trace.note("D3.6", "a quotation mark opens before it", opener)
        }
        _ => trace.note("D3.7", "a bracket or mark opens before it", opener),
    }
    let Some(derived) = view.derived else { return };
    for (origin, rule, what) in [
        (RunOrigin::Joined, "D3.2", "line breaks removed"),
        (RunOrigin::Decoded, "D2.4", "escapes read"),
        (RunOrigin::Refanged, "D4.6", "refanged"),
    ] {
        if derived.has(origin, end) {
            trace.note(rule, what, view.span(end));
        }
    }
}

/// D2 and D4: notes why the run of URI characters ended.
pub(super) fn end(
    trace: &mut Trace,
    view: &TextView<'_>,
    run: &UriRun,
    rules: &SchemeRules<'_>,
    closers: &[char],
) {
    if rules.recognizer.is_some() {
        let span = view.span(rules.at);
        trace.note("D1.6", "its scheme has a syntax of its own", span);
    }
    let next = first_char(view.from(run.end));
    let length = next.map_or(usize::from(run.end < view.text.len()), |(_, length)| length);
    let at = Span::new(view.source_end(run.end), view.source_end(run.end + length));
    let (rule, what) = match next {
        _ if run.stop == StopReason::TooLong => ("D4.10", "longer than allowed"),
        None if length == 0 => ("D4.1", "the text ends here"),
        None => ("D2.4", "bytes that are not UTF-8"),
        Some((c, _)) if closers.contains(&c) => ("D3.6", "the quotation mark that closes"),
        Some((')' | ']' | '}', _)) => ("D4.2", "a closing bracket without its opener"),
        Some(('[' | '{', _)) if run.end > run.authority_end => {
            ("D4.2", "an opening bracket that is never closed")
        }
        Some((c, _)) if c.is_ascii_alphabetic() && starts_with_scheme(view.from(run.end)) => {
            ("D4.7", "a new URI starts here")
        }
        Some((c, _)) if !c.is_ascii() => match link_term(c) {
            LinkTerm::Open | LinkTerm::Close => ("D4.2", "a bracket that does not pair"),
            _ if prose::starts_sentence(c) => ("D4.12", "the sentence goes on without a space"),
            _ if run.end == run.authority_end => ("D2.2", "no character of a host"),
            _ => ("D2.2", "a character that ends a URI"),
        },
        Some(('&', _)) => ("D2.5", "a character reference to a delimiter"),
        Some((c, _))
            if c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '`' | '|' | '\\') =>
        {
            match rules.syntax {
                SchemeSyntax::Web => ("D4.9", "no character of a host or port"),
                _ => ("D4.1", "no character of this URI"),
            }
        }
        Some(_) => ("D2.4", "a character that ends every URI"),
    };
    trace.note(rule, what, at);
}

/// D1.6 and D2: notes the kind of the URI. `trimmed` is its end before the recognizer.
pub(super) fn finished(
    trace: &mut Trace,
    view: &TextView<'_>,
    (end, trimmed): (usize, usize),
    finished: &Finished,
) {
    if end < trimmed {
        let rest = Span::new(view.source_end(end), view.source_end(trimmed));
        trace.note("D1.6", "no part of it by the syntax of its scheme", rest);
    }
    let span = view.span(end);
    match finished.kind {
        Kind::Lax => trace.note("D2.3", "characters that no RFC allows, repaired", span),
        Kind::Iri => trace.note("D2.2", "an IRI, mapped to a URI", span),
        Kind::Urn => trace.note("D6", "a URN", span),
        _ => {}
    }
}

/// D7: notes a finding of rules that record no steps themselves.
pub(super) fn link(trace: &mut Trace, what: &'static str, decision: &Decision) {
    match decision {
        Decision::Found(found) => trace.note("D7", what, found.span),
        Decision::Rejected { span, reason, .. } => rejection(trace, *reason, *span),
        Decision::Nothing => {}
    }
}

pub(super) fn rejection(trace: &mut Trace, reason: Reason, span: Span) {
    let (rule, what) = match reason {
        Reason::Grammar(_) => ("D3.5", "rejected: the grammar does not allow it"),
        Reason::Obfuscated => ("D1.6", "rejected: an address spelled out"),
        Reason::Cut => ("D1.6", "rejected: it is incomplete"),
        Reason::SchemeSyntax => ("D1.6", "rejected: not the syntax of its scheme"),
        Reason::NonAscii => ("D2.2", "rejected: a non-ASCII letter continues it"),
        Reason::Lax => ("D2.3", "rejected: characters that no RFC allows"),
        Reason::Escaped => ("D2.4", "rejected: it continues after an escape"),
        Reason::BrokenWrapper => ("D3.2", "rejected: a line break and a space in one wrapper"),
        Reason::NoHost => ("D4.6", "rejected: no host"),
        Reason::Defanged => ("D4.6", "rejected: made unclickable"),
        Reason::Template => ("D4.8", "rejected: a hole to fill in"),
        Reason::InvalidHost => ("D4.9", "rejected: no host name"),
        Reason::InvalidPort => ("D4.9", "rejected: no port number"),
        Reason::TooLong => ("D4.10", "rejected: too long"),
        // A search never returns this reason.
        Reason::OtherText => return,
    };
    trace.note(rule, what, span);
}
