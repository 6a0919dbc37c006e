//! Suites of lines: a text and, on the next line or after a `.`, what becomes of it.

use std::path::Path;

use super::case::{Case, Cases, Expect, Reads};
use super::{Suite, read};

/// `linkify-it`: a line is a text; the next one, unless it is empty, its first link. `%` starts a
/// comment.
pub struct LinkifyIt;

impl Suite for LinkifyIt {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let line =
            |line: &&str| if line.starts_with('%') { String::new() } else { (*line).to_owned() };
        let mut links = Cases::of("links.txt");
        let text = read(directory, "test/fixtures/links.txt");
        let lines: Vec<_> = text.lines().collect();
        let mut lines = lines.iter().map(line).peekable();
        while let Some(text) = lines.next() {
            if !text.trim().is_empty() {
                let link =
                    lines.next_if(|next| !next.trim().is_empty()).unwrap_or_else(|| text.clone());
                links.add(text, Reads::Everything, Expect::First(Some(link)));
            }
        }
        let mut none = Cases::of("not_links.txt");
        let text = read(directory, "test/fixtures/not_links.txt");
        for text in text.lines().map(|text| line(&text)).filter(|text| !text.trim().is_empty()) {
            none.add(text, Reads::Everything, Expect::First(None));
        }
        Ok(links.done().into_iter().chain(none.done()).collect())
    }
}

/// cmark-gfm: examples of Markdown and of the HTML made of it, in the sections about autolinks.
pub struct CmarkGfm;

impl Suite for CmarkGfm {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let mut all = Vec::new();
        for file in ["extensions.txt", "spec.txt"] {
            let mut cases = Cases::of(file);
            let text = read(directory, &format!("test/{file}"));
            let mut is_about_autolinks = false;
            let mut lines = text.lines();
            while let Some(line) = lines.next() {
                if let Some(heading) = line.strip_prefix("## ") {
                    is_about_autolinks = heading.starts_with("Autolinks");
                } else if line.starts_with("````````````````") && line.contains("example") {
                    let example =
                        lines.by_ref().take_while(|line| !line.starts_with("````````````````"));
                    let example = example.collect::<Vec<_>>().join("\n").replace('→', "\t");
                    let (markdown, html) =
                        example.split_once("\n.\n").unwrap_or((&example, "<IGNORE>"));
                    if is_about_autolinks && html != "<IGNORE>" {
                        let markdown = markdown.to_owned() + "\n";
                        cases.add(markdown, Reads::Markdown, Expect::Links(links(html)));
                    }
                }
            }
            all.extend(cases.done());
        }
        Ok(all)
    }
}

/// The values of `href` and `src`.
fn links(html: &str) -> Vec<String> {
    let attributes = html.replace(" src=\"", " href=\"");
    let values = attributes.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    values.map(|value| value.replace("&amp;", "&")).collect()
}
