//! `urigrep audit`: reports the findings of the library's [`Auditor`], and turns them into an exit
//! status.

mod baseline;
mod faults;
mod fix;
mod import;
#[cfg(feature = "online")]
mod online;
#[cfg(feature = "online")]
mod online_settings;
pub mod plan;
mod report;
mod settings;
mod since;
mod summary;
mod tally;
#[cfg(feature = "online")]
mod watch;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use urigrep::audit::report::AuditSummary;
use urigrep::audit::{AuditCounts, AuditOutcome, Auditor, Profile, Safety};
use urigrep::change;
use urigrep::search::{Input, Problem, Root, describe};

use super::config::{self, walk_error};
use super::diagnostics::{Diagnostics, Messages, complain, redacted_if_asked};
use super::error::CliError;
use super::flags::audit::{AuditFlags, ReportFormatFlag};
use super::flags::checks;
use super::page;
use super::progress::Drawing;
use super::roots::existing;
#[cfg(all(feature = "online", unix))]
use super::signals;
use super::status::Status;
use super::stdout::{Stdout, failed_output, is_broken_pipe, print, target};
use baseline::BaselineFindings;
use faults::Faults;
use fix::{FixMode, FixOutput, Fixed};
use plan::AuditPlan;
use report::{ReportedFault, RunReport};
pub use settings::find as find_settings;
use summary::{AuditRun, Fixable, UnreadStdin};
use tally::AuditTally;
pub use urigrep::internal::counted;

/// Returns a hint for a path that does not exist and looks like something else.
fn no_pattern(path: &str) -> &'static str {
    let is_url = path.contains("://");
    match is_url || path.contains(['*', '?', '[', '{']) {
        true if is_url => "pages of the web are not followed; --online asks for the links of files",
        true => "for files that match a glob, use -g GLOB",
        false => "urigrep audit takes no pattern; to exclude findings, use --exclude",
    }
}

