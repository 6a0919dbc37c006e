//! The summary of an audit.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use std::path::PathBuf;
use std::time::Duration;

use urigrep::audit::report::{AuditSummary, WebCounts};
use urigrep::audit::{AuditCounts, AuditedDocument, Safety, Severity};
use urigrep::internal::{counted, found};

use crate::cli::git::LeftOutDocuments;

/// A run of the command.
#[derive(Clone, Debug)]
pub struct AuditRun {
    pub counts: AuditCounts,
    /// The number of different faults, if equal ones are shown once.
    pub different: Option<u64>,
    /// The number of documents read as pages of each kind of site.
    pub sites: BTreeMap<&'static str, u64>,
    /// Names of the directories that were skipped because they belong to other projects.
    pub vendored: BTreeSet<&'static str>,
    /// Documents that are not audited, although git tracks them.
    pub left_out: LeftOutDocuments,
    /// URLs by verdict, if links to the web were checked.
    pub web: Option<WebCounts>,
    /// The revision whose findings are left out.
    pub since: Option<String>,
    /// The settings file, if it may hide findings.
    pub filtering_file: Option<PathBuf>,
    pub errors: u64,
    /// True if no path was named, and standard input may be meant.
    pub has_unread_stdin: bool,
    pub fixable: Fixable,
    /// The lowest severity that is reported.
    pub least: Severity,
    /// The severity from which the audit fails, if a flag sets it.
    pub fail_on: Option<Severity>,
    pub elapsed: Duration,
}

/// Returns the name of a kind of site for people.
fn shown(site: &str) -> &str {
    match site {
        "any" => "no known generator",
        site => site,
    }
}

/// Findings with fixes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixable {
    safe: u64,
    needs_look: u64,
}

impl Fixable {
    pub fn count(document: &AuditedDocument) -> Self {
        let mut fixable = Self::default();
        for fix in document.findings().iter().filter_map(|located| located.finding.fix.as_ref()) {
            match fix.safety {
                Safety::Safe => fixable.safe += 1,
                _ => fixable.needs_look += 1,
            }
        }
        fixable
    }
}

impl AddAssign for Fixable {
    fn add_assign(&mut self, other: Self) {
        self.safe += other.safe;
        self.needs_look += other.needs_look;
    }
}

impl AuditRun {
    /// Returns the summary for the reports.
    pub fn into_summary(self) -> AuditSummary {
        let mut summary = AuditSummary::default();
        summary.sentence = self.sentence();
        summary.counts = self.counts;
        summary.sites = self.sites;
        summary.hidden = self.left_out.hidden;
        summary.ignored = self.left_out.ignored;
        summary.web = self.web;
        summary.errors = self.errors;
        summary.elapsed = self.elapsed;
        summary
    }

    fn sentence(&self) -> String {
        let counts = &self.counts;
        let mut text = found(counts, self.different);
        match counts.documents {
            // In a CI job, standard input may be a pipe without a writer. So it is only mentioned
            // if nothing was found.
            0 if self.has_unread_stdin => text += "; `urigrep audit -` reads standard input",
            0 => {}
            _ => text += &self.sites(),
        }
        if let Some(web) = &self.web {
            text += &format!("; {}", web.sentence());
        }
        self.push_fixable(&mut text);
        let found = counts.severities.sum();
        if found > 0 && !counts.has_faults() && self.fail_on.is_none() {
            let (these, least) = match counts.severities.warning {
                0 => ("notes", Severity::Note),
                _ => ("warnings", Severity::Warning),
            };
            text += &format!("; these {these} fail the audit only with `--fail-on {least}`");
        }
        if counts.unchecked > 0 {
            text += &format!("; {} of {} judged", counts.judged(), counted(counts.links, "link"));
        }
        if counts.unrooted > 0 {
            text += &format!(
                "; {} starting with `/` not checked; use --root DIR or --site PROFILE",
                counted(counts.unrooted, "reference")
            );
        }
        self.push_suppressed(&mut text);
        self.push_skipped(&mut text);
        if counts.stale > 0 && self.since.is_none() {
            text += &format!(
                "; {} in the baseline fixed (`--write-baseline` updates it)",
                counted(counts.stale, "finding")
            );
        }
        if self.errors > 0 {
            text += &format!("; {}", counted(self.errors, "failure"));
        }
        text
    }

