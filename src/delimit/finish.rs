//! Turns a delimited text into a URI that parses: repair, mapping, grammar (D2.2, D2.3).

use alloc::string::String;
use core::str::from_utf8;

use super::byte_class::is_triplet;
use super::run::UriFault;
use crate::error::{ErrorKind, ParseError, Reason};
use crate::grammar::{Grammar, HostMapping, IriRef, Uri, UriParts, UriRef, map_to_uri};
use crate::kind::Kind;
use crate::memmem;
use crate::slice::SliceExt;

/// A delimited text that the grammar accepts.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub kind: Kind,
    pub parts: UriParts,
    /// The URI, if it differs from the text.
    pub uri: Option<String>,
    /// The mapping used for its host.
    pub hosts: HostMapping,
}

/// Parses `text` as a URI, repairing it if necessary. `host_end` is the end of its authority.
pub(crate) fn finish(
    text: &[u8],
    host_end: usize,
    hosts: HostMapping,
) -> Result<Finished, UriFault> {
    // Nearly all texts are valid as they stand, so they are parsed before anything is copied.
    if let Ok(uri) = Uri::from_bytes(text) {
        let is_urn = uri.scheme().eq_ignore_ascii_case("urn");
        let kind = if is_urn { Kind::Urn } else { Kind::Uri };
        return Ok(Finished { kind, parts: uri.parts(), uri: None, hosts });
    }
    let (repaired, kind) = repair(utf8(text)?, host_end);
    let mut uri = String::with_capacity(repaired.len() * 2);
    map_to_uri(&repaired, hosts, &mut uri).map_err(fault)?;
    let parts = Uri::parse(&uri).map_err(fault)?.parts();
    Ok(Finished { kind, parts, uri: Some(uri), hosts })
}

/// Parses `text`, which has no scheme, as a URI with `prefix` before it (D7).
pub(crate) fn finish_with_prefix(
    prefix: &str,
    text: &[u8],
    host_end: usize,
    hosts: HostMapping,
) -> Result<Finished, UriFault> {
    let whole = [prefix.as_bytes(), text].concat();
    let mut finished =
        finish(&whole, prefix.len() + host_end, hosts).map_err(|UriFault { reason, at }| {
            UriFault::new(reason, at.saturating_sub(prefix.len()))
        })?;
    if finished.uri.is_none() {
        let uri = String::from_utf8(whole).map_err(|_| UriFault::new(Reason::NonAscii, 0))?;
        finished.uri = Some(uri);
    }
    Ok(finished)
}

/// Parses `text`, which has no scheme, as a relative reference (RFC 3986 §4.2, RFC 3987 §2.2).
pub(super) fn finish_relative(
    text: &[u8],
    host_end: usize,
    hosts: HostMapping,
) -> Result<Finished, UriFault> {
    let text = utf8(text)?;
    if let Ok(reference) = UriRef::parse(text) {
        return Ok(Finished { kind: Kind::Uri, parts: reference.parts(), uri: None, hosts });
    }
    let (mut repaired, mut kind) = repair(text, host_end);
    // "a path segment that contains a colon character [...] must be preceded by a dot-segment"
    // (§4.2)
    let colon = |error: ParseError| error.kind() == ErrorKind::FirstSegmentColon;
    if UriRef::parse(&repaired).is_err_and(colon) || IriRef::parse(&repaired).is_err_and(colon) {
        repaired.insert_str(0, "./");
        kind = Kind::Lax;
    }
    let iri = IriRef::parse(&repaired).map_err(fault)?;
    let uri = iri.to_uri_ref_with(hosts).map_err(fault)?.into_owned();
    let parts = UriRef::parse(&uri).map_err(fault)?.parts();
    Ok(Finished { kind, parts, uri: Some(uri), hosts })
}

/// Checks `text`, after the assumed `prefix`, against an older `grammar` if one was chosen.
#[inline]
pub(super) fn judge(grammar: Grammar, prefix: &str, text: &[u8]) -> Result<(), UriFault> {
    if grammar == Grammar::Rfc3986 {
        return Ok(());
    }
    let judged = match prefix {
        "" => grammar.judge(text),
        prefix => grammar.judge(&[prefix.as_bytes(), text].concat()),
    };
    judged.map_err(|error| UriFault::new(error.kind(), error.offset().saturating_sub(prefix.len())))
}

fn utf8(text: &[u8]) -> Result<&str, UriFault> {
    from_utf8(text).map_err(|error| UriFault::new(Reason::NonAscii, error.valid_up_to()))
}

