//! Mail addresses that no `mailto:` announces (D7): `dot-atom@domain` of RFC 5322.
//!
//! The local part is read from the `@` to the left, over what people have in addresses rather
//! than all that RFC 5322 allows: `key=jo@a.example`, `path/jo@a.example` and `it's!jo@…` hold
//! an address behind the `=`, the `/` and the `!`. A domain needs a dot and a top-level domain
//! that is known, reserved (RFC 6761) or usual in private networks; between `<` and `>` any.

use alloc::boxed::Box;
use alloc::string::String;

use super::delimited::{Decision, Delimited, DerivedUri, wrapper_of};
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

/// RFC 5321 section 4.5.3.1.1, for characters of up to four bytes.
const LONGEST_LOCAL: usize = 64;
/// How far behind a domain the rest of a path may tell what it is.
const AHEAD: usize = 128;

/// Top-level domains that no registry lists, and mail uses all the same.
#[rustfmt::skip]
const PRIVATE: [&[u8]; 12] = [
    b"corp", b"example", b"home", b"internal", b"intranet", b"invalid", b"lan", b"local",
    b"localdomain", b"localhost", b"onion", b"test",
];

/// The address around the `@` at `haystack[at]`; the number says how far the rules looked.
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
    // most of a mail's `@`, so first
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
    if start < floor || !known || goes_on(rest) {
        return None;
    }
    let (local, domain) = (haystack.get(start..at)?, haystack.get(at + 1..end)?);
    found(haystack, Span::new(start, end), mailto(local, domain), Kind::Email)
}

/// The match of `span`, whose URI is not the text itself.
pub(super) fn found(haystack: &[u8], span: Span, uri: String, kind: Kind) -> Option<Decision> {
    let parsed = Uri::parse(&uri).ok()?;
    let parts = parsed.parts();
    let text = haystack.part(span.range());
    let made = DerivedUri {
        iri: (kind == Kind::Iri).then(|| String::from_utf8_lossy(text).into_owned()),
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
        made: Some(Box::new(made)),
    }))
}

/// What is around a span that nothing but its own characters delimited.
pub(super) fn surrounds(haystack: &[u8], span: Span) -> Wrapper {
    let context = wrapper::before(haystack, span.start());
    let after = haystack.part(span.end()..);
    let closed = first_char(after).is_some_and(|(c, _)| context.closers.contains(&c));
    // a prefix says that a URI follows, which an address is not
    if context.wrapper == Wrapper::Prefix && !context.angle.is_some_and(|angle| angle.has_prefix) {
        return Wrapper::None;
    }
    wrapper_of(&context, closed, context.marks_start(after), after.first().copied())
}

/// How far the characters of a local part go to the left of the `@`.
fn local_start(haystack: &[u8], at: usize) -> Option<usize> {
    let before = haystack.get(..at)?;
    let plain = before.tail(domain::LONGEST_START + 1).trailing(is_local);
    let mut start = at - plain;
    let mut ascii = true;
    while at - start <= domain::LONGEST_START
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
    (start < at && at - start <= domain::LONGEST_START).then_some(start)
}

/// The characters of ASCII in a local part.
fn is_local(byte: u8) -> bool {
    static IS_LOCAL: ByteTable<bool> = byte_table!(byte => is_alphanumeric(byte) || matches!(byte, b'.' | b'_' | b'+' | b'-' | b'\'' | b'%' | b'~' | b'='));
    IS_LOCAL.of(byte)
}

