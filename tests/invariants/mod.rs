//! What holds for every text, however it is cut: order, validity, windows, linear work.
//!
//! The texts are those of `corpus/`, random splices of them, and random bytes. The last
//! part, `linear`, builds adversarial texts and proves that the work grows with their
//! length only.

mod adversarial;
mod fast_path;
pub mod finders;
mod linear;
#[cfg(feature = "search")]
mod prefiltered;
#[cfg(feature = "search")]
#[allow(dead_code, reason = "shared with benches/linear.rs")]
pub mod readers;
mod twins;

use std::fs;
use std::path::{Path, PathBuf};

use crate::cases::cases;
use finders::finders;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use urigrep::finder::Rest;
use urigrep::finder::{Certainty, Progress, Resume, Window};
use urigrep::{Finder, Finding, Flag, Span, Uri};

/// Every text of the corpus: the cases without their marks, and the documents.
fn texts() -> Vec<Vec<u8>> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut dirs = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).expect("a directory of corpus/") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { dirs.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut texts = Vec::new();
    for path in files {
        let bytes = fs::read(&path).expect("a readable file");
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("toml") => {
                let text = String::from_utf8(bytes).expect("TOML in UTF-8");
                let table: toml::Table = text.parse().expect("a TOML file");
                let cases =
                    table.get("case").and_then(|cases| cases.as_array()).into_iter().flatten();
                let text = |case: &toml::Value| {
                    Some(case.get("text")?.as_str()?.replace(['\u{27E6}', '\u{27E7}'], ""))
                };
                texts.extend(cases.filter_map(text).map(String::into_bytes));
            }
            _ => texts.push(bytes),
        }
    }
    assert!(texts.len() > 100, "corpus/ holds hardly any text");
    texts
}

/// A finding that owns all there is to know about it; offsets count from the start of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    start: usize,
    end: usize,
    what: String,
}

fn owned(finding: &Finding<'_>, base: usize) -> Found {
    let (span, what) = match finding {
        Finding::Relative(_) => unreachable!("no format said that this is a reference"),
        Finding::Match(m) => {
            let ranges: Vec<_> =
                m.ranges().iter().map(|span| (span.start() + base, span.end() + base)).collect();
            let (flags, text) = (m.flags(), m.text());
            let what = format!(
                "{:?} {} {} {flags:?} {:?} {:?} {:?} {ranges:?} {text:?}",
                m.parsed(),
                m.kind(),
                m.wrapper(),
                m.uri(),
                m.iri(),
                m.alternative()
            );
            (m.span(), what)
        }
        Finding::Rejected(r) => (r.span(), format!("rejected {} at {}", r.reason().name(), r.at())),
    };
    Found { start: span.start() + base, end: span.end() + base, what }
}

fn whole(finder: &Finder, text: &[u8]) -> Vec<Found> {
    finder.findings(text).map(|finding| owned(&finding, 0)).collect()
}

/// The findings of a text that comes in pieces of `chunk` bytes, and the most bytes held.
fn streamed(finder: &Finder, text: &[u8], chunk: usize) -> (Vec<Found>, usize) {
    let (mut found, mut window, mut base, mut most) = (Vec::new(), Vec::new(), 0, 0);
    let mut resume = Resume::default();
    let mut chunks = text.chunks(chunk.max(1));
    loop {
        let next = chunks.next();
        window.extend_from_slice(next.unwrap_or_default());
        let mut findings = finder.find_in(
            Window::resumed(&window, resume),
            if next.is_none() { Rest::End } else { Rest::More },
        );
        found.extend(findings.by_ref().map(|finding| owned(&finding, base)));
        let Progress { consumed, resume: after, .. } = findings.progress();
        assert!(consumed <= window.len(), "{consumed} of {} bytes consumed", window.len());
        if next.is_none() {
            return (found, most);
        }
        (base, resume) = (base + consumed, after);
        window.drain(..consumed);
        most = most.max(window.len());
    }
}

