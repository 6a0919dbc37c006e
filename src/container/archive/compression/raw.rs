//! Streams without a header: the archive says the method and its parameters.

use std::io::{BufRead, Error, ErrorKind, Read, Result};

use flate2::bufread::DeflateDecoder;
use lzma_rust2::filter::bcj::BcjReader;
use lzma_rust2::filter::delta::DeltaReader;
use lzma_rust2::{FilterType, Lzma2Reader, LzmaReader, lzma_get_memory_usage_by_props};

use super::lzma::memory;
use super::small_reads::SmallReads;
use super::{failing, window};
use crate::container::archive::ArchiveLimits;

const LEAST: u64 = 4 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::container::archive) enum RawMethod {
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
    /// Differences to the bytes `distance` before.
    Delta {
        distance: usize,
    },
    /// Code of a processor, with the targets of its branches made absolute.
    Branches {
        of: FilterType,
        start: usize,
    },
}

impl RawMethod {
    /// From the five bytes of properties.
    pub fn lzma(properties: &[u8]) -> Option<Self> {
        let (&props, window) = properties.split_first()?;
        let window = u32::from_le_bytes(*window.first_chunk()?);
        Some(Self::Lzma { props, window })
    }

    /// From the properties byte.
    pub fn lzma2(properties: &[u8]) -> Option<Self> {
        let bits = properties.first().copied().filter(|bits| *bits <= 40)?;
        let window = window::lzma2(bits);
        Some(Self::Lzma2 { window })
    }

    /// True if the output is as long as the input.
    pub fn is_filter(self) -> bool {
        matches!(self, Self::Delta { .. } | Self::Branches { .. })
    }

    /// The window of a decoder whose output has `size` bytes.
    pub fn window(self, size: u64) -> u64 {
        match self {
            Self::Lzma { window, .. } | Self::Lzma2 { window } => {
                u64::from(window).min(size).max(LEAST)
            }
            Self::Deflate | Self::Delta { .. } | Self::Branches { .. } => 0,
        }
    }

    /// Decodes `source`, of which `size` bytes are needed.
    pub fn open<'s>(
        self,
        source: Box<dyn BufRead + 's>,
        size: u64,
        limits: &ArchiveLimits,
    ) -> Box<dyn Read + 's> {
        match self.decoder(source, size, limits) {
            Ok(decoder) => decoder,
            Err(error) => failing(error),
        }
    }

    fn decoder<'s>(
        self,
        source: Box<dyn BufRead + 's>,
        size: u64,
        limits: &ArchiveLimits,
    ) -> Result<Box<dyn Read + 's>> {
        let window = self.window(size);
        if window > limits.window.into() {
            return Err(ErrorKind::OutOfMemory.into());
        }
        let window = u32::try_from(window).unwrap_or(u32::MAX);
        Ok(match self {
            Self::Lzma { props, .. } => {
                if lzma_get_memory_usage_by_props(window, props)? > memory(limits) {
                    return Err(ErrorKind::OutOfMemory.into());
                }
                let reader = LzmaReader::new_with_props(source, size, props, window, None)?;
                Box::new(SmallReads::new(reader))
            }
            Self::Lzma2 { .. } => Box::new(SmallReads::new(Lzma2Reader::new(source, window, None))),
            Self::Deflate => Box::new(DeflateDecoder::new(source)),
            Self::Delta { distance } => Box::new(DeltaReader::new(source, distance)),
            Self::Branches { of, start } => Box::new(SmallReads::new(branches(of, source, start)?)),
        })
    }
}

fn branches<R>(of: FilterType, source: R, start: usize) -> Result<BcjReader<R>> {
    let new = match of {
        FilterType::BcjX86 => BcjReader::new_x86,
        FilterType::BcjPpc => BcjReader::new_ppc,
        FilterType::BcjIa64 => BcjReader::new_ia64,
        FilterType::BcjArm => BcjReader::new_arm,
        FilterType::BcjArmThumb => BcjReader::new_arm_thumb,
        FilterType::BcjSparc => BcjReader::new_sparc,
        FilterType::BcjArm64 => BcjReader::new_arm64,
        FilterType::BcjRiscv => BcjReader::new_riscv,
        FilterType::Delta | FilterType::Lzma2 => {
            return Err(Error::from(ErrorKind::Unsupported));
        }
    };
    Ok(new(source, start))
}
