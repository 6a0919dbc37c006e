//! The lists of a header: folders with their streams ("StreamsInfo" in 7zFormat.txt), and members
//! ("FilesInfo").

use std::ops::Range;

use super::cursor::{Bits, Digests, HeaderCursor};
use super::record::FolderRecord;
use super::{HeaderResult, SEVEN_ZIP, id};

/// The streams of an archive. Properties have a fixed order and occur once each: a repeated one
/// would have to be walked again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Streams<'h> {
    /// The offset of the next packed stream in the file.
    at: u64,
    packed_sizes: HeaderCursor<'h>,
    packed: u64,
    folders: u64,
    records: HeaderCursor<'h>,
    /// Unpacked sizes of the outputs of all coders.
    sizes: HeaderCursor<'h>,
    digests: Digests<'h>,
    /// Number of parts per folder; `None` means one each.
    part_counts: Option<HeaderCursor<'h>>,
    /// Sizes of all but the last part of each folder.
    part_sizes: HeaderCursor<'h>,
    /// Checksums that are not in the folder list.
    part_digests: Digests<'h>,
}

#[derive(Debug)]
pub(super) struct SevenZipFolder<'h> {
    pub record: FolderRecord<'h>,
    /// The offset and length of its packed streams in the file.
    pub at: u64,
    pub packed: u64,
    /// Unpacked size of each output of its coders.
    pub sizes: Vec<u64>,
    pub digest: Option<u32>,
    /// Streams not read yet, and their bytes.
    pub parts: u64,
    left: u64,
    /// The checksum, if the folder has only one stream.
    whole: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub bytes: u64,
    pub digest: Option<u32>,
}

impl SevenZipFolder<'_> {
    /// The range of its packed streams in the file.
    pub fn span(&self) -> Range<u64> {
        self.at..self.at.saturating_add(self.packed)
    }

    /// The unpacked size in bytes.
    pub fn size(&self) -> u64 {
        self.sizes.get(self.record.last).copied().unwrap_or(0)
    }
}

impl<'h> Streams<'h> {
    pub fn parse(cursor: &mut HeaderCursor<'h>) -> HeaderResult<Self> {
        let mut streams = Self::default();
        if cursor.has(id::PACK_INFO) {
            streams.pack_info(cursor)?;
        }
        if cursor.has(id::UNPACK_INFO) {
            streams.unpack_info(cursor)?;
        }
        if cursor.has(id::SUBSTREAMS_INFO) {
            streams.substreams_info(cursor)?;
        }
        cursor.expect(id::END)?;
        Ok(streams)
    }

    fn pack_info(&mut self, cursor: &mut HeaderCursor<'h>) -> HeaderResult<()> {
        // Offsets count from the end of the start header.
        self.at = add(super::START_BYTES, cursor.number()?)?;
        self.packed = cursor.number()?;
        if cursor.has(id::SIZE) {
            self.packed_sizes = cursor.numbers(self.packed)?;
        }
        if cursor.has(id::CRC) {
            cursor.digests(self.packed)?;
        }
        cursor.expect(id::END)
    }

    fn unpack_info(&mut self, cursor: &mut HeaderCursor<'h>) -> HeaderResult<()> {
        cursor.expect(id::FOLDER)?;
        self.folders = cursor.number()?;
        in_place(cursor)?;
        self.records = *cursor;
        let mut outputs = 0;
        for _ in 0..self.folders {
            outputs += FolderRecord::parse(cursor)?.outputs;
        }
        if cursor.has(id::UNPACK_SIZE) {
            self.sizes = cursor.numbers(outputs)?;
        }
        if cursor.has(id::CRC) {
            self.digests = cursor.digests(self.folders)?;
        }
        cursor.expect(id::END)
    }

    fn substreams_info(&mut self, cursor: &mut HeaderCursor<'h>) -> HeaderResult<()> {
        if cursor.has(id::COUNT) {
            self.part_counts = Some(cursor.numbers(self.folders)?);
        }
        let (has_sizes, mut lists, mut unknown) = (cursor.has(id::SIZE), *self, 0);
        if has_sizes {
            self.part_sizes = *cursor;
        }
        for _ in 0..self.folders {
            let (count, digest) = (lists.part_count()?, lists.digests.next());
            if has_sizes {
                cursor.numbers(count.saturating_sub(1))?;
            }
            // The checksum of a folder with a single stream is also that of the stream, so it is
            // not repeated in this list.
            if count != 1 || digest.is_none() {
                unknown = add(unknown, count)?;
            }
        }
        if cursor.has(id::CRC) {
            self.part_digests = cursor.digests(unknown)?;
        }
        cursor.expect(id::END)
    }

    fn part_count(&mut self) -> HeaderResult<u64> {
        self.part_counts.as_mut().map_or(Ok(1), HeaderCursor::number)
    }

