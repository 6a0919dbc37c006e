//! Which loops go over the text. All of them find the same.

use core::ops::Range;
#[cfg(feature = "std")]
use std::sync::LazyLock;

use super::batch::CandidateBatch;
#[cfg(all(feature = "search", test))]
use super::lines::{BLOCK, LineKinds};
#[cfg(feature = "search")]
use super::outline::HeaderOutline;
use super::portable;
use super::trigger_set::TriggerSet;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::{avx2, avx512};
use crate::named::named_enum;

named_enum! {
    "urigrep::options::Kernel", "kernels";
    /// The loops that look for candidates and go over what is plain.
    ///
    /// They differ in speed only. One is chosen for tests and benchmarks; [`Kernel::Auto`] is for
    /// everybody else.
    ///
    /// ```
    /// use urigrep::options::Kernel;
    /// use urigrep::Finder;
    /// let text = b"see http://a.example/ and urn:isbn:0451450523";
    /// let found = |kernel| {
    ///     let finder = Finder::builder().kernel(kernel).build();
    ///     finder.find_iter(text).map(|m| m.range()).collect::<Vec<_>>()
    /// };
    /// assert_eq!(found(Kernel::Portable), found(Kernel::Auto));
    /// ```
    #[derive(Default)]
    pub enum Kernel {
        /// The fastest one that this machine can run.
        #[default]
        Auto = "auto",
        /// memchr, which any machine can run.
        Portable = "portable",
        /// AVX2; the portable one where the machine has none.
        Avx2 = "avx2",
        /// AVX-512 with BW and VBMI; that with AVX2 where the machine has none.
        Avx512 = "avx512",
    }
}

/// The loops of one kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelLoops {
    /// Fills a batch that was [restarted](CandidateBatch::restart) with the colons from its end on, and moves
    /// the end.
    pub(super) fill: fn(&[u8], &mut CandidateBatch),
    /// Up to where there is no such colon; the length of a text that has none. A text may be one of thousands of a
    /// document: for most it costs less than a batch.
    #[cfg(feature = "search")]
    pub first: fn(&[u8]) -> usize,
    /// The same as the first with all that may be a trigger where more than colons are looked for.
    pub(super) fill_any: fn(&[u8], TriggerSet, &mut CandidateBatch),
    /// One past the characters from an offset on that are plain in a host, and one past those that are
    /// plain in a path.
    pub host_and_path: fn(&[u8], usize) -> (usize, usize),
    /// The second of them; for a query and a fragment, too.
    pub path: fn(&[u8], usize) -> usize,
    /// The last label of the dotted name that a text goes on with behind a dot, if all of that name is known.
    pub(super) last_label: fn(&[u8]) -> Option<Range<usize>>,
    /// Where the name of the header field is that `<…>` around an `@` is in, if a few steps tell.
    pub field: Option<FieldLoop>,
    /// Those for mail. Without vectors they would cost more than what they spare.
    #[cfg(feature = "search")]
    pub mail: Option<MailLoops>,
}

/// The range of a name, of a text and the offset of an `@`.
pub(crate) type FieldLoop = fn(&[u8], usize) -> Option<Range<usize>>;

/// The loops of a kernel with vectors that go over mail.
#[cfg(feature = "search")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct MailLoops {
    /// The outline of the header at an offset.
    pub outline: fn(&[u8], usize) -> HeaderOutline,
    /// What that asks of each block.
    #[cfg(test)]
    pub lines: fn(&[u8; BLOCK]) -> LineKinds,
    /// The next byte from an offset on that may open a message of an mbox, or a file that is encoded in a text,
    /// and has a byte before it; where there is none, the length of the text.
    pub opening: fn(&[u8], usize) -> usize,
}

/// Detecting what the machine can do costs as much as to search a line.
#[cfg(feature = "std")]
static AUTO: LazyLock<KernelLoops> = LazyLock::new(|| Kernel::Avx512.loops());

impl Kernel {
    #[inline]
    pub(crate) fn loops(self) -> KernelLoops {
        match self {
            Self::Portable => portable::LOOPS,
            Self::Avx2 => avx2::detect().unwrap_or(portable::LOOPS),
            #[cfg(feature = "std")]
            Self::Auto => *AUTO,
            #[cfg(not(feature = "std"))]
            Self::Auto => portable::LOOPS,
            Self::Avx512 => avx512::detect().unwrap_or_else(|| Self::Avx2.loops()),
        }
    }
}

/// Machines without these vectors, and builds that can't detect them.
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
mod avx {
    pub fn detect() -> Option<super::KernelLoops> {
        None
    }
}
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
use avx as avx2;
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
use avx as avx512;