pub fn run(flags: &AuditFlags) -> Status {
    if flags.walk.type_list {
        return config::print_types(&flags.walk);
    }
    if let Err(error) = only_text(flags) {
        complain(&error.to_string());
        return Status::Error;
    }
    if flags.checks.list_checks {
        return print(&checks::list(flags.report.format()));
    }
    if let Some(file) = &flags.checks.import_config {
        return match import::import(file) {
            Ok(text) => print(text.as_bytes()),
            Err(error) => {
                complain(&error.to_string());
                Status::Error
            }
        };
    }
    let started = Instant::now();
    let audited = fixed(flags).and_then(|fixed| {
        let fixed = match fixed {
            Fixes::Shown(status) => return Ok(status),
            Fixes::Applied(status) => status,
        };
        let plan = AuditPlan::new(flags)?;
        let status = audit(&plan, started).map(|status| match fixed {
            Status::Error => Status::Error,
            _ => status,
        });
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

/// Rejects a format for output that has only one, and an output file that would not be written.
fn only_text(flags: &AuditFlags) -> Result<(), CliError> {
    let format = flags.report.format();
    let invalid = |flag: &str, form: &str| {
        Err(CliError::invalid("--format", format!("{flag} prints {form}, and nothing else")))
    };
    if flags.checks.list_checks {
        return match format {
            ReportFormatFlag::Text | ReportFormatFlag::Json => Ok(()),
            _ => invalid("--list-checks", "text or json"),
        };
    }
    // A flag that would have no effect is refused: the file that it names would not be written.
    let printing =
        [("--diff", flags.fixes.diff), ("--import-config", flags.checks.import_config.is_some())];
    let files = [("--output", &flags.report.output), ("--report", &flags.report.report)];
    if let Some((prints, _)) = printing.iter().find(|(_, is_given)| *is_given)
        && let Some((flag, _)) = files.iter().find(|(_, file)| file.is_some())
    {
        let prints = format!("{prints}, which prints to standard output");
        return Err(CliError::conflict(flag, prints));
    }
    #[cfg(feature = "online")]
    if flags.online.dump && flags.report.redact.is_some() {
        return Err(CliError::conflict(
            "--redact",
            "--dump, which prints URLs as they are requested",
        ));
    }
    if format == ReportFormatFlag::Text {
        return Ok(());
    }
    if flags.fixes.diff {
        return invalid("--diff", "a unified diff");
    }
    #[cfg(feature = "online")]
    if flags.online.dump {
        return invalid("--dump", "one URL per line");
    }
    Ok(())
}

/// Rounds of fixes: one may uncover the next, such as the anchor of a moved page.
const MAX_ROUNDS: usize = 4;

/// The result of `--fix` or `--diff`.
enum Fixes {
    /// The fixes were printed, and nothing remains to be done.
    Shown(Status),
    /// The fixes were applied, if any; the rest is to be reported.
    Applied(Status),
}

/// Applies or prints the fixes, if that is wanted.
fn fixed(flags: &AuditFlags) -> Result<Fixes, CliError> {
    let wanted = &flags.fixes;
    let output = match (wanted.diff, wanted.fix || wanted.unsafe_fixes) {
        (true, _) => FixOutput::Diff,
        (false, true) => FixOutput::Files,
        (false, false) => return Ok(Fixes::Applied(Status::Match)),
    };
    let safety = if wanted.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
    let mode = FixMode { safety, output };
    let mut sum = Fixed::default();
    let mut failed = HashSet::new();
    for _ in 0..MAX_ROUNDS {
        // A new plan has no caches of the files as they were.
        let plan = AuditPlan::new(flags)?;
        let fixed = fix::fix(&plan, mode, &mut failed)?;
        let is_last = fixed.fixes == 0 || output == FixOutput::Diff;
        sum.fixes += fixed.fixes;
        // Later rounds change the same files again, so their numbers must not be added.
        sum.files = sum.files.max(fixed.files);
        sum.errors += fixed.errors;
        // Edits refused in one round are refused in the next, so the last round has all of them.
        sum.refused = fixed.refused;
        sum.diff = fixed.diff;
        if is_last {
            break;
        }
    }
    for (reason, count) in &sum.refused {
        complain(&format!("{} not fixed: {reason}", counted(*count, "link")));
    }
    let (fixes, files) = (counted(sum.fixes, "link"), counted(sum.files, "file"));
    if output == FixOutput::Files {
        if !flags.report.quiet {
            complain(&format!("fixed {fixes} in {files}"));
        }
        return Ok(Fixes::Applied(if sum.errors > 0 { Status::Error } else { Status::Match }));
    }
    let colors = config::style_of_stdout(flags.report.color, None).colors;
    let mut shown = Vec::new();
    crate::cli::patch::paint(&sum.diff, colors, &mut shown);
    print(&shown);
    if flags.report.redact.is_some() && !change::redacted_words(&sum.diff, &[]).is_empty() {
        complain(
            "the diff shows lines as they are, with their secrets; otherwise it would not apply",
        );
    }
    if !flags.report.quiet {
        complain(&format!("--fix would change {fixes} in {files}"));
    }
    Ok(Fixes::Shown(match (sum.errors, sum.fixes) {
        (0, 0) => Status::Match,
        (0, _) if flags.report.exit_zero => Status::Match,
        (0, _) => Status::NoMatch,
        _ => Status::Error,
    }))
}

/// Returns the destination of the report.
fn report_target(plan: &AuditPlan) -> Result<Box<dyn Write + Send>, CliError> {
    match &plan.output {
        None => target().map_err(|error| CliError::general(describe(&error))),
        Some(path) => Ok(Box::new(page::create_report(path)?)),
    }
}

fn audit(plan: &AuditPlan, started: Instant) -> Result<Status, CliError> {
    let stdout = Stdout::new(report_target(plan)?, b"");
    let page = match &plan.page {
        Some(path) => Some(Stdout::new(Box::new(page::create(path)?), b"")),
        None => None,
    };
    let tally = Arc::new(AuditTally::default());
    let drawing = plan.draw(&tally);
    let progress = drawing.as_ref().map(Drawing::progress);
    let diagnostics = Diagnostics::new(Messages::Shown, progress.clone());
    #[cfg(feature = "online")]
    let watch = plan.watch();
    let stdout = stdout.beside(progress);
    let mut output = Output::new(plan, &stdout, &diagnostics);
    output.page = page.as_ref();
    output.tally = Some(&tally);
    output.audit(&plan.auditor)?;
    output.show_faults();
    drop(drawing);
    #[cfg(feature = "online")]
    drop(watch);
    let run = AuditRun {
        counts: output.counts,
        different: plan.report.groups().then(|| output.faults.different()),
        sites: output.sites.clone(),
        vendored: output.vendored.clone(),
        left_out: plan.left_out.without(plan.auditor.audited_parts()),
        web: plan.web_counts(),
        since: plan.since.clone(),
        filtering_file: plan.filtering_file.clone(),
        errors: diagnostics.errors(),
        unread_stdin: UnreadStdin::look(plan.no_paths),
        is_site_chosen: plan.is_site_chosen,
        fixable: output.fixable,
        least: plan.auditor.filter().least,
        fail_on: plan.fail_on,
        elapsed: started.elapsed(),
    };
    let summary = run.into_summary();
    if let (Some(page), Some(path)) = (&page, &plan.page) {
        close_page(plan, page, path, &summary)?;
    }
    // A list of URLs shows no findings, so none may fail it.
    let fails = match plan.fail_on {
        Some(least) => summary.counts.has_faults_at(least),
        None => summary.counts.has_faults(),
    };
    let mut has_findings = fails && !plan.dumps();
    let mut bytes = plan.dumped();
    plan.report.as_report().close(&summary, &mut bytes);
    if let Some(baseline) = &plan.written {
        let count = counted(baseline.write(&output.findings)?, "finding");
        let file = baseline.file().display();
        bytes.extend_from_slice(format!("urigrep: {count} written to {file}\n").as_bytes());
        // Writing a baseline accepts all findings, so the exit status is that of success.
        has_findings = false;
    }
    stdout.write(&bytes);
    if let Some(note) = plan.archive_note() {
        complain(&note);
    }
    for problem in plan.save() {
        diagnostics.report(&problem);
    }
    match stdout.take_failure() {
        Some(error) if !is_broken_pipe(&error) => diagnostics.report(&failed_output(&error)),
        _ => {}
    }
    has_findings |= lacks_coverage(plan, &summary.counts);
    #[cfg(all(feature = "online", unix))]
    if plan.online.is_some() {
        signals::release();
    }
    Ok(match (diagnostics.errors(), has_findings && !plan.exit_zero) {
        (0, false) => Status::Match,
        (0, true) => Status::NoMatch,
        _ => Status::Error,
    })
}

/// Writes the rest of the page that the user reads beside the report.
fn close_page(
    plan: &AuditPlan,
    page: &Stdout,
    path: &Path,
    summary: &AuditSummary,
) -> Result<(), CliError> {
    let mut bytes = Vec::new();
    plan.page_report.close(summary, &mut bytes);
    page.write(&bytes);
    match page.take_failure() {
        Some(error) => Err(CliError::file(path, describe(&error))),
        None => Ok(()),
    }
}

/// True if fewer links were judged than the user wants, which is reported.
// A site with an unknown generator may leave most links unjudged. Without this check, CI would pass
// because nothing was checked.
fn lacks_coverage(plan: &AuditPlan, counts: &AuditCounts) -> bool {
    let Some(least) = plan.min_coverage.filter(|least| counts.coverage() < f64::from(*least))
    else {
        return false;
    };
    let links = counted(counts.links, "link");
    complain(&format!("{} of {links} judged, less than {least} %", counts.judged()));
    true
}

/// Larger texts on standard input are not audited.
const MAX_STDIN_BYTES: u64 = 1 << 30;

fn standard_input() -> Result<Vec<u8>, CliError> {
    let mut text = Vec::new();
    let read = std::io::stdin().lock().take(MAX_STDIN_BYTES + 1).read_to_end(&mut text);
    match read {
        Ok(length) if length as u64 > MAX_STDIN_BYTES => {
            Err(CliError::general("standard input is larger than 1 GiB"))
        }
        Ok(_) => Ok(text),
        Err(error) => Err(CliError::general(format!("standard input: {}", describe(&error)))),
    }
}

#[derive(Debug, Default)]
struct AuditRecord {
    report: Vec<u8>,
    /// The document's name in the baseline and its findings, if a baseline is written.
    findings: Option<(String, BaselineFindings)>,
    counts: AuditCounts,
    problem: Option<Problem>,
    faults: Vec<ReportedFault>,
    profile: Option<Profile>,
    /// The directory for which the file was left out.
    vendored: Option<&'static str>,
    /// The rows of the page.
    page: Vec<u8>,
    fixable: Fixable,
}

impl AuditRecord {
    fn new(outcome: AuditOutcome, plan: &AuditPlan) -> Self {
        let (report, written) = (&plan.report, plan.written.as_ref());
        let mut record = Self { counts: outcome.counts(), ..Self::default() };
        if let AuditOutcome::Audited(document) = &outcome {
            record.profile = document.profile();
        }
        match outcome {
            AuditOutcome::Audited(document) if !document.findings().is_empty() => {
                if let Some(baseline) = written {
                    let findings = BaselineFindings::from_document(&document);
                    record.findings = Some((baseline.name_of(document.input()), findings));
                }
                if plan.page.is_some() {
                    plan.page_report.document(&document, &mut record.page);
                }
                record.fixable = Fixable::count(&document);
                match report {
                    RunReport::Faults(report) => record.faults = report.faults(&document),
                    RunReport::Documents(report) => {
                        report.document(&document, &mut record.report);
                    }
                }
            }
            AuditOutcome::Audited(document) => report.as_report().passed(&document),
            AuditOutcome::LeftOut => {}
            AuditOutcome::Vendored(directory) => record.vendored = Some(directory),
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
    findings: BTreeMap<String, BaselineFindings>,
    /// Faults that are shown once, with all their places.
    faults: Faults,
    sites: BTreeMap<&'static str, u64>,
    /// Names of the directories that were left out.
    vendored: BTreeSet<&'static str>,
    /// The page that is written besides the report.
    page: Option<&'a Stdout>,
    page_has_begun: bool,
    fixable: Fixable,
    /// The counts of the progress line.
    tally: Option<&'a AuditTally>,
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
            vendored: BTreeSet::new(),
            page: None,
            page_has_begun: false,
            fixable: Fixable::default(),
            tally: None,
        }
    }

    fn audit(&mut self, auditor: &Auditor) -> Result<(), CliError> {
        let (plan, stdout) = (self.plan, self.stdout);
        let (roots, problems) = existing(&plan.roots, no_pattern);
        let mut bytes = Vec::new();
        plan.report.as_report().open(&mut bytes);
        stdout.write(&bytes);
        if let Some(page) = self.page {
            let mut bytes = Vec::new();
            plan.page_report.open(&mut bytes);
            page.write(&bytes);
        }
        for problem in &problems {
            self.problem(problem);
        }
        let record = |outcome| AuditRecord::new(outcome, plan);
        if let Some(path) = &plan.stdin_path {
            let text = standard_input()?;
            auditor.expect([Root::Path(path.clone())]);
            let outcomes = auditor.audit_bytes(&Input::file(path), text);
            outcomes.into_iter().map(record).for_each(|record| self.print(record));
            return Ok(());
        }
        let audited = auditor.run(roots, record, |record| {
            self.print(record);
            if stdout.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        audited.map_err(|error| walk_error(&error))
    }

    fn print(&mut self, record: AuditRecord) {
        self.counts += record.counts;
        if let Some(tally) = self.tally {
            tally.add(record.counts);
        }
        self.findings.extend(record.findings);
        self.fixable += record.fixable;
        if let (Some(page), false) = (self.page, record.page.is_empty()) {
            if self.page_has_begun {
                page.write(self.plan.page_report.separator());
            }
            self.page_has_begun = true;
            page.write(&record.page);
        }
        if let Some(profile) = record.profile {
            *self.sites.entry(profile.name()).or_default() += 1;
        }
        self.vendored.extend(record.vendored);
        for fault in record.faults {
            self.faults.add(fault);
        }
        if self.faults.are_many() {
            self.show_faults();
        }
        if !record.report.is_empty() {
            if self.has_begun {
                self.stdout.write(self.plan.report.as_report().separator());
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
        let redacted = redacted_if_asked(problem);
        let shown = redacted.as_ref().unwrap_or(problem);
        self.plan.report.as_report().problem(shown, &mut object);
        if !object.is_empty() {
            self.stdout.write(&object);
        }
        self.diagnostics.report(problem);
    }
}
