//! Concatenated frames in one stream, with zero padding after the last one.

use std::io::{BufRead, Error, ErrorKind, Read, Result};

use super::lz4::Lz4Frame;
use super::zstd::ZstdDecoder;
use crate::archive::{ArchiveLimits, stream};

/// One frame: a decoder that stops at the end of the frame.
pub(super) trait Frame: Read + Sized {
    type Inner: BufRead;

    fn open(source: Self::Inner, limits: &ArchiveLimits) -> Result<Self>;

    /// Returns the source after the end of the frame, or an error if it ended wrongly.
    fn close(self) -> Result<Self::Inner>;

    /// True if these first bytes can start a frame.
    fn is_start(head: &[u8]) -> bool;

    /// Skips an empty frame that would take its decoder much time. Returns true if there was one.
    fn skip_empty(_: &mut Self::Inner) -> Result<bool> {
        Ok(false)
    }

    /// True if skippable frames may occur between the others (RFC 8878 section 3.1.2), as in LZ4.
    const SKIPS: bool = true;
}

/// A frame of Zstandard or LZ4, chosen by its first byte.
pub(super) enum BlockFrame<R: BufRead> {
    Zstd(Box<ZstdDecoder<R>>),
    Lz4(Lz4Frame<R>),
}

impl<R: BufRead> Frame for BlockFrame<R> {
    type Inner = R;

    fn open(mut source: R, limits: &ArchiveLimits) -> Result<Self> {
        match source.fill_buf()?.first() {
            // The first byte of Zstandard's magic number (RFC 8878 section 3.1.1); no frame of LZ4
            // starts with it.
            Some(0x28) => Ok(Self::Zstd(Frame::open(source, limits)?)),
            Some(_) => Ok(Self::Lz4(Frame::open(source, limits)?)),
            None => Err(ErrorKind::UnexpectedEof.into()),
        }
    }

    fn close(self) -> Result<R> {
        match self {
            Self::Zstd(frame) => frame.close(),
            Self::Lz4(frame) => frame.close(),
        }
    }

    fn is_start(head: &[u8]) -> bool {
        Box::<ZstdDecoder<R>>::is_start(head) || Lz4Frame::<R>::is_start(head)
    }
}

impl<R: BufRead> Read for BlockFrame<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        match self {
            Self::Zstd(frame) => frame.read(out),
            Self::Lz4(frame) => frame.read(out),
        }
    }
}

enum FrameState<F: Frame> {
    In(F),
    Between(F::Inner),
    Ended,
}

pub(super) struct Frames<F: Frame> {
    state: FrameState<F>,
    /// True until a frame with data was read.
    first: bool,
    limits: ArchiveLimits,
}

impl<F: Frame> Frames<F> {
    pub fn new(source: F::Inner, limits: &ArchiveLimits) -> Self {
        Self { state: FrameState::Between(source), first: true, limits: *limits }
    }

    fn next(&mut self, mut source: F::Inner) -> Result<FrameState<F>> {
        while F::skip_empty(&mut source)? {
            self.first = false;
        }
        let head = source.fill_buf()?;
        // The number is little-endian, and the last four bits of this byte are free (RFC 8878
        // section 3.1.2).
        if F::SKIPS && matches!(head.first(), Some(0x50..=0x5f)) {
            skip(&mut source)?;
            return Ok(FrameState::Between(source));
        }
        // Text can look like a skippable frame; only a frame with data proves the format.
        if !std::mem::take(&mut self.first) && !F::is_start(head) {
            padding(&mut source)?;
            return Ok(FrameState::Ended);
        }
        Ok(FrameState::In(F::open(source, &self.limits)?))
    }
}

impl<F: Frame> Read for Frames<F> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            self.state = match std::mem::replace(&mut self.state, FrameState::Ended) {
                FrameState::Ended => return Ok(0),
                FrameState::Between(source) => self.next(source)?,
                // On an error the state stays `Ended`, so that later reads return nothing instead
                // of data after the damage.
                FrameState::In(mut frame) => match frame.read(out)? {
                    0 => FrameState::Between(frame.close()?),
                    count => {
                        self.state = FrameState::In(frame);
                        return Ok(count);
                    }
                },
            };
        }
    }
}

fn skip(source: &mut impl BufRead) -> Result<()> {
    let mut header = [0; 8];
    source.read_exact(&mut header)?;
    let [_, magic @ .., a, b, c, d] = header;
    if magic != [0x2a, 0x4d, 0x18] {
        return Err(Error::new(ErrorKind::InvalidData, "no frame starts here"));
    }
    if stream::skip(source, u32::from_le_bytes([a, b, c, d]).into())? {
        Ok(())
    } else {
        Err(ErrorKind::UnexpectedEof.into())
    }
}

/// Reads the rest, which must be zeros or empty.
pub(super) fn padding(source: &mut impl BufRead) -> Result<()> {
    if stream::skip_zeros(source)? { Err(trailing()) } else { Ok(()) }
}

pub(super) fn trailing() -> Error {
    Error::new(ErrorKind::InvalidData, "unexpected data follows its end")
}
