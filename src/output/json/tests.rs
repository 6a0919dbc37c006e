//! Compares the strings and hits that are written here with those of serde.

use proptest::prelude::*;

use super::super::escape::is_unsafe;
use super::string::push_string;
use super::*;
use crate::reference::Normalizer;
use crate::search::{Flow, Hit, HitRecord, Input, Rejections, Report, Search, Sink};
use crate::{Finder, Grammar};

/// Writes as serde and `serde_json` do, one character at a time.
fn appended(object: &impl Serialize) -> Vec<u8> {
    let mut out = Vec::new();
    append(object, &mut out);
    out
}

fn pushed(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    push_string(text, &mut out);
    out
}

/// Every escaped character decodes to itself.
#[test]
fn strings_mean_the_same() {
    let all: String = ('\0'..=char::MAX).collect();
    let out = appended(&all);
    assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), all);
    assert!(out == pushed(&all));
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.chars().find(|c| is_unsafe(*c)), None);
    let expected = "\"a\\u009bb\\udb40\\udc61\\u007fé\\u2028\"";
    assert_eq!(appended(&"a\u{9b}b\u{e0061}\u{7f}é\u{2028}"), expected.as_bytes());
}

/// Text with characters that a string escapes, or that come close to one.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,20}",
        any::<String>(),
        prop::sample::select(vec![
            "\"",
            "\\",
            "\n",
            "\0",
            "\u{1b}",
            "\u{7f}",
            "\u{80}",
            "\u{9b}",
            "\u{2027}",
            "\u{2028}",
            "\u{202e}",
            "\u{d7ff}",
            "\u{e000}",
            "\u{ffff}",
            "\u{10000}",
            "\u{e0061}",
            "\u{10ffff}",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// Compares the two ways to write each hit.
#[derive(Default)]
struct Twins(usize);

impl Sink for Twins {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        let (mut direct, mut by_serde) = (Vec::new(), Vec::new());
        push_hit(hit, &Normalizer::new(), &mut direct);
        push(&HitRecord::new(hit), &mut by_serde);
        let [direct, by_serde] =
            [direct, by_serde].map(|line| String::from_utf8_lossy(&line).into_owned());
        assert_eq!(direct, by_serde);
        self.0 += 1;
        Flow::Continue
    }
}

/// Returns the number of hits in a file of this name.
fn compare(name: &str, text: &[u8], grammar: Grammar) -> usize {
    let search = Search::builder()
        .finder(Finder::builder().grammar(grammar).build())
        .report(Report::All)
        .rejections(Rejections::Counted)
        .build()
        .unwrap();
    let mut twins = Twins::default();
    search.reader(text, &Input::named(name), &mut twins);
    twins.0
}

proptest! {
    #[test]
    fn strings_are_those_of_serde_json(text in text()) {
        prop_assert_eq!(pushed(&text), appended(&text));
    }

    #[test]
    fn hits_are_those_of_serde(
        before in text(),
        uri in prop::sample::select(vec![
            "http://joe:pw@a.example:8080/b%20c?d=e#f",
            "http://127.1/",
            "urn:isbn:0451450524?+r?=q#f",
            "http://{b}/",
            "doi:10.1000/ABC",
            "http://a.example/\\_b\\_c",
            "<http://a.example/\nb>",
        ]),
        after in text(),
    ) {
        compare("a.txt", format!("{before} {uri} {after}").as_bytes(), Grammar::default());
    }
}

/// Documents, mail, and bytes that are not UTF-8: half of a surrogate pair, Latin-1.
#[test]
fn hits_of_documents_are_those_of_serde() {
    let texts: [(&str, &[u8]); 6] = [
        ("a.md", b"[a \"b\"](http://a.example/b) <http://b.example/\xed\xa0\x80>"),
        ("a.html", b"<p id=a><a href='http://a.example/?a&amp;b'>\x1b c</a>"),
        ("a.mbox", b"From a\nMessage-ID: <a@b>\nFrom: J\\o \"e\" <j@b>\nSubject: =?utf-8?q?=C3=A9?=\n\nhttp://a.example/\n"),
        ("a.csv", b"a,b\nhttp://a.example/,urn:isbn:0451450523\n"),
        ("a.txt", b"http://\xe9.example/\xe9 http://\xc3\xa9.example/\xc3\xa9 http://a.example/\xff"),
        ("\u{202e}a", b"http:\\/\\/a.example\\/ urn:x urn:a:b ISBN 0451450523 http://a.example/%zz"),
    ];
    for (name, text) in texts {
        for grammar in [Grammar::default(), Grammar::Rfc2141bis01] {
            assert!(compare(name, text, grammar) > 0, "{name}");
        }
    }
}
