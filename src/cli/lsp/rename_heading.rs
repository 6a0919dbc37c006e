//! `textDocument/rename` of a heading: the links to it, and to those that are numbered after it, are
//! rewritten.

use std::ops::Range;
use std::path::PathBuf;

use serde_json::{Value, json};
use urigrep::audit::{Link, ResolvedDocument, ResolvedTarget, SpannedText};
use urigrep::percent::{PercentSet, encode};

use super::definition::heading_at;
use super::dispatch::{Task, View};
use super::file_uri::uri_of;
use super::folder::clean;
use super::links::resolve;
use super::message::{Failure, ResultText};
use super::names;
use super::rewrite::{Tree, text_edits};
use super::types::LspPosition;

/// Returns the text of the heading at a position.
pub fn prepare(view: View<'_>, position: LspPosition) -> Option<Value> {
    let document = resolve(view)?;
    let span = title_at(view, &document, position)?;
    let placeholder = view.document.text.get(span.clone())?;
    let range = view.document.lines.range(view.document.text.as_bytes(), span);
    Some(json!({"range": range, "placeholder": placeholder}))
}

/// Returns the span of the text of the heading at a position.
fn title_at(
    view: View<'_>,
    document: &ResolvedDocument,
    position: LspPosition,
) -> Option<Range<usize>> {
    let offset = view.document.lines.offset(&view.document.text, position);
    let block = heading_at(document, offset)?;
    let mut headings = document.facts().headings();
    let heading = headings.find(|heading| heading.span.start() == block.start)?;
    // A title with markup inside is not found: its source differs from its text.
    let at = view.document.text.get(block.clone())?.find(heading.text)?;
    let start = block.start + at;
    Some(start..start + heading.text.len())
}

/// Renames the heading at a position, and what links to it.
///
/// # Errors
/// If there is no heading.
pub fn heading(view: View<'_>, position: LspPosition, new_name: String) -> Result<Task, Failure> {
    let refused = || Failure::refused("only a heading without markup can be renamed here");
    let (folder, path) = view.place().ok_or_else(refused)?;
    let old = resolve(view).ok_or_else(refused)?;
    let span = title_at(view, &old, position).ok_or_else(refused)?;
    if new_name.trim().is_empty() || new_name.contains(['\n', '\r']) {
        return Err(Failure::invalid_params("a heading has one line of text"));
    }
    let heading = heading_at(&old, span.start).ok_or_else(refused)?;
    let mut changes = title_changes(view, span, &new_name);
    let mut text = view.document.text.clone();
    for (span, new) in changes.iter().rev() {
        text.replace_range(span.clone(), new);
    }
    let input = folder.input(path);
    let new = folder.auditor.resolve_text(&input, text.into_bytes()).ok().flatten();
    folder.auditor.forget(&folder.name_of(path));
    let new = new.ok_or_else(refused)?;
    let names = renamed_names(view, (&old, &new), heading, new_name.trim());
    changes.extend(names);
    changes.sort_by_key(|(span, _)| span.start);
    let renamed = RenamedHeadings { file: clean(&folder.name_of(path)), old, new };
    let own = text_edits(view.document.text.as_bytes(), view.encoding, changes);
    let tree = Tree::new(folder, view.encoding);
    let (own_path, own_uri) = (path.to_owned(), view.document.uri.clone());
    Ok(Box::new(move |is_cancelled| {
        let mut edit =
            tree.rewrite(is_cancelled, |_, link, target| renamed.reference(link, target))?;
        let links = edit.changes.remove(&uri_of(&own_path)).unwrap_or_default();
        edit.changes.insert(own_uri, own.into_iter().chain(links).collect());
        ResultText::new(&edit)
    }))
}

