//! zip (PKWARE's APPNOTE.TXT): members one after the other, and a directory of them at the end.
//!
//! Of a file the directory is read, of which [`CentralDirectory`] holds one entry at a time. A pipe, a
//! member of another archive and a file that was cut are read in order, by the headers before the
//! members; there a member may have its size only after its bytes (section 4.3.9).

mod directory;
mod header;

use std::cell::Cell;
use std::io::{BufReader, Read, Seek, SeekFrom};

use flate2::bufread::DeflateDecoder;

pub(in crate::container::archive) use directory::CentralDirectory;
use header::{Sizes, ZipEntry};

use super::checked::{Checked, Sum, WRONG};
use crate::container::archive::stream::{CountedInput, Gives, MemberBytes, Stream, fill, skip};
use crate::container::archive::walk::{ArchiveWalk, ByteSource, Halt, ReadSeek, Walked};
use crate::container::archive::{ArchiveFormat, ArchiveProblem};

/// How much is read of a file at a time.
const ROOM: u64 = 32 << 10;

/// Section 4.4.5.
enum ZipMethod {
    Stored,
    Deflated,
    Other(ArchiveFormat),
}

impl ZipMethod {
    fn of(number: u16) -> Result<Self, ArchiveProblem> {
        Ok(match number {
            0 => Self::Stored,
            8 => Self::Deflated,
            12 => Self::Other(ArchiveFormat::Bzip2),
            93 => Self::Other(ArchiveFormat::Zstd),
            95 => Self::Other(ArchiveFormat::Xz),
            _ => {
                let what = format!("a member is packed by method {number}");
                return Err(ArchiveProblem::Unsupported(ArchiveFormat::Zip, what));
            }
        })
    }
}

pub(in crate::container::archive) fn by_directory(
    walk: &mut ArchiveWalk<'_, '_>,
    mut file: CountedInput<'_, &mut dyn ReadSeek>,
    mut directory: CentralDirectory,
) -> Walked {
    let mut encrypted = 0;
    while let Some((entry, offset)) = directory.next(&mut file)? {
        if entry.is_directory() {
            continue;
        }
        if entry.is_encrypted() {
            encrypted += 1;
            walk.encrypted(&entry.name)?;
            continue;
        }
        file.seek(SeekFrom::Start(offset))?;
        let Some(skipped) = header::skip_local(&mut file)? else {
            walk.member_problem(&entry.name, corrupt("the directory leads nowhere"))?;
            continue;
        };
        file.seek(SeekFrom::Start(offset.saturating_add(skipped)))?;
        let sizes = entry.sizes;
        let room = sizes.packed.clamp(1, ROOM) as usize;
        let mut source = BufReader::with_capacity(room, &mut file);
        // Damage here does not affect the next member.
        known(walk, &entry, sizes, &mut MemberBytes::new(&mut source, sizes.packed))?;
    }
    walk.tell_encrypted(encrypted);
    Ok(())
}

/// Reads the members in the order of their bytes.
pub(in crate::container::archive) fn in_order(
    walk: &mut ArchiveWalk<'_, '_>,
    source: ByteSource<'_>,
) -> Walked {
    let mut encrypted = 0;
    let mut wide = false;
    let walked = loop {
        let mut signature = [0; 4];
        if fill(source, &mut signature)? < signature.len() {
            break Err(Halt::Problem(ArchiveProblem::Truncated(ArchiveFormat::Zip)));
        }
        match &signature {
            header::LOCAL => match member(walk, source, &mut encrypted) {
                Ok(after) => wide = after == After::Descriptor,
                Err(halt) => break Err(halt),
            },
            header::CENTRAL | header::END | header::END_64 => break Ok(()),
            // The mark of an archive of several parts that has only one.
            header::DESCRIPTOR => {}
            // The sizes in a descriptor may have twice the width without any sign of it.
            _ if std::mem::take(&mut wide) => {
                skip(source, 4)?;
            }
            _ => break Err(Halt::Problem(corrupt("no member starts where one should"))),
        }
    };
    walk.tell_encrypted(encrypted);
    walked
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Nothing,
    Descriptor,
}

