//! xz, lzip and the older lzma, whose decoders hold a dictionary of the size in the header.

use std::io::{BufRead, Error, ErrorKind, Read};

use lzma_rust2::{LzipReader, LzmaReader, XzReader};

use super::small_reads::SmallReads;
use super::{failing, window};
use crate::container::archive::ArchiveLimits;

/// What a decoder needs besides its dictionary, in KiB.
const BESIDES: u32 = 1 << 10;

pub(super) fn xz<'s>(source: Box<dyn BufRead + 's>, limits: &ArchiveLimits) -> Box<dyn Read + 's> {
    Box::new(SmallReads::new(XzReader::new_mem_limit(source, true, memory(limits))))
}

pub(super) fn alone<'s>(
    source: Box<dyn BufRead + 's>,
    limits: &ArchiveLimits,
) -> Box<dyn Read + 's> {
    match LzmaReader::new_mem_limit(source, memory(limits), None) {
        Ok(reader) => Box::new(SmallReads::new(reader)),
        Err(error) => failing(error),
    }
}

/// lzip allows dictionaries of up to 512 MiB, and its reader takes no limit.
pub(super) fn lzip<'s>(
    mut source: Box<dyn BufRead + 's>,
    limits: &ArchiveLimits,
) -> Box<dyn Read + 's> {
    let mut header = [0; 6];
    if let Err(error) = source.read_exact(&mut header) {
        return failing(error);
    }
    let [.., size] = header;
    if window::lzip(size) > limits.window.into() {
        return failing(Error::from(ErrorKind::OutOfMemory));
    }
    let whole = std::io::Cursor::new(header).chain(source);
    Box::new(SmallReads::new(LzipReader::new(whole)))
}

pub(super) fn memory(limits: &ArchiveLimits) -> u32 {
    (limits.window >> 10).saturating_add(BESIDES)
}
