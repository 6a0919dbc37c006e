//! The directory at the end of a zip archive, one entry at a time.

use std::io::{BufReader, Read, Result, Seek, SeekFrom, Take};
use std::ops::Range;

use super::header::{CENTRAL, END, END_64, LOCATOR, LittleEndian, ZipEntry};
use super::unclaimed::PeekedBytes;
use super::{BUFFER_BYTES, END_BYTES, ZIP};
use crate::archive::shared::SharedReader;
use crate::archive::stream::{CountedInput, fill, skip};
use crate::archive::walk::ReadSeek;
use crate::archive::{ReadAt, WalkResult};
use crate::slice::SliceExt as _;

type ZipFile<'l, 'f> = CountedInput<'l, &'f mut dyn ReadSeek>;

/// Size of the locator of the ZIP64 end record.
pub(super) const LOCATOR_BYTES: u64 = 20;
/// Fixed size of a directory entry, and of a ZIP64 end record, before the variable fields.
const CENTRAL_BYTES: usize = 46;
const END_64_BYTES: u64 = 12;

#[derive(Clone, Debug)]
pub(super) struct CentralDirectory {
    /// Offset of the next entry.
    at: u64,
    end: u64,
    /// Length of data that was prepended after the offsets were written.
    shift: u64,
    /// Ranges of the entries read so far, and of the end records.
    claims: [Range<u64>; 4],
}

/// The result of looking for a directory at the end of a file.
#[derive(Clone, Debug)]
pub(super) enum DirectorySearch {
    /// There is no directory, or an empty one.
    None,
    /// The directory is nearer to the start than its offset says: bytes before it are missing.
    Displaced,
    Found(CentralDirectory),
}

impl CentralDirectory {
    /// Finds the directory of a file.
    pub fn find(file: &mut ZipFile<'_, '_>) -> Result<DirectorySearch> {
        let length = file.seek(SeekFrom::End(0))?;
        // The end record is followed by a comment of at most 65,535 bytes (section 4.3.16), so it
        // must start within these last bytes.
        let longest = END_BYTES as u64 + LOCATOR_BYTES + u64::from(u16::MAX);
        let start = length.saturating_sub(longest);
        file.seek(SeekFrom::Start(start))?;
        let mut tail = Vec::new();
        file.by_ref().take(longest).read_to_end(&mut tail)?;
        // The comment itself may contain the signature, so the last occurrence need not be the
        // record.
        let ends = memchr::memmem::rfind_iter(&tail, END);
        // The comment after a valid end record reaches to the end of the file.
        let whole = |at: &usize| {
            // The length of the comment is the last field (section 4.3.16).
            let comment = LittleEndian(tail.clamped(at + 20..)).number(2);
            tail.len() as u64 >= (at + END_BYTES) as u64 + comment
        };
        let mut ends = ends.filter(|at| at + END_BYTES <= tail.len());
        let Some(at) = ends.find(whole) else {
            return Ok(DirectorySearch::None);
        };
        let mut fields = LittleEndian(tail.clamped(at + 12..));
        let (mut size, mut offset) = (fields.number(4), fields.number(4));
        let mut end = start + at as u64;
        let mut claims = [0..0, 0..0, 0..0, end..end + END_BYTES as u64];
        if let Some(locator) = at.checked_sub(LOCATOR_BYTES as usize)
            && let Some(locator) = tail.get(locator..)
            && let Some(locator) = locator.strip_prefix(LOCATOR)
        {
            // The number of a disk comes before the offset (section 4.3.15).
            let wide = LittleEndian(locator.clamped(4..)).number(8);
            let mut record = [0; 56];
            file.seek(SeekFrom::Start(wide))?;
            if fill(file, &mut record)? == record.len() && record.starts_with(END_64) {
                // Size and offset are the last fields that are always there (section 4.3.14).
                let mut fields = LittleEndian(&record[40..]);
                (size, offset) = (fields.number(8), fields.number(8));
                let length = LittleEndian(&record[4..]).number(8);
                claims[1] = wide..wide.saturating_add(length).saturating_add(END_64_BYTES);
                claims[2] = end - LOCATOR_BYTES..end;
                end = wide;
            }
        }
        let at = end.saturating_sub(size);
        claims[0] = at..at;
        // A self-extracting archive has a program in front of it, and its offsets still count from
        // the start of the archive. The directory ends right before its end record, which reveals
        // the difference.
        let shift = at.saturating_sub(offset);
        Ok(match size {
            0 => DirectorySearch::None,
            _ if offset > at => DirectorySearch::Displaced,
            _ => DirectorySearch::Found(Self { at, end, shift, claims }),
        })
    }