/// What holds for the findings of any text.
fn check(finder: &Finder, text: &[u8], embedded: bool) {
    let (mut start, mut end) = (0, 0);
    let show = |span: Span| {
        String::from_utf8_lossy(text.get(span.range()).unwrap_or_default()).into_owned()
    };
    for finding in finder.findings(text) {
        let span = match &finding {
            Finding::Relative(_) => unreachable!("no format said that this is a reference"),
            Finding::Match(m) => {
                let uri = m.uri();
                assert!(
                    Uri::parse(&uri).is_ok(),
                    "{uri:?} does not parse, in {:?}",
                    show(m.span())
                );
                assert_eq!(m.parsed().as_str(), uri, "the parsed URI is another");
                assert!(
                    m.scheme_as_written().len() < uri.len()
                        && uri.starts_with(m.scheme_as_written()),
                    "{uri:?}"
                );
                let decoded = m.flags().contains(Flag::Decoded);
                assert!(
                    decoded || *m.text() == *m.as_bytes(),
                    "{uri:?} is not the text of its span"
                );
                assert!(
                    m.ranges().iter().all(|r| r.start() >= m.start() && r.end() <= m.end()),
                    "{uri:?}"
                );
                m.span()
            }
            Finding::Rejected(r) => {
                assert!(r.at() <= r.as_bytes().len(), "{:?}", show(r.span()));
                r.span()
            }
        };
        assert!(!span.is_empty() && span.end() <= text.len(), "{span:?} of {}", text.len());
        assert!(
            span.start() >= start && (embedded || span.start() >= end),
            "{span:?} {:?}",
            show(span)
        );
        (start, end) = (span.start(), span.end().max(end));
    }
    let matches =
        finder.findings(text).filter(|finding| matches!(finding, Finding::Match(_))).count();
    assert_eq!(finder.find_iter(text).count(), matches);
    assert_eq!(finder.is_match(text), matches > 0);
}

const CHUNKS: [usize; 6] = [1, 2, 3, 7, 64, 4096];

/// All texts in one, long enough that windows drop what they are done with.
fn long_text() -> Vec<u8> {
    let mut long = texts().join(&b"\n\n"[..]);
    // What needs text far ahead or far behind must not change at any cut.
    for filler in [&b"word "[..], b"x", b"\n", b"\xE3\x81\x82"] {
        long.extend(filler.repeat(9000 / filler.len()));
        long.extend_from_slice(b" <http://a.example/b\n> c>, (http://a.example/), \"urn:example:a?\" http://a.example/");
        long.extend_from_slice(b" see www.a.example/(b), a.com: <jo@a.com>, jo.b@a.com/x main.rs.");
    }
    long
}

#[test]
fn corpus_texts_are_in_order_and_valid() {
    for text in texts() {
        for (finder, embedded) in finders() {
            check(&finder, &text, embedded);
        }
    }
    for (finder, embedded) in finders() {
        check(&finder, &long_text(), embedded);
    }
}

/// Found by the random tests below, and kept.
const HARD: [&str; 9] = [
    "http://urn:://",
    "http://urn::/x",
    "http://tel:+1-816-555-1212 x",
    "<http://tel:+4712345678>",
    "http://a.examplesparse+https://index.example/ x",
    "http://a.example/xhttp:\\/\\/b.example/y",
    "http://a.example/x,http:\\/\\/b.example/y",
    "http://a.example/?x=http:\\/\\/b.example\\/y",
    "http://http://urn::",
];

#[test]
fn hard_texts_are_in_order_and_valid() {
    for text in HARD {
        for (finder, embedded) in finders() {
            check(&finder, text.as_bytes(), embedded);
        }
    }
}

#[test]
fn corpus_texts_are_the_same_in_every_window() {
    let texts = texts();
    for (finder, _) in finders() {
        for text in &texts {
            let expected = whole(&finder, text);
            for chunk in CHUNKS {
                assert_eq!(
                    streamed(&finder, text, chunk).0,
                    expected,
                    "in pieces of {chunk} bytes"
                );
            }
        }
    }
}

