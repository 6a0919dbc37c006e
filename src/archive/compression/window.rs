//! The window of a decoder, so how much memory it needs, from the first bytes of its input.

use crate::archive::ArchiveFormat;

/// The window in bytes of a stream that starts with `head`; 0 if that is too short to say. `None` for
/// formats whose windows are small.
pub(in crate::archive) fn window(format: ArchiveFormat, head: &[u8]) -> Option<u64> {
    let window = match format {
        ArchiveFormat::Xz => xz(head),
        ArchiveFormat::Lzma => head.get(1..5).map(|size| little_endian(size).min(u32::MAX.into())),
        ArchiveFormat::Lzip => head.get(5).map(|&byte| lzip(byte)),
        ArchiveFormat::Zstd => zstd(head),
        ArchiveFormat::Brotli => head.first().map(|&byte| brotli(byte)),
        // Some hundred KiB, or 4 MiB with lz4 and bzip2.
        _ => return None,
    };
    Some(window.unwrap_or(0))
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The first block (The .xz File Format, sections 3.1 and 5.3.1): sizes that may be left out, then filters.
fn xz(head: &[u8]) -> Option<u64> {
    const LZMA2: u64 = 0x21;
    let mut block = head.get(12 + 1..)?.iter().copied();
    let flags = block.next()?;
    let number = |block: &mut dyn Iterator<Item = u8>| -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = block.next()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    };
    for size in [0x40, 0x80] {
        if flags & size != 0 {
            number(&mut block)?;
        }
    }
    for _ in 0..=flags & 3 {
        let filter = number(&mut block)?;
        let length = number(&mut block)?;
        if filter == LZMA2 {
            return Some(lzma2(block.next()? & 0x3f).into());
        }
        for _ in 0..length {
            block.next()?;
        }
    }
    None
}

/// Two or three times a power of two; 40 means 4 GiB less one.
pub(in crate::archive) fn lzma2(bits: u8) -> u32 {
    match bits {
        0..40 => (2 | u32::from(bits & 1)) << (bits / 2 + 11),
        _ => u32::MAX,
    }
}

/// A power of two less some sixteenths of it.
pub(super) fn lzip(byte: u8) -> u64 {
    let power = 1 << (byte & 0x1f);
    power - power / 16 * u64::from(byte >> 5)
}

/// The window descriptor, or the size of a frame that is one segment (RFC 8878 sections 3.1.1.1.2 and 3.1.1.1.4).
fn zstd(head: &[u8]) -> Option<u64> {
    let descriptor = match head {
        [0x28, 0xb5, 0x2f, 0xfd, descriptor, ..] => *descriptor,
        _ => return None,
    };
    let rest = head.get(5..)?;
    if descriptor & 0x20 == 0 {
        let byte = *rest.first()?;
        let power = 1 << (10 + (byte >> 3));
        return Some(power + power / 8 * u64::from(byte & 7));
    }
    let skipped = [0, 1, 2, 4].get(usize::from(descriptor & 3))?;
    let length = 1 << (descriptor >> 6);
    let size = little_endian(rest.get(*skipped..skipped + length)?);
    Some(if length == 2 { size + 256 } else { size })
}

/// WBITS (RFC 7932 section 9.1).
fn brotli(byte: u8) -> u64 {
    let bits = match (byte & 1, byte >> 1 & 7, byte >> 4 & 7) {
        (0, ..) => 16,
        (_, 0, 0) => 17,
        (_, 0, more) => 8 + more,
        (_, more, _) => 17 + more,
    };
    1 << bits
}
