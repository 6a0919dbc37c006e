//! Prints what a search finds: one [`FilePrinter`] an input, which makes records by a [`Printer`] and hands them to
//! standard output.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use urigrep::document::mail::Skipped;
use urigrep::finder::Certainty;
use urigrep::search::{
    End, Flow, Forget, Hit, Input, InputKind, InputSink, Level, MemoryBudget, Outcome, Pace,
    PartNumbers, Positions, Problem, ProblemKind, Recorder, Sink, Sinks, SkippedPart,
    panic_for_test,
};

use super::config::{Buffering, Config};
use super::diagnostics::Diagnostics;
use super::output::{ExitMatch, Mode, Printer};
use super::progress::SearchProgress;
use super::stdout::{FileOutput, HeldOutput, Stdout};

/// Bytes of output that are written at once: of the only thread that writes, and of one of many.
const BLOCK_SIZE: usize = 64 << 10;
const SHARED_BLOCK_SIZE: usize = 1 << 20;

pub struct Printing<'c> {
    pub config: &'c Config,
    pub stdout: Stdout,
    pub diagnostics: Diagnostics,
    pub progress: Option<Arc<SearchProgress>>,
    has_match: AtomicBool,
    is_stopped: AtomicBool,
}

pub struct PrintingThread {
    printer: Box<dyn Printer>,
    records: Vec<u8>,
}

impl<'c> Printing<'c> {
    pub fn new(config: &'c Config, stdout: Stdout, progress: Option<Arc<SearchProgress>>) -> Self {
        Self {
            config,
            stdout,
            diagnostics: Diagnostics::new(config.messages, progress.clone()),
            progress,
            has_match: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
        }
    }

    /// True when the exit status is that of a match.
    pub fn has_match(&self) -> bool {
        self.has_match.load(Ordering::Relaxed)
    }

    fn finish_file(&self, file: FileResult) {
        if let Some(progress) = &self.progress {
            progress.file();
        }
        if file.exit == ExitMatch::Match {
            self.has_match.store(true, Ordering::Relaxed);
        }
        for problem in &file.problems {
            self.diagnostics.report(problem);
        }
        if file.flow == Flow::StopAll {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }
}

impl Sinks for Printing<'_> {
    type Thread = PrintingThread;
    type Sink<'a>
        = FilePrinter<'a>
    where
        Self: 'a;
    type Page = (HeldOutput, FileResult);

    fn thread(&self) -> PrintingThread {
        PrintingThread { printer: self.config.mode.printer(), records: Vec::new() }
    }

    fn sink<'a>(&'a self, thread: &'a mut PrintingThread, pace: Pace<'a>) -> FilePrinter<'a> {
        let records = std::mem::take(&mut thread.records);
        let output = match pace {
            Pace::Held(budget) => FileOutput::held(budget),
            _ if self.config.buffering == Buffering::Line => {
                FileOutput::to(&self.stdout, 0, records)
            }
            Pace::Shared => FileOutput::to(&self.stdout, SHARED_BLOCK_SIZE, records),
            Pace::Prompt => FileOutput::to(&self.stdout, BLOCK_SIZE, records),
        };
        FilePrinter {
            printing: self,
            between: thread.printer.separator(),
            thread,
            output,
            is_prompt: matches!(pace, Pace::Prompt) && self.config.buffering != Buffering::Block,
            input: None,
            stream_hits: 0,
            file_hits: 0,
            result: FileResult::default(),
        }
    }

    fn write_page(&self, (output, result): Self::Page, budget: &MemoryBudget) {
        output.write(&self.stdout, budget);
        self.finish_file(result);
    }

    fn problem(&self, problem: &Problem) {
        let mut record = Vec::new();
        self.config.mode.printer().problem(problem, &mut record);
        if !record.is_empty() {
            self.stdout.write(&record);
        }
        self.diagnostics.report(problem);
    }

    fn is_closed(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed) || self.stdout.is_closed()
    }
}

pub struct FileResult {
    exit: ExitMatch,
    problems: Vec<Problem>,
    flow: Flow,
}

impl Default for FileResult {
    fn default() -> Self {
        Self { exit: ExitMatch::NoMatch, problems: Vec::new(), flow: Flow::Continue }
    }
}

pub struct FilePrinter<'a> {
    printing: &'a Printing<'a>,
    thread: &'a mut PrintingThread,
    output: FileOutput<'a>,
    /// What is printed between two hits of a stream.
    between: &'static [u8],
    is_prompt: bool,
    /// The input that is searched.
    input: Option<Input>,
    /// Hits of this stream: the file, or a member of it.
    stream_hits: u64,
    file_hits: u64,
    result: FileResult,
}

