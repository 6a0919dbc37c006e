//! The list of members: their names, and which have no stream ("FilesInfo" in 7zFormat.txt).

use super::number::{Bits, HeaderCursor, HeaderResult};
use super::streams::elsewhere;
use super::{corrupt, id};

#[derive(Debug, Default)]
pub(super) struct SevenZipFiles<'h> {
    left: u64,
    streamless: Bits<'h>,
    /// Of those without a stream, which are empty files; the others are directories.
    empty: Bits<'h>,
    /// Of those without a stream, which are to be deleted.
    anti: Bits<'h>,
    names: Option<HeaderCursor<'h>>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum SevenZipFile {
    /// With the next stream of the folders.
    Streamed(Vec<u8>),
    Empty(Vec<u8>),
    Other,
}

impl<'h> SevenZipFiles<'h> {
    pub fn parse(cursor: &mut HeaderCursor<'h>) -> HeaderResult<Self> {
        let count = cursor.number()?;
        let mut files = Self { left: count, ..Self::default() };
        loop {
            let property = cursor.number()?;
            if property == id::END {
                return Ok(files);
            }
            let size = cursor.number()?;
            let bytes = cursor.bytes(size)?;
            let mut list = HeaderCursor(bytes);
            match property {
                id::EMPTY_STREAM => files.streamless = list.bits(count)?,
                id::EMPTY_FILE => files.empty = list.bits(8 * bytes.len() as u64)?,
                id::ANTI => files.anti = list.bits(8 * bytes.len() as u64)?,
                id::NAMES if list.byte()? == 0 => files.names = Some(list),
                id::NAMES => return Err(elsewhere()),
                // Times and attributes.
                _ => {}
            }
        }
    }

    pub fn file(&mut self) -> HeaderResult<Option<SevenZipFile>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let name = self.names.as_mut().map_or(Ok(Vec::new()), name)?;
        if !self.streamless.next() {
            return Ok(Some(SevenZipFile::Streamed(name)));
        }
        Ok(Some(match (self.empty.next(), self.anti.next()) {
            (true, false) => SevenZipFile::Empty(name),
            _ => SevenZipFile::Other,
        }))
    }
}

/// A zero-terminated name in UTF-16, with `/` between directories.
fn name(names: &mut HeaderCursor<'_>) -> HeaderResult<Vec<u8>> {
    let units = names.0.as_chunks().0;
    let Some(length) = units.iter().position(|unit| unit == &[0, 0]) else {
        return Err(corrupt("a name has no end"));
    };
    let units = units.iter().take(length).map(|&unit| u16::from_le_bytes(unit));
    let name: String =
        char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    names.bytes(2 * (length as u64 + 1))?;
    Ok(name.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> HeaderResult<Vec<SevenZipFile>> {
        let mut files = SevenZipFiles::parse(&mut HeaderCursor(bytes))?;
        let mut all = Vec::new();
        while let Some(file) = files.file()? {
            all.push(file);
        }
        Ok(all)
    }

    #[test]
    fn kinds_and_names() {
        // Four members, of which the last three have no stream: a directory, a file, a deletion.
        let bytes = b"\x04\x0e\x01\x70\x0f\x01\x60\x10\x01\x20\x11\x15\0a\0\0\0d\0\0\0\xe9\0\x3d\xd8\0\0\0\0x\0\0\0\0";
        let files = all(bytes).unwrap();
        assert_eq!(files.len(), 4);
        assert_eq!(files[0], SevenZipFile::Streamed(b"a".to_vec()));
        assert_eq!(files[1], SevenZipFile::Other);
        // An unpaired surrogate.
        assert_eq!(files[2], SevenZipFile::Empty("é\u{fffd}".into()));
        assert_eq!(files[3], SevenZipFile::Other);
    }

    #[test]
    fn nonsense() {
        let many = b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
        let promised = [&many[..], b"\x0e\x01\xff\0"].concat();
        assert!(all(&promised).is_err());
        let promised = [&many[..], b"\x11\x03\0\0\0\0"].concat();
        assert!(all(&promised).is_err());
        assert!(all(b"\x01\x11\x03\0a\0\0").is_err());
        assert!(all(b"\x01\x11\x01\x01\0").is_err());
        assert!(all(b"\x01\x11\x09\0").is_err());
    }
}
