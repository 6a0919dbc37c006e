//! The compression methods of coders (Methods.txt of the LZMA SDK, and the additions of 7-Zip
//! Zstandard).

use std::borrow::Cow;
use std::io::{BufRead, BufReader, ErrorKind, Read, Result};

use flate2::bufread::DeflateDecoder;
use lzma_rust2::filter::bcj::BcjReader;
use lzma_rust2::filter::delta::DeltaReader;
use lzma_rust2::{FilterType, Lzma2Reader, LzmaReader, lzma_get_memory_usage_by_props};

use super::record::Coder;
use crate::archive::compression::{
    Brotli, Bzip2, Lz4, SmallReads, Zstd, failing, lzma_memory, lzma2_window,
};
use crate::archive::reader::Compression;
use crate::archive::stream::{FusedStream, StreamRole};
use crate::archive::walker::ArchiveWalk;
use crate::archive::{ArchiveFormat, ArchiveLimits, WalkResult};

/// Bytes read at a time from a file, or between two coders.
const BUFFER_BYTES: u64 = 32 << 10;
const MIN_WINDOW_BYTES: u64 = 4 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoderMethod {
    Copy,
    Encrypted,
    /// In a format with a header of its own.
    Framed(FramedFormat),
    /// `props` packs the parameters lc, lp and pb.
    Lzma {
        props: u8,
        window: u32,
    },
    Lzma2 {
        window: u32,
    },
    /// RFC 1951.
    Deflate,
    /// Filter that stores differences to the bytes `distance` before.
    Delta {
        distance: usize,
    },
    /// Filter for machine code that makes branch targets absolute.
    Branches {
        filter: FilterType,
        start: usize,
    },
}

/// A format with a header of its own that a coder may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FramedFormat {
    Bzip2,
    Zstd,
    Brotli,
    Lz4,
}

impl FramedFormat {
    fn compression(self) -> &'static dyn Compression {
        match self {
            Self::Bzip2 => &Bzip2,
            Self::Zstd => &Zstd,
            Self::Brotli => &Brotli,
            Self::Lz4 => &Lz4,
        }
    }
}

/// The end of a sentence that says why a coder is not supported, such as `packed by BCJ2`.
pub(super) type UnsupportedReason = Cow<'static, str>;

impl CoderMethod {
    pub fn from_coder(coder: &Coder<'_>) -> std::result::Result<Self, UnsupportedReason> {
        let properties = coder.properties;
        let method = match coder.method {
            0 => Some(Self::Copy),
            0x06_f1_07_01 => Some(Self::Encrypted),
            0x04_02_02 => Some(Self::Framed(FramedFormat::Bzip2)),
            0x04_f7_11_01 => Some(Self::Framed(FramedFormat::Zstd)),
            0x04_f7_11_02 => Some(Self::Framed(FramedFormat::Brotli)),
            0x04_f7_11_04 => Some(Self::Framed(FramedFormat::Lz4)),
            0x04_01_08 => Some(Self::Deflate),
            0x21 => lzma2(properties),
            0x03_01_01 => lzma(properties),
            // The property byte is one less than the distance.
            0x03 => properties.first().map(|&less| Self::Delta { distance: usize::from(less) + 1 }),
            // These are the method numbers of xz, and the older ones.
            number @ 0x04..=0x0b => branches(number, properties),
            0x03_03_01_03 => branches(0x04, properties),
            0x03_03_02_05 => branches(0x05, properties),
            0x03_03_04_01 => branches(0x06, properties),
            0x03_03_05_01 => branches(0x07, properties),
            0x03_03_07_01 => branches(0x08, properties),
            0x03_03_08_05 => branches(0x09, properties),
            0x03_03_01_1b => return Err("packed by BCJ2".into()),
            0x03_04_01 => return Err("packed by PPMd".into()),
            0x04_01_09 => return Err("packed by Deflate64".into()),
            other => return Err(format!("packed by method {other:02X}").into()),
        };
        method.ok_or_else(|| "packed with invalid properties of its coder".into())
    }

    /// False if the output is as long as the input: for filters, encryption, and copies.
    pub fn packs(self) -> bool {
        matches!(self, Self::Framed(_) | Self::Lzma { .. } | Self::Lzma2 { .. } | Self::Deflate)
    }

    /// Returns the window of a decoder whose output has `size` bytes; 0 if it is small or read from
    /// the input.
    fn window(self, size: u64) -> u64 {
        match self {
            Self::Lzma { window, .. } | Self::Lzma2 { window } => {
                // Writers declare the window of the compression level even for short data. No more
                // than the output is ever needed.
                u64::from(window).min(size).max(MIN_WINDOW_BYTES)
            }
            _ => 0,
        }
    }

