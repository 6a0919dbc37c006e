//! zip (PKWARE's APPNOTE.TXT): members one after the other, and a directory of them at the end.
//!
//! In a file, the directory is used; [`CentralDirectory`] holds one entry at a time. Bytes that no
//! entry claims are read in order, by the headers before the members, and so are pipes, members of
//! another archive, and truncated files.
//!
//! In order, a member may declare its size only after its bytes (section 4.3.9). Bytes outside of
//! members are a stream of their own, so that nothing is hidden. Members of a file that threads can
//! share are unpacked ahead of their turn (`prefetch`).

mod directory;
mod header;
mod in_order;
mod listed;
mod prefetch;
mod unclaimed;

use std::cell::Cell;
use std::io::{BufRead, BufReader, Read};

use flate2::bufread::DeflateDecoder;

use directory::{CentralDirectory, DirectorySearch};
use header::{LocalHeader, ZipEntry};
use in_order::read_members;
use listed::read_by_directory;

use super::checksummed::{Checksum, ChecksummedReader};
use crate::archive::compression::{Bzip2, Xz, Zstd};
use crate::archive::reader::ByteSource;
use crate::archive::reader::{ArchiveReader, Compression, Contents, FileOutcome, MemberReader};
use crate::archive::stream::{CountedInput, FusedStream, MemberBytes, StreamRole};
use crate::archive::walk::ReadSeek;
use crate::archive::walker::ArchiveWalk;
use crate::archive::{ArchiveFormat, ArchiveProblem, Stop, WalkResult};
use crate::slice::SliceExt as _;
use crate::sniff::{Rest, Sniff};

const ZIP: ArchiveFormat = ArchiveFormat::Zip;
/// Bytes of a file read at a time.
const BUFFER_BYTES: u64 = 32 << 10;
/// Length of the header of a member, and of an end record without its comment.
const LOCAL_BYTES: usize = 30;
const END_BYTES: usize = 22;

pub(in crate::archive) struct Zip;

impl ArchiveReader for Zip {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Zip
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["zip"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        let signature = head.clamped(..4);
        let may_be_signature =
            || [header::LOCAL, header::END].iter().any(|one| one.starts_with(signature));
        // `PK` alone is not enough: text may start with it. The version and method of the header
        // must exist, too.
        if local_header(head).is_some() || is_empty(head) {
            Sniff::Yes
        } else if head.len() < LOCAL_BYTES && may_be_signature() {
            Sniff::need_more(rest)
        } else {
            Sniff::No
        }
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Members(self)
    }
}

impl MemberReader for Zip {
    fn read_in_order(&self, walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult {
        read_members(walk, source)
    }

    fn read_file(
        &self,
        walk: &mut ArchiveWalk<'_, '_>,
        file: &mut CountedInput<'_, &mut dyn ReadSeek>,
    ) -> WalkResult<FileOutcome> {
        match CentralDirectory::find(file)? {
            DirectorySearch::Found(directory) => {
                read_by_directory(walk, file, directory)?;
                Ok(FileOutcome::Done)
            }
            // Offsets beyond the file mean that its start was cut off. The members that are left
            // can still be read in order.
            DirectorySearch::Displaced => {
                walk.report(ZIP.corrupt("bytes before the directory are missing"));
                Ok(FileOutcome::ReadInOrder)
            }
            DirectorySearch::None => Ok(FileOutcome::ReadInOrder),
        }
    }
}

/// Returns the header of a member after its signature, or `None` if it is not one.
fn local_header(head: &[u8]) -> Option<&LocalHeader> {
    let header = head.strip_prefix(header::LOCAL)?.first_chunk()?;
    header::is_plausible(header).then_some(header)
}

/// True for the end record of an archive without members (section 4.3.16): disks, entries, and
/// directory are zero.
fn is_empty(head: &[u8]) -> bool {
    let fields = head.strip_prefix(header::END).filter(|_| head.len() >= END_BYTES);
    fields.is_some_and(|fields| fields.clamped(..12).iter().all(|&byte| byte == 0))
}

/// Section 4.4.5.
enum ZipMethod {
    Stored,
    Deflated,
    Other(&'static dyn Compression),
}

impl ZipMethod {
    fn from_number(number: u16) -> Result<Self, ArchiveProblem> {
        Ok(match number {
            0 => Self::Stored,
            8 => Self::Deflated,
            12 => Self::Other(&Bzip2),
            93 => Self::Other(&Zstd),
            95 => Self::Other(&Xz),
            _ => {
                let what = format!("a member is packed by method {number}");
                return Err(ZIP.unsupported(&what));
            }
        })
    }
}

fn read_sized(
    walk: &mut ArchiveWalk<'_, '_>,
    entry: &ZipEntry,
    part: &mut MemberBytes<'_>,
) -> WalkResult {
    let ledger = walk.ledger;
    let method = match ZipMethod::from_number(entry.method) {
        Ok(method) => method,
        Err(problem) => return walk.report_member_problem(&entry.name, problem),
    };
    let room = entry.sizes.packed.clamp(1, BUFFER_BYTES) as usize;
    let packed = FusedStream::new(part, StreamRole::Member(ZIP), ledger);
    let mut packed = BufReader::with_capacity(room, packed);
    let is_complete = match method {
        ZipMethod::Stored => read_unpacked(walk, entry, &mut packed),
        ZipMethod::Deflated => read_unpacked(walk, entry, DeflateDecoder::new(&mut packed)),
        ZipMethod::Other(compression) => {
            walk.decode(compression, Box::new(&mut packed), |walk, decoder| {
                read_unpacked(walk, entry, decoder)
            })
        }
    }?;
    // Bytes after the end of the compressed data would otherwise go unread and unreported.
    if is_complete && !packed.fill_buf()?.is_empty() {
        walk.report_member_problem(&entry.name, ArchiveProblem::Trailing(ZIP))?;
    }
    Ok(())
}

/// Opens a member of known size for decompressed reading. Returns true if it was read to its end.
fn read_unpacked(
    walk: &mut ArchiveWalk<'_, '_>,
    entry: &ZipEntry,
    inner: impl Read,
) -> WalkResult<bool> {
    let ledger = walk.ledger;
    let sum = Cell::new(Checksum::default());
    let wanted = Checksum { crc: entry.crc, size: entry.sizes.unpacked };
    let checked = ChecksummedReader::new(inner, &sum, Some(wanted));
    let mut body = FusedStream::new(checked, StreamRole::Unpacked(ZIP), ledger);
    walk.member(&entry.name, Some(entry.sizes.unpacked), &mut body)?;
    if body.is_broken() || sum.get() != wanted {
        return Ok(false);
    }
    // The declared size was reached and the checksum is right. One more read shows whether the
    // compressed data continues, which would be hidden data.
    match body.read(&mut [0]) {
        Ok(count) => Ok(count == 0),
        Err(_) => walk.resolve_pending(Some(Stop::ReadFailed)).map(|()| false),
    }
}
