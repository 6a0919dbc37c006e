//! A search that skips text finds what the full search finds, filtered afterwards.

use std::fmt::Write;
use std::io::Read;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::RngSeed;
use urigrep::options::{Charset, Lax, Rejoin, Schemes};
use urigrep::search::{
    Flow, Hit, HitKind, Input, Mail, Markup, Rejections, Search, Selection, Sink,
};
use urigrep::{Finder, Finding, Kind};

use super::texts;

/// Prints all there is to know of each hit.
#[derive(Default)]
struct Printed(String);

impl Sink for Printed {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        let Finding::Match(m) = hit.finding() else { unreachable!("nothing else was asked for") };
        let (flags, wrapper, text) = (m.flags(), m.wrapper(), m.text());
        let (bytes, ranges) = (hit.bytes(), hit.ranges());
        let _ = writeln!(
            self.0,
            "{bytes:?} {} {:?} {} {wrapper} {flags:?} {ranges:?} {text:?}",
            m.uri(),
            m.iri(),
            m.kind()
        );
        Flow::Continue
    }
}

/// Gives so many bytes at a time.
struct Slow<'t>(&'t [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let most = self.1.min(to.len());
        self.0.read(&mut to[..most])
    }
}

fn search(
    finder: &Finder,
    selection: &Selection,
    threads: usize,
    rejections: Rejections,
) -> Search {
    Search::builder()
        .finder(finder.clone())
        .selection(selection.clone())
        .rejections(rejections)
        .mail(Mail::Never)
        .markup(Markup::Never)
        .threads(threads)
        .build()
        .expect("a search")
}

fn read(search: &Search, text: &[u8], piece: usize) -> String {
    let mut printed = Printed::default();
    search.reader(Slow(text, piece), &Input::named("text"), &mut printed);
    printed.0
}

/// Words that selections ask for, some of which the corpus has.
const SCHEMES: [&str; 12] = [
    "urn", "doi", "http", "https", "ftp", "mailto", "isbn", "git+ssh", "tel", "jar", "data", "x-y",
];
const HOSTS: [&str; 10] = [
    "a.example",
    "*.example",
    "www.example.org",
    "example.com",
    "*example*",
    "*.org",
    "b\u{fc}cher.example",
    "[[]::1]",
    "localhost",
    "exampl?.com",
];
const REGEXPS: [&str; 12] = [
    "wiki",
    "^http:",
    "example[.]org/[a-z]",
    "rfc|isbn",
    "(?i)EXAMPLE",
    "a.example/b",
    "[?&]q=",
    "%20x",
    "index.html",
    "^https?://[^/]*example",
    "3986",
    "b.*c",
];

fn selection() -> impl Strategy<Value = Selection> {
    let some = |of: &'static [&'static str]| proptest::collection::vec(select(of), 1..4);
    prop_oneof![
        some(&SCHEMES).prop_map(|schemes| Selection::builder().schemes(schemes)),
        some(&["isbn", "ietf", "uuid"]).prop_map(|nids| Selection::builder().nids(nids)),
        Just(Selection::builder().kinds([HitKind::Uri(Kind::Urn)])),
        some(&HOSTS).prop_map(|hosts| Selection::builder().hosts(hosts)),
        some(&["example", "a.example", "org"])
            .prop_map(|names| Selection::builder().domains(names)),
        (some(&REGEXPS), any::<bool>())
            .prop_map(|(all, case)| Selection::builder().regexps(all).ignore_case(case)),
    ]
    .prop_map(|builder| builder.build().expect("a selection"))
}

fn finder() -> impl Strategy<Value = Finder> {
    const REJOINS: [Rejoin; 4] = [Rejoin::Never, Rejoin::Wrapped, Rejoin::Hyphen, Rejoin::Always];
    (select(&REJOINS[..]), any::<[bool; 3]>(), select(&[64_usize, 4096, 20_000][..])).prop_map(
        |(rejoin, [ascii, strict, known], wrapper)| {
            let builder = Finder::builder().rejoin(rejoin).max_wrapper(wrapper);
            let builder = if ascii { builder.charset(Charset::Ascii) } else { builder };
            let builder = if strict { builder.lax(Lax::Reject) } else { builder };
            if known { builder.schemes(Schemes::Known).build() } else { builder.build() }
        },
    )
}

