//! The attributes of TNEF (MS-OXTNEF 2.1.3).

use super::SIGNATURE;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Bytes of the signature and the key of attachments.
const HEADER_BYTES: usize = SIGNATURE.len() + 2;

/// Attributes that are read, by id. Others are skipped.
pub(super) const SUBJECT: u32 = 0x0001_8004;
pub(super) const BODY: u32 = 0x0002_800c;
pub(super) const MESSAGE_PROPERTIES: u32 = 0x0006_9003;
pub(super) const CODE_PAGE: u32 = 0x0006_9007;
/// Begins an attachment.
pub(super) const RENDERING: u32 = 0x0006_9002;
pub(super) const ATTACHMENT_TITLE: u32 = 0x0001_8010;
pub(super) const ATTACHMENT_DATA: u32 = 0x0006_800f;
pub(super) const ATTACHMENT_PROPERTIES: u32 = 0x0006_9005;

/// An attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TnefAttribute {
    pub id: u32,
    pub data: Span,
    /// The sum of the bytes that was written after them (MS-OXTNEF 2.1.3.2).
    pub checksum: u16,
}

impl TnefAttribute {
    /// True if the bytes are those that were written, as far as the sum tells.
    pub fn is_sound(&self, bytes: &[u8]) -> bool {
        let data = bytes.part(self.data.range());
        data.iter().fold(0_u16, |sum, &byte| sum.wrapping_add(byte.into())) == self.checksum
    }
}

/// Yields the attributes, up to damage.
pub(super) struct TnefAttributes<'d> {
    bytes: &'d [u8],
    at: usize,
}

impl<'d> TnefAttributes<'d> {
    pub fn new(bytes: &'d [u8]) -> Self {
        Self { bytes, at: HEADER_BYTES }
    }

    /// True if the checksum of the last one is cut off.
    pub fn is_cut(&self) -> bool {
        self.at > self.bytes.len()
    }

    /// Returns the offset up to which they were read: the end, or that of the damage.
    pub fn end(&self) -> usize {
        self.at.min(self.bytes.len())
    }
}

impl Iterator for TnefAttributes<'_> {
    type Item = TnefAttribute;

    fn next(&mut self) -> Option<TnefAttribute> {
        // A level of one byte, an id, and a length.
        let head = self.bytes.get(self.at..self.at + 9)?;
        // The level is that of a message or an attachment.
        if !matches!(head.first(), Some(1 | 2)) {
            return None;
        }
        let id = number(head.clamped(1..));
        let length = usize::try_from(number(head.clamped(5..))).ok()?;
        let start = self.at + 9;
        let end = start.checked_add(length).filter(|&end| end <= self.bytes.len())?;
        let checksum = self.bytes.clamped(end..).first_chunk();
        let checksum = checksum.map_or(0, |bytes| u16::from_le_bytes(*bytes));
        self.at = end + 2;
        Some(TnefAttribute { id, data: Span::new(start, end), checksum })
    }
}

/// Returns the number at the start of the bytes; 0 if they are too few.
pub(super) fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_end_at_damage() {
        let mut bytes = b"\x78\x9f\x3e\x22\0\0\x01\x04\x80\x01\0\x02\0\0\0ab\xc3\0".to_vec();
        bytes.extend_from_slice(b"\x02\0\0\0\0\xff\xff\xff\xff");
        let mut attributes = TnefAttributes::new(&bytes);
        let all: Vec<_> = attributes.by_ref().collect();
        assert_eq!(all, [TnefAttribute { id: SUBJECT, data: Span::new(15, 17), checksum: 0xc3 }]);
        assert!(all.iter().all(|attribute| attribute.is_sound(&bytes)));
        assert!(!all.iter().any(|attribute| attribute.is_sound(&[b'?'; 20])));
        assert_eq!(attributes.end(), 19);
    }
}
