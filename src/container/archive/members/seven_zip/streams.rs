//! The list of folders: their positions and their streams ("StreamsInfo" in 7zFormat.txt).

use super::number::{Digests, HeaderCursor, HeaderResult};
use super::record::FolderRecord;
use super::{corrupt, id};
use crate::container::archive::{ArchiveFormat, ArchiveProblem};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Streams<'h> {
    /// The offset of the next packed stream in the file.
    at: u64,
    packed_sizes: HeaderCursor<'h>,
    packed: u64,
    folders: u64,
    records: HeaderCursor<'h>,
    /// Of the outputs of all coders.
    sizes: HeaderCursor<'h>,
    digests: Digests<'h>,
    parts: FolderParts<'h>,
}

#[derive(Clone, Copy, Debug, Default)]
struct FolderParts<'h> {
    /// `None` if each folder has one.
    counts: Option<HeaderCursor<'h>>,
    /// Of all but the last of each folder.
    sizes: HeaderCursor<'h>,
    /// Of those that are not in the folder list.
    digests: Digests<'h>,
}

#[derive(Debug)]
pub(super) struct Folder<'h> {
    pub record: FolderRecord<'h>,
    /// The offset and length of its packed streams in the file.
    pub at: u64,
    pub packed: u64,
    /// Of each output of its coders.
    pub sizes: Vec<u64>,
    pub digest: Option<u32>,
    /// Streams that were not read yet, and their bytes.
    pub parts: u64,
    left: u64,
    /// The checksum of its only stream.
    whole: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub bytes: u64,
    pub digest: Option<u32>,
}

impl<'h> Folder<'h> {
    /// The unpacked size in bytes.
    pub fn size(&self) -> u64 {
        let last = usize::try_from(self.record.last).unwrap_or(usize::MAX);
        self.sizes.get(last).copied().unwrap_or(0)
    }
}

impl<'h> Streams<'h> {
    pub fn parse(cursor: &mut HeaderCursor<'h>) -> HeaderResult<Self> {
        let mut streams = Self::default();
        loop {
            match cursor.number()? {
                id::END => return Ok(streams),
                id::PACK_INFO => streams.pack_info(cursor)?,
                id::UNPACK_INFO => streams.unpack_info(cursor)?,
                id::SUBSTREAMS_INFO => streams.substreams_info(cursor)?,
                _ => return Err(unexpected()),
            }
        }
    }

    fn pack_info(&mut self, cursor: &mut HeaderCursor<'h>) -> HeaderResult<()> {
        // Offsets count from the end of the start header.
        self.at = add(super::START, cursor.number()?)?;
        self.packed = cursor.number()?;
        loop {
            match cursor.number()? {
                id::END => return Ok(()),
                id::SIZE => self.packed_sizes = cursor.numbers(self.packed)?,
                id::CRC => drop(cursor.digests(self.packed)?),
                _ => return Err(unexpected()),
            }
        }
    }

    fn unpack_info(&mut self, cursor: &mut HeaderCursor<'h>) -> HeaderResult<()> {
        if cursor.number()? != id::FOLDER {
            return Err(unexpected());
        }
        self.folders = cursor.number()?;
        if cursor.byte()? != 0 {
            return Err(elsewhere());
        }
        self.records = *cursor;
        let mut outputs = 0;
        for _ in 0..self.folders {
            outputs += FolderRecord::parse(cursor)?.outputs;
        }
        loop {
            match cursor.number()? {
                id::END => return Ok(()),
                id::UNPACK_SIZE => self.sizes = cursor.numbers(outputs)?,
                id::CRC => self.digests = cursor.digests(self.folders)?,
                _ => return Err(unexpected()),
            }
        }
    }

    fn substreams_info(&mut self, cursor: &mut HeaderCursor<'h>) -> HeaderResult<()> {
        loop {
            match cursor.number()? {
                id::END => return Ok(()),
                id::COUNT => self.parts.counts = Some(cursor.numbers(self.folders)?),
                id::SIZE => {
                    self.parts.sizes = *cursor;
                    let mut lists = *self;
                    for _ in 0..self.folders {
                        cursor.numbers(lists.count()?.saturating_sub(1))?;
                    }
                }
                id::CRC => {
                    let mut lists = *self;
                    let mut unknown = 0;
                    for _ in 0..self.folders {
                        let (count, digest) = (lists.count()?, lists.digests.next());
                        if count != 1 || digest.is_none() {
                            unknown = add(unknown, count)?;
                        }
                    }
                    self.parts.digests = cursor.digests(unknown)?;
                }
                _ => return Err(unexpected()),
            }
        }
    }

    fn count(&mut self) -> HeaderResult<u64> {
        self.parts.counts.as_mut().map_or(Ok(1), HeaderCursor::number)
    }

    /// The next folder; all streams of the one before it must have been read.
    pub fn folder(&mut self) -> HeaderResult<Option<Folder<'h>>> {
        if self.folders == 0 {
            return Ok(None);
        }
        self.folders -= 1;
        let record = FolderRecord::parse(&mut self.records)?;
        let mut sizes = Vec::new();
        for _ in 0..record.outputs {
            sizes.push(self.sizes.number()?);
        }
        let (at, mut packed) = (self.at, 0);
        self.packed = self
            .packed
            .checked_sub(record.packed)
            .ok_or_else(|| corrupt("it has fewer packed streams than its folders take"))?;
        for _ in 0..record.packed {
            packed = add(packed, self.packed_sizes.number()?)?;
        }
        self.at = add(at, packed)?;
        let (digest, parts) = (self.digests.next(), self.count()?);
        let mut folder = Folder {
            record,
            at,
            packed,
            sizes,
            digest,
            parts,
            left: 0,
            whole: digest.filter(|_| parts == 1),
        };
        folder.left = folder.size();
        Ok(Some(folder))
    }

    pub fn part(&mut self, folder: &mut Folder<'_>) -> HeaderResult<Option<Size>> {
        if folder.parts == 0 {
            return Ok(None);
        }
        folder.parts -= 1;
        // The last has the rest.
        let bytes = match folder.parts {
            0 => folder.left,
            _ => self.parts.sizes.number()?,
        };
        let left = folder.left.checked_sub(bytes);
        folder.left = left.ok_or_else(|| corrupt("a folder has less than its members"))?;
        let digest = match folder.whole {
            None => self.parts.digests.next(),
            whole => whole,
        };
        Ok(Some(Size { bytes, digest }))
    }
}

fn add(a: u64, b: u64) -> HeaderResult<u64> {
    a.checked_add(b).ok_or_else(|| corrupt("a size in its header is too large"))
}

/// For properties in the wrong place.
pub(super) fn unexpected() -> ArchiveProblem {
    corrupt("its header is malformed")
}

/// For lists in a stream of their own, which no writer known to us makes.
pub(super) fn elsewhere() -> ArchiveProblem {
    ArchiveProblem::Unsupported(ArchiveFormat::SevenZip, "its header is in pieces".to_owned())
}
