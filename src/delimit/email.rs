//! Recognizes mail addresses without `mailto:` (D7): `dot-atom@domain` of RFC 5322.
//!
//! The local part is read from the `@` to the left. It accepts what addresses contain in practice,
//! not all of RFC 5322: `key=jo@a.example`, `path/jo@a.example` and `it's!jo@…` contain an address
//! after the `=`, the `/` and the `!`. A domain needs a dot and a top-level domain that is known,
//! reserved (RFC 6761), or usual in private networks. Between `<` and `>`, any top-level domain is
//! enough.

use alloc::boxed::Box;
use alloc::string::String;

use super::delimited::{Decision, Delimited, DerivedIri, DerivedUri, wrapper_of};
use super::domain::{self, DomainName, ScriptBoundary};
use super::host_placeholder;
use super::message_id;
use super::text_view::{first_char, last_char};
use super::wrapper;
use crate::byte_table::{ByteTable, byte_table};
use crate::chunk::is_alphanumeric;
use crate::error::Reason;
use crate::grammar::Uri;
use crate::grammar::table::is_unreserved;
use crate::kind::{Flags, Kind, Wrapper};
use crate::registry::link_email;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// Longest local part in characters (RFC 5321 §4.5.3.1.1). Each may take up to four bytes.
const MAX_LOCAL_LENGTH: usize = 64;
/// Bytes after a domain in which a path can show that the text is not an address.
const AHEAD: usize = 128;

/// Top-level domains used in mail that no registry lists.
#[rustfmt::skip]
const PRIVATE: [&[u8]; 12] = [
    b"corp", b"example", b"home", b"internal", b"intranet", b"invalid", b"lan", b"local",
    b"localdomain", b"localhost", b"onion", b"test",
];

/// Examines the address around the `@` at `haystack[at]`; also returns how far the rules read.
pub(super) fn examine(haystack: &[u8], at: usize, floor: usize) -> (Decision, usize) {
    let decision = address(haystack, at, floor).unwrap_or(Decision::Nothing);
    let end = match &decision {
        Decision::Found(found) => found.span.end(),
        Decision::Rejected { span, .. } => span.end(),
        Decision::Nothing => at,
    };
    (decision, end + AHEAD)
}

fn address(haystack: &[u8], at: usize, floor: usize) -> Option<Decision> {
    // Most `@`s in mail belong to names of messages, so this cheap check comes first.
    if message_id::names_message(haystack, at) {
        return None;
    }
    let start = local_start(haystack, at)?;
    let domain = match domain::read(haystack, at + 1, ScriptBoundary::Splits) {
        Some(domain) if !defanged(haystack, domain.end) => domain,
        other => {
            let end = other.map_or_else(|| label_end(haystack, at + 1), |domain| domain.end);
            let start = local(haystack, start, at, b"")?;
            return (defanged(haystack, end) && start >= floor).then_some(Decision::Rejected {
                span: Span::new(start, end),
                reason: Reason::Defanged,
                at: end - start,
            });
        }
    };
    let end = domain.end;
    let rest = haystack.part(end..);
    let start = local(haystack, start, at, rest)?;
    let before = haystack.part(..start);
    let framed = before.last() == Some(&b'<') && rest.first() == Some(&b'>');
    let known = is_domain(haystack, &domain, framed);
    if start < floor || !known || continues(rest) || is_password(before) {
        return None;
    }
    let (local, domain) = (haystack.get(start..at)?, haystack.get(at + 1..end)?);
    found(haystack, Span::new(start, end), mailto(local, domain), Kind::Email)
}

