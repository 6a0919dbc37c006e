//! Parses the addresses of the schemes that url-1993 defines.
//!
//! ```text
//! httpaddress   http: // hostport [ / path ] [ ? search ]
//! fileaddress   ftp: // [ user [ : password ] @ ] hostport / path
//! afsaddress    afs: // cellname / path
//! newsaddress   news: * | group | xalphas @ host
//! waisindex     wais: // hostport / database [ ? search ]
//! waisdoc       wais: // hostport / database / wtype / digits / path
//! prosperolink  prospero: // hostport / hsoname [ %00 version [ attributes ] ]
//! telnetaddress telnet: // [ user @ ] hostport        also rlogin: and tn3270:
//! gopheraddress gopher: // hostport [ / gtype [ selector ] ] [ ? search ]
//! ```

use super::{fault, path, path_to_search, search, xalphas};
use crate::error::{ErrorKind, ParseError};
use crate::grammar::component::{triplet, walk};
use crate::grammar::host::HostType;
use crate::grammar::legacy::Hostport;
use crate::grammar::parsed::{Form, ParseTree, Rule};
use crate::grammar::table;
use crate::slice::{ByteRuns, SliceExt};

/// Parses the address in a text without its fragment; the argument is the index of the scheme's
/// colon.
type Address = fn(&[u8], usize) -> Result<ParseTree, ParseError>;

/// Returns the parser for the addresses of a scheme.
pub(super) fn of_scheme(scheme: &[u8]) -> Option<Address> {
    Some(match scheme {
        b"http" => http,
        b"ftp" => file,
        b"afs" => afs,
        b"news" => news,
        b"wais" => wais,
        b"prospero" => prospero,
        b"telnet" | b"rlogin" | b"tn3270" => telnet,
        b"gopher" => gopher,
        _ => return None,
    })
}

fn http(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::HttpAddress, colon);
    let mut at = host_and_port(body, slashes(body, colon)?, &mut tree)?;
    if body.get(at) == Some(&b'/') {
        let start = at + 1;
        at = path_to_search(body, start)?;
        tree.push(Rule::Path, start..at);
    }
    search(body, at, &mut tree)?;
    Ok(tree)
}

fn file(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::FileAddress, colon);
    let end = login(body, slashes(body, colon)?, Login::Password, &mut tree)?;
    let start = slash(body, end)?;
    tree.push(Rule::Path, path(body, start)?);
    Ok(tree)
}

fn afs(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::AfsAddress, colon);
    let start = slashes(body, colon)?;
    let end = area_end(body, start);
    hostname(body.part(..end), start)?;
    tree.push(Rule::Cellname, start..end);
    let start = slash(body, end)?;
    tree.push(Rule::Path, path(body, start)?);
    Ok(tree)
}

fn news(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::NewsAddress, colon);
    let start = colon + 1;
    if body.clamped(start..) == b"*" {
        tree.push(Rule::Groupart, start..body.len());
        return Ok(tree);
    }
    let all = xalphas(body, start, body.len(), ErrorKind::PathCharacter)?;
    // An article has an `@` before a host; otherwise it is a group.
    match last_at(body, start, HostNumber::Alone) {
        Some(at) => {
            tree.push(Rule::Article, all);
            let host = host(body, at + 1)?;
            host.push(&mut tree);
        }
        // `group = ialpha [ . group ]`, and `.` is an xalpha, so only the first letter needs a
        // check.
        None if body.get(start).is_some_and(|&byte| table::ALPHA.has(byte)) => {
            tree.push(Rule::Group, all)
        }
        None => return Err(ParseError::new(start, ErrorKind::HostForm)),
    }
    Ok(tree)
}

fn wais(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::WaisIndex, colon);
    let end = host_and_port(body, slashes(body, colon)?, &mut tree)?;
    let at = word(body, slash(body, end)?, Rule::Database, &mut tree)?;
    if body.get(at) != Some(&b'/') {
        search(body, at, &mut tree)?;
        return Ok(tree);
    }
    tree.form = Form::WaisDoc;
    let at = word(body, at + 1, Rule::Wtype, &mut tree)?;
    let digits = slash(body, at)?;
    let end = table::DIGIT.skip(body, digits);
    match body.get(end) {
        None | Some(b'/') if end == digits => {
            return Err(ParseError::new(end, ErrorKind::EmptyPart));
        }
        None | Some(b'/') => tree.push(Rule::Digits, digits..end),
        Some(_) => return Err(ParseError::new(end, ErrorKind::LengthCharacter)),
    }
    let start = slash(body, end)?;
    tree.push(Rule::Path, path(body, start)?);
    Ok(tree)
}

