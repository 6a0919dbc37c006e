//! Mutation: a working link is broken, and an audit must notice, or say why it can't judge it.
//!
//! Links are found here by their looks alone, so that those are tried as well that a reader of
//! documents does not see.

use std::fs;
use std::path::{Path, PathBuf};

use urigrep::audit::{AuditOutcome, Auditor, Filter, Severity};
use urigrep::search::Input;

use super::sites;

/// What is added to the name of a file or anchor.
const BROKEN: &str = "zz9";

/// How many links of a tree are broken at most.
const MAX_LINKS: usize = 200;

/// A destination in a document.
#[derive(Clone, Debug)]
struct Place {
    document: PathBuf,
    start: usize,
    end: usize,
}

/// What an audit says of a document, by where it says it.
fn findings(document: &Path) -> Vec<(usize, usize)> {
    let mut filter = Filter::default();
    filter.least = Severity::Note;
    let auditor = Auditor::builder().filter(filter).build();
    match auditor.audit(&Input::file(document)) {
        AuditOutcome::Audited(document) => {
            let spans = document.findings().iter().map(|located| located.finding.span);
            spans.map(|span| (span.start(), span.end())).collect()
        }
        outcome => panic!("{}: {outcome:?}", document.display()),
    }
}

/// The destinations of a document that name something in its tree, by the looks of them.
fn destinations(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let (mut at, mut is_in_fence) = (0, false);
    for line in text.split_inclusive('\n') {
        let content = line.trim_start();
        let fences = ["```", "~~~", "{% highlight", "{% endhighlight"];
        let is_fence = fences.iter().any(|it| content.starts_with(it));
        is_in_fence ^= is_fence;
        // Code, comments, footnotes, and what a program fills in hold no links.
        let is_role = line.contains(":doc:`") || line.contains(":ref:`");
        let others = ["`", "<!--", "-->", "{{", "{%", "{/*", "<base", "[^", "*["];
        if !is_fence
            && !is_in_fence
            && !others.iter().any(|it| line.contains(it) && !(is_role && *it == "`"))
        {
            for (mark, ends) in [
                ("](", &[')', ' ', '\n'][..]),
                (" href=\"", &['"']),
                (" src=\"", &['"']),
                ("Link to=\"", &['"']),
                ("url(\"", &['"']),
                ("]: ", &[' ', '\n']),
                (":doc:`", &['`']),
                (":ref:`", &['`']),
                ("@fig-", &[' ', ',', ']', '\n']),
                ("@sec-", &[' ', ',', ']', '\n']),
            ] {
                // Only a line that starts with a bracket is a definition.
                if mark == "]: " && !content.starts_with('[') {
                    continue;
                }
                for (start, _) in line.match_indices(mark) {
                    let start = start + mark.len();
                    let length = line[start..].find(ends).unwrap_or(line.len() - start);
                    if is_of_tree(&line[start..start + length]) {
                        found.push((at + start, at + start + length));
                    }
                }
            }
        }
        at += line.len();
    }
    found
}

/// True for a reference without scheme or host, and without anything that a program fills in.
fn is_of_tree(destination: &str) -> bool {
    !destination.is_empty()
        && !destination.starts_with("//")
        && !destination.contains(['{', '<', '$', '%', ':', '?', '(', '@', '!'])
        && !destination.starts_with(['/', '#', '.']) | (destination.len() > 1)
        && destination != "#top"
}

/// The same reference, to a name that is nowhere.
fn broken(destination: &str) -> String {
    if let Some((before, fragment)) = destination.split_once('#')
        && !fragment.is_empty()
    {
        return format!("{before}#{fragment}{BROKEN}");
    }
    let path = destination.trim_end_matches('#').trim_end_matches('/');
    let rest = &destination[path.len()..];
    let name = path.rsplit('/').next().unwrap_or_default();
    match name.rfind('.').filter(|&dot| dot > 0 && name != "..") {
        Some(dot) => {
            let dot = path.len() - name.len() + dot;
            format!("{}{BROKEN}{}{rest}", &path[..dot], &path[dot..])
        }
        None if name.is_empty() || name == ".." || name == "." => format!("{path}/{BROKEN}{rest}"),
        None => format!("{path}{BROKEN}{rest}"),
    }
}

