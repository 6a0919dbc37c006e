//! From an input to its streams of plain bytes.
//!
//! Nested formats are a recursion, which [`ArchiveLimits::depth`] bounds.

use std::io::{BufRead, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use super::format;
use super::limits::Ledger;
use super::members::{ar, seven_zip, tar, warc, zip};
use super::shared::{ReadAt, SharedReader};
use super::stream::{CountedInput, Gives, MemberBytes, Recorded, Stream, fill, peek};
use super::{
    ArchiveFormat, ArchiveLimit, ArchiveLimits, ArchiveProblem, HEAD, MemberPath, compression,
};
use crate::slice::SliceExt as _;

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
    /// The same, and so many threads in all may read it: they unpack members of a zip archive before their turn. What the
    /// visitor is given is the same, in the same order, and by the thread that walks.
    Shared {
        /// The input.
        file: &'i dyn ReadAt,
        /// With that of the caller.
        threads: usize,
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

const TOLD: u64 = 100;

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
    let mut walk = ArchiveWalk {
        ledger: &ledger,
        visitor,
        path: MemberPath::default(),
        depth: 0,
        windows: 0,
        problems: 0,
        given: 0,
        ahead: None,
    };
    let walked = match input {
        ArchiveInput::Stream(reader) => {
            let source = CountedInput::new(reader, &ledger);
            walk.stream(Stream::new(source, Gives::Same, &ledger), name, None)
        }
        ArchiveInput::File(file) => walk.file(CountedInput::new(file, &ledger), name),
        ArchiveInput::Shared { file, threads } => {
            walk.ahead = Some(zip::Ahead { file, threads });
            walk.file(CountedInput::new(&mut SharedReader::new(file, 0), &ledger), name)
        }
    };
    // The walk is over, so a `Break` does not matter any more. What failed and was not read is told all the same.
    drop(walk.settle(Some(walked.err().unwrap_or(Halt::Broken))));
    if walk.problems > TOLD {
        let more = ArchiveProblem::More(walk.problems - TOLD);
        walk.visitor.problem(&MemberPath::default(), more);
    }
}

pub(super) enum Halt {
    Enough,
    /// A stream failed, and told the ledger why.
    Broken,
    Problem(ArchiveProblem),
}

impl From<ArchiveProblem> for Halt {
    fn from(problem: ArchiveProblem) -> Self {
        Self::Problem(problem)
    }
}

impl From<std::io::Error> for Halt {
    fn from(_: std::io::Error) -> Self {
        Self::Broken
    }
}

pub(super) type Walked<T = ()> = Result<T, Halt>;

pub(super) struct ArchiveWalk<'l, 'v> {
    pub ledger: &'l Ledger,
    visitor: &'v mut dyn Visitor,
    path: MemberPath,
    depth: usize,
    /// The total window of the active decoders.
    windows: u64,
    /// How many were reported.
    pub problems: u64,
    /// How many streams and members there were.
    given: u64,
    /// How members of the input are unpacked before their turn.
    ahead: Option<zip::Ahead<'l>>,
}

/// What it is that the reader of its format refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Otherwise {
    /// A text that starts like something else.
    Text,
    Damaged,
}

impl Otherwise {
    fn of(head: &[u8]) -> Self {
        match format::is_text_behind_magic(head) {
            true => Self::Text,
            false => Self::Damaged,
        }
    }
}

/// What came of reading something as what it seems to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadAs {
    Format,
    /// It is none of this format, or damaged where it starts.
    Refused,
    /// It was not tried.
    Nothing,
}