fn prospero(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::ProsperoLink, colon);
    let end = host_and_port(body, slashes(body, colon)?, &mut tree)?;
    let start = slash(body, end)?;
    let range = path(body, start)?;
    let nul = body.clamped(start..).windows(3).position(|three| three == b"%00");
    if let Some(nul) = nul.map(|nul| start + nul) {
        // Try the version on a copy: if it fails, the `%00` is an escape in the name.
        let mut link = tree.clone();
        link.push(Rule::Hsoname, start..nul);
        if version(body, nul, &mut link).is_some() {
            return Ok(link);
        }
    }
    tree.push(Rule::Hsoname, range);
    Ok(tree)
}

/// Parses `%00 version *( %00 attribute )` from `start` to the end. The BNF puts the attributes
/// directly after the version. Its prose puts `%00` before each, and allows an empty version before
/// them. Returns `None` for anything else: the `%00` is then an escape in a name.
fn version(body: &[u8], start: usize, tree: &mut ParseTree) -> Option<()> {
    let digits = start + 3;
    let mut at = table::DIGIT.skip(body, digits);
    // `%00` at the end has neither a version nor an attribute after it.
    if at == digits && at == body.len() {
        return None;
    }
    tree.push(Rule::Version, digits..at);
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(b"%00") {
            at += 3;
        // An attribute without `%00` needs a version before it. Only the prose, which writes `%00`,
        // allows an empty one.
        } else if at == digits {
            return None;
        }
        let end = table::ALPHANUM.skip(body, at);
        if end == at {
            return None;
        }
        tree.push(Rule::Attributes, at..end);
        at = end;
    }
    Some(())
}

fn telnet(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::TelnetAddress, colon);
    match login(body, slashes(body, colon)?, Login::User, &mut tree)? {
        end if end == body.len() => Ok(tree),
        end => Err(ParseError::new(end, ErrorKind::TrailingText)),
    }
}

fn gopher(body: &[u8], colon: usize) -> Result<ParseTree, ParseError> {
    let mut tree = ParseTree::with_scheme(Form::GopherAddress, colon);
    let mut at = host_and_port(body, slashes(body, colon)?, &mut tree)?;
    if body.get(at) == Some(&b'/') {
        let gtype = at + 1;
        let selector = match body.get(gtype) {
            None | Some(b'?') => return Err(ParseError::new(gtype, ErrorKind::EmptyPart)),
            Some(b'%') => triplet(body, gtype)?,
            Some(&byte) if table::XALPHA_1993.has(byte) => gtype + 1,
            Some(_) => return Err(fault(body, gtype, ErrorKind::PathCharacter)),
        };
        tree.push(Rule::Gtype, gtype..selector);
        at = path_to_search(body, selector)?;
        if selector < at {
            tree.push(Rule::Selector, selector..at);
        }
    }
    search(body, at, &mut tree)?;
    Ok(tree)
}

/// Returns the index after the `//` that must follow the colon.
fn slashes(body: &[u8], colon: usize) -> Result<usize, ParseError> {
    for at in [colon + 1, colon + 2] {
        if body.get(at) != Some(&b'/') {
            return Err(ParseError::new(at, ErrorKind::NoHost));
        }
    }
    Ok(colon + 3)
}

/// Returns the index after the `/` that must be at `at`.
fn slash(body: &[u8], at: usize) -> Result<usize, ParseError> {
    match body.get(at) {
        Some(b'/') => Ok(at + 1),
        _ => Err(ParseError::new(at, ErrorKind::NoPath)),
    }
}

/// Parses `xalphas` from `start` and returns the index after them, at a `/`, a `?` or the end.
fn word(body: &[u8], start: usize, rule: Rule, tree: &mut ParseTree) -> Result<usize, ParseError> {
    let end = area_end(body, start);
    tree.push(rule, xalphas(body, start, end, ErrorKind::PathCharacter)?);
    Ok(end)
}

/// Returns the index of the first `/` or `?` at or after `start`, or the end.
fn area_end(body: &[u8], start: usize) -> usize {
    start + body.part(start..).leading(|byte| !b"/?".contains(&byte))
}

