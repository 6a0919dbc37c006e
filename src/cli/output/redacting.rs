//! `--redact`: the stage before a printer that takes secrets out of what is printed.
//!
//! The printers behind it know nothing of it: they get findings that hold no secret, in their places.

use urigrep::{Finding, redact};

use super::{Ending, Printer, Summary};
use crate::cli::diagnostics::Fault;
use crate::cli::messages::Numbers;
use crate::cli::search::Places;
use crate::cli::sink::{Flow, Hit};
use crate::cli::subject::{Level, Subject};

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
    fn places(&self, level: Level) -> Places {
        self.inner.places(level)
    }

    fn numbers(&self) -> Numbers {
        self.inner.numbers()
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

    fn hit(&mut self, subject: &Subject, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        // A URI that a reference stands for has the secrets of its base, too.
        let target = hit.target.map(redact);
        let (finding, text) = match hit.finding {
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
        self.inner.hit(
            subject,
            &Hit {
                finding: finding.as_ref().unwrap_or(hit.finding),
                shown: text.as_deref(),
                target: target.as_deref(),
                normal: None,
                ..*hit
            },
            out,
        )
    }

    fn end(&mut self, subject: &Subject, hits: u64, out: &mut Vec<u8>) -> Ending {
        self.inner.end(subject, hits, out)
    }

    fn fault(&mut self, fault: &Fault, out: &mut Vec<u8>) {
        self.inner.fault(fault, out);
    }

    fn summary(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        self.inner.summary(summary, out);
    }
}
