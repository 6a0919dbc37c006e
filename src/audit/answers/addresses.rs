//! Detects directories whose documents belong to a site built elsewhere. Most of their links name
//! pages: `../b` or `../b.html` for `../b.md`.

use std::path::{Path, PathBuf};

use memchr::memmem;

use super::sample::most_are;
use crate::slice::SliceExt as _;

/// True if most documents with links to others name pages more often than files.
pub(super) fn are_addresses(directory: &Path) -> bool {
    most_are(&[directory.to_owned()], |path, text| counted(path, text, directory.parent()))
}

/// Counts the links of a document that name pages of others, and those that name files. `/` is the
/// directory `checkout`.
fn counted(path: &Path, text: &str, checkout: Option<&Path>) -> [usize; 2] {
    let around = path.parent().unwrap_or(Path::new(""));
    let mut counts = [0, 0];
    // This looks for `](` and `]: ` instead of parsing: it runs over a sample of the tree, and a
    // few misread links do not change a majority.
    for mark in ["](", "]: "] {
        for at in memmem::find_iter(text.as_bytes(), mark) {
            let rest = text.clamped(at + mark.len()..);
            let end = |c: char| c.is_whitespace() || matches!(c, ')' | '#' | '?' | '>');
            let written = rest.split(end).next().unwrap_or_default();
            let name = written.rsplit('/').next().unwrap_or_default();
            // On a forge, `/a/b` is a path of the checkout; on a site, it is the address of a page.
            if let (Some(inside), Some(checkout)) = (written.strip_prefix('/'), checkout) {
                if !inside.is_empty() && !inside.contains(['.', ':']) && !inside.starts_with('/') {
                    counts[usize::from(checkout.join(inside).exists())] += 1;
                }
                continue;
            }
            if written.starts_with('/') || written.contains(':') || name.is_empty() {
                continue;
            }
            let with = |ending: &str| around.join(format!("{written}{ending}")).is_file();
            if name.ends_with(".md") || name.ends_with(".mdx") {
                counts[1] += usize::from(with(""));
            } else if let Some(stem) = written.strip_suffix(".html") {
                counts[0] += usize::from(around.join(format!("{stem}.md")).is_file());
            } else if !name.contains('.') {
                counts[0] += usize::from(with(".md") || with(".mdx") || with(".md.njk"));
            }
        }
    }
    counts
}

/// Returns the first directory below `checkout` on the path `below`.
pub(super) fn top(checkout: &Path, below: &Path) -> Option<PathBuf> {
    let mut parts = below.components();
    let first = parts.next()?;
    parts.next().map(|_| checkout.join(first))
}
