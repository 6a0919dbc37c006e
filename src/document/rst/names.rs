//! Names of reStructuredText: when two are the same, and which ids docutils makes of them.

use memchr::memmem;

use crate::document::anchors::{Anchors, Outline};
use crate::document::markdown::slug::SlugRule;
use crate::document::name_set::NameSet;
use crate::slice::{SliceExt as _, lossy};

/// A name for comparison: case does not count, and white space is one space (docutils, `fully_normalize_name`).
pub(super) fn normalized(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// The id that docutils makes of a name (`nodes.make_id`); empty if no letter of it is one of ASCII.
pub(super) fn id(name: &str) -> String {
    SlugRule::Docutils.anchors(std::iter::once(name)).next().unwrap_or_default()
}

/// What Sphinx and docutils include, or make ids of that are not written in the document.
const OPEN: [&str; 4] = ["include::", ".. auto", "autosummary::", "automodule::"];

/// Where fragments can lead: what is defined, the titles of sections, and ids of what has no name.
pub(super) fn anchors(outline: Outline<'_>) -> Anchors {
    let mut names = NameSet::default();
    let mut count = 0;
    for name in &outline.names {
        // Sphinx takes the id of an object (`py:function`) as it is written.
        names.insert(name);
        names.insert(&id(name));
    }
    for heading in &outline.headings {
        names.insert(&id(heading));
        count += 1;
        // A title that is there twice, or has no letter of ASCII, gets a number (`auto_id_prefix`).
        names.insert(&format!("id{count}"));
    }
    let text = outline.text();
    let is_open = OPEN.iter().any(|mark| memmem::find(&text, mark.as_bytes()).is_some());
    Anchors::fixed(names, is_open)
}

/// The labels that a file defines, `.. _label:`, for references from other documents of a project.
pub(crate) fn labels(text: &str) -> Vec<String> {
    const START: &str = ".. _";
    let is_start = |before: &str| {
        let before = before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n');
        before.is_empty() || before.ends_with('\n')
    };
    let label = |at: usize| {
        let rest = is_start(text.clamped(..at)).then(|| text.clamped(at..))?;
        let line = rest.split('\n').next()?;
        let label = line.trim_end().strip_prefix(START)?.strip_suffix(':')?;
        Some(label.trim_matches('`').to_lowercase())
    };
    memmem::find_iter(text.as_bytes(), START).filter_map(label).collect()
}

/// The text of a name in source form: without backquotes and escapes.
pub(super) fn written(name: &[u8]) -> String {
    let name = lossy(name);
    name.trim().trim_matches('`').replace('\\', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folded() {
        assert_eq!(normalized("  A\n  b  C"), "a b c");
        assert_eq!(id("1. The Title, 2nd!"), "the-title-2nd");
        assert_eq!(written(b"`a\\:b`"), "a:b");
    }

    #[test]
    fn labels_of_files() {
        assert_eq!(labels(".. _A b:\n\n  .. _`c`:  \r\nx .. _d:\n.. _e"), ["a b", "c"]);
    }
}
