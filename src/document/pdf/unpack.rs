//! Decodes the filters of streams (ISO 32000-2, 7.4) within bounds, because the library that reads
//! objects has no bounds.

use std::io::Read;

use flate2::read::DeflateDecoder;

use crate::slice::SliceExt as _;

/// Unpacked bytes.
#[derive(Debug)]
pub(super) struct Unpacked {
    pub bytes: Vec<u8>,
    /// True if the packed data is damaged or cut; `bytes` are those before the damage.
    pub is_cut: bool,
}

/// Returns data after unpacking (DEFLATE); `None` if they are larger than `most`.
///
/// The header may be missing, and the checksum at the end is ignored, as in the library that reads
/// objects: the bytes that are bounded here must be those that are read there.
pub(super) fn inflated(packed: &[u8], most: u64) -> Option<Unpacked> {
    let mut bytes = Vec::new();
    let mut reader = DeflateDecoder::new(without_header(packed)).take(most + 1);
    let is_cut = reader.read_to_end(&mut bytes).is_err();
    (bytes.len() as u64 <= most).then_some(Unpacked { bytes, is_cut })
}

/// Returns the size of data after unpacking; `None` if it is larger than `most`.
pub(super) fn inflated_size(packed: &[u8], most: u64) -> Option<u64> {
    let mut reader = DeflateDecoder::new(without_header(packed)).take(most + 1);
    let mut buffer = [0; 8 << 10];
    let mut size = 0;
    loop {
        match reader.read(&mut buffer) {
            // Damage ends the data; the bytes before it count.
            Ok(0) | Err(_) => return (size <= most).then_some(size),
            Ok(count) => size += count as u64,
        }
    }
}

/// Returns packed data without the header of zlib (RFC 1950 §2.2), if there is one.
fn without_header(packed: &[u8]) -> &[u8] {
    match packed {
        [method, flags, rest @ ..]
            // Method 8 is DEFLATE, and the check bits make both bytes a multiple of 31. With a
            // preset dictionary (0x20), the name of the dictionary would follow, and not data.
            if method & 0x0f == 8
                && u16::from_be_bytes([*method, *flags]).is_multiple_of(31)
                && flags & 0x20 == 0 =>
        {
            rest
        }
        _ => packed,
    }
}

/// Decodes hexadecimal digits (ISO 32000-2, 7.4.2).
pub(super) fn hexadecimal(text: &[u8]) -> Vec<u8> {
    let end = memchr::memchr(b'>', text).unwrap_or(text.len());
    let digits = text.clamped(..end).iter().filter_map(|&byte| char::from(byte).to_digit(16));
    let mut digits: Vec<u8> = digits.map(|digit| digit as u8).collect();
    // A missing last digit counts as 0 (7.4.2).
    if digits.len() % 2 == 1 {
        digits.push(0);
    }
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect()
}

/// Decodes base 85 (ISO 32000-2, 7.4.3).
pub(super) fn base85(text: &[u8]) -> Vec<u8> {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"<~").unwrap_or(text);
    let mut decoded = Vec::with_capacity(text.len());
    let mut group = Vec::with_capacity(5);
    for &byte in text {
        match byte {
            b'~' => break,
            // `z` is short for `!!!!!`, and never part of a group (7.4.3).
            b'z' if group.is_empty() => decoded.extend([0; 4]),
            b'!'..=b'u' => group.push(byte - b'!'),
            _ => {}
        }
        if group.len() == 5 {
            push_group(&group, 4, &mut decoded);
            group.clear();
        }
    }
    // An incomplete group of digits gives one byte fewer than it has digits.
    if let Some(count) = group.len().checked_sub(1) {
        // The encoder rounded down when it cut the digits off. With the highest digit, 84, in their
        // place, the bytes that are kept come out as they were.
        group.resize(5, 84);
        push_group(&group, count, &mut decoded);
    }
    decoded
}

/// Adds the first bytes of a group of five digits.
fn push_group(group: &[u8], count: usize, decoded: &mut Vec<u8>) {
    let number = group
        .iter()
        .fold(0_u32, |number, &digit| number.wrapping_mul(85).wrapping_add(u32::from(digit)));
    decoded.extend(number.to_be_bytes().iter().take(count));
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(text).expect("packed");
        packer.finish().expect("packed")
    }

    #[test]
    fn text_of_ascii() {
        assert_eq!(hexadecimal(b"68 74 7\n4 7>00"), b"http");
        assert_eq!(base85(b"<~BQS?83\\N,~>"), b"http://");
        assert_eq!(base85(b"BQS?83\\N,dz~>"), b"http://\0\0\0\0\0");
    }

    #[test]
    fn data_that_are_cut_are_kept() {
        let text = b"http://a.example/ http://b.example/ http://c.example/".repeat(9);
        let whole = packed(&text);
        let unpacked = inflated(&whole, 1 << 20).expect("small");
        assert!(unpacked.bytes == text && !unpacked.is_cut);
        // The checksum at the end is not data.
        assert!(!inflated(whole.clamped(..whole.len() - 4), 1 << 20).expect("small").is_cut);
        let cut = inflated(whole.clamped(..whole.len() - 9), 1 << 20).expect("small");
        assert!(cut.is_cut);
        assert!(inflated(&whole, 100).is_none());
        assert!(inflated_size(whole.clamped(2..), 100).is_none(), "the header is missing");
    }
}
