//! `url-syntax-05`: draft-fielding-url-syntax-05 of May 1997, §2–§5.
//!
//! ```text
//! absoluteURL = generic-URL | opaque-URL
//! generic-URL = scheme ":" relativeURL
//! opaque-URL  = scheme ":" *urlc
//! relativeURL = net_path | abs_path | rel_path
//! net_path    = "//" site [ abs_path ]
//! abs_path    = "/" rel_path
//! rel_path    = [ path_segments ] [ "?" query ]
//! ```
//!
//! By §4.4, `//` always starts a site, never the empty first segment of an `abs_path`. So a URL
//! whose site is invalid by §4.3.1 is not a `generic-URL`, but may still be opaque. A query
//! directly after a site does not make a `net_path`.

use super::{
    Hostport, before_fragment, colon_or_end, either, fault, fragment, is_label, no_host, whole,
};
use crate::error::{ErrorKind, ParseError};
use crate::grammar::component::walk;
use crate::grammar::host::HostType;
use crate::grammar::parsed::{Form, ParseTree, Rule};
use crate::grammar::parts::no_scheme;
use crate::grammar::table;
use crate::slice::{ByteRuns, SliceExt};

/// `absoluteURL [ "#" fragment ]` (§3, §4.2).
pub(in crate::grammar) fn absolute(bytes: &[u8]) -> Result<ParseTree, ParseError> {
    let body = before_fragment(bytes);
    let colon = scheme(body)?;
    let mut tree = either(generic(body, colon), || opaque(body, colon))?;
    fragment(bytes, body.len(), &table::URLC_1997, &mut tree)?;
    Ok(tree)
}

/// `URL-reference = [ absoluteURL | relativeURL ] [ "#" fragment ]` (§3).
pub(in crate::grammar) fn reference(bytes: &[u8]) -> Result<ParseTree, ParseError> {
    let body = before_fragment(bytes);
    if scheme(body).is_ok() {
        return absolute(bytes);
    }
    let mut tree = ParseTree::new(Form::RelativeUrl);
    relative(body, 0, &mut tree)?;
    fragment(bytes, body.len(), &table::URLC_1997, &mut tree)?;
    Ok(tree)
}

/// Parses `scheme = 1*( alpha | digit | "+" | "-" | "." )` (§4.1) and returns the index of the `:`
/// after it.
fn scheme(body: &[u8]) -> Result<usize, ParseError> {
    // In this document, a scheme may also start with a digit, `+`, `-` or `.`.
    let end = table::SCHEME.skip(body, 0);
    match body.get(end) {
        Some(b':') if end > 0 => Ok(end),
        _ => Err(no_scheme(body, end)),
    }
}

/// Parses a `generic-URL` whose scheme ends at `colon`.
fn generic(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::GenericUrl, colon);
    relative(body, colon + 1, &mut tree)?;
    Ok(tree)
}

/// Parses an `opaque-URL` whose scheme ends at `colon`.
fn opaque(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let start = colon + 1;
    whole(body, start, &table::URLC_1997, ErrorKind::PathCharacter)?;
    let mut tree = ParseTree::with_scheme(Form::OpaqueUrl, colon);
    tree.push(Rule::SchemeSpecificPart, start..body.len());
    Ok(tree)
}

/// Parses all of `body` from `start` as a `relativeURL`.
fn relative(body: &[u8], start: usize, tree: &mut ParseTree) -> Result<(), ParseError> {
    let mut path = start;
    if body.clamped(start..).starts_with(b"//") {
        path = site(body, start + 2, tree)?;
    }
    let path_end = walk(body, path, &table::PATH_1997)?;
    match body.get(path_end) {
        None | Some(b'?') => {}
        Some(_) => return Err(fault(body, path_end, ErrorKind::PathCharacter)),
    }
    tree.push(Rule::Path, path..path_end);
    params(body.part(..path_end), path, tree);
    if path_end < body.len() {
        let query = path_end + 1;
        whole(body, query, &table::URLC_1997, ErrorKind::QueryCharacter)?;
        tree.push(Rule::Query, query..body.len());
    }
    Ok(())
}

/// Adds the text after each `;` in the segments of the path from `start`.
fn params(path: &[u8], start: usize, tree: &mut ParseTree) {
    let mut at = start;
    for segment in path.clamped(start..).split(|&byte| byte == b'/') {
        let mut pieces = segment.split(|&byte| byte == b';');
        at += pieces.next().map_or(0, <[u8]>::len);
        for param in pieces {
            tree.push(Rule::Params, at + 1..at + 1 + param.len());
            at += 1 + param.len();
        }
        at += 1;
    }
}

/// Parses `site = [ [ user [ ":" password ] "@" ] hostport ]` from `start`, directly after `//`,
/// and returns the index after it, at a `/` or the end.
fn site(body: &[u8], start: usize, tree: &mut ParseTree) -> Result<usize, ParseError> {
    // `net_path` has no query directly after its site, so a `?` does not end the site. It makes the
    // site invalid.
    let end = start + body.part(start..).leading(|byte| byte != b'/');
    let area = body.part(..end);
    tree.push(Rule::Site, start..end);
    if start == end {
        return Ok(end);
    }
    let user = walk(area, start, &table::USER_1997)?;
    let password = match area.get(user) {
        Some(b':') => walk(area, user + 1, &table::USER_1997)?,
        _ => user,
    };
    let mut host = start;
    if area.get(password) == Some(&b'@') {
        tree.push(Rule::User, start..user);
        if user < password {
            tree.push(Rule::Password, user + 1..password);
        }
        host = password + 1;
    }
    hostport(area, host)?.push(tree);
    Ok(end)
}

/// Parses `hostport = host [ ":" port ]`, with `host = hostname | hostnumber`.
fn hostport(area: &[u8], start: usize) -> Result<Hostport, ParseError> {
    let end = colon_or_end(area, start);
    let name = area.part(start..end);
    let host_type = if is_hostname(name) {
        HostType::Hostname
    } else if is_hostnumber(name) {
        HostType::Hostnumber
    } else {
        return Err(no_host(area, start, end));
    };
    Hostport::with_port(area, start, end, host_type)
}

/// True for a `hostname`:
///
/// ```text
/// hostname    = *( domainlabel "." ) toplabel
/// domainlabel = alphanum | alphanum *( alphanum | "-" ) alphanum
/// toplabel    = alpha | alpha *( alphanum | "-" ) alphanum
/// ```
fn is_hostname(name: &[u8]) -> bool {
    let mut labels = name.split(|&byte| byte == b'.');
    let top = labels.clone().next_back();
    top.is_some_and(|label| label.first().is_some_and(u8::is_ascii_alphabetic))
        // This document gives a label no maximum length.
        && labels.all(|label| is_label(label, usize::MAX))
}

/// True for `hostnumber = 1*digit "." 1*digit "." 1*digit "." 1*digit`.
fn is_hostnumber(name: &[u8]) -> bool {
    let mut numbers = name.split(|&byte| byte == b'.');
    numbers.clone().count() == 4
        && numbers.all(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}
