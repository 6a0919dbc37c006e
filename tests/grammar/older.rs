//! The older grammars: vectors, every byte at every place of them, their ABNF as an oracle, and the
//! regular expression of appendix B.

use std::fmt::Write as _;

use regex::Regex;
use urigrep::grammar::{Form, Parsed, Rule};
use urigrep::{Grammar, Uri};

use super::{Tally, abnf, fault, mutated};
use crate::tsv::{check_vectors, root, rows, unescape};

/// The older grammars, each with its vectors.
const OLDER: [(Grammar, &str); 5] = [
    (Grammar::Rfc2396bis01, "rfc2396bis-01.tsv"),
    (Grammar::UrlSyntax05, "url-syntax-05.tsv"),
    (Grammar::Url1993, "url-1993.tsv"),
    (Grammar::Rfc2141bis01, "rfc2141bis-01.tsv"),
    (Grammar::Rfc2141, "rfc2141.tsv"),
];

/// `ok`, the rule that matched and the components, as the vectors write it.
fn describe(result: Result<Parsed<'_>, urigrep::ParseError>) -> String {
    let parsed = match result {
        Err(error) => return fault(error),
        Ok(parsed) => parsed,
    };
    let mut out = format!("ok {}", parsed.form());
    for (rule, value) in parsed.components() {
        write!(out, " {rule}={value}").unwrap();
        if let (Rule::Host, Some(host_type)) = (rule, parsed.host_type()) {
            write!(out, " type={host_type}").unwrap();
        }
    }
    out
}

#[test]
fn vectors_of_each_older_grammar() {
    for (grammar, file) in OLDER {
        check_vectors(&format!("grammar/{file}"), 4, 2, |text| describe(grammar.parse(text)));
    }
}

