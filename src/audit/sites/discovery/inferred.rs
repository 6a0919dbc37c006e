//! The directory that `/` means on a site whose generator is not known, inferred from its links.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::places::{entries, is_language, joined, text};
use super::settings::value;
use super::tree_bounds::is_in_tree;
use crate::hash::HashMap;
use crate::slice::SliceExt as _;

/// Largest number of directory entries that are listed.
const MAX_ENTRIES: usize = 20_000;
/// Largest number of documents that are read. They are from everywhere in the tree.
const MAX_READ: usize = 200;
/// This many references or fewer decide nothing.
const TOO_FEW_REFERENCES: usize = 10;
/// Percentage of the references that must name pages below a directory, so that the others are
/// judged.
const SUFFICIENT: usize = 90;
/// Percentage from which the directory is suggested.
const LIKELY: usize = 50;
/// Documents of one name that are compared with a reference.
const MAX_SAME_NAME: usize = 64;

/// The likeliest root of a site.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::audit) struct InferredRoot {
    pub directory: PathBuf,
    /// Percentage of the references with `/` at the start that name a page below it.
    pub percent: usize,
    /// True if the package of the site uses a generator that has its pages there.
    is_usual: bool,
}

impl InferredRoot {
    /// True if a missing page below it can be reported.
    pub fn is_sufficient(&self) -> bool {
        self.is_usual || self.percent >= SUFFICIENT
    }
}

/// Generators without settings of their own, and the directories of their pages (Nextra, "File
/// Conventions"; Fumadocs, "Comparisons").
const GENERATORS: [(&str, &[&str]); 2] = [
    ("\"nextra\"", &["content", "pages", "src/content", "src/pages"]),
    ("\"fumadocs-mdx\"", &["content", "content/docs"]),
];

/// True if a package around the directory names a generator that has its pages there.
fn is_usual(directory: &Path, content: &Path) -> bool {
    let around = directory.ancestors().skip(1).take_while(|above| above.starts_with(content));
    let mut packages = around.map(|above| text(&above.join("package.json")));
    packages.find(|package| !package.is_empty()).is_some_and(|package| {
        let mut used = GENERATORS.iter().filter(|(name, _)| package.contains(name));
        used.any(|(_, places)| places.iter().any(|place| directory.ends_with(place)))
    })
}

/// Names of the settings of Fumadocs, and of the program that loads its pages.
const FUMADOCS: ([&str; 3], [&str; 8]) = (
    ["source.config.ts", "source.config.mts", "source.config.js"],
    [
        "src/lib/source.ts",
        "src/lib/source.tsx",
        "src/lib/source/index.ts",
        "src/lib/source/index.tsx",
        "lib/source.ts",
        "lib/source.tsx",
        "app/source.ts",
        "app/source.tsx",
    ],
);

/// The directory of documents if the settings name none (Fumadocs, "Define Docs").
const USUAL: &str = "content/docs";

/// Returns the root that the settings of Fumadocs name: `dir` of `defineDocs`, at the `baseUrl` of
/// `loader` (Fumadocs, "Loader"). With several collections, it is that of the first one which is
/// below its address; the others have addresses of their own.
fn of_fumadocs(content: &Path) -> Option<InferredRoot> {
    let (settings, programs) = FUMADOCS;
    let settings: String = settings.iter().map(|it| text(&content.join(it))).collect();
    let programs: String = programs.iter().map(|it| text(&content.join(it))).collect();
    let loaders: Vec<(&str, String)> = calls(&programs, "loader(")
        .filter_map(|(_, call)| Some((call, value(call, &["baseUrl"])?)))
        .collect();
    // What follows may define a collection of another kind.
    let collections: Vec<(&str, &str)> = calls(&settings, "defineDocs(")
        .map(|(name, call)| (name, call.split("define").next().unwrap_or_default()))
        .collect();
    collections.iter().find_map(|(name, call)| {
        let of_name = loaders.iter().find(|(loader, _)| loader.contains(&format!("{name}.")));
        // A loader may get its source by another name.
        let only = loaders.first().filter(|_| loaders.len() == 1 && collections.len() == 1);
        let (_, base) = of_name.or(only)?;
        let directory = value(call, &["dir"]);
        root_at(content, directory.as_deref().unwrap_or(USUAL), base)
    })
}

/// Returns the calls of a function, each with the name of the constant for its value.
fn calls<'t>(program: &'t str, function: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let mut parts = program.split(function);
    let mut before = parts.next().unwrap_or_default();
    parts.map(move |call| {
        let words = before.trim_end_matches(['=', ' ', '\n']).rsplit([' ', '\n']);
        let name = words.into_iter().next().unwrap_or_default();
        before = call;
        (name, call)
    })
}

/// Returns the directory of `/`, if the documents of a directory are at this address.
fn root_at(content: &Path, directory: &str, base: &str) -> Option<InferredRoot> {
    let directory = joined(content, directory);
    if !is_in_tree(content, &directory) {
        return None;
    }
    let directory = match base.trim_matches('/') {
        "" => directory,
        base if directory.ends_with(base) => {
            directory.ancestors().nth(base.split('/').count())?.to_path_buf()
        }
        _ => return None,
    };
    directory.is_dir().then_some(InferredRoot { directory, percent: 100, is_usual: true })
}