    fn push_fixable(&self, text: &mut String) {
        *text += &match (self.fixable.safe, self.fixable.needs_look) {
            (0, 0) => return,
            (0, unsafe_) => format!("; {unsafe_} fixable with --unsafe-fixes"),
            (safe, 0) => format!("; {safe} fixable with --fix"),
            (safe, unsafe_) => {
                format!("; {safe} fixable with --fix, {unsafe_} more with --unsafe-fixes")
            }
        };
    }

    /// Adds the findings that are not reported, and why.
    fn push_suppressed(&self, text: &mut String) {
        let counts = &self.counts;
        let suppressed = counts.suppressed;
        if suppressed.severity > 0 {
            let them = if suppressed.severity == 1 { "it" } else { "them" };
            let hidden = match self.least {
                Severity::Error => {
                    counted(suppressed.severity, "finding") + " less severe than an error"
                }
                _ => counted(suppressed.severity, "note"),
            };
            *text += &format!("; {hidden} hidden; `--severity note` shows {them}");
        }
        let known = match &self.since {
            Some(revision) => format!("already in `{revision}`"),
            None => "in the baseline".to_owned(),
        };
        let asides = [
            (counts.unlisted, "not listed"),
            (suppressed.excluded, "excluded"),
            (suppressed.off, "of checks that are off"),
            (counts.lowered, "with a lowered severity"),
            (suppressed.comment, "disabled by comments"),
            (suppressed.baseline, known.as_str()),
        ];
        for (count, why) in asides.into_iter().filter(|(count, _)| *count > 0) {
            *text += &format!("; {count} {why}");
        }
        // They may come from an untrusted tree.
        if let Some(file) = &self.filtering_file {
            let current = std::env::current_dir().ok();
            let below = current.as_ref().and_then(|current| file.strip_prefix(current).ok());
            *text += &format!("; filtered by {}", below.unwrap_or(file).display());
        }
    }

    /// Adds the files that were not audited, and why.
    fn push_skipped(&self, text: &mut String) {
        let counts = &self.counts;
        if counts.left_out > 0 {
            *text += &format!("; {} skipped", counted(counts.left_out, "other file"));
        }
        if counts.vendored > 0 {
            let names: Vec<String> = self.vendored.iter().map(|name| format!("{name}/")).collect();
            let files = counted(counts.vendored, "file");
            *text += &format!("; {files} in {} skipped without --vendored", names.join(", "));
        }
        let left_out = &self.left_out;
        if left_out.hidden > 0 {
            let documents = counted(left_out.hidden, "document");
            *text += &format!("; {documents} in {} skipped without --hidden", left_out.names());
        }
        if left_out.ignored > 0 {
            let documents = counted(left_out.ignored, "document");
            *text += &format!("; {documents} named in .ignore skipped without --no-ignore");
        }
    }

    /// `; links resolved as on GitHub`, `; links resolved as in mdbook (10), github (2)`.
    fn sites(&self) -> String {
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
        match sites.as_slice() {
            [] => String::new(),
            [(site, _)] => match **site {
                "github" => "; links resolved as on GitHub".to_owned(),
                "gitlab" => "; links resolved as on GitLab".to_owned(),
                "any" => "; no site generator recognized".to_owned(),
                site => format!("; links resolved as in {site}"),
            },
            sites => {
                let sites: Vec<_> = sites
                    .iter()
                    .map(|(site, count)| format!("{} ({count})", shown(site)))
                    .collect();
                format!("; links resolved as in {}", sites.join(", "))
            }
        }
    }
}
