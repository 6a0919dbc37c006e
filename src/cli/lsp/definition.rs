//! `textDocument/definition` and `textDocument/references`: from a link to its target, and back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use urigrep::audit::{PathStatus, ResolvedDocument, ResolvedTarget};
use urigrep::document::Scope;

use super::dispatch::{Task, View};
use super::file_uri::uri_of;
use super::folder::{Folder, clean};
use super::links::resolve;
use super::message::{Failure, ResultText};
use super::names::{self, NamedPlace};
use super::places::PlaceIndex;
use super::position::{DocumentLines, PositionEncoding};
use super::rename_heading::searched_heading;
use super::rewrite::Tree;
use super::types::{LspLocation, LspPosition, Range};

type ByteRange = std::ops::Range<usize>;

/// Finds the place that the link or name at a position leads to.
///
/// # Errors
/// If the search of a tree for a label fails.
pub fn definition(view: View<'_>, position: LspPosition) -> Result<Task, Failure> {
    let found = |location: Option<LspLocation>| -> Result<Task, Failure> {
        Ok(Box::new(move |_| ResultText::new(&location)))
    };
    let (Some((folder, path)), Some(document)) = (view.place(), resolve(view)) else {
        return found(None);
    };
    if let Some(target) = target_at(view, &document, position) {
        return found(location_of(view, folder, &target));
    }
    let offset = view.document.lines.offset(&view.document.text, position);
    if let Some(place) = searched_place(view, folder, &document, offset) {
        return found(Some(place));
    }
    if let Some(span) = names::referred_place(&document, offset) {
        return found(Some(location(path, &document, span, view.encoding)));
    }
    let Some(label) = names::label_at(&document, offset).map(str::to_owned) else {
        return found(None);
    };
    let tree = Tree::new(folder, view.encoding);
    Ok(Box::new(move |is_cancelled| {
        let defined = defined_label(&tree, &label, is_cancelled)?;
        let place =
            |it: &LabelPlace| location(&it.path, &it.document, it.span.clone(), tree.encoding);
        ResultText::new(&defined.as_ref().map(place))
    }))
}

/// Returns the heading that `[[file:a.org::*Heading]]` of Org names, if it is at an offset.
fn searched_place(
    view: View<'_>,
    folder: &Folder,
    document: &ResolvedDocument,
    offset: usize,
) -> Option<LspLocation> {
    let (target, name) = document.links().find_map(|(link, target)| {
        let (name, span) = searched_heading(document, &link)?;
        let is_here = span.start <= offset && offset <= span.end;
        Some((target.filter(|_| is_here)?, name))
    })?;
    let path = folder.path_of(&target.path);
    if target.status != PathStatus::File || !folder.may_read(&path) {
        return None;
    }
    let other = folder.auditor.resolve(&folder.input(&path)).ok()??;
    let span = names::place_of_name(&other, &name)?;
    Some(location(&path, &other, span, view.encoding))
}

/// Returns the place of a target that is a document.
fn location_of(view: View<'_>, folder: &Folder, target: &ResolvedTarget) -> Option<LspLocation> {
    let path = folder.path_of(&target.path);
    // An editor opens the file of a definition, so it must be one that the audit may read.
    if target.status != PathStatus::File || !folder.may_read(&path) {
        return None;
    }
    let document = folder.auditor.resolve(&folder.input(&path)).ok().flatten();
    let place = document.as_ref().zip(target.fragment.as_deref()).and_then(|(it, fragment)| {
        let span = it.facts().place_of(fragment, it.slugs())?;
        Some(location(&path, it, span.range(), view.encoding))
    });
    // Without the anchor, the start of the file is still better than no answer.
    place.or_else(|| Some(LspLocation { uri: uri_of(&path), range: Range::default() }))
}

fn location(
    path: &Path,
    document: &ResolvedDocument,
    span: ByteRange,
    encoding: PositionEncoding,
) -> LspLocation {
    let text = document.text();
    let range = DocumentLines::of_file(text, encoding).range(text, trimmed(text, span));
    LspLocation { uri: uri_of(path), range }
}

/// The definition of a label of the project.
struct LabelPlace {
    name: PathBuf,
    path: PathBuf,
    document: ResolvedDocument,
    span: ByteRange,
}

/// Finds the first document that defines a label.
fn defined_label(
    tree: &Tree,
    label: &str,
    is_cancelled: &AtomicBool,
) -> Result<Option<LabelPlace>, Failure> {
    let label = names::folded(label);
    let work = |name: &Path, document: ResolvedDocument| {
        let span = document.facts().names().find(|(it, _)| names::folded(it) == label)?.1.range();
        Some(LabelPlace { name: name.to_owned(), path: tree.path_of(name), document, span })
    };
    let mut first = None;
    // The first in the order of the visit, so that the answer is the same in every run.
    tree.visit(is_cancelled, work, |found| first = first.take().or(found))?;
    Ok(first)
}

