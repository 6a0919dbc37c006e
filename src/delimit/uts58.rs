//! Finds links exactly as Unicode UTS #58 says (D7): http, https, mailto, and links without a
//! scheme.
//!
//! Where our own rules differ from the standard, this file follows only the standard. Brackets pair
//! within interior syntax, and soft characters are those of Link_Term, including ASCII. Where the
//! standard is open, its test data decides:
//!
//! - A name without a preceding `http:` or `https:` must end in a known top-level domain. After
//!   them it need not, and one label is enough. A trailing dot belongs to the name only if a path,
//!   query, or fragment follows.
//! - A name next to an `@` is not a host: the address has priority, and a broken one takes the name
//!   with it. A name after `://` is not a host either, because its scheme was examined.
//! - No link has a userinfo.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use core::ops::Range;

use super::delimited::Decision;
use super::domain::{self, DomainName, ScriptBoundary};
use super::email::{found, mailto};
use super::finish::{finish, finish_with_prefix, judge};
use super::run::UriFault;
use super::start::{self, AfterColon};
use super::text_view::{first_char, last_char};
use crate::error::Reason;
use crate::kind::Kind;
use crate::options::Options;
use crate::registry::{LinkTerm, link_email, link_term, opener_of};
use crate::scan::{Candidate, Trigger};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// Bytes after a host in which an `@` makes it a userinfo or the start of a local part.
const LOOKAHEAD_BYTES: usize = 128;

/// Returns the link at a candidate and how far the rules read; `None` if its scheme has other
/// rules. No link starts before `floor`.
pub(super) fn examine(
    haystack: &[u8],
    candidate: Candidate,
    floor: usize,
    options: &Options,
) -> Option<(Decision, usize)> {
    let at = candidate.at;
    let mut reach = at + LOOKAHEAD_BYTES;
    let decision = match candidate.trigger {
        Trigger::Colon | Trigger::Web(_) => match head(haystack, at, options)? {
            SchemeHead::Web(head) if head.start >= floor => {
                link(haystack, head, "", options, &mut reach)
            }
            SchemeHead::Web(_) | SchemeHead::NoHost | SchemeHead::Mailto => None,
        },
        Trigger::Dot => bare_head(haystack, at, floor)
            .and_then(|head| link(haystack, head, options.assume.prefix(), options, &mut reach)),
        Trigger::At => address(haystack, at, floor),
        Trigger::Doi | Trigger::Label | Trigger::Fang => return None,
    };
    Some((decision.unwrap_or(Decision::Nothing), reach))
}

/// What a scheme of UTS #58 starts.
enum SchemeHead {
    /// `http` or `https` with its host.
    Web(Range<usize>),
    NoHost,
    /// Its `@` decides about it.
    Mailto,
}

/// Returns the scheme before a colon, and its host; `None` if the scheme has other rules.
fn head(haystack: &[u8], colon: usize, options: &Options) -> Option<SchemeHead> {
    let rest = haystack.get(colon + 1..)?;
    let start = start::find(haystack, colon, AfterColon::classify(rest), options)?.at;
    let scheme = haystack.get(start..colon)?;
    let is = |name: &[u8]| scheme.eq_ignore_ascii_case(name);
    if is(b"mailto") {
        return Some(SchemeHead::Mailto);
    }
    if !(is(b"http") || is(b"https")) {
        return None;
    }
    let end = rest.starts_with(b"//").then(|| host_end(haystack, colon + 3)).flatten();
    Some(end.map_or(SchemeHead::NoHost, |end| SchemeHead::Web(start..end)))
}

/// Returns the host around its first dot, if a link without a scheme may start with it.
fn bare_head(haystack: &[u8], dot: usize, floor: usize) -> Option<Range<usize>> {
    let start = domain::label_start(haystack, dot, ScriptBoundary::Belongs)?;
    let before = haystack.get(..start)?;
    let inside =
        last_char(before).is_some_and(|c| c == '@' || domain::is_dot(c, ScriptBoundary::Belongs));
    if inside || start < floor || before.ends_with(b"://") {
        return None;
    }
    Some(start..registrable_domain(haystack, start)?.end)
}

/// Returns the name at `at`, if it ends in a known top-level domain.
fn registrable_domain(haystack: &[u8], at: usize) -> Option<DomainName> {
    let domain = domain::read(haystack, at, ScriptBoundary::Belongs)?;
    domain::is_tld(haystack.get(domain.top..domain.end)?).then_some(domain)
}

