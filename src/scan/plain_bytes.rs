//! Characters without a special meaning in any rule.

use crate::chunk::is_alphanumeric;

#[inline(always)]
pub(super) const fn in_host(byte: u8) -> bool {
    is_alphanumeric(byte) | (byte == b'-') | (byte == b'.') | (byte == b'_')
}

/// Also applies to a query and a fragment.
#[inline(always)]
pub(super) const fn in_path(byte: u8) -> bool {
    let mark = (byte == b'_') | (byte == b'~') | (byte == b'=') | (byte == b'@') | (byte == b'!');
    // `* + - . /`; a `*` matters only at the end
    let low = (byte.wrapping_sub(b'*') <= 1) | (byte.wrapping_sub(b'-') <= b'/' - b'-');
    is_alphanumeric(byte) | low | mark
}