impl FilePrinter<'_> {
    fn print(&mut self, hit: &Hit<'_>) -> Flow {
        let separator = match (self.stream_hits, self.file_hits) {
            (1.., _) => self.between,
            (0, 1..) => self.printing.config.separator,
            (0, 0) => b"",
        };
        self.stream_hits += 1;
        self.file_hits += 1;
        if !separator.is_empty() {
            self.output.records.extend_from_slice(separator);
        }
        self.result.flow = self.thread.printer.hit(hit, &mut self.output.records);
        panic_for_test(self.output.uncommitted());
        if !self.output.commit() {
            self.result.flow = Flow::StopAll;
        }
        self.result.flow
    }
}

impl Sink for FilePrinter<'_> {
    #[inline]
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        self.print(hit)
    }

    fn rejected(&mut self, hit: &Hit<'_>) -> Flow {
        self.print(hit)
    }

    fn begin(&mut self, input: &Input) {
        if matches!(self.printing.config.mode, Mode::Context(_)) {
            self.input = Some(input.clone());
        }
        self.stream_hits = 0;
        self.thread.printer.begin();
    }

    fn problem(&mut self, problem: &Problem) {
        if problem.kind() == ProblemKind::Panic {
            self.output.rollback();
            self.thread.printer = self.printing.config.mode.printer();
        }
        self.thread.printer.problem(problem, &mut self.output.records);
        self.output.commit();
        self.result.problems.push(problem.clone());
    }

    /// With `--stats`, the parts that it counts are listed.
    fn skipped_part(&mut self, input: &Input, part: &SkippedPart<'_>) {
        if !self.printing.config.stats {
            return;
        }
        let kind = match part.reason {
            Skipped::Encrypted => "encrypted",
            _ => "binary",
        };
        let id = part.message_id.map(|id| format!(" of <{id}>"));
        let message = format!(
            "part {}{}, at byte {}, is {kind} and was not searched",
            part.number,
            id.unwrap_or_default(),
            part.offset
        );
        self.printing.diagnostics.note(input.display_path(), &message);
    }

    fn settled(&mut self, at: u64) {
        if let Some(input) = &self.input {
            self.thread.printer.settled(input, at, &mut self.output.records);
            self.output.commit();
        }
    }

    fn idle(&mut self, kind: InputKind) -> Flow {
        if self.is_prompt && kind == InputKind::Stream {
            self.output.flush();
        }
        if self.output.is_closed() || self.printing.is_closed() {
            self.result.flow = Flow::StopAll;
        }
        self.result.flow
    }

    fn finish(&mut self, input: &Input, outcome: &Outcome) {
        let is_printed = match outcome.end {
            End::Binary => false,
            End::Failed(_) => outcome.given > 0,
            _ => true,
        };
        if is_printed {
            let records = &mut self.output.records;
            let exit = self.thread.printer.finish(input, outcome.given, records);
            if exit == ExitMatch::Match {
                self.result.exit = exit;
            }
        }
        self.output.commit();
    }

    fn positions(&self, level: Level) -> Positions {
        self.thread.printer.positions(level)
    }

    fn part_numbers(&self) -> PartNumbers {
        self.thread.printer.part_numbers()
    }

    fn certainty(&self) -> Certainty {
        self.thread.printer.certainty()
    }

    fn recorder(&self) -> Option<Box<dyn Recorder>> {
        // What comes before the first one of a stream, or of a file, is printed here.
        let printer = self.thread.printer.fork().filter(|_| self.stream_hits > 0)?;
        Some(Box::new(PrintingAhead { printer, between: self.between }))
    }

    fn records(&mut self, records: &[u8], hits: u64) -> Flow {
        self.stream_hits += hits;
        self.file_hits += hits;
        self.output.records.extend_from_slice(records);
        if !self.output.commit() {
            self.result.flow = Flow::StopAll;
        }
        self.result.flow
    }

    fn forget(&mut self) -> Forget {
        let counts_distinct = self.printing.config.mode.unique().is_some();
        if !self.output.is_unwritten() || (self.file_hits > 0 && counts_distinct) {
            return Forget::Impossible;
        }
        self.output.clear();
        (self.stream_hits, self.file_hits) = (0, 0);
        self.result = FileResult::default();
        Forget::Done
    }
}

/// Makes records for a [`FilePrinter`] that has printed some of the same stream.
struct PrintingAhead {
    printer: Box<dyn Printer>,
    between: &'static [u8],
}

impl Recorder for PrintingAhead {
    fn record(&mut self, hit: &Hit<'_>, records: &mut Vec<u8>) {
        records.extend_from_slice(self.between);
        // Printers that can be forked want all hits.
        self.printer.hit(hit, records);
    }
}

impl InputSink for FilePrinter<'_> {
    type Page = (HeldOutput, FileResult);

    fn close(self) {
        self.thread.records = self.output.finish();
        self.printing.finish_file(self.result);
    }

    fn discard(self) {
        self.thread.records = self.output.discard();
    }

    fn into_page(self) -> Option<Self::Page> {
        let result = self.result;
        self.output.into_held().map(|output| (output, result))
    }
}
