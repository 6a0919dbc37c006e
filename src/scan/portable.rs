//! The loop over the colons of a text, with memchr.

use super::kernel::Block;

/// A colon stands at `at`, and the bytes next to it do not tell at once that it starts no URI.
///
/// That drops `key: value`, `std::string` and `12:30`, which are most colons of most texts. But
/// `urn::x` is a URN without a NID, which is to be rejected with that reason (D6). What it costs:
/// in `<URL:foo::x>` and `<URL:h323:1>` any scheme would be taken (D1.5), and is not.
#[inline(always)]
pub(super) fn is_worth(haystack: &[u8], at: usize) -> bool {
    match haystack.get(at.wrapping_sub(2)..) {
        Some(&[before, last, b':', after, ..]) => match after {
            b' ' => false,
            b':' => last | 0x20 == b'n',
            b'0'..=b'9' if before.is_ascii_digit() && last.is_ascii_digit() => false,
            _ => last != b':',
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
