//! The walk from an input to its streams of plain bytes.
//!
//! Nested formats are a recursion, which [`ArchiveLimits::depth`] bounds. The walk knows formats
//! only through their [`ArchiveReader`].

use std::io::{BufRead, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use super::limits::{Ledger, unpacked_here};
use super::reader::{
    ArchiveReader, Compression, Contents, FileOutcome, PackedBytes, Readers, UnpackedBytes,
};
use super::shared::SharedFile;
use super::stream::{CountedInput, FusedStream, MemberBytes, Recorded, StreamRole, fill, peek};
use super::walk::{Member, ReadSeek, Visitor};
use super::{
    ArchiveFormat, ArchiveLimit, ArchiveLimits, ArchiveProblem, HEAD_BYTES, MemberPath, Stop,
    WalkResult, compression,
};
use crate::slice::SliceExt as _;

/// Number of problems reported individually; later ones are counted.
const MAX_REPORTED: u64 = 100;

pub(super) struct ArchiveWalk<'l, 'v> {
    pub ledger: &'l Ledger,
    pub readers: Readers,
    visitor: &'v mut dyn Visitor,
    path: MemberPath,
    depth: usize,
    /// The total window of the active decoders, in bytes.
    windows: u64,
    /// Number of problems so far.
    pub problems: u64,
    /// Number of streams and members delivered to the visitor.
    delivered: u64,
    /// The input, if threads may share it. The code that unpacks members ahead of their turn takes
    /// it.
    pub shared: Option<SharedFile<'l>>,
}

/// The meaning of an input that the reader of its format rejects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IfRejected {
    /// It is text that starts like another format.
    Text,
    Damaged,
}

impl IfRejected {
    fn from_head(reader: &dyn ArchiveReader, head: &[u8]) -> Self {
        if reader.is_text(head) { Self::Text } else { Self::Damaged }
    }
}

/// The result of reading an input in the detected format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormatOutcome<T> {
    Read(T),
    /// It is not in this format, or it is damaged at its start.
    Rejected,
}

impl<'l, 'v> ArchiveWalk<'l, 'v> {
    pub fn new(readers: Readers, ledger: &'l Ledger, visitor: &'v mut dyn Visitor) -> Self {
        Self {
            ledger,
            readers,
            visitor,
            path: MemberPath::default(),
            depth: 0,
            windows: 0,
            problems: 0,
            delivered: 0,
            shared: None,
        }
    }

    /// Ends the walk: reports the pending problem, and how many more were not reported.
    pub fn finish(mut self, walked: WalkResult) {
        // The walk is over, so a stop has no further effect. A failed stream that was not read is
        // still reported.
        drop(self.resolve_pending(Some(walked.err().unwrap_or(Stop::ReadFailed))));
        // A damaged archive may have a problem per member. The count shows that the list is not
        // complete.
        if self.problems > MAX_REPORTED {
            let more = ArchiveProblem::More(self.problems - MAX_REPORTED);
            self.visitor.problem(&MemberPath::default(), more);
        }
    }

    /// Reads a file, by its list of members if it has one.
    pub fn file(
        &mut self,
        mut file: CountedInput<'l, &mut dyn ReadSeek>,
        name: &[u8],
    ) -> WalkResult {
        let mut head = [0; HEAD_BYTES];
        let count = fill(&mut file, &mut head)?;
        let head = head.part(..count);
        // If the limit of depth is reached, `stream` below reports it.
        let may_go_deeper = self.depth < self.ledger.limits.depth;
        let mut outcome = FormatOutcome::Read(FileOutcome::ReadInOrder);
        if may_go_deeper
            && let Some(reader) = self.readers.detect(head)
            && let Contents::Members(members) = reader.contents()
        {
            let if_rejected = IfRejected::from_head(reader, head);
            outcome = self
                .read_as(reader.format(), if_rejected, |walk| members.read_file(walk, &mut file))?;
        }
        // Detection and a failed directory have moved the file, so start again at its first byte.
        file.seek(SeekFrom::Start(0))?;
        match outcome {
            FormatOutcome::Read(FileOutcome::Done) => Ok(()),
            FormatOutcome::Rejected => self.deliver(file, name, None),
            FormatOutcome::Read(FileOutcome::ReadInOrder) => self.stream(
                FusedStream::new(file, StreamRole::PassThrough, self.ledger),
                name,
                None,
            ),
        }
    }

