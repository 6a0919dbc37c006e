//! Tests of the tables, generated or not, and of the look-ups.

use super::LinkTerm::{Close, Hard, Include, Open, Soft};
use super::default_ignorable::IGNORABLE;
use super::host_term::TERMS as HOST_TERMS;
use super::link_term::{BRACKETS, TERMS as LINK_TERMS};
use super::lookup::MAX_PROBES;
use super::script::SCRIPTS;
use super::*;

/// `http` -> `http`, `HTTP`, `hTtP`.
fn cases(name: &str) -> [String; 3] {
    let mixed = |(at, c): (usize, char)| {
        if at % 2 == 1 { c.to_ascii_uppercase() } else { c }
    };
    [name.into(), name.to_ascii_uppercase(), name.chars().enumerate().map(mixed).collect()]
}

#[test]
fn every_listed_name_is_found_in_any_case() {
    for (at, info) in SCHEMES.iter().enumerate() {
        for name in cases(info.name) {
            assert!(std::ptr::eq(scheme(name.as_bytes()).unwrap(), &SCHEMES[at]), "{name}");
        }
    }
    for (at, info) in NAMESPACES.iter().enumerate() {
        for name in cases(info.name) {
            assert!(std::ptr::eq(namespace(name.as_bytes()).unwrap(), &NAMESPACES[at]), "{name}");
        }
    }
    for label in TLDS {
        assert!(cases(label).iter().all(|label| tld(label)), "{label}");
        let upper = label.to_uppercase();
        assert!(tld(&upper) || upper.to_lowercase() != *label, "{upper}"); // ß has no way back
    }
}

