//! corpus/reference/*.tsv.

use std::collections::BTreeSet;

use urigrep::reference::{Fragment, NormalForm, Normalizer, Resolution, Tracking, compare};
use urigrep::{Grammar, ParseError, Uri, UriRef, normalize};

use crate::tsv::{self, check_vectors, root};

/// The rows of a table below corpus/reference, whose names differ.
fn rows(file: &str, columns: usize) -> Vec<Vec<String>> {
    let rows = tsv::rows(&root().join("corpus/reference").join(file), columns);
    let names: BTreeSet<_> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(names.len(), rows.len(), "{file}: a name twice");
    rows
}

/// Resolves what RFC 3986 reads.
fn by_newest(by: Resolution, base: &str, reference: &str) -> Result<String, ParseError> {
    let target = by.resolve(Uri::parse(base)?, UriRef::parse(reference)?);
    Ok(target.to_string())
}

/// Resolves what the grammar of the same document reads.
fn by_its_own(by: Resolution, base: &str, reference: &str) -> Result<String, ParseError> {
    let is_its = |grammar: &Grammar| {
        let strict = Resolution::for_grammar(*grammar);
        strict == by || strict.lenient() == Some(by)
    };
    let grammar = Grammar::ALL.iter().copied().find(is_its).expect("a grammar");
    let (base, reference) = (grammar.parse(base)?, grammar.parse_reference(reference)?);
    Ok(by.resolve_parsed(&base, &reference).to_string())
}

fn uri(text: &str) -> Uri<'_> {
    Uri::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Fails with all that is wrong at once.
fn report(file: &str, wrong: &[String]) {
    assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
}

#[test]
fn resolution() {
    let mut only = [0; 2];
    for (file, least) in [
        ("rfc3986.tsv", 42),
        ("rfc2396bis-01.tsv", 42),
        ("url-syntax-05.tsv", 42),
        ("url-1993.tsv", 40),
    ] {
        let rows = rows(file, 6);
        assert!(rows.len() >= least, "{file}");
        let mut wrong = Vec::new();
        for row in rows {
            let [name, by, base, reference, target, rule] =
                <[String; 6]>::try_from(row).expect("six columns");
            let by: Resolution = by.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
            let readings = [by_newest, by_its_own].map(|resolve| resolve(by, &base, &reference));
            assert!(readings.iter().any(Result::is_ok), "{name}: {readings:?}");
            for (reading, other) in [(0, 1), (1, 0)] {
                only[reading] += usize::from(readings[other].is_err());
            }
            for got in readings.iter().flatten() {
                if *got != target {
                    wrong.push(format!(
                        "{name} ({rule}): {reference}\n  want {target}\n   got {got}"
                    ));
                }
            }
        }
        report(file, &wrong);
    }
    eprintln!("read by RFC 3986 only: {}; by the older grammar only: {}", only[0], only[1]);
    assert!(only[1] >= 5);
}

#[test]
fn normal_forms() {
    for (form, column) in [(NormalForm::Syntax, 2), (NormalForm::Scheme, 3)] {
        check_vectors("reference/normalize.tsv", 5, column, |text| {
            Normalizer::new().form(form).normalize(uri(text)).into_owned()
        });
    }
}

#[test]
fn equivalence() {
    let mut wrong = Vec::new();
    let rows = rows("equivalence.tsv", 5);
    assert!(rows.iter().filter(|row| row[0].starts_with("s2-")).count() == 15);
    for row in rows {
        let [name, a, b, want, rule] = <[String; 5]>::try_from(row).expect("five columns");
        let describe = |a: &str, b: &str| match compare(uri(a), uri(b)) {
            Ok(rung) => rung.to_string(),
            Err(d) => format!("{}@{},{}", d.component(), d.a(), d.b()),
        };
        let got = describe(&a, &b);
        if got != want {
            wrong.push(format!("{name} ({rule})\n  want {want}\n   got {got}"));
        }
        // The other way round it is the same.
        let turned = match want.split_once('@') {
            Some((component, at)) => {
                let (a, b) = at.split_once(',').expect("two offsets");
                format!("{component}@{b},{a}")
            }
            None => want,
        };
        assert_eq!(describe(&b, &a), turned, "{name}");
    }
    report("equivalence.tsv", &wrong);
}

#[test]
fn what_is_asked_for_is_removed() {
    let text = "https://a.example/?utm_source=x&b=1&FBCLID=y&gclid&utm%5fmedium=z#c";
    let plain = Normalizer::new();
    let cases = [
        (plain, "https://a.example/?utm_source=x&b=1&FBCLID=y&gclid&utm_medium=z#c"),
        (
            plain.fragment(Fragment::Removed),
            "https://a.example/?utm_source=x&b=1&FBCLID=y&gclid&utm_medium=z",
        ),
        (plain.tracking(Tracking::Removed), "https://a.example/?b=1#c"),
    ];
    for (normalizer, want) in cases {
        assert_eq!(normalizer.normalize(uri(text)), want);
    }
    let untracked = plain.tracking(Tracking::Removed);
    for (text, want) in [
        ("http://a/?utm_id=1", "http://a/"),
        ("http://a/?", "http://a/?"),
        ("http://a/?&utm_id=1&", "http://a/?&"),
        ("http://a/?a=utm_id", "http://a/?a=utm_id"),
        ("s://a/?utm_id=1", "s://a/?utm_id=1"),
    ] {
        assert_eq!(untracked.normalize(uri(text)), want);
    }
    assert_eq!(normalize(uri("http://a/?utm_id=1")), "http://a/?utm_id=1");
}
