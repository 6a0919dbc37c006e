//! The table of readers, and detection by it.
//!
//! A new format is a file with an [`ArchiveReader`](super::reader::ArchiveReader), a variant of
//! [`ArchiveFormat`], and a row here.

use super::compression::{Brotli, Bzip2, Compress, Gzip, Lz4, Lzip, Lzma, Xz, Zlib, Zstd};
use super::members::{Ar, SevenZip, Tar, Warc, Zip};
use super::reader::{ArchiveReader, Detected, Readers};
use super::{ArchiveFormat, HEAD_BYTES};
use crate::sniff::Rest;

/// Every reader. The first one that accepts an input reads it: tar, which has the weakest header,
/// comes last.
pub(super) const READERS: Readers = Readers(&[
    &Gzip, &Compress, &Zstd, &Xz, &Lzip, &Bzip2, &Lz4, &Zlib, &Lzma, &Brotli, &Zip, &SevenZip, &Ar,
    &Warc, &Tar,
]);

impl ArchiveFormat {
    /// Returns the format of data that starts with `head`: its first [`HEAD_BYTES`] bytes, or all
    /// of it.
    pub fn detect(head: &[u8]) -> Option<Self> {
        READERS.detect(head).map(ArchiveReader::format)
    }

    /// Returns the format for a file name if that format has no magic number; ASCII case is
    /// ignored.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        READERS.by_name(name).map(ArchiveReader::format)
    }

    /// Returns the format for the extension of a file if its first bytes are neither text nor in
    /// any format. Their magic number may be damaged.
    pub fn promised(head: &[u8], name: &[u8]) -> Option<Self> {
        READERS.promised(head, name).map(ArchiveReader::format)
    }

    /// Returns the format by first bytes, or by name if those are not text.
    pub fn guess(head: &[u8], name: &[u8]) -> Option<Self> {
        READERS.guess(head, name).map(ArchiveReader::format)
    }

    /// True if more bytes after `head` could decide on a format. A reader of a terminal need not
    /// wait for [`HEAD_BYTES`] bytes: the first line of a text is enough.
    pub fn needs_more(head: &[u8]) -> bool {
        head.len() < HEAD_BYTES && matches!(READERS.sniff(head, Rest::More), Detected::NeedMore)
    }

    /// True if the name may decide, so that the first [`HEAD_BYTES`] bytes are needed.
    pub(crate) fn may_be_named(name: &[u8]) -> bool {
        READERS.with_extension_of(name).is_some()
    }
}
