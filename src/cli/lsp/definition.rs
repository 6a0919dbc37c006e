//! `textDocument/definition` and `textDocument/references`: from a link to its target, and back.

use std::ops::Range;
use std::path::{Path, PathBuf};

use urigrep::audit::{PathStatus, ResolvedDocument, ResolvedTarget};

use super::dispatch::{Task, View};
use super::file_uri::uri_of;
use super::links::resolve;
use super::message::Failure;
use super::position::Lines;
use super::rewrite::Tree;
use super::types::{Location, Position};

/// Returns the place that the link at a position leads to.
pub fn definition(view: View<'_>, position: Position) -> Option<Location> {
    let (folder, _) = view.place()?;
    let target = target_at(view, &resolve(view)?, position)?;
    let path = folder.path_of(&target.path);
    if target.status != PathStatus::File || !folder.may_read(&path) {
        return None;
    }
    let other = folder.auditor.resolve(&folder.input(&path)).ok().flatten();
    let place = other.as_ref().zip(target.fragment.as_deref()).and_then(|(document, fragment)| {
        let span = document.facts().place_of(fragment, document.slugs())?;
        Some(
            Lines::new(document.text(), view.encoding)
                .range(document.text(), trimmed(document.text(), span.range())),
        )
    });
    Some(Location { uri: uri_of(&path), range: place.unwrap_or_default() })
}

/// Returns the target of the link, or of the label of a link, at a position.
fn target_at(
    view: View<'_>,
    document: &ResolvedDocument,
    position: Position,
) -> Option<ResolvedTarget> {
    let offset = view.document.lines.offset(&view.document.text, position);
    let has = |span: Range<usize>| span.start <= offset && offset <= span.end;
    let of_link = document.links().find(|(link, _)| has(link.span.range()));
    let of_label = || {
        let label = document.facts().labels().find(|label| has(label.span.range()))?;
        document.links().nth(label.link?)
    };
    of_link.or_else(of_label)?.1.cloned()
}

/// The thing that links are looked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The file, as the audit names it.
    pub file: PathBuf,
    /// Index of the heading; `None` for the file itself.
    pub heading: Option<Range<usize>>,
}

/// Finds the links to the heading or file at a position.
pub fn references(view: View<'_>, position: Position) -> Result<Task, Failure> {
    let none = || Failure::refused("the document is not part of a folder that is audited");
    let (folder, path) = view.place().ok_or_else(none)?;
    let document = resolve(view).ok_or_else(none)?;
    let offset = view.document.lines.offset(&view.document.text, position);
    let name = folder.name_of(path);
    let (file, fragment) = match target_at(view, &document, position) {
        Some(target) => (target.path, target.fragment),
        None => (name.clone(), None),
    };
    let heading = match fragment {
        Some(fragment) => {
            let other =
                folder.auditor.resolve(&folder.input(&folder.path_of(&file))).ok().flatten();
            let span = other.and_then(|it| it.facts().place_of(&fragment, it.slugs()));
            span.map(|span| span.range())
        }
        None if file == name => heading_at(&document, offset),
        None => None,
    };
    let wanted = Wanted { file: super::folder::clean(&file), heading };
    let target =
        folder.auditor.resolve(&folder.input(&folder.path_of(&wanted.file))).ok().flatten();
    let (tree, encoding) = (Tree::new(folder, view.encoding), view.encoding);
    Ok(Box::new(move |is_cancelled| {
        let work = |name: &Path, document: ResolvedDocument| {
            let lines = std::cell::OnceCell::new();
            let location = |span: Range<usize>| {
                let lines = lines.get_or_init(|| Lines::new(document.text(), encoding));
                let uri = uri_of(&tree.path_of(name));
                Location { uri, range: lines.range(document.text(), span) }
            };
            let is_wanted =
                |it: &Option<&ResolvedTarget>| it.is_some_and(|it| wanted.is(it, target.as_ref()));
            let links = document.links().filter(|(_, target)| is_wanted(target));
            links.map(|(link, _)| location(link.span.range())).collect::<Vec<_>>()
        };
        let mut all = Vec::new();
        tree.visit(is_cancelled, work, |found| all.extend(found))?;
        serde_json::to_value(all).map_err(|error| Failure::internal(error.to_string()))
    }))
}

impl Wanted {
    /// True for a link that leads here. `document` is the wanted file.
    fn is(&self, target: &ResolvedTarget, document: Option<&ResolvedDocument>) -> bool {
        if super::folder::clean(&target.path) != self.file {
            return false;
        }
        let Some(heading) = &self.heading else { return true };
        let place =
            target.fragment.as_deref().zip(document).and_then(|(fragment, document)| {
                document.facts().place_of(fragment, document.slugs())
            });
        place.is_some_and(|place| place.range() == *heading)
    }
}

/// Returns the span of the heading at an offset.
pub fn heading_at(document: &ResolvedDocument, offset: usize) -> Option<Range<usize>> {
    let spans = document.facts().headings().map(|heading| heading.span.range());
    // The span of a heading may include the end of its line.
    let has = |span: &Range<usize>| {
        let span = trimmed(document.text(), span.clone());
        span.start <= offset && offset <= span.end
    };
    spans.into_iter().find(has)
}

/// Returns a span without white space at its end.
pub fn trimmed(text: &[u8], span: Range<usize>) -> Range<usize> {
    let content = text.get(span.clone()).unwrap_or_default();
    span.start..span.start + content.trim_ascii_end().len()
}
