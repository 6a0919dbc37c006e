//! Fixes in every markup: only the destinations change, whatever the encoding and the line ends;
//! nothing is left to fix, and a second run changes nothing.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::support::Dir;
use crate::support::pack::gzip;

/// A link of a markup: `{}` is its destination.
struct Markup {
    file: &'static str,
    /// What is before the links and behind them.
    around: [&'static str; 2],
    link: &'static str,
    /// How a destination is written.
    escape: fn(&str) -> String,
    faults: &'static [Fault],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Case,
    Moved,
    Extension,
    Slash,
    Anchor,
    Lax,
    Percent,
    Junk,
    Spelling,
    Spaces,
}

use Fault::{Anchor, Case, Extension, Junk, Lax, Moved, Percent, Slash, Spaces, Spelling};

const WEB: &[Fault] = &[Lax, Percent, Junk, Spelling];
const ALL: &[Fault] = &[Case, Moved, Extension, Slash, Anchor, Lax, Percent, Junk, Spelling];
const MARKDOWN: &[Fault] =
    &[Case, Moved, Extension, Slash, Anchor, Lax, Percent, Junk, Spelling, Spaces];

impl Fault {
    /// The destination before and after the fix.
    fn pair(self) -> (&'static str, &'static str) {
        match self {
            Case => ("./lib/Setup.md", "./lib/setup.md"),
            Moved => ("./lib/tutorial.md#top", "./lib/guide/tutorial.md#top"),
            Extension => ("./lib/guide/tutorial", "./lib/guide/tutorial.md"),
            Slash => ("./lib/setup/", "./lib/setup.md"),
            Anchor => ("./lib/setup.md#getting_started", "./lib/setup.md#getting-started"),
            Lax => ("https://a.dev/b|c?d=1&e=2", "https://a.dev/b%7Cc?d=1&e=2"),
            Percent => ("https://a.dev/50%-off?a&b", "https://a.dev/50%25-off?a&b"),
            Junk => ("https://a.dev/page,", "https://a.dev/page"),
            Spelling => ("HTTPS://A.dev/b/../c?d&e", "https://a.dev/c?d&e"),
            Spaces => ("lib/my file.md", "lib/my%20file.md"),
        }
    }
}

fn plain(text: &str) -> String {
    text.to_owned()
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;")
}

fn tex(text: &str) -> String {
    text.replace('%', "\\%").replace('&', "\\&")
}

const MARKUPS: &[Markup] = &[
    Markup {
        file: "a.md",
        around: ["# T\n\n", ""],
        link: "text [a]({}) *é*\n\n",
        escape: plain,
        faults: MARKDOWN,
    },
    Markup {
        file: "b.md",
        around: ["", ""],
        link: "* ![a]({} \"t\")\n\n  more\n\n",
        escape: html,
        faults: ALL,
    },
    Markup {
        file: "c.md",
        around: ["[a]\n\n", ""],
        link: "[a]: {}\n\n",
        escape: plain,
        faults: &[Case],
    },
    Markup {
        file: "a.mdx",
        around: ["# T\n\n", ""],
        link: "text [a]({}) é\n\n",
        escape: plain,
        faults: MARKDOWN,
    },
    Markup {
        file: "a.html",
        around: ["<!doctype html><title>t</title>\n", "<p>é</p>\n"],
        link: "<p><a href=\"{}\">x</a></p>\n",
        escape: html,
        faults: ALL,
    },
    Markup {
        file: "b.html",
        around: ["<!doctype html><title>t</title>\n", ""],
        link: "<p><img\n src='{}' alt=é></p>\n",
        escape: html,
        faults: ALL,
    },
    Markup {
        file: "a.svg",
        around: ["<svg xmlns='http://www.w3.org/2000/svg'>\n", "</svg>\n"],
        link: "<a href=\"{}\"><text>é</text></a>\n",
        escape: html,
        faults: &[Case, Moved, Lax, Percent, Junk, Spelling],
    },
    Markup {
        file: "a.css",
        around: ["/* é */\n", ""],
        link: "a { background: url({}) }\n",
        escape: plain,
        faults: &[Case, Moved],
    },
    Markup {
        file: "a.rst",
        around: ["T\n=\n\n", ""],
        link: "text `é <{}>`__ more\n\n",
        escape: plain,
        faults: ALL,
    },
    Markup {
        file: "b.rst",
        around: ["T\n=\n\n", ""],
        link: ".. image:: {}\n   :alt: é\n\n",
        escape: plain,
        faults: &[Case, Moved],
    },
    Markup {
        file: "a.adoc",
        around: ["= T\n\n", ""],
        link: "text link:{}[é] more\n\n",
        escape: plain,
        faults: ALL,
    },
    Markup {
        file: "a.org",
        around: ["* T\n\n", ""],
        link: "text [[{}][é]] more\n\n",
        escape: plain,
        faults: ALL,
    },
    Markup {
        file: "a.tex",
        around: ["\\documentclass{article}\n\\begin{document}\n", "\\end{document}\n"],
        link: "é\\footnote{\\href{{}}{b}} c\n\n",
        escape: tex,
        faults: WEB,
    },
    Markup {
        file: "b.tex",
        around: ["\\documentclass{article}\n\\begin{document}\n", "\\end{document}\n"],
        link: "é \\includegraphics[width=2cm]{{}} c\n\n",
        escape: plain,
        faults: &[Case],
    },
    Markup {
        file: "a.typ",
        around: ["= T\n\n", ""],
        link: "text #link(\"{}\")[é] more\n\n",
        escape: plain,
        faults: ALL,
    },
    Markup {
        file: "a.texi",
        around: ["@node Top\n", ""],
        link: "text @url{{}, é} more\n\n",
        escape: plain,
        faults: &[Case, Moved, Lax, Percent, Spelling],
    },
    Markup {
        file: "a.textile",
        around: ["h1. T\n\n", ""],
        link: "text \"é\":{} more\n\n",
        escape: plain,
        faults: &[Case, Moved, Extension, Percent],
    },
    Markup {
        file: "a.mediawiki",
        around: ["== T ==\n\n", ""],
        link: "text [{} é] more\n\n",
        escape: plain,
        faults: &[Percent, Spelling],
    },
    Markup {
        file: "a.dokuwiki",
        around: ["== T ==\n\n", ""],
        link: "text [[{}|é]] more\n\n",
        escape: plain,
        faults: &[Percent, Spelling],
    },
    Markup {
        file: "a.1",
        around: [".TH A 1\n", ""],
        link: ".UR {}\né\n.UE\n",
        escape: plain,
        faults: &[Percent, Spelling],
    },
    Markup {
        file: "a.ipynb",
        around: [
            "{\"cells\":[{\"cell_type\":\"markdown\",\"metadata\":{},\"source\":[\"# T\\n\",\"\\n\",\n",
            "\"\\u00e9 \\\"end\\\"\"]}],\"metadata\":{},\"nbformat\":4,\"nbformat_minor\":5}\n",
        ],
        link: "\"text [a]({}) \\\"é\\\"\\n\",\"\\n\",\n",
        escape: plain,
        faults: MARKDOWN,
    },
    Markup {
        file: "b.ipynb",
        around: [
            "{\"cells\":[{\"cell_type\":\"markdown\",\"metadata\":{},\"source\":[\"# T\\n\",\"\\n\",\n",
            "\"\\u00e9 \\\"end\\\"\"]}],\"metadata\":{},\"nbformat\":4,\"nbformat_minor\":5}\n",
        ],
        link: "\"<a href=\\\"{}\\\">é</a>\\n\",\"\\n\",\n",
        escape: html,
        faults: ALL,
    },
];

type Encode = fn(&str) -> Vec<u8>;

/// Encodings and line ends of a text.
const VARIANTS: [(&str, Encode); 5] = [
    ("lf", |text| text.as_bytes().to_vec()),
    ("crlf", |text| text.replace('\n', "\r\n").into_bytes()),
    ("bom-open", |text| format!("\u{FEFF}{}", text.trim_end_matches('\n')).into_bytes()),
    ("utf16", |text| {
        let text = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }),
    // Not UTF-8: each `é` is one byte.
    ("latin1", |text| text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect()),
];

impl Markup {
    /// Returns a document with all faults, or with their fixes.
    fn text(&self, is_fixed: bool) -> String {
        let link = |to: &str| self.link.replace("{}", &(self.escape)(to));
        // Sound links between them stay as they are.
        let good = link("https://good.dev/?a=1&b");
        let links = self.faults.iter().map(|fault| {
            let (faulty, fixed) = fault.pair();
            format!("{}{good}", link(if is_fixed { fixed } else { faulty }))
        });
        let [before, after] = self.around;
        format!("{before}{good}{}{after}", links.collect::<String>())
    }
}

fn tree() -> Dir {
    let dir = Dir::new();
    dir.git(&["init", "-q"]);
    dir.file("lib/setup.md", "# Setup\n\n## Getting started\n");
    dir.file("lib/guide/tutorial.md", "# T\n").file("lib/my file.md", "# M\n");
    dir
}

#[test]
fn every_fault_is_fixed_in_every_markup() {
    let dir = tree();
    let mut expected = BTreeMap::new();
    for markup in MARKUPS {
        for (variant, encode) in VARIANTS {
            // A notebook is JSON, which is UTF-8 (RFC 8259 section 8.1).
            if markup.file.ends_with(".ipynb") && variant != "lf" && variant != "crlf" {
                continue;
            }
            let name = format!("{variant}-{}", markup.file);
            dir.file(&name, encode(&markup.text(false)));
            expected.insert(name, encode(&markup.text(true)));
        }
    }
    let fix =
        |args: &[&str]| dir.run(["audit", "--severity=note", "--exit-zero"].iter().chain(args));
    let ran = fix(&["--fix"]);
    let mut wrong = Vec::new();
    for (name, expected) in &expected {
        let got = fs::read(dir.join(name)).expect("a file");
        if got != *expected {
            wrong.push(format!("{name}: {}", String::from_utf8_lossy(&got)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}\n{}", wrong.len(), wrong.join("\n"), ran.stderr);
    assert_eq!(fix(&["--fix"]).stderr, "urigrep: fixed 0 links in 0 files\n");
    let left = dir.run(["audit", "--severity=note", "--json"]);
    let left: Vec<Value> =
        left.out().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let left: Vec<&Value> = left.iter().filter(|it| it["fix"].is_object()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn links_follow_the_redirects_of_the_site() {
    let sites = [
        (
            "mkdocs.yml",
            "plugins:\n  - redirects:\n      redirect_maps:\n        old.md: new/page.md\n",
        ),
        ("book.toml", "[output.html.redirect]\n\"/old.html\" = \"new/page.html\"\n"),
        ("public/_redirects", "/old /new/page\n/late /new/page 302\n"),
        ("vercel.json", r#"{"redirects": [{"source": "/old", "destination": "/new/page"}]}"#),
    ];
    // The settings, the document, its text, and its text afterwards.
    let rows = [
        (0, "docs/a.md", "[x](old.md#use)\n", "[x](new/page.md#use)\n"),
        (1, "src/a.md", "[x](old.html)\n", "[x](new/page.html)\n"),
        (
            2,
            "a.md",
            "[x](/old#use) [y](/late) [z](./old)\n",
            "[x](/new/page#use) [y](/late) [z](./new/page)\n",
        ),
        (3, "guide/a.md", "[x](/old) [y](../old)\n", "[x](/new/page) [y](../new/page)\n"),
    ];
    for (site, document, text, fixed) in rows {
        let dir = Dir::new();
        dir.git(&["init", "-q"]);
        let (settings, content) = sites[site];
        dir.file(settings, content).file(document, text);
        if site > 1 {
            dir.file(".vitepress/config.js", "export default { cleanUrls: true }\n");
        }
        let root = document.rsplit_once('/').map_or("", |(root, _)| root.trim_end_matches("guide"));
        let page = std::path::Path::new(root).join("new/page.md");
        dir.file(page, "# Page\n\n## Use\n");
        dir.run(["audit", "--fix"]);
        assert_eq!(fs::read_to_string(dir.join(document)).expect("a file"), text, "{settings}");
        let ran = dir.run(["audit", "--fix", "--check", "moved-link"]);
        assert_eq!(fs::read_to_string(dir.join(document)).expect("a file"), fixed, "{settings}");
        assert_eq!(ran.status, Some(0), "{settings}: {}", ran.out());
    }
}

/// A hook names the files of a commit, but the whole checkout says where a file went.
#[test]
fn a_part_of_a_checkout_is_fixed_like_the_whole() {
    let dir = Dir::new();
    dir.git(&["init", "-q"]);
    dir.file("a.md", "[x](moved.md) [y](twice.md)\n").file("lib/moved.md", "# M\n");
    dir.file("lib/twice.md", "# T\n").file("other/twice.md", "# T\n");
    dir.run(["audit", "--fix", "a.md"]);
    let text = fs::read_to_string(dir.join("a.md")).expect("a file");
    assert_eq!(text, "[x](lib/moved.md) [y](twice.md)\n");
}

/// What cannot be written is said: the pages of a book are inside of it.
#[test]
fn members_stay() {
    let dir = Dir::new();
    let book = super::binary_audit::book();
    let packed = gzip(b"[x](https://a.dev/50%-off)\n");
    dir.file("a.epub", &book).file("a.md.gz", &packed);
    for (name, bytes) in [("a.epub", &book), ("a.md.gz", &packed)] {
        let ran = dir.run(["audit", "--fix", name]);
        let said = "urigrep: 1 link not fixed: inside a compressed file or archive\n\
                    urigrep: fixed 0 links in 0 files\n";
        assert_eq!((ran.stderr.as_str(), ran.status), (said, Some(1)), "{name}");
        assert_eq!(fs::read(dir.join(name)).expect("a file"), *bytes, "{name}");
    }
}
