//! Random edits: what is shown is what an audit of the same texts says.

use std::fs;
use std::time::SystemTime;

use serde_json::{Value, json};

use super::client::{Client, position};
use crate::support::Dir;

const NAMES: [&str; 6] = ["a.md", "b.md", "docs/c.md", "docs/d.html", "e.rst", "f.adoc"];

/// What is inserted: links to each other, headings, broken things, and characters of all widths.
const PIECES: [&str; 25] = [
    "[a](a.md#one) ",
    "[b](b.md#two) ",
    "[c](docs/c.md#three) ",
    "[up](../a.md#one) ",
    "[g](g.md) ",
    "# One\n",
    "\n## Two\n\n",
    "\n# Three\n",
    "One\n===\n\n",
    "== Two\n",
    "<a id=two></a>",
    "<a href=\"../b.md#two\">x</a>",
    "`x <a.md#one>`_ ",
    "link:b.md#two[x] ",
    "xref:a.md#one[x] ",
    "[l][label] ",
    "\n[label]: b.md#two\n",
    "é😀",
    "\n\n",
    "<!-- urigrep-disable-line -->",
    "https://a.dev/x,",
    "```\n",
    "](",
    "[n](none.md) ",
    "x\r\ny\r\n",
];

/// A generator of numbers that a test can repeat.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, end: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % end.max(1) as u64) as usize
    }

    fn boundary(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !is_place(text, at) {
            at -= 1;
        }
        at
    }
}

/// The seed of `PROPTEST_RNG_SEED`, or one from the clock.
pub fn seed() -> u64 {
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let given = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| {
        u64::try_from(now().as_nanos() % u128::from(u64::MAX)).unwrap_or_default()
    })
}

/// True for an offset that an editor can name: not within a character or a line end.
fn is_place(text: &str, at: usize) -> bool {
    text.is_char_boundary(at) && text.get(at.saturating_sub(1)..at + 1) != Some("\r\n")
}

/// The findings of a fresh audit, in the form of [`Client::everything`].
fn audited(mirror: &Dir) -> Vec<String> {
    let ran = mirror.run(["audit", "--json", "--severity=note"]);
    let finding = |line: &str| {
        let object: Value = serde_json::from_str(line).expect("JSON");
        if object["type"] != "finding" {
            return None;
        }
        let text = |key: &str| object[key].as_str().unwrap_or_default();
        let hint = object["hint"].as_str().map(|hint| format!("; {hint}")).unwrap_or_default();
        let (line, path) = (&object["line"], text("path").trim_start_matches("./"));
        let (severity, check, message) = (text("severity"), text("check"), text("message"));
        Some(format!("{path}:{line}: {severity}[{check}]: {message}{hint}"))
    };
    let mut all: Vec<String> = ran.out().lines().filter_map(finding).collect();
    all.sort();
    all
}

#[test]
fn diagnostics_are_those_of_a_fresh_audit() {
    let edits: usize =
        std::env::var("URIGREP_LSP_EDITS").map_or(40, |it| it.parse().expect("a number"));
    let seed = seed();
    let mut random = Random(seed);
    let (dir, mirror) = (Dir::new(), Dir::new());
    for name in NAMES {
        dir.file(name, "# One\n\n").file("g.md", "");
        mirror.file(name, "# One\n\n").file("g.md", "");
    }
    let more = json!({"initializationOptions": {"severity": "note"}});
    let mut client = Client::start_with(&dir, &[], more);
    for edit in 0..edits {
        let name = NAMES[random.below(NAMES.len())];
        match random.below(20) {
            0 => {
                if client.texts.contains_key(name) {
                    client.close(name);
                    mirror.file(name, fs::read(dir.join(name)).unwrap());
                }
            }
            1 => {
                if client.texts.contains_key(name) {
                    client.save(name);
                }
            }
            2 => {
                // A file that only links know comes or goes.
                let is_there = dir.join("g.md").exists();
                for dir in [&dir, &mirror] {
                    if is_there {
                        fs::remove_file(dir.join("g.md")).unwrap()
                    } else {
                        dir.file("g.md", "# G\n");
                    }
                }
                client.files_changed(&["g.md"]);
            }
            _ => {
                if !client.texts.contains_key(name) {
                    client.open(name);
                }
                let text = client.texts[name].clone();
                let piece = PIECES[random.below(PIECES.len())];
                let start = random.boundary(&text);
                let is_deletion = random.below(4) == 0 || text.len() > 600;
                let end =
                    if is_deletion { (start + random.below(80)).min(text.len()) } else { start };
                let end = (end..=text.len()).find(|at| is_place(&text, *at)).unwrap();
                let piece = if is_deletion { "" } else { piece };
                let range = json!({"start": position(&text, start), "end": position(&text, end)});
                client.change(name, json!([{"range": range, "text": piece}]));
                let mut new = text;
                new.replace_range(start..end, piece);
                mirror.file(name, &new);
                client.texts.insert(name.to_owned(), new);
            }
        }
        // Some edits come before the last one was judged.
        if random.below(3) > 0 {
            client.settle();
            assert_eq!(
                client.everything(),
                audited(&mirror),
                "seed {seed}, edit {edit}, {:?}",
                client.texts
            );
        }
    }
    assert_eq!(client.end(), Some(0));
}
