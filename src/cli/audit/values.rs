//! Words that flags and `urigrep.toml` have in common: each parser says what would have been valid.

use urigrep::audit::{Check, Severity, Slugs};

use super::checks;

/// The word for a severity.
pub fn severity(text: &str) -> Result<Severity, String> {
    let found = Severity::ALL
        .into_iter()
        .find(|severity| severity.name() == text);
    found.ok_or_else(|| {
        let names = Severity::ALL.map(Severity::name).join(", ");
        format!("the severities are {names}")
    })
}

/// The word for whose rules make anchors of headings.
pub fn slugs(text: &str) -> Result<Slugs, String> {
    let found = Slugs::ALL.into_iter().find(|slugs| slugs.name() == text);
    found.ok_or_else(|| {
        let names = Slugs::ALL.map(Slugs::name).join(", ");
        format!("the rules for anchors are {names}")
    })
}

/// A check that is wanted, or one that is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckWord {
    /// `ID`.
    Only(&'static Check),
    /// `-ID`.
    Not(&'static Check),
}

/// The name of a check, after `-` to leave it out.
pub fn check(text: &str) -> Result<CheckWord, String> {
    match text.strip_prefix('-') {
        Some(id) => checks::required(id).map(CheckWord::Not),
        None => checks::required(text).map(CheckWord::Only),
    }
}

/// What findings are excluded by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// A glob of paths.
    Path(String),
    /// A glob of hosts.
    Host(String),
    /// A regular expression of URIs.
    Uri(String),
}

/// `GLOB`, `host:GLOB` or `uri:RE`.
pub fn exclusion(text: &str) -> Result<Exclusion, String> {
    Ok(match text.split_once(':') {
        Some(("host", glob)) => Exclusion::Host(glob.to_owned()),
        Some(("uri", expression)) => Exclusion::Uri(expression.to_owned()),
        Some(("path", glob)) => Exclusion::Path(glob.to_owned()),
        _ => Exclusion::Path(text.to_owned()),
    })
}
