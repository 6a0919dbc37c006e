//! Reads a text that its format delimits as one reference (D3.8), without searching for a
//! candidate.
//!
//! Both ends are known, so nothing is trimmed. Characters that no RFC allows are repaired as in
//! D2.3, and line breaks are removed as in D3.2. The result is a URI, a relative reference (RFC
//! 3986 §4.2), or a rejection.

use alloc::boxed::Box;
use alloc::string::String;
use core::cell::LazyCell;
use core::str::from_utf8;

use super::byte_class::is_triplet;
use super::delimited::{Decision, Delimited, DerivedIri, DerivedUri};
use super::finish::{Finished, finish, finish_relative, judge};
use super::host_placeholder::may_be_variable;
use super::refang;
use super::run::{UriFault, starts_ellipsis};
use super::run_marks::{sici_segment, starts_doi};
use super::scheme_rules::is_web;
use super::start::starts_uri;
use super::trim::ends_in_dots_alone;
use crate::error::{ErrorKind, Reason};
use crate::grammar::{UriParts, Urn};
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::{Charset, Lax, Options, Refang, Schemes};
use crate::registry;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Longest name of a placeholder, `<name>`, in bytes.
const MAX_NAME_LENGTH: usize = 48;

#[derive(Debug)]
pub(crate) enum ExactText {
    /// Only white space, or excluded by the options.
    Nothing,
    Absolute(Decision),
    Relative(ExactReference),
}

#[derive(Debug)]
pub(crate) struct ExactReference {
    pub span: Span,
    pub kind: Kind,
    pub flags: Flags,
    pub parts: UriParts,
    /// The rewritten URI, if it differs from the source.
    pub derived: Option<Box<DerivedUri>>,
}

pub(crate) fn read(text: &[u8], options: &Options) -> ExactText {
    let span = trimmed(text);
    if span.is_empty() {
        return ExactText::Nothing;
    }
    let rejected =
        |UriFault { reason, at }| ExactText::Absolute(Decision::Rejected { span, reason, at });
    let raw = text.part(span.range());
    if raw.len() > options.max_uri {
        return rejected(UriFault::new(Reason::TooLong, 0));
    }
    let joined = joined(raw);
    let value = joined.as_ref().map_or(raw, DerivedText::text);
    let colon = scheme(value);
    // `javascript:` and `data:` hold programs and documents, where `${` and `{{` are code of their
    // own.
    if let Some(at) = placeholder(value).filter(|_| !is_program(value, colon)) {
        return rejected(UriFault::new(Reason::Template, at));
    }
    let is_unknown = |colon| !registry::is_scheme(value.part(..colon));
    if options.schemes == Schemes::Known && colon.is_some_and(is_unknown) {
        return ExactText::Nothing;
    }
    let finished = match colon {
        Some(colon) => absolute(value, colon, options),
        None => finish_relative(value, authority_end(value, 0), options.hosts),
    };
    let finished = match finished.and_then(|finished| allowed(finished, value, options)) {
        Ok(finished) => finished,
        Err(fault) => return rejected(fault),
    };
    let mut flags = Flags::default();
    if joined.is_some() {
        flags.set(Flag::Rejoined);
    }
    if value.contains(&b'{') || names_variable(value) {
        flags.set(Flag::Template);
    }
    if is_shortened(value) {
        flags.set(Flag::Elided);
    }
    if colon.is_some_and(|colon| has_two_ats(value, colon)) {
        flags.set(Flag::MisleadingUserinfo);
    }
    let (kind, parts) = (finished.kind, finished.parts);
    let derived = rewritten(finished, value, joined.as_ref(), span);
    match colon {
        None => ExactText::Relative(ExactReference { span, kind, flags, parts, derived }),
        Some(_) => ExactText::Absolute(Decision::Found(Delimited {
            span,
            kind,
            wrapper: Wrapper::None,
            flags,
            parts,
            next: text.len(),
            derived,
        })),
    }
}

/// Returns the owned parts of a URI that differs from the source.
fn rewritten(
    finished: Finished,
    value: &[u8],
    joined: Option<&DerivedText>,
    span: Span,
) -> Option<Box<DerivedUri>> {
    if finished.uri.is_none() && joined.is_none() {
        return None;
    }
    let string = || String::from_utf8_lossy(value).into_owned();
    let ranges = joined.map(|derived| derived.several_ranges(value.len())).unwrap_or_default();
    let shifted = |range: Span| Span::new(range.start() + span.start(), range.end() + span.start());
    Some(Box::new(DerivedUri {
        iri: (finished.kind == Kind::Iri).then(|| DerivedIri::Owned(string())),
        uri: finished.uri.unwrap_or_else(string),
        ranges: ranges.into_iter().map(shifted).collect(),
        ..DerivedUri::default()
    }))
}

