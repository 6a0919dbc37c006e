//! The members of a file that its directory lists, and the bytes outside of them.

use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use super::super::claims::Claims;
use super::directory::CentralDirectory;
use super::header::{self, ZipEntry};
use super::in_order::{RecordPlace, read_records};
use super::prefetch::{EntryBatches, ZipPrefetcher};
use super::unclaimed::PeekedBytes;
use super::{BUFFER_BYTES, ZIP, read_sized, read_unpacked};
use crate::archive::stream::{CountedInput, MemberBytes, fill};
use crate::archive::walk::ReadSeek;
use crate::archive::walker::ArchiveWalk;
use crate::archive::{Stop, WalkResult};
use crate::ordered::{Item, run_ordered};
use crate::slice::SliceExt as _;

pub(super) fn read_by_directory(
    walk: &mut ArchiveWalk<'_, '_>,
    file: &mut CountedInput<'_, &mut dyn ReadSeek>,
    directory: CentralDirectory,
) -> WalkResult {
    let prefetcher =
        walk.shared.take().map(|shared| ZipPrefetcher { shared, readers: walk.readers });
    let is_sorted = directory.is_sorted(file)?;
    let entries =
        prefetcher.map(|prefetcher| (prefetcher, directory.entries(prefetcher.shared.file)));
    let mut listed = ListedMembers {
        directory,
        is_sorted,
        claims: Claims::default(),
        seen: 0,
        encrypted: 0,
        damage: None,
    };
    if let Some((prefetcher, entries)) = entries {
        let unpack = |memory, entries: Vec<_>| prefetcher.unpack(memory, &entries);
        let taken = run_ordered(prefetcher.options(), EntryBatches(entries), unpack, |turn| {
            let (count, memory) = match turn {
                Item::Done(memory) => (memory.len(), Some(memory)),
                Item::NotStarted(entries) => (entries.len(), None),
            };
            for index in 0..count {
                let bytes = |offset| memory.as_ref()?.get(index, offset);
                match listed.next(walk, file, bytes) {
                    Ok(true) => {}
                    Ok(false) => return Err(None),
                    Err(halt) => return Err(Some(halt)),
                }
            }
            Ok(memory)
        });
        if let Err(Some(halt)) = taken {
            return Err(halt);
        }
    }
    while listed.next(walk, file, |_| None)? {}
    listed.gaps(walk, file)
}

/// The members that a directory lists, in its order.
struct ListedMembers {
    directory: CentralDirectory,
    is_sorted: bool,
    /// The ranges of the members, if they are not in order of offset.
    claims: Claims,
    /// End of the members so far, if they are in order of offset.
    seen: u64,
    encrypted: u64,
    /// The reason why there is no next entry.
    damage: Option<Stop>,
}

impl ListedMembers {
    /// Reads the member of the next entry, which may be unpacked already. Returns false if there is
    /// none.
    fn next<'b>(
        &mut self,
        walk: &mut ArchiveWalk<'_, '_>,
        file: &mut CountedInput<'_, &mut dyn ReadSeek>,
        ahead: impl FnOnce(u64) -> Option<&'b [u8]>,
    ) -> WalkResult<bool> {
        if self.damage.is_some() {
            return Ok(false);
        }
        let (entry, offset) = match self.directory.next(file) {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(false),
            Err(halt) => {
                self.damage = Some(halt);
                return Ok(false);
            }
        };
        // In sorted order, a gap is read right where it is, which keeps the reads sequential and
        // needs no list of ranges.
        if self.is_sorted && self.seen < offset {
            read_unclaimed(walk, file, self.seen..offset)?;
        }
        // The local header is read, too: it may be longer than the directory says, as both have
        // extra fields of their own.
        let end = read_listed(walk, file, (&entry, offset), ahead(offset), &mut self.encrypted)?;
        if self.is_sorted {
            self.seen = self.seen.max(end)
        } else {
            self.claims.add(offset..end)
        }
        Ok(true)
    }

    /// Reads the bytes that no entry claims.
    fn gaps(
        mut self,
        walk: &mut ArchiveWalk<'_, '_>,
        file: &mut CountedInput<'_, &mut dyn ReadSeek>,
    ) -> WalkResult {
        if self.is_sorted {
            self.claims.add(0..self.seen);
        }
        walk.report_encrypted(self.encrypted);
        // After damage, the members that the directory may have listed are read in order.
        walk.resolve_pending(self.damage)?;
        for range in self.directory.claims() {
            self.claims.add(range);
        }
        if self.claims.is_full {
            walk.report(ZIP.unsupported("what may be between members that are in no order"));
        }
        let length = file.seek(SeekFrom::End(0))?;
        for gap in self.claims.gaps(length) {
            read_unclaimed(walk, file, gap)?;
        }
        Ok(())
    }
}

