//! The table of readers, and what it says of an input.
//!
//! A new format is a file with an [`ArchiveReader`](super::reader::ArchiveReader), a variant of [`ArchiveFormat`], and
//! a row here.

use super::compression::{Brotli, Bzip2, Compress, Gzip, Lz4, Lzip, Lzma, Xz, Zlib, Zstd};
use super::members::{Ar, SevenZip, Tar, Warc, Zip};
use super::reader::{ArchiveReader, Detected, Readers};
use super::{ArchiveFormat, HEAD_BYTES};
use crate::sniff::Rest;

/// Every reader. The first that takes an input reads it: tar, which has the weakest header, comes last.
pub(super) const READERS: Readers = Readers(&[
    &Gzip, &Compress, &Zstd, &Xz, &Lzip, &Bzip2, &Lz4, &Zlib, &Lzma, &Brotli, &Zip, &SevenZip, &Ar,
    &Warc, &Tar,
]);

impl ArchiveFormat {
    /// The format of data that starts with `head`: its first [`HEAD_BYTES`] bytes, or all of it.
    pub fn detect(head: &[u8]) -> Option<Self> {
        READERS.detect(head).map(ArchiveReader::format)
    }

    /// The format of a file name, if it is one without a magic number; ASCII case is ignored.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        READERS.by_name(name).map(ArchiveReader::format)
    }

    /// The format that the name of a file promises, where its first bytes are neither of any format nor text: their
    /// magic number may be damaged.
    pub fn promised(head: &[u8], name: &[u8]) -> Option<Self> {
        READERS.promised(head, name).map(ArchiveReader::format)
    }

    /// The format by the first bytes, or by the name if those are not text.
    pub fn guess(head: &[u8], name: &[u8]) -> Option<Self> {
        READERS.guess(head, name).map(ArchiveReader::format)
    }

    /// True if more bytes after `head` could decide on a format. A reader of a terminal need not wait for
    /// [`HEAD_BYTES`] bytes: the first line of a text is enough.
    pub fn needs_more(head: &[u8]) -> bool {
        head.len() < HEAD_BYTES && matches!(READERS.sniff(head, Rest::More), Detected::NeedMore)
    }

    /// True if the name may decide, so that the first [`HEAD_BYTES`] bytes have to be seen.
    pub(crate) fn may_be_named(name: &[u8]) -> bool {
        READERS.with_extension_of(name).is_some()
    }
}
