//! `urigrep audit`: reports the findings of the library's [`Auditor`], and turns them into an exit
//! status.

mod baseline;
mod faults;
#[cfg(feature = "online")]
mod online;
pub mod plan;
mod report;
mod settings;
mod summary;
#[cfg(feature = "online")]
mod watch;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant;

use urigrep::audit::{AuditCounts, AuditOutcome, Auditor, FindingKey, KnownFindings, Profile};
use urigrep::search::{Problem, describe};

use super::config::{self, walk_error};
use super::diagnostics::{Diagnostics, complain};
use super::error::CliError;
use super::flags::audit::AuditFlags;
use super::flags::checks;
use super::roots::existing;
#[cfg(all(feature = "online", unix))]
use super::signals;
use super::status::Status;
use super::stdout::{Stdout, failed_output, is_broken_pipe, print, target};
use baseline::Baseline;
use faults::Faults;
use plan::AuditPlan;
use report::{AuditReport, ReportedFault};
pub use settings::find as find_settings;
use summary::AuditSummary;
pub use summary::counted;
#[cfg(feature = "online")]
use watch::OnlineWatch;

const NO_PATTERN: &str = "urigrep audit takes no pattern; to exclude findings, use --exclude";

pub fn run(flags: &AuditFlags) -> Status {
    if flags.walk.type_list {
        return config::print_types(&flags.walk);
    }
    if flags.checks.list_checks {
        return print(checks::list().as_bytes());
    }
    let started = Instant::now();
    let audited = AuditPlan::new(flags).and_then(|plan| {
        let status = audit(&plan, started);
        // The caches of a large tree are many allocations, and the process ends here. Freeing them
        // would only delay the exit.
        std::mem::forget(plan);
        status
    });
    audited.unwrap_or_else(|error| {
        complain(&error.to_string());
        Status::Error
    })
}

fn audit(plan: &AuditPlan, started: Instant) -> Result<Status, CliError> {
    let stdout = Stdout::new(target().map_err(|error| CliError::general(describe(&error)))?, b"");
    let diagnostics = Diagnostics::default();
    #[cfg(feature = "online")]
    let watch = plan.watch();
    #[cfg(feature = "online")]
    let stdout = stdout.beside(watch.as_ref().and_then(OnlineWatch::progress));
    let mut output = Output::new(plan, &stdout, &diagnostics);
    output.audit(&plan.auditor)?;
    output.show_faults();
    #[cfg(feature = "online")]
    drop(watch);
    let summary = AuditSummary {
        counts: output.counts,
        different: plan.report.groups().then(|| output.faults.different()),
        sites: output.sites.clone(),
        web: plan.web_counts(),
        errors: diagnostics.errors(),
        elapsed: started.elapsed(),
    };
    let mut has_findings = summary.counts.has_faults();
    let mut bytes = plan.dumped();
    plan.report.close(&summary, &mut bytes);
    if let Some(baseline) = &plan.written {
        let count = counted(baseline.write(&output.findings)?, "finding");
        let file = baseline.file().display();
        bytes.extend_from_slice(format!("urigrep: {count} written to {file}\n").as_bytes());
        // Writing a baseline accepts all findings, so the exit status is that of success.
        has_findings = false;
    }
    stdout.write(&bytes);
    for problem in plan.save() {
        diagnostics.report(&problem);
    }
    match stdout.take_failure() {
        Some(error) if !is_broken_pipe(&error) => diagnostics.report(&failed_output(&error)),
        _ => {}
    }
    if let Some(least) = plan.min_coverage {
        let AuditCounts { links, .. } = summary.counts;
        // A site with an unknown generator may leave most links unjudged. Without this check, CI
        // would pass because nothing was checked.
        if summary.counts.coverage() < f64::from(least) {
            let judged = summary.counts.judged();
            complain(&format!("{judged} of {links} links judged, less than {least} %"));
            has_findings = true;
        }
    }
    #[cfg(all(feature = "online", unix))]
    if plan.online.is_some() {
        signals::release();
    }
    Ok(match (diagnostics.errors(), has_findings) {
        (0, false) => Status::Match,
        (0, true) => Status::NoMatch,
        _ => Status::Error,
    })
}