/// Reads the member of a directory entry, and returns the end of its bytes. Damage in it does not
/// affect the next one.
fn read_listed(
    walk: &mut ArchiveWalk<'_, '_>,
    file: &mut CountedInput<'_, &mut dyn ReadSeek>,
    (entry, offset): (&ZipEntry, u64),
    ahead: Option<&[u8]>,
    encrypted: &mut u64,
) -> WalkResult<u64> {
    file.seek(SeekFrom::Start(offset))?;
    let Some(member) = header::member_start(file)? else {
        walk.report_member_problem(&entry.name, ZIP.corrupt("the directory leads nowhere"))?;
        return Ok(offset);
    };
    // Names have no checksum, and by a wrong one a file of a document is not found. An encrypted
    // archive may hide the first of the two (APPNOTE 4.4.4, bit 13).
    if member.name != entry.name && !entry.is_encrypted() {
        walk.report_member_problem(&entry.name, ZIP.corrupt("its header has another name"))?;
    }
    let start = offset.saturating_add(member.length);
    let end = start.saturating_add(entry.sizes.packed);
    if entry.is_encrypted() {
        *encrypted += 1;
        walk.skip_encrypted_member(&entry.name)?;
    // Near a limit the member is unpacked again here, so that the limit is reached at the same byte
    // with any number of threads.
    } else if let Some(bytes) = ahead.filter(|bytes| walk.ledger.has_room(bytes.len() as u64)) {
        walk.ledger.read_to(end);
        read_unpacked(walk, entry, bytes)?;
    } else if !entry.is_directory() {
        file.seek(SeekFrom::Start(start))?;
        let room = entry.sizes.packed.clamp(1, BUFFER_BYTES) as usize;
        let mut source = BufReader::with_capacity(room, &mut *file);
        read_sized(walk, entry, &mut MemberBytes::new(&mut source, entry.sizes.packed))?;
    }
    // The descriptor after the member belongs to it, but its length is only known by looking: the
    // signature is optional, and sizes take 4 or 8 bytes.
    if !entry.has_descriptor() {
        return Ok(end);
    }
    file.seek(SeekFrom::Start(end))?;
    let mut behind = [0; header::DESCRIPTOR_MAX];
    let count = fill(file, &mut behind)?;
    let descriptor = header::descriptor(behind.part(..count), entry.sizes);
    Ok(end.saturating_add(descriptor.map_or(0, |descriptor| descriptor.length as u64)))
}

/// Reads a range of a file that no member of the directory claims: perhaps an archive before this
/// one, or members that the directory does not list.
fn read_unclaimed(
    walk: &mut ArchiveWalk<'_, '_>,
    file: &mut CountedInput<'_, &mut dyn ReadSeek>,
    range: Range<u64>,
) -> WalkResult {
    file.seek(SeekFrom::Start(range.start))?;
    let length = range.end - range.start;
    let room = length.clamp(1, BUFFER_BYTES) as usize;
    let mut source = BufReader::with_capacity(room, file.take(length));
    let walked = read_records(walk, &mut PeekedBytes::new(&mut source), RecordPlace::Gap);
    walk.resolve_pending(walked.err())
}