/// What may follow a line that was searched before it came.
const CONTINUATIONS: [&[u8]; 24] = [
    b"",
    b"\n",
    b"\n\n",
    b" \n x)\n",
    b"b> c\n",
    b"  b>\n",
    b"b\" c\n",
    b"  b\"\n",
    b"\"b\"\n",
    b"  \"b\" \"c\"\n",
    b"'b'\n",
    b"  + \"/b\"\n",
    b"  . '/b'\n",
    b"/b/c?d=e\n",
    b"b-c/d)\n",
    b"> /b>\n",
    b"# b/c>\n",
    b"+b/c>\n",
    b"a,b,c,d,e,f\n",
    b"name=value&b=c\n",
    b"Somebody     [Page 7]\n\nRFC 9999   A Title   May 2000\n\nrest>\n",
    b"978-0-306-40615-7\n",
    b": 10.1000/182\n",
    b"\r\n\t/b>\r\n",
];

#[test]
fn what_was_given_stays_whatever_follows() {
    let mut texts = texts();
    texts.retain(|text| text.len() < 4000);
    // a few for each line, in turn: 7 and 24 have no common factor (.ci/slow asks for all)
    let count = (cases(7) as usize).min(CONTINUATIONS.len());
    let mut continuations = CONTINUATIONS.iter().cycle();
    for (finder, _) in finders() {
        for text in &texts {
            let ends = memchr::memchr_iter(b'\n', text).map(|at| at + 1).chain([text.len()]);
            for end in ends {
                let certain = |certainty| {
                    let window = Window::new(&text[..end]).certainty(certainty);
                    let findings = finder.find_in(window, Rest::More);
                    findings.map(|finding| owned(&finding, 0)).collect::<Vec<_>>()
                };
                let (certain, spans) = (certain(Certainty::Whole), certain(Certainty::Span));
                assert!(spans.starts_with(&certain) || spans.len() >= certain.len());
                for &more in continuations.by_ref().take(count) {
                    let longer = [&text[..end], more].concat();
                    let all = whole(&finder, &longer);
                    let show = String::from_utf8_lossy(&longer);
                    assert!(all.starts_with(&certain), "{certain:#?}\n{all:#?}\n{show}");
                    let span = |found: &Found| (found.start, found.end);
                    let found = all.iter().map(span).take(spans.len());
                    assert!(spans.iter().map(span).eq(found), "{show}");
                }
            }
        }
    }
}

#[test]
fn a_long_text_is_the_same_in_every_window() {
    let long = long_text();
    for (finder, _) in finders() {
        let expected = whole(&finder, &long);
        // the short texts are read in pieces of one and two bytes, too
        for &chunk in CHUNKS.iter().filter(|&&chunk| chunk > 2) {
            let (got, _) = streamed(&finder, &long, chunk);
            for (got, expected) in got.iter().zip(&expected) {
                assert_eq!(got, expected, "in pieces of {chunk} bytes");
            }
            assert_eq!(got.len(), expected.len(), "in pieces of {chunk} bytes");
        }
    }
}

#[test]
fn a_search_that_stops_goes_on_where_it_stopped() {
    let long = long_text();
    for (finder, _) in finders() {
        let expected = whole(&finder, &long);
        for step in [1000, 4096, 65_537] {
            let (mut got, mut base, mut resume) = (Vec::new(), 0, Resume::default());
            for stop in (step..).step_by(step) {
                let window =
                    Window::resumed(&long[base..], resume).until(stop.saturating_sub(base));
                let mut findings = finder.find_in(window, Rest::End);
                got.extend(findings.by_ref().map(|finding| owned(&finding, base)));
                let progress = findings.progress();
                (base, resume) = (base + progress.consumed, progress.resume);
                if stop > long.len() {
                    break;
                }
            }
            for (got, expected) in got.iter().zip(&expected) {
                assert_eq!(got, expected, "in steps of {step} bytes");
            }
            assert_eq!(got.len(), expected.len(), "in steps of {step} bytes");
        }
    }
}

