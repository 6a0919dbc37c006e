//! Documents in parallel, their records in order: by path, then by offset.
//!
//! While the records of one batch are printed, the next batch is audited; so memory is that of two
//! batches, and of a baseline that is written.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::auditor::{Auditor, Record};
use super::baseline::Counts;
use super::paths;
use super::tally::Tally;
use crate::cli::diagnostics::{Diagnostics, Fault};
use crate::cli::flags::values::Sort;
use crate::cli::operands::Operand;
use crate::cli::spool::Gate;
use crate::cli::subject::Subject;
use crate::cli::walk::{self, Visit};

/// Files a thread that are audited ahead of the output.
const AHEAD: usize = 16;

/// What users of grep are told.
const NO_PATTERN: &str = "urigrep audit takes no pattern: to leave findings out, use --exclude";

/// Where records go, in order.
pub struct Output<'a> {
    auditor: &'a Auditor,
    gate: &'a Gate,
    diagnostics: &'a Diagnostics,
    has_begun: bool,
    /// What it all came to.
    pub tally: Tally,
    /// The findings of a baseline that is written.
    pub findings: BTreeMap<String, Counts>,
}

impl<'a> Output<'a> {
    /// Nothing is printed yet.
    pub fn new(auditor: &'a Auditor, gate: &'a Gate, diagnostics: &'a Diagnostics) -> Self {
        Self {
            auditor,
            gate,
            diagnostics,
            has_begun: false,
            tally: Tally::default(),
            findings: BTreeMap::new(),
        }
    }

    fn begin(&self) {
        let mut bytes = Vec::new();
        self.auditor.plan.report.begin(&mut bytes);
        self.gate.write(&bytes);
    }

    fn print(&mut self, record: Record) {
        self.tally += record.tally;
        self.findings.extend(record.findings);
        if !record.report.is_empty() {
            if self.has_begun {
                self.gate.write(self.auditor.plan.report.separator());
            }
            self.has_begun = true;
            self.gate.write(&record.report);
        }
        if let Some(fault) = &record.fault {
            let mut object = Vec::new();
            self.auditor.plan.report.fault(fault, &mut object);
            if !object.is_empty() {
                self.gate.write(&object);
            }
            self.diagnostics.report(fault);
        }
    }
}

/// Audits everything the plan names.
///
/// # Errors
/// When a flag of the walk is wrong.
pub fn drive(auditor: &Auditor, output: &mut Output<'_>) -> Result<(), String> {
    let plan = &auditor.plan;
    let (mut operands, faults) = walk::present(&plan.operands, NO_PATTERN);
    let has_stdin = operands.contains(&Operand::Stdin);
    operands.retain(|operand| *operand != Operand::Stdin);
    // who names a directory and a file of it wants its findings once
    let mut seen = (operands.len() > 1).then(HashSet::new);
    let mut is_new = move |visit: &Visit| match (visit, &mut seen) {
        (Visit::Search(subject), Some(seen)) => subject
            .path()
            .is_none_or(|path| seen.insert(paths::absolute(path))),
        _ => true,
    };
    let builder = walk::builder(&plan.walk, (Sort::Path, plan.threads), &operands)?;
    output.begin();
    for fault in faults {
        output.print(failed(fault));
    }
    let tree = (!operands.is_empty()).then(|| builder.build());
    let visits = has_stdin
        .then_some(Visit::Search(Subject::Stdin))
        .into_iter()
        .chain(
            tree.into_iter()
                .flatten()
                .flat_map(|entry| walk::visits(entry, plan.prefix)),
        )
        .filter(|visit| is_new(visit));
    let pool = match plan.threads {
        1 => None,
        threads => ThreadPoolBuilder::new().num_threads(threads).build().ok(),
    };
    match (operands.as_slice(), pool) {
        // a walk would read the ignore files first
        ([Operand::File(path)], _) if !has_stdin => {
            output.print(auditor.audit(&Subject::named(path)));
        }
        (_, Some(pool)) => in_order(auditor, visits, &pool, output),
        (_, None) => {
            for visit in visits {
                output.print(visited(auditor, visit));
                if output.gate.is_shut() {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Audits in parallel and prints in order.
fn in_order(
    auditor: &Auditor,
    mut visits: impl Iterator<Item = Visit>,
    pool: &ThreadPool,
    output: &mut Output<'_>,
) {
    let ahead = AHEAD * pool.current_num_threads();
    let mut ready: Vec<Record> = Vec::new();
    loop {
        let batch: Vec<Visit> = visits.by_ref().take(ahead).collect();
        let audit = || {
            let visits = batch.into_par_iter().with_max_len(1);
            visits.map(|visit| visited(auditor, visit)).collect()
        };
        let print = || ready.drain(..).for_each(|record| output.print(record));
        (ready, ()) = pool.join(audit, print);
        if ready.is_empty() || output.gate.is_shut() {
            return;
        }
    }
}

fn visited(auditor: &Auditor, visit: Visit) -> Record {
    match visit {
        Visit::Search(subject) => auditor.audit(&subject),
        Visit::Fault(fault) => failed(fault),
        Visit::Skip => Record {
            tally: Tally {
                others: 1,
                ..Tally::default()
            },
            ..Record::default()
        },
    }
}

fn failed(fault: Fault) -> Record {
    Record {
        fault: Some(fault),
        ..Record::default()
    }
}