/// Returns the target of the link, or of the label of a link, at a position.
pub fn target_at(
    view: View<'_>,
    document: &ResolvedDocument,
    position: LspPosition,
) -> Option<ResolvedTarget> {
    let offset = view.document.lines.offset(&view.document.text, position);
    let has = |span: ByteRange| span.start <= offset && offset <= span.end;
    let of_link = document.links().find(|(link, _)| {
        // A search option of Org follows the path directly.
        let is_search = || searched_heading(document, link).is_some();
        has(link.span.range()) && !(offset == link.span.end() && is_search())
    });
    let of_label = || {
        let label = document.facts().labels().find(|label| has(label.span.range()))?;
        document.links().nth(label.link?)
    };
    if let Some((_, target)) = of_link.or_else(of_label) {
        return target.cloned();
    }
    let wikilink = document.wikilinks().iter().find(|link| has(link.text.span.range()));
    if let Some(link) = wikilink {
        return link.target.clone();
    }
    let (_, definition) = names::used_definition(view, document, offset)?;
    document.links().find(|(link, _)| within(&link.span.range(), &definition))?.1.cloned()
}

fn within(inner: &ByteRange, outer: &ByteRange) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Finds the links and names that lead to the heading, target, or file at a position.
///
/// # Errors
/// If the document is not part of a folder.
pub fn references(
    view: View<'_>,
    position: LspPosition,
    declaration: Declaration,
) -> Result<Task, Failure> {
    let none = || Failure::refused("the document is not part of a folder that is audited");
    let (folder, path) = view.place().ok_or_else(none)?;
    let document = resolve(view).ok_or_else(none)?;
    let offset = view.document.lines.offset(&view.document.text, position);
    let name = folder.name_of(path);
    // A link to the web has no other references in the tree.
    if leads_elsewhere(&document, offset) {
        return Ok(Box::new(|_| ResultText::new(&Vec::<LspLocation>::new())));
    }
    let at_cursor = match target_at(view, &document, position) {
        Some(target) => AtCursor::Target(target),
        None => match names::label_at(&document, offset) {
            Some(label) => AtCursor::Label(label.to_owned()),
            None => AtCursor::Place(
                names::referred_place(&document, offset)
                    .or_else(|| names::place_at(&document, offset)),
            ),
        },
    };
    let wanted = match at_cursor {
        AtCursor::Label(label) => Err(label),
        AtCursor::Place(span) => Ok(WantedName::new(&name, Some(document), span)),
        AtCursor::Target(target) => {
            // As for its definition, only a file in the folder is read.
            let path = folder.path_of(&target.path);
            let read = || folder.auditor.resolve(&folder.input(&path)).ok().flatten();
            let document = folder.may_read(&path).then(read).flatten().map(Arc::new);
            let span = document.as_ref().zip(target.fragment.as_deref());
            let span = span.and_then(|(it, fragment)| it.facts().place_of(fragment, it.slugs()));
            Ok(WantedName::new(&target.path, document, span.map(|span| span.range())))
        }
    };
    let (tree, encoding) = (Tree::new(folder, view.encoding), view.encoding);
    Ok(Box::new(move |is_cancelled| {
        let wanted = match wanted {
            Ok(wanted) => wanted,
            Err(label) => match defined_label(&tree, &label, is_cancelled)? {
                Some(it) => WantedName::new(&it.name, Some(Arc::new(it.document)), Some(it.span)),
                None => return ResultText::new(&Vec::<LspLocation>::new()),
            },
        };
        let (mut all, mut by_title) = (Vec::new(), Vec::new());
        if declaration == Declaration::Included {
            all.extend(wanted.declaration(&tree));
        }
        let work = |name: &Path, document: ResolvedDocument| {
            let lines = std::cell::OnceCell::new();
            let location = |span: ByteRange| {
                let lines = lines.get_or_init(|| DocumentLines::of_file(document.text(), encoding));
                let uri = uri_of(&tree.path_of(name));
                LspLocation { uri, range: lines.range(document.text(), span) }
            };
            let located =
                |spans: Vec<ByteRange>| spans.into_iter().map(location).collect::<Vec<_>>();
            let titles = located(wanted.labels_by_title(&document));
            let is_hidden = wanted.place.as_ref().is_some_and(|it| it.is_hidden_by(&document));
            (located(wanted.spans_in(name, &document)), titles, is_hidden)
        };
        let mut has_label = false;
        tree.visit(is_cancelled, work, |(found, titles, is_hidden)| {
            all.extend(found);
            by_title.extend(titles);
            has_label |= is_hidden;
        })?;
        // A target with the name of the title is what `:ref:` means, and not the title.
        if !has_label {
            all.extend(by_title);
        }
        ResultText::new(&all)
    }))
}

