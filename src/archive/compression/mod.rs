//! Compressed streams: one format per file.

mod brotli;
mod bzip2;
mod compress;
mod frames;
mod gzip;
mod lz4;
mod lzip;
mod lzma;
mod skippable;
mod small_reads;
mod xz;
mod zlib;
mod zstd;

use std::io::{Error, Read, Result};

pub(super) use brotli::Brotli;
pub(super) use bzip2::Bzip2;
pub(super) use compress::Compress;
pub(super) use gzip::Gzip;
pub(super) use lz4::Lz4;
pub(super) use lzip::Lzip;
pub(super) use lzma::Lzma;
pub(super) use small_reads::SmallReads;
pub(super) use xz::Xz;
pub(super) use zlib::Zlib;
pub(super) use zstd::Zstd;

use super::ArchiveLimits;

/// Bytes decoded at a time from a stream without an end mark.
const BUFFER_BYTES: usize = 32 << 10;

/// Returns the memory for an LZMA decoder in KiB: its dictionary and its other state.
pub(super) fn lzma_memory(limits: &ArchiveLimits) -> u32 {
    (limits.window >> 10).saturating_add(1 << 10)
}

/// The window of LZMA2: two or three times a power of two; 40 means 4 GiB less one.
pub(super) fn lzma2_window(bits: u8) -> u32 {
    match bits {
        0..40 => (2 | u32::from(bits & 1)) << (bits / 2 + 11),
        _ => u32::MAX,
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// A reader that fails once, and is then at its end.
pub(super) fn failing<'s>(error: Error) -> Box<dyn Read + 's> {
    struct Failing(Option<Error>);
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> Result<usize> {
            self.0.take().map_or(Ok(0), Err)
        }
    }
    Box::new(Failing(Some(error)))
}
