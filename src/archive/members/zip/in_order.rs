//! Reads the members in the order of their bytes, by the headers before them.

use std::cell::Cell;
use std::io::{BufRead, Read, Result as IoResult};

use flate2::bufread::DeflateDecoder;

use super::super::checksummed::{Checksum, ChecksummedReader, WRONG};
use super::header::{self, Descriptor, LocalHeader, Sizes, ZipEntry};
use super::unclaimed::{PeekedBytes, Unclaimed};
use super::{END_BYTES, LOCAL_BYTES, ZIP, directory, local_header, read_sized};
use crate::archive::reader::ByteSource;
use crate::archive::stream::{FusedStream, MemberBytes, StreamRole, fill, skip, skip_zeros};
use crate::archive::walker::ArchiveWalk;
use crate::archive::{HEAD_BYTES, WalkResult};
use crate::slice::SliceExt as _;

/// Reads the members in the order of their bytes.
pub(super) fn read_members(walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult {
    read_records(walk, &mut PeekedBytes::new(source), RecordPlace::Members)
}

/// The place of the next record in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordPlace {
    /// More records must follow.
    Members,
    /// The archive may end here.
    After,
    /// In bytes that the directory does not claim, which may end anywhere.
    Gap,
}

impl RecordPlace {
    /// Moves on, but never out of a gap.
    fn move_to(&mut self, next: Self) {
        // A gap ends where the directory says, whatever its bytes look like.
        if *self != Self::Gap {
            *self = next;
        }
    }
}

pub(super) fn read_records(
    walk: &mut ArchiveWalk<'_, '_>,
    source: &mut PeekedBytes<'_>,
    mut place: RecordPlace,
) -> WalkResult {
    let mut encrypted = 0;
    let walked = loop {
        match read_record(walk, source, &mut place, &mut encrypted) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(halt) => break Err(halt),
        }
    };
    walk.report_encrypted(encrypted);
    walked
}

/// Reads a member, another record, or other bytes. Returns false at the end.
fn read_record(
    walk: &mut ArchiveWalk<'_, '_>,
    source: &mut PeekedBytes<'_>,
    place: &mut RecordPlace,
    encrypted: &mut u64,
) -> WalkResult<bool> {
    let head = source.peek(LOCAL_BYTES)?;
    if let Some(&header) = local_header(head) {
        source.consume(LOCAL_BYTES);
        place.move_to(RecordPlace::Members);
        read_member(walk, source, &header, encrypted)?;
        return Ok(true);
    }
    let is_whole = match head.first_chunk() {
        Some(header::CENTRAL) => directory::skip_central(source)?,
        Some(header::END_64) => directory::skip_end_64(source)?,
        Some(header::LOCATOR) => skip(source, directory::LOCATOR_BYTES)?,
        Some(header::END) => {
            place.move_to(RecordPlace::After);
            skip(source, END_BYTES as u64)?
        }
        // The marker of a split archive that has only one part.
        Some(header::DESCRIPTOR) if *place == RecordPlace::Members => skip(source, 4)?,
        // The directory must still follow, and it is longer than this.
        _ if *place == RecordPlace::Members && head.len() < LOCAL_BYTES => false,
        // The next call decides whether the archive may end after these zeros.
        Some([0, ..]) => {
            skip_zeros(source)?;
            true
        }
        None if head.is_empty() => return Ok(false),
        _ => {
            let mut bytes = Unclaimed::new(source);
            let mut first = Vec::new();
            bytes.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut first)?;
            // Without a directory, damage to a header leaves packed bytes here, which are not text.
            let is_cut = |error: std::str::Utf8Error| error.error_len().is_none();
            let is_text = str::from_utf8(&first).map_or_else(is_cut, |text| !text.contains('\0'));
            if *place == RecordPlace::Members && !is_text {
                walk.report(ZIP.corrupt("no member starts where one should"));
            }
            walk.unclaimed(ZIP, first.chain(&mut bytes))?;
            // Skip the rest that the visitor did not read.
            std::io::copy(&mut bytes, &mut std::io::sink())?;
            true
        }
    };
    if is_whole { Ok(true) } else { Err(ZIP.truncated()) }
}

