//! Whether the documents of a directory are for a site that is made elsewhere: then most links name pages, `../b` for `../b.md`.
//!
//! The first documents by path are looked at, and only once somebody meets such a link.

use std::path::{Path, PathBuf};

use memchr::memmem;

use super::labels::documents_below;
use super::site::text;
use crate::slice::SliceExt as _;

/// So few links say nothing about a directory.
const FEW: usize = 20;

/// True where more links name pages than files, in most of the documents that have some.
pub(super) fn are_addresses(directory: &Path) -> bool {
    let (mut links, mut documents) = ([0, 0], [0, 0]);
    for path in documents_below(&[directory.to_owned()]) {
        let [files, pages] = counted(&path, &text(&path));
        links = [links[0] + files, links[1] + pages];
        if files + pages > 0 {
            documents[usize::from(pages > files)] += 1;
        }
    }
    links[1] > FEW && links[1] > links[0] && documents[1] > documents[0]
}

/// How many links of a document name other documents, and how many name them without extension.
fn counted(path: &Path, text: &str) -> [usize; 2] {
    let around = path.parent().unwrap_or(Path::new(""));
    let mut counts = [0, 0];
    for mark in ["](", "]: "] {
        for at in memmem::find_iter(text.as_bytes(), mark) {
            let rest = text.clamped(at + mark.len()..);
            let end = |c: char| c.is_whitespace() || matches!(c, ')' | '#' | '?' | '>');
            let written = rest.split(end).next().unwrap_or_default();
            let name = written.rsplit('/').next().unwrap_or_default();
            if written.starts_with('/') || written.contains(':') || name.is_empty() {
                continue;
            }
            let with = |ending: &str| around.join(format!("{written}{ending}")).is_file();
            if name.ends_with(".md") || name.ends_with(".mdx") {
                counts[0] += usize::from(with(""));
            } else if !name.contains('.') {
                counts[1] += usize::from(with(".md") || with(".mdx"));
            }
        }
    }
    counts
}

/// The first directory of a path in a checkout.
pub(super) fn top(checkout: &Path, below: &Path) -> Option<PathBuf> {
    let mut parts = below.components();
    let first = parts.next()?;
    parts.next().map(|_| checkout.join(first))
}