/// Parses `hostport` from `start`, directly after `//`, and returns the index after it.
pub(super) fn host_and_port(
    body: &[u8],
    start: usize,
    tree: &mut ParseTree,
) -> Result<usize, ParseError> {
    let end = area_end(body, start);
    hostport(body.part(..end), start)?.push(tree);
    Ok(end)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Login {
    User,
    /// A user and, after the first `:`, a password.
    Password,
}

/// Parses `[ user @ ] hostport` from `start`, directly after `//`, and returns the index after it.
fn login(
    body: &[u8],
    start: usize,
    login: Login,
    tree: &mut ParseTree,
) -> Result<usize, ParseError> {
    let end = area_end(body, start);
    let area = body.part(..end);
    let mut host = start;
    if let Some(at) = last_at(area, start, HostNumber::WithPort) {
        let user = xalphas(area, start, at, ErrorKind::UserinfoCharacter)?;
        let colon = area.part(user.clone()).iter().position(|&byte| byte == b':');
        match colon.filter(|_| login == Login::Password) {
            Some(colon) => {
                tree.push(Rule::User, start..start + colon);
                tree.push(Rule::Password, start + colon + 1..at);
            }
            None => tree.push(Rule::User, user),
        }
        host = at + 1;
    }
    hostport(area, host)?.push(tree);
    Ok(end)
}

/// The text that may follow a `hostnumber`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HostNumber {
    Alone,
    WithPort,
}

/// Returns the last `@` after `start` that a host follows up to the end of `area`.
fn last_at(area: &[u8], start: usize, number: HostNumber) -> Option<usize> {
    // A user has at least one character, so an `@` at `start` ends none.
    let mut signs = (start + 1..area.len()).rev().filter(|&at| area.get(at) == Some(&b'@'));
    let letter = |at: &usize| area.get(at + 1).is_some_and(|&byte| table::ALPHA.has(byte));
    let last = signs.next()?;
    // No `hostnumber` contains an `@`, so any other `@` must be followed by a letter.
    let is_number = match number {
        HostNumber::Alone => host(area, last + 1).is_ok(),
        HostNumber::WithPort => hostport(area, last + 1).is_ok(),
    };
    if is_number || letter(&last) {
        return Some(last);
    }
    signs.find(letter)
}

/// Parses all of `area` from `start` as `hostport = host [ : port ]`, with `port = digits`.
fn hostport(area: &[u8], start: usize) -> Result<Hostport, ParseError> {
    let digits = area.clamped(start..).iter().rposition(|byte| !byte.is_ascii_digit());
    if let Some(colon) = digits.map(|last| start + last)
        && area.get(colon) == Some(&b':')
        // Neither the host nor the port may be empty. A colon elsewhere is an `xalpha` of the host.
        && (start + 1..area.len() - 1).contains(&colon)
    {
        let host = host(area.part(..colon), start)?;
        return Ok(Hostport { port: Some(colon + 1..area.len()), ..host });
    }
    host(area, start)
}

/// Parses all of `area` from `start` as `host = hostname | hostnumber`.
fn host(area: &[u8], start: usize) -> Result<Hostport, ParseError> {
    let (walked, host_type) = match area.get(start) {
        None => return Err(ParseError::new(start, ErrorKind::EmptyPart)),
        Some(byte) if byte.is_ascii_digit() => (hostnumber(area, start), HostType::Hostnumber),
        Some(_) => (hostname(area, start), HostType::Hostname),
    };
    match walked? {
        end if end == area.len() => Ok(Hostport { host: start..end, host_type, port: None }),
        end => Err(fault(area, end, ErrorKind::HostCharacter)),
    }
}

/// Parses all of `area` from `start` as `hostname = ialpha [ . hostname ]`, with `ialpha = alpha [
/// xalphas ]`, and returns its end.
fn hostname(area: &[u8], start: usize) -> Result<usize, ParseError> {
    match area.get(start) {
        None => Err(ParseError::new(start, ErrorKind::EmptyPart)),
        Some(&byte) if table::ALPHA.has(byte) => match walk(area, start, &table::XALPHA_1993)? {
            end if end == area.len() => Ok(end),
            end => Err(fault(area, end, ErrorKind::HostCharacter)),
        },
        Some(_) => Err(ParseError::new(start, ErrorKind::HostForm)),
    }
}

/// Parses `hostnumber = digits . digits . digits . digits` from `start` and returns the index after
/// it.
fn hostnumber(area: &[u8], start: usize) -> Result<usize, ParseError> {
    let mut at = start;
    for number in 0..4 {
        if number > 0 {
            if area.get(at) != Some(&b'.') {
                return Err(ParseError::new(at, ErrorKind::HostForm));
            }
            at += 1;
        }
        let end = table::DIGIT.skip(area, at);
        if end == at {
            return Err(ParseError::new(at, ErrorKind::HostForm));
        }
        at = end;
    }
    Ok(at)
}
