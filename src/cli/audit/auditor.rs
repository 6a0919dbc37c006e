//! One document through the checks: from a file to the record of its findings.

use std::io::{self, ErrorKind};
use std::path::Path;

use urigrep::Finder;
use urigrep::audit::{self, Facts};
use urigrep::container::document::Format;

use super::baseline::{Counts, Key};
use super::checks;
use super::comments::Comments;
use super::filter::Verdict;
use super::finding::{Audited, Finding};
use super::place::{Columns, Lines};
use super::plan::{Known, Others, Plan, Secrets};
use super::redacting;
use super::tally::Tally;
use super::tree::FileTree;
use crate::cli::flags::values::hosts;
use urigrep::search::{Input, InputText, Origin, Problem, ProblemKind, describe, guarded, provoke};

/// So many findings of one document are listed; the others are counted.
const MOST: usize = 10_000;

/// A larger file is not audited: all of a document is in memory.
pub const LARGEST: u64 = 64 << 20;

fn not_read(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::FileTooLarge => format!("not audited: {error}"),
        _ => describe(error),
    }
}

/// What all documents are audited with.
pub struct Auditor {
    /// Every decision.
    pub plan: Plan,
    tree: FileTree,
    finder: Finder,
}

/// What auditing a file came to.
#[derive(Debug, Default)]
pub struct Record {
    /// The report of its findings.
    pub report: Vec<u8>,
    /// Its findings for a baseline, if one is written.
    pub findings: Option<(String, Counts)>,
    /// The counts.
    pub tally: Tally,
    /// What went wrong.
    pub problem: Option<Problem>,
}

/// A finding before it has a place.
type Judged = (audit::Fault, audit::Severity);

impl Auditor {
    /// Nothing has been audited yet.
    pub fn new(plan: Plan) -> Self {
        Self {
            tree: FileTree::new(plan.search.clone(), plan.slugs()),
            plan,
            finder: Finder::builder().host_mapping(hosts()).build(),
        }
    }

    /// Audits a file. Whatever happens there, the others go on.
    pub fn audit(&self, input: &Input) -> Record {
        // What is shared is caches, which a panic leaves as they were.
        let read = guarded(|| self.read(input));
        let (kind, message) = match read {
            Ok(Ok(record)) => return record,
            Ok(Err(message)) => (ProblemKind::Read, message),
            Err(message) => (ProblemKind::Panic, message),
        };
        Record {
            problem: Some(Problem::new(kind, input.display_path(), message)),
            ..Record::default()
        }
    }

    fn read(&self, input: &Input) -> Result<Record, String> {
        let mut record = Record::default();
        if !input
            .path()
            .is_none_or(|path| self.plan.filter.takes_path(path))
        {
            record.tally.others = 1;
            return Ok(record);
        }
        let is_wanted = |format: Option<Format>| {
            format.is_some()
                || input.origin() == Origin::Named
                || self.plan.others == Others::Audited
        };
        let text = self.plan.search.read_text(input, LARGEST, is_wanted);
        match text.map_err(|error| not_read(&error))? {
            None => record.tally.others = 1,
            Some(text) => {
                record.tally.documents = 1;
                record.tally.bytes = text.bytes_read();
                self.check(input, &text, &mut record);
            }
        }
        Ok(record)
    }

    fn check(&self, input: &Input, text: &InputText, record: &mut Record) {
        provoke(text.bytes());
        let facts = audit::read(text.format(), text.bytes(), &self.finder);
        // standard input stands in the current directory
        let path = input.path().unwrap_or(Path::new("-"));
        let judged = self.judged(path, &facts, text, &mut record.tally);
        if judged.is_empty() {
            return;
        }
        let lines = Lines::of(text.bytes());
        let mut columns = Columns::new(text, &lines);
        let mut findings: Vec<Finding> = judged
            .into_iter()
            .map(|(fault, severity)| {
                let (start, end) = (fault.span.start(), fault.span.end());
                let places = columns.places(start, end);
                Finding {
                    fault,
                    severity,
                    start: places[0],
                    end: places[1],
                    bytes: [text.source(start), text.source(end)],
                }
            })
            .collect();
        if let Known::Written(baseline) = &self.plan.known {
            let mut counts = Counts::new();
            for finding in &findings {
                *counts.entry(Key::of(&finding.fault)).or_default() += 1;
            }
            record.findings = Some((baseline.name(path), counts));
        }
        record.tally.faulty = 1;
        for finding in &findings {
            record.tally.severities.add(finding.severity);
        }
        let masked;
        let text = match self.plan.secrets {
            Secrets::Shown => text,
            Secrets::Redacted => {
                let faults = findings.iter_mut().map(|finding| &mut finding.fault);
                faults.for_each(redacting::fault);
                masked = redacting::source(text, facts.links(), &self.finder);
                &masked
            }
        };
        let audited = Audited {
            input,
            text,
            lines: &lines,
            findings: &findings,
        };
        self.plan.report.document(&audited, &mut record.report);
    }

    /// The faults that are reported, in order; the others are counted.
    fn judged(
        &self,
        path: &Path,
        facts: &Facts,
        text: &InputText,
        tally: &mut Tally,
    ) -> Vec<Judged> {
        let filter = &self.plan.filter;
        let comments = match facts.comments() {
            [] => Comments::default(),
            comments => {
                let comments = comments
                    .iter()
                    .map(|comment| (&*comment.text, comment.span));
                Comments::read(comments, &Lines::of(text.bytes()))
            }
        };
        let mut known = match &self.plan.known {
            Known::LeftOut(baseline) => baseline.of(path),
            Known::Nothing | Known::Written(_) => Counts::new(),
        };
        let mut judged = Vec::new();
        let mut sink = |fault: audit::Fault| {
            let verdict = filter.judge(&fault);
            if verdict != Verdict::Off && is_known(&fault, &mut known) {
                tally.suppressed.baseline += 1;
                return;
            }
            match verdict {
                Verdict::Off => {}
                Verdict::Excluded => tally.suppressed.excluded += 1,
                Verdict::Mild => tally.suppressed.severity += 1,
                Verdict::Reported(_) if comments.disable(fault.check.id, fault.span.start()) => {
                    tally.suppressed.comment += 1;
                }
                Verdict::Reported(_) if judged.len() >= MOST => tally.unlisted += 1,
                Verdict::Reported(severity) => judged.push((fault, severity)),
            }
        };
        audit::check(path, facts, &self.plan.options, &self.tree, &mut sink);
        comments.faults.iter().cloned().for_each(sink);
        let is_wanted = |id: &str| checks::named(id).is_some_and(|check| filter.takes_check(check));
        let stale = known.iter().filter(|(key, _)| is_wanted(key.check()));
        tally.stale += stale.map(|(_, count)| count).sum::<u64>();
        judged.sort_by_key(|(fault, _)| (fault.span.start(), fault.span.end()));
        judged
    }
}

/// True when the baseline has one more of these.
fn is_known(fault: &audit::Fault, known: &mut Counts) -> bool {
    if known.is_empty() {
        return false;
    }
    match known.get_mut(&Key::of(fault)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    }
}
