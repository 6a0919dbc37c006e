//! A case of a suite, and whether urigrep agrees with it.

use std::fmt;

use urigrep::options::{Abbreviated, AssumedScheme, Email, HostMapping};
use urigrep::search::Search;
use urigrep::{Finder, Grammar};

use crate::checksum::checksum;
use crate::readings::{self, Found};

/// What is looked for, and how the text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// URIs with their scheme.
    Uris,
    /// Bare domains too.
    Abbreviated,
    /// Addresses of mail too.
    Email,
    /// All of these.
    Everything,
    /// All of these, where the text is Markdown.
    Markdown,
}

/// What a suite asks for.
#[derive(Clone, Debug)]
pub enum Expect {
    /// The text with `|` before and after each link.
    Marked(String),
    /// These links in this order, and no others.
    Links(Vec<String>),
    /// This one comes first; `None`: there is none.
    First(Option<String>),
    /// This one is among the links.
    Includes(String),
    /// Whether the whole text is one link.
    Whole(bool),
    /// Whether the text is of this grammar.
    Valid(Grammar, bool),
}

impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expect::Marked(text) => f.write_str(text),
            Expect::Links(links) => f.write_str(&shown(links)),
            Expect::First(None) => f.write_str("-"),
            Expect::First(Some(link)) => f.write_str(link),
            Expect::Includes(link) => write!(f, "{link} and whatever else"),
            Expect::Whole(true) => f.write_str("all of it"),
            Expect::Whole(false) => f.write_str("not all of it"),
            Expect::Valid(_, true) => f.write_str("valid"),
            Expect::Valid(_, false) => f.write_str("invalid"),
        }
    }
}

fn shown(links: &[String]) -> String {
    if links.is_empty() { "-".to_owned() } else { links.join("  +  ") }
}

#[derive(Clone, Debug)]
pub struct Case {
    /// The file, and which of its cases.
    place: String,
    pub text: String,
    reads: Reads,
    pub expect: Expect,
}

impl Case {
    /// The file and the number, and a checksum of all that it asks: a waiver holds for that.
    pub fn id(&self) -> String {
        let all = format!("{}\0{:?}\0{}", self.text, self.reads, self.expect);
        format!("{} {}", self.place, checksum(all.as_bytes()))
    }
}

/// The cases of a file, numbered as they come.
pub struct Cases {
    file: String,
    cases: Vec<Case>,
}

impl Cases {
    pub fn of(file: &str) -> Self {
        Self { file: file.to_owned(), cases: Vec::new() }
    }

    pub fn add(&mut self, text: impl Into<String>, reads: Reads, expect: Expect) {
        let place = format!("{}#{}", self.file, self.cases.len() + 1);
        self.cases.push(Case { place, text: text.into(), reads, expect });
    }

    pub fn done(self) -> Vec<Case> {
        self.cases
    }
}

/// What was found instead, if urigrep does not agree.
pub fn compare(case: &Case) -> Result<(), String> {
    if let Expect::Valid(grammar, wanted) = case.expect {
        let is_valid = grammar.parse(&case.text).is_ok();
        let got = if is_valid { "valid" } else { "invalid" };
        return if is_valid == wanted { Ok(()) } else { Err(got.to_owned()) };
    }
    let found = find(&case.text, case.reads);
    let agrees = match &case.expect {
        Expect::Marked(text) => return same(text, marked(&case.text, &found)),
        Expect::Links(links) => {
            links.len() == found.len() && links.iter().zip(&found).all(|(link, one)| is(one, link))
        }
        Expect::First(None) => found.is_empty(),
        Expect::First(Some(link)) => found.first().is_some_and(|one| is(one, link)),
        Expect::Includes(link) => found.iter().any(|one| is(one, link)),
        Expect::Whole(wanted) => {
            let whole = 0..case.text.len();
            found.iter().any(|one| one.span.as_ref() == Some(&whole)) == *wanted
        }
        Expect::Valid(..) => true,
    };
    let found = || shown(&found.iter().map(|one| one.written.clone()).collect::<Vec<_>>());
    if agrees { Ok(()) } else { Err(found()) }
}

fn same(wanted: &str, got: String) -> Result<(), String> {
    if got == wanted { Ok(()) } else { Err(got) }
}

/// True when the link is meant; a suite may give an authority the path that a browser gives it.
fn is(found: &Found, link: &str) -> bool {
    let bare = link.strip_suffix('/').filter(|_| !found.written.ends_with('/'));
    found.is(link) || bare.is_some_and(|bare| found.is(bare))
}

fn marked(text: &str, found: &[Found]) -> String {
    let mut marked = text.to_owned();
    for span in found.iter().rev().filter_map(|one| one.span.clone()) {
        marked.insert(span.end, '|');
        marked.insert(span.start, '|');
    }
    marked
}

fn find(text: &str, reads: Reads) -> Vec<Found> {
    let all = matches!(reads, Reads::Everything | Reads::Markdown);
    let abbreviated = if all || reads == Reads::Abbreviated {
        Abbreviated::Report
    } else {
        Abbreviated::default()
    };
    let email = if all || reads == Reads::Email { Email::Report } else { Email::default() };
    let finder = Finder::builder()
        .host_mapping(HostMapping::idna().unwrap_or_default())
        .abbreviated(abbreviated)
        .assume_scheme(AssumedScheme::Http)
        .email(email)
        .build();
    if reads == Reads::Markdown {
        let search = Search::builder().finder(finder).threads(1).build().unwrap_or_default();
        return readings::in_format(&search, "md", text).unwrap_or_default();
    }
    readings::as_text(&finder, text)
}
