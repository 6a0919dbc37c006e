//! lzip (draft-diaz-lzip).

use std::io::{BufRead, Cursor, ErrorKind, Read, Result};

use lzma_rust2::LzipReader;

use super::SmallReads;
use crate::archive::reader::{
    ArchiveReader, Compression, Contents, PackedBytes, UnpackedBytes, is_text_after, sniff_magic,
};
use crate::archive::{ArchiveFormat, ArchiveLimits};
use crate::sniff::{Rest, Sniff};

pub(in crate::archive) struct Lzip;

impl ArchiveReader for Lzip {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Lzip
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["lz"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        // The format has these two versions. Text that starts with the four letters has a letter or
        // a blank here.
        sniff_magic(head, rest, b"LZIP", |header| matches!(header, [0 | 1, ..]))
    }

    fn is_text(&self, head: &[u8]) -> bool {
        is_text_after(head, 5)
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Stream(self)
    }
}

impl Compression for Lzip {
    fn window(&self, head: &[u8]) -> Option<u64> {
        Some(head.get(5).map_or(0, |&byte| dictionary_bytes(byte)))
    }

    fn open<'s>(
        &self,
        source: PackedBytes<'s>,
        limits: &ArchiveLimits,
    ) -> Result<UnpackedBytes<'s>> {
        Ok(Box::new(SmallReads::new(open_bounded(source, limits.window)?)))
    }
}

/// Opens a reader whose dictionary has at most `window` bytes: lzip allows up to 512 MiB, and the
/// crate takes no limit.
fn open_bounded(mut source: impl BufRead, window: u32) -> Result<LzipReader<impl Read>> {
    let mut header = [0; 6];
    source.read_exact(&mut header)?;
    let [.., size] = header;
    if dictionary_bytes(size) > window.into() {
        // This kind is reported as a lack of memory, not as damage.
        return Err(ErrorKind::OutOfMemory.into());
    }
    Ok(LzipReader::new(Cursor::new(header).chain(source)))
}

/// A power of two less a number of sixteenths of it.
fn dictionary_bytes(byte: u8) -> u64 {
    let power = 1 << (byte & 0x1f);
    power - power / 16 * u64::from(byte >> 5)
}
