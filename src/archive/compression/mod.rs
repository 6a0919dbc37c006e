//! Compressed streams: one format a file, and here those whose crates do everything.
//!
//! Every decoder reads all concatenated frames, streams or members, verifies the checksums there are,
//! and fails when the input ends too early.

mod frames;
mod lz4;
mod lzw;
mod small_reads;
mod window;
mod zstd;

use std::io::{BufRead, Cursor, Error, ErrorKind, Read, Result};

pub(super) use small_reads::SmallReads;
pub(super) use window::{lzma2 as lzma2_window, window};

use flate2::bufread::{GzDecoder, ZlibDecoder};
use frames::{BlockFrame, Brotli, Bzip2Frame, Frames, LzmaFrame};
use lzma_rust2::{LzipReader, XzReader};

use super::{ArchiveFormat, ArchiveLimits};

/// How much of a stream without an end mark is decoded at a time.
const ROOM: usize = 32 << 10;

/// Decodes `source`; `None` if the format is that of an archive.
pub(super) fn open<'s>(
    format: ArchiveFormat,
    source: Box<dyn BufRead + 's>,
    limits: &ArchiveLimits,
) -> Option<Box<dyn Read + 's>> {
    decoder(format, source, limits).unwrap_or_else(|error| Some(failing(error)))
}

fn decoder<'s>(
    format: ArchiveFormat,
    source: Box<dyn BufRead + 's>,
    limits: &ArchiveLimits,
) -> Result<Option<Box<dyn Read + 's>>> {
    let memory = lzma_memory(limits);
    Ok(Some(match format {
        ArchiveFormat::Gzip => Box::new(Frames::<GzDecoder<_>>::new(source, limits)),
        // Both may start with skippable frames, which do not say what follows.
        ArchiveFormat::Zstd | ArchiveFormat::Lz4 => {
            Box::new(Frames::<BlockFrame<_>>::new(source, limits))
        }
        ArchiveFormat::Zlib => Box::new(Frames::<ZlibDecoder<_>>::new(source, limits)),
        ArchiveFormat::Bzip2 => Box::new(Frames::<Bzip2Frame<_>>::new(source, limits)),
        ArchiveFormat::Brotli => Box::new(Brotli::new(source)),
        ArchiveFormat::Compress => Box::new(lzw::LzwDecoder::new(source)),
        ArchiveFormat::Xz => {
            Box::new(SmallReads::new(XzReader::new_mem_limit(source, true, memory)))
        }
        ArchiveFormat::Lzma => Box::new(Frames::<LzmaFrame<'_>>::new(source, limits)),
        ArchiveFormat::Lzip => Box::new(SmallReads::new(lzip(source, limits.window)?)),
        ArchiveFormat::Zip
        | ArchiveFormat::Tar
        | ArchiveFormat::Ar
        | ArchiveFormat::SevenZip
        | ArchiveFormat::Warc => {
            return Ok(None);
        }
    }))
}

/// The memory for a decoder of LZMA, in KiB: its dictionary, and what it needs besides.
pub(super) fn lzma_memory(limits: &ArchiveLimits) -> u32 {
    (limits.window >> 10).saturating_add(1 << 10)
}

/// lzip allows dictionaries of up to 512 MiB, and its reader takes no limit.
fn lzip(mut source: impl BufRead, most: u32) -> Result<LzipReader<impl Read>> {
    let mut header = [0; 6];
    source.read_exact(&mut header)?;
    let [.., size] = header;
    if window::lzip(size) > most.into() {
        return Err(ErrorKind::OutOfMemory.into());
    }
    Ok(LzipReader::new(Cursor::new(header).chain(source)))
}

/// A reader that gives nothing but this error.
pub(super) fn failing<'s>(error: Error) -> Box<dyn Read + 's> {
    struct Failing(Option<Error>);
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> Result<usize> {
            self.0.take().map_or(Ok(0), Err)
        }
    }
    Box::new(Failing(Some(error)))
}