    /// Reads a stream in any format. It must be a [`FusedStream`], so that it keeps failing after
    /// an error.
    pub fn stream(&mut self, stream: impl Read, name: &[u8], size: Option<u64>) -> WalkResult {
        let mut peeked = Recorded::new(peek(stream, name, self.readers));
        // The first bytes decide. The name counts only for formats without a magic number, because
        // any file may be called `a.gz`.
        let is_whole = self.visitor.is_whole(&self.path, name, peeked.head());
        let guessed = self.readers.guess(peeked.head(), name).filter(|_| !is_whole);
        let Some(reader) = guessed else {
            if let Some(promised) = self.readers.promised(peeked.head(), name) {
                self.report(
                    promised.format().corrupt(
                        "its name has the extension, but its bytes are not in this format",
                    ),
                );
            }
            return self.deliver(peeked, name, size);
        };
        // Each level is a recursion. A crafted archive could contain itself, so the depth is
        // bounded, and deeper data is searched as stored.
        if self.depth >= self.ledger.limits.depth {
            self.report(ArchiveProblem::Limit(ArchiveLimit::Depth(self.depth)));
            return self.deliver(peeked, name, size);
        }
        let if_rejected = IfRejected::from_head(reader, peeked.head());
        let outcome =
            self.read_as(reader.format(), if_rejected, |walk| match reader.contents() {
                Contents::Members(members) => members.read_in_order(walk, &mut peeked),
                Contents::Stream(compression) => {
                    walk.decode(compression, Box::new(&mut peeked), |walk, decoder| {
                        walk.decoded(reader.format(), decoder, inner_name(name), if_rejected)
                    })
                }
            })?;
        match (outcome, peeked.again()) {
            (FormatOutcome::Rejected, Some(again)) => self.deliver(again, name, size),
            _ => Ok(()),
        }
    }

    /// Reads the output of a decoder, in any format.
    fn decoded(
        &mut self,
        format: ArchiveFormat,
        decoder: UnpackedBytes<'_>,
        name: &[u8],
        if_rejected: IfRejected,
    ) -> WalkResult {
        let mut unpacked = FusedStream::new(decoder, StreamRole::Unpacked(format), self.ledger);
        let (mut first, mut count) = ([0], 0);
        // A decoder that fails at its first byte rejects its input, which then is text.
        if if_rejected == IfRejected::Text {
            count = fill(&mut unpacked, &mut first)?;
        }
        let unpacked = first.part(..count).chain(unpacked);
        self.stream(FusedStream::new(unpacked, StreamRole::PassThrough, self.ledger), name, None)
    }

    /// Reads an input in its detected format. If the reader rejects it, which is reported, and
    /// nothing was delivered, it may be text.
    fn read_as<T>(
        &mut self,
        format: ArchiveFormat,
        if_rejected: IfRejected,
        read: impl FnOnce(&mut Self) -> WalkResult<T>,
    ) -> WalkResult<FormatOutcome<T>> {
        let before = self.delivered;
        let walked = self.deeper(format, read);
        let is_refused = match &walked {
            Err(Stop::Problem(problem)) => problem.is_refusal(),
            Err(Stop::ReadFailed) => self.ledger.is_refusal(),
            Ok(_) | Err(Stop::Requested) => false,
        };
        // Once a member was delivered, its hits may be printed already. Searching the same bytes as
        // text would report them twice.
        if !is_refused || self.delivered != before || if_rejected == IfRejected::Damaged {
            return walked.map(FormatOutcome::Read);
        }
        self.resolve_pending(walked.err())?;
        Ok(FormatOutcome::Rejected)
    }

