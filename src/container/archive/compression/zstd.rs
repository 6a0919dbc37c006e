//! Zstandard, RFC 8878: frames, and frames to be skipped (section 3.1).

use std::io::{BufRead, Error, ErrorKind, Read, Result};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::frames;
use crate::container::archive::{Limits, stream};

type Decoder<R> = StreamingDecoder<R, FrameDecoder>;

/// One frame.
pub(super) enum Frame<R: BufRead> {
    /// Of compressed data; boxed, as the tables of a decoder are large.
    Data(Box<Decoder<R>>),
    /// To be skipped (RFC 8878 section 3.1.2).
    Skipped(R),
}

/// True for the magic number of a frame to be skipped.
pub(super) fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

impl<R: BufRead> frames::Frame for Frame<R> {
    type Source = R;

    fn open(mut source: R, limits: &Limits) -> Result<Self> {
        if matches!(source.fill_buf()?.first(), Some(0x50..=0x5f)) {
            let mut header = [0; 8];
            source.read_exact(&mut header)?;
            let [m0, m1, m2, m3, length @ ..] = header;
            if !is_skippable(&[m0, m1, m2, m3]) {
                return Err(Error::new(ErrorKind::InvalidData, "no frame starts here"));
            }
            if !stream::skip(&mut source, u32::from_le_bytes(length).into())? {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            return Ok(Self::Skipped(source));
        }
        Decoder::new_with_max_window_size(source, limits.window.into())
            .map(|decoder| Self::Data(Box::new(decoder)))
            .map_err(|error| match error {
                FrameDecoderError::WindowSizeTooBig { .. } => {
                    Error::new(ErrorKind::OutOfMemory, error)
                }
                error => of(error),
            })
    }

    fn close(self) -> Result<R> {
        match self {
            Self::Skipped(source) => Ok(source),
            Self::Data(decoder) => {
                let there = decoder.decoder.get_checksum_from_data();
                if there.is_some() && there != decoder.decoder.get_calculated_checksum() {
                    return Err(Error::new(ErrorKind::InvalidData, "the checksum is wrong"));
                }
                Ok(decoder.into_inner())
            }
        }
    }

    fn is_start(head: &[u8]) -> bool {
        matches!(head.first(), Some(0x28 | 0x50..=0x5f))
    }
}

impl<R: BufRead> Read for Frame<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        match self {
            Self::Skipped(_) => Ok(0),
            Self::Data(decoder) => decoder.read(out).map_err(|error| {
                let kind = error.kind();
                match error.into_inner() {
                    Some(inner) => of(inner),
                    None => kind.into(),
                }
            }),
        }
    }
}

/// An end that comes too early is deep inside the errors of the decoder.
fn of(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
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
