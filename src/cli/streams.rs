//! Compressed files and archives: each of their streams is searched like a file.

use std::fs::File;
use std::io::{Cursor, ErrorKind, Read};
use std::ops::ControlFlow;
use std::sync::Arc;

use urigrep::container::archive::{
    ArchiveFormat, ArchiveInput, ArchiveProblem, HEAD, Member, MemberPath, Visitor, walk,
};

use super::context::Context;
use super::diagnostics::{Fault, describe};
use super::memory;
use super::output::{Ending, Printer};
use super::progress::Counted;
use super::search::{Binaries, Help, Searcher};
use super::sink::Flow;
use super::spool::Spool;
use super::subject::{Delivery, Level, Stream, Subject};
use super::tally::Tally;
use super::worker::{FileSink, Reader, Run, Weight, conclude};

/// What happens to compressed files of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressed {
    /// Their contents are searched.
    Unpacked,
    /// Their bytes are, which are binary.
    AsItStands,
}

/// Looks at the first bytes of an input: what it is read through from now on, and its format, if it is
/// compressed or an archive.
pub fn peek<'r>(
    mut reader: Reader<'r>,
    delivery: Delivery,
    name: &[u8],
) -> (Reader<'r>, Option<ArchiveFormat>) {
    let mut head = Vec::with_capacity(HEAD);
    while head.len() < HEAD && (delivery != Delivery::Stream || ArchiveFormat::is_open(&head)) {
        let mut more = [0; HEAD];
        let room = HEAD - head.len();
        match reader.read(&mut more[..room]) {
            Ok(0) => break,
            Ok(count) => head.extend_from_slice(&more[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // It comes again when more is read.
            Err(_) => break,
        }
    }
    let format = ArchiveFormat::guess(&head, name);
    (Box::new(Cursor::new(head).chain(reader)), format)
}

/// What the streams of a subject are searched with.
pub struct Streams<'a, 'q, 'g> {
    /// What all threads share.
    pub context: &'a Context,
    /// The subject.
    pub subject: &'a Subject,
    /// What searches.
    pub searcher: &'a mut Searcher<'q>,
    /// What prints.
    pub printer: &'a mut dyn Printer,
    /// Where it goes.
    pub spool: &'a mut Spool<'g>,
    /// What happens to a binary stream that is no member of an archive.
    pub binaries: Binaries,
    /// Whether it does what needs much memory.
    pub weight: Weight,
    /// What it came to so far.
    pub run: Run,
    /// How many streams there were.
    pub seen: u64,
}

impl Streams<'_, '_, '_> {
    /// Searches all streams.
    pub fn search(mut self, mut reader: Reader<'_>, delivery: Delivery) -> Run {
        let name = self.subject.name();
        let limits = self.context.config.archive_limits;
        // A pipe is read once; a file may be read at any offset.
        let file = match delivery {
            Delivery::File(_) => self.subject.path().and_then(|path| File::open(path).ok()),
            Delivery::Stream => None,
        };
        if !self.has_memory(memory::DECODER) {
            return self.run;
        }
        match (file, &self.context.progress) {
            (Some(file), Some(progress)) => {
                let mut file = Counted::new(file, Arc::clone(progress));
                walk(ArchiveInput::File(&mut file), name, &limits, &mut self);
            }
            (Some(mut file), None) => walk(ArchiveInput::File(&mut file), name, &limits, &mut self),
            (None, _) => walk(ArchiveInput::Stream(&mut reader), name, &limits, &mut self),
        }
        self.run
    }
}

impl Streams<'_, '_, '_> {
    /// Tells when there is too little memory.
    fn has_memory(&mut self, bytes: usize) -> bool {
        let there = memory::is_there(bytes);
        if !there {
            let error = std::io::Error::other(memory::NOT_THERE);
            self.problem(&MemberPath::default(), ArchiveProblem::Unreadable(error));
        }
        there
    }
}

impl Visitor for Streams<'_, '_, '_> {
    fn member(&mut self, mut member: Member<'_>) -> ControlFlow<()> {
        let mut shown = self.subject.shown().to_vec();
        shown.extend_from_slice(member.path.members());
        let subject = Subject::Stream(Box::new(Stream {
            of: self.subject.clone(),
            place: member.path.clone(),
            shown,
            name: member.name.to_vec(),
            index: self.seen,
        }));
        self.seen += 1;
        let config = &self.context.config;
        let binaries = match subject.level() {
            Level::File => self.binaries,
            Level::Member => config.binaries,
        };
        self.printer.begin();
        let separator = if self.run.tally.matched > 0 {
            config.separator
        } else {
            b""
        };
        let mut sink = FileSink::new(self.context, &subject, self.printer, self.spool, separator);
        // what other members held is remembered
        sink.weight = match self.run.tally.matches {
            0 => self.weight,
            _ if config.mode.unique().is_none() => self.weight,
            _ => Weight::Heavy,
        };
        let searched = self.searcher.search(
            &mut member.reader,
            &subject,
            Delivery::File(member.size.unwrap_or(u64::MAX)),
            binaries,
            Help::None,
            &mut sink,
        );
        let (hits, flow) = sink.ended();
        // What is wrong is told as a problem.
        let records = &mut self.spool.records;
        let concluded = conclude(searched, &subject, hits, self.printer, records);
        self.run.tally.add(&concluded.tally);
        for fault in concluded.reached {
            self.printer.fault(&fault, &mut self.spool.records);
            self.run.faults.push(fault);
        }
        if concluded.ending == Ending::Match {
            self.run.ending = Ending::Match;
        }
        if flow == Flow::Later {
            self.run.flow = flow;
            return ControlFlow::Break(());
        }
        if !self.spool.settle() || self.context.is_stopped() || flow == Flow::StopAll {
            self.run.flow = Flow::StopAll;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn heavy(&mut self) -> ControlFlow<()> {
        let hits = self.run.tally.matches;
        if (self.weight).must_wait(self.context, self.subject, self.spool, hits) {
            self.run.flow = Flow::Later;
            return ControlFlow::Break(());
        }
        // decoders grow by doubling
        let window = self.context.config.archive_limits.window as usize;
        match self.has_memory(2 * window) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn skipped(&mut self, _: &MemberPath) {
        self.run.tally.add(&Tally {
            skipped: 1,
            ..Tally::default()
        });
    }

    fn problem(&mut self, place: &MemberPath, problem: ArchiveProblem) {
        let mut path = self.subject.shown().to_vec();
        path.extend_from_slice(place.members());
        let fault = Fault {
            path,
            message: match &problem {
                ArchiveProblem::Unreadable(error) => describe(error),
                problem => problem.to_string(),
            },
        };
        self.printer.fault(&fault, &mut self.spool.records);
        self.run.faults.push(fault);
    }
}
