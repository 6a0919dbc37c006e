//! Changes of texts, over the documents of all formats: only the spans change, and they read back.

mod divide;

use std::fs;
use std::path::{Path, PathBuf};

use urigrep::change::{self, Changed, Edit, Refusal, Replacement};
use urigrep::document::{FORMATS, Format};
use urigrep::search::{Dedupe, Flow, Hit, Input, Level, Markup, Search, Sink};

/// URIs of a text: their places, what is written, and what is read.
#[derive(Default)]
struct Uris(Vec<FoundUri>);

#[derive(Clone, Debug)]
struct FoundUri {
    bytes: [u64; 2],
    written: Vec<u8>,
    uri: String,
    is_member: bool,
}

impl Sink for Uris {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        self.0.push(FoundUri {
            bytes: hit.bytes(),
            written: hit.finding().as_bytes().to_vec(),
            uri: hit.uri().into_owned(),
            is_member: hit.input().level() == Level::Member,
        });
        Flow::Continue
    }
}

fn search(format: Option<Format>) -> Search {
    let markup = format.map_or(Markup::Never, Markup::Always);
    Search::builder().markup(markup).dedupe(Dedupe::Never).build().expect("a search")
}

fn uris(search: &Search, text: &[u8]) -> Vec<FoundUri> {
    let mut uris = Uris::default();
    search.reader(text, &Input::named("text"), &mut uris);
    uris.0.retain(|uri| !uri.is_member);
    uris.0
}

fn apply(search: &Search, text: &[u8], edits: &[Edit]) -> Changed {
    change::apply(search, &Input::named("text"), text, edits)
}

fn examples() -> Vec<(PathBuf, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/documents");
    let files = fs::read_dir(corpus).expect("the corpus").map(|entry| entry.expect("an entry"));
    let mut examples: Vec<_> = files
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), fs::read(&path).expect("a file")))
        .collect();
    examples.sort();
    examples
}

/// What is written in place of a URI: some need an escape in each format.
const NEW: [&str; 5] = [
    "https://new.example/a",
    "https://new.example/a?b=1&copy=2&lt=3",
    "https://new.example/a_(b",
    "https://new.example/a)b*c_d'e",
    "urn:example:new",
];

/// Asserts that nothing outside of the edits changed, and returns the number of edits.
fn assert_only_spans(old: &[u8], changed: &Changed, edits: &[Edit], what: &str) -> usize {
    let new = changed.bytes();
    let (mut from_old, mut from_new) = (0, 0);
    for applied in changed.applied() {
        assert_eq!(old[from_old..applied.old.start], new[from_new..applied.new.start], "{what}");
        let [start, end] =
            edits[applied.edit].bytes().map(|at| usize::try_from(at).expect("small"));
        assert!(start <= applied.old.start && applied.old.end <= end, "{what}");
        (from_old, from_new) = (applied.old.end, applied.new.end);
    }
    assert_eq!(old[from_old..], new[from_new..], "{what}");
    changed.applied().len()
}

#[test]
fn only_the_spans_change_in_every_format() {
    let (mut made, mut refused) = (0, 0);
    let formats: Vec<Option<Format>> = FORMATS.iter().copied().map(Some).chain([None]).collect();
    for (number, (path, text)) in examples().into_iter().enumerate() {
        for (row, format) in formats.iter().enumerate() {
            let search = search(*format);
            let old = uris(&search, &text);
            if old.is_empty() {
                continue;
            }
            // Two of them per document and format, to save time; over all, each is used with each.
            for new in [NEW[(number + row) % NEW.len()], NEW[(number + row + 2) % NEW.len()]] {
                let what = format!("{} as {format:?}: {new}", path.display());
                let to = || Replacement::Uri(new.to_owned());
                let edit = |uri: &FoundUri| Edit::new(uri.bytes, uri.written.clone(), to());
                // Every second URI, so that others stand between them.
                let edits: Vec<Edit> = old.iter().step_by(2).map(edit).collect();
                let changed = apply(&search, &text, &edits);
                made += assert_only_spans(&text, &changed, &edits, &what);
                refused += changed.refused().len();
                if changed.applied().is_empty() {
                    continue;
                }
                // What was applied is read back, and everything else reads as before.
                let is_applied = |uri: &FoundUri| {
                    changed.applied().iter().any(|it| edits[it.edit].bytes() == uri.bytes)
                };
                let expected: Vec<&str> =
                    old.iter().map(|uri| if is_applied(uri) { new } else { &uri.uri }).collect();
                let read = uris(&search, changed.bytes());
                let read: Vec<&str> = read.iter().map(|uri| uri.uri.as_str()).collect();
                assert_eq!(read, expected, "{what}");
            }
        }
    }
    assert!(made > 3_000 && refused < made / 2, "{made} made, {refused} refused");
}