/// Infers the root from the documents below `content`.
pub fn infer(content: &Path) -> Option<InferredRoot> {
    if let Some(root) = of_fumadocs(content) {
        return Some(root);
    }
    let documents = documents(content);
    // The path of each page below `content`, without the parts that addresses lack, by its last
    // name.
    let mut pages: HashMap<String, Vec<Vec<String>>> = HashMap::default();
    for document in &documents {
        let key = address(document);
        if let Some(last) = key.last() {
            pages.entry(last.clone()).or_default().push(key);
        }
    }
    let step = documents.len().div_ceil(MAX_READ).max(1);
    let mut seen = HashSet::new();
    let mut votes: HashMap<Vec<String>, usize> = HashMap::default();
    for document in documents.iter().step_by(step) {
        for reference in references(&text(&content.join(document))) {
            if !seen.insert(reference.clone()) {
                continue;
            }
            let same = reference.last().and_then(|last| pages.get(last));
            let roots: HashSet<&[String]> = same
                .into_iter()
                .flatten()
                .take(MAX_SAME_NAME)
                .filter_map(|page| page.strip_suffix(reference.as_slice()))
                .collect();
            for root in roots {
                *votes.entry(root.to_vec()).or_default() += 1;
            }
        }
    }
    // The shortest path wins a draw, so that the result does not depend on the order.
    let best = votes
        .into_iter()
        .max_by(|(a, a_votes), (b, b_votes)| (a_votes, b.len(), b).cmp(&(b_votes, a.len(), a)));
    let (root, count) = best?;
    let percent = count * 100 / seen.len().max(1);
    let directory = root.iter().fold(content.to_path_buf(), |path, name| path.join(name));
    let is_likely = seen.len() > TOO_FEW_REFERENCES && percent >= LIKELY;
    is_likely.then(|| InferredRoot { is_usual: is_usual(&directory, content), directory, percent })
}

/// Returns the documents below a directory, relative to it, in the order of their paths.
fn documents(content: &Path) -> Vec<PathBuf> {
    let (mut found, mut seen) = (Vec::new(), 0);
    let mut pending = vec![PathBuf::new()];
    while let Some(directory) = pending.pop() {
        let listed = entries(&content.join(&directory));
        seen += listed.len();
        if seen > MAX_ENTRIES {
            break;
        }
        for entry in listed {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && !name.starts_with('.') && name != "node_modules" {
                pending.push(directory.join(&name));
            } else if kind.is_file() && is_page(&name) {
                found.push(directory.join(&name));
            }
        }
    }
    found.sort_unstable();
    found
}

/// True for the name of a directory that addresses lack.
pub fn is_group(name: &str) -> bool {
    name.starts_with('(') && name.ends_with(')')
}

/// True for the name of a document that may be a page.
fn is_page(name: &str) -> bool {
    [".md", ".mdx", ".markdown", ".html"].iter().any(|ending| name.ends_with(ending))
}

/// Returns the segments of the address of a document: without its extension and language, and
/// without `index`.
fn address(document: &Path) -> Vec<String> {
    let mut key: Vec<String> =
        document.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    // `(group)` is no part of an address (Next.js, "Route Groups").
    key.retain(|part| !is_group(part));
    let name = key.pop().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let stem = match stem.rsplit_once('.') {
        Some((stem, language)) if is_language(language) => stem,
        _ => stem,
    };
    if !["index", "_index", "readme"].iter().any(|index| stem.eq_ignore_ascii_case(index)) {
        key.push(stem.to_owned());
    }
    key
}

/// Returns the segments of the references of a text that start with `/` and look like addresses of
/// pages, not of the front page.
fn references(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    // A rough scan instead of a parser: it decides about a majority, and runs over many documents.
    for mark in ["](/", "]: /", "href=\"/"] {
        for at in memmem::find_iter(text.as_bytes(), mark) {
            let rest = text.clamped(at + mark.len()..);
            let end = |c: char| c.is_whitespace() || matches!(c, ')' | '#' | '?' | '"' | '>');
            let written = rest.split(end).next().unwrap_or_default();
            let path = written.strip_suffix(".html").unwrap_or(written).trim_end_matches('/');
            let is_address = !path.is_empty()
                && !written.starts_with('/')
                && !path.contains(['{', '}', '%', ':', '.', '$']);
            if is_address {
                found.push(path.split('/').map(str::to_owned).collect());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_references() {
        assert_eq!(address(Path::new("a/cache.fr.mdx")), ["a", "cache"]);
        assert_eq!(address(Path::new("a/b/index.md")), ["a", "b"]);
        let text =
            "[a](/b/c/#d) ![p](/i.png) [x]: /e.html\n<a href=\"/{{f}}\"> [y](//host/a) [z](/)";
        assert_eq!(references(text), [vec!["b", "c"], vec!["e"]]);
    }
}
