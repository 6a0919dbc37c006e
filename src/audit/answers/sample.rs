//! Majority decisions about a tree, from a sample of its documents.
//!
//! The sample is the first documents by path, read on demand. So the answer is cheap and the same
//! in every run.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::audit::Site;
use crate::audit::sites::{entries, text};
use crate::document::Format;

/// Maximum number of documents in a sample.
const MAX_DOCUMENTS: usize = 300;
/// Maximum number of directory entries listed for a sample.
const MAX_ENTRIES: usize = 20_000;
/// Maximum number of documents in a sample of the whole tree.
const MAX_THROUGHOUT: usize = 1_000;
/// Maximum number of programs that are read.
const MAX_PROGRAMS: usize = 2_000;
/// Largest number of texts that are read.
const MAX_TEXTS: usize = 5_000;
/// Largest number of names that are counted. Hostile documents may each have others.
const MAX_NAMES: usize = 100_000;
/// This many occurrences, or fewer, are too few to decide about a tree.
pub(super) const TOO_FEW_OCCURRENCES: usize = 20;

/// Returns the names that are common in documents, by their number and by the number of the
/// documents.
pub(super) fn usual(
    documents: Vec<PathBuf>,
    names: impl for<'t> Fn(&'t str) -> Box<dyn Iterator<Item = Cow<'t, str>> + 't>,
    is_usual: impl Fn([usize; 2]) -> bool,
) -> HashSet<String> {
    let mut counts: HashMap<String, [usize; 2]> = HashMap::new();
    for path in documents {
        let text = text(&path);
        let mut here: HashMap<Cow<'_, str>, usize> = HashMap::new();
        for name in names(&text) {
            *here.entry(name).or_default() += 1;
        }
        for (name, count) in here {
            if counts.len() >= MAX_NAMES && !counts.contains_key(&*name) {
                continue;
            }
            let [all, documents] = counts.entry(name.into_owned()).or_default();
            *all += count;
            *documents += 1;
        }
    }
    counts.into_iter().filter(|(_, counts)| is_usual(*counts)).map(|(name, _)| name).collect()
}

/// True if `counted` finds more of the first kind than of the second below these directories, both
/// in total and in most documents that have either.
pub(in crate::audit) fn most_are(
    directories: &[PathBuf],
    counted: impl Fn(&Path, &str) -> [usize; 2],
) -> bool {
    let (mut all, mut documents) = ([0, 0], [0, 0]);
    for path in documents_below(directories) {
        let [first, second] = counted(&path, &text(&path));
        all = [all[0] + first, all[1] + second];
        if first + second > 0 {
            documents[usize::from(second >= first)] += 1;
        }
    }
    // Both majorities are needed, so that one long document cannot decide for a tree.
    all[0] > TOO_FEW_OCCURRENCES && all[0] > all[1] && documents[0] > documents[1]
}

/// Returns the directories of a sample. Content of a site is one of its own; without a site, the
/// whole checkout is.
pub(super) fn sampled(site: &Site) -> Vec<PathBuf> {
    let own = site.repository.iter().map(|repository| &repository.directory);
    match site.content.as_slice() {
        [] => own.cloned().collect(),
        content => content.to_vec(),
    }
}

/// Returns the first documents of Markdown below these directories.
pub(super) fn documents_below(directories: &[PathBuf]) -> Vec<PathBuf> {
    let is_markdown =
        |name: &str| [".md", ".mdx", ".markdown"].iter().any(|ending| name.ends_with(ending));
    listed(directories, MAX_DOCUMENTS, is_markdown)
}

/// Returns the documents below these directories that may include others, nearly all of them.
pub(super) fn sources_below(directories: &[PathBuf]) -> Vec<PathBuf> {
    const ENDS: [&str; 8] =
        [".adoc", ".asc", ".asciidoc", ".asciidoctor", ".md", ".mdx", ".qmd", ".rst"];
    listed(directories, MAX_ENTRIES, |name| ENDS.iter().any(|end| name.ends_with(end)))
}

/// Returns the programs and templates below these directories that may write documents.
pub(super) fn programs_below(directories: &[PathBuf]) -> Vec<PathBuf> {
    const ENDS: [&str; 5] = [".j2", ".jinja", ".jinja2", ".py", ".tmpl"];
    listed(directories, MAX_PROGRAMS, |name| ENDS.iter().any(|end| name.ends_with(end)))
}

/// Returns the texts below these directories that documents may include, and code that documents
/// may quote.
pub(super) fn texts_below(directories: &[PathBuf]) -> Vec<PathBuf> {
    const ENDS: [&str; 11] =
        [".h", ".hpp", ".hx", ".in", ".inc", ".include", ".md", ".pyi", ".pyx", ".rst", ".txt"];
    listed(directories, MAX_TEXTS, |name| ENDS.iter().any(|end| name.ends_with(end)))
}

/// Returns the documents below these directories, nearly all of them.
pub(super) fn all_documents_below(directories: &[PathBuf]) -> Vec<PathBuf> {
    listed(directories, MAX_ENTRIES, is_document)
}

/// Returns documents from everywhere below these directories.
pub(super) fn documents_throughout(directories: &[PathBuf]) -> Vec<PathBuf> {
    throughout(all_documents_below(directories))
}

/// Returns documents from everywhere below these directories, and style sheets.
pub(super) fn documents_and_styles_throughout(
    directories: &[PathBuf],
) -> (Vec<PathBuf>, Vec<PathBuf>) {
    const STYLE: &str = ".css";
    let both = listed(directories, MAX_ENTRIES, |name| is_document(name) || name.ends_with(STYLE));
    let is_style = |path: &PathBuf| path.as_os_str().as_encoded_bytes().ends_with(STYLE.as_bytes());
    let (styles, documents) = both.into_iter().partition(is_style);
    (throughout(documents), throughout(styles))
}

fn is_document(name: &str) -> bool {
    Format::from_file_name(name.as_bytes()).is_some_and(Format::is_markup)
}

/// Returns some of these files, at equal distances.
fn throughout(found: Vec<PathBuf>) -> Vec<PathBuf> {
    let step = found.len().div_ceil(MAX_THROUGHOUT).max(1);
    found.into_iter().step_by(step).collect()
}

/// Returns the first files below these directories that `is_wanted` accepts.
fn listed(directories: &[PathBuf], most: usize, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // A stack, filled in reverse, visits directories in the order of their paths.
    let mut pending: Vec<PathBuf> = directories.iter().rev().cloned().collect();
    let mut seen = 0;
    while let Some(directory) = pending.pop() {
        let listed = entries(&directory);
        seen += listed.len();
        let mut inside = Vec::new();
        for entry in listed {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && !name.starts_with('.') && name != "node_modules" {
                inside.push(directory.join(&*name));
            } else if kind.is_file() && is_wanted(&name) {
                found.push(directory.join(&*name));
            }
        }
        if found.len() >= most || seen >= MAX_ENTRIES {
            break;
        }
        pending.extend(inside.into_iter().rev());
    }
    found.truncate(most);
    found
}
