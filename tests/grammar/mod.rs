//! The grammar against its own vectors (corpus/grammar), the shared ones, fluent-uri, iri-string
//! and, for URNs, the ABNF written out as a regular expression.
//!
//! `URIGREP_CASES=10000000` in the environment asks for so many mutated strings of each kind
//! (.ci/slow).

mod abnf;
mod exhaustive;
mod older;

use std::fmt::Write as _;

use crate::tsv::{check_vectors, root, rows, unescape};
use iri_string::types::{IriReferenceStr, UriReferenceStr};
use regex::Regex;
use urigrep::grammar::HostType;
use urigrep::options::HostMapping;
use urigrep::{ErrorKind, Iri, IriRef, ParseError, Uri, UriRef, Urn};

// ---------------------------------------------------------------------------------------------
// Vectors

fn fault(error: ParseError) -> String {
    format!("{}@{}", error.kind().name(), error.offset())
}

/// `ok` and the components that are present, as the vectors write it.
fn components(fields: &[(&str, Option<&str>)]) -> String {
    let mut out = String::from("ok");
    for (key, value) in fields {
        if let Some(value) = value {
            write!(out, " {key}={value}").unwrap();
        }
    }
    out
}

fn describe_uri(text: &str) -> String {
    match Uri::parse(text) {
        Err(error) => fault(error),
        Ok(uri) => components(&[
            ("scheme", Some(uri.scheme())),
            ("userinfo", uri.userinfo()),
            ("host", uri.host()),
            ("type", uri.host_type().map(HostType::name)),
            ("port", uri.port()),
            ("path", Some(uri.path())),
            ("query", uri.query()),
            ("fragment", uri.fragment()),
        ]),
    }
}

fn describe_reference(text: &str) -> String {
    match UriRef::parse(text) {
        Err(error) => fault(error),
        Ok(reference) => components(&[
            ("scheme", reference.scheme()),
            ("userinfo", reference.userinfo()),
            ("host", reference.host()),
            ("type", reference.host_type().map(HostType::name)),
            ("port", reference.port()),
            ("path", Some(reference.path())),
            ("query", reference.query()),
            ("fragment", reference.fragment()),
        ]),
    }
}

fn describe_urn(text: &str) -> String {
    match Urn::parse(text) {
        Err(error) => fault(error),
        Ok(urn) => components(&[
            ("nid", Some(urn.nid())),
            ("nss", Some(urn.nss())),
            ("r", urn.r_component()),
            ("q", urn.q_component()),
            ("f", urn.f_component()),
        ]),
    }
}

fn describe_iri(text: &str, hosts: HostMapping) -> String {
    match Iri::parse(text) {
        Err(error) => fault(error),
        Ok(iri) => match iri.to_uri_with(hosts) {
            Ok(uri) => format!("ok {uri}"),
            Err(error) => format!("map {}", fault(error)),
        },
    }
}

#[test]
fn uri_vectors() {
    check_vectors("grammar/uri.tsv", 4, 2, describe_uri);
}

#[test]
fn reference_vectors() {
    check_vectors("grammar/reference.tsv", 4, 2, describe_reference);
}

#[test]
fn urn_vectors() {
    check_vectors("grammar/urn.tsv", 4, 2, describe_urn);
}

#[test]
fn iri_vectors() {
    if let Ok(idna) = HostMapping::idna() {
        check_vectors("grammar/iri.tsv", 5, 2, |text| describe_iri(text, idna));
    }
    check_vectors("grammar/iri.tsv", 5, 3, |text| describe_iri(text, HostMapping::PERCENT_ENCODED));
}

/// The rows of a vector file that is shared with other projects and not part of this repository.
fn shared(file: &str, columns: usize) -> Vec<Vec<String>> {
    let path = root().join("../shared/vectors").join(file);
    if path.exists() {
        return rows(&path, columns);
    }
    eprintln!("\n*** SKIPPED: {} does not exist; its vectors were NOT run ***\n", path.display());
    Vec::new()
}

#[test]
fn shared_uri_vectors() {
    for row in shared("rfc3986_uri.tsv", 3) {
        let got = if Uri::parse(&unescape(&row[0])).is_ok() { "yes" } else { "no" };
        assert_eq!(got, row[1], "{}: {}", row[0], row[2]);
    }
}

