//! `textDocument/completion`: paths, anchors, and labels inside links of Markdown, HTML,
//! reStructuredText, AsciiDoc, and Org.
//!
//! A link that is being typed is not a link yet, so no reader finds it. The marks before the cursor
//! in its line show what is being typed.

use std::collections::HashSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use urigrep::audit::ResolvedDocument;
use urigrep::document::{Format, MarkupFamily};
use urigrep::internal::paths;
use urigrep::percent::{PercentSet, decode, encode};

use super::dispatch::View;
use super::folder::Folder;
use super::links::resolve;
use super::rename_heading::org_name;
use super::types::LspPosition;

/// Maximum number of items offered; further typing narrows the list.
const MAX_ITEMS: usize = 1000;

/// The kind of text that may be completed at the cursor, with the part already typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WantedCompletion<'l> {
    /// A path, or a path and an anchor.
    Path(&'l str),
    /// A document without its extension (Sphinx).
    Page(&'l str),
    /// An anchor of this document, or a path.
    Anchor(&'l str),
    /// A heading by its name, of the document at a path; the empty path is this document.
    Heading {
        path: &'l str,
        typed: &'l str,
    },
    /// A label that the document defines.
    Label(&'l str),
    /// A page of a tree with `[[wikilinks]]`.
    Wikilink(&'l str),
    Nothing,
}

/// `kind` of an item (LSP 3.17, `CompletionItemKind`).
#[derive(Clone, Copy)]
enum ItemKind {
    File = 17,
    Reference = 18,
    Folder = 19,
}

pub fn complete(view: View<'_>, position: LspPosition) -> Value {
    let items = items(view, position).unwrap_or_default();
    let is_incomplete = items.len() >= MAX_ITEMS;
    json!({"isIncomplete": is_incomplete, "items": items})
}

/// The spelling of the names at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CursorSpelling {
    /// As a part of a URI. Letters of all alphabets stay.
    Uri,
    /// As they are, in `<…>` of Markdown, but for the marks of URIs (CommonMark 6.3).
    Angles,
    /// As they are: `%20` is not a space there.
    Literal,
    /// As they are, but for the brackets of Org.
    OrgTarget,
}

impl CursorSpelling {
    fn new(format: Format, before: &str) -> Self {
        let is_angled = || before.rfind("](<").is_some_and(|at| !before[at + 3..].contains('>'));
        match format.family() {
            MarkupFamily::Org => Self::OrgTarget,
            MarkupFamily::Rst if !before.ends_with(['>', '_']) => {
                let names = ["include:: ", ":download:`", ":doc:`"];
                let is_name = names.iter().any(|mark| before.contains(mark));
                if is_name { Self::Literal } else { Self::Uri }
            }
            MarkupFamily::Markdown if is_angled() => Self::Angles,
            _ => Self::Uri,
        }
    }

    fn write(self, name: &str, set: PercentSet) -> String {
        match self {
            Self::Literal => return name.to_owned(),
            Self::OrgTarget => return org_name(name),
            Self::Uri | Self::Angles => {}
        }
        let mut written = String::with_capacity(name.len());
        let mut buffer = [0; 4];
        for c in name.chars() {
            let is_kept = match self {
                Self::Angles if matches!(c, ' ' | '(' | ')') => true,
                _ => !c.is_ascii() && !c.is_whitespace() && !c.is_control(),
            };
            if is_kept {
                written.push(c)
            } else {
                written.push_str(&encode(c.encode_utf8(&mut buffer), set))
            }
        }
        written
    }
}

fn items(view: View<'_>, position: LspPosition) -> Option<Vec<Value>> {
    let document = view.document;
    let offset = document.lines.offset(&document.text, position);
    let line = document.lines.line(&document.text, position.line as usize);
    let before = document.text.get(line.start..offset)?;
    let after = document.text.get(offset..line.end)?;
    let format = document.format()?;
    let wanted = wanted(format, before)?;
    let names = match wanted {
        WantedCompletion::Path(typed) => match typed.split_once('#') {
            Some((path, anchor)) => (anchors(view, path)?, anchor),
            None => paths_at(view, typed, false)?,
        },
        WantedCompletion::Page(typed) => paths_at(view, typed, true)?,
        WantedCompletion::Anchor(typed) => match typed.split_once('#') {
            Some((path, anchor)) => (anchors(view, path)?, anchor),
            None => (anchors(view, "")?, typed),
        },
        WantedCompletion::Heading { path, typed } => (headings(&*document_at(view, path)?), typed),
        WantedCompletion::Label(typed) => (labels(&*resolve(view)?), typed),
        WantedCompletion::Wikilink(typed) if resolve(view)?.uses_wikilinks() => {
            paths_at(view, typed, true)?
        }
        WantedCompletion::Wikilink(_) => return None,
        // The target of a search option is in another document.
        WantedCompletion::Nothing => return None,
    };
    let (names, typed) = names;
    let writing = match wanted {
        WantedCompletion::Label(_) | WantedCompletion::Wikilink(_) => CursorSpelling::Literal,
        _ => CursorSpelling::new(format, before),
    };
    let rest = match wanted {
        WantedCompletion::Heading { .. } => rest_of_heading(after),
        _ => rest_of_name(after),
    };
    let at = CompletionPlace {
        span: offset - typed.len()..offset + rest,
        typed,
        writing,
        has_slash: after.get(rest..)?.starts_with('/'),
    };
    Some(names.into_iter().take(MAX_ITEMS).map(|name| item(view, name, &at)).collect())
}

/// The name at the cursor.
struct CompletionPlace<'t> {
    span: Range<usize>,
    typed: &'t str,
    writing: CursorSpelling,
    /// True if a slash follows.
    has_slash: bool,
}

/// Returns the length of the rest of a name that the cursor is in. Only a mark that ends names
/// shows that the rest belongs to a name, and not to the text after an open link.
fn rest_of_name(after: &str) -> usize {
    let is_end = |c: char| c.is_whitespace() || "/#?()<>[]{}\"'`|,".contains(c);
    match after.find(is_end) {
        Some(end) if !after[end..].starts_with(char::is_whitespace) => end,
        _ => 0,
    }
}

/// Returns the length of the rest of a heading in a link of Org, up to the brackets that end it.
fn rest_of_heading(after: &str) -> usize {
    after.find(['[', ']']).filter(|&end| after[end..].starts_with(']')).unwrap_or(0)
}

fn item(view: View<'_>, (name, kind): (String, ItemKind), at: &CompletionPlace<'_>) -> Value {
    let range = view.document.lines.range(view.document.text.as_bytes(), at.span.clone());
    let set = match kind {
        ItemKind::File | ItemKind::Folder => PercentSet::Path,
        ItemKind::Reference => PercentSet::Fragment,
    };
    let written = at.writing.write(&name, set);
    let new = if at.has_slash { written.trim_end_matches('/') } else { &written };
    let edit = json!({"range": range, "newText": new});
    // An editor compares the typed text with this (LSP 3.17, `CompletionItem.filterText`).
    let filter =
        if at.typed.contains('%') { encode(&name, set).into_owned() } else { name.clone() };
    json!({"label": name, "kind": kind as u8, "filterText": filter, "textEdit": edit})
}

/// Returns the kind of completion for the marks before the cursor.
fn wanted(format: Format, before: &str) -> Option<WantedCompletion<'_>> {
    match format.family() {
        MarkupFamily::Markdown => markdown(before).or_else(|| attribute(before)),
        MarkupFamily::Html => attribute(before),
        MarkupFamily::Rst => rst(before),
        MarkupFamily::AsciiDoc => asciidoc(before),
        MarkupFamily::Org => org(before),
        MarkupFamily::Xml | MarkupFamily::Other => None,
    }
}

/// Returns the text after the last `mark`, if none of the `ends` and no space is in it.
fn after<'l>(before: &'l str, mark: &str, ends: &str) -> Option<&'l str> {
    let (_, rest) = before.rsplit_once(mark)?;
    let is_end = |c: char| c.is_whitespace() || ends.contains(c);
    (!rest.contains(is_end)).then_some(rest)
}

