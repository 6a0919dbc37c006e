//! Decodes UTF-7 (RFC 2152), the Unicode of seven-bit mail.

use crate::offset_map::OffsetMap;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Appends the text of `source`. Each shifted sequence maps as a whole; an empty one is copied.
pub(super) fn utf7(source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) {
    let mut at = 0;
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        let plain = memchr::memchr(b'+', rest).unwrap_or(rest.len());
        text.extend_from_slice(rest.part(..plain));
        map.copy(plain, at);
        at += plain;
        let Some(shifted) = source.get(at + 1..) else {
            continue;
        };
        let length =
            shifted.iter().take_while(|&&byte| super::base64::value(byte).is_some()).count();
        // The `-` that ends a shifted sequence belongs to it; any other character does not (RFC
        // 2152).
        let closed = usize::from(shifted.get(length) == Some(&b'-'));
        let span = Span::new(at, at + 1 + length + closed);
        let start = text.len();
        match length {
            // `+-` stands for `+`.
            0 => text.push(b'+'),
            _ => decode(shifted.part(..length), text),
        }
        match text.len() - start {
            0 => {
                text.extend_from_slice(source.part(span.range()));
                map.copy(span.len(), at);
            }
            made => map.replace(made, span),
        }
        at = span.end();
    }
}

/// Decodes UTF-16 in base64 without padding.
fn decode(digits: &[u8], text: &mut Vec<u8>) {
    let (mut bits, mut count) = (0u32, 0u32);
    let units = digits.iter().filter_map(|&digit| {
        bits = bits << 6 | super::base64::value(digit)?;
        count += 6;
        if count < 16 {
            return None;
        }
        count -= 16;
        let unit = (bits >> count) as u16;
        bits &= (1 << count) - 1;
        Some(unit)
    });
    for char in char::decode_utf16(units) {
        let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
    }
}
