//! Verifies the checksum of a member while its bytes are read.

use std::cell::Cell;
use std::io::{Error, ErrorKind, Read, Result};

use crate::slice::SliceExt as _;
use flate2::Crc;

pub(super) const WRONG: &str = "the checksum is wrong";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Checksum {
    pub crc: u32,
    pub size: u64,
}

pub(super) struct ChecksummedReader<'s, R> {
    inner: R,
    crc: Crc,
    sum: &'s Cell<Checksum>,
    wanted: Option<Checksum>,
}

impl<'s, R> ChecksummedReader<'s, R> {
    pub fn new(inner: R, sum: &'s Cell<Checksum>, wanted: Option<Checksum>) -> Self {
        Self { inner, crc: Crc::new(), sum, wanted }
    }
}

impl<R: Read> Read for ChecksummedReader<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(out)?;
        self.crc.update(out.part(..count));
        let sum = Checksum { crc: self.crc.sum(), size: self.sum.get().size + count as u64 };
        self.sum.set(sum);
        match self.wanted {
            Some(wanted) if count == 0 && !out.is_empty() && wanted != sum => {
                Err(Error::new(ErrorKind::InvalidData, WRONG))
            }
            _ => Ok(count),
        }
    }
}