fn fault(error: ParseError) -> UriFault {
    let reason = match error.kind() {
        ErrorKind::PortCharacter => Reason::InvalidPort,
        ErrorKind::HostCharacter | ErrorKind::UserinfoCharacter => Reason::InvalidHost,
        kind => Reason::Grammar(kind),
    };
    UriFault::new(reason, error.offset())
}

/// Splits `at://did:plc:x`, `s3://arn:aws:s3:…`, and `docker://alpine:3.19` into scheme and
/// authority. An identifier stands where RFC 3986 has host and port.
fn identifier_authority(head: &str) -> Option<(&str, &str)> {
    let slashes = memmem::find(head.as_bytes(), b"://")?;
    let (scheme, identifier) = head.split_at_checked(slashes + "://".len())?;
    let is = |name: &str| scheme.eq_ignore_ascii_case(name);
    let is_one = is("at://") && identifier.starts_with("did:")
        || is("s3://") && identifier.starts_with("arn:")
        || (is("docker://") || is("docker-pullable://"))
            && is_tagged_image(identifier)
            && !has_port(identifier);
    is_one.then_some((scheme, identifier))
}

/// True for `alpine:3.19` and `alpine@sha256:0d17`: a tag or a digest of an image is not a port.
fn is_tagged_image(identifier: &str) -> bool {
    let is_tag = |b: u8| b.is_ascii_alphanumeric() || b"-._".contains(&b);
    identifier
        .split_once(':')
        .is_some_and(|(name, tag)| !name.is_empty() && !tag.is_empty() && tag.bytes().all(is_tag))
}

/// True for a host with a port.
fn has_port(host: &str) -> bool {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    host.rsplit_once(':').is_some_and(|(name, port)| !name.is_empty() && is_port(port))
}

/// Rewrites `mongodb://h1:1,h2:2/db` with `%3A` before all ports but the last, because RFC 3986
/// allows one host.
fn several_hosts(head: &str) -> Option<String> {
    let slashes = memmem::find(head.as_bytes(), b"://")?;
    let (scheme, authority) = (head.get(..slashes)?, head.get(slashes + "://".len()..)?);
    let (userinfo, hosts) = authority.rsplit_once('@').unwrap_or(("", authority));
    let is_name = |host: &str| {
        let name = host.split(':').next().unwrap_or_default();
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
    };
    let (first, last) = hosts.rsplit_once(',')?;
    // Several ports tell a list of hosts from a host before a comma of the sentence:
    // `redis://h1:6379,then`.
    let are_hosts = hosts.split(',').all(is_name)
        && has_port(last)
        && hosts.split(',').filter(|host| has_port(host)).count() > 1;
    let at = if userinfo.is_empty() { "" } else { "@" };
    are_hosts.then(|| [scheme, "://", userinfo, at, &first.replace(':', "%3A"), ",", last].concat())
}

/// D2.3: percent-encodes characters that authors use although no RFC allows them. The kind is
/// [`Kind::Lax`] if it replaced any.
fn repair(iri: &str, host_end: usize) -> (String, Kind) {
    let (head, tail) = iri.split_at_checked(host_end).unwrap_or((iri, ""));
    let mut out = String::with_capacity(iri.len() + 16);
    let mut has_fragment = false;
    let mut kind = Kind::Iri;
    let many = several_hosts(head);
    match identifier_authority(head) {
        None if many.is_some() => {
            out.push_str(&many.unwrap_or_default());
            kind = Kind::Lax;
        }
        Some((scheme, identifier)) => {
            out.push_str(scheme);
            out.push_str(&identifier.replace(':', "%3A"));
            kind = Kind::Lax;
        }
        None => out.push_str(head),
    }
    // Only after the authority: a host with an encoded character would be another host (RFC 3986
    // §3.2.2).
    for (at, c) in tail.char_indices() {
        let escape = match c {
            '[' => "%5B",
            ']' => "%5D",
            '{' => "%7B",
            '}' => "%7D",
            '^' => "%5E",
            // Only UTS #58 allows these in a link.
            '"' => "%22",
            '\\' => "%5C",
            '`' => "%60",
            '|' => "%7C",
            '<' => "%3C",
            '>' => "%3E",
            '%' if !is_triplet(tail.as_bytes().part(at..)) => "%25",
            // Only a format that delimits references allows a space in one.
            ' ' => "%20",
            // RFC 3986 §3.5: a fragment may not contain another `#`.
            '#' if has_fragment => "%23",
            _ => "",
        };
        has_fragment |= c == '#';
        if escape.is_empty() {
            out.push(c);
        } else {
            out.push_str(escape);
            kind = Kind::Lax;
        }
    }
    (out, kind)
}