    /// Decodes the first `size` bytes of the output. The output of a filter was already counted
    /// when its input was unpacked.
    pub fn decode<'l: 's, 's>(
        self,
        walk: &mut ArchiveWalk<'l, '_>,
        source: Box<dyn BufRead + 's>,
        size: u64,
    ) -> WalkResult<Box<dyn BufRead + 's>> {
        let decoder = match self {
            Self::Copy | Self::Encrypted => return Ok(Box::new(source.take(size))),
            Self::Framed(format) => walk.decoder(format.compression(), source)?,
            raw => {
                let limits = walk.reserve_window(raw.window(size))?;
                raw.open(source, size, &limits).unwrap_or_else(failing)
            }
        };
        let unpacked = StreamRole::Unpacked(ArchiveFormat::SevenZip);
        let role = if self.packs() { unpacked } else { StreamRole::PassThrough };
        Ok(buffered(FusedStream::new(decoder.take(size), role, walk.ledger), size))
    }

    fn open<'s>(
        self,
        source: Box<dyn BufRead + 's>,
        size: u64,
        limits: &ArchiveLimits,
    ) -> Result<Box<dyn Read + 's>> {
        let too_large = || Err(ErrorKind::OutOfMemory.into());
        let window = self.window(size);
        if window > limits.window.into() {
            return too_large();
        }
        let window = u32::try_from(window).unwrap_or(u32::MAX);
        Ok(match self {
            Self::Copy | Self::Encrypted | Self::Framed(_) => Box::new(source),
            Self::Lzma { props, .. } => {
                if lzma_get_memory_usage_by_props(window, props)? > lzma_memory(limits) {
                    return too_large();
                }
                let reader = LzmaReader::new_with_props(source, size, props, window, None)?;
                Box::new(SmallReads::new(reader))
            }
            Self::Lzma2 { .. } => Box::new(SmallReads::new(Lzma2Reader::new(source, window, None))),
            Self::Deflate => Box::new(DeflateDecoder::new(source)),
            Self::Delta { distance } => Box::new(DeltaReader::new(source, distance)),
            Self::Branches { filter: kind, start } => {
                Box::new(SmallReads::new(branch_filter(kind, source, start)?))
            }
        })
    }
}

/// Parses the five bytes of properties.
fn lzma(properties: &[u8]) -> Option<CoderMethod> {
    let (&props, window) = properties.split_first()?;
    let window = u32::from_le_bytes(*window.first_chunk()?);
    Some(CoderMethod::Lzma { props, window })
}

/// Parses the properties byte.
fn lzma2(properties: &[u8]) -> Option<CoderMethod> {
    // 40 stands for the largest window, 4 GiB less one byte (xz file format, 5.3.1).
    let bits = properties.first().copied().filter(|bits| *bits <= 40)?;
    Some(CoderMethod::Lzma2 { window: lzma2_window(bits) })
}

/// Parses the properties, which may hold the start offset of the code.
fn branches(number: u64, properties: &[u8]) -> Option<CoderMethod> {
    let of = FilterType::try_from(number).ok()?;
    // The offset at which the addresses start is optional (xz file format, 5.3.2).
    let start = match properties {
        [] => 0,
        start => usize::try_from(u32::from_le_bytes(start.try_into().ok()?)).ok()?,
    };
    Some(CoderMethod::Branches { filter: of, start })
}

fn branch_filter<R>(of: FilterType, source: R, start: usize) -> Result<BcjReader<R>> {
    let new = match of {
        FilterType::BcjX86 => BcjReader::new_x86,
        FilterType::BcjPpc => BcjReader::new_ppc,
        FilterType::BcjIa64 => BcjReader::new_ia64,
        FilterType::BcjArm => BcjReader::new_arm,
        FilterType::BcjArmThumb => BcjReader::new_arm_thumb,
        FilterType::BcjSparc => BcjReader::new_sparc,
        FilterType::BcjArm64 => BcjReader::new_arm64,
        FilterType::BcjRiscv => BcjReader::new_riscv,
        FilterType::Delta | FilterType::Lzma2 => return Err(ErrorKind::Unsupported.into()),
    };
    Ok(new(source, start))
}

pub(super) fn buffered<'s>(source: impl Read + 's, size: u64) -> Box<dyn BufRead + 's> {
    let room = size.clamp(1, BUFFER_BYTES) as usize;
    Box::new(BufReader::with_capacity(room, source))
}
