//! bzip2, which has no document but its source.

use std::io::{BufRead, Read, Result};

use bzip2::bufread::BzDecoder;

use super::SmallReads;
use super::frames::{Frame, Frames};
use crate::archive::reader::{
    ArchiveReader, Compression, Contents, PackedBytes, UnpackedBytes, sniff_magic,
};
use crate::archive::{ArchiveFormat, ArchiveLimits};
use crate::sniff::{Rest, Sniff};

/// The start of a block, and of the end of a stream. They are digits of pi and of its square root
/// in BCD.
const BLOCK: &[u8] = b"\x31\x41\x59\x26\x53\x59";
const END: &[u8] = b"\x17\x72\x45\x38\x50\x90";

pub(in crate::archive) struct Bzip2;

impl ArchiveReader for Bzip2 {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Bzip2
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["bz2", "tbz", "tbz2"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        sniff_magic(head, rest, b"BZh", |header| match header {
            [b'1'..=b'9', block @ ..] => block.starts_with(BLOCK) || block.starts_with(END),
            _ => false,
        })
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Stream(self)
    }
}

impl Compression for Bzip2 {
    fn open<'s>(
        &self,
        source: PackedBytes<'s>,
        limits: &ArchiveLimits,
    ) -> Result<UnpackedBytes<'s>> {
        Ok(Box::new(Frames::<Bzip2Frame<_>>::new(source, limits)))
    }
}

/// One stream. Its decoder allocates some MiB before it notices that the stream is empty.
struct Bzip2Frame<R>(SmallReads<BzDecoder<R>>);

impl<R: BufRead> Frame for Bzip2Frame<R> {
    type Inner = R;

    fn open(source: R, _: &ArchiveLimits) -> Result<Self> {
        Ok(Self(SmallReads::new(BzDecoder::new(source))))
    }

    fn close(self) -> Result<R> {
        Ok(self.0.into_inner().into_inner())
    }

    fn is_start(head: &[u8]) -> bool {
        head.starts_with(b"B")
    }

    fn skip_empty(source: &mut R) -> Result<bool> {
        let empty = matches!(source.fill_buf()?, [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
            if rest.strip_prefix(END).is_some_and(|rest| rest.starts_with(&[0; 4])));
        // A stream without blocks is 14 bytes. A file of many such streams would make the decoder
        // allocate some MiB for each.
        source.consume(if empty { 4 + END.len() + 4 } else { 0 });
        Ok(empty)
    }

    const SKIPS: bool = false;
}

impl<R: BufRead> Read for Bzip2Frame<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.0.read(out)
    }
}
