//! Checks identifiers that are numbers in a fixed shape: UUID, OID, LEI, EIDR and IMEI.

use super::fault::{NssFaultAt, NssFaultKind};
use super::parts::split;

/// `UUID = 4hexOctet "-" 2hexOctet "-" 2hexOctet "-" 2hexOctet "-" 6hexOctet` (RFC 9562 §4), in
/// any case, of any version.
pub(super) fn uuid(nss: &[u8]) -> Result<(), NssFaultAt> {
    shape(nss, &[8, 4, 4, 4, 12], u8::is_ascii_hexdigit)
}

/// `oid = number *( "." number )`, a number without leading zeros (RFC 3061 §2).
pub(super) fn oid(nss: &[u8]) -> Result<(), NssFaultAt> {
    numbers(nss)?;
    let mut parts = split(nss, b'.');
    match parts.find(|(_, number)| matches!(number, [b'0', _, ..])) {
        Some((at, _)) => Err((at, NssFaultKind::LeadingZero)),
        None => Ok(()),
    }
}

/// Checks for digits with dots between them, with no number empty.
pub(super) fn numbers(text: &[u8]) -> Result<(), NssFaultAt> {
    for (at, number) in split(text, b'.') {
        if let Some(wrong) = number.iter().position(|byte| !byte.is_ascii_digit()) {
            return Err((at + wrong, NssFaultKind::Character));
        }
        if number.is_empty() {
            return Err((at, NssFaultKind::EmptyPart));
        }
    }
    Ok(())
}

/// Checks an LEI (ISO 17442): 18 letters or digits and two digits. As one number, with letters as
/// 10 to 35, they leave the remainder 1 modulo 97 (ISO 7064).
pub(super) fn lei(nss: &[u8]) -> Result<(), NssFaultAt> {
    const LENGTH: usize = 20;
    shape(nss, &[LENGTH], u8::is_ascii_alphanumeric)?;
    if let Some(at) = nss.iter().skip(LENGTH - 2).position(|byte| !byte.is_ascii_digit()) {
        return Err((LENGTH - 2 + at, NssFaultKind::Character));
    }
    // A letter counts as two decimal digits, so it shifts the number by 100.
    let remainder = nss.iter().fold(0, |remainder, &byte| match byte {
        b'0'..=b'9' => (remainder * 10 + u32::from(byte - b'0')) % 97,
        _ => (remainder * 100 + u32::from(byte.to_ascii_lowercase() - b'a') + 10) % 97,
    });
    if remainder == 1 { Ok(()) } else { Err((LENGTH - 2, NssFaultKind::CheckDigit)) }
}

/// True if `digits`, the last of which may be an `X` for ten, end with their check digit by ISO
/// 7064 MOD 11-2, as in ORCID iDs. The caller has removed hyphens, which would count as zeros.
pub(crate) fn fits_mod_11_2(digits: &str) -> bool {
    let value = |c: char| if c == 'X' { 10 } else { c.to_digit(10).unwrap_or_default() };
    digits.chars().fold(0, |sum, c| (sum * 2 + value(c)) % 11) == 1
}

/// Checks `10.5240:`, five groups of four hexadecimal digits, and a check character by ISO 7064 MOD
/// 37,36 (RFC 7972 §2). Prefixes other than that of content have other suffixes, which are not
/// checked.
pub(super) fn eidr(nss: &[u8]) -> Result<(), NssFaultAt> {
    const CONTENT: &[u8] = b"10.5240:";
    let Some(suffix) = nss.strip_prefix(CONTENT) else {
        return Ok(());
    };
    let at = |(at, kind)| (CONTENT.len() + at, kind);
    shape(suffix, &[4, 4, 4, 4, 4, 1], u8::is_ascii_alphanumeric).map_err(at)?;
    let Some((check, groups)) = suffix.split_last() else { return Ok(()) };
    // ISO 7064 MOD 37,36 is a hybrid system: it sums modulo 36 and doubles modulo 37, where a sum
    // of 0 counts as 36.
    let mut product = 36;
    for (index, &byte) in groups.iter().enumerate().filter(|(_, byte)| **byte != b'-') {
        let Some(value) = char::from(byte).to_digit(16) else {
            return Err(at((index, NssFaultKind::Character)));
        };
        product = match (product + value) % 36 {
            0 => 36 * 2 % 37,
            sum => sum * 2 % 37,
        };
    }
    let check = char::from(*check).to_digit(36).unwrap_or_default();
    if (product + check) % 36 == 1 {
        Ok(())
    } else {
        Err(at((groups.len(), NssFaultKind::CheckDigit)))
    }
}

/// Checks `imei:` with `tac "-" snr "-" spare` of 8, 6 and 1 digits, and parameters after `;` (RFC
/// 7254 §4). Words other than `imei` are GSMA's own, and are not checked.
pub(super) fn gsma(nss: &[u8]) -> Result<(), NssFaultAt> {
    const IMEI: &[u8] = b"imei:";
    match nss.split_at_checked(IMEI.len()) {
        Some((word, rest)) if word.eq_ignore_ascii_case(IMEI) => {
            let (_, imei) = split(rest, b';').next().unwrap_or_default();
            shape(imei, &[8, 6, 1], u8::is_ascii_digit)
                .map_err(|(at, kind)| (IMEI.len() + at, kind))
        }
        _ => Ok(()),
    }
}

/// Checks for groups of the given lengths, of characters that satisfy `is`, joined by hyphens.
fn shape(text: &[u8], groups: &[usize], is: fn(&u8) -> bool) -> Result<(), NssFaultAt> {
    let mut at = 0;
    for (index, &length) in groups.iter().enumerate() {
        if index > 0 {
            match text.get(at) {
                Some(b'-') => at += 1,
                Some(_) => return Err((at, NssFaultKind::Character)),
                None => return Err((at, NssFaultKind::TooShort)),
            }
        }
        for _ in 0..length {
            match text.get(at) {
                Some(byte) if is(byte) => at += 1,
                Some(_) => return Err((at, NssFaultKind::Character)),
                None => return Err((at, NssFaultKind::TooShort)),
            }
        }
    }
    if at < text.len() { Err((at, NssFaultKind::TooLong)) } else { Ok(()) }
}
