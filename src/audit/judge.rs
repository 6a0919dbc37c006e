//! Step 3 of an audit: selects the reported findings and locates them. [`judge`].

use std::io;
use std::path::PathBuf;

use super::auditor::{Auditor, Secrets};
use super::collect::Collected;
use super::directives::Directives;
use super::redacting;
use super::target::{unchecked, web};
use crate::Span;
use crate::audit::{
    Answer, AuditCounts, AuditFinding, AuditedDocument, Check, Filter, FilterVerdict, FixEdit,
    KnownFindings, LocatedFinding, Severity, UrlLink, Verdict, Why,
};
use crate::change::Edit;
use crate::search::{InputText, LineCounter, RedactedNames};

/// Number of findings listed per document; further ones are only counted.
const MAX_LISTED_FINDINGS: usize = 10_000;

/// Filters the findings of one document as they arrive, so that only reported ones are kept.
pub(super) struct FindingJudge<'a> {
    filter: &'a Filter,
    path: PathBuf,
    directives: Directives,
    known: KnownFindings,
    counts: AuditCounts,
    reported: Vec<(AuditFinding, Severity)>,
}

impl<'a> FindingJudge<'a> {
    pub fn new(
        filter: &'a Filter,
        path: PathBuf,
        directives: Directives,
        known: KnownFindings,
        counts: AuditCounts,
    ) -> Self {
        Self { filter, path, directives, known, counts, reported: Vec::new() }
    }

    /// True if no finding is reported so far.
    pub fn is_empty(&self) -> bool {
        self.reported.is_empty()
    }

    pub fn take(&mut self, finding: AuditFinding) {
        let Self { directives, known, counts, reported, .. } = self;
        counts.unchecked += u64::from(unchecked::is_unchecked(&finding));
        counts.unrooted += u64::from(unchecked::is_of_root(&finding));
        counts.enclosed += u64::from(unchecked::is_of_enclosed(&finding));
        let verdict = self.filter.verdict(&finding, &self.path);
        // A known finding counts as used even if a filter suppresses it below. Otherwise it would
        // be reported as stale.
        if verdict != FilterVerdict::Off && known.take(&finding) {
            counts.suppressed.baseline += 1;
            return;
        }
        let is_seen = matches!(verdict, FilterVerdict::Mild | FilterVerdict::Reported(_));
        counts.lowered += u64::from(is_seen && self.filter.lowers(&finding, &self.path));
        match verdict {
            // Users who choose checks on the command line know that the others are off. Settings
            // may come from a stranger, so the findings that they hide are counted.
            FilterVerdict::Off => {
                let chosen = &self.filter.include.checks;
                let is_chosen = chosen.is_empty() || chosen.contains(&finding.check.id);
                counts.suppressed.off += u64::from(is_chosen);
            }
            FilterVerdict::Excluded => counts.suppressed.excluded += 1,
            FilterVerdict::Mild => {
                counts.suppressed.severity += 1;
                counts.unreported_fixes += u64::from(finding.fix.is_some());
            }
            FilterVerdict::Reported(_) if directives.disable(&finding) => {
                counts.suppressed.comment += 1;
            }
            FilterVerdict::Reported(_) if reported.len() >= MAX_LISTED_FINDINGS => {
                counts.unlisted += 1;
            }
            FilterVerdict::Reported(severity) => reported.push((finding, severity)),
        }
    }

    /// Returns the reported findings by offset, and the counts of all.
    fn finish(mut self, checks: &[&Check]) -> (Vec<(AuditFinding, Severity)>, AuditCounts) {
        let mistakes: Vec<AuditFinding> = self.directives.mistakes().cloned().collect();
        mistakes.into_iter().for_each(|mistake| self.take(mistake));
        // Entries that no finding has used are stale, unless their check did not run.
        for (key, count) in self.known.iter() {
            let check = checks.iter().find(|check| check.id == key.check());
            if check.is_some_and(|check| self.filter.takes_check(check)) {
                self.counts.stale += count;
            }
        }
        self.reported.sort_by_key(|(finding, _)| (finding.span.start(), finding.span.end()));
        (self.reported, self.counts)
    }
}

