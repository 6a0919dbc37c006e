//! IPv4 addresses in forms that only some software reads (RFC 3986 §7.4).

use core::net::Ipv4Addr;

use super::is_web;
use crate::grammar::HostType;
use crate::{Uri, percent};

pub(super) fn rare_ip(uri: &Uri<'_>) -> Option<Ipv4Addr> {
    // Every form starts with a digit, which may be percent-encoded. Few hosts do.
    let host =
        uri.host().filter(|host| host.starts_with(|c: char| c.is_ascii_digit() || c == '%'))?;
    // The grammar reads the four decimal numbers as IPv4. Every other form is a registered name to
    // it.
    if uri.host_type() != Some(HostType::RegName) || !is_web(uri) {
        return None;
    }
    address(&percent::decode(host))
}

/// Returns the address that `inet_aton` reads in all of `host`.
pub(crate) fn address(host: &[u8]) -> Option<Ipv4Addr> {
    if !host.first()?.is_ascii_digit() {
        return None;
    }
    let host = host.strip_suffix(b".").unwrap_or(host);
    let (mut address, mut bits_left) = (0, 32);
    let mut parts = host.split(|&byte| byte == b'.').peekable();
    while let Some(part) = parts.next() {
        let value = number(part)?;
        if parts.peek().is_none() {
            // The last number fills the remaining bits, at least one octet.
            let fits = bits_left >= 8 && value < 1 << bits_left;
            return fits.then(|| Ipv4Addr::from_bits(address | value as u32));
        }
        // Every number but the last is a single octet.
        if bits_left == 0 || value > 0xFF {
            return None;
        }
        bits_left -= 8;
        address |= (value as u32) << bits_left;
    }
    None
}

/// Parses a number in C notation; saturates if it is too large.
fn number(text: &[u8]) -> Option<u64> {
    let (digits, radix) = match text {
        [] => return None,
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] => (digits, 8),
        digits => (digits, 10),
    };
    digits.iter().try_fold(0_u64, |value, &digit| {
        let digit = char::from(digit).to_digit(radix)?;
        // Saturate instead of failing, so that a huge number is reported as out of range and not as
        // no number.
        Some(value.saturating_mul(u64::from(radix)).saturating_add(u64::from(digit)))
    })
}