/// True if `before` ends in the user name of an authority, `//joe:`, or of one without slashes that
/// browsers read, `http:joe:`. What follows it is a password (RFC 3986 §3.2.1), and a search that
/// redacts must not print it as an address.
fn is_password(before: &[u8]) -> bool {
    const SCHEMES: [&[u8]; 8] =
        [b"ftp", b"http", b"https", b"mailto", b"sip", b"sips", b"ws", b"wss"];
    let Some(name) = before.strip_suffix(b":") else { return false };
    let length = name.tail(MAX_LOCAL_LENGTH).trailing(|b| is_local(b) || b == b'$');
    let before = name.part(..name.len() - length);
    let slashes = before.tail(MAX_LOCAL_LENGTH).trailing(|b| matches!(b, b'/' | b'\\'));
    let scheme = before.part(..before.len() - slashes).strip_suffix(b":").unwrap_or_default();
    let letters = scheme.tail(MAX_LOCAL_LENGTH).trailing(|b| b.is_ascii_alphanumeric());
    before.ends_with(b"//")
        || SCHEMES.iter().any(|known| scheme.tail(letters).eq_ignore_ascii_case(known))
}

/// Builds the match of `span`, whose URI differs from its text.
pub(super) fn found(haystack: &[u8], span: Span, uri: String, kind: Kind) -> Option<Decision> {
    let parsed = Uri::parse(&uri).ok()?;
    let parts = parsed.parts();
    let text = haystack.part(span.range());
    let derived = DerivedUri {
        iri: (kind == Kind::Iri)
            .then(|| DerivedIri::Owned(String::from_utf8_lossy(text).into_owned())),
        uri,
        ..DerivedUri::default()
    };
    Some(Decision::Found(Delimited {
        span,
        kind,
        wrapper: surrounds(haystack, span),
        flags: Flags::default(),
        parts,
        next: span.end(),
        derived: Some(Box::new(derived)),
    }))
}

/// Returns the wrapper around a span that was delimited by its own characters alone.
pub(super) fn surrounds(haystack: &[u8], span: Span) -> Wrapper {
    let context = wrapper::before(haystack, span.start());
    let after = haystack.part(span.end()..);
    let closed = first_char(after).is_some_and(|(c, _)| context.closers.contains(&c));
    // A prefix announces a URI, which a bare address is not.
    if context.wrapper == Wrapper::Prefix && !context.angle.is_some_and(|angle| angle.has_prefix) {
        return Wrapper::None;
    }
    wrapper_of(&context, closed, context.marks_start(after), after.first().copied())
}

/// Returns the start of the local-part characters before the `@`.
fn local_start(haystack: &[u8], at: usize) -> Option<usize> {
    let before = haystack.get(..at)?;
    let plain = before.tail(domain::MAX_START_LENGTH + 1).trailing(is_local);
    let mut start = at - plain;
    let mut ascii = true;
    while at - start <= domain::MAX_START_LENGTH
        && let Some(c) = last_char(haystack.get(..start)?)
    {
        let part = match u8::try_from(c) {
            Ok(c) if c.is_ascii() => is_local(c),
            _ => link_email(c) && !(ascii && start < at && domain::touches(c)),
        };
        if !part {
            break;
        }
        ascii &= c.is_ascii();
        start -= c.len_utf8();
    }
    work_counter::add(at - start);
    (start < at && at - start <= domain::MAX_START_LENGTH).then_some(start)
}

/// ASCII characters of a local part.
fn is_local(byte: u8) -> bool {
    static IS_LOCAL: ByteTable<bool> = byte_table!(byte => is_alphanumeric(byte) || matches!(byte, b'.' | b'_' | b'+' | b'-' | b'\'' | b'%' | b'~' | b'='));
    IS_LOCAL.get(byte)
}

