//! gzip (RFC 1952), each of whose members has a checksum and a length.

use std::io::{BufRead, Result};

use flate2::bufread::GzDecoder;

use super::frames::{Frame, Frames};
use crate::archive::reader::{
    ArchiveReader, Compression, Contents, PackedBytes, UnpackedBytes, is_text_after, sniff_magic,
};
use crate::archive::{ArchiveFormat, ArchiveLimits};
use crate::sniff::{Rest, Sniff};

pub(in crate::archive) struct Gzip;

impl ArchiveReader for Gzip {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Gzip
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["gz", "tgz"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        // Deflate is the only method, and three flags are reserved (section 2.3.1).
        sniff_magic(head, rest, b"\x1f\x8b\x08", |header| {
            header.first().is_some_and(|flags| flags & 0xe0 == 0)
        })
    }

    fn is_text(&self, head: &[u8]) -> bool {
        is_text_after(head, 4)
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Stream(self)
    }
}

impl Compression for Gzip {
    fn open<'s>(
        &self,
        source: PackedBytes<'s>,
        limits: &ArchiveLimits,
    ) -> Result<UnpackedBytes<'s>> {
        Ok(Box::new(Frames::<GzDecoder<_>>::new(source, limits)))
    }
}

/// One member of a gzip file (section 2.2). Its checksum and length are verified.
impl<R: BufRead> Frame for GzDecoder<R> {
    type Inner = R;

    fn open(source: R, _: &ArchiveLimits) -> Result<Self> {
        Ok(Self::new(source))
    }

    fn close(self) -> Result<R> {
        Ok(self.into_inner())
    }

    fn is_start(head: &[u8]) -> bool {
        // The second byte may not have been read yet.
        matches!(head, [0x1f] | [0x1f, 0x8b, ..])
    }

    const SKIPS: bool = false;
}
