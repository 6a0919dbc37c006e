//! Archives: one format a file. Each goes through its members in order and gives their bytes on.

pub(super) mod ar;
mod checked;
mod claims;
pub(super) mod seven_zip;
pub(super) mod tar;
pub(super) mod warc;
pub(super) mod zip;

/// The text of a field that is filled up with zeros.
fn until_zero(field: &[u8]) -> &[u8] {
    field.split(|&byte| byte == 0).next().unwrap_or(field)
}
