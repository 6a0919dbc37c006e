//! Compressed streams: one format a file, and here those whose crates do everything.
//!
//! Every decoder reads all concatenated frames, streams or members, verifies the checksums there are,
//! and fails when the input ends too early.

mod frames;
mod gzip;
mod lz4;
mod lzma;
mod lzw;
mod raw;
mod small_reads;
mod window;
mod zstd;

use std::io::{BufRead, Read, Result};

pub(super) use raw::RawMethod;
pub(super) use window::window;

use small_reads::SmallReads;

use super::{ArchiveFormat, ArchiveLimits};

/// How much of a stream without an end mark is decoded at a time.
const ROOM: usize = 32 << 10;

/// Decodes `source`; `None` if the format is that of an archive.
pub(super) fn open<'s>(
    format: ArchiveFormat,
    source: Box<dyn BufRead + 's>,
    limits: &ArchiveLimits,
) -> Option<Box<dyn Read + 's>> {
    Some(match format {
        ArchiveFormat::Gzip => Box::new(frames::Frames::<gzip::GzipMember<_>>::new(source, limits)),
        ArchiveFormat::Zstd => Box::new(frames::Frames::<zstd::ZstdFrame<_>>::new(source, limits)),
        ArchiveFormat::Lz4 => Box::new(frames::Frames::<lz4::Lz4Frame<_>>::new(source, limits)),
        ArchiveFormat::Zlib => Box::new(flate2::bufread::ZlibDecoder::new(source)),
        ArchiveFormat::Bzip2 => {
            Box::new(SmallReads::new(bzip2::bufread::MultiBzDecoder::new(source)))
        }
        ArchiveFormat::Brotli => Box::new(brotli_decompressor::Decompressor::new(source, ROOM)),
        ArchiveFormat::Compress => Box::new(lzw::LzwDecoder::new(source)),
        ArchiveFormat::Xz => lzma::xz(source, limits),
        ArchiveFormat::Lzip => lzma::lzip(source, limits),
        ArchiveFormat::Lzma => lzma::alone(source, limits),
        ArchiveFormat::Zip | ArchiveFormat::Tar | ArchiveFormat::Ar | ArchiveFormat::SevenZip => {
            return None;
        }
    })
}

fn failing<'s>(error: std::io::Error) -> Box<dyn Read + 's> {
    struct Failing(Option<std::io::Error>);
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> Result<usize> {
            self.0.take().map_or(Ok(0), Err)
        }
    }
    Box::new(Failing(Some(error)))
}
