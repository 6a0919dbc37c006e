//! The characters about which no rule has anything to say.

use crate::chunk::is_alphanumeric;

/// In a host.
#[inline(always)]
pub(super) const fn in_host(byte: u8) -> bool {
    is_alphanumeric(byte) | (byte == b'-') | (byte == b'.') | (byte == b'_')
}

/// In a path, a query or a fragment.
#[inline(always)]
pub(super) const fn in_path(byte: u8) -> bool {
    let mark = (byte == b'_') | (byte == b'~') | (byte == b'=') | (byte == b'@') | (byte == b'!');
    let low = byte.wrapping_sub(b'+') <= b'/' - b'+'; // `+ , - . /`
    is_alphanumeric(byte) | low | mark
}