#[test]
fn an_attribute_is_the_same_in_every_window() {
    // whether brackets count is known at the closing quote only, which stands far away
    let inside = "y".repeat(40_000);
    let text = format!("<a href=\"http://a.example/x){inside}\"> and http://b.example/ end");
    for (finder, _) in finders() {
        let expected = whole(&finder, text.as_bytes());
        for chunk in [1000, 4096, 9000, 20_000] {
            let (got, _) = streamed(&finder, text.as_bytes(), chunk);
            assert_eq!(got, expected, "in chunks of {chunk} bytes");
        }
    }
}

#[test]
fn a_search_remembers_nothing_that_changes_what_it_finds() {
    for text in [
        "'http://a.example/x[q=http://b.example/[c'd] z",
        "'http://a.example/x[q|http://b.example/[c'd] z",
        "doi:10.1000/x[a=http://b.example/[cé] z",
        "doi:10.1000/a[é http://b.example/[cé] z",
        "http://a.example/[x=doi:10.1000/y[<z>1.2.CO;2-d] z",
    ] {
        for (finder, embedded) in finders() {
            let all = whole(&finder, text.as_bytes());
            let mut findings = finder.findings(text.as_bytes());
            for seen in 1..=all.len() {
                findings.next();
                // what is inside the last one found waits in the iterator
                if embedded {
                    continue;
                }
                let Progress { consumed, resume, .. } = findings.progress();
                let window = Window::resumed(&text.as_bytes()[consumed..], resume);
                let rest = finder.find_in(window, Rest::End);
                let rest: Vec<_> = rest.map(|finding| owned(&finding, consumed)).collect();
                assert_eq!(rest, all[seen..], "{text}");
            }
        }
    }
}

#[test]
fn a_window_holds_no_more_than_it_says() {
    let limit = 64 << 10;
    let finder = Finder::builder().max_uri(limit).build();
    let long = b"http://a.example/"
        .iter()
        .copied()
        .chain(std::iter::repeat_n(b'a', 300_000))
        .collect::<Vec<_>>();
    for text in [long_text(), vec![b' '; 300_000], vec![b'a'; 300_000], b"a:".repeat(150_000), long]
    {
        let (got, most) = streamed(&finder, &text, 4096);
        assert_eq!(got, whole(&finder, &text));
        assert!(most <= limit + 2 * Finder::LOOKAHEAD, "{most} bytes held");
    }
}

#[test]
fn limits_of_wrappers_are_exact() {
    // D3.5: the closing `>` comes within 4,096 bytes.
    let joined = |length: usize| {
        let text = format!("<http://a.example/\n{}>", "a".repeat(length));
        let m = Finder::new().find(text.as_bytes()).map(|m| m.flags().contains(Flag::Rejoined));
        m.unwrap_or(false)
    };
    assert!(joined(4000));
    assert!(!joined(4200));
    // D4.10: too long is rejected whole.
    let finder = Finder::builder().max_uri(1000).build();
    let text = format!("http://a.example/{} x", "a".repeat(983));
    assert_eq!(finder.find(text.as_bytes()).map(|m| m.uri().len()), Some(1000));
    let text = format!("http://a.example/{} x", "a".repeat(984));
    assert!(!finder.is_match(text.as_bytes()));
}