fn markdown(before: &str) -> Option<WantedCompletion<'_>> {
    if let Some(label) = after(before, "][", "]") {
        return Some(WantedCompletion::Label(label));
    }
    // Between angle brackets, a path may have spaces and parentheses (CommonMark 6.3).
    let angled = before.rsplit_once("](<").map(|(_, typed)| typed);
    if let Some(typed) = angled.filter(|typed| !typed.contains(['<', '>'])) {
        return Some(WantedCompletion::Path(typed));
    }
    if let Some((_, typed)) = before.rsplit_once("[[")
        && !typed.contains([']', '|', '#', '['])
    {
        return Some(WantedCompletion::Wikilink(typed));
    }
    let definition = || after(before, "]: ", "").filter(|_| before.trim_start().starts_with('['));
    after(before, "](", ")")
        .or_else(definition)
        .map(|path| WantedCompletion::Path(path.trim_start_matches('<')))
}

fn attribute(before: &str) -> Option<WantedCompletion<'_>> {
    let marks = ["href=\"", "src=\"", "href='", "src='", "poster=\"", "data=\""];
    marks.iter().find_map(|mark| after(before, mark, "\"'<>")).map(WantedCompletion::Path)
}

fn rst(before: &str) -> Option<WantedCompletion<'_>> {
    let roles = [(":ref:`", false), (":doc:`", true), (":numref:`", false)];
    for (mark, is_page) in roles {
        if let Some(rest) =
            before.rsplit_once(mark).map(|(_, rest)| rest).filter(|rest| !rest.contains('`'))
        {
            // A text may stand before the target: ``:ref:`the start <start>` ``.
            let typed = rest.rsplit_once('<').map_or(rest, |(_, typed)| typed);
            return Some(if is_page {
                WantedCompletion::Page(typed)
            } else {
                WantedCompletion::Label(typed)
            });
        }
    }
    let directives =
        ["image:: ", "figure:: ", "include:: ", "literalinclude:: ", ":download:`", ":target: "];
    let directive = directives.iter().find_map(|mark| after(before, mark, "`"));
    let reference = || before.rsplit_once('`').and_then(|(_, rest)| after(rest, "<", ">"));
    let target = || before.trim_start().strip_prefix(".. _").and_then(|rest| after(rest, ": ", ""));
    directive.or_else(reference).or_else(target).map(WantedCompletion::Path)
}

