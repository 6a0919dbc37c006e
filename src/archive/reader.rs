//! The interface of a format's reader.
//!
//! A compression turns bytes into bytes, and an archive iterates over its members. Both declare the
//! first bytes and the names by which their files are recognized. Everything that the crate knows
//! about a format is behind these traits. Only its row in [`READERS`](super::readers::READERS)
//! names it.

use std::io::{BufRead, Read, Result};

use super::stream::CountedInput;
use super::walk::ReadSeek;
use super::walker::ArchiveWalk;
use super::{ArchiveFormat, ArchiveLimits, WalkResult};
use crate::slice::SliceExt as _;
use crate::sniff::{Rest, Sniff};

/// A format of compressed data or of an archive.
pub(super) trait ArchiveReader: Sync {
    /// The format; member paths contain its name.
    fn format(&self) -> ArchiveFormat;

    /// Extensions, in lower case, that no other format uses.
    ///
    /// They identify a format without a magic number. For other formats, they only show that a file
    /// with unknown first bytes is damaged.
    fn extensions(&self) -> &'static [&'static str];

    /// Detects whether an input that starts with `head` is in this format.
    ///
    /// A magic number counts only with enough of the header to rule out chance: text that happens
    /// to start with `BZh9` or `!<arch>` stays text.
    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff;

    /// False if only a file name identifies the format, so that [`sniff`](Self::sniff) always
    /// rejects.
    fn has_magic(&self) -> bool {
        true
    }

    /// True if the bytes after the magic number in `head` are text, which the header of the format
    /// never is.
    fn is_text(&self, head: &[u8]) -> bool {
        is_text_after(head, MAGIC_BYTES)
    }

    /// Returns the reader of its contents.
    fn contents(&self) -> Contents<'_>;
}

/// The two ways to read the contents of a format. An enum makes every caller handle both.
pub(super) enum Contents<'r> {
    /// As one stream.
    Stream(&'r dyn Compression),
    /// As members.
    Members(&'r dyn MemberReader),
}

/// Bytes that are still compressed.
pub(super) type PackedBytes<'s> = Box<dyn BufRead + 's>;
/// The bytes that come out of a decoder.
pub(super) type UnpackedBytes<'s> = Box<dyn Read + 's>;
/// An archive that is read from its start.
pub(super) type ByteSource<'b> = &'b mut dyn BufRead;

/// A format of one compressed stream.
pub(super) trait Compression: ArchiveReader {
    /// The window of a decoder for a stream that starts with `head`, in bytes; 0 if `head` is too
    /// short.
    ///
    /// `None` if every window is small: some hundred KiB, or 4 MiB with LZ4 and bzip2.
    fn window(&self, _: &[u8]) -> Option<u64> {
        None
    }

    /// Opens a decoder.
    ///
    /// It reads all concatenated frames, streams, or members, verifies existing checksums, and
    /// fails if the input ends too early.
    fn open<'s>(
        &self,
        source: PackedBytes<'s>,
        limits: &ArchiveLimits,
    ) -> Result<UnpackedBytes<'s>>;
}

/// A format with members.
pub(super) trait MemberReader: ArchiveReader {
    /// Reads the members in the order of their bytes.
    fn read_in_order(&self, walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult;

    /// Reads the members of a file by the list at its end, if the format has one.
    fn read_file(
        &self,
        _: &mut ArchiveWalk<'_, '_>,
        _: &mut CountedInput<'_, &mut dyn ReadSeek>,
    ) -> WalkResult<FileOutcome> {
        Ok(FileOutcome::ReadInOrder)
    }
}

/// The result of reading a file by its list of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileOutcome {
    /// The members were read.
    Done,
    /// There is no usable list; the file must be read from its start.
    ReadInOrder,
}

/// Bytes of magic number and header that detection waits for. The longest check is that of bzip2:
/// `BZh9` and the six bytes that start a block.
const MAGIC_BYTES: usize = 10;

