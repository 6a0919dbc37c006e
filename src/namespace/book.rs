//! Checks ISBN and ISSN: digits, hyphens without meaning, and a check digit.

use super::fault::{NssFaultAt, NssFaultKind};

/// Checks an ISBN (ISO 2108): 10 digits, the last of which may be `X`, or 13 that start with 978 or
/// 979. Hyphens are allowed between two digits.
pub(crate) fn isbn(nss: &[u8]) -> Result<(), NssFaultAt> {
    let (digits, count) = digits::<13>(nss)?;
    match count {
        10 => ten(&digits[..10], nss),
        13 => {
            if let Some(at) = nss.iter().position(|byte| matches!(byte, b'x' | b'X')) {
                return Err((at, NssFaultKind::Character));
            }
            if digits[..3] != [9, 7, 8] && digits[..3] != [9, 7, 9] {
                return Err((0, NssFaultKind::Prefix));
            }
            // ISBN-13 weighs its digits with 1 and 3 in turn, modulo 10, like any EAN-13.
            let sum: u32 = digits.iter().zip([1, 3].iter().cycle()).map(|(d, w)| d * w).sum();
            check(sum.is_multiple_of(10), nss)
        }
        _ => Err((nss.len(), NssFaultKind::Length)),
    }
}

/// Checks an ISSN (ISO 3297): 8 digits, the last of which may be `X`, with a hyphen in the middle.
/// RFC 3044 assumes the hyphen, but lists without it are common.
pub(crate) fn issn(nss: &[u8]) -> Result<(), NssFaultAt> {
    let (digits, count) = digits::<8>(nss)?;
    if count != 8 {
        return Err((nss.len(), NssFaultKind::Length));
    }
    match nss.iter().position(|&byte| byte == b'-') {
        Some(at) if at != 4 => return Err((at, NssFaultKind::Character)),
        Some(_) if nss.len() != 9 => {
            let second = nss.iter().rposition(|&byte| byte == b'-');
            return Err((second.unwrap_or_default(), NssFaultKind::Character));
        }
        _ => {}
    }
    ten(&digits, nss)
}

/// Checks the check digit of ISBN-10 and ISSN: weights that descend to 1, modulo 11, `X` for ten.
fn ten(digits: &[u32], nss: &[u8]) -> Result<(), NssFaultAt> {
    let sum: u32 = digits.iter().rev().zip(1..).map(|(digit, weight)| digit * weight).sum();
    check(sum.is_multiple_of(11), nss)
}

fn check(fits: bool, nss: &[u8]) -> Result<(), NssFaultAt> {
    if fits { Ok(()) } else { Err((nss.len().saturating_sub(1), NssFaultKind::CheckDigit)) }
}

/// Reads up to `N` digits with single hyphens between them, and their count. An `X` counts as ten
/// and must be last.
fn digits<const N: usize>(nss: &[u8]) -> Result<([u32; N], usize), NssFaultAt> {
    let (mut digits, mut count) = ([0; N], 0);
    for (at, &byte) in nss.iter().enumerate() {
        // `X` is a check digit only at the end; elsewhere it is an invalid character.
        let last = at + 1 == nss.len();
        let value = match byte {
            b'0'..=b'9' => u32::from(byte - b'0'),
            b'x' | b'X' if last => 10,
            b'-' if !last && at > 0 && nss[at - 1] != b'-' => continue,
            _ => return Err((at, NssFaultKind::Character)),
        };
        let Some(digit) = digits.get_mut(count) else {
            return Err((at, NssFaultKind::Length));
        };
        *digit = value;
        count += 1;
    }
    Ok((digits, count))
}
