//! URIs as people read them: own vectors (corpus/names/readable.tsv), every pair of UTS #58's
//! LinkFormattingTest.txt, and that what is shown maps back to the same URI.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::tsv::{check_vectors, rows, unescape};
use proptest::prelude::*;
use urigrep::options::Detection;
use urigrep::options::HostMapping;
use urigrep::readable::Shown;
use urigrep::{Finder, Iri, Uri};

fn hosts() -> HostMapping {
    HostMapping::idna().unwrap_or_default()
}

#[test]
fn readable_vectors() {
    let check = |column, hosts| {
        check_vectors("names/readable.tsv", 5, column, |text| {
            let uri = Uri::parse(text).expect("a vector is a URI");
            uri.readable_with(Shown::InText, hosts).into_owned()
        });
    };
    if let Ok(idna) = HostMapping::idna() {
        check(2, idna);
    }
    check(3, HostMapping::PERCENT_ENCODED);
}

// ---------------------------------------------------------------------------------------------
// UTS #58

fn file() -> PathBuf {
    let folder = std::env::var_os("URIGREP_UTS58").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/uts58"),
        PathBuf::from,
    );
    folder.join("LinkFormattingTest.txt")
}

/// The URI of an internal structure such as `{𝑺=https:// 𝑯=example.com 𝑷=α 𝑸=θ 𝑽=ικλ}`, with
/// every character percent-encoded that would be a delimiter there or is not a URI's at all.
fn fully_escaped(structure: &str) -> String {
    let inside = structure.trim().trim_start_matches('{');
    let inside = inside.strip_suffix('}').expect("a brace");
    let keys = ['𝑺', '𝑯', '𝑷', '𝑸', '𝑽', '𝑭', '𝑫'];
    let starts: Vec<usize> = inside
        .char_indices()
        .filter(|&(at, c)| keys.contains(&c) && inside[at + c.len_utf8()..].starts_with('='))
        .map(|(at, _)| at)
        .collect();
    let (mut uri, mut queries, mut segments) = (String::new(), 0, 0);
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(inside.len());
        let item = &inside[start..end];
        let value = item[5..].strip_suffix(' ').unwrap_or(&item[5..]);
        match item.chars().next() {
            Some('𝑺' | '𝑯') => uri.push_str(value),
            Some('𝑷') => {
                segments += 1;
                uri.push('/');
                escape(value, "", &mut uri);
            }
            Some('𝑸') => {
                queries += 1;
                uri.push(if queries == 1 { '?' } else { '&' });
                escape(value, "/?", &mut uri);
            }
            Some('𝑽') => {
                uri.push('=');
                escape(value, "/?", &mut uri);
            }
            Some('𝑭') => {
                uri.push('#');
                escape(value, "/?=&", &mut uri);
            }
            _ => {
                uri.push_str(":~:");
                escape(value, "/?=&", &mut uri);
            }
        }
    }
    assert!(segments + queries > 0 || uri.contains('#'), "{structure}");
    uri
}

