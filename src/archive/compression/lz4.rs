//! LZ4 frames, and the older frames of the Linux kernel.

use std::io::{BufRead, ErrorKind, Read, Result};

use lz4_flex::frame::FrameDecoder;

use super::frames::{self, BlockFrame, Frames};
use super::skippable::{self, FirstFrame, first_frame, is_skippable};
use crate::archive::reader::{
    ArchiveReader, Compression, Contents, PackedBytes, UnpackedBytes, is_text_after, sniff_magic,
};
use crate::archive::{ArchiveFormat, ArchiveLimits};
use crate::sniff::{Rest, Sniff};

const MAGIC: &[u8] = b"\x04\x22\x4d\x18";
/// Magic number of the older frames, which the Linux kernel still writes.
const LEGACY_MAGIC: &[u8] = b"\x02\x21\x4c\x18";

pub(in crate::archive) struct Lz4;

impl ArchiveReader for Lz4 {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Lz4
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["lz4"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        let either = |head, rest| match sniff_magic(head, rest, MAGIC, |_| true) {
            Sniff::No => sniff_magic(head, rest, LEGACY_MAGIC, |_| true),
            answer => answer,
        };
        match first_frame(head) {
            FirstFrame::AtStart => either(head, rest),
            FirstFrame::After(frame) => either(frame, Rest::End),
            FirstFrame::OutOfSight => Sniff::need_more(rest),
        }
    }

    fn is_text(&self, head: &[u8]) -> bool {
        // The valid values of version, flags, and block size (LZ4 Frame Format 1.6, "Frame
        // Descriptor").
        let is_descriptor =
            |flags: u8, size: u8| flags & 0xc2 == 0x40 && size & 0x8f == 0 && size >= 0x40;
        match head.strip_prefix(MAGIC) {
            Some([flags, size, ..]) if is_descriptor(*flags, *size) => false,
            _ if is_skippable(head) => is_text_after(head, skippable::HEADER_BYTES),
            _ => is_text_after(head, MAGIC.len()),
        }
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Stream(self)
    }
}

impl Compression for Lz4 {
    fn open<'s>(
        &self,
        source: PackedBytes<'s>,
        limits: &ArchiveLimits,
    ) -> Result<UnpackedBytes<'s>> {
        Ok(Box::new(Frames::<BlockFrame<_>>::new(source, limits)))
    }
}

pub(super) struct Lz4Frame<R: BufRead> {
    decoder: Box<FrameDecoder<EndWitness<R>>>,
    /// True if the frame has an end mark. Frames of the older format end with the input.
    marked: bool,
}

/// Detects reads past the end: the decoder takes an end between two blocks for the end mark.
struct EndWitness<R> {
    source: R,
    short: bool,
}

impl<R: Read> Read for EndWitness<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.source.read(out)?;
        self.short |= count == 0 && !out.is_empty();
        Ok(count)
    }
}

impl<R: BufRead> frames::Frame for Lz4Frame<R> {
    type Inner = R;

    fn open(mut source: R, _: &ArchiveLimits) -> Result<Self> {
        let marked = source.fill_buf()?.first() != Some(&0x02);
        let decoder = FrameDecoder::new(EndWitness { source, short: false });
        Ok(Self { decoder: Box::new(decoder), marked })
    }

    fn close(self) -> Result<R> {
        let EndWitness { source, short } = self.decoder.into_inner();
        // The decoder stops without an error if the input ends between two blocks. Only this
        // witness distinguishes a cut frame from a complete one.
        if self.marked && short { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(source) }
    }

    fn is_start(head: &[u8]) -> bool {
        matches!(head.first(), Some(0x04 | 0x02))
    }
}

impl<R: BufRead> Read for Lz4Frame<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.decoder.read(out)
    }
}
