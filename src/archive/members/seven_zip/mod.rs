//! 7z (7zFormat.txt of the LZMA SDK): folders, each of which compresses the streams of many members
//! as a whole, and a header at the end of the file that lists them.
//!
//! The lists of the header are read in parallel and in place. So a header with false counts costs
//! nothing, and the size of a header is bounded. A folder whose coders form a chain is unpacked
//! once, as a stream.

mod cursor;
mod header;
mod lists;
mod method;
mod record;

use std::cell::Cell;
use std::io::{BufRead, Cursor, Read, SeekFrom};

use lists::{Files, SevenZipFile, SevenZipFolder, Size, Streams};
use method::{CoderMethod, UnsupportedReason, buffered};

use super::checksummed::{Checksum, ChecksummedReader};
use super::claims::Claims;
use crate::archive::reader::ByteSource;
use crate::archive::reader::{
    ArchiveReader, Contents, FileOutcome, MemberReader, is_text_after, sniff_magic,
};
use crate::archive::stream::{CountedInput, FusedStream, MemberBytes, StreamRole, skip_zeros};
use crate::archive::walk::ReadSeek;
use crate::archive::walker::ArchiveWalk;
use crate::archive::{ArchiveFormat, ArchiveProblem, WalkResult};
use crate::sniff::{Rest, Sniff};

const SEVEN_ZIP: ArchiveFormat = ArchiveFormat::SevenZip;
const MAGIC: &[u8] = b"7z\xbc\xaf\x27\x1c";
const START_BYTES: u64 = 32;
/// Largest archive that is held in memory because its source can't seek.
const MAX_HELD_BYTES: u64 = 4 << 20;

mod id {
    pub const END: u8 = 0x00;
    pub const HEADER: u8 = 0x01;
    pub const ARCHIVE_PROPERTIES: u8 = 0x02;
    pub const ADDITIONAL_STREAMS: u8 = 0x03;
    pub const MAIN_STREAMS: u8 = 0x04;
    pub const FILES: u8 = 0x05;
    pub const PACK_INFO: u8 = 0x06;
    pub const UNPACK_INFO: u8 = 0x07;
    pub const SUBSTREAMS_INFO: u8 = 0x08;
    pub const SIZE: u8 = 0x09;
    pub const CRC: u8 = 0x0a;
    pub const FOLDER: u8 = 0x0b;
    pub const UNPACK_SIZE: u8 = 0x0c;
    pub const COUNT: u8 = 0x0d;
    pub const EMPTY_STREAM: u8 = 0x0e;
    pub const EMPTY_FILE: u8 = 0x0f;
    pub const ANTI: u8 = 0x10;
    pub const NAMES: u8 = 0x11;
    pub const ENCODED_HEADER: u8 = 0x17;
}

type HeaderResult<T> = Result<T, ArchiveProblem>;

pub(in crate::archive) struct SevenZip;

impl ArchiveReader for SevenZip {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::SevenZip
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["7z"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        sniff_magic(head, rest, MAGIC, |_| true)
    }

    fn is_text(&self, head: &[u8]) -> bool {
        is_text_after(head, MAGIC.len())
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Members(self)
    }
}

