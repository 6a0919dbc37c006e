//! The headers of zip: little-endian fields of fixed width, then texts of the lengths given there.

use std::io::{BufRead, Read, Result};

use crate::container::archive::stream::fill;
use crate::slice::SliceExt as _;

/// Before each member.
pub(super) const LOCAL: &[u8; 4] = b"PK\x03\x04";
/// After some members.
pub(super) const DESCRIPTOR: &[u8; 4] = b"PK\x07\x08";
pub(super) const CENTRAL: &[u8; 4] = b"PK\x01\x02";
pub(super) const END: &[u8; 4] = b"PK\x05\x06";
pub(super) const END_64: &[u8; 4] = b"PK\x06\x06";

const ENCRYPTED: u16 = 1;
const SIZES_FOLLOW: u16 = 1 << 3;
/// A field whose value is in the extra field [`WIDE`].
const ELSEWHERE: u64 = u32::MAX as u64;
/// The extra field with 64-bit values (section 4.5.3).
const WIDE: u16 = 1;

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

pub(super) struct ZipEntry {
    pub name: Vec<u8>,
    pub method: u16,
    pub crc: u32,
    pub sizes: Sizes,
    flags: u16,
    wide: bool,
}

impl ZipEntry {
    /// Reads the header before a member, after its signature; `None` if it is cut.
    pub fn local(source: &mut dyn BufRead) -> Result<Option<Self>> {
        let mut header = [0; 26];
        if fill(source, &mut header)? < header.len() {
            return Ok(None);
        }
        let mut fields = LittleEndian(&header[2..]);
        let mut entry = Self::common(&mut fields);
        let (name, extra) = (fields.short().into(), usize::from(fields.short()));
        let mut texts = vec![0; name + extra];
        if fill(source, &mut texts)? < texts.len() {
            return Ok(None);
        }
        entry.widen(texts.clamped(name..), &mut 0);
        texts.truncate(name);
        entry.name = texts;
        Ok(Some(entry))
    }

    /// Reads a directory entry after its signature, and the offset of the member; `None` if it is cut.
    pub fn central(source: &mut dyn Read) -> Result<Option<(Self, u64, u64)>> {
        let mut header = [0; 42];
        if fill(source, &mut header)? < header.len() {
            return Ok(None);
        }
        let mut fields = LittleEndian(&header[4..]);
        let mut entry = Self::common(&mut fields);
        let (name, extra) = (usize::from(fields.short()), usize::from(fields.short()));
        let comment = u64::from(fields.short());
        // The number of a disk, and attributes.
        fields.number(2 + 2);
        fields.number(4);
        let mut offset = fields.number(4);
        let mut texts = vec![0; name + extra];
        if fill(source, &mut texts)? < texts.len() {
            return Ok(None);
        }
        entry.widen(texts.clamped(name..), &mut offset);
        let length = 4 + 42 + texts.len() as u64 + comment;
        texts.truncate(name);
        entry.name = texts;
        Ok(Some((entry, offset, length)))
    }

    /// The fields that both have, from the flags to the sizes.
    fn common(fields: &mut LittleEndian<'_>) -> Self {
        let (flags, method) = (fields.short(), fields.short());
        // Time and date.
        fields.number(4);
        Self {
            name: Vec::new(),
            method,
            crc: fields.number(4) as u32,
            sizes: Sizes { packed: fields.number(4), unpacked: fields.number(4) },
            flags,
            wide: false,
        }
    }

    /// Takes the values that did not fit from the extra fields, in the order of section 4.5.3.
    fn widen(&mut self, extra: &[u8], offset: &mut u64) {
        let mut fields = LittleEndian(extra);
        while fields.0.len() >= 4 {
            let (kind, length) = (fields.short(), usize::from(fields.short()));
            let (field, rest) = fields.0.split_at(length.min(fields.0.len()));
            fields.0 = rest;
            if kind == WIDE {
                self.wide = true;
                let mut values = LittleEndian(field);
                let sizes = [&mut self.sizes.unpacked, &mut self.sizes.packed];
                for value in sizes.into_iter().chain([offset]) {
                    if *value == ELSEWHERE && values.0.len() >= 8 {
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

    pub fn is_directory(&self) -> bool {
        self.name.ends_with(b"/")
    }

    pub fn sizes_follow(&self) -> bool {
        self.flags & SIZES_FOLLOW != 0 && self.sizes.packed == 0
    }

    pub fn is_wide(&self) -> bool {
        self.wide
    }
}

pub(super) fn skip_local(source: &mut dyn Read) -> Result<Option<u64>> {
    let mut header = [0; 30];
    if fill(source, &mut header)? < header.len() || !header.starts_with(LOCAL) {
        return Ok(None);
    }
    let mut lengths = LittleEndian(&header[26..]);
    Ok(Some(30 + lengths.number(2) + lengths.number(2)))
}

/// Reads the checksum after a member of unknown size; `None` if it is cut. The signature before it may
/// be missing.
pub(super) fn descriptor(source: &mut dyn BufRead, wide: bool) -> Result<Option<u32>> {
    let mut crc = [0; 4];
    let mut filled = fill(source, &mut crc)?;
    if &crc == DESCRIPTOR {
        filled = fill(source, &mut crc)?;
    }
    let (mut narrow, mut broad) = ([0; 8], [0; 16]);
    let sizes: &mut [u8] = if wide { &mut broad } else { &mut narrow };
    let whole = filled == crc.len() && fill(source, sizes)? == sizes.len();
    Ok(whole.then(|| u32::from_le_bytes(crc)))
}