/// True for an offset in a link that leads to no file.
fn leads_elsewhere(document: &ResolvedDocument, offset: usize) -> bool {
    let is_here = |span: ByteRange| span.start <= offset && offset <= span.end;
    let mut links = document.links();
    let is_label = names::label_at(document, offset).is_some();
    !is_label && links.any(|(link, target)| is_here(link.span.range()) && target.is_none())
}

/// Selects whether references include the place itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declaration {
    Included,
    Excluded,
}

/// The construct at the cursor.
enum AtCursor {
    /// A link.
    Target(ResolvedTarget),
    /// A reference to a label of the project.
    Label(String),
    /// A reference by name, a heading, or a target; `None` for the file itself.
    Place(Option<ByteRange>),
}

/// The thing whose references are looked for.
struct WantedName {
    /// The file, as the audit names it.
    file: PathBuf,
    document: Option<Arc<ResolvedDocument>>,
    /// The place in the file; `None` for the file itself.
    place: Option<NamedPlace>,
    /// The places of the document.
    places: PlaceIndex,
}

impl WantedName {
    fn new(file: &Path, document: Option<Arc<ResolvedDocument>>, span: Option<ByteRange>) -> Self {
        let place = document.as_ref().zip(span).map(|(it, span)| NamedPlace::new(it, span));
        Self { file: clean(file), document, place, places: PlaceIndex::default() }
    }

    /// Returns where the place is defined.
    fn declaration(&self, tree: &Tree) -> Option<LspLocation> {
        let span = self.place.as_ref()?.spans.first()?.clone();
        Some(location(&tree.path_of(&self.file), self.document.as_ref()?, span, tree.encoding))
    }

    /// Returns the spans of a document that lead here, in order.
    fn spans_in(&self, name: &Path, document: &ResolvedDocument) -> Vec<ByteRange> {
        let links = document.links().filter(|(_, target)| target.is_some_and(|it| self.is(it)));
        let mut spans: Vec<ByteRange> = links.map(|(link, _)| link.span.range()).collect();
        let wikilinks = document.wikilinks().iter();
        let wikilinks = wikilinks.filter(|it| it.target.as_ref().is_some_and(|it| self.is(it)));
        spans.extend(wikilinks.map(|link| link.text.span.range()));
        spans.sort_unstable_by_key(|span| span.start);
        let Some(place) = &self.place else { return spans };
        let searched = document.links().filter_map(|(link, target)| {
            let (name, span) = searched_heading(document, &link)?;
            let own = self
                .document
                .as_ref()
                .filter(|_| target.is_some_and(|target| clean(&target.path) == self.file))?;
            place.spans.contains(&self.places.of_name(own, &name)?).then_some(span)
        });
        spans.extend(searched);
        let facts = document.facts();
        if clean(name) == self.file {
            let references = facts.title_references().iter();
            let places = PlaceIndex::default();
            let leads_here = |name: &str| {
                places.of_name(document, name).is_some_and(|it| place.spans.contains(&it))
            };
            spans.extend(references.filter(|it| leads_here(&it.text)).map(|it| it.span.range()));
        }
        let labels = facts.undefined().iter();
        let labels = labels.filter(|it| it.scope == Scope::Project && place.is_label(&it.label));
        spans.extend(labels.map(|it| it.span.range()));
        spans.sort_unstable_by_key(|span| span.start);
        spans
    }

    /// Returns the spans of the labels that are the title of the place.
    fn labels_by_title(&self, document: &ResolvedDocument) -> Vec<ByteRange> {
        let Some(place) = &self.place else { return Vec::new() };
        let page = self.file.with_extension("");
        let labels = document.facts().undefined().iter().filter(|it| it.scope == Scope::Project);
        let labels = labels.filter(|it| place.is_title(&it.label, &page));
        labels.map(|it| it.span.range()).collect()
    }

    /// True for a link to this place.
    fn is(&self, target: &ResolvedTarget) -> bool {
        if clean(&target.path) != self.file {
            return false;
        }
        let Some(wanted) = &self.place else { return true };
        let place = target.fragment.as_deref().zip(self.document.as_ref());
        let place = place.and_then(|(fragment, it)| self.places.of_anchor(it, fragment));
        place.is_some_and(|place| wanted.spans.contains(&place))
    }
}

/// Returns the span of the heading at an offset.
pub fn heading_at(document: &ResolvedDocument, offset: usize) -> Option<ByteRange> {
    let spans = document.facts().headings().map(|heading| heading.span.range());
    // The span of a heading may include the end of its line.
    let has = |span: &ByteRange| {
        let span = trimmed(document.text(), span.clone());
        span.start <= offset && offset <= span.end
    };
    spans.into_iter().find(has)
}

/// Returns a span without white space at its end.
pub fn trimmed(text: &[u8], span: ByteRange) -> ByteRange {
    let content = text.get(span.clone()).unwrap_or_default();
    span.start..span.start + content.trim_ascii_end().len()
}