/// Pieces that start, wrap, cut or end a URI.
#[rustfmt::skip]
const TOKENS: [&str; 86] = [
    "http://", "https://", "ftp:", "urn:", "urn:isbn:", "mailto:", "//", "://", ":", "a.example",
    "[::1]", "/", "?", "#", "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "`", "*", "_", "|",
    "\\", "\\/", "\\-", "\\u0026", "\n", "\r\n", "\n> ", "\n * ", "> ", "# ", " ", "\t", ".", ",",
    ";", "!", "...", "\u{2026}", "\u{2014}", "%", "%4", "%41", "%s", "$x", "&amp;", "&quot;",
    "&lt;", "@", "^", "~", "+", "-", "=", "URL:", "URL=<", "\u{FC}", "\u{3042}", "\u{3002}",
    "\u{300C}", "\u{300D}", "\u{201C}", "\u{201D}", "\u{200B}", "\u{2764}", "\\url{", "](",
    "doi:10.1/", "\0",
    "www.", ".com", "example.com", "www.a.example/", "jo@example.com", "@example.com", "xn--p1ai",
    "\u{FF0E}", "\u{7E4B}\u{304C}\u{308B}", ".rs",
];

/// One piece of a random text.
#[derive(Clone, Debug)]
enum Piece {
    Corpus(Index, Index, Index),
    Token(Index),
    Filler(u8, usize),
    Bytes(Vec<u8>),
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        4 => (any::<Index>(), any::<Index>(), any::<Index>()).prop_map(|(a, b, c)| Piece::Corpus(a, b, c)),
        4 => any::<Index>().prop_map(Piece::Token),
        1 => (prop::sample::select(b" a\n./(:%-".to_vec()), 0..3000usize).prop_map(|(byte, n)| Piece::Filler(byte, n)),
        1 => prop::collection::vec(any::<u8>(), 0..8).prop_map(Piece::Bytes),
    ]
}

fn build(pieces: &[Piece], texts: &[Vec<u8>]) -> Vec<u8> {
    let mut text = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Corpus(which, from, length) => {
                let source = &texts[which.index(texts.len())];
                let from = from.index(source.len() + 1);
                let length = length.index(source.len() - from + 1).min(400);
                text.extend_from_slice(&source[from..from + length]);
            }
            Piece::Token(which) => {
                text.extend_from_slice(TOKENS[which.index(TOKENS.len())].as_bytes())
            }
            Piece::Filler(byte, n) => text.resize(text.len() + n, *byte),
            Piece::Bytes(bytes) => text.extend_from_slice(bytes),
        }
    }
    text
}

thread_local!(static TEXTS: Vec<Vec<u8>> = texts());

/// The same cases in every run; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for others.
fn config(cases: u32) -> ProptestConfig {
    let from_environment = ProptestConfig::default();
    let set = |name| std::env::var_os(name).is_some();
    ProptestConfig {
        cases: if set("PROPTEST_CASES") { from_environment.cases } else { cases },
        rng_seed: if set("PROPTEST_RNG_SEED") {
            from_environment.rng_seed
        } else {
            RngSeed::Fixed(3986)
        },
        failure_persistence: None,
        ..from_environment
    }
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn random_bytes_are_safe(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        for (finder, embedded) in finders() {
            check(&finder, &bytes, embedded);
        }
    }

    #[test]
    fn splices_are_in_order_and_valid(pieces in prop::collection::vec(piece(), 0..24)) {
        let text = TEXTS.with(|texts| build(&pieces, texts));
        for (finder, embedded) in finders() {
            check(&finder, &text, embedded);
        }
    }

    #[test]
    fn token_soup_is_in_order_and_valid(tokens in prop::collection::vec(0..TOKENS.len(), 0..40)) {
        let text = tokens.iter().flat_map(|&token| TOKENS[token].bytes()).collect::<Vec<_>>();
        for (finder, embedded) in finders() {
            check(&finder, &text, embedded);
        }
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn splices_are_the_same_in_every_window(
        pieces in prop::collection::vec(piece(), 0..48),
        chunk in prop_oneof![1..16usize, 16..9000usize],
        which in any::<Index>(),
    ) {
        let mut text = TEXTS.with(|texts| build(&pieces, texts));
        // Enough behind it, so that findings come before the end of the text.
        text.resize(text.len() + Finder::LOOKAHEAD + 500, b' ');
        let finders = finders();
        let (finder, _) = &finders[which.index(finders.len())];
        prop_assert_eq!(streamed(finder, &text, chunk).0, whole(finder, &text));
    }
}
