//! What checks look for and what they find: [`Check`], [`Severity`], [`AuditFinding`].

use std::borrow::Cow;
use std::path::Path;

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
    /// Markdown in which it finds something.
    pub fails: &'static str,
    /// The same as it should be.
    pub passes: &'static str,
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

/// How much of a path a message shows. A `<base>` or a link may make it as long as a document, for every link again.
const MAX_SHOWN_PATH: usize = 240;

/// The path for a message. A long one has a mark in its middle: its start says where it is, and its end what it is.
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

/// True when `word` is one of these words, which white space separates.
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
