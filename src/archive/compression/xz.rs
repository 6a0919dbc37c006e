//! xz (The .xz File Format 1.2.1).

use std::io::Result;

use lzma_rust2::XzReader;

use super::{SmallReads, lzma_memory, lzma2_window};
use crate::archive::reader::{
    ArchiveReader, Compression, Contents, PackedBytes, UnpackedBytes, is_text_after, sniff_magic,
};
use crate::archive::{ArchiveFormat, ArchiveLimits};
use crate::sniff::{Rest, Sniff};

const MAGIC: &[u8] = b"\xfd7zXZ\0";

pub(in crate::archive) struct Xz;

impl ArchiveReader for Xz {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Xz
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xz", "txz"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        sniff_magic(head, rest, MAGIC, |_| true)
    }

    fn is_text(&self, head: &[u8]) -> bool {
        is_text_after(head, MAGIC.len())
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Stream(self)
    }
}

impl Compression for Xz {
    fn window(&self, head: &[u8]) -> Option<u64> {
        Some(first_window(head).unwrap_or(0))
    }

    fn open<'s>(
        &self,
        source: PackedBytes<'s>,
        limits: &ArchiveLimits,
    ) -> Result<UnpackedBytes<'s>> {
        // With `true`, streams that follow each other are read as one, as the format has it
        // (section 2).
        let reader = XzReader::new_mem_limit(source, true, lzma_memory(limits));
        Ok(Box::new(SmallReads::new(reader)))
    }
}

/// Returns the window of the first block (sections 3.1 and 5.3.1). In the header, optional sizes
/// come before the filters.
fn first_window(head: &[u8]) -> Option<u64> {
    const LZMA2: u64 = 0x21;
    // The stream header has 12 bytes, and one byte with the size of the block header follows
    // (sections 2.1.1 and 3.1.1).
    let mut block = head.get(12 + 1..)?.iter().copied();
    let flags = block.next()?;
    for size in [0x40, 0x80] {
        if flags & size != 0 {
            multibyte_integer(&mut block)?;
        }
    }
    for _ in 0..=flags & 3 {
        let filter = multibyte_integer(&mut block)?;
        let length = multibyte_integer(&mut block)?;
        if filter == LZMA2 {
            return Some(lzma2_window(block.next()? & 0x3f).into());
        }
        for _ in 0..length {
            block.next()?;
        }
    }
    None
}

/// Decodes seven bits per byte, the lowest first (section 1.2).
fn multibyte_integer(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let byte = bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
