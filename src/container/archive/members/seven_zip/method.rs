//! The compression methods of coders (Methods.txt of the LZMA SDK, and the additions of 7-Zip Zstandard).

use std::borrow::Cow;

use lzma_rust2::FilterType;

use super::record::Coder;
use crate::container::archive::ArchiveFormat;
use crate::container::archive::compression::RawMethod;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoderMethod {
    Copy,
    Raw(RawMethod),
    /// In a format with a header of its own.
    Framed(ArchiveFormat),
    Encrypted,
}

/// Why a coder is not read, for people: `packed by BCJ2`.
pub(super) type Unread = Cow<'static, str>;

impl CoderMethod {
    /// False for filters, whose output is as long as their input.
    pub fn packs(self) -> bool {
        match self {
            Self::Copy | Self::Encrypted => false,
            Self::Raw(raw) => !raw.is_filter(),
            Self::Framed(_) => true,
        }
    }

    pub fn of(coder: &Coder<'_>) -> Result<Self, Unread> {
        let properties = coder.properties;
        let raw = match coder.method {
            0 => return Ok(Self::Copy),
            0x04_02_02 => return Ok(Self::Framed(ArchiveFormat::Bzip2)),
            0x04_f7_11_01 => return Ok(Self::Framed(ArchiveFormat::Zstd)),
            0x04_f7_11_02 => return Ok(Self::Framed(ArchiveFormat::Brotli)),
            0x04_f7_11_04 => return Ok(Self::Framed(ArchiveFormat::Lz4)),
            0x06_f1_07_01 => return Ok(Self::Encrypted),
            0x03 => delta(properties),
            0x21 => RawMethod::lzma2(properties),
            0x03_01_01 => RawMethod::lzma(properties),
            0x04_01_08 => Some(RawMethod::Deflate),
            // The numbers of xz.
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
        raw.map(Self::Raw).ok_or_else(|| "packed in a way that its coders do not tell".into())
    }
}

/// The byte is one less than the distance.
fn delta(properties: &[u8]) -> Option<RawMethod> {
    let distance = usize::from(*properties.first()?) + 1;
    Some(RawMethod::Delta { distance })
}

/// The properties may hold the start offset of the code.
fn branches(number: u64, properties: &[u8]) -> Option<RawMethod> {
    let of = FilterType::try_from(number).ok()?;
    let start = match properties {
        [] => 0,
        start => usize::try_from(u32::from_le_bytes(start.try_into().ok()?)).ok()?,
    };
    Some(RawMethod::Branches { of, start })
}
