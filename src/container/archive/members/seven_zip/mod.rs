//! 7z (7zFormat.txt of the LZMA SDK): folders, each compressed as a whole with the streams of many
//! members in it, and a header at the end of the file, which lists them.
//!
//! The lists of the header are read in parallel and in place: what it promises costs nothing, and its
//! size is bounded. Folders whose coders are a chain are unpacked once, as a stream.

mod files;
mod header;
mod method;
mod number;
mod record;
mod streams;
mod unpack;

use std::cell::Cell;
use std::io::{BufRead, Cursor, Read};

use files::{SevenZipFile, SevenZipFiles};
use streams::{Folder, Size, Streams};
use unpack::{OpenedFolder, open};

use super::checked::{Checked, Sum};
use crate::container::archive::stream::{Gives, MemberBytes, Stream};
use crate::container::archive::walk::{ArchiveWalk, ByteSource, Halt, ReadSeek, Walked};
use crate::container::archive::{ArchiveFormat, ArchiveProblem};

const START: u64 = 32;
/// An archive that cannot be read at any offset is held in memory up to this size.
const HELD: u64 = 4 << 20;

mod id {
    pub const END: u64 = 0x00;
    pub const HEADER: u64 = 0x01;
    pub const ARCHIVE_PROPERTIES: u64 = 0x02;
    pub const ADDITIONAL_STREAMS: u64 = 0x03;
    pub const MAIN_STREAMS: u64 = 0x04;
    pub const FILES: u64 = 0x05;
    pub const PACK_INFO: u64 = 0x06;
    pub const UNPACK_INFO: u64 = 0x07;
    pub const SUBSTREAMS_INFO: u64 = 0x08;
    pub const SIZE: u64 = 0x09;
    pub const CRC: u64 = 0x0a;
    pub const FOLDER: u64 = 0x0b;
    pub const UNPACK_SIZE: u64 = 0x0c;
    pub const COUNT: u64 = 0x0d;
    pub const EMPTY_STREAM: u64 = 0x0e;
    pub const EMPTY_FILE: u64 = 0x0f;
    pub const ANTI: u64 = 0x10;
    pub const NAMES: u64 = 0x11;
    pub const ENCODED_HEADER: u64 = 0x17;
}

/// Reads the members of an archive in a pipe or in another archive, if it is small.
pub(in crate::container::archive) fn members_of_stream(
    walk: &mut ArchiveWalk<'_, '_>,
    source: ByteSource<'_>,
) -> Walked {
    let mut bytes = Vec::new();
    source.take(HELD + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > HELD {
        let what = "its header is at the end, which only a file has at hand";
        let problem = ArchiveProblem::Unsupported(ArchiveFormat::SevenZip, what.to_owned());
        return Err(problem.into());
    }
    walk.holding(|walk| {
        walk.hold(bytes.len() as u64)?;
        members(walk, &mut Cursor::new(bytes))
    })
}

pub(in crate::container::archive) fn members(
    walk: &mut ArchiveWalk<'_, '_>,
    file: &mut dyn ReadSeek,
) -> Walked {
    walk.holding(|walk| {
        let Some(header) = header::read(walk, file)? else {
            return Ok(());
        };
        let (streams, files) = lists(&header)?;
        let mut members = Members { streams, files, encrypted: 0 };
        let walked = members.give(walk, file);
        walk.tell_encrypted(members.encrypted);
        walked
    })
}

fn lists(header: &[u8]) -> Result<(Streams<'_>, SevenZipFiles<'_>), ArchiveProblem> {
    let mut cursor = number::HeaderCursor(header);
    let (mut streams, mut files) = (Streams::default(), SevenZipFiles::default());
    loop {
        match cursor.number()? {
            id::END => return Ok((streams, files)),
            id::MAIN_STREAMS => streams = Streams::parse(&mut cursor)?,
            id::ADDITIONAL_STREAMS => drop(Streams::parse(&mut cursor)?),
            id::FILES => files = SevenZipFiles::parse(&mut cursor)?,
            id::ARCHIVE_PROPERTIES => {
                while cursor.number()? != id::END {
                    let size = cursor.number()?;
                    cursor.bytes(size)?;
                }
            }
            _ => return Err(streams::unexpected()),
        }
    }
}

struct Members<'h> {
    streams: Streams<'h>,
    files: SevenZipFiles<'h>,
    encrypted: u64,
}