impl<'l> ArchiveWalk<'l, '_> {
    fn file(&mut self, mut file: CountedInput<'l, &mut dyn ReadSeek>, name: &[u8]) -> Walked {
        let mut head = [0; HEAD];
        let count = fill(&mut file, &mut head)?;
        let head = head.part(..count);
        let read = match ArchiveFormat::detect(head) {
            Some(ArchiveFormat::Zip) => match zip::CentralDirectory::find(&mut file)? {
                zip::DirectorySearch::Found(directory) => {
                    let ahead = self.ahead.take();
                    let by_directory =
                        |walk: &mut Self| zip::by_directory(walk, &mut file, directory, ahead);
                    self.read_as(ArchiveFormat::Zip, Otherwise::of(head), by_directory)?
                }
                // what is there is read in its order
                zip::DirectorySearch::Displaced => {
                    self.tell(zip::missing_bytes());
                    ReadAs::Nothing
                }
                zip::DirectorySearch::None => ReadAs::Nothing,
            },
            Some(ArchiveFormat::SevenZip) => {
                let members = |walk: &mut Self| seven_zip::members(walk, &mut file);
                self.read_as(ArchiveFormat::SevenZip, Otherwise::of(head), members)?
            }
            _ => ReadAs::Nothing,
        };
        file.seek(SeekFrom::Start(0))?;
        match read {
            ReadAs::Format => Ok(()),
            ReadAs::Refused => self.plain(file, name, None),
            ReadAs::Nothing => self.stream(Stream::new(file, Gives::Same, self.ledger), name, None),
        }
    }

    /// Reads a stream in any format; it must be a [`Stream`], so that it stays failed.
    fn stream(&mut self, reader: impl Read, name: &[u8], size: Option<u64>) -> Walked {
        let mut peeked = Recorded::new(peek(reader, name));
        let Some(format) = ArchiveFormat::guess(peeked.head(), name) else {
            if let Some(promised) = ArchiveFormat::promised(peeked.head(), name) {
                self.tell(promised.corrupt("only its name says that it is such"));
            }
            return self.plain(peeked, name, size);
        };
        if self.depth == self.ledger.limits.depth {
            self.tell(ArchiveProblem::Limit(ArchiveLimit::Depth(self.depth)));
            return self.plain(peeked, name, size);
        }
        let otherwise = Otherwise::of(peeked.head());
        let read = self.read_as(format, otherwise, |walk| match format {
            ArchiveFormat::Tar => tar::members(walk, &mut peeked),
            ArchiveFormat::Ar => ar::members(walk, &mut peeked),
            ArchiveFormat::Warc => warc::members(walk, &mut peeked),
            ArchiveFormat::Zip => zip::in_order(walk, &mut peeked),
            ArchiveFormat::SevenZip => seven_zip::members_of_stream(walk, &mut peeked),
            format => walk.unpacked(format, Box::new(&mut peeked), |walk, decoder| {
                let mut unpacked = Stream::new(decoder, Gives::Unpacked(format), walk.ledger);
                let (mut first, mut count) = ([0], 0);
                // What fails at once is refused.
                if otherwise == Otherwise::Text {
                    count = fill(&mut unpacked, &mut first)?;
                }
                let unpacked = first.part(..count).chain(unpacked);
                let unpacked = Stream::new(unpacked, Gives::Same, walk.ledger);
                walk.stream(unpacked, inner_name(name), None)
            }),
        })?;
        match (read, peeked.again()) {
            (ReadAs::Refused, Some(again)) => self.plain(again, name, size),
            _ => Ok(()),
        }
    }

    /// Reads what seems to be in a format. If its reader refuses it, which is reported, and has given nothing, it
    /// may be text.
    fn read_as(
        &mut self,
        format: ArchiveFormat,
        otherwise: Otherwise,
        act: impl FnOnce(&mut Self) -> Walked,
    ) -> Walked<ReadAs> {
        let before = self.given;
        let walked = self.deeper(format, act);
        let is_refused = match &walked {
            Err(Halt::Problem(problem)) => problem.is_refusal(),
            Err(Halt::Broken) => self.ledger.is_refusal(),
            Ok(()) | Err(Halt::Enough) => false,
        };
        if !is_refused || self.given != before || otherwise == Otherwise::Damaged {
            return walked.map(|()| ReadAs::Format);
        }
        self.settle(walked.err())?;
        Ok(ReadAs::Refused)
    }

    /// Decodes `source`, if its format is no archive.
    pub fn unpacked<'s>(
        &mut self,
        format: ArchiveFormat,
        source: Box<dyn BufRead + 's>,
        act: impl FnOnce(&mut Self, Box<dyn Read + 's>) -> Walked,
    ) -> Walked {
        self.holding(|walk| match walk.decoder(format, source)? {
            Some(decoder) => act(walk, decoder),
            None => Ok(()),
        })
    }

    /// Decodes `source`; `None` if its format is that of an archive. Its memory counts as [`Self::hold`]
    /// says; frames after the first may need as much, or little.
    pub fn decoder<'s>(
        &mut self,
        format: ArchiveFormat,
        mut source: Box<dyn BufRead + 's>,
    ) -> Walked<Option<Box<dyn Read + 's>>> {
        // An error comes again when it is read.
        let head = source.fill_buf().unwrap_or_default();
        let light = u64::from(ArchiveLimits::LIGHT);
        let window = compression::window(format, head).map_or(0, |window| window.max(light));
        let limits = self.hold(window)?;
        Ok(compression::open(format, source, &limits))
    }

    /// Runs `act`; the memory of decoders made in it counts until it returns.
    pub fn holding<T>(&mut self, act: impl FnOnce(&mut Self) -> Walked<T>) -> Walked<T> {
        let before = self.windows;
        let done = act(self);
        self.windows = before;
        done
    }

    /// The limits of a decoder with this window. The memory of nested decoders is bounded as a whole, so
    /// the window that is left may be smaller.
    pub fn hold(&mut self, window: u64) -> Walked<ArchiveLimits> {
        let light = u64::from(ArchiveLimits::LIGHT);
        let before = self.windows;
        let left = u64::from(self.ledger.limits.window).saturating_sub(before);
        if window <= left && before <= light && before + window > light {
            match self.visitor.heavy() {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(()) => return Err(Halt::Enough),
            }
        }
        self.windows += window.min(left);
        Ok(ArchiveLimits {
            window: u32::try_from(window.min(left)).unwrap_or(u32::MAX),
            ..self.ledger.limits
        })
    }

    fn plain(&mut self, reader: impl Read, name: &[u8], size: Option<u64>) -> Walked {
        self.given += 1;
        let mut stream = Stream::new(reader, Gives::Same, self.ledger);
        let flow =
            self.visitor.member(Member { path: &self.path, name, size, reader: &mut stream });
        match flow {
            ControlFlow::Break(()) => Err(Halt::Enough),
            ControlFlow::Continue(()) if stream.is_broken() => Err(Halt::Broken),
            ControlFlow::Continue(()) => Ok(()),
        }
    }

    /// Reads a member of an archive. Damage in it is reported, and the archive goes on if it can.
    pub fn member(&mut self, name: &[u8], size: Option<u64>, body: &mut Stream<'_>) -> Walked {
        self.at_member(name, |walk| {
            let walked = walk.stream(body, name, size);
            walk.settle(walked.err())
        })
    }

    /// Reads bytes of an archive that are those of no member.
    pub fn unclaimed(&mut self, archive: ArchiveFormat, bytes: impl Read) -> Walked {
        self.ledger.member().map_err(Halt::Problem)?;
        let mut body = Stream::new(bytes, Gives::Member(archive), self.ledger);
        let walked = self.stream(&mut body, b"", None);
        self.settle(walked.err())
    }

    fn at_member(&mut self, name: &[u8], act: impl FnOnce(&mut Self) -> Walked) -> Walked {
        self.given += 1;
        self.ledger.member().map_err(Halt::Problem)?;
        let mark = self.path.mark();
        self.path.push_member(name);
        let acted = act(self);
        self.path.return_to(mark);
        acted
    }

    /// Reads a member whose bytes are not compressed.
    pub fn stored(
        &mut self,
        archive: ArchiveFormat,
        name: &[u8],
        size: u64,
        part: &mut MemberBytes<'_>,
    ) -> Walked {
        let mut body = Stream::new(part, Gives::Member(archive), self.ledger);
        self.member(name, Some(size), &mut body)
    }

    /// Reads a record of a WARC file, whose name says nothing of its format: `file_name` does.
    pub fn of_record(
        &mut self,
        name: &[u8],
        file_name: &[u8],
        part: &mut MemberBytes<'_>,
    ) -> Walked {
        let size = part.left();
        let mut body = Stream::new(part, Gives::Member(ArchiveFormat::Warc), self.ledger);
        self.at_member(name, |walk| {
            let walked = walk.stream(&mut body, file_name, Some(size));
            walk.settle(walked.err())
        })
    }

    pub fn encrypted(&mut self, name: &[u8]) -> Walked {
        self.at_member(name, |walk| {
            walk.visitor.skipped(&walk.path);
            Ok(())
        })
    }

    pub fn member_problem(&mut self, name: &[u8], problem: ArchiveProblem) -> Walked {
        self.at_member(name, |walk| {
            walk.tell(problem);
            Ok(())
        })
    }

    pub fn tell_encrypted(&mut self, count: u64) {
        if count > 0 {
            self.tell(ArchiveProblem::Encrypted(count));
        }
    }

    /// Reports an archive whose list of members is encrypted.
    pub fn encrypted_archive(&mut self, archive: ArchiveFormat) {
        self.visitor.skipped(&self.path);
        self.tell(archive.unsupported("the list of its members is encrypted"));
    }

    fn deeper(&mut self, format: ArchiveFormat, act: impl FnOnce(&mut Self) -> Walked) -> Walked {
        let mark = self.path.mark();
        self.path.push_format(format);
        self.depth += 1;
        let walked = act(self);
        self.depth -= 1;
        self.path.return_to(mark);
        walked
    }

    /// Reports the problem, unless that was done; an error if the visitor has enough.
    pub fn settle(&mut self, halt: Option<Halt>) -> Walked {
        match halt {
            // What failed where somebody only looked ahead fails again where it is read.
            None => Ok(()),
            Some(Halt::Enough) => {
                self.ledger.take();
                Err(Halt::Enough)
            }
            Some(Halt::Broken) => {
                let pending = self.ledger.take();
                pending.map_or(Ok(()), |problem| self.told(problem))
            }
            Some(Halt::Problem(problem)) => {
                self.ledger.take();
                self.told(problem)
            }
        }
    }

    /// Reports a problem; an error if it is a limit of the whole walk.
    fn told(&mut self, problem: ArchiveProblem) -> Walked {
        let last = matches!(problem, ArchiveProblem::Limit(_));
        self.tell(problem);
        if last { Err(Halt::Enough) } else { Ok(()) }
    }

    /// Reports a problem of the current place.
    pub fn tell(&mut self, problem: ArchiveProblem) {
        self.problems += 1;
        if self.problems <= TOLD {
            self.visitor.problem(&self.path, problem);
        }
    }
}

/// The name of the content of a compressed file: without the extension.
fn inner_name(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(at) => name.get(..at).unwrap_or(name),
        None => name,
    }
}

pub(super) type ByteSource<'b> = &'b mut dyn BufRead;
