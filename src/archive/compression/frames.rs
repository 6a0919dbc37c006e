//! Concatenated frames in one stream, with zero padding after the last.

use std::io::{BufRead, Cursor, Error, ErrorKind, Read, Result};

use brotli_decompressor::Decompressor;
use bzip2::bufread::BzDecoder;
use flate2::bufread::{GzDecoder, ZlibDecoder};
use lzma_rust2::LzmaReader;

use super::lz4::Lz4Frame;
use super::zstd::ZstdDecoder;
use super::{ROOM, SmallReads, lzma_memory};
use crate::archive::format::BZIP2_END;
use crate::archive::{ArchiveLimits, stream};

/// One frame: a decoder that ends where the frame does.
pub(super) trait Frame: Read + Sized {
    type Inner: BufRead;

    fn open(source: Self::Inner, limits: &ArchiveLimits) -> Result<Self>;

    /// Returns the source after the end of the frame, or an error if it ended wrongly.
    fn close(self) -> Result<Self::Inner>;

    /// True if these first bytes can start a frame.
    fn is_start(head: &[u8]) -> bool;

    /// Skips a frame without data that its decoder would spend much time on; true if there was one.
    fn skip_empty(_: &mut Self::Inner) -> Result<bool> {
        Ok(false)
    }

    /// Whether skippable frames may be between the others (RFC 8878 section 3.1.2), as in LZ4.
    const SKIPS: bool = true;
}

/// One member of a gzip file (RFC 1952 section 2.2); its checksum and length are verified.
impl<R: BufRead> Frame for GzDecoder<R> {
    type Inner = R;

    fn open(source: R, _: &ArchiveLimits) -> Result<Self> {
        Ok(Self::new(source))
    }

    fn close(self) -> Result<R> {
        Ok(self.into_inner())
    }

    fn is_start(head: &[u8]) -> bool {
        // The second byte may not have been read yet.
        matches!(head, [0x1f] | [0x1f, 0x8b, ..])
    }

    const SKIPS: bool = false;
}

/// A frame of Zstandard or LZ4, as its first byte says.
pub(super) enum BlockFrame<R: BufRead> {
    Zstd(Box<ZstdDecoder<R>>),
    Lz4(Lz4Frame<R>),
}

impl<R: BufRead> Frame for BlockFrame<R> {
    type Inner = R;

    fn open(mut source: R, limits: &ArchiveLimits) -> Result<Self> {
        match source.fill_buf()?.first() {
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

/// A stream of bzip2. Its decoder allocates some MiB before it sees that there is nothing in it.
pub(super) struct Bzip2Frame<R>(SmallReads<BzDecoder<R>>);

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
            if rest.strip_prefix(BZIP2_END).is_some_and(|rest| rest.starts_with(&[0; 4])));
        source.consume(if empty { 4 + BZIP2_END.len() + 4 } else { 0 });
        Ok(empty)
    }

    const SKIPS: bool = false;
}

impl<R: BufRead> Read for Bzip2Frame<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.0.read(out)
    }
}

/// The only stream of a zlib file (RFC 1950).
impl<R: BufRead> Frame for ZlibDecoder<R> {
    type Inner = R;

    fn open(source: R, _: &ArchiveLimits) -> Result<Self> {
        Ok(Self::new(source))
    }

    fn close(self) -> Result<R> {
        Ok(self.into_inner())
    }

    fn is_start(_: &[u8]) -> bool {
        false
    }

    const SKIPS: bool = false;
}

/// The only stream of an `.lzma` file, which has no checksum: only a size or an end mark.
pub(super) struct LzmaFrame<'s>(SmallReads<LzmaReader<Box<dyn BufRead + 's>>>);

impl<'s> Frame for LzmaFrame<'s> {
    type Inner = Box<dyn BufRead + 's>;

    fn open(source: Self::Inner, limits: &ArchiveLimits) -> Result<Self> {
        let mut reader = LzmaReader::new_mem_limit(source, lzma_memory(limits), None)?;
        reader.set_relaxed_end_condition(false);
        Ok(Self(SmallReads::new(reader)))
    }

    fn close(self) -> Result<Self::Inner> {
        let (source, ahead) = self.0.into_inner().into_parts();
        Ok(Box::new(Cursor::new(ahead).chain(source)))
    }

    fn is_start(_: &[u8]) -> bool {
        false
    }

    const SKIPS: bool = false;
}

impl Read for LzmaFrame<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.0.read(out)
    }
}

/// A brotli stream, which its decoder reads from a buffer of its own.
pub(super) struct Brotli<R: Read>(Decompressor<R>);

impl<R: BufRead> Brotli<R> {
    pub fn new(source: R) -> Self {
        Self(Decompressor::new(source, ROOM))
    }
}

impl<R: BufRead> Read for Brotli<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.0.read(out)?;
        if count == 0 && !out.is_empty() {
            // Behind the end, the decoder fails if there is more in its buffer.
            self.0.read(&mut [0]).map_err(|_| trailing())?;
            padding(self.0.get_mut())?;
        }
        Ok(count)
    }
}

enum FrameState<F: Frame> {
    In(F),
    Between(F::Inner),
    Ended,
}

pub(super) struct Frames<F: Frame> {
    state: FrameState<F>,
    /// Whether no frame with data has come yet.
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
        if F::SKIPS && matches!(head.first(), Some(0x50..=0x5f)) {
            skip(&mut source)?;
            return Ok(FrameState::Between(source));
        }
        // A text may start like a skippable frame; without one that holds data, nothing says that it is none.
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
    match stream::skip(source, u32::from_le_bytes([a, b, c, d]).into())? {
        true => Ok(()),
        false => Err(ErrorKind::UnexpectedEof.into()),
    }
}

/// Reads the rest, which must be zeros or nothing.
fn padding(source: &mut impl BufRead) -> Result<()> {
    match stream::skip_zeros(source)? {
        true => Err(trailing()),
        false => Ok(()),
    }
}

fn trailing() -> Error {
    Error::new(ErrorKind::InvalidData, "after its end there is something else")
}
