//! Texts that documents include, in a form in which names can be looked for: [`IncludedText`].

use std::path::Path;

use crate::audit::finding::is_among;
use crate::audit::sites::text;
use crate::slice::SliceExt as _;

/// Larger files are not kept: each name that is not defined is looked for in all of a text.
const MAX_BYTES: usize = 1 << 18;

/// Marks of directives that add more text, or names that only a program knows.
const OPEN: [&str; 5] = ["include::", ".. auto", "autosummary::", "automodule::", "{%"];

/// The text of a file that documents include.
#[derive(Debug, Default)]
pub struct IncludedText {
    folded: String,
    /// True if it may define more names than its text shows.
    is_open: bool,
    /// True for a directive of an extension, which may write titles.
    has_own_directives: bool,
}

impl IncludedText {
    pub(super) fn read(file: &Path) -> Self {
        let text = text(file);
        let is_open = text.len() > MAX_BYTES || OPEN.iter().any(|mark| text.contains(mark));
        // The attributes of another document may be in its titles.
        let has_filled_in = |line: &str| line.starts_with('=') && line.contains('{');
        if is_open || text.lines().any(has_filled_in) {
            return Self { is_open: true, ..Self::default() };
        }
        let has_own_directives = text.lines().filter_map(directive).any(is_of_extension);
        Self { folded: folded(&text), is_open, has_own_directives }
    }

    /// Returns the bytes that a cache counts for it.
    pub(super) fn kept_bytes(&self) -> usize {
        self.folded.len()
    }

    /// True if the text has a title; `None` if that is unknown.
    pub(in crate::audit) fn has_title(&self, title: &str) -> Option<bool> {
        self.may_define(title).filter(|&has| has || !self.has_own_directives)
    }

    /// True if the text defines a name, in whatever way; `None` if that is unknown. A text that only
    /// mentions the name counts, too.
    pub(in crate::audit) fn may_define(&self, name: &str) -> Option<bool> {
        let is_of_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let name = folded(name);
        let is_whole = |at: usize| {
            let (before, rest) = self.folded.split_at(at);
            let after = rest.clamped(name.len()..);
            !is_of_word(before.chars().next_back()) && !is_of_word(after.chars().next())
        };
        (!self.is_open).then(|| self.folded.match_indices(&name).any(|(at, _)| is_whole(at)))
    }
}

/// Returns the name of the directive that a line starts: `.. name::`, or `{name}` after a fence.
fn directive(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix(".. ") {
        return rest.trim_start().split_once("::").map(|(name, _)| name);
    }
    let rest = line.trim_start_matches(['`', ':', '~']);
    let rest = rest.strip_prefix('{').filter(|_| rest.len() + 3 <= line.len())?;
    rest.split_once('}').map(|(name, _)| name)
}

/// True unless docutils or Sphinx has the directive, and makes no titles of it. Objects of a domain,
/// `py:class`, have none.
fn is_of_extension(name: &str) -> bool {
    const PLAIN: &str = "admonition attention caution centered class code code-block compound container \
        contents csv-table danger default-role deprecated epigraph error figure footer glossary header highlight \
        highlights hint hlist image important include index list-table literalinclude math meta note only \
        parsed-literal productionlist pull-quote raw replace role rst-class rubric seealso sidebar sourcecode \
        table tabularcolumns tip title toctree topic unicode versionadded versionchanged versionremoved warning";
    let name = name.rsplit_once("| ").map_or(name, |(_, name)| name);
    !name.contains(':') && !is_among(PLAIN, name)
}

/// Returns a text in lower case and without marks, with one space for white space.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut is_blank = false;
    for c in text.chars() {
        match c {
            '`' | '*' | '_' | '\\' => {}
            c if c.is_whitespace() => is_blank = true,
            c => {
                if std::mem::take(&mut is_blank) {
                    folded.push(' ');
                }
                folded.extend(c.to_lowercase());
            }
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_of_extensions() {
        let all = "..  note:: a\n.. |b| image:: c\n.. argparse::\n```{tip}\n:::{click} d\n.. py:class:: e\n.. f\n{g}\n";
        let own: Vec<&str> =
            all.lines().filter_map(directive).filter(|it| is_of_extension(it)).collect();
        assert_eq!(own, ["argparse", "click"]);
    }

    #[test]
    fn names_are_whole_words() {
        let text = IncludedText { folded: folded("The `schemas`, |a|"), ..IncludedText::default() };
        assert_eq!(text.may_define("Schemas"), Some(true));
        assert_eq!(text.may_define("schema"), Some(false));
        assert_eq!(text.may_define("|a|"), Some(true));
    }

    #[test]
    fn texts_are_folded() {
        assert_eq!(folded("A\n  *b* `c_d`\\:"), "a b cd:");
        assert_eq!(folded(" a "), " a");
    }
}
