//! `url-1993`: "Uniform Resource Locators", Internet Draft of 14 July 1993, "BNF syntax".
//!
//! A URL is `generic` or the address of one of nine schemes. An address that fails may still be
//! `generic`, which only requires `scheme : path [ ? search ]`. No path starts with a slash or has
//! an empty part before its end. A host starts with a letter and continues with any `xalpha`,
//! including `:` and `@`. So a `:` with digits at its end is read as the port, and the last `@`
//! before a host as the end of the user.
//!
//! The BNF is followed to the letter, even where its prose allows more: a `fragmentid` is not
//! empty, `telnet:` has no path, and `gopher://h/` lacks its type. From the errata: `xpalphas`
//! recurses, space and `"` are not `extra`, ftp has a user, a password and a port, and a scheme is
//! a letter, then letters, digits, `+`, `-` and `.`. Letters have the case of the BNF, which lists
//! both cases where it means both: `HTTP:` is the scheme of a `generic` URL.

mod address;

use core::ops::Range;

use super::{before_fragment, either, fault, whole};
use crate::error::{ErrorKind, ParseError};
use crate::grammar::component::walk;
use crate::grammar::parsed::{Form, ParseTree, Rule};
use crate::grammar::parts::scheme;
use crate::grammar::table;
use crate::slice::SliceExt;

/// `fragmentaddress = url [ # fragmentid ]`.
pub(in crate::grammar) fn absolute(bytes: &[u8]) -> Result<ParseTree, ParseError> {
    let body = before_fragment(bytes);
    let colon = scheme(body)?;
    let mut tree = match address::of_scheme(body.part(..colon)) {
        Some(address) => either(address(body, colon), || generic(body, colon))?,
        None => generic(body, colon)?,
    };
    fragmentid(bytes, body.len(), &mut tree)?;
    Ok(tree)
}

/// Parses a URL, or a partial form of one ("Partial form") if no colon precedes the first slash: `[
/// / / hostport ] [ / ] path [ ? search ] [ # fragmentid ]`.
pub(in crate::grammar) fn reference(bytes: &[u8]) -> Result<ParseTree, ParseError> {
    let body = before_fragment(bytes);
    // A colon before every slash ends a scheme, even one that is not valid.
    let full = body.iter().find(|byte| b":/".contains(byte)) == Some(&b':');
    if full {
        return absolute(bytes);
    }
    let mut tree = ParseTree::new(Form::Partial);
    let mut path = 0;
    if body.starts_with(b"//") {
        path = address::host_and_port(body, 2, &mut tree)?;
    }
    // A `path` never starts with a slash, so the one of the partial form is not part of it.
    let slash = usize::from(body.get(path) == Some(&b'/'));
    let end = path_to_search(body, path + slash)?;
    tree.push(Rule::Path, path..end);
    search(body, end, &mut tree)?;
    fragmentid(bytes, body.len(), &mut tree)?;
    Ok(tree)
}

/// `generic = scheme : path [ ? search ]`.
fn generic(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::Generic, colon);
    let end = path_to_search(body, colon + 1)?;
    tree.push(Rule::Path, colon + 1..end);
    search(body, end, &mut tree)?;
    Ok(tree)
}

/// Parses `fragmentid = xalphas`, after the `#` at `hash` if there is one.
fn fragmentid(bytes: &[u8], hash: usize, tree: &mut ParseTree) -> Result<(), ParseError> {
    if hash < bytes.len() {
        let range = xalphas(bytes, hash + 1, bytes.len(), ErrorKind::FragmentCharacter)?;
        tree.push(Rule::Fragmentid, range);
    }
    Ok(())
}

/// Parses `path = void | xpalphas [ / path ]` from `start` and returns the index after it, at a `?`
/// or the end.
fn path_to_search(body: &[u8], start: usize) -> Result<usize, ParseError> {
    let mut at = start;
    loop {
        let end = walk(body, at, &table::XPALPHA_1993)?;
        match body.get(end) {
            None | Some(b'?') => return Ok(end),
            Some(b'/') if end > at => at = end + 1,
            Some(b'/') => return Err(ParseError::new(end, ErrorKind::EmptyPart)),
            Some(_) => return Err(fault(body, end, ErrorKind::PathCharacter)),
        }
    }
}

/// Parses all of `body` from `start` as a `path`.
fn path(body: &[u8], start: usize) -> Result<Range<usize>, ParseError> {
    match path_to_search(body, start)? {
        end if end == body.len() => Ok(start..end),
        end => Err(ParseError::new(end, ErrorKind::TrailingText)),
    }
}

/// Parses `search = xalphas [ + search ]`, after the `?` at `at` if there is one.
fn search(body: &[u8], at: usize, tree: &mut ParseTree) -> Result<(), ParseError> {
    if at == body.len() {
        return Ok(());
    }
    let mut word = at + 1;
    loop {
        let end = walk(body, word, &table::XALPHA_1993)?;
        match body.get(end) {
            None | Some(b'+') if end == word => {
                return Err(ParseError::new(end, ErrorKind::EmptyPart));
            }
            None => break,
            Some(b'+') => word = end + 1,
            Some(_) => return Err(fault(body, end, ErrorKind::QueryCharacter)),
        }
    }
    tree.push(Rule::Search, at + 1..body.len());
    Ok(())
}

/// Parses all of `body[start..end]` as `xalphas`, which must not be empty.
fn xalphas(
    body: &[u8],
    start: usize,
    end: usize,
    kind: ErrorKind,
) -> Result<Range<usize>, ParseError> {
    if start == end {
        return Err(ParseError::new(start, ErrorKind::EmptyPart));
    }
    whole(body.part(..end), start, &table::XALPHA_1993, kind)?;
    Ok(start..end)
}