fn named(name: &str) -> Grammar {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn references_by_each_grammar() {
    let mut wrong = Vec::new();
    for row in rows(&root().join("corpus/grammar/relative.tsv"), 5) {
        let text = unescape(&row[2]);
        let got = describe(named(&row[1]).parse_reference(&text));
        if got != row[3] {
            wrong.push(format!("{}\n  want {}\n   got {got}", row[0], row[3]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What tells two neighbours apart, in both directions.
#[test]
fn neighbours_differ() {
    let mut pairs = Vec::new();
    for row in rows(&root().join("corpus/grammar/neighbours.tsv"), 6) {
        let (accepts, rejects) = (named(&row[1]), named(&row[2]));
        let text = unescape(&row[3]);
        assert!(accepts.parse(&text).is_ok(), "{}: {accepts}", row[0]);
        let error = rejects.parse(&text).err().map(fault);
        assert_eq!(error.as_ref(), Some(&row[4]), "{}: {rejects}", row[0]);
        pairs.push((accepts, rejects));
    }
    use Grammar::*;
    for (newer, older) in [
        (Rfc3986, Rfc2396bis01),
        (Rfc2396bis01, UrlSyntax05),
        (UrlSyntax05, Url1993),
        (Rfc8141, Rfc2141bis01),
        (Rfc2141bis01, Rfc2141),
    ] {
        assert!(pairs.contains(&(newer, older)), "{newer} without {older}");
        // every URL of 1993 is one of 1997, see below
        let both = older != Url1993;
        assert!(!both || pairs.contains(&(older, newer)), "{older} without {newer}");
    }
}

/// The verdict and the components against the ABNF; then what holds of all texts.
fn agrees(grammar: Grammar, text: &str, tally: &mut Tally) {
    let ours = grammar.parse(text);
    tally.count(text, ours.as_ref().err().copied());
    let theirs = abnf::components(grammar, text);
    assert_eq!(ours.is_ok(), theirs.is_some(), "{grammar} {text:?}: {ours:?}");
    let (Ok(ours), Some(mut theirs)) = (ours, theirs) else {
        return;
    };
    let mut found: Vec<_> =
        ours.components().map(|(rule, value)| (rule.name(), value.to_owned())).collect();
    // an empty selector is left out
    theirs.retain(|(name, value)| *name != "selector" || !value.is_empty());
    found.sort();
    theirs.sort();
    assert_eq!(found, theirs, "{grammar} {text:?}");
    for (_, value) in ours.components() {
        assert!(text.contains(value));
    }
    if grammar == Grammar::Url1993 {
        assert!(Grammar::UrlSyntax05.parse(text).is_ok(), "{text:?}");
    }
    if grammar == Grammar::Rfc2141bis01 {
        assert!(Uri::parse(text).is_ok(), "{text:?}");
    }
    if grammar == Grammar::Rfc2141 && ours.get(Rule::Nid).is_some_and(|nid| nid.len() > 1) {
        assert!(Grammar::Rfc2141bis01.parse(text).is_ok(), "{text:?}");
    }
}

#[test]
fn older_grammars_agree_with_their_abnf() {
    for (number, (grammar, file)) in OLDER.into_iter().enumerate() {
        let mut tally = Tally::default();
        let seed = 0x9E37_79B9_7F4A_7C15 ^ number as u64;
        mutated(file, 4, seed, 150_000, |text| agrees(grammar, text, &mut tally));
        tally.report(grammar.name());
    }
}

#[test]
fn every_byte_at_every_place_agrees_with_the_abnf() {
    for (grammar, file) in OLDER {
        let mut tally = Tally::default();
        for row in rows(&root().join("corpus/grammar").join(file), 4) {
            let text = unescape(&row[1]);
            if !text.is_ascii() || text.len() > 40 {
                continue;
            }
            for at in 0..text.len() {
                for byte in 0..0x80_u8 {
                    let mut changed = text.clone();
                    changed.replace_range(at..=at, char::from(byte).encode_utf8(&mut [0; 4]));
                    agrees(grammar, &changed, &mut tally);
                }
            }
        }
        tally.report(grammar.name());
    }
}

/// Appendix B of rfc2396bis-01 and of url-syntax-05, which have the same regular expression, splits
/// what those accept as the parsers do.
#[test]
fn appendix_b_splits_as_we_do() {
    let split =
        Regex::new(r"\A(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?\z").unwrap();
    for (grammar, file, authority) in [
        (Grammar::Rfc2396bis01, "rfc2396bis-01.tsv", Rule::Authority),
        (Grammar::UrlSyntax05, "url-syntax-05.tsv", Rule::Site),
    ] {
        let mut forms = std::collections::BTreeMap::<&str, usize>::new();
        mutated(file, 4, 0xA076_1D64_78BD_642F, 150_000, |text| {
            // without its scheme a text is often a relative reference
            let from = if text.len() % 3 == 0 { text.find(':').map_or(0, |at| at + 1) } else { 0 };
            let text = &text[from..];
            let Ok(parsed) = grammar.parse_reference(text) else {
                return;
            };
            *forms.entry(parsed.form().name()).or_default() += 1;
            let groups = split.captures(text).unwrap_or_else(|| panic!("{text:?}"));
            let group = |number| groups.get(number).map(|group| group.as_str());
            let context = format!("{grammar} {text:?}");
            assert_eq!(parsed.get(Rule::Fragment), group(9), "{context}");
            // the prose has a colon in the first segment only where a scheme is, the BNF of
            // url-syntax-05 has it anywhere
            let is_colon_segment = parsed.form() == Form::RelativeUrl && group(2).is_some();
            if is_colon_segment {
                return;
            }
            assert_eq!(parsed.get(Rule::Scheme), group(2), "{context}");
            match parsed.form() {
                Form::OpaquePart | Form::OpaqueUrl => {
                    let rest = &text[group(1).unwrap().len()..];
                    let rest = rest.split('#').next();
                    let ours = parsed
                        .get(Rule::OpaquePart)
                        .or_else(|| parsed.get(Rule::SchemeSpecificPart));
                    assert_eq!(ours, rest, "{context}");
                }
                _ => {
                    assert_eq!(parsed.get(authority), group(4), "{context}");
                    assert_eq!(parsed.get(Rule::Path), group(5), "{context}");
                    assert_eq!(parsed.get(Rule::Query), group(7), "{context}");
                }
            }
        });
        eprintln!("{grammar}: {forms:?}");
        assert!(forms.len() == 3 && forms.values().all(|&count| count > 500), "{forms:?}");
    }
}
