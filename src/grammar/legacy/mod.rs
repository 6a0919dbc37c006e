//! The older grammars of [`Grammar`](crate::Grammar): one file per document, and here the parts
//! that several of them share.
//!
//! Each file is the whole BNF of its document over the tables of [`super::table`]. Alternatives are
//! tried in the order of the document. If all fail, the error comes from the one that got furthest.
//! The fragment is split off at the first `#`, which no other component may contain.

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

/// Adds the fragment of `bytes` to `tree`; its `#` is at `hash`, if it has one.
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

/// Checks that all of `bytes[start..]` is characters of `table` and percent triplets.
fn whole(bytes: &[u8], start: usize, table: &CharTable, kind: ErrorKind) -> Result<(), ParseError> {
    match walk(bytes, start, table)? {
        end if end == bytes.len() => Ok(()),
        end => Err(fault(bytes, end, kind)),
    }
}

/// Returns the error for the byte at `at`, at which the component of `kind` cannot continue.
fn fault(bytes: &[u8], at: usize, kind: ErrorKind) -> ParseError {
    let nowhere = bytes.get(at).is_some_and(|&byte| !table::is_uri_byte(byte));
    // An authority ends at `/`, `?` and `#`. So each other byte in it is a fault of the host or the
    // userinfo, even one that no component allows.
    let in_host = matches!(kind, ErrorKind::HostCharacter | ErrorKind::UserinfoCharacter);
    let kind = if nowhere && !in_host { ErrorKind::Character } else { kind };
    ParseError::new(at, kind)
}

/// Returns `first`, or else `second`; if both fail, the error of the one that got further.
fn either(
    first: Result<ParseTree, ParseError>,
    second: impl FnOnce() -> Result<ParseTree, ParseError>,
) -> Result<ParseTree, ParseError> {
    first.or_else(|error| second().map_err(|other| further(error, other)))
}

/// Returns the error with the larger offset, or the first of two with the same.
fn further(first: ParseError, second: ParseError) -> ParseError {
    if second.offset() > first.offset() { second } else { first }
}

/// `host [ ":" port ]`, the common ground of the documents.
#[derive(Debug)]
struct Hostport {
    host: Range<usize>,
    host_type: HostType,
    port: Option<Range<usize>>,
}

impl Hostport {
    /// Parses from the host at `start`, which ends at `host_end`, to the end of `area`; `port =
    /// *digit`.
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

/// Returns the index of the `:` after a host that cannot contain one, or the end of `area`.
fn colon_or_end(area: &[u8], start: usize) -> usize {
    start + area.part(start..).leading(|byte| byte != b':')
}

/// True for `alphanum [ *( alphanum | "-" ) alphanum ]`: a label of a host name, of at most `most`
/// bytes.
fn is_label(label: &[u8], most: usize) -> bool {
    let edge = |byte: Option<&u8>| byte.is_some_and(|&byte| table::ALPHANUM.has(byte));
    edge(label.first())
        && edge(label.last())
        && label.len() <= most
        && table::LDH.skip(label, 0) == label.len()
}

/// Returns the error for `area[start..end]`, which is not a host: at its first character that no
/// host name may contain, or at its start if only the order of its characters is wrong.
fn no_host(area: &[u8], start: usize, end: usize) -> ParseError {
    let stray =
        area.part(start..end).iter().position(|&byte| !table::LDH.has(byte) && byte != b'.');
    match stray {
        Some(at) => ParseError::new(start + at, ErrorKind::HostCharacter),
        None => ParseError::new(start, ErrorKind::HostForm),
    }
}
