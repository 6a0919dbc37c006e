//! Brotli (RFC 7932), which has no magic number and no checksum.

use std::io::{BufRead, Read, Result};

use brotli_decompressor::Decompressor;

use super::BUFFER_BYTES;
use super::frames::{padding, trailing};
use crate::archive::reader::{ArchiveReader, Compression, Contents, PackedBytes, UnpackedBytes};
use crate::archive::{ArchiveFormat, ArchiveLimits};
use crate::sniff::{Rest, Sniff};

pub(in crate::archive) struct Brotli;

impl ArchiveReader for Brotli {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Brotli
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["br"]
    }

    fn sniff(&self, _: &[u8], _: Rest) -> Sniff {
        // RFC 7932 has no magic number.
        Sniff::No
    }

    fn has_magic(&self) -> bool {
        false
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Stream(self)
    }
}

impl Compression for Brotli {
    fn window(&self, head: &[u8]) -> Option<u64> {
        Some(head.first().map_or(0, |&byte| window_bytes(byte)))
    }

    fn open<'s>(&self, source: PackedBytes<'s>, _: &ArchiveLimits) -> Result<UnpackedBytes<'s>> {
        Ok(Box::new(BrotliStream(Decompressor::new(source, BUFFER_BYTES))))
    }
}

/// The only stream of a file, which its decoder reads from a buffer of its own.
struct BrotliStream<R: Read>(Decompressor<R>);

impl<R: BufRead> Read for BrotliStream<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.0.read(out)?;
        if count == 0 && !out.is_empty() {
            // After the end, one more read makes the decoder fail if its buffer holds trailing
            // data.
            self.0.read(&mut [0]).map_err(|_| trailing())?;
            padding(self.0.get_mut())?;
        }
        Ok(count)
    }
}

/// WBITS (section 9.1).
fn window_bytes(byte: u8) -> u64 {
    let bits = match (byte & 1, byte >> 1 & 7, byte >> 4 & 7) {
        (0, ..) => 16,
        (_, 0, 0) => 17,
        (_, 0, more) => 8 + more,
        (_, more, _) => 17 + more,
    };
    1 << bits
}
