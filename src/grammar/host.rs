//! Parses hosts: IP literals, IPv4 addresses and the type of a host (RFC 3986 §3.2.2).
//!
//! Each recognizer only moves forward and stops after the most bytes that its rule can take. So `[`
//! and a megabyte of `:` cost as little as `[::]`.

use super::table;
use crate::error::{ErrorKind, ParseError};
use crate::named::named_enum;
use crate::slice::SliceExt;

named_enum! {
    "urigrep::grammar::HostType", "types of hosts";
    /// The alternative of `host` that a host matches (RFC 3986 §3.2.2). The last two exist only in
    /// older grammars.
    ///
    /// ```
    /// use urigrep::grammar::HostType;
    /// use urigrep::Uri;
    /// let uri = Uri::parse("coap://[2001:db8::7]/t").unwrap();
    /// assert_eq!(uri.host_type(), Some(HostType::Ipv6));
    /// assert_eq!(HostType::Ipv6.name(), "ipv6");
    /// ```
    pub enum HostType {
        /// A registered name, which may be empty. This includes text that looks like an IPv4
        /// address but is not one by the ABNF, such as `127.1`, `0x7f.1` or `256.0.0.1`.
        RegName = "reg-name",
        /// An `IPv4address`: four numbers from 0 to 255 without leading zeros.
        Ipv4 = "ipv4",
        /// An `IPv6address` in brackets.
        Ipv6 = "ipv6",
        /// An `IPvFuture` in brackets, such as `[v1.fe80::a+en1]`.
        IpvFuture = "ipvfuture",
        /// A `hostname`: labels by the rules of an older [`Grammar`](crate::Grammar).
        Hostname = "hostname",
        /// A `hostnumber`: four numbers of any size, by an older [`Grammar`](crate::Grammar).
        Hostnumber = "hostnumber",
    }
}

/// Parses `IP-literal = "[" ( IPv6address / IPvFuture ) "]"` from the `[` at `open`. Returns the
/// index after the `]` and the type.
pub(super) fn ip_literal(bytes: &[u8], open: usize) -> Result<(usize, HostType), ParseError> {
    match bytes.get(open + 1) {
        // Literals in the ABNF match either case (RFC 5234 §2.3).
        Some(b'v' | b'V') => {
            let end = closed(bytes, open, ipv_future(bytes, open + 1))?;
            Ok((end, HostType::IpvFuture))
        }
        _ => Ok((ipv6_reference(bytes, open)?, HostType::Ipv6)),
    }
}

/// Parses `"[" IPv6address "]"` from the `[` at `open` and returns the index after the `]`.
/// rfc2396bis-01 §3.2.2 calls it `IPv6reference`.
pub(super) fn ipv6_reference(bytes: &[u8], open: usize) -> Result<usize, ParseError> {
    closed(bytes, open, ipv6(bytes, open + 1))
}

/// Returns the index after the `]`, which must follow the address that was `walked`.
fn closed(bytes: &[u8], open: usize, walked: Result<usize, usize>) -> Result<usize, ParseError> {
    let at = match walked {
        Ok(end) if bytes.get(end) == Some(&b']') => return Ok(end + 1),
        Ok(at) | Err(at) => at,
    };
    // Without a `]` before the end of the authority, the missing bracket is the fault. Otherwise,
    // it is the text before the bracket.
    Err(match bytes.clamped(open..).iter().find(|byte| b"]/?#".contains(byte)) {
        Some(b']') => ParseError::new(at, ErrorKind::IpLiteral),
        _ => ParseError::new(open, ErrorKind::UnclosedIpLiteral),
    })
}

/// Parses `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )` from its `v` at
/// `start`.
///
/// Like the functions below, returns its end as `Ok`, or the byte at which it fails as `Err`.
fn ipv_future(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let dot = table::HEXDIG.skip(bytes, start + 1);
    if dot == start + 1 || bytes.get(dot) != Some(&b'.') {
        return Err(dot);
    }
    let end = table::IPV_FUTURE.skip(bytes, dot + 1);
    if end == dot + 1 { Err(end) } else { Ok(end) }
}

