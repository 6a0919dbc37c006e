//! LZ4 frames, and the older frames of the Linux kernel.

use std::io::{BufRead, ErrorKind, Read, Result};

use lz4_flex::frame::FrameDecoder;

use super::frames;
use crate::archive::ArchiveLimits;

pub(super) struct Lz4Frame<R: BufRead> {
    decoder: Box<FrameDecoder<Witness<R>>>,
    /// Whether it has an end mark; the frames of the older format end with the input.
    marked: bool,
}

/// Notices reads past the end: the decoder takes an end between two blocks for the end mark.
struct Witness<R> {
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
        let marked = source.fill_buf()?.first() != Some(&0x02);
        let decoder = FrameDecoder::new(Witness { source, short: false });
        Ok(Self { decoder: Box::new(decoder), marked })
    }

    fn close(self) -> Result<R> {
        let Witness { source, short } = self.decoder.into_inner();
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
