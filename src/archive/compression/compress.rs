//! The output of `compress`, `.Z`: LZW with codes of 9 to 16 bits.
//!
//! There is no end mark and no checksum, so only a cut within the header is noticed.

use std::io::{BufRead, Error, ErrorKind, Read, Result};

use crate::archive::reader::{
    ArchiveReader, Compression, Contents, PackedBytes, UnpackedBytes, is_text_after, sniff_magic,
};
use crate::archive::{ArchiveFormat, ArchiveLimits, stream};
use crate::sniff::{Rest, Sniff};

pub(in crate::archive) struct Compress;

impl ArchiveReader for Compress {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Compress
    }

    fn extensions(&self) -> &'static [&'static str] {
        // `.Z` is not unique to this format: extensions are compared in lower case, and `.z`
        // belongs to `pack`.
        &[]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        sniff_magic(head, rest, b"\x1f\x9d", |header| {
            header.first().is_some_and(|flags| {
                // The original program leaves two bits of the flags unused, and writes zeros.
                flags & 0x60 == 0 && (MIN_BITS..=MAX_BITS).contains(&u32::from(flags & 0x1f))
            })
        })
    }

    fn is_text(&self, head: &[u8]) -> bool {
        is_text_after(head, 3)
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Stream(self)
    }
}

impl Compression for Compress {
    fn open<'s>(&self, source: PackedBytes<'s>, _: &ArchiveLimits) -> Result<UnpackedBytes<'s>> {
        Ok(Box::new(LzwDecoder::new(source)))
    }
}

const MIN_BITS: u32 = 9;
const MAX_BITS: u32 = 16;
/// With the block flag set, this code empties the table.
const CLEAR: usize = 256;

struct LzwDecoder<R> {
    source: R,
    /// `None` until the header was read.
    table: Option<LzwTable>,
    codes: LzwCodes,
    /// Decoded bytes that are not returned yet, the last one first.
    pending: Vec<u8>,
    /// An error to report after the bytes that were decoded before it.
    error: Option<Error>,
}

/// Codes come in groups of eight, so each group has as many bytes as a code has bits. If the width
/// changes, the rest of a group is padding.
#[derive(Default)]
struct LzwCodes {
    bits: u32,
    group: [u8; MAX_BITS as usize],
    length: usize,
    at: usize,
}

/// The expansion of each code: the expansion of an earlier code, and one byte.
struct LzwTable {
    prefix: Vec<u16>,
    suffix: Vec<u8>,
    has_clear_code: bool,
    max_bits: u32,
    next: usize,
    previous: Option<usize>,
    first_byte: u8,
}

impl LzwTable {
    fn new(flags: u8) -> Result<Self> {
        let max_bits = u32::from(flags & 0x1f);
        if !(MIN_BITS..=MAX_BITS).contains(&max_bits) {
            return Err(corrupt("unsupported code width"));
        }
        let mut table = Self {
            prefix: vec![0; 1 << max_bits],
            suffix: vec![0; 1 << max_bits],
            has_clear_code: flags & 0x80 != 0,
            max_bits,
            next: 0,
            previous: None,
            first_byte: 0,
        };
        table.clear();
        Ok(table)
    }

    fn clear(&mut self) {
        // With the block flag, code 256 is reserved for the clear code, so entries start at 257.
        self.next = CLEAR + usize::from(self.has_clear_code);
        self.previous = None;
    }

    fn bits(&self) -> u32 {
        let mut bits = MIN_BITS;
        while self.next > (1 << bits) - 1 && bits < self.max_bits {
            bits += 1;
        }
        bits
    }

    /// Appends the reversed expansion of `code` to `reversed`, and adds an entry to the table.
    fn expand(&mut self, code: usize, reversed: &mut Vec<u8>) -> Result<()> {
        let mut at = code;
        match self.previous {
            // The one code that may be used before its entry is complete. Its expansion starts and
            // ends with the same byte.
            Some(previous) if code == self.next && self.next < self.prefix.len() => {
                reversed.push(self.first_byte);
                at = previous;
            }
            None if code > 0xff => return Err(corrupt("the first code is not a byte")),
            _ if code >= self.next || (self.has_clear_code && code == CLEAR) => {
                return Err(corrupt("a code is used before it is defined"));
            }
            _ => {}
        }
        // Each code refers to an earlier one, so this loop ends.
        while at > 0xff {
            let (Some(&suffix), Some(&prefix)) = (self.suffix.get(at), self.prefix.get(at)) else {
                return Err(corrupt("a code is used before it is defined"));
            };
            reversed.push(suffix);
            at = prefix.into();
        }
        self.first_byte = at as u8;
        reversed.push(self.first_byte);
        if let Some(previous) = self.previous
            && let Some(prefix) = self.prefix.get_mut(self.next)
            && let Some(suffix) = self.suffix.get_mut(self.next)
        {
            *prefix = previous as u16;
            *suffix = self.first_byte;
            self.next += 1;
        }
        self.previous = Some(code);
        Ok(())
    }
}

impl LzwCodes {
    /// Returns the next code of this width, or `None` at the end.
    fn next(&mut self, bits: u32, source: &mut impl Read) -> Result<Option<usize>> {
        // The original program writes whole groups of eight codes. At a change of width it pads the
        // current group, and that padding must be skipped here.
        if self.bits != bits || self.at + bits as usize > self.length * 8 {
            self.bits = bits;
            let group = self.group.get_mut(..bits as usize).unwrap_or_default();
            self.length = stream::fill(source, group)?;
            self.at = 0;
            if self.length * 8 < bits as usize {
                return Ok(None);
            }
        }
        let byte = |index: usize| u32::from(self.group.get(index).copied().unwrap_or(0));
        let start = self.at / 8;
        let word = byte(start) | byte(start + 1) << 8 | byte(start + 2) << 16;
        self.at += bits as usize;
        Ok(Some((word >> ((self.at - bits as usize) % 8)) as usize & ((1 << bits) - 1)))
    }

    fn align(&mut self) {
        self.length = 0;
        self.at = 0;
    }
}

impl<R: BufRead> LzwDecoder<R> {
    pub fn new(source: R) -> Self {
        let codes = LzwCodes::default();
        Self { source, table: None, codes, pending: Vec::new(), error: None }
    }

    /// Fills `pending` with the next expansion; leaves it empty at the end.
    fn advance(&mut self) -> Result<()> {
        let table = match &mut self.table {
            Some(table) => table,
            None => {
                let mut header = [0; 3];
                self.source.read_exact(&mut header)?;
                self.table.insert(LzwTable::new(header[2])?)
            }
        };
        while let Some(code) = self.codes.next(table.bits(), &mut self.source)? {
            if table.has_clear_code && code == CLEAR {
                table.clear();
                self.codes.align();
            } else {
                return table.expand(code, &mut self.pending);
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for LzwDecoder<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < out.len() {
            if self.pending.is_empty() {
                match self.error.take().map_or_else(|| self.advance(), Err) {
                    Err(error) if filled > 0 => {
                        self.error = Some(error);
                        break;
                    }
                    Err(error) => return Err(error),
                    Ok(()) if self.pending.is_empty() => break,
                    Ok(()) => {}
                }
            }
            // `expand` follows the chain from the last byte to the first, so the bytes are popped
            // from the end.
            while let Some(room) = out.get_mut(filled)
                && let Some(byte) = self.pending.pop()
            {
                *room = byte;
                filled += 1;
            }
        }
        Ok(filled)
    }
}

fn corrupt(what: &'static str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}