/// Looks for `magic`, then checks the header with `is_header`.
pub(super) fn sniff_magic(
    head: &[u8],
    rest: Rest,
    magic: &[u8],
    is_header: impl FnOnce(&[u8]) -> bool,
) -> Sniff {
    match head.strip_prefix(magic) {
        // The bytes after the magic number tell text from a header (`is_text`).
        Some(_) if head.len() < MAGIC_BYTES && rest == Rest::More => Sniff::NeedMore,
        Some(header) => Sniff::yes_if(is_header(header)),
        None if magic.starts_with(head) => Sniff::need_more(rest),
        None => Sniff::No,
    }
}

/// True if there are bytes after the first `magic` ones, and they are text.
pub(super) fn is_text_after(head: &[u8], magic: usize) -> bool {
    let rest = head.clamped(magic..);
    !rest.is_empty() && is_text(rest)
}

/// True for UTF-8 without control characters other than white space and escape. It may be cut
/// within a character.
pub(super) fn is_text(head: &[u8]) -> bool {
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 && !head.iter().any(|&byte| byte < 0x20 && !matches!(byte, b'\t'..=b'\r' | 0x1b))
}

/// All readers. If several accept an input, the first one wins.
#[derive(Clone, Copy)]
pub(super) struct Readers(pub &'static [&'static dyn ArchiveReader]);

/// The result of detecting a format by first bytes.
pub(super) enum Detected {
    Format(&'static dyn ArchiveReader),
    Nothing,
    NeedMore,
}

impl Readers {
    pub fn sniff(self, head: &[u8], rest: Rest) -> Detected {
        // A later reader may still accept, so "need more" from one reader does not end the loop.
        let mut detected = Detected::Nothing;
        for reader in self.0 {
            match reader.sniff(head, rest) {
                Sniff::Yes => return Detected::Format(*reader),
                Sniff::NeedMore => detected = Detected::NeedMore,
                Sniff::No => {}
            }
        }
        detected
    }

    /// Returns the reader of an input that starts with `head`; no more bytes will follow.
    pub fn detect(self, head: &[u8]) -> Option<&'static dyn ArchiveReader> {
        match self.sniff(head, Rest::End) {
            Detected::Format(reader) => Some(reader),
            Detected::Nothing | Detected::NeedMore => None,
        }
    }

    /// Returns the reader by first bytes, or by name if those are not text.
    pub fn guess(self, head: &[u8], name: &[u8]) -> Option<&'static dyn ArchiveReader> {
        self.detect(head).or_else(|| self.by_name(name).filter(|_| !is_text(head)))
    }

    /// The reader of a format without a magic number.
    pub fn by_name(self, name: &[u8]) -> Option<&'static dyn ArchiveReader> {
        self.with_extension_of(name).filter(|reader| !reader.has_magic())
    }

    /// Returns the reader for the extension of the name if the first bytes are neither text nor in
    /// any format. Its magic number may be damaged.
    pub fn promised(self, head: &[u8], name: &[u8]) -> Option<&'static dyn ArchiveReader> {
        let reader = self.with_extension_of(name).filter(|reader| reader.has_magic())?;
        let is_unknown = self.guess(head, name).is_none() && !is_text(head);
        // A tar without members consists of zeros.
        let is_empty = reader.format() == ArchiveFormat::Tar && head.iter().all(|&byte| byte == 0);
        (is_unknown && !is_empty).then_some(reader)
    }

    /// Returns the reader for the extension of a file name, ignoring ASCII case.
    pub fn with_extension_of(self, name: &[u8]) -> Option<&'static dyn ArchiveReader> {
        let at = name.iter().rposition(|&byte| byte == b'.')?;
        let extension = name.get(at + 1..)?;
        self.0.iter().copied().find(|reader| {
            reader.extensions().iter().any(|one| one.as_bytes().eq_ignore_ascii_case(extension))
        })
    }
}