#[test]
fn other_names_are_not_found() {
    let long = "a".repeat(100_000);
    for name in
        ["", "a", "todo", "std", "note", "htt", "httpx", "xhttp", "http:", "htt\u{10}", &long]
    {
        assert_eq!(scheme(name.as_bytes()), None, "{name:.20}");
    }
    for info in SCHEMES {
        // One byte more, one byte other: found only if it is listed itself.
        let name = info.name.as_bytes();
        let mut other = [name, b"~"].concat();
        assert_eq!(scheme(&other), None);
        other.pop();
        let last = other.len() - 1;
        for byte in 0..=u8::MAX {
            other[last] = byte;
            let lower = other.to_ascii_lowercase();
            let listed = SCHEMES.iter().any(|info| info.name.as_bytes() == lower);
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
fn probes_are_few() {
    for probes in [SCHEME_LOOKUP.probes(), NAMESPACE_LOOKUP.probes(), TLD_LOOKUP.probes()] {
        assert!((1..=MAX_PROBES).contains(&probes), "{probes}");
    }
}

#[test]
fn lists_are_sorted_lower_case_and_without_doubles() {
    assert!(SCHEMES.is_sorted_by(|a, b| a.name < b.name));
    assert!(NAMESPACES.is_sorted_by(|a, b| a.name < b.name));
    assert!(TLDS.is_sorted_by(|a, b| a < b));
    let mut names = SCHEMES.iter().map(|s| s.name).chain(NAMESPACES.iter().map(|n| n.name));
    assert!(names.all(|name| name == name.to_ascii_lowercase() && !name.is_empty()));
    assert!(SCHEMES.iter().all(|s| !s.reference.is_empty()));
    assert!(NAMESPACES.iter().all(|n| !n.reference.is_empty()));
}

#[test]
fn annotations_of_the_registry_are_read() {
    use SchemeStatus::{Historical, Permanent, Provisional, Unregistered};
    for (name, status, reference) in [
        ("shttp", Historical, "RFC 2660; Status change of HTTP experiments to Historic"),
        ("mvrp", Provisional, "Antonio Walker"),
        ("machineProvisioningProgressReporter", Provisional, "urischemeowners at microsoft.com"),
        ("http", Permanent, "RFC 9110, Section 4.2.1"),
        ("z39.50r", Permanent, "RFC 2056"),
        ("web+interaction", Provisional, "IANA URI Schemes registry"),
        (
            "arxiv",
            Unregistered,
            "arXiv identifier scheme, as written in citations (arXiv:2101.00001)",
        ),
    ] {
        let info = scheme(name.as_bytes()).unwrap();
        assert_eq!((info.status, info.reference), (status, reference), "{name}");
    }
    assert_eq!(namespace(b"urn-7").unwrap().kind, NamespaceKind::Informal);
}

/// No range overlaps the next one.
fn is_sorted<T>(table: &[(char, char, T)]) -> bool {
    table.iter().all(|range| range.0 <= range.1) && table.is_sorted_by(|a, b| a.1 < b.0)
}

fn sorted_pairs(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let pairs = Vec::from_iter(text.split(' ').map(|pair| pair.split_once('~').unwrap()));
    assert!(pairs.is_sorted_by(|a, b| a.0 < b.0));
    pairs
}

#[test]
fn ranges_are_sorted() {
    assert!(is_sorted(LINK_TERMS) && is_sorted(HOST_TERMS) && is_sorted(IGNORABLE));
    assert!(is_sorted(SCRIPTS));
    assert!(BRACKETS.is_sorted_by(|a, b| a.0 < b.0));
    for (name, text) in sorted_pairs(entities::ENTITIES) {
        assert_eq!(entities::named(name.as_bytes()), text.chars().next(), "{name}");
    }
    #[cfg(feature = "documents")]
    {
        use super::references::{LEGACY, REFERENCES};
        assert!(LEGACY.is_sorted());
        for (name, text) in sorted_pairs(REFERENCES) {
            assert_eq!(super::references::named(name.as_bytes()), Some(text), "{name}");
        }
        assert_eq!(super::references::named(b""), None);
        assert_eq!(super::references::named(b"zzz"), None);
        assert_eq!(super::references::named(b"Auml;"), None);
    }
}

#[test]
fn link_terms() {
    for (chars, term) in [
        ("a9-_/%é中ß❤", Include),
        (".,:;!?'\"。、»«", Soft),
        ("([{<「", Open),
        (")]}>」", Close),
        (" \n\u{a0}\u{3000}\u{fdd0}\u{10ffff}", Hard),
    ] {
        for c in chars.chars() {
            assert_eq!(link_term(c), term, "{c:?}");
        }
    }
}

#[test]
fn link_brackets() {
    assert_eq!(opener_of(')'), Some('('));
    assert_eq!(opener_of('」'), Some('「'));
    assert_eq!(opener_of('('), None);
    for &(closer, opener) in BRACKETS {
        assert_eq!((link_term(closer), link_term(opener)), (Close, Open));
    }
}

#[test]
fn host_terms() {
    for (chars, term) in [
        // Valid; mapped to what is valid; deviations.
        ("éñ中рÜａ①ßς\u{200c}\u{200d}", HostTerm::Allowed),
        // Valid in context; ignored.
        ("\u{b7}・\u{ad}\u{200b}\u{2060}\u{fe0f}\u{feff}", HostTerm::Allowed),
        // Symbols, also valid ones of UTS #46; what maps to a fraction slash, a bar, a space.
        ("❤😀©→½｜´", HostTerm::Rejects),
        // Punctuation, also what maps to a dot, comma or dots; spaces; bidi controls; the rest.
        ("—…。．｡，”»」\u{a0}\u{3000}\u{200e}\u{e000}\u{10ffff}", HostTerm::Ends),
    ] {
        for c in chars.chars() {
            assert_eq!(host_term(c), term, "{c:?}");
        }
    }
}

#[test]
fn default_ignorables() {
    for c in ['\u{ad}', '\u{200b}', '\u{feff}', '\u{202e}', '\u{fe0f}', '\u{e0fff}'] {
        assert!(is_default_ignorable(c), "{c:?}");
    }
    for c in ['a', '\u{a0}', '\u{2010}', '\u{fff9}', '\u{110bd}', '中'] {
        assert!(!is_default_ignorable(c), "{c:?}");
    }
}

#[test]
fn named_entities() {
    for (name, c) in
        [("amp", '&'), ("apos", '\''), ("Eacute", 'É'), ("eacute", 'é'), ("there4", '∴')]
    {
        assert_eq!(entities::named(name.as_bytes()), Some(c), "{name}");
    }
    for name in ["", "AMP", "am", "amp;", "nosuch"] {
        assert_eq!(entities::named(name.as_bytes()), None, "{name}");
    }
    assert_eq!(entities::named(b"\xff"), None);
}

#[test]
fn scripts() {
    for (chars, name) in [
        ("azéßªｋ", Some("Latn")),
        ("αΩ", Some("Grek")),
        ("жЁ", Some("Cyrl")),
        ("א\u{5b7}", Some("Hebr")),
        ("سٱ", Some("Arab")),
        ("中々〇𠀀", Some("Hani")),
        ("の", Some("Hira")),
        ("カ", Some("Kana")),
        ("한", Some("Hang")),
        ("ㄅ", Some("Bopo")),
        // Common, inherited, and what several scripts share.
        ("0-.!٠ー、·\u{301}।", None),
        ("\u{e000}ﷲ", None),
    ] {
        for c in chars.chars() {
            assert_eq!(script(c), name, "{c:?}");
        }
    }
}
