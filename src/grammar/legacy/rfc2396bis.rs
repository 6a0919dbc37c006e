//! `rfc2396bis-01`: draft-fielding-uri-rfc2396bis-01 of March 2003, §2–§5.
//!
//! ```text
//! absolute-URI = scheme ":" ( hier-part / opaque-part )
//! hier-part    = [ net-path / abs-path ] [ "?" query ]
//! net-path     = "//" authority [ abs-path ]
//! authority    = server / reg-name
//! server       = [ [ userinfo "@" ] hostport ]
//! relative-URI = [ net-path / abs-path / rel-path ] [ "?" query ]
//! rel-path     = rel-segment [ abs-path ]
//! ```
//!
//! By §4.3, `//` always starts an authority, never the empty first segment of an `abs-path`.

use core::ops::Range;

use super::{
    Hostport, before_fragment, colon_or_end, either, fault, fragment, further, is_label, no_host,
    whole,
};
use crate::error::{ErrorKind, ParseError};
use crate::grammar::component::walk;
use crate::grammar::host::{self, HostType};
use crate::grammar::parsed::{Form, ParseTree, Rule};
use crate::grammar::parts::scheme;
use crate::grammar::table;
use crate::slice::{ByteRuns, SliceExt};

/// The longest label: an alphanum on both sides of `0*61( alphanum | "-" )` (§3.2.2).
const LABEL: usize = 63;

/// `absolute-URI-reference = absolute-URI [ "#" fragment ]` (§4).
pub(in crate::grammar) fn absolute(bytes: &[u8]) -> Result<ParseTree, ParseError> {
    let body = before_fragment(bytes);
    let colon = scheme(body)?;
    let mut tree = match body.get(colon + 1) {
        None | Some(b'/') => hier_part(body, colon)?,
        // Both rules allow a leading `?`: as the query of an empty path, or as an opaque part.
        Some(b'?') => either(hier_part(body, colon), || opaque_part(body, colon))?,
        Some(_) => opaque_part(body, colon)?,
    };
    fragment(bytes, body.len(), &table::QUERY_2396, &mut tree)?;
    Ok(tree)
}

/// `URI-reference = [ absolute-URI / relative-URI ] [ "#" fragment ]` (§4).
pub(in crate::grammar) fn reference(bytes: &[u8]) -> Result<ParseTree, ParseError> {
    let body = before_fragment(bytes);
    if scheme(body).is_ok() {
        return absolute(bytes);
    }
    let mut tree = ParseTree::new(Form::RelativeUri);
    let segment = walk(body, 0, &table::REL_SEGMENT_2396)?;
    if body.get(segment) == Some(&b':') {
        return Err(ParseError::new(segment, ErrorKind::FirstSegmentColon));
    }
    hierarchy(body, 0, segment, &mut tree)?;
    fragment(bytes, body.len(), &table::QUERY_2396, &mut tree)?;
    Ok(tree)
}

/// Parses `hier-part`, after the scheme that ends at `colon`.
fn hier_part(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::HierPart, colon);
    hierarchy(body, colon + 1, colon + 1, &mut tree)?;
    Ok(tree)
}

/// Parses `opaque-part = uric-no-slash *uric`, after the scheme that ends at `colon`.
fn opaque_part(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let start = colon + 1;
    match body.get(start) {
        Some(&byte) if byte == b'%' || table::URIC_NO_SLASH_2396.has(byte) => {}
        _ => return Err(fault(body, start, ErrorKind::PathCharacter)),
    }
    whole(body, start, &table::URIC_2396, ErrorKind::PathCharacter)?;
    let mut tree = ParseTree::with_scheme(Form::OpaquePart, colon);
    tree.push(Rule::OpaquePart, start..body.len());
    Ok(tree)
}

