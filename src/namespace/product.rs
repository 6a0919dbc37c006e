//! Checks EPCs: GS1 keys as pure identities (EPC Tag Data Standard §6.3).

use super::fault::{NssFaultAt, NssFaultKind};
use super::parts::split;
use crate::slice::SliceExt;

/// Number of digits in a GS1 company prefix (GS1 General Specifications §1.4.4).
const COMPANY: core::ops::RangeInclusive<usize> = 6..=12;

/// Checks `id:SCHEME:COMPANY.REFERENCE[.SERIAL]`: company prefix and reference together have the
/// digits of the key without its check digit. Classes, patterns, tags and other schemes are not
/// checked.
pub(super) fn epc(nss: &[u8]) -> Result<(), NssFaultAt> {
    let mut words = split(nss, b':');
    let (_, kind) = words.next().unwrap_or_default();
    let Some((at, scheme)) = words.next() else {
        return Err((nss.len(), NssFaultKind::TooShort));
    };
    if kind != b"id" {
        return Ok(());
    }
    // The number of digits without the check digit, which an EPC leaves out.
    let digits = match scheme {
        b"sgtin" => 13,
        b"sscc" | b"gsrn" | b"gsrnp" => 17,
        b"sgln" | b"grai" | b"gdti" | b"sgcn" => 12,
        _ => return Ok(()),
    };
    let start = at + scheme.len() + 1;
    let mut fields = split(nss.clamped(start..), b'.');
    let mut total = 0;
    for first in [true, false] {
        let Some((at, field)) = fields.next() else {
            return Err((nss.len(), NssFaultKind::TooShort));
        };
        let at = start + at;
        if let Some(wrong) = field.iter().position(|byte| !byte.is_ascii_digit()) {
            return Err((at + wrong, NssFaultKind::Character));
        }
        if first && !COMPANY.contains(&field.len()) {
            return Err((at, NssFaultKind::Length));
        }
        total += field.len();
        // The digits of the reference complement those of the company prefix: a longer prefix
        // leaves fewer references.
        if !first && total != digits {
            return Err((at, NssFaultKind::Length));
        }
    }
    Ok(())
}