/// Returns the end of the host after `//`: a name, a single label, or an IP literal.
fn host_end(haystack: &[u8], at: usize) -> Option<usize> {
    if let Some(domain) = domain::read(haystack, at, ScriptBoundary::Belongs) {
        return Some(domain.end);
    }
    let rest = haystack.get(at..)?;
    if rest.first() == Some(&b'[') {
        let inside = |b: u8| b.is_ascii_hexdigit() || matches!(b, b':' | b'.');
        let length = rest.clamped(1..65).leading(inside);
        return (rest.get(1 + length) == Some(&b']')).then_some(at + length + 2);
    }
    // A label has at most 63 characters (RFC 1035 §2.3.4).
    let length = rest.clamped(..64).leading(|b| b.is_ascii_alphanumeric() || b == b'-');
    let text = rest.part(..length);
    let valid = (1..64).contains(&length) && !matches!(text, [b'-', ..] | [.., b'-']);
    let continues = match rest.get(length..)? {
        [b'.', next, ..] => {
            next.is_ascii_alphanumeric() || matches!(next, b'.' | b'-') || *next >= 0x80
        }
        [next, ..] => *next == b'_' || *next >= 0x80,
        [] => false,
    };
    (valid && !continues).then_some(at + length)
}

/// Returns the link with its scheme and host at `head`. `prefix` is the missing start of its URI.
fn link(
    haystack: &[u8],
    head: Range<usize>,
    prefix: &str,
    options: &Options,
    reach: &mut usize,
) -> Option<Decision> {
    let Range { start, end: host } = head;
    let rest = haystack.get(host..)?;
    let address = |b: u8| b.is_ascii_alphanumeric() || b"._+-%='~&$*!:".contains(&b);
    let length = rest.clamped(..LOOKAHEAD_BYTES).leading(address);
    *reach = (*reach).max(host + LOOKAHEAD_BYTES);
    // The text up to here is a userinfo, which no link has, or the start of an address, which has
    // priority.
    if rest.get(length) == Some(&b'@') {
        return None;
    }
    let from = port_end(haystack, host);
    let limit = start.saturating_add(options.max_uri);
    let (end, looked) = walk(haystack, from, limit);
    *reach = (*reach).max(looked);
    if end > limit || looked > limit {
        return Some(Decision::Rejected {
            span: Span::new(start, looked),
            reason: Reason::TooLong,
            at: options.max_uri,
        });
    }
    judged(haystack, start..host, end, prefix, options)
}

/// Returns a link with a known end, if the grammar admits it.
fn judged(
    haystack: &[u8],
    head: Range<usize>,
    end: usize,
    prefix: &str,
    options: &Options,
) -> Option<Decision> {
    let span = Span::new(head.start, end);
    let text = haystack.get(span.range())?;
    let finished = match prefix {
        "" => finish(text, head.len(), options.hosts),
        prefix => finish_with_prefix(prefix, text, head.len(), options.hosts),
    };
    let judged = finished.and_then(|finished| {
        judge(options.grammar(), prefix, text)?;
        Ok(finished)
    });
    let finished = match judged {
        Ok(finished) => finished,
        Err(UriFault { reason, at }) => return Some(Decision::Rejected { span, reason, at }),
    };
    let kind = if prefix.is_empty() { finished.kind } else { Kind::Abbreviated };
    let uri = match finished.uri {
        Some(uri) => uri,
        None => core::str::from_utf8(text).ok()?.to_owned(),
    };
    found(haystack, span, uri, kind)
}