/// Where the local part starts: behind keys, quotes and marks; `None` when it is none.
fn local(haystack: &[u8], start: usize, at: usize, rest: &[u8]) -> Option<usize> {
    let mut text = haystack.get(start..at)?;
    match (haystack.part(..start), text) {
        ([.., b'$' | b'}' | b'@'], _) => return None,
        ([.., b'\\'], [b'n' | b'r' | b't' | b'v' | b'f' | b'b', tail @ ..]) => text = tail,
        _ => {}
    }
    if let Some(equals) = memchr::memrchr(b'=', text).filter(|&equals| !is_verp(text, equals)) {
        text = text.part(equals + 1..);
    }
    if let Some(quote) = memchr::memrchr(b'\'', text).filter(|_| rest.first() == Some(&b'\'')) {
        text = text.part(quote + 1..);
    }
    if let Some(dots) = text.windows(3).rposition(|dots| dots == b"...") {
        text = text.part(dots + 3..);
    }
    let marks = |text: &[u8]| text.leading(|b| matches!(b, b'_' | b'~'));
    if marks(rest) >= marks(text) {
        text = text.part(marks(text)..);
    }
    text = text.part(text.leading(|b| matches!(b, b'-' | b'+' | b'\''))..);
    let has_word = text.iter().any(|&b| b.is_ascii_alphanumeric() || b >= 0x80);
    let dotted =
        !matches!(text, [b'.', ..] | [.., b'.']) && text.windows(2).all(|pair| pair != b"..");
    let is_template = text.first() == Some(&b'%');
    let characters = text.iter().filter(|&&b| b & 0xC0 != 0x80).count();
    let is_local = has_word && !is_template && dotted && characters <= LONGEST_LOCAL;
    is_local.then(|| at - text.len())
}

/// `list-bounces+jo=b.example@a.example`: the `=` is the `@` of another address.
fn is_verp(text: &[u8], equals: usize) -> bool {
    let (list, address) = text.split_at(equals);
    let top = address.rsplit(|&b| b == b'.').next().unwrap_or_default();
    let tagged = list.iter().skip(1).any(|b| matches!(b, b'+' | b'-'));
    tagged && list.first() != Some(&b'-') && top.len() < address.len() && is_top(top)
}

pub(super) fn is_top(label: &[u8]) -> bool {
    domain::is_tld(label) || PRIVATE.iter().any(|name| label.eq_ignore_ascii_case(name))
}

fn is_domain(haystack: &[u8], domain: &DomainName, framed: bool) -> bool {
    let top = haystack.part(domain.top..domain.end);
    is_top(top) || framed && top.len() > 1 && top.iter().all(u8::is_ascii_alphabetic)
}

fn label_end(haystack: &[u8], at: usize) -> usize {
    at + haystack.clamped(at..at + 64).leading(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// D4.6: `jo@a[.]example`.
fn defanged(haystack: &[u8], end: usize) -> bool {
    haystack.get(end..).and_then(host_placeholder::no_host_reason) == Some(Reason::Defanged)
}

/// What follows the domain makes all of it something else.
fn goes_on<'r>(rest: &'r [u8]) -> bool {
    let path = |text: &'r [u8]| {
        text.part(
            ..text.clamped(..AHEAD).leading(|b| b.is_ascii_graphic() && !b"\"<>`".contains(&b)),
        )
    };
    match rest {
        // another `@`, a call, a name that goes on
        [b'@' | b'(', ..] => true,
        [b'_' | b'-' | b'.', next, ..] => {
            next.is_ascii_alphanumeric() || matches!(next, b'{' | b'$')
        }
        // `git@host:path/x.git`, `jo@host:22/x`: a place to copy from
        [b':', tail @ ..] => {
            let run = path(tail);
            run.first().is_some_and(|b| b.is_ascii_alphanumeric() || b"~/._".contains(b))
                && run.contains(&b'/')
                && !run.contains(&b'@')
        }
        // `jo@host/resource`: an XMPP address or a URI without scheme
        [b'/', tail @ ..] => {
            let run = path(tail);
            run.first().is_some_and(u8::is_ascii_alphanumeric) && !run.contains(&b'@')
        }
        _ => false,
    }
}

/// RFC 6068: the address as a URI. Of what may be in a local part, RFC 6068 section 2 has
/// `%` and the general delimiters encoded, `&`, `;` and `=` too; other scripts are UTF-8.
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