/// Returns the changes of a title, and of the lines that underline it, which must be as long as it
/// (docutils, "Sections").
fn title_changes(view: View<'_>, span: Range<usize>, new: &str) -> Vec<(Range<usize>, String)> {
    let (text, lines) = (view.document.text.as_str(), &view.document.lines);
    let line = lines.line_of(span.start);
    let mut changes = vec![(span, new.to_owned())];
    let is_rst = view.document.format().is_some_and(|format| format.name() == "rst");
    let around = if is_rst { [line.checked_sub(1), Some(line + 1)] } else { [None, None] };
    for line in around.into_iter().flatten() {
        let span = lines.line(text, line);
        let content = text.get(span.clone()).unwrap_or_default().trim_end();
        let mut characters = content.chars();
        let first = characters.next().filter(char::is_ascii_punctuation);
        if let Some(first) =
            first.filter(|first| content.len() > 1 && characters.all(|c| c == *first))
        {
            let length = new.chars().count().max(2);
            changes.push((span, first.to_string().repeat(length)));
        }
    }
    changes.sort_by_key(|(span, _)| span.start);
    changes
}

/// Returns the changes of references by name to a heading.
fn renamed_names(
    view: View<'_>,
    (old, new): (&ResolvedDocument, &ResolvedDocument),
    heading: Range<usize>,
    title: &str,
) -> Vec<(Range<usize>, String)> {
    let format = view.document.format().map(|format| format.name()).unwrap_or_default();
    // The heading starts where it did: a longer line above it has no other names.
    let index = old.facts().headings().position(|it| it.span.range() == heading);
    let anchor = || {
        let anchors = new.facts().placed_anchors(new.slugs()).into_iter();
        anchors.skip(new.facts().names().len()).nth(index?).map(|(anchor, _)| anchor)
    };
    let is_renamed = |name: &str| names::place_of_name(old, name).as_ref() == Some(&heading);
    let renamed = old.facts().title_references().iter().filter(|it| is_renamed(&it.text));
    let change = |reference: &SpannedText| {
        let span = reference.span.range();
        let before = span.start.checked_sub(1).and_then(|at| old.text().get(at)).copied();
        let name = match format {
            "rst" => rst_name(title, before),
            // Asciidoctor takes a name for a title if it has a space or a capital, and reads the
            // name up to these marks.
            "asciidoc" if !title.contains(' ') || title.contains([',', '#', '<', '>', '"']) => {
                anchor()?
            }
            // Brackets in a link are escaped (Org, "Link Format").
            "org" => title.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]"),
            _ => title.to_owned(),
        };
        Some((span, name))
    };
    renamed.filter_map(change).collect()
}

/// Returns a name of reStructuredText; `before` is the byte before the old one. Only a word needs no
/// backquotes (docutils, "Reference Names").
fn rst_name(title: &str, before: Option<u8>) -> String {
    let escaped = title.replace('\\', "\\\\").replace('`', "\\`");
    let is_word = title.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_word || matches!(before, Some(b'`' | b'<')) { escaped } else { format!("`{escaped}`") }
}

/// A document before and after a heading changed.
struct RenamedHeadings {
    file: PathBuf,
    old: ResolvedDocument,
    new: ResolvedDocument,
}

impl RenamedHeadings {
    /// Returns the new reference of a link whose anchor is that of another heading now, or of none.
    // Not only links to the changed heading: repeated titles are numbered.
    fn reference(&self, link: &Link<'_>, target: &ResolvedTarget) -> Option<String> {
        let fragment = target.fragment.as_deref().filter(|_| clean(&target.path) == self.file)?;
        let index = heading_of(&self.old, fragment)?;
        if heading_of(&self.new, fragment) == Some(index) {
            return None;
        }
        let names = self.new.facts().names().len();
        let anchors = self.new.facts().placed_anchors(self.new.slugs());
        let (anchor, _) = anchors.into_iter().nth(names + index)?;
        let (before, _) = link.written.trim().split_once('#')?;
        Some(format!("{before}#{}", encode(&anchor, PercentSet::Fragment)))
    }
}

/// Returns the index of the heading that an anchor names.
fn heading_of(document: &ResolvedDocument, anchor: &str) -> Option<usize> {
    let place = document.facts().place_of(anchor, document.slugs())?;
    document.facts().headings().position(|heading| heading.span == place)
}