/// Returns the end of the port after a host, or of the root's dot if a path, query, or fragment
/// follows.
fn port_end(haystack: &[u8], host: usize) -> usize {
    let rest = haystack.part(host..);
    match rest {
        [b'.', b'/' | b'?' | b'#', ..] => host + 1,
        [b':', tail @ ..] => {
            let digits = domain::port_digits(tail);
            // 65535 has five digits.
            if (1..=5).contains(&digits) { host + 1 + digits } else { host }
        }
        _ => host,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkPart {
    Path,
    Query,
    Fragment,
}

impl LinkPart {
    fn initiated_by(c: char) -> Option<Self> {
        match c {
            '/' => Some(Self::Path),
            '?' => Some(Self::Query),
            '#' => Some(Self::Fragment),
            _ => None,
        }
    }

    /// Returns the part that starts at `c`, if `c` ends this one.
    fn terminated_by(self, c: char) -> Option<Self> {
        match (self, c) {
            (Self::Path, '?') => Some(Self::Query),
            (Self::Path | Self::Query, '#') => Some(Self::Fragment),
            _ => None,
        }
    }

    /// True if `rest` starts with interior syntax. Brackets pair only within one side of it.
    fn has_interior(self, rest: &[u8]) -> bool {
        match self {
            Self::Path => rest.first() == Some(&b'/'),
            Self::Query => matches!(rest.first(), Some(b'=' | b'&')),
            Self::Fragment => rest.starts_with(b":~:"),
        }
    }
}

/// Returns the end of the parts that start at `from`, and how far the walk read.
fn walk(haystack: &[u8], from: usize, limit: usize) -> (usize, usize) {
    let rest = haystack.part(from..);
    let first = rest.first().and_then(|&b| LinkPart::initiated_by(char::from(b)));
    let Some(mut part) = first else {
        return (from, from);
    };
    let mut stack = Vec::new();
    let (mut i, mut end) = (from + 1, from + 1);
    while let Some((c, length)) = haystack.get(i..).and_then(first_char) {
        if i > limit {
            break;
        }
        if let Some(next) = part.terminated_by(c) {
            part = next;
            stack.clear();
            (i, end) = (i + 1, i + 1);
            continue;
        }
        // Openers before interior syntax cannot pair with closers after it.
        if part.has_interior(haystack.part(i..)) {
            stack.clear();
        }
        match link_term(c) {
            LinkTerm::Include => end = i + length,
            // Part of the link only if a character that is not soft follows, so `end` stays.
            LinkTerm::Soft => {}
            LinkTerm::Hard => break,
            LinkTerm::Open => {
                stack.push(c);
                end = i + length;
            }
            LinkTerm::Close if stack.pop().is_some_and(|top| opener_of(c) == Some(top)) => {
                end = i + length;
            }
            // A closer without its opener ends the link, and belongs to the prose.
            LinkTerm::Close => break,
        }
        i += length;
    }
    work_counter::add(i - from);
    (end, i)
}

/// Returns the address around the `@` at `haystack[at]`.
fn address(haystack: &[u8], at: usize, floor: usize) -> Option<Decision> {
    let domain = registrable_domain(haystack, at + 1)?;
    let mut start = at;
    while let Some(c) = last_char(haystack.get(floor.min(start)..start)?).filter(|&c| link_email(c))
    {
        start -= c.len_utf8();
        if at - start > domain::MAX_START_LENGTH {
            return None;
        }
    }
    work_counter::add(at - start);
    let local = haystack.get(start..at)?;
    let before = haystack.get(floor.min(start)..start)?;
    if !is_valid_local_part(local) || is_userinfo(before, local) {
        return None;
    }
    let uri = mailto(local, haystack.get(at + 1..domain.end)?);
    let prefix = before.len().checked_sub("mailto:".len());
    let announced = prefix.is_some_and(|at| before.part(at..).eq_ignore_ascii_case(b"mailto:"));
    if !announced {
        return found(haystack, Span::new(start, domain.end), uri, Kind::Email);
    }
    let start = start - "mailto:".len();
    let text = haystack.get(start..domain.end)?;
    let kind = match text {
        // `mailto` only percent-encodes, which makes a text longer.
        text if text.is_ascii() && text.len() == uri.len() => Kind::Uri,
        text if text.is_ascii() => Kind::Lax,
        _ => Kind::Iri,
    };
    found(haystack, Span::new(start, domain.end), uri, kind)
}

/// True if no label of a local part is empty.
fn is_valid_local_part(local: &[u8]) -> bool {
    !local.is_empty()
        && !local.starts_with(b".")
        && !local.ends_with(b".")
        && crate::memmem::find(local, b"..").is_none()
}

/// True for `//jo` after a colon, or the password of `//jo:password`.
fn is_userinfo(before: &[u8], local: &[u8]) -> bool {
    let Some(before) = before.strip_suffix(b":") else {
        return false;
    };
    let user = |b: u8| b.is_ascii_alphanumeric() || b"._~%!$&+=-".contains(&b);
    let length = before.tail(LOOKAHEAD_BYTES).trailing(user);
    local.starts_with(b"//") || before.part(..before.len() - length).ends_with(b"://")
}
