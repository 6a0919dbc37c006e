//! Checks and their findings: [`Check`], [`Severity`], [`AuditFinding`].

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::fix::Fix;
use crate::Span;
use crate::audit::Evidence;
use crate::named::named_enum;
use crate::slice::SliceExt;

named_enum! {
    "urigrep::audit::Severity", "severities";
    /// Severity of a finding.
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

/// Description of a check.
#[derive(Debug, PartialEq, Eq)]
pub struct Check {
    /// A fixed, hyphenated word; `check` in JSON.
    pub id: &'static str,
    /// Default severity.
    pub severity: Severity,
    /// The fault that it reports, in a clause.
    pub summary: &'static str,
    /// The reason why that is a fault, in a sentence or two, with the section of the standard.
    pub rationale: &'static str,
    /// Markdown with such a fault.
    pub fails: &'static str,
    /// The corrected Markdown.
    pub passes: &'static str,
}

/// A fault that a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFinding {
    /// The check.
    pub check: &'static Check,
    /// Severity: that of the check, or a milder one.
    pub severity: Severity,
    /// Its span in the document, in 0-based bytes.
    pub span: Span,
    /// The URI or reference with the fault, if the fault concerns one.
    pub uri: Option<String>,
    /// Description of the fault, in a clause that names the thing.
    pub message: String,
    /// Suggestion for people, if there is one.
    pub hint: Option<String>,
    /// The record of the lookup, if a server was asked.
    pub evidence: Option<Arc<Evidence>>,
    /// The change that removes the fault, if one is known.
    pub fix: Option<Fix>,
}

/// Returns the start of a text for a message. Many findings may quote the same text, and the
/// messages of a document must stay small.
pub(super) fn cut(text: &str) -> Cow<'_, str> {
    const MAX_CHARS: usize = 120;
    match text.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.part(..at))),
        None => Cow::Borrowed(text),
    }
}

/// Longest path in a message. A `<base>` or a link may make a path as long as the document,
/// repeated for every link.
const MAX_SHOWN_PATH: usize = 240;

/// Returns a path for a message. The middle of a long path is left out: its start says where the
/// file is, its end names it.
pub(super) fn shown_path(path: &Path) -> String {
    let text = path.display().to_string();
    let count = text.chars().count();
    if count <= MAX_SHOWN_PATH {
        return text;
    }
    let part = (MAX_SHOWN_PATH - 1) / 2;
    let start: String = text.chars().take(part).collect();
    let end: String = text.chars().skip(count - part).collect();
    format!("{start}…{end}")
}

/// True if `word` is in a list of words separated by white space.
pub(super) fn is_among(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_cut_in_the_middle() {
        let long = format!("start/{}/end.md", "é".repeat(1000));
        let shown = shown_path(Path::new(&long));
        assert!(shown.starts_with("start/é") && shown.ends_with("é/end.md") && shown.contains('…'));
        assert!(shown.chars().count() <= MAX_SHOWN_PATH);
        assert_eq!(shown_path(Path::new("a/b.md")), "a/b.md");
    }
}