impl Members<'_> {
    fn give(&mut self, walk: &mut ArchiveWalk<'_, '_>, file: &mut dyn ReadSeek) -> Walked {
        while let Some(folder) = self.streams.folder()? {
            walk.holding(|walk| self.folder(walk, file, folder))?;
        }
        match self.name(walk)? {
            None => Ok(()),
            Some(_) => Err(corrupt("it has more members than streams").into()),
        }
    }

    /// Reads the members of a folder. After damage the rest of the folder is lost, but not the next one.
    fn folder(
        &mut self,
        walk: &mut ArchiveWalk<'_, '_>,
        file: &mut dyn ReadSeek,
        mut folder: Folder<'_>,
    ) -> Walked {
        let mut opened = match open(walk, file, &folder) {
            Ok(opened) => opened,
            Err(halt) => {
                walk.settle(Some(halt))?;
                OpenedFolder::Lost
            }
        };
        while let Some(size) = self.streams.part(&mut folder)? {
            let Some(name) = self.name(walk)? else {
                return Err(corrupt("it has more streams than members").into());
            };
            match &mut opened {
                OpenedFolder::Stream(source) => {
                    if let Err(halt) = member(walk, &name, size, source) {
                        walk.settle(Some(halt))?;
                        opened = OpenedFolder::Lost;
                    }
                }
                OpenedFolder::Encrypted => {
                    self.encrypted += 1;
                    walk.encrypted(&name)?;
                }
                OpenedFolder::Unread(how) => {
                    let what = match folder.parts {
                        0 => format!("it is {how}"),
                        1 => format!("it is {how}, as is one after it"),
                        more => format!("it is {how}, as are {more} after it"),
                    };
                    walk.member_problem(
                        &name,
                        ArchiveProblem::Unsupported(ArchiveFormat::SevenZip, what),
                    )?;
                    opened = OpenedFolder::Lost;
                }
                OpenedFolder::Lost => {}
            }
        }
        Ok(())
    }

    /// The name of the next member with a stream; reports the empty members before it.
    fn name(&mut self, walk: &mut ArchiveWalk<'_, '_>) -> Walked<Option<Vec<u8>>> {
        loop {
            match self.files.file()? {
                None => return Ok(None),
                Some(SevenZipFile::Streamed(name)) => return Ok(Some(name)),
                Some(SevenZipFile::Empty(name)) => {
                    let mut body = Stream::new(std::io::empty(), Gives::Same, walk.ledger);
                    walk.member(&name, Some(0), &mut body)?;
                }
                Some(SevenZipFile::Other) => {}
            }
        }
    }
}

fn member(
    walk: &mut ArchiveWalk<'_, '_>,
    name: &[u8],
    size: Size,
    source: &mut dyn BufRead,
) -> Walked {
    let mut part = MemberBytes::new(source, size.bytes);
    let sum = Cell::new(Sum::default());
    let wanted = size.digest.map(|crc| Sum { crc, size: size.bytes });
    let checked = Checked::new(&mut part, &sum, wanted);
    let mut body = Stream::new(checked, Gives::Member(ArchiveFormat::SevenZip), walk.ledger);
    walk.member(name, Some(size.bytes), &mut body)?;
    drop(body);
    if part.rest()? {
        Ok(())
    } else {
        Err(Halt::Problem(ArchiveProblem::Truncated(ArchiveFormat::SevenZip)))
    }
}

fn corrupt(what: &str) -> ArchiveProblem {
    ArchiveProblem::Corrupt(ArchiveFormat::SevenZip, what.to_owned())
}
