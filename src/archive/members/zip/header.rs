//! The headers of zip: little-endian fields of fixed width, followed by texts with the lengths
//! given in those fields.

use std::io::{BufRead, Read, Result};

use crate::archive::stream::fill;
use crate::slice::SliceExt as _;

/// Signature before each member.
pub(super) const LOCAL: &[u8; 4] = b"PK\x03\x04";
/// Signature after some members.
pub(super) const DESCRIPTOR: &[u8; 4] = b"PK\x07\x08";
pub(super) const CENTRAL: &[u8; 4] = b"PK\x01\x02";
pub(super) const END: &[u8; 4] = b"PK\x05\x06";
pub(super) const END_64: &[u8; 4] = b"PK\x06\x06";
/// The locator of the ZIP64 end record, before the end record (section 4.3.15).
pub(super) const LOCATOR: &[u8; 4] = b"PK\x06\x07";

const ENCRYPTED: u16 = 1;
const SIZES_FOLLOW: u16 = 1 << 3;
/// Value of a field whose actual value is in the extra field [`ZIP64_FIELD`].
const VALUE_IN_ZIP64_FIELD: u64 = u32::MAX as u64;
/// The extra field with 64-bit values (section 4.5.3).
const ZIP64_FIELD: u16 = 1;

/// Reads little-endian numbers; missing bytes are zero.
pub(super) struct LittleEndian<'b>(pub &'b [u8]);

impl LittleEndian<'_> {
    pub fn number(&mut self, width: usize) -> u64 {
        let (field, rest) = self.0.split_at(width.min(self.0.len()));
        self.0 = rest;
        field.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }

    pub fn short(&mut self) -> u16 {
        self.number(2) as u16
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    pub packed: u64,
    pub unpacked: u64,
}

impl Sizes {
    /// True if these fields of `width` bytes each hold these values.
    fn are(self, fields: &[u8], width: usize) -> bool {
        let (is_whole, mut fields) = (fields.len() >= 2 * width, LittleEndian(fields));
        is_whole && fields.number(width) == self.packed && fields.number(width) == self.unpacked
    }
}

/// The rest of the header before a member, after its signature.
pub(super) type LocalHeader = [u8; 26];

/// True if the header may be valid: its version and method exist (sections 4.4.3 and 4.4.5).
pub(super) fn is_plausible(header: &LocalHeader) -> bool {
    // The newest version is 6.3, stored as 63 (APPNOTE 4.4.3.2). Methods are listed in 4.4.5.
    let [version, _, _, _, low, high, ..] = *header;
    // Four bytes of signature occur by chance in compressed data. These two fields rule out nearly
    // all of that.
    version <= 100 && matches!(u16::from_le_bytes([low, high]), 0..=20 | 90..=99)
}

pub(super) struct ZipEntry {
    pub name: Vec<u8>,
    pub method: u16,
    pub crc: u32,
    pub sizes: Sizes,
    flags: u16,
}

impl ZipEntry {
    /// Reads the texts after the header of a member; returns `None` if they are truncated.
    pub fn local(header: &LocalHeader, source: &mut dyn BufRead) -> Result<Option<Self>> {
        let mut fields = LittleEndian(&header[2..]);
        let mut entry = Self::common(&mut fields);
        let lengths = (fields.short(), fields.short());
        Ok(entry.texts(source, lengths, &mut 0)?.map(|_| entry))
    }

    /// Reads a directory entry after its signature, and returns it with the offset of the member,
    /// the length of the entry, and the number of bytes read. Returns `None` if it is truncated.
    pub fn central(source: &mut impl Read) -> Result<Option<(Self, u64, u64, u64)>> {
        let mut header = [0; 42];
        if fill(source, &mut header)? < header.len() {
            return Ok(None);
        }
        let mut fields = LittleEndian(&header[4..]);
        let mut entry = Self::common(&mut fields);
        let lengths = (fields.short(), fields.short());
        let comment = u64::from(fields.short());
        // Skip the disk number and the attributes.
        fields.number(2 + 2);
        fields.number(4);
        let mut offset = fields.number(4);
        let texts = entry.texts(source, lengths, &mut offset)?;
        Ok(texts.map(|length| {
            let read = 4 + 42 + length;
            (entry, offset, read + comment, read)
        }))
    }

