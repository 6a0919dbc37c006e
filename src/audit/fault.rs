//! What an audit looks for and what it finds: [`Check`], [`Severity`], [`Fault`].

use std::borrow::Cow;
use std::fmt;

use crate::span::Span;

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Likely wrong.
    Warning,
    /// Wrong.
    Error,
}

impl Severity {
    /// Every severity, from the least.
    pub const ALL: [Self; 3] = [Self::Note, Self::Warning, Self::Error];

    /// The fixed word, as `severity` in JSON.
    ///
    /// ```
    /// assert_eq!(urigrep::audit::Severity::Note.name(), "note");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of fault that is looked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Check {
    /// The fixed, hyphenated word, as `check` in JSON.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it finds, in a clause.
    pub summary: &'static str,
    /// Why it is a fault, in a sentence or two, with the section of the standard behind it.
    pub rationale: &'static str,
}

/// Something that a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The check.
    pub check: &'static Check,
    /// Where it stands in the document, in 0-based bytes.
    pub span: Span,
    /// The URI or reference that it is about, if it is about one.
    pub uri: Option<String>,
    /// What is wrong, in a clause that names the thing.
    pub message: String,
    /// What to do, where that can be said.
    pub hint: Option<String>,
}

/// The start of a text that another fault may name again, so that all messages of a document stay
/// small.
pub(super) fn cut(text: &str) -> Cow<'_, str> {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}