/// Parses the longest `IPv6address` from `start`.
///
/// ```text
/// IPv6address =                            6( h16 ":" ) ls32
///             /                       "::" 5( h16 ":" ) ls32
///             / [               h16 ] "::" 4( h16 ":" ) ls32
///             / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
///             / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
///             / [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
///             / [ *4( h16 ":" ) h16 ] "::"              ls32
///             / [ *5( h16 ":" ) h16 ] "::"              h16
///             / [ *6( h16 ":" ) h16 ] "::"
/// ls32        = ( h16 ":" h16 ) / IPv4address
/// h16         = 1*4HEXDIG
/// ```
///
/// In short: eight groups, or at most seven and one `::`; an IPv4 address may replace the last two.
fn ipv6(bytes: &[u8], start: usize) -> Result<usize, usize> {
    const WHOLE: usize = 8;
    const ELIDED: usize = 7;
    let mut at = start;
    let mut groups = 0;
    // `::` stands for at least one group, so an address with it has at most seven others.
    let mut most = WHOLE;
    if bytes.get(at) == Some(&b':') {
        // Only `::` may start an address. A single colon has no group before it.
        if bytes.get(at + 1) != Some(&b':') {
            return Err(at + 1);
        }
        most = ELIDED;
        at += 2;
        // `::` may end the address (`[::]`), so a missing group is not a fault here. After a single
        // colon it is one.
        if !starts_group(bytes, at) {
            return Ok(at);
        }
    }
    loop {
        let digits =
            // An `h16` has at most four digits. The address ends before a fifth one, where `]` must
            // follow.
            bytes.clamped(at..).iter().take(4).take_while(|&&b| table::HEXDIG.has(b)).count();
        if digits == 0 || groups == most {
            return Err(at);
        }
        let after = at + digits;
        // An IPv4 address takes the place of two groups and must come last.
        if bytes.get(after) == Some(&b'.') {
            let fits = match most {
                WHOLE => groups + 2 == WHOLE,
                // With `::`, the address may have fewer groups, since `::` fills the rest.
                _ => groups + 2 <= ELIDED,
            };
            // The digits were read as a hexadecimal group. They must also be a whole `dec-octet`.
            if !fits || dec_octet(bytes, at) != Ok(after) {
                return Err(after);
            }
            return ipv4(bytes, at);
        }
        at = after;
        groups += 1;
        match bytes.clamped(at..) {
            // Only the first `::` is allowed, since a second one would make the address ambiguous.
            [b':', b':', ..] if groups < WHOLE && most == WHOLE => {
                most = ELIDED;
                at += 2;
                if !starts_group(bytes, at) {
                    return Ok(at);
                }
            }
            [b':', ..] if groups < most => at += 1,
            _ if groups == WHOLE || most == ELIDED => return Ok(at),
            _ => return Err(at),
        }
    }
}

fn starts_group(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|&byte| table::HEXDIG.has(byte))
}

pub(crate) fn host_type(host: &[u8]) -> HostType {
    if is_ipv4(host) { HostType::Ipv4 } else { HostType::RegName }
}

pub(super) fn is_ipv4(host: &[u8]) -> bool {
    // The address must be the whole host: `1.2.3.4.example` is a `reg-name` (RFC 3986 §3.2.2,
    // "first-match-wins").
    host.first().is_some_and(u8::is_ascii_digit) && ipv4(host, 0) == Ok(host.len())
}

/// Parses the longest `IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet` from
/// `at`.
fn ipv4(bytes: &[u8], mut at: usize) -> Result<usize, usize> {
    for octet in 0..4 {
        if octet > 0 {
            if bytes.get(at) != Some(&b'.') {
                return Err(at);
            }
            at += 1;
        }
        at = dec_octet(bytes, at)?;
    }
    Ok(at)
}

/// Parses the `dec-octet` at `at`, a number from 0 to 255 without leading zeros:
///
/// ```text
/// dec-octet = DIGIT / %x31-39 DIGIT / "1" 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35
/// ```
fn dec_octet(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let digits =
        // A fourth digit cannot belong to an octet, so it stays unread. Then the `.` is missing,
        // which the caller reports.
        bytes.clamped(at..).iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    match bytes.part(at..at + digits) {
        [] => Err(at),
        // A leading zero ends the octet: `01` is not a `dec-octet`.
        [b'0', ..] => Ok(at + 1),
        [b'3'..=b'9', _, _] | [b'2', b'6'..=b'9', _] | [b'2', b'5', b'6'..=b'9'] => Err(at + 2),
        _ => Ok(at + digits),
    }
}
