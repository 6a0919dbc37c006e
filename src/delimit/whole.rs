//! A text that is one reference, because its format says so: D3.8, without a candidate to look for.
//!
//! Both ends are known, so nothing is trimmed; what no RFC allows is repaired as in D2.3, and
//! line breaks are removed as in D3.2. The result is a URI, a relative reference (RFC 3986 §4.2)
//! or rejected.

use super::body::is_web;
use super::outcome::{Delimited, Made, Outcome};
use super::settle::{Settled, Unsettled, judge, settle, settle_relative};
use crate::error::{ErrorKind, Reason};
use crate::grammar::{Parts, Urn};
use crate::offset_map::{Derived, Origin};
use crate::options::{Charset, Lax, Options, Refang, Schemes};
use crate::registry;
use crate::span::Span;
use crate::verdict::{Flag, Flags, Kind, Wrapper};

/// How long the name of a hole, `<name>`, may be.
const LONGEST_NAME: usize = 48;

/// What a whole text is.
#[derive(Debug)]
pub(crate) enum Whole {
    /// Nothing but white space, or nothing that was asked for.
    Nothing,
    /// With a scheme: found or rejected.
    Absolute(Outcome),
    /// Without one.
    Relative(Reference),
}

/// A relative reference.
#[derive(Debug)]
pub(crate) struct Reference {
    pub span: Span,
    pub kind: Kind,
    pub flags: Flags,
    pub parts: Parts,
    /// What it becomes, when it does not stand in the source as it is.
    pub made: Option<Box<Made>>,
}

/// Reads `text` as one reference.
pub(crate) fn whole(text: &[u8], options: &Options) -> Whole {
    let span = trimmed(text);
    if span.is_empty() {
        return Whole::Nothing;
    }
    let raw = text.get(span.range()).unwrap_or_default();
    let rejected =
        |(reason, at): Unsettled| Whole::Absolute(Outcome::Rejected { span, reason, at });
    if raw.len() > options.max_uri {
        return rejected((Reason::TooLong, 0));
    }
    let joined = joined(raw);
    let value = joined.as_ref().map_or(raw, Derived::text);
    let colon = scheme(value);
    if let Some(at) = hole(value).filter(|_| !is_program(value, colon)) {
        return rejected((Reason::Template, at));
    }
    if let Some(colon) = colon
        && options.schemes == Schemes::Known
        && registry::scheme(value.get(..colon).unwrap_or_default()).is_none()
    {
        return Whole::Nothing;
    }
    let settled = match colon {
        Some(colon) => absolute(value, colon, options),
        None => settle_relative(value, authority_end(value, 0)),
    };
    let settled = match settled.and_then(|settled| allowed(settled, value, options)) {
        Ok(settled) => settled,
        Err(unsettled) => return rejected(unsettled),
    };
    let mut flags = Flags::default();
    if joined.is_some() {
        flags.set(Flag::Rejoined);
    }
    if value.contains(&b'{') {
        flags.set(Flag::Template);
    }
    let (kind, parts) = (settled.kind, settled.parts);
    let made = made(settled, value, joined.as_ref(), span);
    match colon {
        None => Whole::Relative(Reference {
            span,
            kind,
            flags,
            parts,
            made,
        }),
        Some(_) => Whole::Absolute(Outcome::Found(Delimited {
            span,
            kind,
            wrapper: Wrapper::None,
            flags,
            parts,
            next: text.len(),
            made,
        })),
    }
}

/// What a match owns, when it does not stand in the source as it is.
fn made(settled: Settled, value: &[u8], joined: Option<&Derived>, span: Span) -> Option<Box<Made>> {
    if settled.uri.is_none() && joined.is_none() {
        return None;
    }
    let string = || String::from_utf8_lossy(value).into_owned();
    let ranges = joined
        .map(|derived| derived.ranges(value.len()))
        .unwrap_or_default();
    let shifted = |range: Span| Span::new(range.start() + span.start(), range.end() + span.start());
    Some(Box::new(Made {
        text: None,
        iri: (settled.kind == Kind::Iri).then(string),
        uri: settled.uri.unwrap_or_else(string),
        ranges: if ranges.len() > 1 {
            ranges.into_iter().map(shifted).collect()
        } else {
            Vec::new()
        },
        alternative: None,
    }))
}

