//! `textDocument/rename` of a heading: the links to it, and to those that are numbered after it,
//! are rewritten.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use urigrep::audit::{
    Link, PathStatus, ResolvedDocument, ResolvedTarget, SpannedText, UndefinedLabel,
};
use urigrep::document::{Format, MarkupFamily, Scope};
use urigrep::percent::{PercentSet, encode};

use super::definition::heading_at;
use super::dispatch::{Task, View};
use super::file_uri::uri_of;
use super::folder::clean;
use super::links::resolve;
use super::message::{Failure, ResultText};
use super::names;
use super::places::PlaceIndex;
use super::rewrite::{NewReference, PlacedLink, TextChange, Tree, changed_wikilinks, text_edits};
use super::types::{LspPosition, TextEdit};

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
    // Space before an anchor or attributes belongs to neither.
    let text = view.document.text.get(block.clone())?;
    let name = document.facts().heading_name(&heading);
    // The name of a heading of Org may be in two pieces, with a statistics cookie between them.
    let titles = [name.trim(), heading.text.trim()];
    let (at, title) = titles.into_iter().find_map(|it| Some((text.find(it)?, it)))?;
    let start = block.start + at;
    Some(start..start + title.len()).filter(|span| !span.is_empty())
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
    let format = view.document.format().ok_or_else(refused)?;
    let new_title = format.heading_name(new_name.trim()).into_owned();
    let names = renamed_names(view, (&old, &new), heading.clone(), &new_title);
    let titles = [heading_title(&old, &heading), new_title];
    changes.extend(names);
    changes.sort_by_key(|(span, _)| span.start);
    let renamed = RenamedHeadings {
        file: clean(&folder.name_of(path)),
        anchors: heading_anchors(&new),
        old: Headings::new(old),
        new: Headings::new(Arc::new(new)),
        titles,
    };
    let (tree, own_text) = (Tree::new(folder, view.encoding), view.document.text.clone());
    let encoding = view.encoding;
    let (own_path, own_uri) = (path.to_owned(), view.document.uri.clone());
    Ok(Box::new(move |is_cancelled| {
        let is_label = AtomicBool::new(false);
        let others = |_: &Path, document: &ResolvedDocument| {
            if renamed.defines_label(document) {
                is_label.store(true, Ordering::Relaxed);
            }
            renamed.others(document)
        };
        let reference = |it: &PlacedLink<'_>, to: &ResolvedTarget| renamed.reference(it.link, to);
        let mut edit = tree.rewrite(is_cancelled, reference, others)?;
        // A target with the name of the title is what `:ref:` means, and not the title.
        let labels = if is_label.load(Ordering::Relaxed) {
            BTreeMap::new()
        } else {
            renamed.labels(&tree, is_cancelled)?
        };
        for (uri, edits) in labels {
            edit.changes.entry(uri).or_default().extend(edits);
        }
        let own = text_edits(own_text.as_bytes(), encoding, changes);
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
    let is_rst = view.document.format().is_some_and(|it| it.family() == MarkupFamily::Rst);
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
    let family = view.document.format().map_or(MarkupFamily::Other, Format::family);
    // The heading starts where it did: a longer line above it has no other names.
    let index = old.facts().headings().position(|it| it.span.range() == heading);
    let anchor = OnceCell::new();
    let anchor = || anchor.get_or_init(|| heading_anchors(new).into_iter().nth(index?)).clone();
    let places = PlaceIndex::default();
    let is_renamed = |name: &str| places.of_name(old, name).as_ref() == Some(&heading);
    let renamed = old.facts().title_references().iter().filter(|it| is_renamed(&it.text));
    let change = |reference: &SpannedText| {
        let span = reference.span.range();
        let before = span.start.checked_sub(1).and_then(|at| old.text().get(at)).copied();
        let name = match family {
            MarkupFamily::Rst => rst_name(title, before),
            // Asciidoctor takes a name for a title if it has a space or a capital, and reads the
            // name up to these marks.
            MarkupFamily::AsciiDoc
                if !title.contains(' ') || title.contains([',', '#', '<', '>', '"']) =>
            {
                anchor()?
            }
            MarkupFamily::Org => org_name(title),
            _ => title.to_owned(),
        };
        Some((span, name))
    };
    renamed.filter_map(change).collect()
}

/// Returns a name of reStructuredText; `before` is the byte before the old one. Only a word needs
/// no backquotes (docutils, "Reference Names").
fn rst_name(title: &str, before: Option<u8>) -> String {
    let escaped = title.replace('\\', "\\\\").replace('`', "\\`");
    let is_word = title.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_word || matches!(before, Some(b'`' | b'<')) { escaped } else { format!("`{escaped}`") }
}

/// A document before and after a heading changed.
struct RenamedHeadings {
    file: PathBuf,
    old: Headings,
    new: Headings,
    /// The new anchors of the headings.
    anchors: Vec<String>,
    /// The old title and the new one.
    titles: [String; 2],
}

/// The headings of a document, by their anchors.
struct Headings {
    document: Arc<ResolvedDocument>,
    places: PlaceIndex,
    /// The index of the heading at each place.
    indices: HashMap<Range<usize>, usize>,
}

impl Headings {
    fn new(document: Arc<ResolvedDocument>) -> Self {
        let spans = document.facts().headings().map(|heading| heading.span.range());
        // The first of several at a place counts.
        let mut indices = HashMap::new();
        spans.enumerate().for_each(|(index, span)| {
            indices.entry(span).or_insert(index);
        });
        Self { document, places: PlaceIndex::default(), indices }
    }

    /// Returns the index of the heading that an anchor names.
    fn index(&self, anchor: &str) -> Option<usize> {
        self.indices.get(&self.places.of_anchor(&self.document, anchor)?).copied()
    }
}

/// Returns the anchors of the headings of a document, in order.
fn heading_anchors(document: &ResolvedDocument) -> Vec<String> {
    let anchors = document.facts().placed_anchors(document.slugs()).into_iter();
    anchors.skip(document.facts().names().len()).map(|(anchor, _)| anchor).collect()
}

impl RenamedHeadings {
    /// Returns the new reference of a link whose anchor is that of another heading now, or of none.
    // Not only links to the changed heading: repeated titles are numbered.
    fn reference(&self, link: &Link<'_>, target: &ResolvedTarget) -> Option<NewReference> {
        let fragment = target.fragment.as_deref().filter(|_| clean(&target.path) == self.file)?;
        let index = self.old.index(fragment)?;
        if self.new.index(fragment) == Some(index) {
            return None;
        }
        let anchor = self.anchors.get(index)?;
        let (before, _) = link.written.trim().split_once('#')?;
        Some(NewReference::Uri(format!("{before}#{}", encode(anchor, PercentSet::Fragment))))
    }

    fn is_old_title(&self, name: &str) -> bool {
        names::folded(name) == names::folded(&self.titles[0])
    }

    /// True for a document with a target that has the name of the old title.
    fn defines_label(&self, document: &ResolvedDocument) -> bool {
        let is_rst = document.facts().format().is_some_and(|it| it.family() == MarkupFamily::Rst);
        is_rst && document.facts().names().any(|(name, _)| self.is_old_title(name))
    }

    /// Returns the changes of names of the heading that are not anchors: `[[page#Heading]]`, and
    /// `[[file:a.org::*Heading]]` (Org, "Search Options in File Links").
    fn others(&self, document: &ResolvedDocument) -> Vec<TextChange> {
        let [_, title] = &self.titles;
        let mut changes = changed_wikilinks(document, |link| {
            let target = link.target.as_ref()?;
            let heading = link.parts().1.rsplit('#').next()?;
            let is_meant = clean(&target.path) == self.file && self.is_old_title(heading);
            let at = link.text.text.find(&format!("#{heading}")).filter(|_| is_meant)? + 1;
            Some((at..at + heading.len(), title.clone()))
        });
        for (link, target) in document.links() {
            let Some(target) = target.filter(|target| clean(&target.path) == self.file) else {
                continue;
            };
            let Some((name, span)) = searched_heading(document, &link) else { continue };
            if self.is_old_title(&name) && target.status == PathStatus::File {
                changes.push((span, org_name(title)));
            }
        }
        changes
    }

    /// Returns the edits of `:ref:` with the title, which the extension
    /// `sphinx.ext.autosectionlabel` makes a label.
    fn labels(
        &self,
        tree: &Tree,
        is_cancelled: &AtomicBool,
    ) -> Result<BTreeMap<String, Vec<TextEdit>>, Failure> {
        let is_rst =
            self.old.document.facts().format().is_some_and(|it| it.family() == MarkupFamily::Rst);
        let mut all = BTreeMap::new();
        if !is_rst {
            return Ok(all);
        }
        let page = self.file.with_extension("");
        let work = |name: &Path, document: ResolvedDocument| {
            let change = |it: &UndefinedLabel| {
                // With `autosectionlabel_prefix_document`, the name of the document precedes it.
                let (prefix, title) = it.label.rsplit_once(':').unwrap_or(("", &it.label));
                let is_meant = self.is_old_title(title) && page.ends_with(prefix);
                let span = it.span.range();
                let source = document.text().get(span.clone())?;
                let source = std::str::from_utf8(source).ok().filter(|_| is_meant)?;
                let start = span.start + source.rfind(title)?;
                let is_project = it.scope == Scope::Project;
                is_project.then(|| (start..start + title.len(), self.titles[1].clone()))
            };
            let changes: Vec<TextChange> =
                document.facts().undefined().iter().filter_map(change).collect();
            (tree.path_of(name), text_edits(document.text(), tree.encoding, changes))
        };
        tree.visit(is_cancelled, work, |(path, edits)| {
            if !edits.is_empty() {
                all.insert(uri_of(&path), edits);
            }
        })?;
        Ok(all)
    }
}

fn heading_title(document: &ResolvedDocument, heading: &Range<usize>) -> String {
    let mut headings = document.facts().headings();
    let found = headings.find(|it| it.span.range() == *heading);
    found.map(|it| document.facts().heading_name(&it).trim().to_owned()).unwrap_or_default()
}

/// Returns the heading that a link of Org names after its path, `::*Heading`, and the span of the
/// name.
pub fn searched_heading(
    document: &ResolvedDocument,
    link: &Link<'_>,
) -> Option<(String, Range<usize>)> {
    let option = document.facts().search_option(link)?;
    let name = option.text.strip_prefix('*')?.to_owned();
    Some((name, option.span.start() + 1..option.span.end()))
}

/// Returns a name for a link, in which brackets are escaped (Org, "Link Format").
pub fn org_name(title: &str) -> String {
    title.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}
