//! Checks that a program adds to an audit: [`OwnChecks`].

use std::fmt;
use std::path::Path;
use std::sync::Mutex;

use super::link_context::AuditedPage;
use crate::Span;
use crate::audit::{AuditFinding, Check, Facts, LinkContext, Severity};
use crate::threads::lock;

type LinkProbe = dyn Fn(&LinkContext<'_>) -> Vec<OwnFinding> + Send + Sync;
type DocumentProbe = dyn Fn(&DocumentContext<'_>) -> Vec<OwnFinding> + Send + Sync;

/// A fault found by a check that a program added.
///
/// A string is a finding with that message.
///
/// ```
/// use urigrep::audit::OwnFinding;
/// let finding = OwnFinding::new("it is not encrypted").hint("write `https`");
/// assert_eq!(OwnFinding::from("it is not encrypted").hint("write `https`"), finding);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFinding {
    message: String,
    hint: Option<String>,
    severity: Option<Severity>,
    span: Option<Span>,
}

impl OwnFinding {
    /// Creates a finding with this message, a clause that names the problem.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, severity: None, span: None }
    }

    /// Adds a suggestion for people.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Sets a milder severity than that of the check; a higher one has no effect.
    #[must_use]
    pub fn severity(self, severity: Severity) -> Self {
        Self { severity: Some(severity), ..self }
    }

    /// Sets its place in the document, in 0-based bytes. The default is the link, or the start of
    /// the document.
    #[must_use]
    pub fn at(self, span: Span) -> Self {
        Self { span: Some(span), ..self }
    }

    /// Returns the finding for the report. `finding` makes that of the same place without a hint.
    fn finish(self, finding: impl FnOnce(String) -> AuditFinding) -> AuditFinding {
        let finding = finding(self.message);
        // The severity of a check is what users set and filter by, so its findings must not exceed
        // it.
        let severity = self.severity.unwrap_or(finding.severity).min(finding.severity);
        let span = self.span.unwrap_or(finding.span);
        AuditFinding { hint: self.hint, severity, span, ..finding }
    }
}

impl From<String> for OwnFinding {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<&str> for OwnFinding {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

/// A document under audit, as passed to a check that a program added.
pub struct DocumentContext<'s> {
    page: &'s AuditedPage<'s>,
    text: &'s [u8],
}

impl fmt::Debug for DocumentContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DocumentContext").field("path", &self.page.path).finish_non_exhaustive()
    }
}

impl<'s> DocumentContext<'s> {
    /// Returns the path of the document.
    pub fn path(&self) -> &'s Path {
        self.page.path
    }

    /// Returns the text that the spans of its facts refer to.
    pub fn text(&self) -> &'s [u8] {
        self.text
    }

    /// Returns its headings, labels, anchors, and format.
    pub fn facts(&self) -> &'s Facts {
        self.page.facts
    }

    /// Returns its links, in document order.
    pub fn links(&self) -> impl Iterator<Item = LinkContext<'s>> {
        self.page.facts.links().map(|link| LinkContext::new(link, self.page))
    }
}

struct OwnCheck {
    check: &'static Check,
    probe: OwnProbe,
}

enum OwnProbe {
    Link(Box<LinkProbe>),
    Document(Box<DocumentProbe>),
}

/// The checks that a program added.
#[derive(Default)]
pub(super) struct OwnChecks(Vec<OwnCheck>);