/// The documents of a tree, in an order that is always the same.
fn documents(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_symlink() || name == ".git" || name == "node_modules" {
                continue;
            } else if path.is_dir() {
                pending.push(path);
            } else if [".md", ".mdx", ".qmd", ".html", ".rst"].iter().any(|it| name.ends_with(it)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The links of a tree that can be broken without a word.
fn silent(directory: &Path, is_known: impl Fn(&str, &str) -> bool) -> (usize, Vec<String>) {
    let mut places = Vec::new();
    for document in documents(directory) {
        let Ok(text) = fs::read_to_string(&document) else { continue };
        let said = findings(&document);
        let found = destinations(&text).into_iter();
        let working =
            found.filter(|(start, end)| !said.iter().any(|it| it.0 < *end && *start < it.1));
        places.extend(working.map(|(start, end)| Place { document: document.clone(), start, end }));
    }
    // Of a large tree, some from everywhere.
    let step = places.len().div_ceil(MAX_LINKS).max(1);
    let chosen: Vec<&Place> = places.iter().step_by(step).collect();
    let mut silent = Vec::new();
    for Place { document, start, end } in &chosen {
        let text = fs::read_to_string(document).expect("text");
        let written = &text[*start..*end];
        let new = broken(written);
        let mutated = format!("{}{new}{}", &text[..*start], &text[*end..]);
        fs::write(document, mutated).expect("a file");
        let said = findings(document);
        fs::write(document, &text).expect("a file");
        let is_noticed = said.iter().any(|it| it.0 < start + new.len() && *start < it.1);
        let name = document.strip_prefix(directory).expect("below").display().to_string();
        if !is_noticed && !is_known(&name, written) {
            silent.push(format!("{name}: {written} -> {new}"));
        }
    }
    (chosen.len(), silent)
}

/// Links of corpus trees that nobody can judge, and why.
const KNOWN: &[(&str, &str, &str)] = &[
    // Indented code.
    ("mkdocs-blocks", "docs/index.md", "no-link.md"),
    // MyST looks DOIs up.
    ("myst", "docs/index.md", "10.1000/182"),
    ("myst", "docs/index.md", "commented-out.md"),
    // Files and issues of the repository to which a wiki belongs.
    ("wiki", "Page-One.md", "../blob/main/README.md"),
    ("wiki", "Page-One.md", "../issues/1"),
    // A comment.
    ("vault-comments", "a.md", "none.md"),
    // A literal.
    ("sphinx", "docs/guide/index.rst", "../people"),
    // Tabs, and names of code that DocFX looks up.
    ("docfx", "docs/a.md", "#tab/linux"),
    ("docfx", "docs/a.md", "#tab/windows"),
    ("docfx", "docs/a.md", "System.String"),
];

#[test]
fn no_link_of_a_site_breaks_in_silence() {
    let (mut report, mut tried) = (String::new(), 0);
    sites::for_each_tree("mutation", |name, directory| {
        let is_known = |document: &str, written: &str| KNOWN.contains(&(name, document, written));
        let (count, silent) = silent(directory, is_known);
        tried += count;
        for link in silent {
            report += &format!("{name}: {link}\n");
        }
    });
    assert!(report.is_empty(), "{tried} tried\n{report}");
    assert!(tried > 200, "{tried}");
}

/// `URIGREP_MUTATION_TREE` names a tree, of which nothing is kept changed.
#[test]
fn no_link_of_a_named_tree_breaks_in_silence() {
    let Some(tree) = std::env::var_os("URIGREP_MUTATION_TREE") else { return };
    let (tried, silent) = silent(Path::new(&tree), |_, _| false);
    println!("{tried} links were broken, {} of them in silence", silent.len());
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
