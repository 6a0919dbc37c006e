//! `authority = [ userinfo "@" ] host [ ":" port ]` (RFC 3986 §3.2).
//!
//! No character of a userinfo, a host or a port ends an authority (`/`, `?`, `#`), so the first
//! byte that none of them accepts decides. The userinfo has the largest alphabet: a single run over
//! it finds an `@`, and only the host and the port are then read again.

use super::component::{Alphabet, CharRule, run};
use super::host::{self, HostType};
use super::table;
use crate::error::{ErrorKind, ParseError};
use crate::slice::SliceExt;

/// Byte offsets of the pieces of an authority in the whole URI.
#[derive(Clone, Copy, Debug)]
pub(super) struct Authority {
    /// First byte of the host; after the `@` if there is a userinfo.
    pub(super) host_start: usize,
    pub(super) host_end: usize,
    pub(super) host_type: HostType,
    /// One past the port; equals `host_end` without a `:`.
    pub(super) end: usize,
}

/// Parses the authority that starts at `start`, directly after the `//`.
pub(super) fn parse<A: Alphabet>(bytes: &[u8], start: usize) -> Result<Authority, ParseError> {
    // A userinfo may have all characters of a host and port, so only the `@` after it tells which
    // of them this is.
    let stop = run::<A>(bytes, start, CharRule::Userinfo)?;
    let host_start = if bytes.get(stop) == Some(&b'@') { stop + 1 } else { start };
    let (host_end, host_type) = if bytes.get(host_start) == Some(&b'[') {
        host::ip_literal(bytes, host_start)?
    } else {
        let end = run::<A>(bytes, host_start, CharRule::Host)?;
        (end, host::host_type(bytes.part(host_start..end)))
    };
    let end = match bytes.get(host_end) {
        Some(b':') => table::DIGIT.skip(bytes, host_end + 1),
        _ => host_end,
    };
    match bytes.get(end) {
        // The port may be empty or too large for TCP: `port = *DIGIT` (RFC 3986 §3.2.3).
        None | Some(b'/' | b'?' | b'#') => Ok(Authority { host_start, host_end, host_type, end }),
        // There is an `@`, but the run over the userinfo stopped before it. So the fault is in the
        // userinfo, not in the host.
        Some(_) if host_start == start && at_sign_follows(bytes, stop) => {
            Err(CharRule::Userinfo.fault::<A>(bytes, stop))
        }
        // The run over the digits began, so the fault is in the port.
        Some(_) if host_end < end => Err(ParseError::new(end, ErrorKind::PortCharacter)),
        Some(_) => Err(CharRule::Host.fault::<A>(bytes, end)),
    }
}

pub(crate) fn check_host(text: &str) -> Result<(), ParseError> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'[') {
        return CharRule::Host.check(text);
    }
    match host::ip_literal(bytes, 0)?.0 {
        end if end == bytes.len() => Ok(()),
        end => Err(ParseError::new(end, ErrorKind::HostCharacter)),
    }
}

/// True if an `@` follows before the authority ends. The text before it is then meant as a
/// userinfo, and the error names that component.
#[cold]
fn at_sign_follows(bytes: &[u8], stop: usize) -> bool {
    bytes.clamped(stop..).iter().find(|byte| b"@/?#".contains(byte)) == Some(&b'@')
}
