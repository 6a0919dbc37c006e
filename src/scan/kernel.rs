//! Selects the loops over the text. All kernels find the same candidates.

use core::ops::Range;
#[cfg(feature = "std")]
use std::sync::LazyLock;

use super::batch::CandidateBatch;
#[cfg(feature = "search")]
use super::landmark::Landmarks;
#[cfg(all(feature = "search", test))]
use super::lines::{BLOCK, LineKinds};
#[cfg(feature = "search")]
use super::outline::HeaderOutline;
use super::portable;
use super::run_masks::RunMasks;
use super::trigger_set::TriggerSet;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::{avx2, avx512};
use crate::named::named_enum;

named_enum! {
    "urigrep::options::Kernel", "kernels";
    /// The loops that search for candidates and skip plain characters.
    ///
    /// They differ in speed only. [`Kernel::Auto`] is right for all uses except tests and
    /// benchmarks.
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
        /// The fastest kernel that this machine can run.
        #[default]
        Auto = "auto",
        /// memchr, on any machine.
        Portable = "portable",
        /// AVX2; falls back to the portable kernel.
        Avx2 = "avx2",
        /// AVX-512 with BW and VBMI; falls back to AVX2.
        Avx512 = "avx512",
    }
}

/// The loops of one kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelLoops {
    /// Fills a [restarted](CandidateBatch::restart) batch with colons from its end on, and moves
    /// the end.
    pub(super) fill: fn(&[u8], &mut CandidateBatch),
    /// Returns the first such colon, or the length of the text. Cheaper than a batch for the
    /// thousands of short texts of a document, most of which contain none.
    #[cfg(feature = "search")]
    pub first: fn(&[u8]) -> usize,
    /// Like `fill`, for all triggers.
    pub(super) fill_any: fn(&[u8], TriggerSet, &mut CandidateBatch),
    /// Classifies the bytes of a run from an offset on.
    pub masks: fn(&[u8], usize) -> RunMasks,
    /// Returns the last label of the dotted name that continues in a text after a dot, if all of
    /// the name is visible.
    pub(super) last_label: fn(&[u8]) -> Option<Range<usize>>,
    /// Returns the name of the header field with `<…>` around an `@`, if a few steps can decide.
    pub field: Option<FieldLoop>,
    /// Returns the first landmark from an offset on, or the length of the text.
    #[cfg(feature = "search")]
    pub(super) landmark: LandmarkLoop,
    /// The loops for mail. Without vectors they would cost more than they save.
    #[cfg(feature = "search")]
    pub mail: Option<MailLoops>,
}

/// Maps a text and the offset of an `@` to the range of a field name.
pub(crate) type FieldLoop = fn(&[u8], usize) -> Option<Range<usize>>;

/// Maps a text and an offset to the first landmark from there on.
#[cfg(feature = "search")]
pub(super) type LandmarkLoop = fn(&[u8], usize, &Landmarks) -> usize;

/// The loops of a vector kernel for mail.
#[cfg(feature = "search")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct MailLoops {
    /// Returns the outline of the header at an offset.
    pub outline: fn(&[u8], usize) -> HeaderOutline,
    /// Classifies the bytes of a block for the outline.
    #[cfg(test)]
    pub lines: fn(&[u8; BLOCK]) -> LineKinds,
    /// Returns the next byte from an offset on that may open a message of an mbox or an encoded
    /// file, and that is not the first of the text. Without one, returns the length of the text.
    pub opening: fn(&[u8], usize) -> usize,
}

/// Cached, because detecting the features of the machine costs as much as searching a line.
#[cfg(feature = "std")]
static AUTO: LazyLock<KernelLoops> = LazyLock::new(|| Kernel::Avx512.loops());

impl Kernel {
    #[inline]
    pub(crate) fn loops(self) -> KernelLoops {
        // Each kernel falls back to a slower one, so callers need not know what the machine
        // supports. Tests and benchmarks can name every kernel on any machine.
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

/// For machines without these vectors, and builds that cannot detect them.
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