/// Judges a document. Waits for the answers about its URLs, if there are any.
pub(super) fn judge(auditor: &Auditor, collected: Collected<'_>) -> io::Result<AuditedDocument> {
    let Collected { input, text, mut findings, links, secrets, profile, live, .. } = collected;
    if let Some(answers) = auditor.settings.answers.as_deref().filter(|_| !links.is_empty()) {
        let urls: Vec<UrlLink> = links.iter().map(|link| link.url.clone()).collect();
        // A caller's implementation may return too few answers.
        let missing = std::iter::repeat(Answer::from(Verdict::Unknown(Why::Offline)));
        let answers = answers.urls(&urls).into_iter().chain(missing);
        let judged = links.into_iter().zip(answers);
        judged
            .filter_map(|(link, answer)| web::judge(link, answer))
            .for_each(|finding| findings.take(finding));
    }
    let checks: Vec<&Check> = auditor.checks().collect();
    let (reported, mut counts) = findings.finish(&checks);
    let (findings, text) = if reported.is_empty() {
        Default::default()
    } else {
        // Locate in the original text. Redaction masks bytes in place and keeps line breaks, so the
        // positions stay valid.
        let text = auditor.text(&input, text)?;
        let mut located = located(reported, &text);
        if let (Some(takes), Some(path)) = (&auditor.settings.lines, input.path()) {
            located.retain(|it| takes(path, it.start.line, it.end.line));
        }
        redacted(auditor, located, text, &secrets)
    };
    counts.faulty = u64::from(!findings.is_empty());
    for finding in &findings {
        counts.severities.add(finding.severity);
        if web::is_advisory(finding.finding.check, finding.severity) {
            counts.advisory.add(finding.severity);
        }
    }
    let shown = match auditor.settings.secrets {
        Secrets::RedactedInNames => input.redacted(RedactedNames::All),
        Secrets::Shown | Secrets::Redacted => None,
    };
    let input = shown.unwrap_or(input);
    Ok(AuditedDocument::new(input, text, findings, counts).with_profile(profile).with_live(live))
}

/// Returns findings and their text, with secrets redacted if requested.
fn redacted(
    auditor: &Auditor,
    mut findings: Vec<LocatedFinding>,
    text: InputText,
    secrets: &[Span],
) -> (Vec<LocatedFinding>, Vec<u8>) {
    if auditor.settings.secrets == Secrets::Shown {
        return (findings, text.into_bytes());
    }
    for finding in &mut findings {
        let written = text.bytes().get(finding.finding.span.range());
        redacting::finding(written.unwrap_or_default(), &mut finding.finding);
    }
    let finder = auditor.settings.search.finder();
    let masked = redacting::text(text.bytes(), secrets, finder);
    (findings, masked)
}

/// Adds lines and columns to findings. They are sorted by offset, so that each line is counted
/// once.
fn located(findings: Vec<(AuditFinding, Severity)>, text: &InputText) -> Vec<LocatedFinding> {
    let mut counter = LineCounter::with_characters();
    let locate = |(mut finding, severity): (AuditFinding, Severity)| {
        if text.is_extracted() {
            // The text is not that of the file, so nothing in it can be replaced.
            finding.fix = None;
            let place = text.place(finding.span.start()).cloned();
            return LocatedFinding::at_place(finding, severity, place);
        }
        let (start, end) = (finding.span.start(), finding.span.end());
        LocatedFinding {
            severity,
            start: counter.position(text.bytes(), 0, start, text),
            // Clone the counter: the next finding may start before the end of this one.
            end: counter.clone().position(text.bytes(), 0, end, text),
            bytes: [text.source(start), text.source(end)],
            edits: edits(&finding, text),
            place: None,
            finding,
        }
    };
    findings.into_iter().map(locate).collect()
}

/// Returns the edits of the fix, at their places in the input.
fn edits(finding: &AuditFinding, text: &InputText) -> Vec<Edit> {
    let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
    let edit = |edit: &FixEdit| {
        let bytes = [text.source(edit.span.start()), text.source(edit.span.end())];
        Edit::new(bytes, edit.from.as_str(), edit.to.clone())
    };
    edits.map(edit).collect()
}
