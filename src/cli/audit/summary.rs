//! The summary of an audit.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use std::path::PathBuf;
use std::time::Duration;

use urigrep::audit::report::{AuditSummary, WebCounts};
use urigrep::audit::{AuditCounts, AuditedDocument, Safety, Severity};
use urigrep::internal::{counted, found, stdin_has_text};
use urigrep::search::stdin_is_readable;

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
    pub unread_stdin: UnreadStdin,
    pub fixable: Fixable,
    /// True if a flag or the settings name the generator of the site.
    pub is_site_chosen: bool,
    /// The lowest severity that is reported.
    pub least: Severity,
    /// The severity from which the audit fails, if a flag sets it.
    pub fail_on: Option<Severity>,
    pub elapsed: Duration,
}

/// Standard input of an audit that does not read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadStdin {
    /// A path was named, or it is a terminal.
    NotMeant,
    /// A file, a pipe, or a socket without text, as in many CI jobs.
    Open,
    /// Text waits in it, so it was probably meant.
    HasText,
}

impl UnreadStdin {
    /// Looks at standard input, if no path was named.
    pub fn look(no_paths: bool) -> Self {
        match no_paths && stdin_is_readable() {
            false => Self::NotMeant,
            true if stdin_has_text() => Self::HasText,
            true => Self::Open,
        }
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
            0 => {}
            _ => text += &self.sites(),
        }
        text += match self.unread_stdin {
            // In a CI job, standard input may be a pipe without a writer. So without text in it, it
            // is only mentioned if nothing was found.
            UnreadStdin::HasText => "; standard input was not read: `urigrep audit -` reads it",
            UnreadStdin::Open if counts.documents == 0 => {
                "; `urigrep audit -` reads standard input"
            }
            UnreadStdin::Open | UnreadStdin::NotMeant => "",
        };
        if let Some(web) = &self.web {
            text += &format!("; {}", web.sentence());
            if web.unknown.contains_key("private") {
                text += "; --allow-private requests private hosts";
            }
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
            let site = if self.is_site_chosen { "" } else { " or --site PROFILE" };
            text += &format!(
                "; {} starting with `/` not checked; use --root DIR{site}",
                counted(counts.unrooted, "reference")
            );
        }
        if counts.enclosed > 0 {
            text += &format!(
                "; {} in archives or attachments not checked; unpack them, and audit the directory",
                counted(counts.enclosed, "reference")
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
            let fixable = match counts.unreported_fixes {
                0 => String::new(),
                count => format!(", {count} with a fix"),
            };
            *text += &format!("; {hidden} hidden{fixable}; `--severity note` shows {them}");
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

    /// `; links resolved as on GitHub`, `; links resolved as in mdbook (10), on GitHub (2)`.
    fn sites(&self) -> String {
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
        let is_only = sites.len() == 1;
        let mut parts = Vec::new();
        for (site, count) in sites {
            let named = match *site {
                "any" => "without a known site generator".to_owned(),
                "github" => "as on GitHub".to_owned(),
                "wiki" => "as in a wiki".to_owned(),
                "gitlab" => "as on GitLab".to_owned(),
                site => format!("as in {site}"),
            };
            parts.push(if is_only { named } else { format!("{named} ({count})") });
        }
        if parts.is_empty() {
            return String::new();
        }
        format!("; links resolved {}", parts.join(", "))
    }
}
