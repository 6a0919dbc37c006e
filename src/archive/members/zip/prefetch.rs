//! Members of a shared file that other threads unpack ahead of their turn.
//!
//! Only faultless results are used. All other members are read again by the walking thread, which
//! can report their problems.

use std::ops::Range;

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::LOCAL_BYTES;
use super::directory::Entries;
use super::header::{ZipEntry, member_start};
use crate::archive::HEAD_BYTES;
use crate::archive::reader::Readers;
use crate::archive::shared::SharedFile;
use crate::ordered::{Consumer, OrderedOptions};
use crate::slice::SliceExt as _;

/// Bytes of members unpacked per batch. Handing over many small members one by one would cost more
/// than unpacking them.
const BATCH_BYTES: u64 = 256 << 10;
/// The largest member that is kept, packed and unpacked, in bytes.
const MAX_MEMBER_BYTES: u64 = 2 << 20;
/// Batches per helper that are unpacked or wait for their turn.
const BATCHES_PER_HELPER: usize = 3;
/// More helpers would only wait: one thread searches their output, and searching takes longer than
/// unpacking.
const MAX_HELPERS: usize = 2;

/// Unpacks members of an archive that threads can share.
#[derive(Clone, Copy)]
pub(super) struct ZipPrefetcher<'f> {
    pub shared: SharedFile<'f>,
    pub readers: Readers,
}

/// Entries of a directory, grouped into batches to unpack.
pub(super) struct EntryBatches<'f>(pub Entries<'f>);

impl Iterator for EntryBatches<'_> {
    type Item = Vec<(ZipEntry, u64)>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut batch, mut length) = (Vec::new(), 0);
        while length < BATCH_BYTES
            && let Some((entry, offset)) = self.0.next()
        {
            // The header must be read, too.
            length += entry.sizes.unpacked.min(MAX_MEMBER_BYTES) + LOCAL_BYTES as u64;
            batch.push((entry, offset));
        }
        (!batch.is_empty()).then_some(batch)
    }
}

/// Unpacked members, and memory for the next ones.
#[derive(Default)]
pub(super) struct UnpackedMembers {
    /// The offset of each member's header, and its bytes below; `None` if it must be read in its
    /// turn.
    members: Vec<Option<(u64, Range<usize>)>>,
    packed: Vec<u8>,
    bytes: Vec<u8>,
    inflate: Option<Decompress>,
}

impl UnpackedMembers {
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// The bytes of the member with this index, if its header is at `offset`.
    pub fn get(&self, index: usize, offset: u64) -> Option<&[u8]> {
        let (at, bytes) = self.members.get(index)?.as_ref()?;
        self.bytes.get(bytes.clone()).filter(|_| *at == offset)
    }
}

impl ZipPrefetcher<'_> {
    pub(super) fn options(&self) -> OrderedOptions<'_> {
        let pool = self.shared.pool;
        OrderedOptions {
            pool: Some(pool),
            helpers: pool.current_num_threads().min(MAX_HELPERS),
            ahead: BATCHES_PER_HELPER,
            consumer: Consumer::OnlyConsumes,
        }
    }

    /// Unpacks those of the members that are deflated, faultless, and not archives themselves.
    pub(super) fn unpack(
        &self,
        mut memory: UnpackedMembers,
        entries: &[(ZipEntry, u64)],
    ) -> UnpackedMembers {
        memory.members.clear();
        memory.bytes.clear();
        for (entry, offset) in entries {
            let from = memory.bytes.len();
            let inflated = self.inflate(&mut memory, entry, *offset);
            if inflated.is_none() {
                memory.bytes.truncate(from);
            }
            let bytes = from..memory.bytes.len();
            memory.members.push(inflated.map(|()| (*offset, bytes)));
        }
        memory
    }

    fn inflate(&self, memory: &mut UnpackedMembers, entry: &ZipEntry, offset: u64) -> Option<()> {
        let sizes = entry.sizes;
        let is_short = sizes.packed.max(sizes.unpacked) <= MAX_MEMBER_BYTES;
        if !is_short || entry.method != 8 || entry.is_encrypted() || entry.is_directory() {
            return None;
        }
        let mut local = [0; LOCAL_BYTES];
        let read = self.shared.file.read_at(&mut local, offset).ok()?;
        let start = offset.checked_add(member_start(&mut local.part(..read)).ok()??.length)?;
        let UnpackedMembers { packed, bytes, inflate, .. } = memory;
        let from = bytes.len();
        packed.clear();
        // The sizes come from the directory and may be false. They are at most `MAX_MEMBER_BYTES`
        // here, and a failed reservation only leaves the member to its turn.
        make_room(packed, sizes.packed)?;
        make_room(bytes, sizes.unpacked)?;
        let bytes = bytes.get_mut(from..)?;
        let read = self.shared.file.read_at(packed, start).ok()?;
        // The state of an inflater is large. Reuse it for all members of a batch.
        let inflate = inflate.get_or_insert_with(|| Decompress::new(false));
        inflate.reset(false);
        let status = inflate.decompress(packed.part(..read), bytes, FlushDecompress::Finish);
        let is_end = matches!(status, Ok(Status::StreamEnd));
        // Any deviation from the directory makes the walking thread read the member again, which
        // reports the deviation as it would without helpers.
        let is_whole = inflate.total_in() == sizes.packed && inflate.total_out() == sizes.unpacked;
        let mut crc = Crc::new();
        crc.update(bytes);
        // The limit on unpacking a nested archive depends on how much of it was read, which only
        // the walking thread knows.
        let is_packed_inside =
            self.readers.guess(bytes.clamped(..HEAD_BYTES), &entry.name).is_some();
        (is_end && is_whole && crc.sum() == entry.crc && !is_packed_inside).then_some(())
    }
}

/// Lengthens the vector by `more`; returns `None` if there is no memory for that.
fn make_room(bytes: &mut Vec<u8>, more: u64) -> Option<()> {
    let more = usize::try_from(more).ok()?;
    bytes.try_reserve(more).ok()?;
    bytes.resize(bytes.len() + more, 0);
    Some(())
}
