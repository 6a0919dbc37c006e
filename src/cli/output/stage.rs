//! A step before another printer, which makes the records: it drops or changes hits.
use urigrep::internal::output::report::Report;
use urigrep::search::{Flow, Hit, Input, Level, Needs, Problem};

use super::{ExitMatch, Printer, Summary, Turn, UriRecord};

pub trait OutputStage: Send {
    /// Called before each file, whose records are written now or later.
    fn begin_file(&mut self, _turn: Turn) {}

    /// The records of a file that is written later.
    fn take_records(&mut self) -> Vec<UriRecord> {
        Vec::new()
    }

    /// Called before each input: a file, or a member of an archive.
    fn begin(&mut self) {}

    /// Passes a finding to the printer, or drops it.
    fn hit(&mut self, hit: &Hit<'_>, inner: &mut dyn Printer, out: &mut Vec<u8>) -> Flow;

    /// Called after each file.
    fn finish(&mut self) {}

    /// Returns a replacement for the printed name of an input.
    fn input(&self, _input: &Input) -> Option<Input> {
        None
    }

    /// Returns a replacement for a printed problem.
    fn message(&self, _problem: &Problem) -> Option<Problem> {
        None
    }

    /// Returns the data of hits that is needed.
    fn needs(&self, inner: &dyn Printer, level: Level) -> Needs {
        inner.needs(level)
    }

    /// Returns the separator between two records while the search runs.
    fn separator(&self, inner: &dyn Printer) -> &'static [u8] {
        inner.separator()
    }
}

/// Prints with `inner` the hits that the stage lets through.
pub struct Staged<S> {
    pub stage: S,
    pub inner: Box<dyn Printer>,
}

impl<S: OutputStage> Report<Summary> for Staged<S> {
    fn open(&self, out: &mut Vec<u8>) {
        self.inner.open(out);
    }

    fn separator(&self) -> &'static [u8] {
        self.stage.separator(&*self.inner)
    }

    fn problem(&self, problem: &Problem, out: &mut Vec<u8>) {
        // The stage sees problems as well, because a path or a message may hold a secret.
        let redacted = self.stage.message(problem);
        self.inner.problem(redacted.as_ref().unwrap_or(problem), out);
    }

    fn close(&self, summary: &Summary, out: &mut Vec<u8>) {
        self.inner.close(summary, out);
    }
}

impl<S: OutputStage> Printer for Staged<S> {
    fn needs(&self, level: Level) -> Needs {
        self.stage.needs(&*self.inner, level)
    }

    fn begin_file(&mut self, turn: Turn) {
        self.stage.begin_file(turn);
        self.inner.begin_file(turn);
    }

    fn take_records(&mut self) -> Vec<UriRecord> {
        let mut records = self.stage.take_records();
        records.extend(self.inner.take_records());
        records
    }

    fn begin(&mut self) {
        self.stage.begin();
        self.inner.begin();
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        self.stage.hit(hit, &mut *self.inner, out)
    }

    fn left_out(&mut self, given: &Input, reason: &str, out: &mut Vec<u8>) -> ExitMatch {
        let input = self.stage.input(given);
        self.inner.left_out(input.as_ref().unwrap_or(given), reason, out)
    }

    fn finish(&mut self, given: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        self.stage.finish();
        let input = self.stage.input(given);
        self.inner.finish(input.as_ref().unwrap_or(given), hits, out)
    }
}