/// Finishes a value whose scheme ends at `colon`.
fn absolute(value: &[u8], colon: usize, options: &Options) -> Result<Finished, UriFault> {
    let (name, rest) = (value.part(..colon), value.part(colon + 1..));
    if options.refang() == Refang::Reject && rest.starts_with(b"//") && refang::is_defanged(name) {
        return Err(UriFault::new(Reason::Defanged, 0));
    }
    // A drive of Windows, not a scheme
    if name.len() == 1 && rest.starts_with(b"\\") {
        return Err(UriFault::new(ErrorKind::PathCharacter, colon + 1));
    }
    let authority = authority_end(value, colon + 1);
    let brace = memchr::memchr(b'{', value.part(..authority));
    let finished = finish(value, authority, options.hosts)
        .or_else(|fault| with_one_at(value, colon, options).ok_or(fault))
        .map_err(|fault| brace.map_or(fault, |at| UriFault::new(Reason::Template, at)))?;
    if is_web(name) && finished.parts.host().is_none_or(|host| host.is_empty()) {
        return Err(UriFault::new(Reason::NoHost, (colon + 3).min(value.len())));
    }
    if name.eq_ignore_ascii_case(b"urn") {
        let uri = finished.uri.as_deref().or(from_utf8(value).ok());
        Urn::parse(uri.unwrap_or_default())
            .map_err(|error| UriFault::new(error.kind(), error.offset()))?;
    }
    judge(options.grammar(), "", value)?;
    Ok(finished)
}

/// D3.8: true if two `@` are in the authority of a web URI, whose scheme ends at `colon`. A reader
/// takes the first for the end of the userinfo.
fn has_two_ats(value: &[u8], colon: usize) -> bool {
    let ats = || memchr::memchr_iter(b'@', value.part(..authority_end(value, colon + 1)));
    is_web(value.part(..colon)) && ats().nth(1).is_some()
}

/// D3.8: finishes a web URI with two `@` as browsers read it: all but the last belong to the
/// userinfo (WHATWG URL §4.4, "authority state").
fn with_one_at(value: &[u8], colon: usize, options: &Options) -> Option<Finished> {
    let authority = value.part(..authority_end(value, colon + 1));
    let last = memchr::memrchr(b'@', authority).filter(|_| has_two_ats(value, colon))?;
    let userinfo = from_utf8(authority.part(..last)).ok()?.replace('@', "%40");
    let text = [userinfo.as_bytes(), value.part(last..)].concat();
    let host_end = userinfo.len() + authority.len() - last;
    let finished = finish(&text, host_end, options.hosts).ok()?;
    let uri = finished.uri.or_else(|| String::from_utf8(text).ok())?;
    Some(Finished { kind: Kind::Lax, uri: Some(uri), ..finished })
}

fn allowed(finished: Finished, value: &[u8], options: &Options) -> Result<Finished, UriFault> {
    let foreign = match options.charset {
        Charset::Ascii => value.iter().position(|byte| !byte.is_ascii()),
        _ => None,
    };
    match foreign {
        _ if finished.kind == Kind::Lax && options.lax == Lax::Reject => {
            Err(UriFault::new(Reason::Lax, 0))
        }
        Some(at) => Err(UriFault::new(Reason::NonAscii, at)),
        None => Ok(finished),
    }
}

/// Returns the text without surrounding white space and controls, as HTML and Markdown read
/// references, and without a second wrapper.
fn trimmed(text: &[u8]) -> Span {
    let counts = |byte: &u8| *byte > b' ';
    let start = text.iter().position(counts).unwrap_or(text.len());
    let end = text.iter().rposition(counts).map_or(start, |last| last + 1);
    let (before, after) = around_uri(text.part(start..end)).unwrap_or_default();
    Span::new(start + before, end - after)
}

/// Marks that some authors write around a URI although its format already delimits it,
/// `[t]((http://a.example/))`, or that a program made of its quotation marks:
/// `href=”http://a.example/”`.
#[rustfmt::skip]
const SECOND_WRAPPERS: [(&str, &str); 17] = [
    ("(", ")"), ("[", "]"), ("<", ">"), ("`", "`"), ("\"", "\""), ("'", "'"), ("\\\"", "\\\""), ("*", "*"), ("_", "_"),
    ("\u{201C}", "\u{201D}"), ("\u{201D}", "\u{201D}"), ("\u{201E}", "\u{201C}"), ("\u{2018}", "\u{2019}"),
    ("\u{2019}", "\u{2019}"), ("\u{AB}", "\u{BB}"), ("\u{2033}", "\u{2033}"), ("\u{300C}", "\u{300D}"),
];

