//! `.lzma`, the format before xz: a header of 13 bytes without a magic number.

use std::io::{BufRead, Cursor, Read, Result};

use lzma_rust2::LzmaReader;

use super::frames::{Frame, Frames};
use super::{SmallReads, little_endian, lzma_memory};
use crate::archive::reader::{ArchiveReader, Compression, Contents, PackedBytes, UnpackedBytes};
use crate::archive::{ArchiveFormat, ArchiveLimits};
use crate::sniff::{Rest, Sniff};

pub(in crate::archive) struct Lzma;

impl ArchiveReader for Lzma {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Lzma
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["lzma", "tlz"]
    }

    fn sniff(&self, _: &[u8], _: Rest) -> Sniff {
        // The format has no magic number. It starts with a byte of properties and the size of the
        // dictionary.
        Sniff::No
    }

    fn has_magic(&self) -> bool {
        false
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Stream(self)
    }
}

impl Compression for Lzma {
    fn window(&self, head: &[u8]) -> Option<u64> {
        let window = head.get(1..5).map(|size| little_endian(size).min(u32::MAX.into()));
        Some(window.unwrap_or(0))
    }

    fn open<'s>(
        &self,
        source: PackedBytes<'s>,
        limits: &ArchiveLimits,
    ) -> Result<UnpackedBytes<'s>> {
        Ok(Box::new(Frames::<LzmaFrame<'_>>::new(source, limits)))
    }
}

/// The only stream of a file. It has no checksum, only a size or an end mark.
struct LzmaFrame<'s>(SmallReads<LzmaReader<Box<dyn BufRead + 's>>>);

impl<'s> Frame for LzmaFrame<'s> {
    type Inner = Box<dyn BufRead + 's>;

    fn open(source: Self::Inner, limits: &ArchiveLimits) -> Result<Self> {
        let mut reader = LzmaReader::new_mem_limit(source, lzma_memory(limits), None)?;
        reader.set_relaxed_end_condition(false);
        Ok(Self(SmallReads::new(reader)))
    }

    fn close(self) -> Result<Self::Inner> {
        let (source, ahead) = self.0.into_inner().into_parts();
        // The decoder reads ahead. Put its unused bytes back, so that trailing data is detected.
        Ok(Box::new(Cursor::new(ahead).chain(source)))
    }

    fn is_start(_: &[u8]) -> bool {
        false
    }

    const SKIPS: bool = false;
}

impl Read for LzmaFrame<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.0.read(out)
    }
}