    /// Reads the name and the extra fields of these lengths, and returns the sum of the lengths.
    /// Returns `None` if they are truncated.
    fn texts(
        &mut self,
        source: &mut (impl Read + ?Sized),
        (name, extra): (u16, u16),
        offset: &mut u64,
    ) -> Result<Option<u64>> {
        self.name = vec![0; usize::from(name) + usize::from(extra)];
        let length = self.name.len();
        if fill(source, &mut self.name)? < length {
            return Ok(None);
        }
        let extra = self.name.split_off(name.into());
        self.widen(&extra, offset);
        Ok(Some(length as u64))
    }

    /// Reads the fields that both headers share, from the flags to the sizes.
    fn common(fields: &mut LittleEndian<'_>) -> Self {
        let (flags, method) = (fields.short(), fields.short());
        // Skip time and date.
        fields.number(4);
        Self {
            name: Vec::new(),
            method,
            crc: fields.number(4) as u32,
            sizes: Sizes { packed: fields.number(4), unpacked: fields.number(4) },
            flags,
        }
    }

    /// Replaces values that did not fit by those in the extra fields, in the order of section
    /// 4.5.3.
    fn widen(&mut self, extra: &[u8], offset: &mut u64) {
        let mut fields = LittleEndian(extra);
        while fields.0.len() >= 4 {
            // The length is untrusted: a field that claims more bytes than are left gets only
            // those.
            let (kind, length) = (fields.short(), usize::from(fields.short()));
            let (field, rest) = fields.0.split_at(length.min(fields.0.len()));
            fields.0 = rest;
            if kind == ZIP64_FIELD {
                let mut values = LittleEndian(field);
                // The record has only those values whose own fields are full, in this order
                // (APPNOTE 4.5.3).
                let sizes = [&mut self.sizes.unpacked, &mut self.sizes.packed];
                for value in sizes.into_iter().chain([offset]) {
                    if *value == VALUE_IN_ZIP64_FIELD && values.0.len() >= 8 {
                        *value = values.number(8);
                    }
                }
                return;
            }
        }
    }

    pub fn is_encrypted(&self) -> bool {
        self.flags & ENCRYPTED != 0
    }

    /// True for a name that ends in a slash, unless the member has bytes.
    pub fn is_directory(&self) -> bool {
        let Sizes { packed, unpacked } = self.sizes;
        // An empty member takes two bytes when it is deflated.
        self.name.ends_with(b"/") && unpacked == 0 && packed <= 2 && !self.sizes_follow()
    }

    pub fn sizes_follow(&self) -> bool {
        // Some writers set the bit and know the sizes all the same.
        self.has_descriptor() && self.sizes.packed == 0
    }

    pub fn has_descriptor(&self) -> bool {
        self.flags & SIZES_FOLLOW != 0
    }
}

/// The local header at the offset that the directory gives for a member.
pub(super) struct MemberStart {
    /// Length of the header, with its name.
    pub length: u64,
    /// The name in the header.
    pub name: Vec<u8>,
}

/// Reads the header of a member; returns `None` if it is not one.
pub(super) fn member_start(source: &mut dyn Read) -> Result<Option<MemberStart>> {
    let mut header = [0; 30];
    if fill(source, &mut header)? < header.len() || !header.starts_with(LOCAL) {
        return Ok(None);
    }
    let mut lengths = LittleEndian(&header[26..]);
    let (name, extra) = (lengths.short(), lengths.short());
    let length = 30 + u64::from(name) + u64::from(extra);
    let mut name = vec![0; name.into()];
    let count = fill(source, &mut name)?;
    name.truncate(count);
    Ok(Some(MemberStart { length, name }))
}

/// The record after a member whose sizes are not in its header (section 4.3.9).
pub(super) struct Descriptor {
    pub crc: u32,
    pub length: usize,
}

/// The longest such record.
pub(super) const DESCRIPTOR_MAX: usize = 24;

/// Parses the record after a member of these sizes; `None` if there is none. Its signature is
/// optional, and its sizes may have 32 or 64 bits.
pub(super) fn descriptor(behind: &[u8], sizes: Sizes) -> Option<Descriptor> {
    // The signature is optional (APPNOTE 4.3.9.3), and an archive with wide fields has sizes of 8
    // bytes (4.3.9.2).
    let signed = behind.strip_prefix(DESCRIPTOR).map(|record| (record, DESCRIPTOR.len()));
    signed.into_iter().chain([(behind, 0)]).find_map(|(record, before)| {
        let width = [4, 8].into_iter().find(|&width| sizes.are(record.clamped(4..), width))?;
        let crc = LittleEndian(record).number(4) as u32;
        Some(Descriptor { crc, length: before + 4 + 2 * width })
    })
}
