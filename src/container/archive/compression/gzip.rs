//! gzip, RFC 1952: a file is a series of members (section 2.2).

use std::io::{BufRead, Read, Result};

use flate2::bufread::GzDecoder;

use super::frames::Frame;
use crate::container::archive::ArchiveLimits;

/// One member; its checksum and length are verified.
pub(super) struct GzipMember<R>(GzDecoder<R>);

impl<R: BufRead> Frame for GzipMember<R> {
    type Inner = R;

    fn open(source: R, _: &ArchiveLimits) -> Result<Self> {
        Ok(Self(GzDecoder::new(source)))
    }

    fn close(self) -> Result<R> {
        Ok(self.0.into_inner())
    }

    fn is_start(head: &[u8]) -> bool {
        // the second byte may not have been read yet
        matches!(head, [0x1f] | [0x1f, 0x8b, ..])
    }
}

impl<R: BufRead> Read for GzipMember<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.0.read(out)
    }
}
