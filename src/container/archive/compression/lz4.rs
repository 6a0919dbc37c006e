//! LZ4 frames, and the older frames of the Linux kernel.

use std::io::{BufRead, ErrorKind, Read, Result};

use lz4_flex::frame::FrameDecoder;

use super::frames;
use super::zstd::is_skippable;
use crate::container::archive::{ArchiveLimits, stream};

pub(super) enum Lz4Frame<R: BufRead> {
    Data {
        decoder: Box<FrameDecoder<Witness<R>>>,
        /// Whether it has an end mark; the frames of the older format end with the input.
        marked: bool,
    },
    Skipped(R),
}

/// Notices reads past the end: the decoder takes an end between two blocks for the end mark.
pub(super) struct Witness<R> {
    source: R,
    short: bool,
}

impl<R: Read> Read for Witness<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.source.read(out)?;
        self.short |= count == 0 && !out.is_empty();
        Ok(count)
    }
}

impl<R: BufRead> frames::Frame for Lz4Frame<R> {
    type Inner = R;

    fn open(mut source: R, _: &ArchiveLimits) -> Result<Self> {
        let head = source.fill_buf()?;
        let marked = head.first() != Some(&0x02);
        if matches!(head.first(), Some(0x50..=0x5f)) {
            let mut header = [0; 8];
            source.read_exact(&mut header)?;
            let [_, _, _, _, length @ ..] = header;
            let length = u32::from_le_bytes(length);
            if !is_skippable(&header) || !stream::skip(&mut source, length.into())? {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            return Ok(Self::Skipped(source));
        }
        let witness = Witness { source, short: false };
        Ok(Self::Data { decoder: Box::new(FrameDecoder::new(witness)), marked })
    }

    fn close(self) -> Result<R> {
        match self {
            Self::Skipped(source) => Ok(source),
            Self::Data { decoder, marked } => {
                let Witness { source, short } = decoder.into_inner();
                if marked && short {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                Ok(source)
            }
        }
    }

    fn is_start(head: &[u8]) -> bool {
        matches!(head.first(), Some(0x04 | 0x02 | 0x50..=0x5f))
    }
}

impl<R: BufRead> Read for Lz4Frame<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        match self {
            Self::Skipped(_) => Ok(0),
            Self::Data { decoder, .. } => decoder.read(out),
        }
    }
}
