//! The entry point: an input, its contents, and the visitor that receives them.

use std::io::{Read, Seek};
use std::ops::ControlFlow;

use rayon::ThreadPool;

use super::limits::{Ledger, unpacked_here};
use super::readers::READERS;
use super::shared::{ReadAt, SharedFile, SharedReader};
use super::stream::{CountedInput, FusedStream, StreamRole};
use super::walker::ArchiveWalk;
use super::{ArchiveLimits, ArchiveProblem, MemberPath};

/// An input that can be read at any offset.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// The source of an input.
#[non_exhaustive]
pub enum ArchiveInput<'i> {
    /// Readable once, from the first byte to the last.
    Stream(&'i mut dyn Read),
    /// Readable at any offset, so that the directory at the end of a zip or 7z archive can be used.
    File(&'i mut dyn ReadSeek),
    /// Readable at any offset by several threads, which unpack members of a zip archive ahead of
    /// their turn. The visitor receives the same members in the same order, from the walking
    /// thread.
    Shared {
        /// The input.
        file: &'i dyn ReadAt,
        /// The pool whose threads help the calling one.
        pool: &'i ThreadPool,
    },
}

/// A stream of plain bytes.
#[non_exhaustive]
pub struct Member<'m> {
    /// Its place.
    pub path: &'m MemberPath,
    /// Its name: that of the input or archive member, without the extensions of decoded
    /// compressions.
    pub name: &'m [u8],
    /// Its size in bytes, if the archive declares one; it may be wrong.
    pub size: Option<u64>,
    /// The bytes. They end at an error, which [`Visitor::problem`] reports.
    pub reader: &'m mut dyn Read,
}

/// Receives the contents of an input.
pub trait Visitor {
    /// Receives a stream of plain bytes, and may read any part of it. `Break` ends the walk.
    fn member(&mut self, member: Member<'_>) -> ControlFlow<()>;

    /// True if the stream at this path, with this name and these first bytes, is passed on as it is
    /// although it is an archive, such as a document of Office. By default, every archive is
    /// unpacked.
    fn is_whole(&self, path: &MemberPath, name: &[u8], head: &[u8]) -> bool {
        let _ = (path, name, head);
        false
    }

    /// Called before a decoder is made that holds more than [`ArchiveLimits::LIGHT`], once for all
    /// nested ones. With several threads, it may wait until no other thread runs such a decoder.
    /// `Break` ends the walk.
    fn heavy(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called for a member that was skipped because it is encrypted.
    fn skipped(&mut self, path: &MemberPath);

    /// Reports each problem once. Problems beyond the first 100 are reported as a count.
    fn problem(&mut self, path: &MemberPath, problem: ArchiveProblem);
}

/// Passes all streams of `input` to `visitor`. The file name may identify the format if the bytes
/// don't.
///
/// An input in no known format is one stream, at an empty [`MemberPath`].
pub fn walk(
    input: ArchiveInput<'_>,
    name: &[u8],
    limits: &ArchiveLimits,
    visitor: &mut dyn Visitor,
) {
    let before = unpacked_here();
    let ledger = Ledger::new(*limits);
    let mut walk = ArchiveWalk::new(READERS, &ledger, visitor);
    let walked = match input {
        ArchiveInput::Stream(reader) => {
            let source = CountedInput::new(reader, &ledger);
            walk.stream(FusedStream::new(source, StreamRole::PassThrough, &ledger), name, None)
        }
        // Every way counts the packed bytes: the limit of what an input may unpack to depends on
        // them.
        ArchiveInput::File(file) => walk.file(CountedInput::new(file, &ledger), name),
        ArchiveInput::Shared { file, pool } => {
            walk.shared = Some(SharedFile { file, pool });
            walk.file(CountedInput::new(&mut SharedReader::new(file, 0), &ledger), name)
        }
    };
    walk.finish(walked);
    ledger.close(before);
}