/// Reads one member by its own header, after the signature.
fn member(
    walk: &mut ArchiveWalk<'_, '_>,
    source: ByteSource<'_>,
    encrypted: &mut u64,
) -> Walked<After> {
    let truncated = || Halt::Problem(ArchiveProblem::Truncated(ArchiveFormat::Zip));
    let Some(entry) = ZipEntry::local(source)? else {
        return Err(truncated());
    };
    if entry.is_encrypted() {
        *encrypted += 1;
        walk.encrypted(&entry.name)?;
    }
    if entry.sizes_follow() {
        if entry.is_encrypted() || entry.method != 8 {
            let what = "in a stream, a member of unknown size must be deflated";
            let problem = ArchiveProblem::Unsupported(ArchiveFormat::Zip, what.to_owned());
            return Err(Halt::Problem(problem));
        }
        unknown(walk, &entry, source)?;
        return Ok(After::Descriptor);
    }
    let sizes = entry.sizes;
    let mut part = MemberBytes::new(source, sizes.packed);
    if !entry.is_directory() && !entry.is_encrypted() {
        known(walk, &entry, sizes, &mut part)?;
    }
    if part.rest()? { Ok(After::Nothing) } else { Err(truncated()) }
}

fn known(
    walk: &mut ArchiveWalk<'_, '_>,
    entry: &ZipEntry,
    sizes: Sizes,
    part: &mut MemberBytes<'_>,
) -> Walked {
    let ledger = walk.ledger;
    let method = match ZipMethod::of(entry.method) {
        Ok(method) => method,
        Err(problem) => return walk.member_problem(&entry.name, problem),
    };
    let packed = Stream::new(part, Gives::Member(ArchiveFormat::Zip), ledger);
    let packed = BufReader::with_capacity(sizes.packed.clamp(1, ROOM) as usize, packed);
    match method {
        ZipMethod::Stored => unpacked(walk, entry, sizes, packed),
        ZipMethod::Deflated => unpacked(walk, entry, sizes, DeflateDecoder::new(packed)),
        ZipMethod::Other(format) => walk.unpacked(format, Box::new(packed), |walk, decoder| {
            unpacked(walk, entry, sizes, decoder)
        }),
    }
}

/// Opens a member of known size for reading, decompressed.
fn unpacked(
    walk: &mut ArchiveWalk<'_, '_>,
    entry: &ZipEntry,
    sizes: Sizes,
    inner: impl Read,
) -> Walked {
    let ledger = walk.ledger;
    let sum = Cell::new(Sum::default());
    let wanted = Sum { crc: entry.crc, size: sizes.unpacked };
    let checked = Checked::new(inner, &sum, Some(wanted));
    let mut body = Stream::new(checked, Gives::Unpacked(ArchiveFormat::Zip), ledger);
    walk.member(&entry.name, Some(sizes.unpacked), &mut body)
}

/// Reads a deflated member whose sizes come after it.
fn unknown(walk: &mut ArchiveWalk<'_, '_>, entry: &ZipEntry, source: ByteSource<'_>) -> Walked {
    let sum = Cell::new(Sum::default());
    let checked = Checked::new(DeflateDecoder::new(&mut *source), &sum, None);
    let mut body = Stream::new(checked, Gives::Unpacked(ArchiveFormat::Zip), walk.ledger);
    if !entry.is_directory() {
        walk.member(&entry.name, None, &mut body)?;
    }
    // The end of the member is known only when all of it was unpacked.
    std::io::copy(&mut body, &mut std::io::sink())?;
    drop(body);
    let Some(crc) = header::descriptor(source, entry.is_wide())? else {
        return Err(Halt::Problem(ArchiveProblem::Truncated(ArchiveFormat::Zip)));
    };
    if crc != sum.get().crc {
        walk.member_problem(&entry.name, corrupt(WRONG))?;
    }
    Ok(())
}

fn corrupt(what: &str) -> ArchiveProblem {
    ArchiveProblem::Corrupt(ArchiveFormat::Zip, what.to_owned())
}