    /// Returns the ranges of the entries read so far, and of the end records.
    pub fn claims(self) -> [Range<u64>; 4] {
        self.claims
    }

    /// True if the members are in the order of their entries.
    pub(super) fn is_sorted(&self, file: &mut ZipFile<'_, '_>) -> WalkResult<bool> {
        file.seek(SeekFrom::Start(self.at))?;
        let mut source =
            BufReader::with_capacity(BUFFER_BYTES as usize, file.take(self.end - self.at));
        let mut last = 0;
        while let Some((_, offset, length, read)) = entry(&mut source)? {
            // A malformed entry is reported when it is read.
            if offset < last || !skip(&mut source, length - read)? {
                return Ok(false);
            }
            last = offset;
        }
        Ok(true)
    }

    /// The remaining entries, with the offsets of their members, up to the first malformed one.
    pub(super) fn entries<'f>(&self, file: &'f dyn ReadAt) -> Entries<'f> {
        let source = SharedReader::new(file, self.at).take(self.end - self.at);
        Entries {
            source: BufReader::with_capacity(BUFFER_BYTES as usize, source),
            shift: self.shift,
        }
    }

    /// Reads the next entry and the offset of its member.
    pub(super) fn next(
        &mut self,
        file: &mut ZipFile<'_, '_>,
    ) -> WalkResult<Option<(ZipEntry, u64)>> {
        if self.at >= self.end {
            return Ok(None);
        }
        file.seek(SeekFrom::Start(self.at))?;
        let Some((entry, offset, length, _)) = entry(file)? else {
            return Err(ZIP.corrupt("the directory is malformed").into());
        };
        self.at = self.at.saturating_add(length);
        // The length of its comment may exceed the directory, so the addition saturates.
        self.claims[0].end = self.at.min(self.end);
        Ok(Some((entry, offset.saturating_add(self.shift))))
    }
}

/// Entries that are read ahead of their turn.
pub(super) struct Entries<'f> {
    source: BufReader<Take<SharedReader<'f>>>,
    shift: u64,
}

impl Iterator for Entries<'_> {
    type Item = (ZipEntry, u64);

    fn next(&mut self) -> Option<Self::Item> {
        let (entry, offset, length, read) = entry(&mut self.source).ok()??;
        let is_whole = skip(&mut self.source, length - read).ok()?;
        is_whole.then(|| (entry, offset.saturating_add(self.shift)))
    }
}

/// Reads an entry: with the offset of its member, its length, and the number of bytes read. Returns
/// `None` if there is no entry.
fn entry(source: &mut impl Read) -> Result<Option<(ZipEntry, u64, u64, u64)>> {
    let mut signature = [0; 4];
    match fill(source, &mut signature)? {
        4 if &signature == CENTRAL => ZipEntry::central(source),
        _ => Ok(None),
    }
}

/// Skips an entry of a directory that is not needed.
pub(super) fn skip_central(source: &mut PeekedBytes<'_>) -> Result<bool> {
    let mut lengths = LittleEndian(source.peek(CENTRAL_BYTES)?.clamped(28..));
    let texts = lengths.number(2) + lengths.number(2) + lengths.number(2);
    skip(source, CENTRAL_BYTES as u64 + texts)
}

/// Skips a ZIP64 end record.
pub(super) fn skip_end_64(source: &mut PeekedBytes<'_>) -> Result<bool> {
    let length = LittleEndian(source.peek(END_64_BYTES as usize)?.clamped(4..)).number(8);
    skip(source, length.saturating_add(END_64_BYTES))
}
