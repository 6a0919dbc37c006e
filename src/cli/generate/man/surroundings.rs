//! The sections of a manual page that the flags don't declare: ENVIRONMENT, FILES, and SEE ALSO.

use roff::{Roff, bold, roman};

/// A variable or file, and the pages that mention it. The page of the search has no name.
struct ManEntry {
    name: &'static str,
    text: &'static str,
    pages: &'static [&'static str],
}

const ALL: &[&str] = &[
    "",
    "audit",
    "compare",
    "diff",
    "lsp",
    "normalize",
    "parse",
    "registry",
    "replace",
    "resolve",
    "rule",
];
const READERS: &[&str] = &["", "audit", "diff", "replace"];

const ENVIRONMENT: &[ManEntry] = &[
    ManEntry {
        name: "URIGREP_CONFIG_PATH",
        text: "A file with flags for every search, one per line.",
        pages: &[""],
    },
    ManEntry {
        name: "NO_COLOR",
        text: "If it is set and not empty, no colours, unless --color always is given.",
        pages: ALL,
    },
    ManEntry {
        name: "TERM",
        text: "If it is dumb or not set, no colours and no hyperlinks.",
        pages: ALL,
    },
    ManEntry {
        name: "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY",
        text: "Proxies for --online, and the hosts that are asked without one.",
        pages: &["audit"],
    },
    ManEntry {
        name: "XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL",
        text: "Where git keeps the ignore file of the user.",
        pages: READERS,
    },
];

const FILES: &[ManEntry] = &[
    ManEntry {
        name: "urigrep.toml",
        text: "The settings of a project, in the directory of the first PATH or above it.",
        pages: &["", "audit", "lsp"],
    },
    ManEntry {
        name: ".gitignore, .ignore, .git/info/exclude",
        text: "Files that are not read in directories; --no-ignore reads them.",
        pages: READERS,
    },
    ManEntry {
        name: "$XDG_CONFIG_HOME/git/ignore",
        text: "The same for all repositories of a user.",
        pages: READERS,
    },
];

/// Appends the sections to the page of a verb, or of the search.
pub fn sections(page: &str, other_pages: impl Iterator<Item = String>, roff: &mut Roff) {
    for (heading, entries) in [("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)] {
        let entries: Vec<_> = entries.iter().filter(|entry| entry.pages.contains(&page)).collect();
        roff.control("SH", [heading]);
        if entries.is_empty() {
            roff.text([roman("None.")]);
        }
        for entry in entries {
            roff.control("TP", []);
            roff.text([bold(entry.name)]);
            roff.text([roman(entry.text)]);
        }
    }
    roff.control("SH", ["SEE ALSO"]);
    let mut names = Vec::new();
    for name in other_pages {
        if !names.is_empty() {
            names.push(roman(", "));
        }
        names.extend([bold(name), roman("(1)")]);
    }
    roff.text(names);
    roff.control("PP", []);
    let repository = env!("CARGO_PKG_REPOSITORY");
    roff.text([roman(format!("The guide: {repository}/tree/main/docs/guide"))]);
}