impl MemberReader for SevenZip {
    fn read_in_order(&self, walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult {
        read_members(walk, source)
    }

    fn read_file(
        &self,
        walk: &mut ArchiveWalk<'_, '_>,
        file: &mut CountedInput<'_, &mut dyn ReadSeek>,
    ) -> WalkResult<FileOutcome> {
        read_listed(walk, file).map(|()| FileOutcome::Done)
    }
}

/// Reads the members of an archive in a pipe or in another archive, if it is small.
fn read_members(walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult {
    let mut bytes = Vec::new();
    source.take(MAX_HELD_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_HELD_BYTES {
        return Err(SEVEN_ZIP
            .unsupported("its header is at the end, so it can be read only from a file")
            .into());
    }
    walk.releasing_windows(|walk| {
        // The held archive counts like the window of a decoder, so nested archives share one bound
        // on memory.
        walk.reserve_window(bytes.len() as u64)?;
        read_listed(walk, &mut Cursor::new(bytes))
    })
}

fn read_listed(walk: &mut ArchiveWalk<'_, '_>, file: &mut dyn ReadSeek) -> WalkResult {
    // Bytes that no member claims are searched, too, because data can be hidden there.
    let (mut claims, problems) = (Claims::default(), walk.problems);
    walk.releasing_windows(|walk| {
        let Some(header) = header::read(walk, file, &mut claims)? else {
            return Ok(());
        };
        let (streams, files) = lists::lists(&header)?;
        let mut members = SevenZipMembers { streams, files, encrypted: 0, claims: &mut claims };
        let walked = members.read(walk, file);
        walk.report_encrypted(members.encrypted);
        walked
    })?;
    // After damage, it is unknown which bytes belong to which member. The damage was already
    // reported.
    if walk.problems != problems {
        return Ok(());
    }
    let length = file.seek(SeekFrom::End(0))?;
    for gap in claims.gaps(length) {
        file.seek(SeekFrom::Start(gap.start))?;
        let size = gap.end - gap.start;
        let mut bytes = buffered(Read::take(&mut *file, size), size);
        if skip_zeros(&mut bytes)? {
            walk.unclaimed(SEVEN_ZIP, bytes)?;
        }
    }
    Ok(())
}

enum OpenedFolder<'s> {
    Stream(Box<dyn BufRead + 's>),
    Encrypted,
    Unread(UnsupportedReason),
    /// The folder was damaged, and that was reported.
    Lost,
}

/// Unpacks a folder as one stream.
fn open<'l: 's, 's>(
    walk: &mut ArchiveWalk<'l, '_>,
    file: &'s mut dyn ReadSeek,
    folder: &SevenZipFolder<'_>,
) -> WalkResult<OpenedFolder<'s>> {
    let methods: Vec<_> = folder.record.coders.iter().map(CoderMethod::from_coder).collect();
    if methods.contains(&Ok(CoderMethod::Encrypted)) {
        return Ok(OpenedFolder::Encrypted);
    }
    let methods = match methods.into_iter().collect::<Result<Vec<_>, _>>() {
        Ok(methods) => methods,
        Err(unread) => return Ok(OpenedFolder::Unread(unread)),
    };
    let Some(chain) = &folder.record.chain else {
        return Ok(OpenedFolder::Unread("packed in several streams".into()));
    };
    // Writers put filters before a single method that packs. The memory of several packing decoders
    // would add up, so they are rejected.
    if methods.iter().filter(|method| method.packs()).count() > 1 {
        return Ok(OpenedFolder::Unread("packed more than once".into()));
    }
    let length = file.seek(SeekFrom::End(0))?;
    // Offsets come from the header, which may be crafted. A sum may overflow or exceed the file.
    if folder.at.checked_add(folder.packed).is_none_or(|end| end > length) {
        return Err(SEVEN_ZIP.truncated());
    }
    file.seek(SeekFrom::Start(folder.at))?;
    let mut source = buffered(Read::take(file, folder.packed), folder.packed);
    for &number in chain {
        if let (Some(method), Some(&size)) = (methods.get(number), folder.sizes.get(number)) {
            source = method.decode(walk, source, size)?;
        }
    }
    Ok(OpenedFolder::Stream(source))
}

struct SevenZipMembers<'h, 'c> {
    streams: Streams<'h>,
    files: Files<'h>,
    encrypted: u64,
    claims: &'c mut Claims,
}

impl SevenZipMembers<'_, '_> {
    fn read(&mut self, walk: &mut ArchiveWalk<'_, '_>, file: &mut dyn ReadSeek) -> WalkResult {
        while let Some(folder) = self.streams.folder()? {
            self.claims.add(folder.span());
            walk.releasing_windows(|walk| self.folder(walk, file, folder))?;
        }
        match self.name(walk)? {
            None => Ok(()),
            Some(_) => Err(SEVEN_ZIP.corrupt("it has more members than streams").into()),
        }
    }

    /// Reads the members of a folder. After damage the rest of the folder is lost, but the next
    /// folder is read.
    fn folder(
        &mut self,
        walk: &mut ArchiveWalk<'_, '_>,
        file: &mut dyn ReadSeek,
        mut folder: SevenZipFolder<'_>,
    ) -> WalkResult {
        let mut opened = match open(walk, file, &folder) {
            Ok(opened) => opened,
            Err(halt) => {
                walk.resolve_pending(Some(halt))?;
                OpenedFolder::Lost
            }
        };
        while let Some(size) = self.streams.part(&mut folder)? {
            let Some(name) = self.name(walk)? else {
                return Err(SEVEN_ZIP.corrupt("it has more streams than members").into());
            };
            match &mut opened {
                OpenedFolder::Stream(source) => {
                    if let Err(halt) = member(walk, &name, size, source) {
                        walk.resolve_pending(Some(halt))?;
                        opened = OpenedFolder::Lost;
                    }
                }
                OpenedFolder::Encrypted => {
                    self.encrypted += 1;
                    walk.skip_encrypted_member(&name)?;
                }
                OpenedFolder::Unread(how) => {
                    let what = match folder.parts {
                        0 => format!("it is {how}"),
                        1 => format!("it is {how}, as is one after it"),
                        more => format!("it is {how}, as are {more} after it"),
                    };
                    walk.report_member_problem(&name, SEVEN_ZIP.unsupported(&what))?;
                    // One report per folder is enough: all of its members are packed in the same
                    // way, and there may be millions.
                    opened = OpenedFolder::Lost;
                }
                OpenedFolder::Lost => {}
            }
        }
        Ok(())
    }

    /// Returns the name of the next member with a stream, and reports the empty members before it.
    fn name(&mut self, walk: &mut ArchiveWalk<'_, '_>) -> WalkResult<Option<Vec<u8>>> {
        while let Some((kind, name)) = self.files.next()? {
            match kind {
                SevenZipFile::Streamed => return Ok(Some(name)),
                SevenZipFile::Empty => {
                    let mut body =
                        FusedStream::new(std::io::empty(), StreamRole::PassThrough, walk.ledger);
                    walk.member(&name, Some(0), &mut body)?;
                }
                SevenZipFile::Other => {}
            }
        }
        Ok(None)
    }
}

fn member(
    walk: &mut ArchiveWalk<'_, '_>,
    name: &[u8],
    size: Size,
    source: &mut dyn BufRead,
) -> WalkResult {
    let mut part = MemberBytes::new(source, size.bytes);
    let sum = Cell::new(Checksum::default());
    let wanted = size.digest.map(|crc| Checksum { crc, size: size.bytes });
    let checked = ChecksummedReader::new(&mut part, &sum, wanted);
    let mut body = FusedStream::new(checked, StreamRole::Member(SEVEN_ZIP), walk.ledger);
    walk.member(name, Some(size.bytes), &mut body)?;
    drop(body);
    part.rest(SEVEN_ZIP)
}

fn malformed() -> ArchiveProblem {
    SEVEN_ZIP.corrupt("its header is malformed")
}
