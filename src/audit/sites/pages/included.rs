//! Texts that documents of Sphinx include, and that are no documents by their names: `a.rst.inc`.
//! What these define is defined by the document.

use std::path::{Path, PathBuf};

use super::super::discovery::is_in_tree;
use super::super::site::Site;
use crate::audit::target::joined;
use crate::document::Format;

/// Most texts of a document that are read.
const MAX_TEXTS: usize = 64;

/// Returns the texts that a document includes; `below` is its path below the content.
pub(super) fn texts(site: &Site, document: &Path, below: &str, text: &str) -> Vec<PathBuf> {
    const MARKS: [&str; 2] = [".. include::", "{include}"];
    let mut found = Vec::new();
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return found;
    }
    let directory = document.parent().unwrap_or(Path::new(""));
    let top = document.to_str().and_then(|it| it.strip_suffix(below)).map(Path::new);
    for line in text.lines() {
        let target = MARKS.iter().find_map(|mark| line.split_once(mark)).map(|(_, it)| it.trim());
        let Some(target) = target.filter(|it| !it.is_empty()) else { continue };
        // `/a` starts at the top of the sources.
        let place = match (target.strip_prefix('/'), top.or(site.content.first().map(|it| &**it))) {
            (Some(inside), Some(top)) => joined(top, inside),
            _ => joined(directory, target),
        };
        let is_text = |it: &PathBuf| {
            !Format::of_path(it).is_some_and(Format::is_source)
                && it.is_file()
                && is_in_tree(directory, it)
        };
        found.extend(place.filter(|it| !found.contains(it)).filter(is_text));
        if found.len() >= MAX_TEXTS {
            break;
        }
    }
    found
}
