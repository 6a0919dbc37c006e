//! Prints the results of a search: one [`FilePrinter`] per input, which makes records with a
//! [`Printer`] and passes them to standard output.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use urigrep::document::mail::Skipped;
use urigrep::internal::panic_for_test;
use urigrep::search::{
    ContextLine, End, Flow, Flush, Hit, Input, InputKind, InputSink, Level, MemoryBudget, Needs,
    ParallelSink, Problem, ProblemKind, Recorder, SearchResult, Sink, Sinks, SkippedPart,
};

use super::config::{Buffering, Config};
use super::diagnostics::Diagnostics;
use super::output::{ExitMatch, Mode, Printer, Turn, UriRecord, has_line};
use super::progress::SearchProgress;
use super::stdout::{DeferredOutput, FileOutput, Stdout};

/// Bytes of output per write: of a single writing thread, and of one of several.
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

    /// True if the exit status is that of a match.
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
    type Deferred = DeferredFile;

    fn thread(&self) -> PrintingThread {
        PrintingThread { printer: self.config.mode.printer(), records: Vec::new() }
    }

    fn sink<'a>(&'a self, thread: &'a mut PrintingThread, flush: Flush<'a>) -> FilePrinter<'a> {
        let records = std::mem::take(&mut thread.records);
        thread.printer.begin_file(match flush {
            Flush::Deferred(_) => Turn::Later,
            // Without an order, a file is printed as soon as it is searched.
            Flush::Eager | Flush::Blocks => Turn::Now,
        });
        let output = match flush {
            Flush::Deferred(budget) => FileOutput::deferred(budget),
            // A threshold of 0 bytes writes after each record.
            _ if self.config.buffering == Buffering::Line => {
                FileOutput::to(&self.stdout, 0, records)
            }
            Flush::Blocks => FileOutput::to(&self.stdout, SHARED_BLOCK_SIZE, records),
            Flush::Eager => FileOutput::to(&self.stdout, BLOCK_SIZE, records),
        };
        FilePrinter {
            printing: self,
            between: thread.printer.separator(),
            thread,
            output,
            // A flush keeps the lock until the end of the file. Other threads would wait for a
            // stream that may never end.
            is_prompt: matches!(flush, Flush::Eager) && self.config.buffering != Buffering::Block,
            stream_hits: 0,
            file_hits: 0,
            lines: 0,
            file_has_lines: false,
            result: FileResult::default(),
        }
    }

    fn write_deferred(&self, file: DeferredFile, budget: &MemoryBudget) {
        let mut output = file.output;
        if let Some((register, separator)) = self.config.mode.register() {
            // Only now are the URIs of all earlier files known.
            output.replace(|bytes| register.retain_new(&file.uris, bytes, separator));
        }
        output.write(&self.stdout, budget);
        self.finish_file(file.result);
    }

    fn problem(&self, problem: &Problem) {
        let mut record = Vec::new();
        self.config.mode.printer().problem(problem, &mut record);
        if !record.is_empty() {
            self.stdout.write(&record);
        }
        self.diagnostics.report(problem);
    }

    fn skipped(&self, input: &Input) {
        let mut record = Vec::new();
        let reason = "a special file is not searched";
        // Only `--files-without-match` and the like list what was not searched; other printers
        // answer with no match.
        let exit = self.config.mode.printer().left_out(input, reason, &mut record);
        if exit == ExitMatch::Match {
            self.has_match.store(true, Ordering::Relaxed);
            self.stdout.write(&record);
        }
    }

    /// A file whose output is too large to be deferred is searched twice, so a page would count it
    /// twice.
    fn can_defer(&self) -> bool {
        self.config.page.is_none()
    }

    fn is_closed(&self) -> bool {
        // The reader of the output may close the pipe; the page of `--report` still counts the
        // rest.
        let is_unread = self.config.page.is_none() && self.stdout.is_closed();
        self.is_stopped.load(Ordering::Relaxed) || is_unread
    }
}

/// Returns why an input was not searched, if it was recognized by its first bytes.
fn left_out(end: &End) -> Option<&str> {
    match end {
        End::Binary => Some("binary files of a tree are not searched; -a searches them"),
        End::Packed => Some("archives of a tree are not searched; -z unpacks them"),
        End::Unread(message) => Some(message),
        _ => None,
    }
}

/// A file that waits for its turn to be written.
pub struct DeferredFile {
    output: DeferredOutput,
    /// Its records with `--unique`; some may be dropped when its turn comes.
    uris: Vec<UriRecord>,
    result: FileResult,
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
    /// The separator of two hits of a stream.
    between: &'static [u8],
    is_prompt: bool,
    /// Number of hits of this stream: the file, or a member of it.
    stream_hits: u64,
    file_hits: u64,
    /// Number of printed lines of this stream.
    lines: u64,
    file_has_lines: bool,
    result: FileResult,
}

