//! `urigrep audit`: checks over the references of documents, and reports of what they find.
//!
//! The library checks; here files are found and read, findings are selected and printed.

mod auditor;
mod baseline;
mod checks;
mod comments;
mod drive;
mod file;
mod filter;
mod finding;
mod paths;
mod place;
mod plan;
mod redacting;
mod report;
mod tally;
mod tree;
pub mod values;

use std::time::Instant;

use super::diagnostics::Diagnostics;
use super::stdout::{Stdout, is_broken_pipe};
use super::verbs::audit::AuditFlags;
use super::{Status, complain, failed_output, print, target, type_list};
use auditor::Auditor;
use drive::Output;
use plan::{Known, Plan};
use tally::Summary;

/// Does what the flags say.
pub fn run(flags: &AuditFlags) -> Status {
    if flags.walk.type_list {
        return print(&type_list());
    }
    if flags.checks.list_checks {
        return print(checks::list().as_bytes());
    }
    let started = Instant::now();
    Plan::new(flags)
        .and_then(|plan| audit(plan, started))
        .unwrap_or_else(|message| {
            complain(&message);
            Status::Error
        })
}

fn audit(plan: Plan, started: Instant) -> Result<Status, String> {
    let stdout = Stdout::new(
        target().map_err(|error| failed_output(&error).message().to_owned())?,
        b"",
    );
    let diagnostics = Diagnostics::default();
    let auditor = Auditor::new(plan);
    let mut output = Output::new(&auditor, &stdout, &diagnostics);
    drive::drive(&auditor, &mut output)?;
    let summary = Summary {
        tally: output.tally,
        errors: diagnostics.errors(),
        elapsed: started.elapsed(),
    };
    let mut has_findings = summary.tally.severities.sum() + summary.tally.unlisted > 0;
    let mut bytes = Vec::new();
    auditor.plan.report.end(&summary, &mut bytes);
    if let Known::Written(baseline) = &auditor.plan.known {
        let count = tally::counted(baseline.write(&output.findings)?, "finding");
        let file = baseline.file().display();
        bytes.extend_from_slice(format!("urigrep: {count} written to {file}\n").as_bytes());
        has_findings = false;
    }
    stdout.write(&bytes);
    match stdout.take_failure() {
        Some(error) if !is_broken_pipe(&error) => diagnostics.report(&failed_output(&error)),
        _ => {}
    }
    Ok(match (diagnostics.errors(), has_findings) {
        (0, false) => Status::Match,
        (0, true) => Status::NoMatch,
        _ => Status::Error,
    })
}