#[test]
fn shared_urn_vectors() {
    for row in shared("rfc8141_urn.tsv", 7) {
        let text = unescape(&row[0]);
        let Ok(urn) = Urn::parse(&text) else {
            // `ambiguous`: the ABNF alone would accept it, the prose of section 2.3.1 does not.
            assert!(matches!(row[1].as_str(), "no" | "ambiguous"), "{}", row[0]);
            continue;
        };
        assert_eq!(row[1], "yes", "{}", row[0]);
        let got = [Some(urn.nid()), Some(urn.nss()), urn.r_component(), urn.q_component()];
        let got = got.into_iter().chain([urn.f_component()]);
        let got: Vec<&str> = got.map(|component| component.unwrap_or("-")).collect();
        assert_eq!(got, row[2..], "{}", row[0]);
    }
}

// ---------------------------------------------------------------------------------------------
// Differential tests

/// Xorshift: a fixed seed gives the same strings everywhere.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// What mutations insert: delimiters and whole constructs above all.
const ALPHABET: &str = "% %4 %41 %C3%A9 %zz [ ] [::] :: : : @ # ? ?+ ?= / // . .. - + = | _ ~ ! $ & \
    ' ( ) * , ; 0 1 9 00 255 256 1.2.3.4 a f F g Z v1. urn: xn-- é ß \u{9f} \u{d7ff} \u{e000} \
    \u{fdd0} \u{ffef} \u{fffd} \u{1f600} \u{1fffe} \u{e0001} \u{10fffd} \0 \u{7f} \" < > \\ ^ ` { }";

/// `count` mutations of the texts of the vectors in `file`, or as many as the environment says: up
/// to four times an insertion, a deletion, a replacement or a splice with another text.
fn mutated(file: &str, columns: usize, seed: u64, count: u32, mut check: impl FnMut(&str)) {
    let rows = rows(&root().join("corpus/grammar").join(file), columns);
    let seeds: Vec<String> = rows.iter().map(|row| unescape(&row[1])).collect();
    let mut alphabet: Vec<&str> = ALPHABET.split(' ').collect();
    alphabet.extend([" ", "\t", "\n", "\u{a0}"]);
    let mut rng = Rng(seed);
    let mut text = String::new();
    for _ in 0..crate::cases::cases(count) {
        text.clear();
        text.push_str(rng.pick::<String>(&seeds));
        for _ in 0..1 + rng.below(4) {
            let at = boundary(&text, rng.below(text.len() + 1));
            let next = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            match rng.below(8) {
                0..3 => text.insert_str(at, rng.pick::<&str>(&alphabet)),
                3..5 => text.replace_range(at..next, ""),
                5..7 => text.replace_range(at..next, rng.pick::<&str>(&alphabet)),
                _ => {
                    let other = rng.pick(&seeds);
                    text.truncate(at);
                    text.push_str(&other[boundary(other, rng.below(other.len() + 1))..]);
                }
            }
        }
        check(&text);
    }
}

/// The last character boundary up to `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// How often a parser said yes and no; a test that sees only one of them tests nothing.
#[derive(Default)]
struct Tally {
    accepted: usize,
    rejected: usize,
}

impl Tally {
    fn count(&mut self, text: &str, error: Option<ParseError>) {
        match error {
            None => self.accepted += 1,
            Some(error) => {
                self.rejected += 1;
                assert!(text.is_char_boundary(error.offset()), "{text:?}: {error}");
            }
        }
    }

    fn report(&self, what: &str) {
        let Self { accepted, rejected } = self;
        eprintln!("{what}: {accepted} accepted, {rejected} rejected");
        assert!(accepted * 20 > *rejected && rejected * 20 > *accepted, "{what} is lopsided");
    }
}

