//! `textDocument/rename` of a heading and `workspace/willRenameFiles`: links to it, and of it, are
//! rewritten.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use urigrep::audit::{Auditor, Link, PathStatus, ResolvedDocument, ResolvedTarget, paths};
use urigrep::change::{self, Edit, Replacement};
use urigrep::percent::{PercentSet, decode, encode};
use urigrep::search::{Input, Root};

use super::definition::heading_at;
use super::dispatch::{Task, View};
use super::file_uri::{path_of, uri_of};
use super::folder::{Folder, clean};
use super::links::resolve;
use super::message::Failure;
use super::position::{Encoding, Lines};
use super::types::{Position, RenameFilesParams, TextEdit, WorkspaceEdit};

/// Returns the text of the heading at a position.
pub fn prepare(view: View<'_>, position: Position) -> Option<Value> {
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
    position: Position,
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
pub fn heading(view: View<'_>, position: Position, new_name: String) -> Result<Task, Failure> {
    let refused = || Failure::refused("only a heading without markup can be renamed here");
    let (folder, path) = view.place().ok_or_else(refused)?;
    let old = resolve(view).ok_or_else(refused)?;
    let span = title_at(view, &old, position).ok_or_else(refused)?;
    if new_name.trim().is_empty() || new_name.contains(['\n', '\r']) {
        return Err(Failure::invalid_params("a heading has one line of text"));
    }
    let changes = title_changes(view, span, &new_name);
    let mut text = view.document.text.clone();
    for (span, new) in changes.iter().rev() {
        text.replace_range(span.clone(), new);
    }
    let input = folder.input(path);
    let new = folder.auditor.resolve_text(&input, text.into_bytes()).ok().flatten();
    folder.auditor.forget(&folder.name_of(path));
    let new = new.ok_or_else(refused)?;
    let renamed = RenamedHeadings { file: clean(&folder.name_of(path)), old, new };
    let own = text_edits(view.document.text.as_bytes(), view.encoding, changes);
    let tree = Tree::new(folder, view.encoding);
    let (own_path, own_uri) = (path.to_owned(), view.document.uri.clone());
    Ok(Box::new(move |is_cancelled| {
        let mut edit =
            tree.rewrite(is_cancelled, |_, link, target| renamed.reference(link, target))?;
        let links = edit.changes.remove(&uri_of(&own_path)).unwrap_or_default();
        edit.changes.insert(own_uri, own.into_iter().chain(links).collect());
        to_value(&edit)
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

/// Rewrites the links from and to files that are about to be renamed.
pub fn files(folders: &[Folder], encoding: Encoding, params: RenameFilesParams) -> Task {
    let renames = params
        .files
        .iter()
        .filter_map(|file| Some((path_of(&file.old_uri)?, path_of(&file.new_uri)?)));
    let renames = Renames(renames.collect());
    let trees: Vec<Tree> = folders.iter().map(|folder| Tree::new(folder, encoding)).collect();
    Box::new(move |is_cancelled| {
        let mut all = WorkspaceEdit::default();
        for tree in trees {
            let edit = tree.rewrite(is_cancelled, |own, link, target| {
                let is_there = matches!(target.status, PathStatus::File | PathStatus::Directory);
                let target = tree.path_of(&target.path);
                is_there.then(|| renames.reference(own, link.written.trim(), &target))?
            })?;
            all.changes.extend(edit.changes);
        }
        to_value(&all)
    })
}

/// Old and new absolute paths of files and directories.
struct Renames(Vec<(PathBuf, PathBuf)>);

impl Renames {
    fn new_path(&self, path: &Path) -> PathBuf {
        let moved = self.0.iter().find_map(|(old, new)| match path.strip_prefix(old).ok()? {
            below if below.as_os_str().is_empty() => Some(new.clone()),
            below => Some(new.join(below)),
        });
        moved.unwrap_or_else(|| path.to_owned())
    }

    /// Returns the new reference of a link in the document at `own`, which leads to `target`.
    fn reference(&self, own: &Path, written: &str, target: &Path) -> Option<String> {
        let (new_own, new_target) = (self.new_path(own), self.new_path(target));
        if new_own == own && new_target == target {
            return None;
        }
        let (path, tail) = written.split_at(written.find(['?', '#']).unwrap_or(written.len()));
        if path.is_empty() {
            return None;
        }
        let decoded = String::from_utf8(decode(path).into_owned()).ok()?;
        let base = match decoded.strip_prefix('/') {
            // The root is what is left of the target without the path.
            Some(below) => root_of(target, below)?,
            None => paths::parent(own),
        };
        let named = paths::absolute(&base.join(decoded.trim_start_matches('/')));
        let style = Style::new(&named, target)?;
        let new_named = style.apply(&new_target)?;
        let new_base = if decoded.starts_with('/') { base } else { paths::parent(&new_own) };
        let mut new = relative(&new_base, &new_named)?;
        if decoded.starts_with('/') {
            new.insert(0, '/');
        } else if path.starts_with("./") && !new.starts_with("../") {
            new.insert_str(0, "./");
        }
        if path.ends_with('/') && !new.ends_with('/') {
            new.push('/');
        }
        let new = new + tail;
        (new != written).then_some(new)
    }
}

/// How a reference names the file of a page.
enum Style {
    Whole,
    /// Without the extension: `a` or `a/`.
    Stem,
    /// With another extension, such as that of the built page.
    Extension(String),
    /// By the directory of an index page.
    Directory,
}

impl Style {
    fn new(named: &Path, target: &Path) -> Option<Self> {
        if named == target {
            return Some(Self::Whole);
        }
        if named == target.with_extension("") {
            return Some(Self::Stem);
        }
        if Some(named) == target.parent() {
            return Some(Self::Directory);
        }
        let extension = named.extension()?.to_str()?;
        (named == target.with_extension(extension)).then(|| Self::Extension(extension.to_owned()))
    }

    fn apply(&self, target: &Path) -> Option<PathBuf> {
        Some(match self {
            Self::Whole => target.to_owned(),
            Self::Stem => target.with_extension(""),
            Self::Extension(extension) => target.with_extension(extension),
            Self::Directory => target.parent()?.to_owned(),
        })
    }
}

/// Returns the directory below which a target has this path, in any style.
fn root_of(target: &Path, below: &str) -> Option<PathBuf> {
    let below = below.trim_end_matches('/');
    let is_root = |root: &&Path| Style::new(&root.join(below), target).is_some();
    target.ancestors().skip(1).find(is_root).map(Path::to_owned)
}

/// Returns the path from a directory to a file, percent-encoded.
fn relative(directory: &Path, file: &Path) -> Option<String> {
    let same = directory.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let mut names: Vec<String> =
        directory.components().skip(same).map(|_| "..".to_owned()).collect();
    for component in file.components().skip(same) {
        let Component::Normal(name) = component else { return None };
        names.push(encode(name.to_str()?, PercentSet::Segment).into_owned());
    }
    let path = names.join("/");
    // `a:b` alone would be read as a scheme (RFC 3986 section 4.2).
    let is_scheme = names.first().is_some_and(|first| first.contains(':'));
    Some(match path.is_empty() {
        true => ".".to_owned(),
        false if is_scheme => format!("./{path}"),
        false => path,
    })
}

/// A folder whose links are rewritten.
struct Tree {
    auditor: Arc<Auditor>,
    walk_root: Root,
    root: PathBuf,
    encoding: Encoding,
}

impl Tree {
    fn new(folder: &Folder, encoding: Encoding) -> Self {
        let (auditor, root) = (Arc::clone(&folder.auditor), folder.root().to_owned());
        Self { auditor, walk_root: folder.walk_root(), root, encoding }
    }

    fn path_of(&self, name: &Path) -> PathBuf {
        self.root.join(clean(name))
    }

    /// Rewrites all links for which `reference` returns a new one; it gets the document's path.
    fn rewrite(
        &self,
        is_cancelled: &AtomicBool,
        reference: impl Fn(&Path, &Link<'_>, &ResolvedTarget) -> Option<String> + Sync,
    ) -> Result<WorkspaceEdit, Failure> {
        let work = |name: &Path, document: ResolvedDocument| {
            let path = self.path_of(name);
            let edit = |(link, target): (Link<'_>, Option<&ResolvedTarget>)| {
                let to = Replacement::Uri(reference(&path, &link, target?)?);
                let bytes = [link.span.start() as u64, link.span.end() as u64];
                Some(Edit::new(bytes, link.written, to))
            };
            let edits: Vec<Edit> = document.links().filter_map(edit).collect();
            let changes = apply(&self.auditor, &Input::in_tree(name), document.text(), &edits);
            (path, text_edits(document.text(), self.encoding, changes))
        };
        let mut changes: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
        let take = |(path, edits): (PathBuf, Vec<TextEdit>)| {
            if !edits.is_empty() {
                changes.insert(uri_of(&path), edits);
            }
            match is_cancelled.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let walked = self.auditor.resolve_all([self.walk_root.clone()], work, take);
        walked.map_err(|error| Failure::refused(error.to_string()))?;
        Ok(WorkspaceEdit { changes })
    }
}

/// Applies edits to a text, and returns the changed spans with their new texts.
pub fn apply(
    auditor: &Auditor,
    input: &Input,
    text: &[u8],
    edits: &[Edit],
) -> Vec<(Range<usize>, String)> {
    if edits.is_empty() {
        return Vec::new();
    }
    let changed = change::apply(auditor.search(), input, text, edits);
    let edit = |applied: &change::AppliedEdit| {
        let new = changed.bytes().get(applied.new.clone())?;
        Some((applied.old.clone(), String::from_utf8(new.to_vec()).ok()?))
    };
    changed.applied().iter().filter_map(edit).collect()
}

fn text_edits(
    text: &[u8],
    encoding: Encoding,
    changes: Vec<(Range<usize>, String)>,
) -> Vec<TextEdit> {
    if changes.is_empty() {
        return Vec::new();
    }
    let lines = Lines::new(text, encoding);
    let edit = |(span, new_text)| TextEdit { range: lines.range(text, span), new_text };
    changes.into_iter().map(edit).collect()
}

fn to_value(edit: &WorkspaceEdit) -> Result<Value, Failure> {
    serde_json::to_value(edit).map_err(|error| Failure::internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_follow_renamed_files() {
        let renames = [("/w/docs/a.md", "/w/docs/new/b c.md"), ("/w/img", "/w/pictures")];
        let renames = Renames(renames.iter().map(|(old, new)| (old.into(), new.into())).collect());
        for (own, written, target, expected) in [
            ("/w/x.md", "docs/a.md#h", "/w/docs/a.md", Some("docs/new/b%20c.md#h")),
            ("/w/docs/x.md", "./a.md", "/w/docs/a.md", Some("./new/b%20c.md")),
            ("/w/docs/x.md", "a.html", "/w/docs/a.md", Some("new/b%20c.html")),
            ("/w/docs/x.md", "a", "/w/docs/a.md", Some("new/b%20c")),
            ("/w/docs/x.md", "a/", "/w/docs/a.md", Some("new/b%20c/")),
            ("/w/docs/x.md", "/docs/a.md", "/w/docs/a.md", Some("/docs/new/b%20c.md")),
            ("/w/docs/a.md", "../img/p.png", "/w/img/p.png", Some("../../pictures/p.png")),
            ("/w/docs/a.md", "x.md", "/w/docs/x.md", Some("../x.md")),
            ("/w/docs/a.md", "#h", "/w/docs/a.md", None),
            ("/w/docs/x.md", "y.md", "/w/docs/y.md", None),
        ] {
            let new = renames.reference(Path::new(own), written, Path::new(target));
            assert_eq!(new.as_deref(), expected, "{own} {written}");
        }
    }
}
