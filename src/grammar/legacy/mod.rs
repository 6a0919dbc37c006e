//! The older grammars that [`Grammar`](crate::Grammar) chooses among: a file a document, and here
//! what more than one of them needs.
//!
//! Each file is the whole BNF of its document over the tables of [`super::table`]. Where the
//! document has alternatives, they are tried in its order, and when all fail the error is that of
//! the one that got furthest. The fragment is split off at the first `#`, which no other
//! component may hold.

pub(crate) mod rfc2141;
pub(super) mod rfc2396bis;
pub(super) mod url_1993;
pub(super) mod url_syntax;

use core::ops::Range;

use super::component::walk;
use super::host::HostType;
use super::parsed::{ParseTree, Rule};
use super::table::{self, CharTable};
use crate::error::{ErrorKind, ParseError};
use crate::slice::{ByteRuns, SliceExt};

fn before_fragment(bytes: &[u8]) -> &[u8] {
    bytes.part(..bytes.leading(|byte| byte != b'#'))
}

/// Adds the fragment of `bytes`, whose `#` is at `hash` if it has one, to `tree`.
fn fragment(
    bytes: &[u8],
    hash: usize,
    table: &CharTable,
    tree: &mut ParseTree,
) -> Result<(), ParseError> {
    if hash < bytes.len() {
        whole(bytes, hash + 1, table, ErrorKind::FragmentCharacter)?;
        tree.push(Rule::Fragment, hash + 1..bytes.len());
    }
    Ok(())
}

/// All of `bytes[start..]` is characters of `table` and percent triplets.
fn whole(bytes: &[u8], start: usize, table: &CharTable, kind: ErrorKind) -> Result<(), ParseError> {
    match walk(bytes, start, table)? {
        end if end == bytes.len() => Ok(()),
        end => Err(fault(bytes, end, kind)),
    }
}

/// The error for the byte at `at`, where `kind` says which component cannot go on.
fn fault(bytes: &[u8], at: usize, kind: ErrorKind) -> ParseError {
    let nowhere = bytes.get(at).is_some_and(|&byte| !table::is_uri_byte(byte));
    let in_host = matches!(kind, ErrorKind::HostCharacter | ErrorKind::UserinfoCharacter);
    let kind = if nowhere && !in_host { ErrorKind::Character } else { kind };
    ParseError::new(at, kind)
}

/// `first`, or else `second`; when both fail, the error of the one that got further.
fn either(
    first: Result<ParseTree, ParseError>,
    second: impl FnOnce() -> Result<ParseTree, ParseError>,
) -> Result<ParseTree, ParseError> {
    first.or_else(|error| second().map_err(|other| further(error, other)))
}

/// The error with the larger offset; the first of two with the same.
fn further(first: ParseError, second: ParseError) -> ParseError {
    if second.offset() > first.offset() { second } else { first }
}

/// `host [ ":" port ]`, as far as documents agree on it.
#[derive(Debug)]
struct Hostport {
    host: Range<usize>,
    host_type: HostType,
    port: Option<Range<usize>>,
}

impl Hostport {
    /// From the host at `start`, which ends at `host_end`, to the end of `area`; `port = *digit`.
    fn with_port(
        area: &[u8],
        start: usize,
        host_end: usize,
        host_type: HostType,
    ) -> Result<Self, ParseError> {
        let port = match area.get(host_end) {
            None => None,
            Some(b':') => {
                let end = table::DIGIT.skip(area, host_end + 1);
                if end < area.len() {
                    return Err(ParseError::new(end, ErrorKind::PortCharacter));
                }
                Some(host_end + 1..end)
            }
            Some(_) => return Err(fault(area, host_end, ErrorKind::HostCharacter)),
        };
        Ok(Self { host: start..host_end, host_type, port })
    }

    fn push(self, tree: &mut ParseTree) {
        tree.host_type = Some(self.host_type);
        tree.push(Rule::Host, self.host);
        tree.push_some(Rule::Port, self.port);
    }
}

/// The `:` after a host that holds none itself; the end of `area` without one.
fn colon_or_end(area: &[u8], start: usize) -> usize {
    start + area.part(start..).leading(|byte| byte != b':')
}

/// `alphanum [ *( alphanum | "-" ) alphanum ]`: a label of a host name, of at most `most` bytes.
fn is_label(label: &[u8], most: usize) -> bool {
    let edge = |byte: Option<&u8>| byte.is_some_and(|&byte| table::ALPHANUM.has(byte));
    edge(label.first())
        && edge(label.last())
        && label.len() <= most
        && table::LDH.skip(label, 0) == label.len()
}

/// The error for `area[start..end]`, which is no host: at its first character that no host name
/// holds, or at its start when only the order of its characters is wrong.
fn no_host(area: &[u8], start: usize, end: usize) -> ParseError {
    let stray =
        area.part(start..end).iter().position(|&byte| !table::LDH.has(byte) && byte != b'.');
    match stray {
        Some(at) => ParseError::new(start + at, ErrorKind::HostCharacter),
        None => ParseError::new(start, ErrorKind::HostForm),
    }
}
