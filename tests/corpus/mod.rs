//! Runs every labelled text of `corpus/` against the library.
//!
//! Two kinds of labels (their formats are described in `corpus/README.md`): short cases in
//! `corpus/**/*.toml`, and whole documents in `corpus/documents/` with a table of what is
//! in them. All failures are collected and reported in one message; a run that finds no
//! case fails.

mod rules;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use urigrep::options::HostMapping;
use urigrep::options::{
    Abbreviated, AssumedScheme, Charset, Detection, Email, Embedded, Identifiers, Lax, Refang,
    Rejoin, Schemes,
};
use urigrep::{Finder, Finding, Flag, Grammar, Match, Rejected, Uri};

/// One labelled text, as it stands in a TOML file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    rule: String,
    /// For readers: where the rule's own source says so.
    why: Option<String>,
    text: String,
    uri: Option<Vec<String>>,
    intended: Option<Vec<String>>,
    kind: Option<Vec<String>>,
    flags: Option<Vec<Vec<String>>>,
    wrapper: Option<Vec<String>>,
    alternative: Option<Vec<String>>,
    ranges: Option<Vec<Vec<String>>>,
    reject: Option<Vec<String>>,
    #[serde(default)]
    options: Vec<String>,
    encoding: Option<String>,
}

/// The text without its marks, and the spans they stood around.
struct Marked {
    bytes: Vec<u8>,
    spans: Vec<(usize, usize)>,
}

