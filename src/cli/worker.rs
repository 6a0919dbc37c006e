//! Searches one subject: opens it, prints what is found, and says what it came to.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use rayon::ThreadPool;
use urigrep::container::document::mail::Skipped;

use super::config::Stats;
use super::context::Context;
use super::diagnostics::{Fault, describe};
use super::messages::Numbers;
use super::output::{Ending, Printer};
use super::progress::Counted;
use super::search::{Binaries, End, Help, Searched, Searcher};
use super::sink::{Flow, Hit, Sink, SkippedPart};
use super::spool::Spool;
use super::streams::{self, Compressed, Streams};
use super::subject::{Delivery, Level, Origin, Subject};
use super::tally::Tally;
#[cfg(unix)]
use super::together::Together;

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
            records: Vec::new(),
        }
    }

    /// Searches `subject` and prints into `spool`.
    pub fn run(&mut self, subject: &Subject, spool: &mut Spool<'_>, pace: Pace) -> Run {
        let config = &self.context.config;
        self.printer.begin();
        let input = match subject.open() {
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
        let mut reader: Reader<'_> = self.counted(input.reader);
        if subject.origin() == Origin::Named || config.compressed == Compressed::Unpacked {
            let format;
            (reader, format) = streams::peek(reader, delivery, subject.name());
            if format.is_some() {
                return self.run_streams(subject, spool, binaries, (reader, delivery));
            }
        }
        let mut help = Help::None;
        if self.splitting == Splitting::Large
            && let Some(large) = input.large
            && let Some(pool) = self.context.pool()
        {
            help = Help::Pool(pool);
            reader = self.counted(together(large, delivery, pool, reader));
        }
        let mut sink = FileSink::new(self.context, subject, self.printer.as_mut(), spool, b"");
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
        let mut faults = Vec::new();
        if let Some(error) = concluded.failure {
            let fault = Fault {
                path: subject.shown().to_vec(),
                message: describe(&error),
            };
            printer.fault(&fault, &mut spool.records);
            faults.push(fault);
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
    /// Why it was not searched to the end.
    pub failure: Option<io::Error>,
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
        failure: None,
    };
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
            concluded.failure = Some(error);
        }
    }
    concluded
}

/// A large file, read by all threads where the system can read at an offset.
#[cfg(unix)]
fn together<'p>(
    (file, at): (File, u64),
    delivery: Delivery,
    pool: &'p ThreadPool,
    reader: Reader<'p>,
) -> Reader<'p> {
    match delivery {
        Delivery::File(size) => Box::new(Together::new(file, at, at + size, pool)),
        Delivery::Stream => reader,
    }
}

#[cfg(not(unix))]
fn together<'p>(_: (File, u64), _: Delivery, _: &'p ThreadPool, reader: Reader<'p>) -> Reader<'p> {
    reader
}

/// The sink of one file or stream: the printer, and the limits of what is printed.
pub struct FileSink<'a, 'g> {
    context: &'a Context,
    subject: &'a Subject,
    printer: &'a mut dyn Printer,
    spool: &'a mut Spool<'g>,
    /// What is printed before the first match.
    separator: &'a [u8],
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
        separator: &'a [u8],
    ) -> Self {
        Self {
            context,
            subject,
            printer,
            spool,
            separator,
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
            1 => self.separator,
            _ => self.printer.separator(),
        };
        self.spool.records.extend_from_slice(separator);
        self.flow = self.printer.hit(self.subject, hit, &mut self.spool.records);
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
