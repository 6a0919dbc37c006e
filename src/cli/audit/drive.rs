//! Documents in parallel, their records in order: by path, then by offset.
//!
//! Memory is that of the documents that are audited ahead of the output, and of a baseline that is written.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

use urigrep::search::{Problem, Visit};

use super::auditor::{Auditor, Record};
use super::baseline::Counts;
use super::paths;
use super::tally::Tally;
use crate::cli::config::walk_error;
use crate::cli::diagnostics::Diagnostics;
use crate::cli::roots::existing;
use crate::cli::stdout::Stdout;

/// What users of grep are told.
const NO_PATTERN: &str = "urigrep audit takes no pattern: to leave findings out, use --exclude";

/// Where records go, in order.
pub struct Output<'a> {
    auditor: &'a Auditor,
    stdout: &'a Stdout,
    diagnostics: &'a Diagnostics,
    has_begun: bool,
    /// What it all came to.
    pub tally: Tally,
    /// The findings of a baseline that is written.
    pub findings: BTreeMap<String, Counts>,
}

impl<'a> Output<'a> {
    /// Nothing is printed yet.
    pub fn new(auditor: &'a Auditor, stdout: &'a Stdout, diagnostics: &'a Diagnostics) -> Self {
        Self {
            auditor,
            stdout,
            diagnostics,
            has_begun: false,
            tally: Tally::default(),
            findings: BTreeMap::new(),
        }
    }

    fn begin(&self) {
        let mut bytes = Vec::new();
        self.auditor.plan.report.begin(&mut bytes);
        self.stdout.write(&bytes);
    }

    fn print(&mut self, record: Record) {
        self.tally += record.tally;
        self.findings.extend(record.findings);
        if !record.report.is_empty() {
            if self.has_begun {
                self.stdout.write(self.auditor.plan.report.separator());
            }
            self.has_begun = true;
            self.stdout.write(&record.report);
        }
        if let Some(problem) = &record.problem {
            let mut object = Vec::new();
            self.auditor.plan.report.problem(problem, &mut object);
            if !object.is_empty() {
                self.stdout.write(&object);
            }
            self.diagnostics.report(problem);
        }
    }
}

/// Audits everything the plan names.
///
/// # Errors
/// When a flag of the walk is wrong.
pub fn drive(auditor: &Auditor, output: &mut Output<'_>) -> Result<(), String> {
    let plan = &auditor.plan;
    let (roots, problems) = existing(&plan.roots, NO_PATTERN);
    output.begin();
    for problem in problems {
        output.print(failed(problem));
    }
    // A file that is named beside its directory has its findings once.
    let mut seen = HashSet::new();
    let is_only_root = roots.len() <= 1;
    let identity = |visit: &Visit| match visit {
        Visit::Search(input) if !is_only_root => input.path().map(paths::absolute),
        _ => None,
    };
    let searched = plan.search.map_inputs(
        roots,
        |visit| (identity(&visit), visited(auditor, visit)),
        |(identity, record)| {
            if identity.is_none_or(|identity| seen.insert(identity)) {
                output.print(record);
            }
            match output.stdout.is_closed() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        },
    );
    searched.map_err(|error| walk_error(&error))
}

fn visited(auditor: &Auditor, visit: Visit) -> Record {
    match visit {
        Visit::Search(input) => auditor.audit(&input),
        Visit::Problem(problem) => failed(problem),
        Visit::Skip => Record {
            tally: Tally {
                others: 1,
                ..Tally::default()
            },
            ..Record::default()
        },
    }
}

fn failed(problem: Problem) -> Record {
    Record {
        problem: Some(problem),
        ..Record::default()
    }
}
