//! `--redact`: the stage before a printer that takes secrets out of what is printed.
//!
//! The printers behind it know nothing of it: they get findings that hold no secret, in their places.

use urigrep::search::{Flow, Hit, Input, Level, PartNumbers, Positions, Problem};
use urigrep::{Finding, redact};

use super::{ExitMatch, Printer, Summary};

/// Prints as another does, but secrets.
pub struct Redacting {
    inner: Box<dyn Printer>,
}

impl Redacting {
    /// A printer whose records are those of `inner`.
    pub fn new(inner: Box<dyn Printer>) -> Self {
        Self { inner }
    }
}

impl Printer for Redacting {
    fn positions(&self, level: Level) -> Positions {
        self.inner.positions(level)
    }

    fn part_numbers(&self) -> PartNumbers {
        self.inner.part_numbers()
    }

    fn separator(&self) -> &'static [u8] {
        self.inner.separator()
    }

    fn open(&mut self, out: &mut Vec<u8>) {
        self.inner.open(out);
    }

    fn begin(&mut self) {
        self.inner.begin();
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        // A URI that a reference stands for has the secrets of its base, too.
        let target = hit.target().map(redact);
        let (finding, text) = match hit.finding() {
            Finding::Match(m) => match m.redacted() {
                None => (None, None),
                Some(m) => {
                    let text = m.text().into_owned();
                    (Some(Finding::Match(m)), Some(text))
                }
            },
            Finding::Relative(relative) => match relative.redacted() {
                None => (None, None),
                Some(relative) => {
                    let text = relative.intended().into_owned().into_bytes();
                    (Some(Finding::Relative(relative)), Some(text))
                }
            },
            Finding::Rejected(rejected) => (None, rejected.redacted()),
        };
        let finding = finding.as_ref().unwrap_or(hit.finding());
        let redacted = hit.with_redacted(finding, target.as_deref(), text.as_deref());
        self.inner.hit(&redacted, out)
    }

    fn finish(&mut self, input: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        self.inner.finish(input, hits, out)
    }

    fn problem(&mut self, problem: &Problem, out: &mut Vec<u8>) {
        self.inner.problem(problem, out);
    }

    fn summary(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        self.inner.summary(summary, out);
    }
}