    /// The next folder; all streams of the one before it must have been read.
    pub fn folder(&mut self) -> HeaderResult<Option<SevenZipFolder<'h>>> {
        let Some(folders) = self.folders.checked_sub(1) else {
            return Ok(None);
        };
        self.folders = folders;
        let record = FolderRecord::parse(&mut self.records)?;
        let sizes =
            (0..record.outputs).map(|_| self.sizes.number()).collect::<HeaderResult<_>>()?;
        let (at, mut packed) = (self.at, 0);
        self.packed = self.packed.checked_sub(record.packed).ok_or_else(|| {
            SEVEN_ZIP.corrupt("it has fewer packed streams than its folders take")
        })?;
        for _ in 0..record.packed {
            packed = add(packed, self.packed_sizes.number()?)?;
        }
        self.at = add(at, packed)?;
        let (digest, parts) = (self.digests.next(), self.part_count()?);
        let whole = digest.filter(|_| parts == 1);
        let mut folder =
            SevenZipFolder { record, at, packed, sizes, digest, parts, left: 0, whole };
        folder.left = folder.size();
        Ok(Some(folder))
    }

    pub fn part(&mut self, folder: &mut SevenZipFolder<'_>) -> HeaderResult<Option<Size>> {
        if folder.parts == 0 {
            return Ok(None);
        }
        folder.parts -= 1;
        // The last part has the remaining bytes.
        let bytes = if folder.parts == 0 { folder.left } else { self.part_sizes.number()? };
        // Sizes are untrusted: the members of a folder may claim more than it holds.
        let left = folder.left.checked_sub(bytes);
        folder.left =
            left.ok_or_else(|| SEVEN_ZIP.corrupt("a folder has less than its members"))?;
        let digest = folder.whole.or_else(|| self.part_digests.next());
        Ok(Some(Size { bytes, digest }))
    }
}

fn add(a: u64, b: u64) -> HeaderResult<u64> {
    a.checked_add(b).ok_or_else(|| SEVEN_ZIP.corrupt("a size in its header is too large"))
}

/// Rejects lists in a stream of their own, which no known writer produces.
fn in_place(cursor: &mut HeaderCursor<'_>) -> HeaderResult<()> {
    if cursor.byte()? == 0 { Ok(()) } else { Err(SEVEN_ZIP.unsupported("its header is in pieces")) }
}

#[derive(Debug, Default)]
pub(super) struct Files<'h> {
    left: u64,
    streamless: Bits<'h>,
    /// For members without a stream: whether they are empty files, not directories.
    empty: Bits<'h>,
    /// For members without a stream: whether they mark a deletion.
    anti: Bits<'h>,
    names: Option<HeaderCursor<'h>>,
}

pub(super) enum SevenZipFile {
    /// A file with the next stream of the folders.
    Streamed,
    Empty,
    /// A directory or a deletion.
    Other,
}

impl<'h> Files<'h> {
    pub fn parse(cursor: &mut HeaderCursor<'h>) -> HeaderResult<Self> {
        let count = cursor.number()?;
        let mut files = Self { left: count, ..Self::default() };
        while !cursor.has(id::END) {
            let (property, size) = (cursor.byte()?, cursor.number()?);
            let bytes = cursor.bytes(size)?;
            let (mut list, whole) = (HeaderCursor(bytes), Bits::new(bytes));
            match property {
                id::EMPTY_STREAM => files.streamless = list.bits(count)?,
                id::EMPTY_FILE => files.empty = whole,
                id::ANTI => files.anti = whole,
                id::NAMES => {
                    in_place(&mut list)?;
                    files.names = Some(list);
                }
                // Skip times and attributes.
                _ => {}
            }
        }
        Ok(files)
    }

    /// The next member and its name.
    pub fn next(&mut self) -> HeaderResult<Option<(SevenZipFile, Vec<u8>)>> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        let name = self.names.as_mut().map_or(Ok(Vec::new()), name)?;
        let kind = if !self.streamless.next() {
            SevenZipFile::Streamed
        } else if (self.empty.next(), self.anti.next()) == (true, false) {
            SevenZipFile::Empty
        } else {
            SevenZipFile::Other
        };
        Ok(Some((kind, name)))
    }
}

/// Reads a zero-terminated name in UTF-16, with `/` between directories.
fn name(names: &mut HeaderCursor<'_>) -> HeaderResult<Vec<u8>> {
    let units = names.0.as_chunks().0;
    let Some(length) = units.iter().position(|unit| unit == &[0, 0]) else {
        return Err(SEVEN_ZIP.corrupt("a name has no end"));
    };
    let units = units.iter().take(length).map(|&unit| u16::from_le_bytes(unit));
    let name: String =
        char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    names.bytes(2 * (length as u64 + 1))?;
    Ok(name.into_bytes())
}

/// The lists of streams and of members in a header, after its first byte.
pub(super) fn lists(header: &[u8]) -> HeaderResult<(Streams<'_>, Files<'_>)> {
    let mut cursor = HeaderCursor(header);
    let (mut streams, mut files) = (Streams::default(), Files::default());
    if cursor.has(id::ARCHIVE_PROPERTIES) {
        while !cursor.has(id::END) {
            cursor.byte()?;
            let size = cursor.number()?;
            cursor.bytes(size)?;
        }
    }
    if cursor.has(id::ADDITIONAL_STREAMS) {
        Streams::parse(&mut cursor)?;
    }
    if cursor.has(id::MAIN_STREAMS) {
        streams = Streams::parse(&mut cursor)?;
    }
    if cursor.has(id::FILES) {
        files = Files::parse(&mut cursor)?;
    }
    cursor.expect(id::END)?;
    Ok((streams, files))
}
