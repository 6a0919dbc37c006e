//! For decoders that drop the output of a read that reaches damage.

use std::io::{Error, Read, Result};

/// Reads small pieces. An error is reported after the bytes before it, so little is lost.
pub(in crate::archive) struct SmallReads<R> {
    inner: R,
    error: Option<Error>,
}

const PIECE_BYTES: usize = 1 << 10;

impl<R: Read> SmallReads<R> {
    pub const fn new(inner: R) -> Self {
        Self { inner, error: None }
    }

    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> Read for SmallReads<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let mut count = 0;
        for piece in out.chunks_mut(PIECE_BYTES) {
            match self.inner.read(piece) {
                Ok(read) if read == piece.len() => count += read,
                // This is the end, or an error that must be reported later.
                Ok(read) => return Ok(count + read),
                Err(error) if count == 0 => return Err(error),
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        Ok(count)
    }
}
