//! Zstandard frames (RFC 8878 section 3.1).

use std::io::{BufRead, Error, ErrorKind, Read, Result};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::frames::{self, BlockFrame, Frames};
use super::little_endian;
use super::skippable::{self, FirstFrame, first_frame, is_skippable};
use crate::archive::reader::{
    ArchiveReader, Compression, Contents, PackedBytes, UnpackedBytes, is_text_after, sniff_magic,
};
use crate::archive::{ArchiveFormat, ArchiveLimits};
use crate::sniff::{Rest, Sniff};

const MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

pub(in crate::archive) struct Zstd;

impl ArchiveReader for Zstd {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Zstd
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["zst", "tzst"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        match first_frame(head) {
            FirstFrame::AtStart if is_skippable(head) => Sniff::need_more(rest),
            FirstFrame::AtStart => sniff_magic(head, rest, MAGIC, |_| true),
            FirstFrame::After(frame) => Sniff::yes_if(frame.starts_with(MAGIC)),
            // The decoder reads both formats, so it does not matter which one this is.
            FirstFrame::OutOfSight => match rest {
                Rest::More => Sniff::NeedMore,
                Rest::End => Sniff::Yes,
            },
        }
    }

    fn is_text(&self, head: &[u8]) -> bool {
        let magic = if is_skippable(head) { skippable::HEADER_BYTES } else { MAGIC.len() };
        is_text_after(head, magic)
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Stream(self)
    }
}

impl Compression for Zstd {
    fn window(&self, head: &[u8]) -> Option<u64> {
        Some(window_bytes(head).unwrap_or(0))
    }

    fn open<'s>(
        &self,
        source: PackedBytes<'s>,
        limits: &ArchiveLimits,
    ) -> Result<UnpackedBytes<'s>> {
        Ok(Box::new(Frames::<BlockFrame<_>>::new(source, limits)))
    }
}

/// Returns the window size from the window descriptor, or the size of a single-segment frame
/// (sections 3.1.1.1.2 and 3.1.1.1.4).
fn window_bytes(head: &[u8]) -> Option<u64> {
    let rest = head.strip_prefix(MAGIC)?;
    let (&descriptor, rest) = rest.split_first()?;
    if descriptor & 0x20 == 0 {
        let byte = *rest.first()?;
        let power = 1 << (10 + (byte >> 3));
        return Some(power + power / 8 * u64::from(byte & 7));
    }
    let skipped = [0, 1, 2, 4].get(usize::from(descriptor & 3))?;
    let length = 1 << (descriptor >> 6);
    let size = little_endian(rest.get(*skipped..skipped + length)?);
    // A size of two bytes is stored less 256 (section 3.1.1.1.4).
    Some(if length == 2 { size + 256 } else { size })
}

/// A decoder that outputs the bytes before damage. The inner decoder keeps its window until the
/// frame ends. On damage, this one ends the frame with an empty block, so that the bytes before the
/// damage come out before the error.
pub(super) struct ZstdDecoder<R> {
    source: R,
    frame: FrameDecoder,
    /// The error to report after all decoded bytes.
    error: Option<Error>,
}

/// The last block of a frame, raw and empty (RFC 8878 section 3.1.1.2), and space for a checksum.
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

impl<R: Read> ZstdDecoder<R> {
    fn new(mut source: R, window: u32) -> std::result::Result<Self, FrameDecoderError> {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(window.into());
        frame.init(&mut source)?;
        Ok(Self { source, frame, error: None })
    }

    fn decode(&mut self) -> Result<()> {
        // One block at a time, so that damage in a later block does not hold back the output of the
        // earlier ones.
        let one = BlockDecodingStrategy::UptoBlocks(1);
        match self.frame.decode_blocks(&mut self.source, one) {
            Ok(_) => Ok(()),
            Err(error) => {
                let error = converted(error);
                let end = LAST_BLOCK.as_slice();
                match self.frame.decode_blocks(end, BlockDecodingStrategy::All) {
                    Ok(_) => self.error = Some(error),
                    Err(_) => return Err(error),
                }
                Ok(())
            }
        }
    }
}

impl<R: Read> Read for ZstdDecoder<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        while self.frame.can_collect() == 0 && !self.frame.is_finished() {
            self.decode()?;
        }
        match self.frame.read(out) {
            Ok(0) if !out.is_empty() => self.error.take().map_or(Ok(0), Err),
            read => read,
        }
    }
}

impl<R: BufRead> frames::Frame for Box<ZstdDecoder<R>> {
    type Inner = R;

    fn open(source: R, limits: &ArchiveLimits) -> Result<Self> {
        match ZstdDecoder::new(source, limits.window) {
            Ok(decoder) => Ok(Box::new(decoder)),
            Err(error @ FrameDecoderError::WindowSizeTooBig { .. }) => {
                // This kind is reported as a lack of memory, not as damage.
                Err(Error::new(ErrorKind::OutOfMemory, error))
            }
            Err(error) => Err(converted(error)),
        }
    }

    fn close(self) -> Result<R> {
        let there = self.frame.get_checksum_from_data();
        if there.is_some() && there != self.frame.get_calculated_checksum() {
            return Err(Error::new(ErrorKind::InvalidData, "the checksum is wrong"));
        }
        Ok(self.source)
    }

    fn is_start(head: &[u8]) -> bool {
        head.first() == Some(&0x28)
    }
}

/// Finds an early end, which is deep inside the errors of the decoder.
fn converted(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    let error = error.into();
    let mut inner: Option<&(dyn std::error::Error + 'static)> = Some(&*error);
    while let Some(error) = inner {
        if let Some(io) = error.downcast_ref::<Error>()
            && io.kind() == ErrorKind::UnexpectedEof
        {
            return ErrorKind::UnexpectedEof.into();
        }
        inner = error.source();
    }
    Error::new(ErrorKind::InvalidData, error)
}