impl Case {
    fn marked(&self) -> Result<Marked, String> {
        let (mut bytes, mut spans, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for c in self.text.chars() {
            match (c, self.encoding.as_deref()) {
                ('\u{27E6}', _) => {
                    open.push(spans.len());
                    spans.push((bytes.len(), bytes.len()));
                }
                ('\u{27E7}', _) => {
                    let index = open.pop().ok_or("label: a mark closes that was never opened")?;
                    spans[index].1 = bytes.len();
                }
                (_, None) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                (_, Some("latin1")) => {
                    bytes.push(
                        u8::try_from(c).map_err(|_| format!("label: {c:?} is not in Latin-1"))?,
                    );
                }
                (_, Some(other)) => return Err(format!("label: unknown encoding {other:?}")),
            }
        }
        if open.is_empty() {
            Ok(Marked { bytes, spans })
        } else {
            Err("label: a mark is never closed".into())
        }
    }

    fn finder(&self) -> Result<Finder, String> {
        // The labels say what hosts are as A-labels.
        let mut builder = Finder::builder().host_mapping(HostMapping::idna().unwrap());
        for option in &self.options {
            builder = match option.split_once('=').unwrap_or((option, "")) {
                ("strict", "") => builder.lax(Lax::Reject),
                ("ascii", "") => builder.charset(Charset::Ascii),
                ("known-schemes", "") => builder.schemes(Schemes::Known),
                ("embedded", "") => builder.embedded(Embedded::Report),
                ("refang", "") => builder.refang(Refang::Read),
                ("abbreviated", "") => builder.abbreviated(Abbreviated::Report),
                ("assume-scheme", "http") => builder.assume_scheme(AssumedScheme::Http),
                ("assume-scheme", "https") => builder.assume_scheme(AssumedScheme::Https),
                ("email", "") => builder.email(Email::Report),
                ("identifiers", "") => builder.identifiers(Identifiers::All),
                ("doi", "") => builder.identifiers(Identifiers::Doi),
                ("grammar", name) if name.parse::<Grammar>().is_ok() => {
                    builder.grammar(name.parse().unwrap())
                }
                ("uts58", "") => builder.detection(Detection::Uts58),
                ("rejoin", "never") => builder.rejoin(Rejoin::Never),
                ("rejoin", "wrapped") => builder.rejoin(Rejoin::Wrapped),
                ("rejoin", "hyphen") => builder.rejoin(Rejoin::Hyphen),
                ("rejoin", "always") => builder.rejoin(Rejoin::Always),
                ("max-uri", n) if n.parse::<usize>().is_ok() => {
                    builder.max_uri(n.parse().unwrap_or_default())
                }
                _ => return Err(format!("label: unknown option {option:?}")),
            };
        }
        Ok(builder.build())
    }

    /// What is wrong, and what was found.
    fn run(&self) -> (Vec<String>, String) {
        let (marked, finder) = match (self.marked(), self.finder()) {
            (Ok(marked), Ok(finder)) => (marked, finder),
            (Err(why), _) | (_, Err(why)) => return (vec![why], String::new()),
        };
        let (matches, rejected) =
            match catch_unwind(AssertUnwindSafe(|| search(&finder, &marked.bytes))) {
                Ok(found) => found,
                Err(_) => return (vec!["the search panicked".into()], String::new()),
            };
        let mut wrong = general(
            &marked.bytes,
            &matches,
            !self.options.iter().any(|option| option == "embedded"),
        );
        let spans: Vec<_> = matches.iter().map(|m| (m.start(), m.end())).collect();
        if spans == marked.spans {
            self.compare(&marked, &matches, &mut wrong);
        } else {
            wrong.push("the matches differ".into());
        }
        if let Some(expected) = &self.reject {
            let got: Vec<_> = rejected.iter().map(|r| r.reason().name()).collect();
            differ(&mut wrong, "reject", expected, &got);
        }
        let mut got = String::new();
        for m in &matches {
            let _ = writeln!(got, "    got       {}", describe(m));
        }
        for r in &rejected {
            let text = String::from_utf8_lossy(r.as_bytes());
            let _ = writeln!(
                got,
                "    rejected  {}..{} {text:?} {}",
                r.start(),
                r.end(),
                r.reason().name()
            );
        }
        (wrong, got)
    }

    /// The columns that are labelled, match by match; the spans are right already.
    fn compare(&self, marked: &Marked, matches: &[Match<'_>], wrong: &mut Vec<String>) {
        let texts: Vec<_> = marked
            .spans
            .iter()
            .map(|&(start, end)| String::from_utf8_lossy(&marked.bytes[start..end]).into_owned())
            .collect();
        let all = |f: fn(&Match<'_>) -> String| -> Vec<String> { matches.iter().map(f).collect() };
        let uris = self.uri.as_ref().unwrap_or(&texts);
        differ(wrong, "uri", uris, &all(|m| m.uri().into_owned()));
        match &self.intended {
            Some(intended) => {
                differ(wrong, "intended", intended, &all(|m| m.intended().to_owned()))
            }
            None => {
                // An IRI is intended as it stands; everything else as its URI.
                let made = |m: &Match<'_>| {
                    m.flags().contains(Flag::Rejoined) || m.flags().contains(Flag::Decoded)
                };
                for ((m, uri), text) in matches.iter().zip(uris).zip(&texts) {
                    let expected = if m.iri().is_some() { text } else { uri };
                    if !(m.iri().is_some() && made(m)) {
                        differ(wrong, "intended", expected, m.intended());
                    }
                }
            }
        }
        if let Some(kind) = &self.kind {
            differ(wrong, "kind", kind, &all(|m| m.kind().name().into()));
        }
        if let Some(wrapper) = &self.wrapper {
            differ(wrong, "wrapper", wrapper, &all(|m| m.wrapper().name().into()));
        }
        if let Some(alternative) = &self.alternative {
            differ(
                wrong,
                "alternative",
                alternative,
                &all(|m| m.alternative().unwrap_or_default().into()),
            );
        }
        if let Some(flags) = &self.flags {
            let sorted = |mut names: Vec<String>| {
                names.sort();
                names
            };
            let expected: Vec<_> = flags.iter().cloned().map(sorted).collect();
            let got: Vec<_> = matches.iter().map(|m| sorted(flag_names(m))).collect();
            differ(wrong, "flags", &expected, &got);
        }
        if let Some(ranges) = &self.ranges {
            let piece = |range: std::ops::Range<usize>| {
                String::from_utf8_lossy(marked.bytes.get(range).unwrap_or_default()).into_owned()
            };
            let got: Vec<Vec<_>> = matches
                .iter()
                .map(|m| m.ranges().iter().map(|span| piece(span.range())).collect())
                .collect();
            differ(wrong, "ranges", ranges, &got);
        }
    }
}

fn search<'h>(finder: &Finder, text: &'h [u8]) -> (Vec<Match<'h>>, Vec<Rejected<'h>>) {
    let (mut matches, mut rejected) = (Vec::new(), Vec::new());
    for finding in finder.findings(text) {
        match finding {
            Finding::Relative(_) => unreachable!("no format said that this is a reference"),
            Finding::Match(m) => matches.push(m),
            Finding::Rejected(r) => rejected.push(r),
        }
    }
    (matches, rejected)
}

/// What holds for every match of every text.
fn general(text: &[u8], matches: &[Match<'_>], apart: bool) -> Vec<String> {
    let (mut wrong, mut start, mut end) = (Vec::new(), 0, 0);
    for m in matches {
        if m.start() >= m.end() || m.end() > text.len() {
            wrong.push(format!("{}..{} is not in the text", m.start(), m.end()));
        }
        if m.start() < start || (apart && m.start() < end) {
            wrong.push(format!("{}..{} is out of order", m.start(), m.end()));
        }
        (start, end) = (m.start(), end.max(m.end()));
        if let Err(error) = Uri::parse(&m.uri()) {
            wrong.push(format!("{:?} does not parse: {error}", m.uri()));
        }
        if !m.flags().contains(Flag::Decoded) && m.as_bytes() != &*m.text() {
            wrong.push(format!(
                "{:?} is not the text of its span",
                String::from_utf8_lossy(&m.text())
            ));
        }
    }
    wrong
}

fn differ<E, G>(wrong: &mut Vec<String>, what: &str, expected: &E, got: &G)
where
    E: std::fmt::Debug + PartialEq<G> + ?Sized,
    G: std::fmt::Debug + ?Sized,
{
    if expected != got {
        wrong.push(format!("{what}: expected {expected:?}, got {got:?}"));
    }
}

fn flag_names(m: &Match<'_>) -> Vec<String> {
    m.flags().iter().map(|flag| flag.name().to_owned()).collect()
}

fn describe(m: &Match<'_>) -> String {
    let (text, flags) = (String::from_utf8_lossy(m.as_bytes()), flag_names(m).join(","));
    format!(
        "{}..{} {text:?} -> {} {} {} [{flags}]",
        m.start(),
        m.end(),
        m.uri(),
        m.kind(),
        m.wrapper()
    )
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// All files below `dir` whose name ends in `end`, sorted.
fn files(dir: &Path, end: &str) -> Vec<PathBuf> {
    let (mut found, mut dirs) = (Vec::new(), vec![dir.to_path_buf()]);
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()))
        {
            let path = entry.expect("a directory entry").path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The cases of every TOML file that has any.
fn cases() -> Vec<(PathBuf, Case)> {
    let mut all = Vec::new();
    for path in files(&corpus(), ".toml") {
        let text = fs::read_to_string(&path).expect("a readable corpus file");
        let table: toml::Table =
            text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if let Some(list) = table.get("case") {
            let list: Vec<Case> = list
                .clone()
                .try_into()
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            all.extend(list.into_iter().map(|case| (path.clone(), case)));
        }
    }
    all
}

#[test]
fn cases_are_found_as_labelled() {
    let cases = cases();
    let (mut report, mut failed) = (String::new(), 0);
    let mut names: BTreeMap<&str, &Path> = BTreeMap::new();
    for (path, case) in &cases {
        let (mut wrong, got) = case.run();
        if let Some(other) = names.insert(&case.name, path) {
            wrong.push(format!("label: the name is used in {}, too", other.display()));
        }
        if wrong.is_empty() {
            continue;
        }
        failed += 1;
        let file = path.strip_prefix(corpus()).unwrap_or(path).display();
        let _ = writeln!(
            report,
            "{} ({}, {file})\n    text      {:?}",
            case.name, case.rule, case.text
        );
        if let Some(why) = &case.why {
            let _ = writeln!(report, "    because   {why}");
        }
        for why in wrong {
            let _ = writeln!(report, "    {why}");
        }
        report.push_str(&got);
    }
    println!("{} cases in corpus/", cases.len());
    assert!(!cases.is_empty(), "corpus/ holds no case");
    assert!(failed == 0, "{failed} of {} cases failed:\n{report}", cases.len());
}

/// A row of a document's table: start, end, line, kind, URI.
type Row = (usize, usize, usize, String, String);

fn rows(path: &Path) -> Vec<Row> {
    let table = fs::read_to_string(path).expect("a readable table");
    let row = |line: &str| -> Option<Row> {
        let mut columns = line.split('\t');
        let mut number = || columns.next()?.parse().ok();
        let (start, end, line) = (number()?, number()?, number()?);
        Some((start, end, line, columns.next()?.to_owned(), columns.next()?.to_owned()))
    };
    table
        .lines()
        .map(|line| row(line).unwrap_or_else(|| panic!("{}: {line:?}", path.display())))
        .collect()
}

#[test]
fn documents_are_found_as_labelled() {
    let (mut report, mut failed, mut total) = (String::new(), 0, 0);
    let documents = files(&corpus().join("documents"), ".labels.tsv");
    for path in &documents {
        let expected = rows(path);
        let name = path.to_string_lossy().replace(".labels.tsv", "");
        let bytes = fs::read(&name).expect("the document of a table");
        let finder = Finder::builder().host_mapping(HostMapping::idna().unwrap()).build();
        let (matches, _) = search(&finder, &bytes);
        let line = |at: usize| bytes[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let got: Vec<Row> = matches
            .iter()
            .map(|m| {
                (
                    m.start(),
                    m.end(),
                    line(m.start()),
                    m.kind().name().to_owned(),
                    m.uri().into_owned(),
                )
            })
            .collect();
        let mut wrong = general(&bytes, &matches, true);
        let only = |these: &[Row], those: &[Row]| -> Vec<Row> {
            these.iter().filter(|row| !those.contains(row)).cloned().collect()
        };
        wrong.extend(only(&expected, &got).iter().map(|row| format!("missing   {row:?}")));
        wrong.extend(only(&got, &expected).iter().map(|row| format!("not meant {row:?}")));
        total += expected.len();
        failed += only(&expected, &got).len();
        if !wrong.is_empty() {
            let _ = writeln!(report, "{name}\n    {}", wrong.join("\n    "));
        }
    }
    println!("{total} URIs in {} documents", documents.len());
    assert!(total > 0, "corpus/documents/ holds no labelled URI");
    assert!(
        report.is_empty(),
        "{failed} of {total} labelled URIs were not found as labelled:\n{report}"
    );
}
