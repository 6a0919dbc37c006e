//! Identifiers that are numbers, most of them with a check digit.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::canonical::Identifier;
use super::kind::IdentifierKind;
use crate::namespace::{check_isbn, check_issn, fits_mod_11_2};

/// Ten digits become thirteen: `978`, nine digits, and another check digit (ISO 2108).
pub(super) fn isbn(text: &str) -> Option<Identifier> {
    check_isbn(text.as_bytes()).ok()?;
    let mut digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_short = text.bytes().filter(|&byte| byte != b'-').count() == 10;
    if is_short {
        digits = format!("978{}", digits.get(..9)?);
        digits.push(ean_check_digit(&digits));
    }
    Some(Identifier::new(IdentifierKind::Isbn, digits))
}

/// Returns the check digit of twelve digits: weights 1 and 3 in turn, modulo 10 (ISO 15420).
fn ean_check_digit(digits: &str) -> char {
    let digits = digits.chars().filter_map(|c| c.to_digit(10));
    let sum: u32 =
        digits.zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum();
    char::from_digit((10 - sum % 10) % 10, 10).unwrap_or('0')
}

pub(super) fn issn(text: &str) -> Option<Identifier> {
    check_issn(text.as_bytes()).ok()?;
    let digits = text.replace('-', "").to_ascii_uppercase();
    let (front, back) = digits.split_at_checked(4)?;
    Some(Identifier::new(IdentifierKind::Issn, format!("{front}-{back}")))
}

/// Sixteen digits, the last of which may be `X`, with or without hyphens.
pub(super) fn orcid(text: &str) -> Option<Identifier> {
    let digits = text.replace('-', "").to_ascii_uppercase();
    let is_number =
        digits.bytes().enumerate().all(|(at, b)| b.is_ascii_digit() || at == 15 && b == b'X');
    if digits.len() != 16 || !is_number || !fits_mod_11_2(&digits) {
        return None;
    }
    let groups = [digits.get(..4)?, digits.get(4..8)?, digits.get(8..12)?, digits.get(12..)?];
    // Hyphens between other digits are a different number to a reader.
    if text.contains('-') && !text.eq_ignore_ascii_case(&groups.join("-")) {
        return None;
    }
    Some(Identifier::new(IdentifierKind::Orcid, groups.join("-")))
}

/// One to nine digits; PubMed counts from 1 and does not pad.
pub(super) fn pmid(text: &str) -> Option<Identifier> {
    is_count(text).then(|| Identifier::new(IdentifierKind::Pmid, text.to_owned()))
}

/// `PMC` and a number, or only the number.
pub(super) fn pmcid(text: &str) -> Option<Identifier> {
    let upper = text.to_ascii_uppercase();
    let number = upper.strip_prefix("PMC").unwrap_or(&upper);
    is_count(number).then(|| Identifier::new(IdentifierKind::Pmcid, format!("PMC{number}")))
}

fn is_count(text: &str) -> bool {
    (1..=9).contains(&text.len())
        && !text.starts_with('0')
        && text.bytes().all(|b| b.is_ascii_digit())
}