/// Returns the start of the local part after keys, quotes, and marks; `None` if it is not a local
/// part.
fn local(haystack: &[u8], start: usize, at: usize, rest: &[u8]) -> Option<usize> {
    let mut text = haystack.get(start..at)?;
    match (haystack.part(..start), text) {
        // `$USER@a.com` and `${u}@a.com` are templates, and after another `@` there is no address
        // (RFC 5322 §3.4.1).
        ([.., b'$' | b'}' | b'@'], _) => return None,
        // The letter of an escape, as in `"\njo@a.com"`
        ([.., b'\\'], [b'n' | b'r' | b't' | b'v' | b'f' | b'b', tail @ ..]) => text = tail,
        _ => {}
    }
    if let Some(equals) = memchr::memrchr(b'=', text).filter(|&equals| !is_verp(text, equals)) {
        text = text.part(equals + 1..);
    }
    // A quote closes right after the address, so the one before it is its opener: `u'jo@a.com'`.
    // Otherwise the quote may be part of a name: `o'hara@a.com`.
    if let Some(quote) = memchr::memrchr(b'\'', text).filter(|_| rest.first() == Some(&b'\'')) {
        text = text.part(quote + 1..);
    }
    // RFC 5322 §3.2.3: a dot-atom has no two dots in a row. So these are an ellipsis before the
    // address.
    if let Some(dots) = text.windows(3).rposition(|dots| dots == b"...") {
        text = text.part(dots + 3..);
    }
    let marks = |text: &[u8]| text.leading(|b| matches!(b, b'_' | b'~'));
    // Emphasis: as many marks follow the address as precede it.
    if marks(rest) >= marks(text) {
        text = text.part(marks(text)..);
    }
    // The bullet of a list, the sign of a diff, or a quotation mark that opened. RFC 5322 allows
    // these first, but no address in use starts so.
    text = text.part(text.leading(|b| matches!(b, b'-' | b'+' | b'\''))..);
    let has_word = text.iter().any(|&b| b.is_ascii_alphanumeric() || b >= 0x80);
    let dotted =
        !matches!(text, [b'.', ..] | [.., b'.']) && text.windows(2).all(|pair| pair != b"..");
    // `%s@a.com` is a format.
    let is_template = text.first() == Some(&b'%');
    let characters = text.iter().filter(|&&b| b & 0xC0 != 0x80).count();
    let is_local = has_word && !is_template && dotted && characters <= MAX_LOCAL_LENGTH;
    is_local.then(|| at - text.len())
}

/// True for a VERP address, `list-bounces+jo=b.example@a.example`: its `=` stands for the `@` of
/// another address.
fn is_verp(text: &[u8], equals: usize) -> bool {
    let (list, address) = text.split_at(equals);
    let top = address.rsplit(|&b| b == b'.').next().unwrap_or_default();
    let tagged = list.iter().skip(1).any(|b| matches!(b, b'+' | b'-'));
    // `--mail=jo@a.example` is an option of a command, not the tag of a list.
    tagged && list.first() != Some(&b'-') && top.len() < address.len() && is_top(top)
}

pub(super) fn is_top(label: &[u8]) -> bool {
    domain::is_tld(label) || PRIVATE.iter().any(|name| label.eq_ignore_ascii_case(name))
}

fn is_domain(haystack: &[u8], domain: &DomainName, framed: bool) -> bool {
    let top = haystack.part(domain.top..domain.end);
    // Inside `<…>` the author marked an address, so any top-level domain of letters is accepted.
    is_top(top) || framed && top.len() > 1 && top.iter().all(u8::is_ascii_alphabetic)
}