impl OwnChecks {
    pub fn add_link<I: IntoIterator<Item: Into<OwnFinding>>>(
        &mut self,
        check: &'static Check,
        probe: impl Fn(&LinkContext<'_>) -> I + Send + Sync + 'static,
    ) {
        let probe = move |link: &LinkContext<'_>| findings(probe(link));
        self.0.push(OwnCheck { check, probe: OwnProbe::Link(Box::new(probe)) });
    }

    pub fn add_document<I: IntoIterator<Item: Into<OwnFinding>>>(
        &mut self,
        check: &'static Check,
        probe: impl Fn(&DocumentContext<'_>) -> I + Send + Sync + 'static,
    ) {
        let probe = move |document: &DocumentContext<'_>| findings(probe(document));
        self.0.push(OwnCheck { check, probe: OwnProbe::Document(Box::new(probe)) });
    }

    pub fn checks(&self) -> impl Iterator<Item = &'static Check> {
        self.0.iter().map(|own| own.check)
    }

    /// True if a check needs the text of the document.
    pub fn need_text(&self) -> bool {
        self.0.iter().any(|own| matches!(own.probe, OwnProbe::Document(_)))
    }

    /// Runs the checks in the order in which they were added. `text` may be empty unless a check
    /// [needs](Self::need_text) it.
    pub fn run(&self, page: &AuditedPage<'_>, text: &[u8], sink: &mut dyn FnMut(AuditFinding)) {
        for OwnCheck { check, probe } in &self.0 {
            match probe {
                OwnProbe::Link(probe) => {
                    let links = page.facts.links().map(|link| LinkContext::new(link, page));
                    // rustdoc resolves `[x](crate::a)` to an item of code, not to a file or page.
                    for link in links.filter(|link| !link.is_code_path()) {
                        let findings = probe(&link).into_iter();
                        findings
                            .map(|found| found.finish(|message| link.finding(check, message)))
                            .for_each(&mut *sink);
                    }
                }
                OwnProbe::Document(probe) => {
                    let start = Span::new(0, 0);
                    let findings = probe(&DocumentContext { page, text }).into_iter();
                    findings
                        .map(|found| found.finish(|it| AuditFinding::new(check, start, it)))
                        .for_each(&mut *sink);
                }
            }
        }
    }
}

fn findings(found: impl IntoIterator<Item: Into<OwnFinding>>) -> Vec<OwnFinding> {
    found.into_iter().map(Into::into).collect()
}

/// Builder of a check that is defined at run time; see [`Check::named`].
#[derive(Clone, Debug)]
pub struct CheckBuilder {
    id: String,
    severity: Severity,
    summary: String,
    rationale: String,
    fails: String,
    passes: String,
}

impl Check {
    /// Describes a check that is defined at run time, for example from a configuration. `id` is a
    /// word with hyphens, such as `plain-http`. It is a warning unless its severity is set.
    ///
    /// ```
    /// use urigrep::audit::{Check, Severity};
    /// let check = Check::named("plain-http").severity(Severity::Error).build();
    /// assert_eq!((check.id, check.severity), ("plain-http", Severity::Error));
    /// ```
    pub fn named(id: impl Into<String>) -> CheckBuilder {
        CheckBuilder {
            id: id.into(),
            severity: Severity::Warning,
            summary: String::new(),
            rationale: String::new(),
            fails: String::new(),
            passes: String::new(),
        }
    }
}

impl CheckBuilder {
    /// Sets the severity.
    #[must_use]
    pub fn severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// Sets the fault that it reports, in a clause; the id by default.
    #[must_use]
    pub fn summary(self, summary: impl Into<String>) -> Self {
        Self { summary: summary.into(), ..self }
    }

    /// Sets the reason why that is a fault.
    #[must_use]
    pub fn rationale(self, rationale: impl Into<String>) -> Self {
        Self { rationale: rationale.into(), ..self }
    }

    /// Sets Markdown with such a fault, and the corrected Markdown.
    #[must_use]
    pub fn example(self, fails: impl Into<String>, passes: impl Into<String>) -> Self {
        Self { fails: fails.into(), passes: passes.into(), ..self }
    }

    /// Returns the check. It is kept until the program ends, because findings may outlive the
    /// auditor. Equal checks are kept once.
    pub fn build(self) -> &'static Check {
        static KEPT: Mutex<Vec<&'static Check>> = Mutex::new(Vec::new());
        let summary = if self.summary.is_empty() { &self.id } else { &self.summary };
        let is_same = |check: &&&'static Check| {
            check.id == self.id
                && check.severity == self.severity
                && check.summary == summary
                && check.rationale == self.rationale
                && check.fails == self.fails
                && check.passes == self.passes
        };
        let mut kept = lock(&KEPT);
        if let Some(check) = kept.iter().find(is_same) {
            return check;
        }
        let leak = |text: &str| -> &'static str { String::leak(text.to_owned()) };
        let check: &'static Check = Box::leak(Box::new(Check {
            id: leak(&self.id),
            severity: self.severity,
            summary: leak(summary),
            rationale: leak(&self.rationale),
            fails: leak(&self.fails),
            passes: leak(&self.passes),
        }));
        kept.push(check);
        check
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_checks_are_kept_once() {
        let check = || Check::named(String::from("kept-once")).summary("a test");
        assert!(std::ptr::eq(check().build(), check().build()));
        assert!(!std::ptr::eq(check().build(), check().rationale("it differs").build()));
        assert_eq!(Check::named("kept-once").build().summary, "kept-once");
    }
}
