//! What checks look for and what they find: [`Check`], [`Severity`], [`AuditFinding`].

use std::borrow::Cow;

use crate::Span;
use crate::named::named_enum;
use crate::slice::SliceExt;

named_enum! {
    "urigrep::audit::Severity", "severities";
    /// How bad a finding is.
    #[derive(PartialOrd, Ord)]
    pub enum Severity {
        /// Worth knowing.
        Note = "note",
        /// Likely wrong.
        Warning = "warning",
        /// Wrong.
        Error = "error",
    }
}

/// What a check looks for.
#[derive(Debug, PartialEq, Eq)]
pub struct Check {
    /// The fixed, hyphenated word, as `check` in JSON.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it finds, in a clause.
    pub summary: &'static str,
    /// Why that is wrong, in a sentence or two, with the section of the standard behind it.
    pub rationale: &'static str,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFinding {
    /// The check.
    pub check: &'static Check,
    /// How bad it is: as bad as the check says, or milder here.
    pub severity: Severity,
    /// Where it is in the document, in 0-based bytes.
    pub span: Span,
    /// The URI or reference that it is about, if it is about one.
    pub uri: Option<String>,
    /// What is wrong, in a clause that names the thing.
    pub message: String,
    /// What to do, where that can be said.
    pub hint: Option<String>,
}

/// The start of a text. Many findings may quote the same text, and all messages of a document have to stay small.
pub(super) fn cut(text: &str) -> Cow<'_, str> {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.part(..at))),
        None => Cow::Borrowed(text),
    }
}

/// True when `word` is one of these words, which white space separates.
pub(super) fn is_among(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}