#[test]
fn uri_agrees_with_fluent_uri() {
    let mut tally = Tally::default();
    mutated("uri.tsv", 4, 0x9E37_79B9_7F4A_7C15, 2_000_000, |text| {
        let ours = Uri::parse(text);
        tally.count(text, ours.err());
        assert_eq!(Uri::from_bytes(text.as_bytes()), ours, "{text:?}");
        let theirs = fluent_uri::Uri::parse(text);
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{text:?}: {ours:?}, {theirs:?}");
        let (Ok(ours), Ok(theirs)) = (ours, theirs) else {
            return;
        };
        assert_eq!(ours.scheme(), theirs.scheme().as_str(), "{text:?}");
        let authority = theirs.authority();
        assert_eq!(ours.authority(), authority.map(|a| a.as_str()), "{text:?}");
        let userinfo = authority.and_then(|a| a.userinfo());
        assert_eq!(ours.userinfo(), userinfo.map(|u| u.as_str()), "{text:?}");
        assert_eq!(ours.host(), authority.map(|a| a.host()), "{text:?}");
        let host_type = authority.map(|a| match a.host_parsed() {
            fluent_uri::component::Host::Ipv4 { .. } => HostType::Ipv4,
            fluent_uri::component::Host::Ipv6 { .. } => HostType::Ipv6,
            fluent_uri::component::Host::IpvFuture { .. } => HostType::IpvFuture,
            _ => HostType::RegName,
        });
        assert_eq!(ours.host_type(), host_type, "{text:?}");
        let port = authority.and_then(|a| a.port());
        assert_eq!(ours.port(), port.map(|p| p.as_str()), "{text:?}");
        assert_eq!(ours.path(), theirs.path().as_str(), "{text:?}");
        assert_eq!(ours.query(), theirs.query().map(|q| q.as_str()), "{text:?}");
        assert_eq!(ours.fragment(), theirs.fragment().map(|f| f.as_str()), "{text:?}");
    });
    tally.report("URI");
}

#[test]
fn iri_agrees_with_fluent_uri_and_maps_to_uris() {
    let mut tally = Tally::default();
    mutated("iri.tsv", 5, 0xD1B5_4A32_D192_ED03, 1_000_000, |text| {
        let ours = Iri::parse(text);
        tally.count(text, ours.err());
        assert_eq!(ours.is_ok(), fluent_uri::Iri::parse(text).is_ok(), "{text:?}: {ours:?}");
        assert_eq!(Uri::parse(text).is_ok(), ours.is_ok() && text.is_ascii(), "{text:?}");
        let Ok(iri) = ours else { return };
        assert_eq!(iri.to_uri(), encode(text), "{text:?}");
        match iri.to_uri_with(HostMapping::idna().unwrap_or_default()) {
            Err(error) => assert_eq!(error.kind(), ErrorKind::HostCharacter, "{text:?}"),
            Ok(uri) => {
                let mapped = Uri::parse(&uri).unwrap_or_else(|e| panic!("{text:?}: {uri}: {e}"));
                let theirs = fluent_uri::Iri::parse(text).unwrap();
                let authority = theirs.authority();
                let userinfo = authority.and_then(|a| a.userinfo()).map(|u| encode(u.as_str()));
                assert_eq!(mapped.userinfo(), userinfo.as_deref(), "{text:?}: {uri}");
                let port = authority.and_then(|a| a.port());
                assert_eq!(mapped.port(), port.map(|p| p.as_str()), "{text:?}: {uri}");
                assert_eq!(mapped.path(), encode(theirs.path().as_str()), "{text:?}: {uri}");
                let query = theirs.query().map(|q| encode(q.as_str()));
                assert_eq!(mapped.query(), query.as_deref(), "{text:?}: {uri}");
                let fragment = theirs.fragment().map(|f| encode(f.as_str()));
                assert_eq!(mapped.fragment(), fragment.as_deref(), "{text:?}: {uri}");
                let host = authority.map(|a| a.host());
                if host.is_none_or(str::is_ascii) || HostMapping::idna().is_err() {
                    assert_eq!(uri, encode(text));
                }
            }
        }
    });
    tally.report("IRI");
}

