//! corpus/reference/*.tsv.

use std::collections::BTreeSet;
use std::path::Path;

use urigrep::{Resolution, Uri, UriRef};

/// The rows of a table below corpus/reference without comments and heading.
pub fn rows(file: &str, columns: usize) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus/reference")
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut names = BTreeSet::new();
    let mut rows = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .skip(1)
    {
        let row: Vec<String> = line.split('\t').map(str::to_owned).collect();
        assert_eq!(row.len(), columns, "{file}: {line}");
        assert!(names.insert(row[0].clone()), "{file}: twice {}", row[0]);
        rows.push(row);
    }
    assert!(!rows.is_empty(), "{file} holds no case");
    rows
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
            let by = Resolution::ALL
                .into_iter()
                .find(|resolution| resolution.name() == by)
                .unwrap_or_else(|| panic!("{name}: no resolution is called {by}"));
            let got = by.resolve(uri(&base), UriRef::parse(&reference).expect(&name));
            if got.to_string() != target {
                wrong.push(format!(
                    "{name} ({rule}): {reference}\n  want {target}\n   got {got}"
                ));
            }
        }
        report(file, &wrong);
    }
}
