//! Whether a tool of a tree gives labels of Markdown their meaning: then most of them are defined nowhere.
//!
//! The first documents by path are looked at, and only once somebody meets such a label, so that the answer costs little
//! and is the same in every run.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::site::text;
use crate::slice::SliceExt as _;

/// So many documents say it.
const MOST_DOCUMENTS: usize = 300;
/// So many names of files and directories are looked at.
const MOST_ENTRIES: usize = 20_000;
/// So few labels say nothing about a tree.
const FEW: usize = 20;

/// True where most labels are defined nowhere, in most of the documents that use some.
pub(super) fn are_custom(directories: &[PathBuf], is_item: impl Fn(&str) -> bool) -> bool {
    let (mut labels, mut documents) = ([0, 0], [0, 0]);
    for path in documents_below(directories) {
        let [undefined, defined] = counted(&text(&path), &is_item);
        labels = [labels[0] + undefined, labels[1] + defined];
        if undefined + defined > 0 {
            documents[usize::from(defined >= undefined)] += 1;
        }
    }
    labels[0] > FEW && labels[0] > labels[1] && documents[0] > documents[1]
}

/// The first documents below these directories.
pub(super) fn documents_below(directories: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending: Vec<PathBuf> = directories.iter().rev().cloned().collect();
    let mut entries = 0;
    while let Some(directory) = pending.pop() {
        let here = if directory.as_os_str().is_empty() { Path::new(".") } else { &directory };
        let mut listed: Vec<_> = fs::read_dir(here).into_iter().flatten().flatten().collect();
        listed.sort_by_key(fs::DirEntry::file_name);
        entries += listed.len();
        let mut inside = Vec::new();
        for entry in listed {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && !name.starts_with('.') && name != "node_modules" {
                inside.push(directory.join(&*name));
            } else if kind.is_file() && (name.ends_with(".md") || name.ends_with(".mdx")) {
                found.push(directory.join(&*name));
            }
        }
        if found.len() >= MOST_DOCUMENTS || entries >= MOST_ENTRIES {
            break;
        }
        pending.extend(inside.into_iter().rev());
    }
    found.truncate(MOST_DOCUMENTS);
    found
}

/// How many references to labels have no definition, and how many have one.
fn counted(text: &str, is_item: &impl Fn(&str) -> bool) -> [usize; 2] {
    let folded = |label: &str| label.trim().to_lowercase();
    let starts = memmem::find_iter(text.as_bytes(), b"][").map(|at| at + 2);
    let mut used = starts.filter_map(|at| {
        let label = text.clamped(at..).split([']', '[', '\n']).next()?;
        let closes = text.as_bytes().get(at + label.len()) == Some(&b']');
        let label = match label {
            // `[label][]`
            "" => text.clamped(..at - 2).rsplit(['[', '\n']).next()?,
            label => label,
        };
        (closes && !is_item(label)).then(|| folded(label))
    });
    let Some(first) = used.next() else { return [0, 0] };
    let definitions = text.lines().filter_map(|line| {
        let (label, _) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
        Some(folded(label))
    });
    let definitions: HashSet<String> = definitions.collect();
    let mut counts = [0, 0];
    for label in std::iter::once(first).chain(used) {
        counts[usize::from(definitions.contains(&label))] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_counted() {
        let text = "[a][b] [c][] [d][`E`] [é][É] [x]\n[y][\nz]\n\n[B]: b\n[É]: e";
        assert_eq!(counted(text, &|label| label.starts_with('`')), [1, 2]);
        assert_eq!(counted("[a] b", &|_| false), [0, 0]);
    }
}
