//! The parts of a text that arrives in pieces read as the whole does.

use urigrep::change::{
    Edit, Replacement, SecretBlocks, TextDivider, apply, redacted_values, redacted_values_behind,
};
use urigrep::search::{Input, Search};
use urigrep::{Finder, Finding};

/// What may go on in the next line, what looks so, and what ends it.
const PIECES: [&str; 53] = [
    "\\\n",
    "http://a.example/b\\\r\n",
    "\n",
    "\n",
    "\n",
    "\n",
    "\r\n",
    " ",
    "x",
    "a b",
    ":",
    "\"",
    "'",
    "<",
    ">",
    "+",
    "{",
    "http://a.example/b",
    "https://joe:pw@a.example/?token=c0ffee1234abcd",
    "<http://a.example/",
    "\"http://a.example/",
    "http://",
    "www.",
    "a.example/c\"",
    "URL:",
    "urn:isbn:0451450523",
    "-",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "MIIEvQIBADANBgkq",
    "<password>",
    "</password>",
    "<p name=\"token\">",
    "</p>",
    "<p id=1",
    "Bearer",
    "s3Zq9x0Yw8Vu7Ts6R",
    "login joe password",
    "name: token",
    "value: s3cret1",
    "\nuser,password\n",
    "joe,s3cr3tX9\n",
    "\n| user | token |\n",
    "| joe | s3cr3tX9 |\n",
    "|---|---|\n",
    "<tr><th>user</th><th>password</th></tr>",
    "<tr><td>",
    "<td>s3cr3tX9",
    "</table>",
    "password ->",
    "&lt;password&gt;",
    "a long line of words ",
    "\x1b[31m",
];

fn random(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % below
}

fn findings(text: &[u8], offset: usize) -> Vec<(usize, usize, Option<String>)> {
    let finder = Finder::new();
    let found = finder.findings(text).map(|finding| {
        let uri = match &finding {
            Finding::Match(m) => Some(m.uri().into_owned()),
            _ => None,
        };
        (offset + finding.span().start(), offset + finding.span().end(), uri)
    });
    found.collect()
}

fn secrets(before: &[u8], text: &[u8], offset: usize) -> Vec<[u64; 2]> {
    let edits = redacted_values_behind(before, text, &[]);
    edits.iter().map(|edit| edit.bytes().map(|at| offset as u64 + at)).collect()
}

#[test]
fn parts_read_as_the_whole() {
    let search = Search::default();
    let divider = TextDivider::new(&search, SecretBlocks::Kept).expect("a plain finder");
    let cases = std::env::var("URIGREP_CASES").ok().and_then(|it| it.parse().ok());
    let mut state = 1;
    let mut divided = 0;
    for _ in 0..cases.unwrap_or(3000) {
        let count = 1 + random(&mut state, 60);
        let text: String = (0..count).map(|_| PIECES[random(&mut state, PIECES.len())]).collect();
        let text = text.as_bytes();
        let (mut found, mut hidden) = (Vec::new(), Vec::new());
        let (mut start, mut arrived, mut before) = (0, 0, Vec::new());
        while start < text.len() {
            arrived = (arrived + 1 + random(&mut state, 60)).min(text.len());
            let held = &text[start..arrived];
            let end = if arrived == text.len() {
                Some(held.len())
            } else {
                divider.end(held, held.len())
            };
            let Some(end) = end else { continue };
            divided += usize::from(start + end < text.len());
            found.extend(findings(&held[..end], start));
            hidden.extend(secrets(&before, &held[..end], start));
            before.extend_from_slice(&held[..end]);
            before = TextDivider::context(&before);
            start += end;
        }
        let shown = String::from_utf8_lossy(text);
        // Whether a bar ends a URI depends on the line before (D2.3), which a part does not have
        // (docs/reference/limits.md).
        if !text.contains(&b'|') {
            assert_eq!(found, findings(text, 0), "{shown:?}");
        }
        assert_eq!(hidden, secrets(b"", text, 0), "{shown:?}");
    }
    assert!(divided > 1000, "{divided}");
}

/// Parts of a long text change on their own, and give what the whole would.
#[test]
fn a_long_text_changes_by_parts() {
    let line =
        |n: usize| format!("{n} http://a.example/{n} and <http://a.example/x-\n  {n}> (\"y\"\n");
    let text: String = (0..20_000).map(line).collect();
    let finder = Finder::new();
    let edit = |finding: Finding<'_>| {
        let Finding::Match(m) = &finding else { panic!("{finding:?}") };
        let bytes = [m.start() as u64, m.end() as u64];
        // With the line break in it.
        let written = String::from_utf8_lossy(m.as_bytes());
        let to = Replacement::Uri(written.replace("a.example", "b.example"));
        Edit::new(bytes, m.as_bytes(), to)
    };
    let edits: Vec<Edit> = finder.findings(text.as_bytes()).map(edit).collect();
    assert_eq!(edits.len(), 40_000);
    let changed = apply(&Search::default(), &Input::named("a.txt"), text.as_bytes(), &edits);
    assert_eq!((changed.refused(), changed.applied().len()), (&[][..], edits.len()));
    assert!(changed.bytes() == text.replace("a.example", "b.example").as_bytes());
    for (index, applied) in changed.applied().iter().enumerate() {
        assert_eq!(applied.edit, index);
        let (old, new) =
            (&text.as_bytes()[applied.old.clone()], &changed.bytes()[applied.new.clone()]);
        assert_eq!((old, new), (&b"a"[..], &b"b"[..]));
    }
}

/// A key that a log cuts off ends somewhere, and so does an element without an end.
#[test]
fn what_is_held_back_is_bounded() {
    let search = Search::default();
    let divider = TextDivider::new(&search, SecretBlocks::Kept).expect("a plain finder");
    for start in ["-----BEGIN PRIVATE KEY-----\n", "a <token>\n"] {
        let text = start.to_owned() + &"12:30 started\n".repeat(5000);
        let text = text.as_bytes();
        assert_eq!(divider.end(&text[..1 << 10], 1 << 10), None);
        assert!(divider.end(text, text.len()).is_some_and(|end| end > text.len() / 2), "{start}");
        let hidden: Vec<_> = redacted_values(text, &[]).iter().map(|edit| edit.bytes()).collect();
        assert!(hidden.iter().all(|[_, end]| *end < 1 << 16), "{hidden:?}");
        let plain = TextDivider::new(&search, SecretBlocks::Divided).expect("a plain finder");
        assert_eq!(plain.end(&text[..start.len()], start.len()), Some(start.len()));
    }
}
