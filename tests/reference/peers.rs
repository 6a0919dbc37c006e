//! fluent-uri and iri-string on the same strings: resolving and normalizing agree, or a rule below
//! says why not.
//!
//! `cargo test` compares 40,000 pairs with each; `URIGREP_CASES=10000000` in the environment asks
//! for so many (.ci/slow). A rule that explains nothing in a whole run fails too.

use std::cell::RefCell;
use std::collections::BTreeMap;

use fluent_uri::resolve::Resolver;
use iri_string::format::ToDedicatedString;
use iri_string::types::{UriAbsoluteStr, UriReferenceStr, UriStr};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use urigrep::reference::{NormalForm, Normalizer, Rung, equivalent};
use urigrep::{Uri, UriRef, normalize, resolve};

use super::strings;
use crate::cases::cases;

/// `None` when both are the same, else the rule that says why not.
type Outcome = Result<Option<&'static str>, TestCaseError>;

/// Runs `check` over strings of both kinds; it says what they disagree in, if they do.
fn run<S: Strategy>(
    strategy: S,
    rules: &[&'static str],
    check: impl Fn(S::Value) -> Option<Outcome>,
) {
    let cases = cases(40_000);
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(3986),
        ..ProptestConfig::default()
    };
    let compared = RefCell::new(BTreeMap::<&str, u32>::new());
    let ran = TestRunner::new(config).run(&strategy, |value| {
        if let Some(outcome) = check(value) {
            let what = outcome?.unwrap_or("the same");
            *compared.borrow_mut().entry(what).or_default() += 1;
        }
        Ok(())
    });
    let compared = compared.into_inner();
    eprintln!("{compared:#?}");
    ran.unwrap_or_else(|error| panic!("{error}"));
    assert!(compared["the same"] > cases / 2, "hardly anything was compared");
    for rule in rules {
        assert!(compared.contains_key(rule), "this explains nothing: {rule}");
    }
}

/// True when a path has a dot segment that is one only after decoding.
fn has_encoded_dots(path: &str) -> bool {
    path.split('/').any(|segment| {
        let decoded = segment.replace("%2E", ".").replace("%2e", ".");
        segment.contains('%') && (decoded == "." || decoded == "..")
    })
}

fn is_opaque(uri: Uri<'_>) -> bool {
    uri.authority().is_none() && !uri.path().starts_with('/')
}

fn without_fragment(uri: &str) -> &str {
    uri.split('#').next().unwrap_or(uri)
}

const ENCODED: &str =
    "both peers take %2E for a dot when they resolve; RFC 3986 5.2.4 does not, 6.2.2 comes after";
const OPAQUE_BASE: &str = "fluent-uri refuses a rootless base, and takes an empty one for `/`; RFC 3986 5.2.3 does neither";
const OPAQUE_REFERENCE: &str =
    "fluent-uri leaves the dots of an own rootless path; RFC 3986 5.2.2 does not";
const LAST_DOTS: &str =
    "fluent-uri keeps a `..` at the end of the base; RFC 3986 5.2.3 excludes the last segment";
const BASE_PATH: &str =
    "fluent-uri takes the dots out of a path of the base; RFC 3986 5.2.2 keeps that as it is";

fn by_fluent_uri(base: &str, reference: &str) -> Option<String> {
    let base = fluent_uri::Uri::parse(base).ok()?;
    let reference = fluent_uri::UriRef::parse(reference).ok()?;
    let target = Resolver::with_base(base).resolve(&reference).ok()?;
    Some(target.into_string())
}

fn by_iri_string(base: &str, reference: &str) -> Option<String> {
    let base = UriAbsoluteStr::new(base).ok()?;
    let reference = UriReferenceStr::new(reference).ok()?;
    let target = reference.resolve_against(base).to_dedicated_string();
    Some(target.into())
}

/// With `.` for `%2E` in the path, where the strings have it in dot segments only.
fn decoded(r: UriRef<'_>) -> String {
    let path = r.path().replace("%2E", ".").replace("%2e", ".");
    let at = r.path().as_ptr().addr() - r.as_str().as_ptr().addr();
    let (head, tail) = (&r.as_str()[..at], &r.as_str()[at + r.path().len()..]);
    format!("{head}{path}{tail}")
}

/// A rule explains what it says and nothing else.
fn explained(rule: &'static str, holds: bool, what: String) -> Outcome {
    if holds { Ok(Some(rule)) } else { Err(TestCaseError::fail(what)) }
}