/// D3.8: returns the lengths of the text before and after a URI that fills the rest: the marks of a
/// second wrapper, or invisible characters.
fn around_uri(text: &[u8]) -> Option<(usize, usize)> {
    // Nearly all references start with a letter, `/`, `#`, or `.`.
    if text.first().is_none_or(|b| b.is_ascii_alphanumeric() || b"/#.?".contains(b)) {
        return None;
    }
    let wrapper = SECOND_WRAPPERS.into_iter().find(|(open, close)| {
        let inside = text.strip_prefix(open.as_bytes());
        let inside = inside.and_then(|inside| inside.strip_suffix(close.as_bytes()));
        inside.is_some_and(starts_uri)
    });
    wrapper.map(|(open, close)| (open.len(), close.len())).or_else(|| unseen_around(text))
}

/// Returns the lengths of the invisible characters around a URI that follows some: a program wrote
/// them, or an author copied them, and browsers would look for a file of this name.
fn unseen_around(text: &[u8]) -> Option<(usize, usize)> {
    // The white space of ASCII is gone, so each of them takes several bytes.
    if text.first().is_none_or(u8::is_ascii) {
        return None;
    }
    let text = from_utf8(text).ok()?;
    let uri = text.trim_start_matches(registry::is_unseen);
    (uri.len() < text.len() && starts_uri(uri.as_bytes())).then(|| {
        let behind = uri.len() - uri.trim_end_matches(registry::is_unseen).len();
        (text.len() - uri.len(), behind)
    })
}

/// D3.2: returns the text without line breaks and the white space around them, if there are any.
fn joined(value: &[u8]) -> Option<DerivedText> {
    memchr::memchr2(b'\n', b'\r', value)?;
    let mut derived = DerivedText::with_capacity(value.len());
    let mut at = 0;
    while at < value.len() {
        let rest = value.part(at..);
        let text = rest.leading(|byte| !byte.is_ascii_whitespace());
        derived.copy(rest.part(..text), at);
        let rest = rest.part(text..);
        let space = rest.leading(|byte| byte.is_ascii_whitespace());
        let spaces = rest.part(..space);
        if spaces.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
            let span = Span::new(at + text, at + text + space);
            derived.replace(b"", span, RunOrigin::Joined);
        } else {
            derived.copy(spaces, at + text);
        }
        at += text + space;
    }
    Some(derived)
}

/// True for a URI that contains a program or a document, in which braces and the like have a
/// meaning.
fn is_program(value: &[u8], colon: Option<usize>) -> bool {
    let name = colon.and_then(|colon| value.get(..colon));
    name.is_some_and(|name| {
        [&b"javascript"[..], b"data"].iter().any(|program| name.eq_ignore_ascii_case(program))
    })
}

/// D4.8: returns the offset of a placeholder, which a template engine or a reader is meant to fill
/// in.
fn placeholder(value: &[u8]) -> Option<usize> {
    const OPENERS: [&[u8]; 10] =
        // Template Toolkit needs a space or a hyphen after `[%`. Without it, `?ids[%20x]=1` would
        // be a template.
        [b"{{", b"{%", b"{#", b"<%", b"<?", b"[% ", b"[%-", b"${", b"#{", b"$("];
    let names_doi = starts_doi(value);
    // A tag has its end. Without it, this is a brace before an escape: `?x={%22a%22:1}`. Few values
    // have one, so it is looked for once, and on demand.
    let last_tag = LazyCell::new(|| crate::memmem::rfind(value, b"%}"));
    let is_escape = |at: usize, rest: &[u8]| {
        rest.first() == Some(&b'{')
            && is_triplet(rest.part(1..))
            && last_tag.is_none_or(|tag| tag < at)
    };
    let opens = |at: usize| {
        let rest = value.part(at..);
        let starts_name = |next: &u8| next.is_ascii_alphanumeric() || *next == b'_';
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-. /|:".contains(&byte);
        !is_escape(at, rest) && OPENERS.iter().any(|opener| rest.starts_with(opener))
            || rest.starts_with(b"%s")
            // D2.3 repairs a bare `%`, except in Python's `%(name)s`.
            || rest.starts_with(b"%(")
            || rest.first() == Some(&b'<')
                // D1.6: a DOI with a SICI
                && !(names_doi && sici_segment(rest).is_some())
                && rest.get(1).is_some_and(starts_name)
                && rest.get(1 + rest.clamped(1..MAX_NAME_LENGTH).leading(is_name)) == Some(&b'>')
    };
    memchr::memchr3_iter(b'{', b'<', b'%', value)
        .chain(memchr::memchr2_iter(b'$', b'#', value))
        .find(|&at| opens(at))
}