/// What the rules join, decode and leave out, around what is asked for.
const PIECES: [&str; 44] = [
    "\n",
    "\n",
    "\r\n",
    " ",
    "\n    ",
    "\n> ",
    "\n// ",
    "<",
    ">",
    "\"",
    "\"\n\"",
    "\" +\n  \"",
    "' .\n   '",
    "\\",
    "\\\n",
    "<URL:",
    "URL: ",
    "http://",
    "https://www.",
    "ftp://",
    "urn:",
    "urn:isbn:",
    "URN:ietf:rfc:",
    "doi:10.",
    "mailto:",
    "http\\://",
    "http:\\/\\/",
    "x-y://",
    "jar:",
    "a.example",
    "www.exam",
    "ple.org",
    "example.com",
    "localhost:80",
    "/wi",
    "ki",
    "\\u0061",
    "%20x",
    "?q=1&b",
    "index.html",
    "\u{fc}",
    "(",
    ")",
    ",",
];

fn text() -> impl Strategy<Value = Vec<u8>> {
    let made = proptest::collection::vec(select(&PIECES[..]), 0..120).prop_map(|all| all.concat());
    prop_oneof![
        3 => made.prop_map(String::into_bytes),
        1 => proptest::collection::vec((select(texts()), any::<bool>()), 1..6).prop_map(|all| {
            let line = |(text, ends): (Vec<u8>, bool)| [&text[..], if ends { b"\n" } else { b"" }].concat();
            all.into_iter().flat_map(line).collect()
        }),
        // so that there is more to skip than is made up for
        2 => filled(),
    ]
}

/// What is between the pieces of a text that has more to skip than is made up for: many candidates,
/// few or none.
const FILLERS: [&str; 4] = [
    "see http://skipped.example/a/b and <ftp://b.example/c>\n",
    "see http://skipped.example/a/b and\n",
    "nothing of the kind is in this line, nor in any other one like it\n",
    "a line, and \"quoted words\" or it's nothing\n",
];

fn filled() -> impl Strategy<Value = Vec<u8>> {
    let piece = (select(&PIECES[..]), select(&FILLERS[..]), 0_usize..60, any::<bool>());
    proptest::collection::vec(piece, 0..40).prop_map(|all| {
        let filled = all.iter().map(|&(piece, line, times, ends)| {
            [piece, if ends { "\n" } else { "" }, &line.repeat(times)].concat()
        });
        let pieces: String = all.iter().map(|(piece, ..)| *piece).collect();
        [filled.collect(), pieces].concat().into_bytes()
    })
}

fn cases(least: u32) -> ProptestConfig {
    let cases = std::env::var("URIGREP_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: cases.unwrap_or(least), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn as_the_full_search(
        text in text(), finder in finder(), selection in selection(), piece in prop_oneof![1_usize..40, Just(1 << 20)],
    ) {
        let full = read(&search(&finder, &selection, 1, Rejections::Counted), &text, 1 << 20);
        let near = read(&search(&finder, &selection, 1, Rejections::Ignored), &text, piece);
        prop_assert_eq!(near, full, "{:?}", String::from_utf8_lossy(&text));
    }
}

/// `https` ends a longer scheme, whose host is read by other rules, or follows one that has no
/// host.
#[test]
fn hosts_of_other_schemes() {
    let selection = Selection::builder().hosts(["*.example"]).build().expect("a selection");
    for text in [
        "<a.examplehttps://www.)a.example\n> ",
        "<xhttp://www.;a.example\n> ",
        "blob:https://a.example/9115d58c/\u{6771}",
    ] {
        let all = [Rejections::Counted, Rejections::Ignored].map(|rejections| {
            read(&search(&Finder::new(), &selection, 1, rejections), text.as_bytes(), 1 << 20)
        });
        assert_eq!(all[0], all[1], "{text}");
    }
}

/// Every text of the corpus, one behind the other and often enough that several threads share the
/// file.
#[test]
fn as_the_full_search_in_threads() {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        rng_seed: RngSeed::Fixed(24),
        ..ProptestConfig::default()
    });
    let once = texts().join(&b"\n\n"[..]);
    let text = once.repeat((5 << 20) / once.len() + 1);
    let file = std::env::temp_dir().join(format!("urigrep-near-{}", std::process::id()));
    std::fs::write(&file, &text).expect("a temporary file");
    for _ in 0..6 {
        let selection = selection().new_tree(&mut runner).expect("a selection").current();
        let hits = |threads, rejections| {
            let mut printed = Printed::default();
            let search = search(&Finder::new(), &selection, threads, rejections);
            search.run([&file], &mut printed).expect("a search");
            printed.0
        };
        let full = hits(1, Rejections::Counted);
        for threads in [1, 2, 4] {
            assert!(hits(threads, Rejections::Ignored) == full, "{threads} threads, {selection:?}");
        }
    }
    let _ = std::fs::remove_file(file);
}
