//! The suite of twitter-text: items of `text:` and `expected:` in sections, in YAML of one shape.

use std::path::Path;

use super::case::{Case, Cases, Expect, Reads};
use super::tokens::quoted;
use super::{Suite, read};

pub struct TwitterText;

const SECTIONS: [&str; 5] = [
    "urls:",
    "urls_without_protocol:",
    "urls_with_indices:",
    "urls_with_directional_markers:",
    "tco_urls_with_params:",
];

impl Suite for TwitterText {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let mut all = Vec::new();
        for file in ["extract.yml", "validate.yml"] {
            let mut cases = Cases::of(file);
            let source = read(directory, &format!("conformance/{file}"));
            let (mut is_wanted, mut open) = (false, None);
            for line in source.lines() {
                if line.starts_with("  ") && !line.starts_with("   ") {
                    is_wanted = SECTIONS.contains(&line.trim());
                }
                if is_wanted {
                    item(line.trim(), &mut open, &mut cases);
                }
            }
            close(&mut open, &mut cases);
            all.extend(cases.done());
        }
        Ok(all)
    }
}

/// A text whose links are being listed.
type Open = Option<(String, Vec<String>)>;

fn close(open: &mut Open, cases: &mut Cases) {
    if let Some((text, links)) = open.take() {
        cases.add(text, Reads::Abbreviated, Expect::Links(links));
    }
}

/// One line of an item.
fn item(line: &str, open: &mut Open, cases: &mut Cases) {
    if let Some(text) = line.strip_prefix("text:") {
        close(open, cases);
        *open = strings(text).into_iter().next().map(|text| (text, Vec::new()));
    } else if let Some(expected) = line.strip_prefix("expected:") {
        match expected.trim() {
            verdict @ ("true" | "false") => {
                if let Some((text, _)) = open.take() {
                    cases.add(text, Reads::Abbreviated, Expect::Whole(verdict == "true"));
                }
            }
            list => open.iter_mut().for_each(|(_, links)| links.extend(strings(list))),
        }
    } else if let Some(link) =
        line.strip_prefix("- url:").or_else(|| line.strip_prefix("- \"").map(|_| &line[2..]))
    {
        open.iter_mut().for_each(|(_, links)| links.extend(strings(link)));
    }
}

/// The quoted strings of a line.
fn strings(mut line: &str) -> Vec<String> {
    let mut strings = Vec::new();
    while let Some(start) = line.find(['"', '\'']) {
        let quote = if line[start..].starts_with('"') { '"' } else { '\'' };
        let (string, rest) = quoted(&line[start + 1..], quote, quote == '\'');
        strings.push(string);
        line = rest;
    }
    strings
}
