//! The words that completions offer for values of flags.

use urigrep::Flag;
use urigrep::audit::{Profile, Severity, Slugs};
use urigrep::grammar::HostType;
use urigrep::registry;
use urigrep::search::{HitField, file_types};

use super::checks;
use crate::cli::complete::CompletionWord;
use crate::cli::limits;
use crate::cli::verbs;

pub fn schemes() -> Vec<CompletionWord> {
    let word = |info: &registry::SchemeInfo| (info.name.to_owned(), info.status.name().to_owned());
    registry::schemes().iter().map(word).collect()
}

pub fn namespaces() -> Vec<CompletionWord> {
    let word = |info: &registry::NamespaceInfo| (info.name.to_owned(), info.kind.name().to_owned());
    registry::namespaces().iter().map(word).collect()
}

pub fn types() -> Vec<CompletionWord> {
    let types = file_types(&[]).unwrap_or_default();
    types.into_iter().map(|(name, globs)| (name, globs.join(" "))).collect()
}

pub fn limits() -> Vec<CompletionWord> {
    limits::names().map(|name| (format!("{name}="), String::new())).collect()
}

pub fn checks() -> Vec<CompletionWord> {
    checks::all().map(|check| (check.id.to_owned(), check.summary.to_owned())).collect()
}

/// Rules, checks, and flags.
pub fn rules() -> Vec<CompletionWord> {
    let rules = verbs::rules().map(|(number, title)| (number.to_owned(), title.trim().to_owned()));
    let flags = verbs::flags().map(|(name, about)| (name.to_owned(), about));
    rules.chain(checks()).chain(flags).collect()
}

pub fn sites() -> Vec<CompletionWord> {
    Profile::ALL.iter().map(|site| (site.name().to_owned(), String::new())).collect()
}

pub fn slugs() -> Vec<CompletionWord> {
    Slugs::ALL.iter().map(|slugs| (slugs.name().to_owned(), String::new())).collect()
}

pub fn severities() -> Vec<CompletionWord> {
    Severity::ALL.iter().map(|severity| (severity.name().to_owned(), String::new())).collect()
}

pub fn kinds() -> Vec<CompletionWord> {
    let kinds = ["uri", "iri", "lax", "urn", "reference", "abbreviated", "email"];
    kinds.map(|kind| (kind.to_owned(), String::new())).to_vec()
}

pub fn encodings() -> Vec<CompletionWord> {
    let labels = [
        "auto",
        "none",
        "utf-8",
        "utf-16le",
        "utf-16be",
        "latin1",
        "windows-1251",
        "windows-1252",
        "shift_jis",
        "euc-jp",
        "gbk",
        "gb18030",
        "big5",
        "euc-kr",
        "koi8-r",
    ];
    labels.map(|label| (label.to_owned(), String::new())).to_vec()
}

pub fn flags() -> Vec<CompletionWord> {
    Flag::ALL.iter().map(|flag| (flag.name().to_owned(), String::new())).collect()
}

pub fn fields() -> Vec<CompletionWord> {
    HitField::ALL.iter().map(|field| (field.name().to_owned(), String::new())).collect()
}

pub fn host_types() -> Vec<CompletionWord> {
    HostType::ALL.iter().map(|host_type| (host_type.name().to_owned(), String::new())).collect()
}
