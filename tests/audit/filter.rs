//! Which findings are reported, and as what.

use std::path::Path;

use urigrep::Span;
use urigrep::audit::{
    AuditFinding, CHECKS, Filter, FilterVerdict, FindingKey, Patterns, Severities, Severity,
};

fn finding(uri: &str) -> AuditFinding {
    let check = CHECKS.iter().find(|check| check.severity == Severity::Warning);
    AuditFinding {
        check: check.unwrap(),
        severity: Severity::Warning,
        span: Span::new(0, 1),
        uri: Some(uri.to_owned()),
        message: String::new(),
        hint: None,
        evidence: None,
        fix: None,
    }
}

#[test]
fn paths() {
    let mut filter = Filter::default();
    assert!(filter.takes_path(Path::new("/x/a.md")));
    filter.exclude.add_path(Path::new("/x"), "vendor/").unwrap();
    filter.exclude.add_path(Path::new("/x"), "/top.md").unwrap();
    filter.include.add_path(Path::new("/"), "*.md").unwrap();
    for (path, taken) in [
        ("/x/a.md", true),
        ("/x/a.html", false),
        ("/x/b/vendor/c/a.md", false),
        ("/x/top.md", false),
        ("/x/b/top.md", true),
        ("/y/vendor/a.md", true),
    ] {
        assert_eq!(filter.takes_path(Path::new(path)), taken, "{path}");
    }
    assert!(filter.exclude.add_path(Path::new("/"), "# x").is_err());
    assert!(filter.exclude.add_path(Path::new("/"), "docs/[a").is_err());
}

#[test]
fn hosts() {
    for (uri, wanted) in [
        ("http://a.test/%zz", Some("a.test")),
        ("//u:p@a.test:80?x", Some("a.test")),
        ("http://[::1]:8/", Some("::1")),
        ("a/b://c", None),
        ("mailto:a@b", None),
        ("", None),
    ] {
        let mut filter = Filter::default();
        filter.exclude.add_host(wanted.unwrap_or("*")).unwrap();
        let excluded = filter.verdict(&finding(uri), Path::new("a.md")) == FilterVerdict::Excluded;
        assert_eq!(excluded, wanted.is_some(), "{uri}");
    }
}

#[test]
fn findings() {
    let reported = FilterVerdict::Reported(Severity::Warning);
    let mut filter = Filter::default();
    assert_eq!(filter.verdict(&finding("http://a.test/"), Path::new("a.md")), reported);
    filter.exclude.add_host("*.TEST").unwrap();
    filter.exclude.add_host("::1").unwrap();
    filter.exclude.add_uri("/x$").unwrap();
    for (uri, verdict) in [
        ("http://a.test/", FilterVerdict::Excluded),
        ("http://[::1]/", FilterVerdict::Excluded),
        ("http://b/x", FilterVerdict::Excluded),
        ("http://b/xy", reported),
        ("../x", FilterVerdict::Excluded),
    ] {
        assert_eq!(filter.verdict(&finding(uri), Path::new("a.md")), verdict, "{uri}");
    }
    filter.include.add_uri("^http:").unwrap();
    assert_eq!(filter.verdict(&finding("../y"), Path::new("a.md")), FilterVerdict::Excluded);
    assert_eq!(filter.verdict(&finding("http://b/"), Path::new("a.md")), reported);
    filter.least = Severity::Error;
    assert_eq!(filter.verdict(&finding("http://b/"), Path::new("a.md")), FilterVerdict::Mild);
    let id = finding("").check.id;
    filter.severities.insert(id, Some(Severity::Error));
    let verdict = filter.verdict(&finding("http://b/"), Path::new("a.md"));
    assert_eq!(verdict, FilterVerdict::Reported(Severity::Error));
    let mut paths = Patterns::default();
    paths.add_path(Path::new("."), "old/").unwrap();
    filter.by_path.push((paths, Severities::from([(id, None)])));
    let old = filter.verdict(&finding("http://b/"), Path::new("old/a.md"));
    let new = filter.verdict(&finding("http://b/"), Path::new("new/a.md"));
    assert_eq!((old, new), (FilterVerdict::Off, FilterVerdict::Reported(Severity::Error)));
    let mild = AuditFinding { severity: Severity::Note, ..finding("http://b/") };
    assert_eq!(filter.verdict(&mild, Path::new("a.md")), FilterVerdict::Mild);
    filter.exclude.checks.push(id);
    assert_eq!(filter.verdict(&finding("http://b/"), Path::new("a.md")), FilterVerdict::Off);
}

/// A baseline that was written once holds for ever.
#[test]
fn hashes_stay() {
    assert_eq!(FindingKey::from_finding(&finding("")).hash(), "cbf29ce484222325");
    assert_eq!(FindingKey::from_finding(&finding("foobar")).hash(), "85944171f73967e8");
}

/// 2,000 such expressions would take gigabytes, and settings come with the tree.
#[test]
fn regular_expressions_have_a_bound_in_total() {
    let mut patterns = Patterns::default();
    let add = |patterns: &mut Patterns, expression: &str| {
        (0..2000).find_map(|at| patterns.add_uri(&format!("{expression}{at}")).err())
    };
    assert_eq!(add(&mut patterns, "^https?://(www\\.)?example"), None);
    let error = add(&mut patterns, "[a-z]{1,60}c\\w{1,50}").expect("a bound");
    assert!(error.to_string().contains("more than 32 MiB"), "{error}");
}