#[test]
fn what_is_not_there_is_refused() {
    let text = b"see http://a.example/b and http://a.example/c";
    let search = search(None);
    let to = || Replacement::Uri("http://b.example/".to_owned());
    let refused = |edits: &[Edit]| apply(&search, text, edits).refused().to_vec();
    assert_eq!(refused(&[Edit::new([4, 22], "http://a.example/b", to())]), []);
    for edit in [
        Edit::new([4, 22], "http://a.example/x", to()),
        Edit::new([4, 21], "http://a.example/", to()),
        Edit::new([4, 400], "http://a.example/b", to()),
        Edit::new([22, 4], "http://a.example/b", to()),
    ] {
        assert_eq!(refused(&[edit]), [(0, Refusal::Changed)]);
    }
    // The same change twice is one change.
    let edit = Edit::new([4, 22], "http://a.example/b", to());
    assert_eq!(apply(&search, text, &[edit.clone(), edit]).applied().len(), 1);
    let base64 = b"MIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\nc2VlIGh0dHA6Ly9hLmV4YW1wbGUvYg==\n";
    let mail = self::search(Some(Format::MAIL));
    let found = uris(&mail, base64);
    let edit = Edit::new(found[0].bytes, found[0].written.clone(), to());
    assert_eq!(apply(&mail, base64, &[edit]).refused(), [(0, Refusal::Encoded)]);
    let binary = b"see http://a.example/b\0";
    let edit = Edit::new([4, 22], "http://a.example/b", to());
    assert_eq!(apply(&search, binary, &[edit]).refused(), [(0, Refusal::Binary)]);
}

/// Each link was written and read alone, in each spelling: 25 kB took 9 s, and of 2,000 links some
/// were refused.
#[test]
fn many_links_that_need_an_escape() {
    let links = 2000;
    let text = "[a](http://a.example/b) ".repeat(links).into_bytes();
    let search = search(Some(Format::MARKDOWN));
    let edits: Vec<Edit> = uris(&search, &text)
        .into_iter()
        .map(|uri| {
            let to = Replacement::Uri("http://a.example/(b".to_owned());
            Edit::new(uri.bytes, uri.written, to)
        })
        .collect();
    assert_eq!(edits.len(), links);
    let changed = apply(&search, &text, &edits);
    assert_eq!(changed.refused(), []);
    assert!(changed.bytes().starts_with(b"[a](http://a.example/\\(b) [a]"));
}

/// One edit that a document cannot take does not keep the others from being made.
#[test]
fn one_link_that_cannot_change() {
    let mut text = String::new();
    for number in 0..40 {
        text += &format!("* `a` [b{number}](http://a.example/{number})\n");
    }
    let search = search(Some(Format::MARKDOWN));
    let edits: Vec<Edit> = uris(&search, text.as_bytes())
        .into_iter()
        .enumerate()
        .map(|(number, uri)| {
            let to =
                if number == 17 { "http://b.example/<x>\n\n# y" } else { "http://b.example/(z" };
            Edit::new(uri.bytes, uri.written, Replacement::Uri(to.to_owned()))
        })
        .collect();
    let changed = apply(&search, text.as_bytes(), &edits);
    assert_eq!(changed.applied().len(), 39, "{:?}", changed.refused());
    assert!(matches!(changed.refused(), [(17, _)]), "{:?}", changed.refused());
}

/// Each read blamed one edit, so that a text of 125 kB was read thousands of times.
#[test]
fn many_edits_that_are_not_read_back() {
    let count = 4000;
    let text = "http://a.example/ x\n".repeat(count).into_bytes();
    let search = search(None);
    let edits: Vec<Edit> = uris(&search, &text)
        .into_iter()
        .map(|uri| {
            let to = Replacement::Uri("http://a.example/z.".to_owned());
            Edit::new(uri.bytes, uri.written, to)
        })
        .collect();
    assert_eq!(edits.len(), count);
    let ((changed, reads), once) = {
        let (_, once) = crate::timing::time(|| apply(&search, &text, &edits[..1]));
        let (changed, all) = crate::timing::time(|| apply(&search, &text, &edits));
        ((changed, all), once)
    };
    assert_eq!(changed.refused().len(), count);
    assert!(reads < once.max(crate::timing::NOISE) * 600, "{reads:?} for {once:?}");
}
