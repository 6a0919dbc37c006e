//! The summary of an audit.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::time::Duration;

use serde::Serialize;
use urigrep::audit::{AuditCounts, AuditedDocument, Safety, SeverityCounts, SuppressedCounts};

#[derive(Clone, Debug)]
pub struct AuditSummary {
    pub counts: AuditCounts,
    /// The number of different faults, if equal ones are shown once.
    pub different: Option<u64>,
    /// The number of documents read as pages of each kind of site.
    pub sites: BTreeMap<&'static str, u64>,
    /// URLs by verdict, if the web was asked.
    pub web: Option<WebCounts>,
    /// The revision whose findings are left out.
    pub since: Option<String>,
    pub errors: u64,
    pub fixable: Fixable,
    pub elapsed: Duration,
}

/// Numbers of different URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WebCounts {
    pub alive: u64,
    pub dead: u64,
    /// By reason.
    pub unknown: BTreeMap<String, u64>,
}

impl WebCounts {
    /// `120 URLs alive, 2 dead, 5 not verified (403: 3, timeout: 2)`.
    fn sentence(&self) -> String {
        let mut text = format!("{} alive", counted(self.alive, "URL"));
        if self.dead > 0 {
            text += &format!(", {} dead", self.dead);
        }
        let mut reasons: Vec<_> = self.unknown.iter().collect();
        reasons.sort_by_key(|(word, count)| (std::cmp::Reverse(**count), word.as_str()));
        if !reasons.is_empty() {
            let sum: u64 = self.unknown.values().sum();
            let reasons: Vec<_> =
                reasons.iter().map(|(word, count)| format!("{word}: {count}")).collect();
            text += &format!(", {sum} not verified ({})", reasons.join(", "));
        }
        text
    }
}

/// Findings with fixes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixable {
    safe: u64,
    needs_look: u64,
}

impl Fixable {
    pub fn of(document: &AuditedDocument) -> Self {
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

impl AuditSummary {
    pub fn sentence(&self) -> String {
        let counts = &self.counts;
        let severities = counts.severities;
        let found = [
            (severities.error, "error"),
            (severities.warning, "warning"),
            (severities.note, "note"),
        ];
        let found: Vec<_> = found
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| counted(count, noun))
            .collect();
        let documents = counted(counts.documents, "document");
        let mut text = match found.as_slice() {
            [] if counts.links == 0 => format!("0 links in {documents}"),
            [] => format!("nothing found in {documents}"),
            found => {
                let different = match self.different {
                    Some(different) if different < severities.sum() => {
                        format!(" ({different} different)")
                    }
                    _ => String::new(),
                };
                format!("{}{different} in {} of {documents}", found.join(", "), counts.faulty)
            }
        };
        if counts.documents > 0 {
            text += &self.sites();
        }
        if let Some(web) = &self.web {
            text += &format!("; {}", web.sentence());
        }
        match (self.fixable.safe, self.fixable.needs_look) {
            (0, 0) => {}
            (0, unsafe_) => text += &format!("; {unsafe_} fixable with --unsafe-fixes"),
            (safe, 0) => text += &format!("; {safe} fixable with --fix"),
            (safe, unsafe_) => {
                text += &format!("; {safe} fixable with --fix, {unsafe_} more with --unsafe-fixes");
            }
        }
        if counts.unchecked > 0 {
            text += &format!("; {} of {} links judged", counts.judged(), counts.links);
        }
        if counts.unrooted > 0 {
            text += &format!(
                "; {} starting with `/` not checked; use --root DIR or --site PROFILE",
                counted(counts.unrooted, "reference")
            );
        }
        let suppressed = counts.suppressed;
        if suppressed.severity > 0 {
            let hidden = counted(suppressed.severity, "less severe finding");
            text += &format!("; {hidden} hidden, show with `--severity note`");
        }
        let known = match &self.since {
            Some(revision) => format!("already in `{revision}`"),
            None => "in the baseline".to_owned(),
        };
        let asides = [
            (counts.unlisted, "not listed"),
            (suppressed.excluded, "excluded"),
            (suppressed.comment, "disabled by comments"),
            (suppressed.baseline, known.as_str()),
        ];
        for (count, why) in asides.into_iter().filter(|(count, _)| *count > 0) {
            text += &format!("; {count} {why}");
        }
        if counts.left_out > 0 {
            text += &format!("; {} skipped", counted(counts.left_out, "other file"));
        }
        if counts.stale > 0 && self.since.is_none() {
            text += &format!(
                "; {} in the baseline fixed, update it with `--write-baseline`",
                counted(counts.stale, "finding")
            );
        }
        if self.errors > 0 {
            text += &format!("; {}", counted(self.errors, "failure"));
        }
        text
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
                let sites: Vec<_> =
                    sites.iter().map(|(site, count)| format!("{site} ({count})")).collect();
                format!("; links resolved as in {}", sites.join(", "))
            }
        }
    }
}

/// The counts in JSON and SARIF. The order of the fields is that of the formats.
#[derive(Serialize)]
pub struct AuditCountsRecord {
    files: u64,
    skipped: u64,
    bytes: u64,
    links: u64,
    judged: u64,
    unrooted: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sites: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    web: Option<WebCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<u64>,
    severities: SeverityCounts,
    suppressed: SuppressedCounts,
    unlisted: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<u64>,
    errors: u64,
}

impl AuditCountsRecord {
    pub fn complete(summary: &AuditSummary) -> Self {
        Self {
            findings: Some(summary.counts.severities.sum()),
            stale: Some(summary.counts.stale),
            ..Self::new(summary)
        }
    }

    /// The counts that all formats have.
    pub fn new(summary: &AuditSummary) -> Self {
        let counts = &summary.counts;
        Self {
            files: counts.documents,
            skipped: counts.left_out,
            bytes: counts.bytes,
            links: counts.links,
            judged: counts.judged(),
            unrooted: counts.unrooted,
            sites: summary.sites.clone(),
            web: summary.web.clone(),
            findings: None,
            severities: counts.severities,
            suppressed: counts.suppressed,
            unlisted: counts.unlisted,
            stale: None,
            errors: summary.errors,
        }
    }
}

pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