/// What the value is, when its scheme ends at `colon`.
fn absolute(value: &[u8], colon: usize, options: &Options) -> Result<Settled, Unsettled> {
    let name = value.get(..colon).unwrap_or_default();
    let rest = value.get(colon + 1..).unwrap_or_default();
    if options.refang == Refang::Reject
        && [&b"hxxp"[..], b"hxxps"]
            .iter()
            .any(|fanged| name.eq_ignore_ascii_case(fanged))
    {
        return Err((Reason::Defanged, 0));
    }
    // a drive, not a scheme
    if name.len() == 1 && rest.starts_with(b"\\") {
        return Err((Reason::Grammar(ErrorKind::PathCharacter), colon + 1));
    }
    let host_end = authority_end(value, colon + 1);
    let settled = settle(value, host_end)?;
    if is_web(name) && settled.parts.host().is_none_or(|host| host.is_empty()) {
        return Err((Reason::NoHost, (colon + 3).min(value.len())));
    }
    if name.eq_ignore_ascii_case(b"urn") {
        let uri = settled.uri.as_deref().or(std::str::from_utf8(value).ok());
        Urn::parse(uri.unwrap_or_default())
            .map_err(|error| (error.kind().into(), error.offset()))?;
    }
    judge(options.grammar, "", value)?;
    Ok(settled)
}

/// What the options have to say.
fn allowed(settled: Settled, value: &[u8], options: &Options) -> Result<Settled, Unsettled> {
    let first = || value.iter().position(|byte| !byte.is_ascii());
    match settled.kind {
        Kind::Lax if options.lax == Lax::Reject => Err((Reason::Lax, 0)),
        _ if options.charset == Charset::Ascii && first().is_some() => {
            Err((Reason::NonAscii, first().unwrap_or(0)))
        }
        _ => Ok(settled),
    }
}

/// Without the white space and controls around it, as HTML and Markdown read their references.
fn trimmed(text: &[u8]) -> Span {
    let counts = |byte: &u8| *byte > b' ';
    let start = text.iter().position(counts).unwrap_or(text.len());
    let end = text.iter().rposition(counts).map_or(start, |last| last + 1);
    Span::new(start, end)
}

/// D3.2: without line breaks and the white space around them, if there are any.
fn joined(value: &[u8]) -> Option<Derived> {
    memchr::memchr2(b'\n', b'\r', value)?;
    let mut derived = Derived::with_capacity(value.len());
    let mut at = 0;
    while at < value.len() {
        let rest = value.get(at..).unwrap_or_default();
        let white = |byte: &u8| byte.is_ascii_whitespace();
        let text = rest.iter().position(white).unwrap_or(rest.len());
        derived.copy(rest.get(..text).unwrap_or_default(), at);
        let rest = rest.get(text..).unwrap_or_default();
        let space = rest.iter().take_while(|byte| white(byte)).count();
        let spaces = rest.get(..space).unwrap_or_default();
        if spaces.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
            let span = Span::new(at + text, at + text + space);
            derived.replace(b"", span, Origin::Joined);
        } else {
            derived.copy(spaces, at + text);
        }
        at += text + space;
    }
    Some(derived)
}

/// True for a URI that is a program or a document itself, in which braces and the like have a meaning.
fn is_program(value: &[u8], colon: Option<usize>) -> bool {
    let name = colon.and_then(|colon| value.get(..colon));
    name.is_some_and(|name| {
        [&b"javascript"[..], b"data"]
            .iter()
            .any(|program| name.eq_ignore_ascii_case(program))
    })
}

/// D4.8: where a template engine, or whoever copies the text, is to put something in.
fn hole(value: &[u8]) -> Option<usize> {
    const OPENERS: [&[u8]; 8] = [b"{{", b"{%", b"{#", b"<%", b"<?", b"${", b"#{", b"$("];
    let opens = |at: usize| {
        let rest = value.get(at..).unwrap_or_default();
        let is_name = |next: &u8| next.is_ascii_alphanumeric() || *next == b'_';
        OPENERS.iter().any(|opener| rest.starts_with(opener))
            || rest.starts_with(b"%s")
            // a bare `%` before what is no triplet is D2.3's, but for `%(name)s`
            || rest.starts_with(b"%(")
            || rest.first() == Some(&b'<')
                && rest.get(1).is_some_and(is_name)
                && rest.iter().take(LONGEST_NAME).any(|&byte| byte == b'>')
    };
    memchr::memchr3_iter(b'{', b'<', b'%', value)
        .chain(memchr::memchr2_iter(b'$', b'#', value))
        .find(|&at| opens(at))
}

/// Where the scheme ends, if there is one (RFC 3986 §3.1).
fn scheme(value: &[u8]) -> Option<usize> {
    let colon = value
        .iter()
        .position(|byte| matches!(byte, b':' | b'/' | b'?' | b'#'))?;
    let name = value.get(..colon).unwrap_or_default();
    let rest = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    (value.get(colon) == Some(&b':')
        && name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(rest))
    .then_some(colon)
}

/// Where the authority ends that stands at `at`; `at` itself without one.
fn authority_end(value: &[u8], at: usize) -> usize {
    let rest = value.get(at..).unwrap_or_default();
    let Some(authority) = rest.strip_prefix(b"//") else {
        return at;
    };
    let ends = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
    at + 2 + authority.iter().position(ends).unwrap_or(authority.len())
}
