//! zip (PKWARE's APPNOTE.TXT): members one after the other, and a directory of them at the end.
//!
//! Of a file the directory is read, of which [`CentralDirectory`] holds one entry at a time. What no entry claims is
//! read like a pipe, a member of another archive or a file that was cut: in order, by the headers before the members.
//! There a member may have its size only after its bytes (section 4.3.9). Bytes that are no member are a stream of
//! their own, so that nothing is hidden. Members of a file that threads can share are unpacked before their turn
//! (`ahead`).

mod ahead;
mod directory;
mod header;
mod unclaimed;

use std::cell::Cell;
use std::io::{BufRead, BufReader, Read, Result as IoResult, Seek, SeekFrom};
use std::ops::Range;

use flate2::bufread::DeflateDecoder;

pub(in crate::archive) use ahead::Ahead;
use ahead::EntryBatches;
pub(in crate::archive) use directory::{CentralDirectory, DirectorySearch};
use header::{Descriptor, LocalHeader, Sizes, ZipEntry};
use unclaimed::{Lookahead, Unclaimed};

use super::checked::{Checked, Sum, WRONG};
use super::claims::Claims;
use crate::archive::stream::{CountedInput, Gives, MemberBytes, Stream, fill, skip, skip_zeros};
use crate::archive::walk::{ArchiveWalk, ByteSource, Halt, ReadSeek, Walked};
use crate::archive::{ArchiveFormat, ArchiveProblem, HEAD};
use crate::ordered_pool::{Turn, run_ordered};
use crate::slice::SliceExt as _;

const ZIP: ArchiveFormat = ArchiveFormat::Zip;
/// How much is read of a file at a time.
const ROOM: u64 = 32 << 10;
/// The length of the header before a member, and of an end record without its comment.
const LOCAL_LENGTH: usize = 30;
const END_LENGTH: usize = 22;

/// True for the start of a member, or of an archive without members.
pub(in crate::archive) fn is_start(head: &[u8]) -> bool {
    local_header(head).is_some() || is_empty(head)
}

pub(in crate::archive) fn may_be_start(head: &[u8]) -> bool {
    let signature = head.clamped(..4);
    head.len() < LOCAL_LENGTH
        && [header::LOCAL, header::END].iter().any(|one| one.starts_with(signature))
}

/// The header of a member, after its signature; `None` if this is none.
fn local_header(head: &[u8]) -> Option<&LocalHeader> {
    let header = head.strip_prefix(header::LOCAL)?.first_chunk()?;
    header::is_plausible(header).then_some(header)
}

/// True for the end record of an archive without members (section 4.3.16): no disks, entries and directory.
fn is_empty(head: &[u8]) -> bool {
    let fields = head.strip_prefix(header::END).filter(|_| head.len() >= END_LENGTH);
    fields.is_some_and(|fields| fields.clamped(..12).iter().all(|&byte| byte == 0))
}

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
                return Err(ZIP.unsupported(&what));
            }
        })
    }
}

/// Of an archive whose directory is displaced.
pub(in crate::archive) fn missing_bytes() -> ArchiveProblem {
    ZIP.corrupt("bytes before the directory are missing")
}

