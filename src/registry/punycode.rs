//! Decodes Punycode of one label (RFC 3492), as far as inspecting a host needs it.

use alloc::string::String;
use alloc::vec::Vec;

/// The longest label worth decoding: the DNS allows no longer one (RFC 1035 §2.3.4).
const MAX_LENGTH: usize = 63;

/// Decodes the text after `xn--`; returns `None` if it is not valid Punycode.
pub(crate) fn decode(encoded: &[u8]) -> Option<String> {
    // The parameters are those of RFC 3492 §5: the digits below, thresholds from 1 to 26, skew 38,
    // damp 700, bias 72, and the first code point 128.
    const BASE: u32 = 36;
    if encoded.len() > MAX_LENGTH || !encoded.is_ascii() {
        return None;
    }
    // The last hyphen separates the ASCII characters from the encoded ones (RFC 3492 §3.1).
    let (basic, extended) = match memchr::memrchr(b'-', encoded) {
        Some(at) => (&encoded[..at], &encoded[at + 1..]),
        None => (&encoded[..0], encoded),
    };
    let mut output: Vec<char> = basic.iter().map(|&b| char::from(b)).collect();
    let (mut code, mut index, mut bias) = (128u32, 0u32, 72u32);
    let mut digits = extended.iter().map(|&b| match b {
        b'a'..=b'z' => Some(u32::from(b - b'a')),
        b'A'..=b'Z' => Some(u32::from(b - b'A')),
        b'0'..=b'9' => Some(u32::from(b - b'0') + 26),
        _ => None,
    });
    while digits.len() > 0 {
        let (before, mut weight, mut k) = (index, 1u32, BASE);
        loop {
            // Every step is checked, since the input is not trusted (RFC 3492 §6.4).
            let digit = digits.next()??;
            index = index.checked_add(digit.checked_mul(weight)?)?;
            let threshold = k.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            k += BASE;
        }
        let length = output.len() as u32 + 1;
        bias = adapt(index - before, length, before == 0);
        code = code.checked_add(index / length)?;
        index %= length;
        // Moves the rest of the label. `MAX_LENGTH` bounds that.
        output.insert(index as usize, char::from_u32(code)?);
        index += 1;
    }
    Some(output.into_iter().collect())
}

/// The bias adaptation of RFC 3492 §6.1.
fn adapt(delta: u32, length: u32, first: bool) -> u32 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / length;
    let mut k = 0;
    while delta > 455 {
        delta /= 35;
        k += 36;
    }
    k + 36 * delta / (delta + 38)
}