/// D4.8: true if a segment or a value is a name after a `$`, `/$id/x`.
fn names_variable(value: &[u8]) -> bool {
    memchr::memchr_iter(b'$', value)
        .any(|at| may_be_variable(value.part(..at), value.part(at + 1..)))
}

/// D4.5: true if dots, as the last segment or value or in brackets, show that the author left
/// something out.
fn is_shortened(value: &[u8]) -> bool {
    ends_in_dots_alone(value)
        || memchr::memchr_iter(b'[', value).any(|at| starts_ellipsis(value.part(at..)))
}

/// Returns the end of the scheme, if there is one (RFC 3986 §3.1).
fn scheme(value: &[u8]) -> Option<usize> {
    let colon = value.iter().position(|byte| matches!(byte, b':' | b'/' | b'?' | b'#'))?;
    let name = value.part(..colon);
    let rest = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    (value.get(colon) == Some(&b':')
        && name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(rest))
    .then_some(colon)
}

/// Returns the end of the authority at `at`, or `at` if there is none.
fn authority_end(value: &[u8], at: usize) -> usize {
    let rest = value.part(at..);
    let Some(authority) = rest.strip_prefix(b"//") else {
        return at;
    };
    let ends = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
    at + 2 + authority.iter().position(ends).unwrap_or(authority.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(text: &str) -> Result<String, Reason> {
        match read(text.as_bytes(), &Options::default()) {
            ExactText::Absolute(Decision::Found(found)) => {
                Ok(found.derived.map_or_else(|| text.into(), |derived| derived.uri))
            }
            ExactText::Absolute(Decision::Rejected { reason, .. }) => Err(reason),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_sici_is_no_placeholder_and_a_host_in_braces_is() {
        let sici = |segment| format!("http://dx.doi.org/10.1002/x{segment}3.0.CO;2-D");
        assert_eq!(outcome(&sici("<1359::AID-ABC>")), Ok(sici("%3C1359::AID-ABC%3E")));
        assert_eq!(outcome("http://a.example/x<name>3.0.CO;2-D"), Err(Reason::Template));
        assert_eq!(outcome("http://{h}/&"), Err(Reason::Template));
        let braces = "http://a.example/?x={%22a%22:1}";
        assert_eq!(outcome(braces), Ok("http://a.example/?x=%7B%22a%22:1%7D".into()));
        assert_eq!(outcome("http://a.example/{%add%}"), Err(Reason::Template));
    }

    #[test]
    fn of_two_ats_the_last_precedes_the_host() {
        let flags = |text: &str| match read(text.as_bytes(), &Options::default()) {
            ExactText::Absolute(Decision::Found(found)) => (found.kind, found.flags),
            other => panic!("{other:?}"),
        };
        let misleading = Flags::default().with(Flag::MisleadingUserinfo);
        for (text, expected) in [
            ("http://user@bank.example@203.0.113.5/x", "http://user%40bank.example@203.0.113.5/x"),
            ("https://a@b@c.example?d@e", "https://a%40b@c.example?d@e"),
        ] {
            assert_eq!(outcome(text), Ok(expected.into()));
            assert_eq!(flags(text), (Kind::Lax, misleading), "{text}");
        }
        assert_eq!(flags("http://a@c.example/@x@y").1, Flags::default());
        assert_eq!(outcome("http://a@b@/x"), Err(Reason::NoHost));
        for text in ["http://a@b@c d/", "ssh://a@b@c.example/"] {
            assert_eq!(outcome(text), Err(Reason::InvalidHost), "{text}");
        }
    }

    #[test]
    fn a_second_wrapper_is_none_of_the_reference() {
        for (text, expected) in [
            ("(https://h.example/1)", "https://h.example/1"),
            (" `https://h.example/m` ", "https://h.example/m"),
            ("“https://h.example/q”", "https://h.example/q"),
            (r#"\"https://h.example/s\""#, "https://h.example/s"),
            ("(a.md)", "(a.md)"),
            ("'a.md'", "'a.md'"),
            ("(https://h.example/)x", "(https://h.example/)x"),
            ("https://h.example/(1)", "https://h.example/(1)"),
            ("\u{200b}\u{feff}https://h.example/u\u{200b}", "https://h.example/u"),
            ("\u{a0}https://h.example/n", "https://h.example/n"),
            ("\u{200b}a.md", "\u{200b}a.md"),
            // A browser sends it.
            ("https://h.example/e\u{200b}", "https://h.example/e\u{200b}"),
        ] {
            assert_eq!(text.get(trimmed(text.as_bytes()).range()), Some(expected));
        }
    }
}
