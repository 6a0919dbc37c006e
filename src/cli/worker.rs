//! Searches one subject: opens it, prints what is found, and says what it came to.

use std::io::{Error, Read};
use std::sync::Arc;

use urigrep::container::document::mail::Skipped;

use super::config::Stats;
use super::context::Context;
use super::diagnostics::{Fault, describe};
use super::guard::{self, guarded};
use super::large::Large;
use super::memory;
use super::messages::Numbers;
use super::output::{Ending, Printer};
use super::progress::Counted;
use super::search::{Binaries, End, Help, Searched, Searcher};
use super::sink::{Flow, Hit, Sink, SkippedPart};
use super::spool::Spool;
use super::streams::{self, Compressed, Streams};
use super::subject::{Delivery, Level, Origin, Subject};
use super::tally::Tally;

/// What the bytes of an input are read through.
pub type Reader<'r> = Box<dyn Read + Send + 'r>;

/// What one thread needs to search.
pub struct Worker<'c> {
    context: &'c Context,
    searcher: Searcher<'c>,
    /// Searches members of archives; made when there is one.
    members: Option<Searcher<'c>>,
    printer: Box<dyn Printer>,
    splitting: Splitting,
    weight: Weight,
    /// Reused for the output of one file after the other.
    pub records: Vec<u8>,
}

/// What searching a subject came to.
#[derive(Debug)]
pub struct Run {
    /// The counts.
    pub tally: Tally,
    /// Whether it makes the exit status 0.
    pub ending: Ending,
    /// What went wrong.
    pub faults: Vec<Fault>,
    /// Whether anything else is still wanted.
    pub flow: Flow,
}

/// Whether large inputs are split over the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splitting {
    /// They are not: all threads have a worker.
    Never,
    /// They are.
    Large,
}

/// Whether a worker does what needs much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It leaves that to the thread for it.
    Light,
    /// It does.
    Heavy,
}

impl Weight {
    /// True when a subject that is heavy is to be searched later. What can't be read again, what has been
    /// printed in part, and what was found `hits` times and is remembered, is searched here and now.
    pub fn must_wait(
        self,
        context: &Context,
        subject: &Subject,
        spool: &Spool<'_>,
        hits: u64,
    ) -> bool {
        let metadata = || subject.path().and_then(|path| std::fs::metadata(path).ok());
        self == Self::Light
            && spool.is_fresh()
            && (hits == 0 || context.config.mode.unique().is_none())
            && metadata().is_some_and(|metadata| metadata.is_file())
    }
}

/// When the output of a stream is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// When there is enough of it.
    Blocks,
    /// Before waiting for more input: nobody else wants to write.
    Prompt,
}

impl<'c> Worker<'c> {
    /// A worker.
    pub fn new(context: &'c Context, splitting: Splitting) -> Self {
        let printer = context.config.mode.printer();
        let searcher = Searcher::new(&context.config.query, printer.places(Level::File));
        Self {
            context,
            searcher,
            members: None,
            printer,
            splitting,
            weight: Weight::Light,
            records: Vec::new(),
        }
    }

    /// The worker of the only thread, or of the one for what is heavy.
    pub fn heavy(self) -> Self {
        Self {
            weight: Weight::Heavy,
            ..self
        }
    }

    /// Searches `subject` and prints into `spool`. Whatever happens there, the others go on.
    pub fn run(&mut self, subject: &Subject, spool: &mut Spool<'_>, pace: Pace) -> Run {
        guarded(|| self.search(subject, spool, pace)).unwrap_or_else(|message| {
            // Nobody knows what state they are in.
            let weight = self.weight;
            *self = Self::new(self.context, self.splitting);
            self.weight = weight;
            spool.unsettle();
            let fault = Fault {
                path: subject.shown().to_vec(),
                message,
            };
            self.printer.fault(&fault, &mut spool.records);
            Run {
                tally: Tally::default(),
                ending: Ending::NoMatch,
                faults: vec![fault],
                flow: Flow::Continue,
            }
        })
    }

