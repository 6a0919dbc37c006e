//! Masks of the bytes at which a run may end or mean something.
//!
//! Nearly all bytes of a URI mean nothing to any rule. One kernel call classifies the 64 bytes from
//! an offset on, and the rules then visit only the bytes whose bit is set, by counting zeros.

use super::plain_bytes::{in_host, in_path};
use crate::byte_table::{ByteTable, byte_table};
use crate::slice::SliceExt;

/// Bytes that a set of masks covers.
pub(crate) const MASK_BYTES: usize = 64;

/// Classes of [`MASK_BYTES`] bytes; bit `n` stands for byte `n`. Bytes after the end of the text
/// count as neither plain nor hyphens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunMasks {
    /// Bytes that are not plain in a host.
    pub host: u64,
    /// Bytes that are not plain in a path, a query, or a fragment: a subset of `host`.
    pub path: u64,
    pub hyphens: u64,
}

/// Returns the 64 bytes from `at` on, with zeros after the end of the text. The kernels use it for
/// the last bytes of a text, which they cannot load.
#[inline(never)]
pub(super) fn padded(text: &[u8], at: usize) -> [u8; MASK_BYTES] {
    let mut bytes = [0; MASK_BYTES];
    let rest = text.clamped(at..).clamped(..MASK_BYTES);
    if let Some(start) = bytes.get_mut(..rest.len()) {
        start.copy_from_slice(rest);
    }
    bytes
}

/// The masks for any machine.
pub(super) fn portable(text: &[u8], at: usize) -> RunMasks {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) => masks_of(bytes),
        None => masks_of(&padded(text, at)),
    }
}

const HOST: u32 = 0;
const PATH: u32 = 1;
const HYPHEN: u32 = 2;

/// The classes of each byte, one bit each.
static CLASSES: ByteTable<u8> = byte_table!(byte => {
    let hyphen = byte == b'-';
    (!in_host(byte) as u8) << HOST | (!in_path(byte) as u8) << PATH | (hyphen as u8) << HYPHEN
});

/// Bytes whose classes fit into a word.
const GROUP: usize = 8;

#[inline(always)]
fn masks_of(bytes: &[u8; MASK_BYTES]) -> RunMasks {
    let (groups, _) = bytes.as_chunks::<GROUP>();
    let mut masks = RunMasks { host: 0, path: 0, hyphens: 0 };
    for group in groups.iter().rev() {
        let classes = u64::from_le_bytes(group.map(|byte| CLASSES.get(byte)));
        let push = |mask: u64, class: u32| mask << GROUP | lowest_bits(classes >> class);
        masks.host = push(masks.host, HOST);
        masks.path = push(masks.path, PATH);
        masks.hyphens = push(masks.hyphens, HYPHEN);
    }
    masks
}

/// Returns the lowest bit of each byte of `word`, side by side.
#[inline(always)]
const fn lowest_bits(word: u64) -> u64 {
    // The product adds byte `k`, shifted by each of 7, 14, ... 56. Only 56 - 7k moves its bit into
    // the top byte, to place `k`, and no two bits meet anywhere, so nothing is carried.
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    const SHIFTS: u64 = 0x0102_0408_1020_4080;
    (word & LOWEST).wrapping_mul(SHIFTS) >> (u64::BITS - u8::BITS)
}