fn label_end(haystack: &[u8], at: usize) -> usize {
    at + haystack.clamped(at..at + 64).leading(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// D4.6: true for `jo@a[.]example`.
fn defanged(haystack: &[u8], end: usize) -> bool {
    haystack.get(end..).and_then(host_placeholder::no_host_reason) == Some(Reason::Defanged)
}

/// True if the text after the domain makes it something other than an address.
fn continues<'r>(rest: &'r [u8]) -> bool {
    let path = |text: &'r [u8]| {
        text.part(
            ..text.clamped(..AHEAD).leading(|b| b.is_ascii_graphic() && !b"\"<>`".contains(&b)),
        )
    };
    match rest {
        // Another `@`, a call, or a name that continues
        [b'@' | b'(', ..] => true,
        [b'_' | b'-' | b'.', next, ..] => {
            next.is_ascii_alphanumeric() || matches!(next, b'{' | b'$')
        }
        // `git@host:path/x.git`, `jo@host:22/x`: a source for scp or git
        [b':', tail @ ..] => {
            let run = path(tail);
            run.first().is_some_and(|b| b.is_ascii_alphanumeric() || b"~/._".contains(b))
                && run.contains(&b'/')
                && !run.contains(&b'@')
        }
        // `jo@host/resource`: an XMPP address, or a URI without its scheme
        [b'/', tail @ ..] => {
            let run = path(tail);
            run.first().is_some_and(u8::is_ascii_alphanumeric) && !run.contains(&b'@')
        }
        _ => false,
    }
}

/// Returns the address as a URI. RFC 6068 §2 requires `%`, the general delimiters, `&`, `;`, and
/// `=` in a local part to be percent-encoded. Other scripts are encoded as UTF-8.
pub(super) fn mailto(local: &[u8], domain: &[u8]) -> String {
    let mut uri = String::with_capacity("mailto:".len() + local.len() + domain.len() + 1);
    uri.push_str("mailto:");
    encode(local, &mut uri);
    uri.push('@');
    encode(domain, &mut uri);
    uri
}

fn encode(text: &[u8], uri: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for &byte in text {
        if is_unreserved(byte) || b"!$'*+".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push('%');
            #[expect(clippy::indexing_slicing, reason = "there are sixteen digits")]
            let digits = [byte >> 4, byte & 15].map(|digit| HEX[usize::from(digit)]);
            uri.extend(digits.map(char::from));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        let at = text.find('@')?;
        match examine(text.as_bytes(), at, 0).0 {
            Decision::Found(found) => Some(&text[found.span.range()]),
            _ => None,
        }
    }

    #[test]
    fn addresses() {
        for (text, address) in [
            ("to jo@a.com.", "jo@a.com"),
            ("(jo.b+c@a-b.co.uk)", "jo.b+c@a-b.co.uk"),
            ("'jo@a.com'", "jo@a.com"),
            ("o'hara@a.com", "o'hara@a.com"),
            ("u'jo@a.com'", "jo@a.com"),
            ("*jo@a.com*", "jo@a.com"),
            ("_jo@a.com_", "jo@a.com"),
            ("_jo@a.com", "_jo@a.com"),
            ("--mail=jo@a.com", "jo@a.com"),
            ("b-x+jo=b.org@a.com", "b-x+jo=b.org@a.com"),
            ("jo@a.example", "jo@a.example"),
            ("<jo@a.acme>", "jo@a.acme"),
            ("jo@a.com:80", "jo@a.com"),
            ("jo@a.com/al@a.com", "jo@a.com"),
            ("联系jo@a.com吧", "jo@a.com"),
            ("josé@a.com", "josé@a.com"),
            ("see...jo@a.com", "jo@a.com"),
            ("\\njo@a.com", "jo@a.com"),
        ] {
            assert_eq!(found(text), Some(address), "{text}");
        }
    }

    #[test]
    fn others() {
        #[rustfmt::skip]
        let texts = [
            "jo@a", "jo@a.acme", "@a.com", ".jo@a.com", "j..o@a.com", "icon@2x.png", "x@1.2.3",
            "git@github.com:foo/bar.git", "jo@a.com/x", "jo@a.com@b.com", "$USER@a.com",
            "${u}@a.com", "%s@a.com", "\"jo b\"@a.com", "a@b.do()", "*@a.com", "jo@-a.com",
            "jo@a[.]com",
        ];
        for text in texts {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn uris() {
        assert_eq!(mailto(b"a%b=c&d", b"e.com"), "mailto:a%25b%3Dc%26d@e.com");
        assert_eq!(mailto("é".as_bytes(), b"e.com"), "mailto:%C3%A9@e.com");
    }
}
