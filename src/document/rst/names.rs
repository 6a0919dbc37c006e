//! Names in reStructuredText: comparison, and the ids that docutils derives from them.

use memchr::memmem;

use super::reader::plain;
use crate::document::anchors::{Anchors, Outline};
use crate::document::markdown::slug::SlugRule;
use crate::document::name_set::NameSet;
use crate::slice::{SliceExt as _, lossy};

/// Normalizes a name for comparison: lower case, with runs of white space as one space (docutils,
/// `fully_normalize_name`).
pub(crate) fn normalized(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Returns the id that docutils derives from a name (`nodes.make_id`); empty if it has no ASCII
/// letter.
pub(super) fn id(name: &str) -> String {
    SlugRule::Docutils.anchors(std::iter::once(name)).next().unwrap_or_default()
}

/// Directives that include content or define ids that are not in the document.
const OPEN: [&str; 4] = ["include::", ".. auto", "autosummary::", "automodule::"];

/// Returns the anchors: defined names, section titles, and generated ids.
pub(super) fn anchors(outline: Outline<'_>) -> Anchors {
    let mut names = NameSet::default();
    for name in &outline.names {
        // Sphinx uses the id of an object (`py:function`) unchanged.
        names.insert(name);
        names.insert(&id(name));
    }
    heading_names(&outline, &mut |_, name| names.insert(&name));
    // A document with these directives has anchors that only Sphinx or docutils knows, so a missing
    // one cannot be reported.
    let text = outline.text();
    let is_open = OPEN.iter().any(|mark| memmem::find(&text, mark.as_bytes()).is_some());
    Anchors::fixed(names, is_open)
}

/// Passes the ids of each title to `add`, with its index.
pub(super) fn heading_names(outline: &Outline<'_>, add: &mut dyn FnMut(usize, String)) {
    for (index, heading) in outline.headings.iter().enumerate() {
        add(index, id(heading));
        // A repeated title, or one without ASCII letters, gets a numbered id (`auto_id_prefix`).
        add(index, format!("id{}", index + 1));
    }
}

/// Returns the labels of a file (`.. _label:`) that other documents of a project may refer to.
pub(crate) fn labels(text: &str) -> Vec<String> {
    const START: &str = " _";
    // An item of a list or a cell of a table may start with a label, too.
    let is_start = |before: &str| {
        let before = before.trim_end_matches(|c: char| {
            c.is_whitespace() && c != '\n' || c.is_ascii_digit() || "*-+#.|>".contains(c)
        });
        before.is_empty() || before.ends_with('\n')
    };
    let label = |at: usize| {
        // Any number of blanks may follow the dots (docutils, "Explicit Markup Blocks").
        let before = text.clamped(..at).trim_end_matches(' ').strip_suffix("..")?;
        let rest = is_start(before).then(|| text.clamped(at..))?;
        let line = rest.split('\n').next()?;
        let label = line.trim_end().strip_prefix(START)?.strip_suffix(':')?;
        // Sphinx compares labels in lower case.
        Some(label.trim_matches('`').replace('\\', "").to_lowercase())
    };
    // `` _`label` `` in a sentence.
    let inline = |at: usize| {
        let before = text.clamped(..at);
        let is_block = before.ends_with(' ') && before.trim_end_matches(' ').ends_with("..");
        let is_start = !is_block
            && before
                .chars()
                .next_back()
                .is_none_or(|c| !c.is_alphanumeric() && !"`_:}".contains(c));
        let rest = is_start.then(|| text.clamped(at + "_`".len()..))?;
        let end = rest.bytes().take(MAX_LABEL).position(|byte| byte == b'`')?;
        Some(rest.clamped(..end).to_lowercase())
    };
    let blocks = memmem::find_iter(text.as_bytes(), START).filter_map(label);
    blocks.chain(memmem::find_iter(text.as_bytes(), "_`").filter_map(inline)).collect()
}

/// Longest label in the middle of a text.
const MAX_LABEL: usize = 200;

/// Returns the titles of the sections of a file, as their text. Lines that may be titles are
/// included.
pub(crate) fn titles(text: &str) -> Vec<String> {
    let mut titles = Vec::new();
    let mut before = "";
    for line in text.lines().map(str::trim_end) {
        let mark = line.chars().next().filter(char::is_ascii_punctuation);
        let is_marks = mark.is_some_and(|mark| line.len() > 1 && line.chars().all(|c| c == mark));
        let width = before.chars().count();
        if is_marks && !before.is_empty() && line.len() >= width.min(4) {
            titles.push(plain(&without_roles(before.trim_start())));
        }
        before = if is_marks { "" } else { line };
    }
    titles
}

/// Returns a text without the roles before its backquotes, `` :file:`a` ``.
fn without_roles(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for (at, piece) in text.split('`').enumerate() {
        if at > 0 {
            plain.push('`');
        }
        let name =
            piece.strip_suffix(':').and_then(|it| it.rsplit_once([' ', '(']).or(Some(("", it))));
        match name {
            Some((_, name)) if name.starts_with(':') && name.len() > 1 => {
                plain.push_str(piece.clamped(..piece.len() - 1 - name.len()));
            }
            _ => plain.push_str(piece),
        }
    }
    plain
}

/// The terms of the glossaries of a file.
#[derive(Debug)]
pub(crate) struct GlossaryTerms {
    /// In lower case. Lines that may be terms are included (Sphinx, "Glossary").
    pub terms: Vec<String>,
    /// True if a glossary includes other files, which may hold more terms.
    pub is_open: bool,
}

/// Returns the terms of the glossaries of a file; `None` if it has none.
pub(crate) fn terms(text: &str) -> Option<GlossaryTerms> {
    const STARTS: [&str; 2] = ["glossary::", "{glossary}"];
    let mut found = STARTS.iter().filter_map(|it| memmem::find(text.as_bytes(), it.as_bytes()));
    found.next()?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let includes = |line: &str| ["include::", "{include}"].iter().any(|it| line.contains(it));
    let (mut terms, mut is_open, mut lines) = (Vec::new(), false, text.lines().peekable());
    while let Some(start) = lines.next() {
        // Other included files, such as substitutions, contain no terms.
        is_open |= includes(start) && ["glossar", "term"].iter().any(|it| start.contains(it));
        if !STARTS.iter().any(|it| start.contains(it)) {
            continue;
        }
        // The body of a directive is indented; the body of a fence ends with the fence.
        let is_fence = start.contains("{glossary}");
        let fence = start.trim_start();
        let mut column = None;
        while let Some(line) = lines.peek() {
            let is_end = if is_fence {
                closes_fence(fence, line) && indent(line) <= indent(start) + MAX_FENCE_INDENT
            } else {
                !line.trim().is_empty() && indent(line) <= indent(start)
            };
            if is_end {
                break;
            }
            let content = line.trim();
            is_open |= includes(content);
            let is_option = content.starts_with([':', '%']) || content.starts_with("..");
            if !content.is_empty()
                && !is_option
                && indent(line) <= *column.get_or_insert(indent(line))
            {
                // ` : ` starts a classifier, which only affects sorting.
                let term = content.split(" : ").next().unwrap_or_default();
                // Code in a term is a part of its text.
                terms.push(normalized(&written(term.replace('`', "").as_bytes())));
            }
            lines.next();
        }
    }
    Some(GlossaryTerms { terms, is_open })
}

/// A deeper line does not close a fence (CommonMark §4.5): it belongs to the text below a term.
const MAX_FENCE_INDENT: usize = 3;

/// True for a line of marks that closes the fence at the start of another line.
fn closes_fence(fence: &str, line: &str) -> bool {
    let Some(mark) = fence.chars().next().filter(|it| matches!(it, '`' | ':' | '~')) else {
        return line.trim_start().starts_with("```");
    };
    let count = |text: &str| text.chars().take_while(|it| *it == mark).count();
    let content = line.trim();
    !content.is_empty() && content.chars().all(|it| it == mark) && count(content) >= count(fence)
}

/// Returns a name without backquotes and escapes.
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
    fn terms_of_glossaries() {
        let text = "A\n\n.. glossary::\n   :sorted:\n\n   B  c\n   d : e\n      F\n\n   .. g\n   h\n     i\n\nj\n";
        let read = |text: &str| terms(text).map(|it| (it.terms.join(", "), it.is_open));
        let known = |terms: &str, is_open| Some((terms.to_owned(), is_open));
        assert_eq!(read(text), known("b c, d, h", false));
        let text = "```{glossary}\nA `b`\n  c\n\nD\n: e\n```\nf\n";
        assert_eq!(read(text), known("a b, d", false));
        let text = "```{glossary}\nA\n    b\n\n    ```{note} c\n    ```\n\nD\n    e\n```\nf\n";
        assert_eq!(read(text), known("a, d", false));
        let text = "````{glossary}\nA\n  b\n\n  ```{note}\n  ```\n\nD\n  e\n````\nf\n";
        assert_eq!(read(text), known("a, d", false));
        assert_eq!(read("A glossary: b\n"), None);
        let text = ".. include:: ../a.txt\n\n.. glossary::\n\n   B\n     c\n";
        assert_eq!(read(text), known("b", false));
        assert_eq!(read(&text.replace("a.txt", "terms.txt")), known("b", true));
        let text = ".. glossary::\n\n   .. include:: a.txt\n\n   B\n";
        assert_eq!(read(text), known("b", true));
    }

    #[test]
    fn titles_of_files() {
        let text = "=====\nA ``b`` *c*\n=====\n\nThe :file:`d e` (:cmd:`f`)\n-----\n\ntext\n--\n\n::\n\n+--\n";
        assert_eq!(titles(text), ["A b c", "The d e (f)"]);
    }

    #[test]
    fn labels_of_files() {
        assert_eq!(labels(".. _A b:\n\n  .. _`c`:  \r\nx .. _d:\n.. _e"), ["a b", "c"]);
        assert_eq!(labels("..   _a:\n\n..  _`b`:\n\n. _c:\n _d:\n"), ["a", "b"]);
        assert_eq!(
            labels("* - .. _a\\:b:\n1. .. _c:\nx _`D e`, `f_`_ :g:`_`"),
            ["a:b", "c", "d e"]
        );
    }
}