impl FilePrinter<'_> {
    fn print(&mut self, hit: &Hit<'_>) -> Flow {
        if matches!(self.printing.config.mode, Mode::Context(_)) && has_line(hit) {
            // The line of the hit follows and has its own separator.
            self.file_hits += 1;
            return self.result.flow;
        }
        // The members of an archive are parts of one output, but read like files of their own.
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
        self.commit();
        self.result.flow
    }

    /// Ends the search if no more can be written, unless the page of `--report` still counts.
    fn commit(&mut self) {
        if !self.output.commit() && self.printing.config.page.is_none() {
            self.result.flow = Flow::StopAll;
        }
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

    fn context(&mut self, line: &ContextLine<'_>) -> Flow {
        if self.lines == 0 && self.file_has_lines {
            self.output.records.extend_from_slice(self.printing.config.separator);
        }
        self.lines += 1;
        self.file_has_lines = true;
        self.thread.printer.line(line, &mut self.output.records);
        self.commit();
        self.result.flow
    }

    fn begin(&mut self, _input: &Input) {
        self.stream_hits = 0;
        self.lines = 0;
        self.thread.printer.begin();
    }

    fn problem(&mut self, problem: &Problem) {
        if problem.kind() == ProblemKind::Panic {
            // The panic may have left half a record. The printer may be in any state, too, so it is
            // replaced.
            self.output.rollback();
            self.thread.printer = self.printing.config.mode.printer();
        }
        self.thread.printer.problem(problem, &mut self.output.records);
        self.output.commit();
        self.result.problems.push(problem.clone());
    }

    fn idle(&mut self, kind: InputKind) -> Flow {
        if self.is_prompt && kind == InputKind::Stream {
            // The next read may block, for example in `tail -f log | urigrep`. Show what is certain
            // before that.
            self.output.flush();
        }
        if self.output.is_full() || self.printing.is_closed() {
            self.result.flow = Flow::StopAll;
        }
        self.result.flow
    }

    fn finish(&mut self, input: &Input, result: &SearchResult) {
        if let Some(reason) = left_out(&result.end) {
            let exit = self.thread.printer.left_out(input, reason, &mut self.output.records);
            self.result.exit = self.result.exit.or(exit);
        }
        let is_printed = match result.end {
            // `left_out` above has already reported these.
            End::Binary | End::Packed | End::Unread(_) => false,
            // A file that could not be opened gets an error, not a count of 0.
            End::Failed(_) => result.hits_sent > 0,
            _ => true,
        };
        if is_printed {
            let records = &mut self.output.records;
            let exit = self.thread.printer.finish(input, result.hits_sent, records);
            self.result.exit = self.result.exit.or(exit);
        }
        self.output.commit();
    }

    fn needs(&self, level: Level) -> Needs {
        self.thread.printer.needs(level)
    }
}

impl ParallelSink for FilePrinter<'_> {
    /// `--stats` lists the skipped parts that it counts.
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

    fn recorder(&self) -> Option<Box<dyn Recorder>> {
        // Headings before the first hit of a stream or a file are printed here, not by a recorder.
        let printer = self.thread.printer.fork().filter(|_| self.stream_hits > 0)?;
        Some(Box::new(PrintingAhead { printer, between: self.between }))
    }

    fn records(&mut self, records: &[u8], hits: u64) -> Flow {
        self.stream_hits += hits;
        self.file_hits += hits;
        self.output.records.extend_from_slice(records);
        self.commit();
        self.result.flow
    }

    fn discard_pending(&mut self) -> bool {
        // Records that are not written can be dropped, but a URI that was counted cannot be taken
        // back.
        let counts_distinct = self.printing.config.mode.unique().is_some();
        if !self.output.is_unwritten() || (self.file_hits > 0 && counts_distinct) {
            return false;
        }
        self.output.clear();
        (self.stream_hits, self.file_hits) = (0, 0);
        (self.lines, self.file_has_lines) = (0, false);
        self.result = FileResult::default();
        true
    }
}

/// Makes records for a [`FilePrinter`] that has already printed part of the same stream.
struct PrintingAhead {
    printer: Box<dyn Printer>,
    between: &'static [u8],
}

impl Recorder for PrintingAhead {
    fn record(&mut self, hit: &Hit<'_>, records: &mut Vec<u8>) {
        records.extend_from_slice(self.between);
        // The answer can be ignored, because a printer that can be forked wants all hits.
        self.printer.hit(hit, records);
    }
}

impl InputSink for FilePrinter<'_> {
    type Deferred = DeferredFile;

    fn close(self) {
        self.thread.records = self.output.finish();
        self.printing.finish_file(self.result);
    }

    fn discard(self) {
        self.thread.records = self.output.discard();
    }

    fn into_deferred(self) -> Option<DeferredFile> {
        let result = self.result;
        let uris = self.thread.printer.take_records();
        self.output.into_deferred().map(|output| DeferredFile { output, uris, result })
    }
}
