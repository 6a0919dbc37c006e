//! Masks of the bytes at which a run may end or mean something.
//!
//! Nearly all bytes of a URI mean nothing to any rule. One kernel call classifies the 64 bytes from
//! an offset on, and the rules then visit only the bytes whose bit is set, by counting zeros.

use super::plain_bytes::{in_host, in_path};
use crate::chunk::{self, CHUNK};
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
        Some(bytes) => of(bytes),
        None => of(&padded(text, at)),
    }
}

#[inline(always)]
fn of(bytes: &[u8; MASK_BYTES]) -> RunMasks {
    let (chunks, _) = bytes.as_chunks::<CHUNK>();
    let mut masks = RunMasks { host: 0, path: 0, hyphens: 0 };
    for chunk in chunks.iter().rev() {
        let push = |mask: u64, bits: u16| mask << CHUNK | u64::from(bits);
        masks.host = push(masks.host, !chunk::bits(chunk, in_host));
        masks.path = push(masks.path, !chunk::bits(chunk, in_path));
        masks.hyphens = push(masks.hyphens, chunk::bits(chunk, |byte| byte == b'-'));
    }
    masks
}
