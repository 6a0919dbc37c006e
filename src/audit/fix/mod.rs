//! Fixes of findings: [`Fix`].
//!
//! A check offers a fix with its finding. A new target is offered only if the checks find nothing
//! wrong with it (`candidates.rs`), so that a fixed tree audits clean. The fix of a finding is its
//! new reference; [`change::apply`](crate::change::apply) writes it in the syntax of the document.

mod apply;
mod candidates;
mod menu;
mod target;

use crate::Span;
use crate::audit::AuditFinding;
use crate::audit::finding::cut;
use crate::change::Replacement;
use crate::named::named_enum;

pub(super) use target::{moved_file, moved_target, renamed_anchor};

named_enum! {
    "urigrep::audit::Safety", "degrees of safety";
    /// Tells whether a fix can be applied without review.
    pub enum Safety {
        /// The new reference certainly has the target that the author meant.
        Safe = "safe",
        /// It probably does: it is the most similar one.
        Unsafe = "unsafe",
    }
}

/// A change that removes the fault of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// Tells whether it needs review.
    pub safety: Safety,
    /// The spans to change in the document.
    pub edits: Vec<FixEdit>,
}

/// A span of a document and its new text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FixEdit {
    /// Its span in the document, in 0-based bytes.
    pub span: Span,
    /// The text that a reader of the document sees there, without escapes.
    pub from: String,
    /// The new text.
    pub to: Replacement,
}

impl Fix {
    /// Replaces a reference: `from` at `span` by `to`.
    ///
    /// ```
    /// use urigrep::Span;
    /// use urigrep::audit::{Fix, Safety};
    /// let fix = Fix::new(Safety::Safe, Span::new(4, 12), "http://a", "https://a");
    /// assert_eq!(fix.edits[0].to.text(), "https://a");
    /// ```
    pub fn new(safety: Safety, span: Span, from: impl Into<String>, to: impl Into<String>) -> Self {
        let to = Replacement::Uri(to.into());
        Self { safety, edits: vec![FixEdit { span, from: from.into(), to }] }
    }
}

impl AuditFinding {
    /// Sets the fix that replaces the reference of the finding.
    pub(super) fn fix(self, safety: Safety, to: impl Into<String>) -> Self {
        let from = self.uri.clone().unwrap_or_default();
        Self { fix: Some(Fix::new(safety, self.span, from, to)), ..self }
    }

    /// Sets the fix that replaces the destination of the finding.
    pub(super) fn fix_destination(self, safety: Safety, to: String) -> Self {
        let mut finding = self.fix(safety, "");
        let edits = finding.fix.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| edit.to = Replacement::Destination(to.clone()));
        finding
    }

    /// Sets the fix, if there is one, and the hint: a safe fix is stated, and all else is a
    /// question or comes from `hint`.
    pub(super) fn suggest(mut self, fix: Option<(Safety, String)>, hint: Option<String>) -> Self {
        let write = || fix.as_ref().map(|(_, to)| format!("write `{}`", cut(to)));
        self.hint = match &fix {
            Some((Safety::Safe, _)) => write(),
            _ => hint.or_else(write),
        };
        self.fix_if(fix)
    }

    /// Sets the fix, if there is one.
    pub(super) fn fix_if(self, fix: Option<(Safety, String)>) -> Self {
        match fix {
            Some((safety, to)) => self.fix(safety, to),
            None => self,
        }
    }
}
