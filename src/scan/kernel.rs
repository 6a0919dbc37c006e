//! Which loop goes over the text. All of them give the same blocks' worth of colons.

use super::portable;

/// The loop that looks for candidates.
///
/// They differ in speed only. One is chosen for tests and benchmarks; [`Kernel::Auto`] is for
/// everybody else.
///
/// ```
/// use urigrep::{Finder, Kernel};
/// let text = b"see http://a.example/ and urn:isbn:0451450523";
/// let found = |kernel| {
///     let finder = Finder::builder().kernel(kernel).build();
///     finder.find_iter(text).map(|m| m.range()).collect::<Vec<_>>()
/// };
/// assert_eq!(found(Kernel::Portable), found(Kernel::Auto));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// The fastest one that this machine can run.
    #[default]
    Auto,
    /// memchr, which any machine can run.
    Portable,
    /// AVX2; the portable one where the machine has none.
    Avx2,
}

/// Colons that are worth a look: bit `n` stands for the byte `base + n`.
///
/// All up to `end`, exclusive, are in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    pub base: usize,
    pub bits: u64,
    pub end: usize,
}

/// The first block at or after an offset that has a colon in it; `None` when no colon is left.
pub(super) type NextBlock = fn(&[u8], usize) -> Option<Block>;

impl Kernel {
    pub(super) fn next_block(self) -> NextBlock {
        match self {
            Self::Portable => portable::next_block,
            Self::Auto | Self::Avx2 => fastest(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn fastest() -> NextBlock {
    super::avx2::detect().unwrap_or(portable::next_block)
}

#[cfg(not(target_arch = "x86_64"))]
fn fastest() -> NextBlock {
    portable::next_block
}