fn escape(text: &str, also: &str, out: &mut String) {
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || "-._~!$'()*+,;:@".contains(c) || also.contains(c) {
            out.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
}

/// The file holds two sections, made for two places (its generator calls them in the middle and
/// at the end of a text): the selected cases have what looks like punctuation at the end
/// encoded, those of Wikipedia do not.
fn shown(section: &str) -> Shown {
    match section {
        "# Selected test cases" => Shown::InText,
        "# Wikipedia test cases" => Shown::Alone,
        other => panic!("unknown section {other}"),
    }
}

#[test]
fn link_formatting_test_passes_whole() {
    let path = file();
    let Ok(text) = std::fs::read_to_string(&path) else {
        let skipped = format!("SKIPPED: {} is not there; UTS #58 was NOT tested", path.display());
        println!("{skipped}");
        eprintln!("{skipped}");
        return;
    };
    let (mut section, mut structure) = ("", "");
    let (mut pairs, mut sources, mut wrong) = (0, 0, String::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.ends_with("test cases") {
            section = line;
        } else if let Some(comment) = line.strip_prefix("# {") {
            structure = comment;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let expected = lines.next().expect("a result after each source");
        let place = shown(section);
        let uri = fully_escaped(structure);
        let got = Uri::parse(&uri).expect("a URI").readable_with(place, hosts()).into_owned();
        if got != expected {
            let _ = writeln!(wrong, "    from {uri}\nexpected {expected}\n     got {got}");
        }
        // Some sources are no URIs, or another one than their structure says.
        let mapped = Iri::parse(line).ok().and_then(|iri| iri.to_uri_with(hosts()).ok());
        if mapped.is_some_and(|uri| {
            Uri::parse(&uri).is_ok_and(|uri| uri.readable_with(place, hosts()) == expected)
        }) {
            sources += 1;
        } else {
            println!("not from its source line: {line}");
        }
        pairs += 1;
    }
    println!("UTS #58 LinkFormattingTest: {pairs} pairs, {sources} from their source lines, too");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(pairs > 50, "{} holds hardly any pair", path.display());
    assert_eq!(pairs - sources, AMBIGUOUS, "sources that are other URIs than their structures");
}

/// The sources with two `#`, with a `%` before no digits, or with a `/`, `=` or `&` that is data.
const AMBIGUOUS: usize = 7;

// ---------------------------------------------------------------------------------------------
// There and back

/// The URI with unreserved triplets read, the others in upper case; and, if `loose`, with those of
/// what UTS #58 encodes at the end read, too.
fn canonical(uri: &str, loose: bool) -> String {
    let (mut out, mut rest) = (String::new(), uri);
    while let Some(c) = rest.chars().next() {
        let code = rest.get(1..3).filter(|_| c == '%');
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                let c = char::from(byte);
                let read = c.is_ascii_alphanumeric() || "-._~".contains(c);
                if read || loose && "!'(),:;?".contains(c) {
                    out.push(c);
                } else {
                    let _ = write!(out, "%{byte:02X}");
                }
                rest = &rest[3..];
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// How many reserved characters stand there raw.
fn reserved(uri: &str) -> usize {
    uri.bytes().filter(|byte| b":/?#[]@!$&'()*+,;=".contains(byte)).count()
}

fn check(text: &str) {
    let uri = Uri::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let readable = uri.readable_with(Shown::InText, hosts());
    let web = ["http", "https"].contains(&&*uri.scheme().to_ascii_lowercase());
    // UTS #58 finds no link with a userinfo, nor one with a triplet in its host.
    let domain = uri.userinfo().is_none() && uri.host().is_some_and(|host| !host.contains('%'));
    let back = if web && domain {
        let found = Finder::builder().detection(Detection::Uts58).host_mapping(hosts()).build();
        let m = found.find(readable.as_bytes()).unwrap_or_else(|| panic!("{readable}"));
        assert_eq!(m.range(), 0..readable.len(), "{text} {readable}");
        m.uri().into_owned()
    } else {
        let iri = Iri::parse(&readable).unwrap_or_else(|error| panic!("{readable}: {error}"));
        iri.to_uri_with(hosts()).expect("a URI").into_owned()
    };
    let host = |uri: &str| uri.to_ascii_lowercase();
    let urn = uri.scheme().eq_ignore_ascii_case("urn");
    if urn {
        assert_eq!(back.to_ascii_uppercase(), text.to_ascii_uppercase(), "{readable}");
    } else {
        assert_eq!(host(&canonical(&back, web)), host(&canonical(text, web)), "{readable}");
        assert!(reserved(&back) <= reserved(text), "{text} {readable}");
    }
    // Without `%` and `"`, which only UTS #58 shows, it is an IRI that maps to the same URI.
    if let Ok(iri) = Iri::parse(&readable) {
        assert_eq!(iri.to_uri_with(hosts()).expect("a URI"), back, "{readable}");
    } else {
        assert!(web && (readable.contains('"') || text.contains("%25")), "{readable}");
    }
    // Showing it again changes nothing, and showing it alone decodes no less.
    let again = Uri::parse(&back).expect("a URI");
    assert_eq!(again.readable_with(Shown::InText, hosts()), readable);
    assert!(uri.readable_with(Shown::Alone, hosts()).len() <= readable.len());
}

/// Pieces of URIs; together they make every kind of token, in order and out of it.
const PIECES: [&str; 40] = [
    "a",
    "4",
    "F",
    "/",
    ".",
    ",",
    "(",
    ")",
    "!",
    ";",
    ":",
    "@",
    "&",
    "=",
    "+",
    "'",
    "%41",
    "%7E",
    "%2F",
    "%3F",
    "%23",
    "%25",
    "%22",
    "%28",
    "%29",
    "%20",
    "%00",
    "%C3%A9",
    "%C3",
    "%A9",
    "%E2%80%AE",
    "%E3%80%82",
    "%EF%BC%88",
    "%EF%BC%89",
    "%D7%90",
    "%F0%9F%98%80",
    "%EE%80%80",
    "%CC%81",
    "%e4%bd%a0",
    "%5C",
];

fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12).prop_map(|list| list.concat())
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_shown_maps_back(
        start in prop::sample::select(&[
            "http://a.example", "HTTPS://xn--bcher-kva.example:80", "ftp://u@xn--pypal-4ve.com",
            "foo:", "urn:example:b",
        ][..]),
        path in pieces(), query in prop::option::of(pieces()), fragment in prop::option::of(pieces()),
    ) {
        let slash = if start.contains("//") { "/" } else { "" };
        let query = query.filter(|_| !start.starts_with("urn")).map(|q| format!("?{q}"));
        let fragment = fragment.map(|f| format!("#{f}"));
        let text = [start, slash, &path, &query.unwrap_or_default(), &fragment.unwrap_or_default()].concat();
        // behind `foo:` a path may start with `//`, and then it is an authority, or none
        prop_assume!(!path.starts_with("//") || Uri::parse(&text).is_ok());
        check(&text);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_character_maps_back(
        start in prop::sample::select(&["https://a.example/", "foo:", "urn:example:b"][..]),
        text in prop::collection::vec(any::<char>(), 0..8),
    ) {
        let mut uri = start.to_owned();
        escape(&text.into_iter().collect::<String>(), "", &mut uri);
        check(&uri);
    }
}

#[test]
fn vectors_map_back() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/names/readable.tsv");
    for row in rows(&path, 5) {
        check(&unescape(&row[1]));
    }
}

#[test]
fn long_uris_are_linear() {
    for piece in ["%25", "%2541", "(", "%EF%BC%89", "%C3", ".", ":~:"] {
        let text = format!("http://a.example/{}", piece.repeat(200_000));
        let uri = Uri::parse(&text).expect("a URI");
        assert!(uri.readable(Shown::InText).len() <= 3 * text.len());
    }
}
