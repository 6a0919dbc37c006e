//! Limits on the cost of an input, and the account of that cost.
//!
//! A bomb is recognized by its ratio, not by its size: ten gigabytes of log, packed a hundred to
//! one, are read to the end. Bytes count at every level of nesting, and so do the headers of
//! members.

use std::cell::{Cell, RefCell};

use super::{ArchiveLimit, ArchiveProblem};

/// Limits on unpacking one input. The defaults are generous to real archives.
///
/// ```
/// use urigrep::archive::ArchiveLimits;
///
/// let mut limits = ArchiveLimits::default();
/// limits.depth = 2;
/// assert_eq!(limits.ratio, 1000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveLimits {
    /// Bytes that may be unpacked whatever the ratio: 4 GiB.
    pub free: u64,
    /// Bytes that may be unpacked for each byte of the input, beyond [`free`](Self::free): 1000.
    /// Deflate reaches 1032, so a gzip of less than 128 MiB is never cut.
    pub ratio: u64,
    /// Bytes that may be unpacked in all: no limit.
    pub bytes: u64,
    /// Nested formats: 8. A Debian package has three, ar, xz and tar.
    pub depth: usize,
    /// Members of all archives: 4 Mi.
    pub members: u64,
    /// Window bytes that all decoders of one input may hold in memory together. The default, 64
    /// MiB, is what `xz -9` needs; `zstd --long` needs twice that.
    pub window: u32,
}

impl ArchiveLimits {
    /// Decoders with a larger window are announced by [`Visitor::heavy`](super::Visitor::heavy).
    pub const LIGHT: u32 = 8 << 20;
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self {
            free: 4 << 30,
            ratio: 1000,
            bytes: u64::MAX,
            depth: 8,
            members: 4 << 20,
            window: 64 << 20,
        }
    }
}

thread_local!(static UNPACKED: Cell<u64> = const { Cell::new(0) });

/// Returns the bytes that walks on this thread have unpacked. A member may be a package, which its
/// reader walks, and so on: what that unpacks to counts for the archive, too.
pub(super) fn unpacked_here() -> u64 {
    UNPACKED.get()
}

/// The account of one input, shared by the streams that are stacked on it.
#[derive(Default)]
pub(super) struct Ledger {
    pub limits: ArchiveLimits,
    /// Bytes of the input that were read; bytes read twice count once.
    read: Cell<u64>,
    unpacked: Cell<u64>,
    members: Cell<u64>,
    /// An error of a stream that is not reported yet.
    pending: RefCell<Option<ArchiveProblem>>,
    /// Set while an error passes up through the streams.
    rising: Cell<bool>,
}

impl Ledger {
    pub fn new(limits: ArchiveLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Counts what was unpacked for a walk around this one, which has counted `before` until it
    /// began.
    pub fn close(&self, before: u64) {
        UNPACKED.set(before.saturating_add(self.unpacked.get()));
    }

    pub fn read_to(&self, offset: u64) {
        self.read.set(self.read.get().max(offset));
    }

    pub fn unpack(&self, count: u64) -> Result<(), ArchiveProblem> {
        let unpacked = self.unpacked.get().saturating_add(count);
        self.unpacked.set(unpacked);
        self.limit_before(unpacked).map_or(Ok(()), |limit| Err(ArchiveProblem::Limit(limit)))
    }

    /// True if `count` more bytes are within the limits, whatever must be read for them.
    pub fn has_room(&self, count: u64) -> bool {
        self.limit_before(self.unpacked.get().saturating_add(count)).is_none()
    }

    fn limit_before(&self, unpacked: u64) -> Option<ArchiveLimit> {
        let ArchiveLimits { free, ratio, bytes, .. } = self.limits;
        // The bound grows with the bytes read, so that a large honest archive is never cut.
        // Saturating, because `free` and `ratio` are up to the caller.
        let allowed = self.read.get().saturating_mul(ratio).saturating_add(free);
        match unpacked {
            _ if unpacked > bytes => Some(ArchiveLimit::Bytes(bytes)),
            _ if unpacked > allowed => Some(ArchiveLimit::Ratio(ratio)),
            _ => None,
        }
    }

    pub fn member(&self) -> Result<(), ArchiveProblem> {
        let members = self.members.get() + 1;
        self.members.set(members);
        if members > self.limits.members {
            return Err(ArchiveProblem::Limit(ArchiveLimit::Members(self.limits.members)));
        }
        Ok(())
    }

    /// Records a failure: `problem`, unless a stream below has failed first.
    pub fn fail(&self, problem: Option<ArchiveProblem>) {
        // Streams are stacked: a read error of the input makes each decoder above it fail in its
        // own words. Only the first failure is the cause.
        if !self.rising.replace(true)
            && let Some(problem) = problem
        {
            self.pending.replace(Some(problem));
        }
    }

    /// True if the pending problem means that the data is not in the expected format.
    pub fn is_refusal(&self) -> bool {
        self.pending.borrow().as_ref().is_some_and(ArchiveProblem::is_refusal)
    }

    /// Takes the problem to report.
    pub fn take(&self) -> Option<ArchiveProblem> {
        self.rising.set(false);
        self.pending.take()
    }
}
