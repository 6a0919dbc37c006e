//! The directory at the end of a zip archive, an entry at a time.

use std::io::{Read, Result, Seek, SeekFrom};

use super::corrupt;
use super::header::{CENTRAL, END, END_64, LittleEndian, ZipEntry};
use crate::container::archive::stream::{CountedInput, fill};
use crate::container::archive::walk::{Halt, ReadSeek, Walked};
use crate::slice::SliceExt as _;

type ZipFile<'l, 'f> = CountedInput<'l, &'f mut dyn ReadSeek>;

const END_LENGTH: usize = 22;
/// The locator of the ZIP64 end record, before the end record (section 4.3.15).
const LOCATOR: &[u8] = b"PK\x06\x07";
const LOCATOR_LENGTH: usize = 20;

pub(in crate::container::archive) struct CentralDirectory {
    at: u64,
    end: u64,
    /// The length of data prepended to the archive after its offsets were written.
    shift: u64,
}

impl CentralDirectory {
    /// Finds the directory of a file; `None` if it has none, or an empty one.
    pub fn find(file: &mut ZipFile<'_, '_>) -> Result<Option<Self>> {
        let length = file.seek(SeekFrom::End(0))?;
        let longest = (END_LENGTH + LOCATOR_LENGTH + usize::from(u16::MAX)) as u64;
        let start = length.saturating_sub(longest);
        file.seek(SeekFrom::Start(start))?;
        let mut tail = Vec::new();
        file.by_ref().take(longest).read_to_end(&mut tail)?;
        let ends = memchr::memmem::rfind_iter(&tail, END);
        // A comment after it reaches to the end of the file.
        let whole = |at: &usize| {
            let comment = LittleEndian(tail.clamped(at + 20..)).number(2);
            tail.len() as u64 >= (at + END_LENGTH) as u64 + comment
        };
        let mut ends = ends.filter(|at| at + END_LENGTH <= tail.len());
        let Some(at) = ends.find(whole) else {
            return Ok(None);
        };
        let mut fields = LittleEndian(tail.clamped(at + 12..));
        let (mut size, mut offset) = (fields.number(4), fields.number(4));
        let mut end = start + at as u64;
        if let Some(locator) = at.checked_sub(LOCATOR_LENGTH)
            && let Some(locator) = tail.get(locator..)
            && let Some(locator) = locator.strip_prefix(LOCATOR)
        {
            let wide = LittleEndian(locator.clamped(4..)).number(8);
            let mut record = [0; 56];
            file.seek(SeekFrom::Start(wide))?;
            if fill(file, &mut record)? == record.len() && record.starts_with(END_64) {
                let mut fields = LittleEndian(&record[40..]);
                (size, offset) = (fields.number(8), fields.number(8));
                end = wide;
            }
        }
        let at = end.saturating_sub(size);
        Ok((size > 0 && offset <= at).then_some(Self { at, end, shift: at.saturating_sub(offset) }))
    }

    /// The next entry and the offset of its member.
    pub(super) fn next(&mut self, file: &mut ZipFile<'_, '_>) -> Walked<Option<(ZipEntry, u64)>> {
        if self.at >= self.end {
            return Ok(None);
        }
        file.seek(SeekFrom::Start(self.at))?;
        let mut signature = [0; 4];
        let entry = match fill(file, &mut signature)? {
            4 if &signature == CENTRAL => ZipEntry::central(file)?,
            _ => None,
        };
        let Some((entry, offset, length)) = entry else {
            return Err(Halt::Problem(corrupt("the directory is malformed")));
        };
        self.at = self.at.saturating_add(length);
        Ok(Some((entry, offset.saturating_add(self.shift))))
    }
}
