//! Searches one subject: opens it, prints what is found, and says what it came to.

use std::fs::File;
use std::io::Read;

use rayon::ThreadPool;

use super::context::Context;
use super::diagnostics::{Fault, describe};
use super::output::{Ending, Printer};
use super::search::{Binaries, End, Help, Searcher};
use super::sink::{Flow, Hit, Sink};
use super::spool::Spool;
use super::subject::{Delivery, Origin, Subject};
use super::tally::Tally;
#[cfg(unix)]
use super::together::Together;

/// What the bytes of an input are read through.
type Reader<'r> = Box<dyn Read + Send + 'r>;

/// What one thread needs to search.
pub struct Worker<'c> {
    context: &'c Context,
    searcher: Searcher<'c>,
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
    pub fault: Option<Fault>,
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
        let searcher = Searcher::new(&context.config.query, printer.places());
        Self {
            context,
            searcher,
            printer,
            splitting,
            records: Vec::new(),
        }
    }

    /// Searches `subject` and prints into `spool`.
    pub fn run(&mut self, subject: &Subject, spool: &mut Spool<'_>, pace: Pace) -> Run {
        let mut tally = Tally::default();
        let config = &self.context.config;
        let mut sink = FileSink {
            context: self.context,
            subject,
            printer: self.printer.as_mut(),
            spool,
            pace: Pace::Blocks,
            hits: 0,
            limit: config.limit,
            flow: Flow::Continue,
        };
        sink.printer.begin();
        let end = match subject.open() {
            Err(error) => End::Failed(error),
            Ok(_) if config.limit == Some(0) => End::Complete,
            Ok(input) => {
                let binaries = match subject.origin() {
                    Origin::Named => Binaries::Search,
                    Origin::Tree => config.binaries,
                };
                if input.delivery == Delivery::Stream {
                    sink.pace = pace;
                }
                let mut help = Help::None;
                let mut reader: Reader<'_> = input.reader;
                if self.splitting == Splitting::Large
                    && let Some(large) = input.large
                    && let Some(pool) = self.context.pool()
                {
                    help = Help::Pool(pool);
                    reader = together(large, input.delivery, pool, reader);
                }
                let searched = self.searcher.search(
                    &mut reader,
                    subject,
                    input.delivery,
                    binaries,
                    help,
                    &mut sink,
                );
                tally.bytes = searched.bytes;
                tally.matches = searched.matches;
                tally.rejected = searched.rejected;
                searched.end
            }
        };
        let (hits, flow) = (sink.hits, sink.flow);
        let mut ending = Ending::NoMatch;
        let mut fault = None;
        match end {
            End::Binary => {
                // Its first bytes were looked at, not searched.
                tally = Tally {
                    skipped: 1,
                    ..Tally::default()
                };
            }
            End::Complete | End::Stopped => {
                ending = self.printer.end(subject, hits, &mut spool.records);
                tally.files = 1;
            }
            End::Failed(error) => {
                let failed = Fault {
                    path: subject.shown().to_vec(),
                    message: describe(&error),
                };
                if hits > 0 {
                    ending = self.printer.end(subject, hits, &mut spool.records);
                }
                self.printer.fault(&failed, &mut spool.records);
                fault = Some(failed);
                tally.files = u64::from(tally.bytes > 0);
            }
        }
        tally.matched = u64::from(hits > 0);
        Run {
            tally,
            ending,
            fault,
            flow,
        }
    }
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

/// The sink of one file: the printer, and the limits of what is printed.
struct FileSink<'a, 'g> {
    context: &'a Context,
    subject: &'a Subject,
    printer: &'a mut dyn Printer,
    spool: &'a mut Spool<'g>,
    pace: Pace,
    hits: u64,
    limit: Option<u64>,
    flow: Flow,
}

impl Sink for FileSink<'_, '_> {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        self.hits += 1;
        if self.hits > 1 {
            let separator = self.printer.separator();
            self.spool.records.extend_from_slice(separator);
        }
        self.flow = self.printer.hit(self.subject, hit, &mut self.spool.records);
        if !self.spool.settle() {
            self.flow = Flow::StopAll;
        } else if self.flow == Flow::Continue && self.limit == Some(self.hits) {
            self.flow = Flow::StopInput;
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