fn asciidoc(before: &str) -> Option<WantedCompletion<'_>> {
    if let Some(anchor) = after(before, "<<", ">,") {
        return Some(WantedCompletion::Anchor(anchor));
    }
    let marks = ["link:", "xref:", "image::", "image:", "include::"];
    marks.iter().find_map(|mark| after(before, mark, "[]")).map(WantedCompletion::Path)
}

/// Returns the document that a path leads to; the empty path is this document.
fn document_at(view: View<'_>, path: &str) -> Option<Arc<ResolvedDocument>> {
    if path.is_empty() {
        return resolve(view);
    }
    let (folder, _) = view.place()?;
    let file = folder.path_of(&target_of(view, path)?);
    let read = || folder.auditor.resolve(&folder.input(&file)).ok().flatten();
    folder.may_read(&file).then(read)?.map(Arc::new)
}

/// Returns the names of the headings of a document, as links repeat them.
fn headings(document: &ResolvedDocument) -> Vec<(String, ItemKind)> {
    let facts = document.facts();
    let mut seen = HashSet::new();
    let names = facts.headings().map(|heading| facts.heading_name(&heading).into_owned());
    let names = names.filter(|name| !name.is_empty() && seen.insert(name.to_lowercase()));
    names.map(|name| (name, ItemKind::Reference)).collect()
}

fn org(before: &str) -> Option<WantedCompletion<'_>> {
    let (_, inside) = before.rsplit_once("[[")?;
    // A bracket in a name is escaped.
    let is_open = |name: &str| !name.replace("\\[", "").replace("\\]", "").contains(['[', ']']);
    if let Some(typed) = inside.strip_prefix('*').filter(|typed| is_open(typed)) {
        return Some(WantedCompletion::Heading { path: "", typed });
    }
    if let Some((path, typed)) = inside.split_once("::*").filter(|(_, typed)| is_open(typed)) {
        let path = path.strip_prefix("file:").unwrap_or(path);
        return Some(WantedCompletion::Heading { path, typed });
    }
    let typed = after(before, "[[file:", "]").or_else(|| after(before, "[[", "]"))?;
    // `#id` and `a.org::text` are not paths.
    let is_path = !typed.contains("::") && !typed.starts_with('#');
    Some(if is_path { WantedCompletion::Path(typed) } else { WantedCompletion::Nothing })
}

/// Returns the anchors of the document that a path leads to; the empty path is this document.
fn anchors(view: View<'_>, path: &str) -> Option<Vec<(String, ItemKind)>> {
    let document = document_at(view, path)?;
    let placed = document.facts().placed_anchors(document.slugs());
    let names = placed.into_iter().map(|(name, _)| name);
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    names.dedup();
    Some(names.into_iter().map(|name| (name, ItemKind::Reference)).collect())
}

/// Resolves a path by the rules of the site: as a link in a document at the same place.
fn target_of(view: View<'_>, path: &str) -> Option<PathBuf> {
    let (folder, own) = view.place()?;
    let text = match view.document.format()?.family() {
        MarkupFamily::Html => format!("<a href=\"{path}\">a</a>"),
        MarkupFamily::Rst => format!("`a <{path}>`_\n"),
        MarkupFamily::AsciiDoc => format!("xref:{path}[a]\n"),
        MarkupFamily::Org => format!("[[file:{path}]]\n"),
        // Between angle brackets, a path may have spaces and parentheses (CommonMark 6.3).
        _ => format!("[a](<{path}>)\n"),
    };
    let document = folder.auditor.resolve_text(&folder.input(own), text.into_bytes());
    // The temporary text has replaced the open document, so that must be read again.
    folder.auditor.forget(&folder.name_of(own));
    let target = document.ok()??.links().find_map(|(_, target)| target.cloned())?;
    Some(target.path)
}