#[test]
fn resolving_agrees_with_fluent_uri() {
    let rules = [ENCODED, OPAQUE_BASE, OPAQUE_REFERENCE, LAST_DOTS, BASE_PATH];
    let pairs = (strings::uri(), strings::reference());
    run(pairs, &rules, |(base, reference)| {
        let base_text = without_fragment(&base);
        let (base, r) = (Uri::parse(base_text).ok()?, UriRef::parse(&reference).ok()?);
        let ours = resolve(base, r);
        let theirs = by_fluent_uri(base_text, &reference);
        if theirs.as_deref() == Some(&*ours) {
            return Some(Ok(None));
        }
        let own = r.scheme().is_some() || r.authority().is_some();
        let what = format!("{base} {reference}: {ours} {theirs:?}");
        Some(if r.to_uri().is_some_and(is_opaque) {
            explained(OPAQUE_REFERENCE, theirs == Some(reference), what)
        } else if r.scheme().is_none() && is_opaque(base) {
            let holds = theirs.is_none() || base.path().is_empty();
            explained(OPAQUE_BASE, holds, what)
        } else if has_encoded_dots(r.path()) || !own && has_encoded_dots(base.path()) {
            let holds = theirs == by_fluent_uri(&decoded(base.into()), &decoded(r));
            explained(ENCODED, holds, what)
        } else if !own && r.path().is_empty() {
            let dots = |segment: &str| matches!(segment, "." | "..");
            explained(BASE_PATH, base.path().split('/').any(dots), what)
        } else {
            let holds = !own && base.path().ends_with("/..");
            explained(LAST_DOTS, holds, what)
        })
    });
}

#[test]
fn resolving_agrees_with_iri_string() {
    let pairs = (strings::uri(), strings::reference());
    run(pairs, &[ENCODED], |(base, reference)| {
        let base_text = without_fragment(&base);
        let (base, r) = (Uri::parse(base_text).ok()?, UriRef::parse(&reference).ok()?);
        let ours = resolve(base, r);
        let theirs = by_iri_string(base_text, &reference);
        if theirs.as_deref() == Some(&*ours) {
            return Some(Ok(None));
        }
        let what = format!("{base} {reference}: {ours} {theirs:?}");
        let encoded = has_encoded_dots(r.path()) || has_encoded_dots(base.path());
        // With the dots decoded, nothing is left to disagree in.
        let (base, reference) = (decoded(base.into()), decoded(r));
        let ours = resolve(Uri::parse(&base).ok()?, UriRef::parse(&reference).ok()?);
        let holds = encoded && theirs == Some(ours.into_string());
        Some(explained(ENCODED, holds, what))
    });
}

const FILE: &str = "RFC 8089 2: fluent-uri knows no rules of the scheme file";
const EMPTY_PATH: &str = "RFC 3986 6.2.3: fluent-uri keeps an empty path";

#[test]
fn normalizing_agrees_with_fluent_uri() {
    run(strings::uri(), &[FILE, EMPTY_PATH], |text| {
        let uri = Uri::parse(&text).ok()?;
        let ours = Normalizer::new().form(NormalForm::Scheme).normalize(uri);
        let theirs = fluent_uri::Uri::parse(text.as_str()).unwrap().normalize();
        if theirs.as_str() == ours {
            return Some(Ok(None));
        }
        let what = format!("{text}: {ours} {theirs}");
        let same = normalize(Uri::parse(theirs.as_str()).unwrap()) == ours;
        Some(if uri.scheme() == "file" {
            explained(FILE, same, what)
        } else {
            explained(EMPTY_PATH, same && uri.path().is_empty(), what)
        })
    });
}

const EMPTY_PORT: &str =
    "RFC 3986 6.2.3: an empty port goes with the scheme's rules; iri-string removes it before";
const HOST: &str = "iri-string keeps the case of a host with triplets beyond ASCII";

#[test]
fn normalizing_agrees_with_iri_string() {
    run(strings::uri(), &[HOST, EMPTY_PORT], |text| {
        let uri = Uri::parse(&text).ok()?;
        let ours = Normalizer::new().form(NormalForm::Syntax).normalize(uri);
        let theirs = UriStr::new(&text)
            .unwrap()
            .normalize_but_preserve_authorityless_relative_path()
            .to_dedicated_string();
        if theirs.as_str() == ours {
            return Some(Ok(None));
        }
        let what = format!("{text}: {ours} {theirs}");
        Some(if uri.host().is_some_and(|host| host.contains("%c3")) {
            explained(HOST, theirs.as_str().eq_ignore_ascii_case(&ours), what)
        } else {
            let same = equivalent(uri, Uri::parse(theirs.as_str()).unwrap());
            let holds = uri.port() == Some("") && same == Some(Rung::Scheme);
            explained(EMPTY_PORT, holds, what)
        })
    });
}
