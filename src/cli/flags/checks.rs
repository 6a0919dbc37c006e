//! Names of checks, and other values that flags and `urigrep.toml` share.

use serde::Serialize;
use urigrep::audit::{CHECKS, Check, ORPHAN, Spellings, UNKNOWN_DIRECTIVE, WEB_CHECKS};
use urigrep::internal::output::json::push;

use super::audit::ReportFormatFlag;

/// Returns every check.
pub fn all() -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().copied().chain([&UNKNOWN_DIRECTIVE, &ORPHAN]).chain(WEB_CHECKS.iter().copied())
}

/// Returns the check of this name, or a message that suggests a similar one.
pub fn required(id: &str) -> Result<&'static Check, String> {
    all().find(|check| check.id == id).ok_or_else(|| {
        let names = Spellings::new(all().map(|check| check.id));
        let hint = match names.nearest(id) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "--list-checks prints all".to_owned(),
        };
        format!("no such check: `{id}`; {hint}")
    })
}

/// A check, as JSON.
#[derive(Serialize)]
struct CheckRecord {
    r#type: &'static str,
    check: &'static str,
    severity: &'static str,
    summary: &'static str,
    rationale: &'static str,
}

/// Returns the output of `--list-checks`.
pub fn list(format: ReportFormatFlag) -> Vec<u8> {
    let mut text = String::new();
    let mut records = Vec::new();
    for check in all() {
        if format == ReportFormatFlag::Json {
            let Check { id, severity, summary, rationale, .. } = check;
            let (check, severity) = (*id, severity.name());
            push(
                &CheckRecord { r#type: "check", check, severity, summary, rationale },
                &mut records,
            );
            continue;
        }
        text += &format!("{} ({}): {}\n", check.id, check.severity, check.summary);
        for line in wrapped(check.rationale) {
            text += &format!("    {line}\n");
        }
    }
    if format == ReportFormatFlag::Json { records } else { text.into_bytes() }
}

/// Wraps a text at 96 columns.
pub fn wrapped(text: &str) -> Vec<String> {
    const WIDTH: usize = 96;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A check to report, or one to leave out.
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
        Some(id) => required(id).map(CheckWord::Not),
        None => required(text).map(CheckWord::Only),
    }
}

/// An `--exclude`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names() {
        let error = required("unknown-directiv").unwrap_err();
        assert!(error.contains("`unknown-directive`?"));
        assert!(required("x").unwrap_err().contains("--list-checks"));
    }
}