    fn search(&mut self, subject: &Subject, spool: &mut Spool<'_>, pace: Pace) -> Run {
        let config = &self.context.config;
        self.printer.begin();
        let opened = match memory::is_there(memory::FILE) {
            true => subject.open(),
            false => Err(Error::other(memory::NOT_THERE)),
        };
        let input = match opened {
            Err(error) => {
                return self.ran(Searched::failed(error), subject, 0, Flow::Continue, spool);
            }
            Ok(_) if config.limit == Some(0) => {
                return self.ran(Searched::nothing(), subject, 0, Flow::Continue, spool);
            }
            Ok(input) => input,
        };
        let binaries = match subject.origin() {
            Origin::Named => Binaries::Search,
            Origin::Tree => config.binaries,
        };
        let delivery = input.delivery;
        let large = match (input.large, delivery) {
            (Some((file, at)), Delivery::File(size)) if self.splitting == Splitting::Large => {
                let progress = self.context.progress.as_ref().map(Arc::clone);
                Some(Large::new(file, at..at + size, progress))
            }
            _ => None,
        };
        let mut reader: Reader<'_> = self.counted(input.reader);
        if subject.origin() == Origin::Named || config.compressed == Compressed::Unpacked {
            let format;
            (reader, format) = streams::peek(reader, delivery, subject.name());
            if format.is_some() {
                return self.run_streams(subject, spool, binaries, (reader, delivery));
            }
        }
        let help = match (config.threads, &large) {
            (2.., Some(large)) => Help::Threads(config.threads, large),
            _ => Help::None,
        };
        let mut sink = FileSink::new(self.context, subject, self.printer.as_mut(), spool, b"");
        sink.weight = self.weight;
        if delivery == Delivery::Stream {
            sink.pace = pace;
        }
        let searcher = &mut self.searcher;
        let searched = searcher.search(&mut reader, subject, delivery, binaries, help, &mut sink);
        let (hits, flow) = sink.ended();
        self.ran(searched, subject, hits, flow, spool)
    }

    /// The same reader, which also tells how far it is where that is shown.
    fn counted<'r>(&self, reader: Reader<'r>) -> Reader<'r> {
        match &self.context.progress {
            Some(progress) => Box::new(Counted::new(reader, Arc::clone(progress))),
            None => reader,
        }
    }

    /// Says what the search of all of a subject came to.
    fn ran(
        &mut self,
        searched: Searched,
        subject: &Subject,
        hits: u64,
        flow: Flow,
        spool: &mut Spool<'_>,
    ) -> Run {
        let printer = self.printer.as_mut();
        let concluded = conclude(searched, subject, hits, printer, &mut spool.records);
        let mut faults = concluded.reached;
        faults.extend(concluded.failure);
        for fault in &faults {
            printer.fault(fault, &mut spool.records);
        }
        Run {
            tally: concluded.tally,
            ending: concluded.ending,
            faults,
            flow,
        }
    }

    /// Searches what is in a compressed file or an archive.
    fn run_streams(
        &mut self,
        subject: &Subject,
        spool: &mut Spool<'_>,
        binaries: Binaries,
        (reader, delivery): (Reader<'_>, Delivery),
    ) -> Run {
        let (context, printer) = (self.context, self.printer.as_mut());
        // Lines are counted for members wherever they are for files.
        let members = || Searcher::new(&context.config.query, printer.places(Level::Member));
        let streams = Streams {
            context,
            subject,
            searcher: self.members.get_or_insert_with(members),
            printer,
            spool,
            binaries,
            weight: self.weight,
            run: Run {
                tally: Tally::default(),
                ending: Ending::NoMatch,
                faults: Vec::new(),
                flow: Flow::Continue,
            },
            seen: 0,
        };
        streams.search(reader, delivery)
    }
}

/// What the search of a stream came to.
pub struct Concluded {
    /// The counts.
    pub tally: Tally,
    /// Whether it makes the exit status 0.
    pub ending: Ending,
    /// The limits that were reached.
    pub reached: Vec<Fault>,
    /// Why it was not searched to the end.
    pub failure: Option<Fault>,
}

