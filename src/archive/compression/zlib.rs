//! zlib (RFC 1950). Its first two bytes are too weak to distinguish it from other data.

use std::io::{BufRead, Result};

use flate2::bufread::ZlibDecoder;

use super::frames::{Frame, Frames};
use crate::archive::reader::{ArchiveReader, Compression, Contents, PackedBytes, UnpackedBytes};
use crate::archive::{ArchiveFormat, ArchiveLimits};
use crate::sniff::{Rest, Sniff};

pub(in crate::archive) struct Zlib;

impl ArchiveReader for Zlib {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Zlib
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["zlib", "zz"]
    }

    fn sniff(&self, _: &[u8], _: Rest) -> Sniff {
        // The two bytes of the header have a check of five bits (RFC 1950 section 2.2), which a
        // text may pass by chance.
        Sniff::No
    }

    fn has_magic(&self) -> bool {
        false
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Stream(self)
    }
}

impl Compression for Zlib {
    fn open<'s>(
        &self,
        source: PackedBytes<'s>,
        limits: &ArchiveLimits,
    ) -> Result<UnpackedBytes<'s>> {
        Ok(Box::new(Frames::<ZlibDecoder<_>>::new(source, limits)))
    }
}

/// The only stream of a file.
impl<R: BufRead> Frame for ZlibDecoder<R> {
    type Inner = R;

    fn open(source: R, _: &ArchiveLimits) -> Result<Self> {
        Ok(Self::new(source))
    }

    fn close(self) -> Result<R> {
        Ok(self.into_inner())
    }

    fn is_start(_: &[u8]) -> bool {
        false
    }

    const SKIPS: bool = false;
}