    /// Runs `read` on the unpacked bytes of `source`.
    pub fn decode<'s, T>(
        &mut self,
        compression: &dyn Compression,
        source: PackedBytes<'s>,
        read: impl FnOnce(&mut Self, UnpackedBytes<'s>) -> WalkResult<T>,
    ) -> WalkResult<T> {
        self.releasing_windows(|walk| {
            let decoder = walk.decoder(compression, source)?;
            read(walk, decoder)
        })
    }

    /// Opens a decoder. Its memory counts as described at [`Self::hold`]. Frames after the first
    /// are assumed to need as much, or little.
    pub fn decoder<'s>(
        &mut self,
        compression: &dyn Compression,
        mut source: PackedBytes<'s>,
    ) -> WalkResult<UnpackedBytes<'s>> {
        // The decoder's own read reports the error again.
        let head = source.fill_buf().unwrap_or_default();
        let light = u64::from(ArchiveLimits::LIGHT);
        let window = compression.window(head).map_or(0, |window| window.max(light));
        let limits = self.reserve_window(window)?;
        Ok(compression.open(source, &limits).unwrap_or_else(compression::failing))
    }

    /// Runs `act`; the memory of decoders made in it counts until it returns.
    pub fn releasing_windows<T>(
        &mut self,
        act: impl FnOnce(&mut Self) -> WalkResult<T>,
    ) -> WalkResult<T> {
        let before = self.windows;
        let done = act(self);
        // The decoders that `act` opened are dropped by now, on every way out of it.
        self.windows = before;
        done
    }

    /// Returns the limits for a decoder with this window. Nested decoders share one bound on
    /// memory, so the window that is left may be smaller.
    pub fn reserve_window(&mut self, window: u64) -> WalkResult<ArchiveLimits> {
        let light = u64::from(ArchiveLimits::LIGHT);
        let before = self.windows;
        let left = u64::from(self.ledger.limits.window).saturating_sub(before);
        // Announce only the step over the limit, so that nested decoders wait for other threads
        // once, not at each level.
        let is_heavy = window <= left && before <= light && before + window > light;
        if is_heavy && self.visitor.heavy().is_break() {
            return Err(Stop::Requested);
        }
        self.windows += window.min(left);
        Ok(ArchiveLimits {
            window: u32::try_from(window.min(left)).unwrap_or(u32::MAX),
            ..self.ledger.limits
        })
    }

    fn deliver(&mut self, reader: impl Read, name: &[u8], size: Option<u64>) -> WalkResult {
        self.delivered += 1;
        let mut stream = FusedStream::new(reader, StreamRole::PassThrough, self.ledger);
        let before = unpacked_here();
        let flow =
            self.visitor.member(Member { path: &self.path, name, size, reader: &mut stream });
        let inside = unpacked_here().saturating_sub(before);
        self.ledger.unpack(inside).map_err(Stop::Problem)?;
        match flow {
            ControlFlow::Break(()) => Err(Stop::Requested),
            // A visitor may ignore a read error. The ledger has the reason, so it is reported here
            // in any case.
            ControlFlow::Continue(()) if stream.is_broken() => Err(Stop::ReadFailed),
            ControlFlow::Continue(()) => Ok(()),
        }
    }

    /// Reads a member of an archive. Damage in it is reported, and reading the archive continues if
    /// possible.
    pub fn member(
        &mut self,
        name: &[u8],
        size: Option<u64>,
        body: &mut FusedStream<'_>,
    ) -> WalkResult {
        self.at_member(name, |walk| {
            let walked = walk.stream(body, name, size);
            walk.resolve_pending(walked.err())
        })
    }

    /// Reads bytes of an archive that belong to no member.
    pub fn unclaimed(&mut self, archive: ArchiveFormat, bytes: impl Read) -> WalkResult {
        self.ledger.member().map_err(Stop::Problem)?;
        // Unclaimed bytes count as a member, so that many gaps reach the limit of members, too.
        let mut body = FusedStream::new(bytes, StreamRole::Member(archive), self.ledger);
        let walked = self.stream(&mut body, b"", None);
        self.resolve_pending(walked.err())
    }

    fn at_member(&mut self, name: &[u8], act: impl FnOnce(&mut Self) -> WalkResult) -> WalkResult {
        self.delivered += 1;
        self.ledger.member().map_err(Stop::Problem)?;
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
    ) -> WalkResult {
        let mut body = FusedStream::new(part, StreamRole::Member(archive), self.ledger);
        self.member(name, Some(size), &mut body)
    }

    /// Reads a record of a WARC file. Its name does not identify its format; `file_name` does.
    pub fn record(
        &mut self,
        name: &[u8],
        file_name: &[u8],
        part: &mut MemberBytes<'_>,
    ) -> WalkResult {
        let size = part.left();
        let mut body = FusedStream::new(part, StreamRole::Member(ArchiveFormat::Warc), self.ledger);
        self.at_member(name, |walk| {
            let walked = walk.stream(&mut body, file_name, Some(size));
            walk.resolve_pending(walked.err())
        })
    }

    pub fn skip_encrypted_member(&mut self, name: &[u8]) -> WalkResult {
        self.at_member(name, |walk| {
            walk.visitor.skipped(&walk.path);
            Ok(())
        })
    }

    pub fn report_member_problem(&mut self, name: &[u8], problem: ArchiveProblem) -> WalkResult {
        self.at_member(name, |walk| {
            walk.report(problem);
            Ok(())
        })
    }

    pub fn report_encrypted(&mut self, count: u64) {
        if count > 0 {
            self.report(ArchiveProblem::Encrypted(count));
        }
    }

    /// Reports an archive whose list of members is encrypted.
    pub fn report_encrypted_archive(&mut self, archive: ArchiveFormat) {
        self.visitor.skipped(&self.path);
        self.report(archive.unsupported("the list of its members is encrypted"));
    }

    /// Runs `act` one level deeper, with this format at the end of the path.
    fn deeper<T>(
        &mut self,
        format: ArchiveFormat,
        act: impl FnOnce(&mut Self) -> WalkResult<T>,
    ) -> WalkResult<T> {
        let mark = self.path.mark();
        self.path.push_format(format);
        self.depth += 1;
        let walked = act(self);
        self.depth -= 1;
        self.path.return_to(mark);
        walked
    }

    /// Reports the pending problem, unless it was already reported. Returns an error if the walk
    /// must stop.
    pub fn resolve_pending(&mut self, halt: Option<Stop>) -> WalkResult {
        match halt {
            // A read-ahead that failed fails again when its bytes are needed.
            None => Ok(()),
            Some(Stop::Requested) => {
                self.ledger.take();
                Err(Stop::Requested)
            }
            Some(Stop::ReadFailed) => {
                let pending = self.ledger.take();
                pending.map_or(Ok(()), |problem| self.report_and_stop_at_limit(problem))
            }
            Some(Stop::Problem(problem)) => {
                self.ledger.take();
                self.report_and_stop_at_limit(problem)
            }
        }
    }

    /// Reports a problem; returns an error if it is a limit of the whole walk.
    fn report_and_stop_at_limit(&mut self, problem: ArchiveProblem) -> WalkResult {
        // A limit counts for the whole input, not for one member: going on would exceed it.
        let is_limit = matches!(problem, ArchiveProblem::Limit(_));
        self.report(problem);
        if is_limit { Err(Stop::Requested) } else { Ok(()) }
    }

    /// Reports a problem at the current path.
    pub fn report(&mut self, problem: ArchiveProblem) {
        self.problems += 1;
        if self.problems <= MAX_REPORTED {
            self.visitor.problem(&self.path, problem);
        }
    }
}

/// Returns the name of the content of a compressed file: its name without the extension.
fn inner_name(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(at) => name.get(..at).unwrap_or(name),
        None => name,
    }
}
