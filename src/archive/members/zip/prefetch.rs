//! Members of a shared file that other threads unpack before their turn.
//!
//! What they give is taken only where nothing is wrong with it. All else is read again by the thread that walks, which
//! knows what to say of it.

use std::ops::Range;

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::LOCAL_BYTES;
use super::directory::Entries;
use super::header::{ZipEntry, skip_local};
use crate::archive::HEAD_BYTES;
use crate::archive::reader::Readers;
use crate::archive::shared::SharedFile;
use crate::ordered::{Consumer, OrderedOptions};
use crate::slice::SliceExt as _;

/// Bytes of the members that are unpacked at once: handing over each of many small ones would cost more than unpacking it.
const BATCH_BYTES: u64 = 256 << 10;
/// The longest member that is kept, packed and unpacked, in bytes.
const MAX_MEMBER_BYTES: u64 = 2 << 20;
/// Batches for each helper that are unpacked or wait for their turn.
const BATCHES_PER_HELPER: usize = 3;
/// More would only wait: one thread searches what they unpack, which takes it longer.
const MAX_HELPERS: usize = 2;

/// Unpacks members of an archive that threads can share.
#[derive(Clone, Copy)]
pub(super) struct ZipPrefetcher<'f> {
    pub shared: SharedFile<'f>,
    pub readers: Readers,
}

/// Entries of a directory, as many at a time as are unpacked at once.
pub(super) struct EntryBatches<'f>(pub Entries<'f>);

impl Iterator for EntryBatches<'_> {
    type Item = Vec<(ZipEntry, u64)>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut batch, mut length) = (Vec::new(), 0);
        while length < BATCH_BYTES
            && let Some((entry, offset)) = self.0.next()
        {
            // a header is to be read, too
            length += entry.sizes.unpacked.min(MAX_MEMBER_BYTES) + LOCAL_BYTES as u64;
            batch.push((entry, offset));
        }
        (!batch.is_empty()).then_some(batch)
    }
}

/// Members that were unpacked, and memory for the next ones.
#[derive(Default)]
pub(super) struct UnpackedMembers {
    members: Vec<UnpackedMember>,
    packed: Vec<u8>,
    bytes: Vec<u8>,
    inflate: Option<Decompress>,
}

/// One of them; `None` of what is to be read in its turn.
type UnpackedMember = Option<(u64, Range<usize>)>;

impl UnpackedMembers {
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// The bytes of the member whose header is at `offset`, if it is the one of this index.
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

    /// Unpacks the members of these entries that are deflated and hold no others, and of which all is right.
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
        let start = offset.checked_add(skip_local(&mut local.part(..read)).ok()??)?;
        let UnpackedMembers { packed, bytes, inflate, .. } = memory;
        let from = bytes.len();
        packed.clear();
        make_room(packed, sizes.packed)?;
        make_room(bytes, sizes.unpacked)?;
        let bytes = bytes.get_mut(from..)?;
        let read = self.shared.file.read_at(packed, start).ok()?;
        let inflate = inflate.get_or_insert_with(|| Decompress::new(false));
        inflate.reset(false);
        let status = inflate.decompress(packed.part(..read), bytes, FlushDecompress::Finish);
        let is_end = matches!(status, Ok(Status::StreamEnd));
        let is_whole = inflate.total_in() == sizes.packed && inflate.total_out() == sizes.unpacked;
        let mut crc = Crc::new();
        crc.update(bytes);
        // how much of a member that is packed itself may be unpacked depends on how far it was read
        let is_packed_inside =
            self.readers.guess(bytes.clamped(..HEAD_BYTES), &entry.name).is_some();
        (is_end && is_whole && crc.sum() == entry.crc && !is_packed_inside).then_some(())
    }
}

/// Makes it so much longer; `None` if there is no memory for that.
fn make_room(bytes: &mut Vec<u8>, more: u64) -> Option<()> {
    let more = usize::try_from(more).ok()?;
    bytes.try_reserve(more).ok()?;
    bytes.resize(bytes.len() + more, 0);
    Some(())
}