/// Returns the names in the directory that the typed path is in, and the part of it that the name
/// replaces.
fn paths_at<'t>(
    view: View<'_>,
    typed: &'t str,
    is_page: bool,
) -> Option<(Vec<(String, ItemKind)>, &'t str)> {
    let (folder, own) = view.place()?;
    let (directory, name) = typed
        .rsplit_once('/')
        .map_or(("", typed), |_| typed.split_at(typed.rfind('/').map_or(0, |slash| slash + 1)));
    // A URI with a scheme is not a path.
    if directory.contains("://") {
        return None;
    }
    let directory = directory_of(view, folder, own, directory);
    if !folder.may_read(&directory) {
        return None;
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).ok()?.flatten() {
        let Ok(entry_name) = entry.file_name().into_string() else { continue };
        // As in shells, a typed dot selects hidden names.
        let is_hidden = entry_name.starts_with('.') && !name.starts_with('.');
        let Some(kind) = entry.file_type().ok().filter(|_| !is_hidden) else { continue };
        if kind.is_dir() {
            names.push((entry_name + "/", ItemKind::Folder));
        } else if !is_page {
            names.push((entry_name, ItemKind::File));
        } else if let Some(stem) =
            entry_name.strip_suffix(".rst").or_else(|| entry_name.strip_suffix(".md"))
        {
            names.push((stem.to_owned(), ItemKind::File));
        }
    }
    names.sort_by(|(a, _), (b, _)| a.cmp(b));
    Some((names, name))
}

fn directory_of(view: View<'_>, folder: &Folder, own: &Path, directory: &str) -> PathBuf {
    let decoded = String::from_utf8_lossy(&decode(directory)).into_owned();
    if let Some(below) = decoded.strip_prefix('/') {
        let by_site = target_of(view, directory).map(|path| folder.path_of(&path));
        let by_site = by_site.map(|path| if path.is_file() { paths::parent(&path) } else { path });
        return by_site.filter(|path| path.is_dir()).unwrap_or_else(|| folder.root().join(below));
    }
    paths::absolute(&own.parent().unwrap_or(Path::new("")).join(decoded))
}

fn labels(document: &ResolvedDocument) -> Vec<(String, ItemKind)> {
    let definitions =
        document.facts().definitions().iter().map(|definition| definition.label.clone());
    let names = document.facts().names().map(|(name, _)| name.to_owned());
    let format = document.facts().format();
    let is_markdown = format.is_some_and(|it| it.family() == MarkupFamily::Markdown);
    let mut labels: Vec<String> = if is_markdown { definitions.collect() } else { names.collect() };
    labels.sort();
    labels.dedup();
    labels.into_iter().map(|label| (label, ItemKind::Reference)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_what_is_meant() {
        use WantedCompletion::{Anchor, Label, Page, Path};
        for (format, before, expected) in [
            ("markdown", "see [a](gui", Some(Path("gui"))),
            ("markdown", "see [a](b) and", None),
            ("markdown", "[a](b#", Some(Path("b#"))),
            ("markdown", "[a](<c ", Some(Path("c "))),
            ("markdown", "[[a", Some(WantedCompletion::Wikilink("a"))),
            ("org", "[[file:a.org::", Some(WantedCompletion::Nothing)),
            ("markdown", "[a][la", Some(Label("la"))),
            ("markdown", "[a]: x/", Some(Path("x/"))),
            ("markdown", "<img src=\"p", Some(Path("p"))),
            ("html", "<a href='x", Some(Path("x"))),
            ("html", "<a href='x' y", None),
            ("rst", "see :ref:`Text <la", Some(Label("la"))),
            ("rst", "see :doc:`../gu", Some(Page("../gu"))),
            ("rst", "`text <fi", Some(Path("fi"))),
            ("rst", ".. image:: pi", Some(Path("pi"))),
            ("rst", ".. _a: fi", Some(Path("fi"))),
            ("asciidoc", "xref:gu", Some(Path("gu"))),
            ("asciidoc", "see <<an", Some(Anchor("an"))),
            ("asciidoc", "link:a[b] c", None),
            ("org", "[[file:a", Some(Path("a"))),
        ] {
            assert_eq!(wanted(Format::named(format).unwrap(), before), expected, "{before}");
        }
    }
}