/// Prints what belongs after the matches of a stream, and counts it.
pub fn conclude(
    searched: Searched,
    subject: &Subject,
    hits: u64,
    printer: &mut dyn Printer,
    records: &mut Vec<u8>,
) -> Concluded {
    let mut concluded = Concluded {
        tally: Tally {
            matched: u64::from(hits > 0),
            bytes: searched.bytes,
            matches: searched.matches,
            rejected: searched.rejected,
            unread: searched.unread,
            ..Tally::default()
        },
        ending: Ending::NoMatch,
        reached: Vec::new(),
        failure: None,
    };
    let fault = |message| Fault {
        path: subject.shown().to_vec(),
        message,
    };
    concluded.reached = searched.reached.into_iter().map(fault).collect();
    match searched.end {
        End::Binary => {
            // Its first bytes were looked at, not searched.
            concluded.tally = Tally {
                skipped: 1,
                ..Tally::default()
            };
        }
        End::Complete | End::Stopped => {
            concluded.ending = printer.end(subject, hits, records);
            concluded.tally.files = 1;
        }
        End::Failed(error) => {
            if hits > 0 {
                concluded.ending = printer.end(subject, hits, records);
            }
            concluded.tally.files = u64::from(searched.bytes > 0);
            concluded.failure = Some(fault(describe(&error)));
        }
    }
    concluded
}

/// The sink of one file or stream: the printer, and the limits of what is printed.
pub struct FileSink<'a, 'g> {
    context: &'a Context,
    subject: &'a Subject,
    printer: &'a mut dyn Printer,
    spool: &'a mut Spool<'g>,
    /// What is printed before the first match.
    first: &'a [u8],
    /// What is printed before each other.
    between: &'static [u8],
    /// What it does that needs much memory.
    pub weight: Weight,
    pace: Pace,
    hits: u64,
    flow: Flow,
}

impl<'a, 'g> FileSink<'a, 'g> {
    /// A sink for what is found in `subject`.
    pub fn new(
        context: &'a Context,
        subject: &'a Subject,
        printer: &'a mut dyn Printer,
        spool: &'a mut Spool<'g>,
        first: &'a [u8],
    ) -> Self {
        Self {
            context,
            subject,
            between: printer.separator(),
            printer,
            spool,
            first,
            weight: Weight::Light,
            pace: Pace::Blocks,
            hits: 0,
            flow: Flow::Continue,
        }
    }

    /// How many matches there were, and whether anything else is wanted.
    pub fn ended(self) -> (u64, Flow) {
        (self.hits, self.flow)
    }
}

impl Sink for FileSink<'_, '_> {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        self.hits += 1;
        let separator = match self.hits {
            1 => self.first,
            _ => self.between,
        };
        if !separator.is_empty() {
            self.spool.records.extend_from_slice(separator);
        }
        self.flow = self.printer.hit(self.subject, hit, &mut self.spool.records);
        guard::provoke(self.spool.begun());
        if !self.spool.settle() {
            self.flow = Flow::StopAll;
        } else if self.flow == Flow::Continue && self.context.config.limit == Some(self.hits) {
            self.flow = Flow::StopInput;
        }
        self.flow
    }

    /// Whoever wants numbers wants to know what is behind this one.
    fn skipped(&mut self, part: &SkippedPart<'_>) {
        if self.context.config.stats == Stats::Omitted {
            return;
        }
        let kind = match part.reason {
            Skipped::Encrypted => "encrypted",
            _ => "binary",
        };
        let (number, id) = (part.message.number(), &part.message.envelope().message_id);
        let number = if number.is_empty() { "1" } else { number };
        let id = id.as_ref().map(|id| format!(" of <{id}>"));
        let (id, offset) = (id.unwrap_or_default(), part.offset);
        self.context.diagnostics.note(&Fault {
            path: self.subject.shown().to_vec(),
            message: format!("part {number}{id}, at byte {offset}, is {kind} and was not searched"),
        });
    }

    fn numbers(&self) -> Numbers {
        self.printer.numbers()
    }

    fn heavy(&mut self) -> Flow {
        if self
            .weight
            .must_wait(self.context, self.subject, self.spool, self.hits)
        {
            self.flow = Flow::Later;
        }
        self.flow
    }

    fn idle(&mut self) -> Flow {
        if self.pace == Pace::Prompt {
            self.spool.flush();
        }
        if self.spool.is_shut() || self.context.is_stopped() {
            self.flow = Flow::StopAll;
        }
        self.flow
    }
}
