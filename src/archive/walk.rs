//! The way in: an input, what it holds, and who receives that.

use std::io::{Read, Seek};
use std::ops::ControlFlow;

use rayon::ThreadPool;

use super::limits::Ledger;
use super::readers::READERS;
use super::shared::{ReadAt, SharedFile, SharedReader};
use super::stream::{CountedInput, Stream, StreamRole};
use super::walker::ArchiveWalk;
use super::{ArchiveLimits, ArchiveProblem, MemberPath};

/// An input that can be read at any offset.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// The bytes of an input.
#[non_exhaustive]
pub enum ArchiveInput<'i> {
    /// Read once, from the first byte to the last.
    Stream(&'i mut dyn Read),
    /// Readable at any offset, so that the directory at the end of a zip or 7z archive is used.
    File(&'i mut dyn ReadSeek),
    /// The same, and the threads of a pool may read it: they unpack members of a zip archive before their turn. What
    /// the visitor is given is the same, in the same order, and by the thread that walks.
    Shared {
        /// The input.
        file: &'i dyn ReadAt,
        /// Whose threads help the calling one.
        pool: &'i ThreadPool,
    },
}

/// A stream of plain bytes.
#[non_exhaustive]
pub struct Member<'m> {
    /// Where it is.
    pub path: &'m MemberPath,
    /// Its name: that of the input or of the member of an archive, without the extensions of the
    /// compressions that were decoded.
    pub name: &'m [u8],
    /// How many bytes it has, if the archive says so; it may be wrong.
    pub size: Option<u64>,
    /// The bytes. After an error there are no more; [`Visitor::problem`] says what is wrong.
    pub reader: &'m mut dyn Read,
}

/// Receives the contents of an input.
pub trait Visitor {
    /// A stream of plain bytes, of which any amount may be read. `Break` ends the walk.
    fn member(&mut self, member: Member<'_>) -> ControlFlow<()>;

    /// Called before a decoder is made that holds more than [`ArchiveLimits::LIGHT`], once for all that are
    /// nested: with several threads, it may wait until no other does this. `Break` ends the walk.
    fn heavy(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A member was skipped because it is encrypted.
    fn skipped(&mut self, path: &MemberPath);

    /// Reports a problem, each once; those beyond the first 100 as their number.
    fn problem(&mut self, path: &MemberPath, problem: ArchiveProblem);
}

/// Gives `visitor` all streams of `input`, whose file name may tell its format where its bytes don't.
///
/// An input in no known format is one stream, at an empty [`MemberPath`].
pub fn walk(
    input: ArchiveInput<'_>,
    name: &[u8],
    limits: &ArchiveLimits,
    visitor: &mut dyn Visitor,
) {
    let ledger = Ledger::new(*limits);
    let mut walk = ArchiveWalk::new(READERS, &ledger, visitor);
    let walked = match input {
        ArchiveInput::Stream(reader) => {
            let source = CountedInput::new(reader, &ledger);
            walk.stream(Stream::new(source, StreamRole::PassThrough, &ledger), name, None)
        }
        ArchiveInput::File(file) => walk.file(CountedInput::new(file, &ledger), name),
        ArchiveInput::Shared { file, pool } => {
            walk.shared = Some(SharedFile { file, pool });
            walk.file(CountedInput::new(&mut SharedReader::new(file, 0), &ledger), name)
        }
    };
    walk.finish(walked);
}