pub(in crate::archive) fn by_directory(
    walk: &mut ArchiveWalk<'_, '_>,
    file: &mut CountedInput<'_, &mut dyn ReadSeek>,
    directory: CentralDirectory,
    ahead: Option<Ahead<'_>>,
) -> Walked {
    let is_sorted = directory.is_sorted(file)?;
    let entries = ahead.map(|ahead| (ahead, directory.entries(ahead.file)));
    let mut listed = Listed {
        directory,
        is_sorted,
        claims: Claims::default(),
        seen: 0,
        encrypted: 0,
        damage: None,
    };
    if let Some((ahead, entries)) = entries {
        let unpack = |memory, entries: Vec<_>| ahead.unpack(memory, &entries);
        let taken = run_ordered(ahead.size(), EntryBatches(entries), unpack, |turn| {
            let (count, memory) = match turn {
                Turn::Done(memory) => (memory.len(), Some(memory)),
                Turn::Open(entries) => (entries.len(), None),
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

/// The members that a directory lists, one after the other.
struct Listed {
    directory: CentralDirectory,
    is_sorted: bool,
    /// What the members are, where they are in no order.
    claims: Claims,
    /// How far they have come, where they are in order.
    seen: u64,
    encrypted: u64,
    /// Why there is no next entry.
    damage: Option<Halt>,
}

impl Listed {
    /// Reads the member of the next entry, which may have been unpacked before; false if there is none.
    fn next<'b>(
        &mut self,
        walk: &mut ArchiveWalk<'_, '_>,
        file: &mut CountedInput<'_, &mut dyn ReadSeek>,
        ahead: impl FnOnce(u64) -> Option<&'b [u8]>,
    ) -> Walked<bool> {
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
        if self.is_sorted && self.seen < offset {
            unclaimed(walk, file, self.seen..offset)?;
        }
        let end = by_entry(walk, file, (&entry, offset), ahead(offset), &mut self.encrypted)?;
        match self.is_sorted {
            true => self.seen = self.seen.max(end),
            false => self.claims.add(offset..end),
        }
        Ok(true)
    }

    /// Reads what no entry claims.
    fn gaps(
        mut self,
        walk: &mut ArchiveWalk<'_, '_>,
        file: &mut CountedInput<'_, &mut dyn ReadSeek>,
    ) -> Walked {
        if self.is_sorted {
            self.claims.add(0..self.seen);
        }
        walk.tell_encrypted(self.encrypted);
        // After damage, what it may have listed is read in order.
        walk.settle(self.damage)?;
        for range in self.directory.claims() {
            self.claims.add(range);
        }
        if self.claims.is_full {
            walk.tell(ZIP.unsupported("what may be between members that are in no order"));
        }
        let length = file.seek(SeekFrom::End(0))?;
        for gap in self.claims.gaps(length) {
            unclaimed(walk, file, gap)?;
        }
        Ok(())
    }
}

/// Reads the member of an entry of the directory, and returns where its bytes end. Damage in it does not affect the
/// next one.
fn by_entry(
    walk: &mut ArchiveWalk<'_, '_>,
    file: &mut CountedInput<'_, &mut dyn ReadSeek>,
    (entry, offset): (&ZipEntry, u64),
    ahead: Option<&[u8]>,
    encrypted: &mut u64,
) -> Walked<u64> {
    file.seek(SeekFrom::Start(offset))?;
    let Some(skipped) = header::skip_local(file)? else {
        walk.member_problem(&entry.name, ZIP.corrupt("the directory leads nowhere"))?;
        return Ok(offset);
    };
    let start = offset.saturating_add(skipped);
    let end = start.saturating_add(entry.sizes.packed);
    if entry.is_encrypted() {
        *encrypted += 1;
        walk.encrypted(&entry.name)?;
    } else if let Some(bytes) = ahead.filter(|bytes| walk.ledger.has_room(bytes.len() as u64)) {
        walk.ledger.read_to(end);
        unpacked(walk, entry, bytes)?;
    } else if !entry.is_directory() {
        file.seek(SeekFrom::Start(start))?;
        let room = entry.sizes.packed.clamp(1, ROOM) as usize;
        let mut source = BufReader::with_capacity(room, &mut *file);
        known(walk, entry, &mut MemberBytes::new(&mut source, entry.sizes.packed))?;
    }
    if !entry.has_descriptor() {
        return Ok(end);
    }
    file.seek(SeekFrom::Start(end))?;
    let mut behind = [0; header::DESCRIPTOR_MAX];
    let count = fill(file, &mut behind)?;
    let descriptor = header::descriptor(behind.part(..count), entry.sizes);
    Ok(end.saturating_add(descriptor.map_or(0, |descriptor| descriptor.length as u64)))
}

/// Reads a range of a file that no member of the directory claims: perhaps an archive before this one, or members that
/// the directory does not list.
fn unclaimed(
    walk: &mut ArchiveWalk<'_, '_>,
    file: &mut CountedInput<'_, &mut dyn ReadSeek>,
    range: Range<u64>,
) -> Walked {
    file.seek(SeekFrom::Start(range.start))?;
    let length = range.end - range.start;
    let room = length.clamp(1, ROOM) as usize;
    let mut source = BufReader::with_capacity(room, file.take(length));
    let walked = records(walk, &mut Lookahead::new(&mut source), Place::Gap);
    walk.settle(walked.err())
}

/// Reads the members in the order of their bytes.
pub(in crate::archive) fn in_order(
    walk: &mut ArchiveWalk<'_, '_>,
    source: ByteSource<'_>,
) -> Walked {
    records(walk, &mut Lookahead::new(source), Place::Members)
}

/// Where in an archive the next record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Where more has to come.
    Members,
    /// Where it may end.
    After,
    /// In what the directory does not claim, which may end anywhere.
    Gap,
}

impl Place {
    /// Moves on, but not out of a gap.
    fn move_to(&mut self, next: Self) {
        if *self != Self::Gap {
            *self = next;
        }
    }
}

fn records(walk: &mut ArchiveWalk<'_, '_>, source: &mut Lookahead<'_>, mut place: Place) -> Walked {
    let mut encrypted = 0;
    let walked = loop {
        match record(walk, source, &mut place, &mut encrypted) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(halt) => break Err(halt),
        }
    };
    walk.tell_encrypted(encrypted);
    walked
}

/// Reads a member, another record, or what is none; false at the end.
fn record(
    walk: &mut ArchiveWalk<'_, '_>,
    source: &mut Lookahead<'_>,
    place: &mut Place,
    encrypted: &mut u64,
) -> Walked<bool> {
    let head = source.peek(LOCAL_LENGTH)?;
    if let Some(&header) = local_header(head) {
        source.consume(LOCAL_LENGTH);
        place.move_to(Place::Members);
        member(walk, source, &header, encrypted)?;
        return Ok(true);
    }
    let is_whole = match head.first_chunk() {
        Some(header::CENTRAL) => directory::skip_central(source)?,
        Some(header::END_64) => directory::skip_end_64(source)?,
        Some(header::LOCATOR) => skip(source, directory::LOCATOR_LENGTH)?,
        Some(header::END) => {
            place.move_to(Place::After);
            skip(source, END_LENGTH as u64)?
        }
        // The mark of an archive of several parts that has only one.
        Some(header::DESCRIPTOR) if *place == Place::Members => skip(source, 4)?,
        // The directory is yet to come, and is longer.
        _ if *place == Place::Members && head.len() < LOCAL_LENGTH => false,
        // whether it may end behind them is asked there
        Some([0, ..]) => {
            skip_zeros(source)?;
            true
        }
        None if head.is_empty() => return Ok(false),
        _ => {
            let mut bytes = Unclaimed::new(source);
            let mut first = Vec::new();
            bytes.by_ref().take(HEAD as u64).read_to_end(&mut first)?;
            // Without a directory, damage to a header looks like this: packed bytes that are no text.
            let is_cut = |error: std::str::Utf8Error| error.error_len().is_none();
            let is_text = str::from_utf8(&first).map_or_else(is_cut, |text| !text.contains('\0'));
            if *place == Place::Members && !is_text {
                walk.tell(ZIP.corrupt("no member starts where one should"));
            }
            walk.unclaimed(ZIP, first.chain(&mut bytes))?;
            // What was not wanted.
            std::io::copy(&mut bytes, &mut std::io::sink())?;
            true
        }
    };
    if is_whole { Ok(true) } else { Err(ZIP.truncated()) }
}

/// Reads one member by its own header.
fn member(
    walk: &mut ArchiveWalk<'_, '_>,
    source: &mut Lookahead<'_>,
    header: &LocalHeader,
    encrypted: &mut u64,
) -> Walked {
    let Some(entry) = ZipEntry::local(header, source)? else {
        return Err(ZIP.truncated());
    };
    if entry.is_encrypted() {
        *encrypted += 1;
        walk.encrypted(&entry.name)?;
    }
    if entry.sizes_follow() {
        if entry.is_encrypted() || entry.method != 8 {
            let what = "in a stream, a member of unknown size must be deflated";
            walk.member_problem(&entry.name, ZIP.unsupported(what))?;
            // What follows is no header, or the next one.
            return Ok(());
        }
        return unknown(walk, &entry, source);
    }
    let mut part = MemberBytes::new(source, entry.sizes.packed);
    if !entry.is_directory() && !entry.is_encrypted() {
        known(walk, &entry, &mut part)?;
    }
    part.rest(ZIP)?;
    if entry.has_descriptor() {
        let descriptor = header::descriptor(source.peek(header::DESCRIPTOR_MAX)?, entry.sizes);
        source.consume(descriptor.map_or(0, |descriptor| descriptor.length));
    }
    Ok(())
}

fn known(walk: &mut ArchiveWalk<'_, '_>, entry: &ZipEntry, part: &mut MemberBytes<'_>) -> Walked {
    let ledger = walk.ledger;
    let method = match ZipMethod::of(entry.method) {
        Ok(method) => method,
        Err(problem) => return walk.member_problem(&entry.name, problem),
    };
    let room = entry.sizes.packed.clamp(1, ROOM) as usize;
    let packed = Stream::new(part, Gives::Member(ZIP), ledger);
    let mut packed = BufReader::with_capacity(room, packed);
    let is_complete = match method {
        ZipMethod::Stored => unpacked(walk, entry, &mut packed),
        ZipMethod::Deflated => unpacked(walk, entry, DeflateDecoder::new(&mut packed)),
        ZipMethod::Other(format) => {
            let mut is_complete = false;
            walk.unpacked(format, Box::new(&mut packed), |walk, decoder| {
                is_complete = unpacked(walk, entry, decoder)?;
                Ok(())
            })
            .map(|()| is_complete)
        }
    }?;
    // Whatever is behind the end of the packed bytes would be hidden.
    if is_complete && !packed.fill_buf()?.is_empty() {
        walk.member_problem(&entry.name, ArchiveProblem::Trailing(ZIP))?;
    }
    Ok(())
}

/// Opens a member of known size for reading, decompressed; true if it was read to its end.
fn unpacked(walk: &mut ArchiveWalk<'_, '_>, entry: &ZipEntry, inner: impl Read) -> Walked<bool> {
    let ledger = walk.ledger;
    let sum = Cell::new(Sum::default());
    let wanted = Sum { crc: entry.crc, size: entry.sizes.unpacked };
    let checked = Checked::new(inner, &sum, Some(wanted));
    let mut body = Stream::new(checked, Gives::Unpacked(ZIP), ledger);
    walk.member(&entry.name, Some(entry.sizes.unpacked), &mut body)?;
    if body.is_broken() || sum.get() != wanted {
        return Ok(false);
    }
    match body.read(&mut [0]) {
        Ok(count) => Ok(count == 0),
        Err(_) => walk.settle(Some(Halt::Broken)).map(|()| false),
    }
}

/// Reads a deflated member whose sizes come after it.
fn unknown(walk: &mut ArchiveWalk<'_, '_>, entry: &ZipEntry, source: &mut Lookahead<'_>) -> Walked {
    let sum = Cell::new(Sum::default());
    let mut packed = Measured { source, length: 0 };
    let checked = Checked::new(DeflateDecoder::new(&mut packed), &sum, None);
    let mut body = Stream::new(checked, Gives::Unpacked(ZIP), walk.ledger);
    let mut first = [0];
    let count = fill(&mut body, &mut first)?;
    let first = first.part(..count);
    let is_directory = first.is_empty() && entry.name.ends_with(b"/");
    if !is_directory {
        let whole = first.chain(&mut body);
        walk.member(&entry.name, None, &mut Stream::new(whole, Gives::Same, walk.ledger))?;
    }
    // The end of the member is known only when all of it was unpacked.
    std::io::copy(&mut body, &mut std::io::sink())?;
    drop(body);
    let sizes = Sizes { packed: packed.length, unpacked: sum.get().size };
    let behind = source.peek(header::DESCRIPTOR_MAX)?;
    match header::descriptor(behind, sizes) {
        Some(Descriptor { crc, length }) => {
            source.consume(length);
            match crc == sum.get().crc {
                true => Ok(()),
                false => walk.member_problem(&entry.name, ZIP.corrupt(WRONG)),
            }
        }
        None if behind.len() < header::DESCRIPTOR_MAX => Err(ZIP.truncated()),
        None => walk.member_problem(&entry.name, ZIP.corrupt("its sizes are wrong")),
    }
}

/// Counts what is read.
struct Measured<'m, 's> {
    source: &'m mut Lookahead<'s>,
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