/// Reads one member by its own header.
fn read_member(
    walk: &mut ArchiveWalk<'_, '_>,
    source: &mut PeekedBytes<'_>,
    header: &LocalHeader,
    encrypted: &mut u64,
) -> WalkResult {
    let Some(entry) = ZipEntry::local(header, source)? else {
        return Err(ZIP.truncated());
    };
    if entry.is_encrypted() {
        *encrypted += 1;
        walk.skip_encrypted_member(&entry.name)?;
    }
    if entry.sizes_follow() {
        // Only deflated data shows by itself where it ends (RFC 1951 section 3.2.3).
        if entry.is_encrypted() || entry.method != 8 {
            let what = "in a stream, a member of unknown size must be deflated";
            walk.report_member_problem(&entry.name, ZIP.unsupported(what))?;
            // The bytes after an unsupported member are unknown or the next header.
            return Ok(());
        }
        return read_unsized(walk, &entry, source);
    }
    let mut part = MemberBytes::new(source, entry.sizes.packed);
    if !entry.is_directory() && !entry.is_encrypted() {
        read_sized(walk, &entry, &mut part)?;
    }
    part.rest(ZIP)?;
    if entry.has_descriptor() {
        let descriptor = header::descriptor(source.peek(header::DESCRIPTOR_MAX)?, entry.sizes);
        source.consume(descriptor.map_or(0, |descriptor| descriptor.length));
    }
    Ok(())
}

/// Reads a deflated member whose sizes follow it.
fn read_unsized(
    walk: &mut ArchiveWalk<'_, '_>,
    entry: &ZipEntry,
    source: &mut PeekedBytes<'_>,
) -> WalkResult {
    let sum = Cell::new(Checksum::default());
    let mut packed = Measured { source, length: 0 };
    let checked = ChecksummedReader::new(DeflateDecoder::new(&mut packed), &sum, None);
    let mut body = FusedStream::new(checked, StreamRole::Unpacked(ZIP), walk.ledger);
    let mut first = [0];
    // A name with a slash at its end is that of a directory only if no byte follows, and the size
    // is not known yet.
    let count = fill(&mut body, &mut first)?;
    let first = first.part(..count);
    let is_directory = first.is_empty() && entry.name.ends_with(b"/");
    if !is_directory {
        let whole = first.chain(&mut body);
        walk.member(
            &entry.name,
            None,
            &mut FusedStream::new(whole, StreamRole::PassThrough, walk.ledger),
        )?;
    }
    // The end of the member is known only after all of it was unpacked.
    std::io::copy(&mut body, &mut std::io::sink())?;
    drop(body);
    let sizes = Sizes { packed: packed.length, unpacked: sum.get().size };
    let behind = source.peek(header::DESCRIPTOR_MAX)?;
    match header::descriptor(behind, sizes) {
        Some(Descriptor { crc, length }) => {
            source.consume(length);
            if crc == sum.get().crc {
                Ok(())
            } else {
                walk.report_member_problem(&entry.name, ZIP.corrupt(WRONG))
            }
        }
        None if behind.len() < header::DESCRIPTOR_MAX => Err(ZIP.truncated()),
        None => walk.report_member_problem(&entry.name, ZIP.corrupt("its sizes are wrong")),
    }
}

/// Counts the bytes that are read.
struct Measured<'m, 's> {
    source: &'m mut PeekedBytes<'s>,
    length: u64,
}

impl Read for Measured<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> IoResult<usize> {
        let count = self.source.read(out)?;
        self.length += count as u64;
        Ok(count)
    }
}

impl BufRead for Measured<'_, '_> {
    fn fill_buf(&mut self) -> IoResult<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.length += count as u64;
        self.source.consume(count);
    }
}
