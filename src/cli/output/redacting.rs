//! `--redact`: the stage before a printer that removes secrets.
//!
//! The printers after it need no support for it: they get findings without secrets, with the
//! original positions.

use urigrep::search::{Flow, Hit, Input, Problem, RedactedHit, RedactedNames};

use super::Printer;
use super::stage::OutputStage;
use crate::cli::diagnostics;

/// Secrets are removed from these names, too.
pub struct Redacting(pub RedactedNames);

impl OutputStage for Redacting {
    fn hit(&mut self, hit: &Hit<'_>, inner: &mut dyn Printer, out: &mut Vec<u8>) -> Flow {
        inner.hit(&hit.without_secrets(&RedactedHit::new(hit, self.0)), out)
    }

    fn input(&self, input: &Input) -> Option<Input> {
        input.redacted(self.0)
    }

    fn message(&self, problem: &Problem) -> Option<Problem> {
        Some(diagnostics::redacted(problem, self.0))
    }
}
