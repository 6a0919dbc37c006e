//! Tests of the Unicode properties, and of details that no other module can see.

use std::collections::BTreeSet;

use super::*;

fn check<T: PartialEq + std::fmt::Debug>(property: fn(char) -> T, rows: &[(&str, T)]) {
    for (chars, value) in rows {
        for c in chars.chars() {
            assert_eq!(property(c), *value, "{c:?}");
        }
    }
}

#[test]
fn properties() {
    check(
        link_term,
        &[
            ("a9-_/%é中ß❤", LinkTerm::Include),
            (".,:;!?'\"。、»«", LinkTerm::Soft),
            ("([{<「", LinkTerm::Open),
            (")]}>」", LinkTerm::Close),
            (" \n\u{a0}\u{3000}\u{fdd0}\u{10ffff}", LinkTerm::Hard),
        ],
    );
    check(opener_of, &[(")", Some('(')), ("」", Some('「')), ("(x", None)]);
    for closer in (' '..=char::MAX).filter(|&c| link_term(c) == LinkTerm::Close) {
        let opener = opener_of(closer).expect("a pair");
        assert_eq!(link_term(opener), LinkTerm::Open, "{closer:?}");
    }
    check(
        host_term,
        &[
            // Valid; mapped to valid characters; deviations.
            ("éñ中рÜａ①ßς\u{200c}\u{200d}", HostTerm::Allowed),
            // Valid in context; ignored.
            ("\u{b7}・\u{ad}\u{200b}\u{2060}\u{fe0f}\u{feff}", HostTerm::Allowed),
            // Symbols, also valid ones of UTS #46; characters that map to a fraction slash, a bar,
            // a space.
            ("❤😀©→½｜´", HostTerm::Rejects),
            // Punctuation, also characters that map to a dot, comma or dots; spaces; bidi controls;
            // the rest.
            ("—…。．｡，”»」\u{a0}\u{3000}\u{200e}\u{e000}\u{10ffff}", HostTerm::Ends),
        ],
    );
    check(
        is_default_ignorable,
        &[
            ("\u{ad}\u{200b}\u{feff}\u{202e}\u{fe0f}\u{e0fff}", true),
            ("a\u{a0}\u{2010}\u{fff9}\u{110bd}中", false),
        ],
    );
    check(
        script,
        &[
            ("azéßªｋ", Some("Latn")),
            ("αΩ", Some("Grek")),
            ("жЁ", Some("Cyrl")),
            ("סא\u{5b7}", Some("Hebr")),
            ("سٱ", Some("Arab")),
            ("中々〇𠀀", Some("Hani")),
            ("の", Some("Hira")),
            ("한", Some("Hang")),
            // Common, inherited, and characters that several scripts share.
            ("0-.!٠ー、·\u{301}।\u{e000}ﷲ", None),
        ],
    );
}

#[test]
fn punycode_decodes_what_idna_encodes() {
    for (encoded, decoded) in [
        ("p1ai", Some("рф")),
        ("P1AI", Some("рф")),
        ("vermgensberatung-pwb", Some("vermögensberatung")),
        ("mgbah1a3hjkrd", Some("موريتانيا")),
        ("99999999", None),
        ("a!", None),
        ("é", None),
        ("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", None),
    ] {
        assert_eq!(punycode::decode(encoded.as_bytes()).as_deref(), decoded, "{encoded}");
    }
}

#[test]
fn every_listed_scheme_is_found_in_any_case() {
    for info in schemes() {
        let upper = info.name.to_ascii_uppercase();
        assert!(is_scheme(info.name.as_bytes()) && is_scheme(upper.as_bytes()), "{}", info.name);
        assert_eq!(scheme(upper.as_bytes()), Some(info));
        // Neither a part of a name, nor two names with the line feed between them.
        let longer = [info.name, "\n"].concat();
        assert!(!is_scheme(longer.as_bytes()) && scheme(longer.as_bytes()).is_none());
    }
    for name in ["", "\n", "htt", "httpx", "todo", "ttp", "aaa\naaas"] {
        assert!(!is_scheme(name.as_bytes()) && scheme(name.as_bytes()).is_none(), "{name:?}");
    }
    assert!(!tld("") && !tld("aaa\naarp") && !tld("co\n"));
}

/// [`tld`] knows the small letter of every capital that occurs in a listed name.
#[test]
fn capitals_of_listed_names() {
    let listed: BTreeSet<char> = TLD_LIST.chars().collect();
    for c in '\0'..=char::MAX {
        let small = Vec::from_iter(c.to_lowercase());
        if small.iter().all(|c| listed.contains(c)) || listed.contains(&small_letter(c)) {
            assert_eq!([small_letter(c)], *small, "{c}");
        }
    }
}
