//! The loop over the colons of a text, with memchr.

use super::kernel::Block;

/// A colon stands at `at`, and the bytes next to it do not tell at once that it starts no URI:
/// no space or colon follows, and no colon stands before it.
///
/// That drops `key: value`, `std::string` and the like, which are most colons of most texts. But
/// `urn::x` is a URN without a NID, which is to be rejected with that reason (D6).
#[inline(always)]
pub(super) fn is_worth(haystack: &[u8], at: usize) -> bool {
    match haystack.get(at.wrapping_sub(1)..) {
        Some(&[before, b':', after, ..]) => match after {
            b' ' => false,
            b':' => before | 0x20 == b'n',
            _ => before != b':',
        },
        _ => false,
    }
}

/// One colon a block.
pub(super) fn next_block(haystack: &[u8], from: usize) -> Option<Block> {
    let tail = haystack.get(from..)?;
    let mut colons = memchr::memchr_iter(b':', tail).map(|found| from + found);
    let at = colons.find(|&at| is_worth(haystack, at))?;
    Some(Block {
        base: at,
        bits: 1,
        end: at + 1,
    })
}
