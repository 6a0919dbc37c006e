//! The registries: every listed name is found in any case, nothing else is.

use urigrep::registry::{NamespaceKind, SchemeStatus, namespace, namespaces, scheme, schemes, tld};

const TLDS: &str = include_str!("../../src/registry/data/tlds.txt");

/// `http` -> `http`, `HTTP`, `hTtP`.
fn cases(name: &str) -> [String; 3] {
    let mixed = |(at, c): (usize, char)| if at % 2 == 1 { c.to_ascii_uppercase() } else { c };
    [name.into(), name.to_ascii_uppercase(), name.chars().enumerate().map(mixed).collect()]
}

#[test]
fn every_listed_name_is_found_in_any_case() {
    for info in schemes() {
        for name in cases(info.name) {
            assert!(std::ptr::eq(scheme(name.as_bytes()).unwrap(), info), "{name}");
        }
    }
    for info in namespaces() {
        for name in cases(info.name) {
            assert!(std::ptr::eq(namespace(name.as_bytes()).unwrap(), info), "{name}");
        }
    }
    for label in TLDS.lines().filter(|line| !line.starts_with('#')) {
        assert!(cases(label).iter().all(|label| tld(label)), "{label}");
        let upper = label.to_uppercase();
        assert!(tld(&upper) || upper.to_lowercase() != *label, "{upper}"); // ß has no way back
    }
}

#[test]
fn other_names_are_not_found() {
    let long = "a".repeat(100_000);
    let names =
        ["", "a", "todo", "std", "note", "htt", "httpx", "xhttp", "http:", "htt\u{10}", &long];
    for name in names {
        assert_eq!(scheme(name.as_bytes()), None, "{name:.20}");
    }
    for info in schemes() {
        // One byte more, one byte other: found only if it is listed itself.
        let mut other = [info.name.as_bytes(), b"~"].concat();
        assert_eq!(scheme(&other), None);
        other.pop();
        let last = other.len() - 1;
        for byte in 0..=u8::MAX {
            other[last] = byte;
            let lower = other.to_ascii_lowercase();
            let listed = schemes().iter().any(|info| info.name.as_bytes() == lower);
            assert_eq!(scheme(&other).is_some(), listed, "{}", other.escape_ascii());
        }
    }
    assert_eq!(namespace(b"urn-8"), None);
    assert_eq!(namespace(b"\xff\xfe"), None);
    for label in ["", "txt", "rs", "рфф", "xn--p1ai", &"ß".repeat(1000)] {
        assert_eq!(tld(label), label == "rs", "{label:.20}");
    }
}

#[test]
fn lists_are_sorted_and_without_doubles() {
    assert!(schemes().is_sorted_by(|a, b| a.name < b.name));
    assert!(namespaces().is_sorted_by(|a, b| a.name < b.name));
    let mut names = schemes().iter().map(|s| s.name).chain(namespaces().iter().map(|n| n.name));
    assert!(names.all(|name| name == name.to_ascii_lowercase() && !name.is_empty()));
    assert!(schemes().iter().all(|s| !s.reference.is_empty()));
    assert!(namespaces().iter().all(|n| !n.reference.is_empty()));
    for list in [
        TLDS,
        include_str!("../../src/registry/data/entities.txt"),
        include_str!("../../src/registry/data/references.txt"),
        include_str!("../../src/registry/data/legacy_references.txt"),
    ] {
        let records = list.lines().filter(|line| !line.starts_with('#'));
        let names = records.map(|record| record.split(' ').next().unwrap());
        assert!(names.is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn annotations_of_the_registry_are_read() {
    use SchemeStatus::{Historical, Permanent, Provisional, Unregistered};
    let arxiv = "arXiv identifier scheme, as written in citations (arXiv:2101.00001)";
    for (name, status, reference) in [
        ("shttp", Historical, "RFC 2660; Status change of HTTP experiments to Historic"),
        ("mvrp", Provisional, "Antonio Walker"),
        ("machineProvisioningProgressReporter", Provisional, "urischemeowners at microsoft.com"),
        ("http", Permanent, "RFC 9110, Section 4.2.1"),
        ("z39.50r", Permanent, "RFC 2056"),
        ("web+interaction", Provisional, "IANA URI Schemes registry"),
        ("arxiv", Unregistered, arxiv),
    ] {
        let info = scheme(name.as_bytes()).unwrap();
        assert_eq!((info.status, info.reference), (status, reference), "{name}");
    }
    assert_eq!(namespace(b"urn-7").unwrap().kind, NamespaceKind::Informal);
}