#[test]
fn references_agree_with_fluent_uri_and_iri_string() {
    let mut tally = Tally::default();
    mutated("reference.tsv", 4, 0xA076_1D64_78BD_642F, 1_000_000, |text| {
        let ours = UriRef::parse(text);
        tally.count(text, ours.err());
        let theirs = fluent_uri::UriRef::parse(text);
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{text:?}: {ours:?}");
        let iri = IriRef::parse(text);
        assert_eq!(iri.is_ok(), fluent_uri::IriRef::parse(text).is_ok(), "{text:?}: {iri:?}");
        let (uri, iri_string) =
            (UriReferenceStr::new(text).is_ok(), IriReferenceStr::new(text).is_ok());
        assert_eq!((ours.is_ok(), iri.is_ok()), (uri, iri_string), "{text:?}");
        if let Ok(mapped) =
            iri.and_then(|iri| iri.to_uri_ref_with(HostMapping::idna().unwrap_or_default()))
        {
            assert!(UriRef::parse(&mapped).is_ok(), "{text:?}: {mapped}");
        }
        let (Ok(ours), Ok(theirs)) = (ours, theirs) else {
            return;
        };
        assert_eq!(ours.to_uri(), Uri::parse(text).ok(), "{text:?}");
        assert_eq!(ours.to_uri().map_or(ours, UriRef::from), ours, "{text:?}");
        assert_eq!(ours.scheme(), theirs.scheme().map(|s| s.as_str()));
        let authority = theirs.authority().map(|a| a.as_str());
        assert_eq!(ours.authority(), authority, "{text:?}");
        assert_eq!(ours.path(), theirs.path().as_str(), "{text:?}");
        assert_eq!(ours.query(), theirs.query().map(|q| q.as_str()));
        assert_eq!(ours.fragment(), theirs.fragment().map(|f| f.as_str()));
    });
    tally.report("reference");
}

/// Percent-encodes what is not ASCII, a byte at a time (RFC 3987 section 3.1 step 2).
fn encode(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii() {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").unwrap();
        }
        out
    })
}

/// RFC 8141 section 2 as a regular expression. The r-component is written so that `?=` ends it.
fn namestring() -> Regex {
    let pchar = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})";
    let nid = r"[A-Za-z0-9][A-Za-z0-9\-]{0,30}[A-Za-z0-9]";
    // A row of `?` in an r-component goes on with a pchar that is no `=`, or with `/`.
    let not_equals = r"(?:[A-Za-z0-9\-._~!$&'()*+,;:@/]|%[0-9A-Fa-f]{2})";
    let r = format!(r"{pchar}(?:{pchar}|/|\?+{not_equals})*\?*");
    let q = format!(r"{pchar}(?:{pchar}|[/?])*");
    let f = format!(r"(?:{pchar}|[/?])*");
    Regex::new(&format!(
        r"\A[Uu][Rr][Nn]:({nid}):({pchar}(?:{pchar}|/)*)(?:\?\+({r}))?(?:\?=({q}))?(?:#({f}))?\z"
    ))
    .unwrap()
}

#[test]
fn urn_agrees_with_its_abnf() {
    let namestring = namestring();
    let mut tally = Tally::default();
    mutated("urn.tsv", 4, 0x2545_F491_4F6C_DD1D, 1_000_000, |text| {
        let ours = Urn::parse(text);
        tally.count(text, ours.err());
        let theirs = namestring.captures(text);
        assert_eq!(ours.is_ok(), theirs.is_some(), "{text:?}: {ours:?}");
        let (Ok(urn), Some(theirs)) = (ours, theirs) else {
            return;
        };
        let group = |n| theirs.get(n).map(|group| group.as_str());
        assert_eq!(Some(urn.nid()), group(1), "{text:?}");
        assert_eq!(Some(urn.nss()), group(2), "{text:?}");
        assert_eq!(urn.r_component(), group(3), "{text:?}");
        assert_eq!(urn.q_component(), group(4), "{text:?}");
        assert_eq!(urn.f_component(), group(5), "{text:?}");
        assert_eq!(urn.assigned_name(), format!("{}:{}:{}", &text[..3], urn.nid(), urn.nss()));
        assert_eq!(Uri::parse(text), Ok(urn.to_uri()), "{text:?}");
    });
    tally.report("URN");
}

#[test]
fn errors_tell_people_and_programs() {
    let error = Urn::parse("urn:example:a?b").unwrap_err();
    assert_eq!((error.offset(), error.kind()), (13, ErrorKind::BareQuestionMark));
    assert_eq!(error.kind().name(), "bare-question-mark");
    assert!(error.to_string().ends_with("(at byte 13)"), "{error}");
}
