//! Archives: one format per file. Each passes its members on in order.

mod ar;
mod checksummed;
mod claims;
mod seven_zip;
mod tar;
mod warc;
mod zip;

pub(super) use ar::Ar;
pub(super) use seven_zip::SevenZip;
pub(super) use tar::Tar;
pub(super) use warc::Warc;
pub(super) use zip::Zip;

/// Returns the text of a field that is padded with zeros.
fn until_zero(field: &[u8]) -> &[u8] {
    field.split(|&byte| byte == 0).next().unwrap_or(field)
}
