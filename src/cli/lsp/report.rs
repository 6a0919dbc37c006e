//! The findings of one document, as diagnostics: [`DocumentReport`].

use std::path::PathBuf;

use urigrep::audit::{AuditOutcome, AuditedDocument, LocatedFinding, Severity};

use super::position::{DocumentLines, PositionEncoding};
use super::types::{Diagnostic, Range};

/// Name of the server in diagnostics.
pub const SOURCE: &str = "urigrep";

/// The audit of one document.
#[derive(Clone, Debug, Default)]
pub struct DocumentReport {
    pub diagnostics: Vec<Diagnostic>,
    /// The documents whose text the findings depend on, as the audit names them.
    pub depends_on: Vec<PathBuf>,
    /// Changes with the anchors of the document.
    pub anchors: Option<u64>,
    /// Changes with the names in an open document that the whole site knows.
    pub site_names: Option<u64>,
}

impl DocumentReport {
    /// Returns the report of an audited document; `None` for inputs that are not documents.
    pub fn new(outcome: &AuditOutcome, encoding: PositionEncoding) -> Option<Self> {
        match outcome {
            AuditOutcome::Audited(document) => Some(Self {
                diagnostics: diagnostics(document, encoding),
                depends_on: document.depends_on().to_vec(),
                anchors: document.anchors_fingerprint(),
                site_names: document.site_names_fingerprint(),
            }),
            AuditOutcome::LeftOut | AuditOutcome::Vendored(_) => None,
            // It is part of the tree, but nothing is known about it.
            AuditOutcome::Failed(_) => Some(Self::default()),
        }
    }
}

fn diagnostics(document: &AuditedDocument, encoding: PositionEncoding) -> Vec<Diagnostic> {
    if document.findings().is_empty() {
        return Vec::new();
    }
    let lines = DocumentLines::of_file(document.text(), encoding);
    let diagnostic = |located| diagnostic(located, document.text(), &lines);
    document.findings().iter().map(diagnostic).collect()
}

/// Returns a finding in the text that it is about.
pub fn diagnostic(located: &LocatedFinding, text: &[u8], lines: &DocumentLines) -> Diagnostic {
    let finding = &located.finding;
    let hint = finding.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    let place = located.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    Diagnostic {
        range: match located.bytes {
            // The text was extracted from a PDF or an Office document, which has no lines.
            [0, 0] => Range::default(),
            _ => lines.range(text, finding.span.range()),
        },
        severity: match located.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            _ => 3,
        },
        code: finding.check.id,
        source: SOURCE,
        message: format!("{place}{}{hint}", finding.message),
    }
}