#[derive(Debug, Default)]
struct AuditRecord {
    report: Vec<u8>,
    /// The document's name in the baseline and its findings, if a baseline is written.
    findings: Option<(String, KnownFindings)>,
    counts: AuditCounts,
    problem: Option<Problem>,
    faults: Vec<ReportedFault>,
    profile: Option<Profile>,
}

impl AuditRecord {
    fn new(outcome: AuditOutcome, report: &dyn AuditReport, written: Option<&Baseline>) -> Self {
        let mut record = Self { counts: outcome.counts(), ..Self::default() };
        if let AuditOutcome::Audited(document) = &outcome {
            record.profile = document.profile();
        }
        match outcome {
            AuditOutcome::Audited(document) if !document.findings().is_empty() => {
                if let Some(baseline) = written {
                    let mut known = KnownFindings::default();
                    for located in document.findings() {
                        known.add(FindingKey::of(&located.finding), 1);
                    }
                    record.findings = Some((baseline.name_of(document.input()), known));
                }
                match report.groups() {
                    true => record.faults = report.faults(&document),
                    false => report.document(&document, &mut record.report),
                }
            }
            AuditOutcome::Audited(_) | AuditOutcome::LeftOut => {}
            AuditOutcome::Failed(problem) => record.problem = Some(problem),
        }
        record
    }
}

struct Output<'a> {
    plan: &'a AuditPlan,
    stdout: &'a Stdout,
    diagnostics: &'a Diagnostics,
    has_begun: bool,
    counts: AuditCounts,
    /// The findings of the baseline to write, by document.
    findings: BTreeMap<String, KnownFindings>,
    /// Faults that are shown once, with all their places.
    faults: Faults,
    sites: BTreeMap<&'static str, u64>,
}

impl<'a> Output<'a> {
    fn new(plan: &'a AuditPlan, stdout: &'a Stdout, diagnostics: &'a Diagnostics) -> Self {
        Self {
            plan,
            stdout,
            diagnostics,
            has_begun: false,
            counts: AuditCounts::default(),
            findings: BTreeMap::new(),
            faults: Faults::default(),
            sites: BTreeMap::new(),
        }
    }

    fn audit(&mut self, auditor: &Auditor) -> Result<(), CliError> {
        let (plan, stdout) = (self.plan, self.stdout);
        let (roots, problems) = existing(&plan.roots, NO_PATTERN);
        let mut bytes = Vec::new();
        plan.report.open(&mut bytes);
        stdout.write(&bytes);
        for problem in &problems {
            self.problem(problem);
        }
        let record = |outcome| AuditRecord::new(outcome, &*plan.report, plan.written.as_ref());
        let audited = auditor.run(roots, record, |record| {
            self.print(record);
            match stdout.is_closed() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        audited.map_err(|error| walk_error(&error))
    }

    fn print(&mut self, record: AuditRecord) {
        self.counts += record.counts;
        self.findings.extend(record.findings);
        if let Some(profile) = record.profile {
            *self.sites.entry(profile.name()).or_default() += 1;
        }
        for fault in record.faults {
            self.faults.add(fault);
        }
        if self.faults.are_many() {
            self.show_faults();
        }
        if !record.report.is_empty() {
            if self.has_begun {
                self.stdout.write(self.plan.report.separator());
            }
            self.has_begun = true;
            self.stdout.write(&record.report);
        }
        if let Some(problem) = &record.problem {
            self.problem(problem);
        }
    }

    fn show_faults(&mut self) {
        let mut bytes = Vec::new();
        self.faults.show(&mut bytes);
        self.stdout.write(&bytes);
    }

    fn problem(&self, problem: &Problem) {
        let mut object = Vec::new();
        self.plan.report.problem(problem, &mut object);
        if !object.is_empty() {
            self.stdout.write(&object);
        }
        self.diagnostics.report(problem);
    }
}
