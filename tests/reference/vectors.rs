//! corpus/reference/*.tsv.

use std::collections::BTreeSet;
use std::path::Path;

use urigrep::{
    Fragment, NormalForm, Normalizer, Resolution, Tracking, Uri, UriRef, compare, normalize,
};

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

#[test]
fn normal_forms() {
    let mut wrong = Vec::new();
    for row in rows("normalize.tsv", 5) {
        let forms = [NormalForm::Syntax, NormalForm::Scheme];
        let mut want = &row[1];
        for (form, column) in forms.into_iter().zip(&row[2..4]) {
            want = if column == "=" { want } else { column };
            let got = Normalizer::new().form(form).normalize(uri(&row[1]));
            if got != *want {
                wrong.push(format!("{} {form:?}\n  want {want}\n   got {got}", row[0]));
            }
        }
    }
    report("normalize.tsv", &wrong);
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
        (
            plain,
            "https://a.example/?utm_source=x&b=1&FBCLID=y&gclid&utm_medium=z#c",
        ),
        (
            plain.fragment(Fragment::Removed),
            "https://a.example/?utm_source=x&b=1&FBCLID=y&gclid&utm_medium=z",
        ),
        (
            plain.tracking(Tracking::Removed),
            "https://a.example/?b=1#c",
        ),
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
