//! For decoders that drop the output of a read that meets damage.

use std::io::{Error, Read, Result};

/// Reads so little at a time that an error, reported after the bytes before it, loses little.
pub(super) struct SmallReads<R> {
    inner: R,
    error: Option<Error>,
}

const PIECE: usize = 1 << 10;

impl<R: Read> SmallReads<R> {
    pub const fn new(inner: R) -> Self {
        Self { inner, error: None }
    }
}

impl<R: Read> Read for SmallReads<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let mut count = 0;
        for piece in out.chunks_mut(PIECE) {
            match self.inner.read(piece) {
                Ok(read) if read == piece.len() => count += read,
                // The end, or the error has to wait.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that fails in any read that reaches its end.
    struct Damaged(usize);

    impl Read for Damaged {
        fn read(&mut self, out: &mut [u8]) -> Result<usize> {
            let left = self.0.checked_sub(out.len());
            self.0 = left.ok_or_else(|| Error::other("damage"))?;
            out.fill(b'a');
            Ok(out.len())
        }
    }

    #[test]
    fn what_stands_before_damage_is_read() {
        let mut read = Vec::new();
        let mut pieces = SmallReads::new(Damaged(10_000));
        assert!(pieces.read_to_end(&mut read).is_err());
        assert!(read.len() > 10_000 - PIECE, "{}", read.len());
        let mut whole = Vec::new();
        assert!(SmallReads::new(&[7; 5000][..]).read_to_end(&mut whole).is_ok());
        assert_eq!(whole, [7; 5000]);
    }
}