/// Parses all of `body` from `start` as `[ net-path / abs-path / rel-path ] [ "?" query ]`. A
/// `rel-segment`, which may be empty, ends at `segment`.
fn hierarchy(
    body: &[u8],
    start: usize,
    segment: usize,
    tree: &mut ParseTree,
) -> Result<(), ParseError> {
    let mut path = start;
    if body.clamped(start..).starts_with(b"//") {
        path = authority(body, start + 2, tree)?;
    }
    // A relative path continues after its first segment only with `/` or `?`.
    let path_end = match body.get(segment.max(path)) {
        None | Some(b'/' | b'?') => walk(body, segment.max(path), &table::PATH_2396)?,
        Some(_) => segment.max(path),
    };
    match body.get(path_end) {
        None | Some(b'?') => {}
        Some(_) => return Err(fault(body, path_end, ErrorKind::PathCharacter)),
    }
    tree.push(Rule::Path, path..path_end);
    if path_end < body.len() {
        let query = path_end + 1;
        whole(body, query, &table::QUERY_2396, ErrorKind::QueryCharacter)?;
        tree.push(Rule::Query, query..body.len());
    }
    Ok(())
}

/// Parses `authority = server / reg-name` from `start`, directly after `//`, and returns the index
/// after it.
fn authority(body: &[u8], start: usize, tree: &mut ParseTree) -> Result<usize, ParseError> {
    let end = start + body.part(start..).leading(|byte| !b"/?".contains(&byte));
    let area = body.part(..end);
    tree.push(Rule::Authority, start..end);
    if start == end {
        return Ok(end);
    }
    match server(area, start) {
        Ok((userinfo, hostport)) => {
            tree.push_some(Rule::Userinfo, userinfo);
            hostport.push(tree);
        }
        Err(error) => {
            // If it is not a server, it may still be a reg-name, which has fewer rules.
            whole(area, start, &table::PCHAR_2396, ErrorKind::HostCharacter)
                .map_err(|other| further(error, other))?;
            tree.push(Rule::RegName, start..end);
        }
    }
    Ok(end)
}

/// Parses all of `area` from `start` as `[ userinfo "@" ] hostport`.
fn server(area: &[u8], start: usize) -> Result<(Option<Range<usize>>, Hostport), ParseError> {
    let stop = walk(area, start, &table::USERINFO_2396)?;
    let (userinfo, host) = match area.get(stop) {
        Some(b'@') => (Some(start..stop), stop + 1),
        _ => (None, start),
    };
    Ok((userinfo, hostport(area, host)?))
}

/// Parses `hostport = host [ ":" port ]`, with `host = IPv6reference / IPv4address / hostname`.
fn hostport(area: &[u8], start: usize) -> Result<Hostport, ParseError> {
    let (end, host_type) = if area.get(start) == Some(&b'[') {
        (host::ipv6_reference(area, start)?, HostType::Ipv6)
    } else {
        let end = colon_or_end(area, start);
        let name = area.part(start..end);
        if host::is_ipv4(name) {
            (end, HostType::Ipv4)
        } else if is_hostname(name) {
            (end, HostType::Hostname)
        } else {
            return Err(no_host(area, start, end));
        }
    };
    Hostport::with_port(area, start, end, host_type)
}

/// True for a `hostname`:
///
/// ```text
/// hostname    = domainlabel qualified
/// qualified   = *( "." domainlabel ) [ "." toplabel "." ]
/// domainlabel = alphanum [ 0*61( alphanum | "-" ) alphanum ]
/// toplabel    = alpha    [ 0*61( alphanum | "-" ) alphanum ]
/// ```
fn is_hostname(name: &[u8]) -> bool {
    let rooted = name.strip_suffix(b".");
    let mut labels = rooted.unwrap_or(name).split(|&byte| byte == b'.');
    if !labels.clone().all(|label| is_label(label, LABEL)) {
        return false;
    }
    let top = labels.next_back();
    // `qualified` ends with a dot only after a `toplabel`, and this needs another label before it.
    // So `1.2.3.4.` and `example.` are not host names.
    rooted.is_none()
        || labels.next().is_some()
            && top.is_some_and(|label| label.first().is_some_and(u8::is_ascii_alphabetic))
}
