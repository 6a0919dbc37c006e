//! Compressed streams: one format a file, and those whose crates read everything here.
//!
//! Every decoder reads all frames, streams or members that follow each other, checks what checksums there
//! are, and ends in an error when the input ends too early.

mod frames;
mod gzip;
mod lz4;
mod lzma;
mod lzw;
mod pieces;
mod raw;
mod window;
mod zstd;

use std::io::{BufRead, Read, Result};

pub(super) use raw::Raw;
pub(super) use window::window;

use pieces::Pieces;

use super::{Format, Limits};

/// How much of a stream that need not end is decoded at a time.
const ROOM: usize = 32 << 10;

/// What `source` unpacks to; `None` when the format is that of an archive.
pub(super) fn open<'s>(
    format: Format,
    source: Box<dyn BufRead + 's>,
    limits: &Limits,
) -> Option<Box<dyn Read + 's>> {
    Some(match format {
        Format::Gzip => Box::new(frames::Frames::<gzip::Member<_>>::new(source, limits)),
        Format::Zstd => Box::new(frames::Frames::<zstd::Frame<_>>::new(source, limits)),
        Format::Lz4 => Box::new(frames::Frames::<lz4::Frame<_>>::new(source, limits)),
        Format::Zlib => Box::new(flate2::bufread::ZlibDecoder::new(source)),
        Format::Bzip2 => Box::new(Pieces::new(bzip2::bufread::MultiBzDecoder::new(source))),
        Format::Brotli => Box::new(brotli_decompressor::Decompressor::new(source, ROOM)),
        Format::Compress => Box::new(lzw::Decoder::new(source)),
        Format::Xz => lzma::xz(source, limits),
        Format::Lzip => lzma::lzip(source, limits),
        Format::Lzma => lzma::alone(source, limits),
        Format::Zip | Format::Tar | Format::Ar | Format::SevenZip => return None,
    })
}

/// A reader that fails.
fn failing<'s>(error: std::io::Error) -> Box<dyn Read + 's> {
    struct Failing(Option<std::io::Error>);
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> Result<usize> {
            self.0.take().map_or(Ok(0), Err)
        }
    }
    Box::new(Failing(Some(error)))
}
