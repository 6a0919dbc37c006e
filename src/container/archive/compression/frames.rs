//! Concatenated frames in one stream, with zero padding after the last.

use std::io::{BufRead, Error, ErrorKind, Read, Result};

use crate::container::archive::ArchiveLimits;

/// One frame: a decoder that ends where the frame does.
pub(super) trait Frame: Read + Sized {
    type Inner: BufRead;

    fn open(source: Self::Inner, limits: &ArchiveLimits) -> Result<Self>;

    /// Returns the source after the end of the frame, or an error if it ended wrongly.
    fn close(self) -> Result<Self::Inner>;

    /// True if these first bytes can start a frame.
    fn is_start(head: &[u8]) -> bool;
}

enum FrameState<F: Frame> {
    In(F),
    Between(F::Inner),
    Ended,
}

pub(super) struct Frames<F: Frame> {
    state: FrameState<F>,
    first: bool,
    limits: ArchiveLimits,
}

impl<F: Frame> Frames<F> {
    pub fn new(source: F::Inner, limits: &ArchiveLimits) -> Self {
        Self { state: FrameState::Between(source), first: true, limits: *limits }
    }

    fn next(&mut self, mut source: F::Inner) -> Result<FrameState<F>> {
        if !std::mem::take(&mut self.first) && !F::is_start(source.fill_buf()?) {
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

/// Reads the rest, which must be zeros or nothing.
fn padding(source: &mut impl BufRead) -> Result<()> {
    loop {
        let rest = source.fill_buf()?;
        if rest.is_empty() {
            return Ok(());
        }
        if rest.iter().any(|&byte| byte != 0) {
            return Err(Error::new(
                ErrorKind::InvalidData,
                "after its end there is something else",
            ));
        }
        let count = rest.len();
        source.consume(count);
    }
}
