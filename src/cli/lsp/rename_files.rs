//! `workspace/willRenameFiles`: the links from and to files that are about to be renamed are
//! rewritten.
//!
//! The audit resolved each link by the rules of its site, so the file that it names is known. A
//! path relative to the document or its page is made anew. All other forms name the end of the
//! file's path (`tail.rs`).

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use urigrep::audit::{Link, PathStatus, ResolvedDocument, ResolvedTarget, ResolvedWikilink, paths};
use urigrep::document::{Format, LinkOrigin};
use urigrep::percent::{PercentSet, decode, encode};

use super::dispatch::Task;
use super::file_uri::path_of;
use super::folder::Folder;
use super::message::ResultText;
use super::position::PositionEncoding;
use super::rewrite::{NewReference, Tree, changed_wikilinks};
use super::tail::{Missing, with_new_tail};
use super::types::{RenameFilesParams, WorkspaceEdit};

/// Rewrites the links from and to files that are about to be renamed.
pub fn files(folders: &[Folder], encoding: PositionEncoding, params: RenameFilesParams) -> Task {
    let renames = params
        .files
        .iter()
        .filter_map(|file| Some((path_of(&file.old_uri)?, path_of(&file.new_uri)?)));
    let renames = RenamedPaths::new(renames);
    let trees: Vec<Tree> = folders.iter().map(|folder| Tree::new(folder, encoding)).collect();
    Box::new(move |is_cancelled| {
        let mut all = WorkspaceEdit::default();
        for tree in trees {
            let reference = |own: &Path, link: &Link<'_>, source: &str, target: &ResolvedTarget| {
                let is_there = matches!(target.status, PathStatus::File | PathStatus::Directory);
                let target = tree.path_of(&target.path);
                is_there.then(|| renames.reference(own, link, source, &target))?
            };
            let wikilink = |link: &ResolvedWikilink| {
                let (name, _) = link.parts();
                let target = tree.path_of(&link.target.as_ref()?.path);
                let new = renames.new_path(&target);
                // Such a name is found wherever the file is.
                let new = with_new_tail(name, &target, &new, Missing::Dropped, &str::to_owned)?;
                link.text.text.find(name).map(|at| (at..at + name.len(), new))
            };
            let wikilinks =
                |_: &Path, document: &ResolvedDocument| changed_wikilinks(document, wikilink);
            let edit = tree.rewrite(is_cancelled, reference, wikilinks)?;
            all.changes.extend(edit.changes);
        }
        ResultText::new(&all)
    })
}

/// Old and new absolute paths of files and directories.
struct RenamedPaths(HashMap<PathBuf, PathBuf>);

impl RenamedPaths {
    /// Of two names for one path, the first wins.
    fn new(renames: impl Iterator<Item = (PathBuf, PathBuf)>) -> Self {
        let mut all = HashMap::new();
        for (old, new) in renames {
            all.entry(old).or_insert(new);
        }
        Self(all)
    }

    fn new_path(&self, path: &Path) -> PathBuf {
        // The innermost, if a file is named beside its directory.
        let moved = path.ancestors().find_map(|old| {
            let new = self.0.get(old)?;
            match path.strip_prefix(old).ok()? {
                below if below.as_os_str().is_empty() => Some(new.clone()),
                below => Some(new.join(below)),
            }
        });
        moved.unwrap_or_else(|| path.to_owned())
    }

    /// Returns the new reference of a link in the document at `own`, which leads to `target`.
    fn reference(
        &self,
        own: &Path,
        link: &Link<'_>,
        source: &str,
        target: &Path,
    ) -> Option<NewReference> {
        let (new_own, new_target) = (self.new_path(own), self.new_path(target));
        if new_own == own && new_target == target {
            return None;
        }
        let naming = Naming::new(own, link);
        let written = link.written.trim();
        // The reader put the value in place of `{attribute}`, which must stay (Asciidoctor,
        // "Attribute References").
        if source != link.written && source.contains('{') {
            let (path, tail) = source.split_at(source.find(['?', '#']).unwrap_or(source.len()));
            let encoded = |name: &str| naming.encoded(name);
            let new = with_new_tail(path, target, &new_target, Missing::Refused, &encoded)?;
            return Some(NewReference::Source(new + tail));
        }
        // Org writes the path of a file as `file:a.org`.
        let (scheme, written) = match written.strip_prefix("file:") {
            Some(path) => ("file:", path),
            None => ("", written),
        };
        // In Org, a place in the file follows `::`.
        let end = match naming {
            Naming::Uri | Naming::Image => written.find(['?', '#']),
            Naming::Literal => written.find("::"),
        };
        let (path, tail) = written.split_at(end.unwrap_or(written.len()));
        if path.is_empty() {
            return None;
        }
        let new = self.anew(own, path, target, naming).or_else(|| {
            let encoded = |name: &str| naming.encoded(name);
            with_new_tail(path, target, &new_target, Missing::Refused, &encoded)
        });
        let new = new? + tail;
        (new != written).then(|| {
            let reference = scheme.to_owned() + &new;
            // `{attribute}/a.png` is not a URI, but is written as it is.
            if naming != Naming::Uri || reference.contains(['{', '|']) {
                NewReference::Literal(reference)
            } else {
                NewReference::Uri(reference)
            }
        })
    }

    /// Returns the new path of a link that is relative to the document, its page, or a root.
    fn anew(&self, own: &Path, path: &str, target: &Path, naming: Naming) -> Option<String> {
        let (new_own, new_target) = (self.new_path(own), self.new_path(target));
        let decoded = naming.decoded(path)?;
        let is_rooted = decoded.starts_with('/');
        let bases = match decoded.strip_prefix('/') {
            // The root is the target without the path at its end.
            Some(below) => {
                let root = root_of(target, below)?;
                vec![(root.clone(), root)]
            }
            None => vec![
                (paths::parent(own), paths::parent(&new_own)),
                // The page of `a.md` is `a/`.
                (own.with_extension(""), new_own.with_extension("")),
            ],
        };
        let (new_base, style) = bases.into_iter().find_map(|(base, new_base)| {
            let named = paths::absolute(&base.join(decoded.trim_start_matches('/')));
            Some((new_base, ReferenceStyle::new(&named, target)?))
        })?;
        let new_named = style.apply(&new_target)?;
        let mut new = relative(&new_base, &new_named, naming)?;
        if is_rooted {
            // A file outside of the root has no such path.
            if new.starts_with("..") {
                return None;
            }
            new.insert(0, '/');
        } else if path.starts_with("./") && !new.starts_with("../") && !new.starts_with("./") {
            new.insert_str(0, "./");
        }
        if path.ends_with('/') && !new.ends_with('/') {
            new.push('/');
        }
        Some(new)
    }
}

/// The spelling of file names in links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    /// Percent-encoded, as a part of a URI.
    Uri,
    /// As they are: `%20` is not a space.
    Literal,
    /// Like a plain path, but docutils removes white space from the path of a picture ("image").
    Image,
}

impl Naming {
    fn new(own: &Path, link: &Link<'_>) -> Self {
        let format = own.extension().and_then(|it| Format::from_extension(it.to_str()?));
        let is_literal = match format.map(|format| format.name()) {
            // Org 9.3 escapes brackets only ("Link Format").
            Some("org") => true,
            // Sphinx and docutils open files by these names.
            Some("rst") if link.element == Some("image") => return Self::Image,
            Some("rst") if matches!(link.element, Some("include" | "download")) => true,
            // Names of documents in a table of contents of MyST, too.
            _ => link.origin == LinkOrigin::DocumentName,
        };
        if is_literal { Self::Literal } else { Self::Uri }
    }

    fn decoded(self, path: &str) -> Option<String> {
        match self {
            Self::Uri | Self::Image => String::from_utf8(decode(path).into_owned()).ok(),
            Self::Literal => Some(path.to_owned()),
        }
    }

    fn encoded(self, name: &str) -> String {
        match self {
            Self::Uri => encode(name, PercentSet::Segment).into_owned(),
            Self::Literal => name.to_owned(),
            Self::Image => name.replace(' ', "%20"),
        }
    }
}

/// The form in which a reference names the file of a page.
enum ReferenceStyle {
    Whole,
    /// Without the extension: `a` or `a/`.
    Stem,
    /// With another extension, such as that of the built page.
    Extension(String),
    /// By the directory of an index page.
    Directory,
    /// By `index.html`, the page of a `README.md`.
    Index,
}

impl ReferenceStyle {
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
        let stem = |path: &Path| path.file_stem().and_then(|it| it.to_str()).map(str::to_owned);
        let is_index = target.with_file_name("index.html") == named
            && matches!(stem(target).as_deref(), Some("README" | "readme" | "_index"));
        if is_index {
            return Some(Self::Index);
        }
        let extension = named.extension()?.to_str()?;
        (named == target.with_extension(extension)).then(|| Self::Extension(extension.to_owned()))
    }

    fn apply(&self, target: &Path) -> Option<PathBuf> {
        Some(match self {
            Self::Whole => target.to_owned(),
            Self::Stem => target.with_extension(""),
            Self::Extension(extension) => target.with_extension(extension),
            Self::Directory if is_index_name(target) => target.parent()?.to_owned(),
            Self::Directory => target.with_extension(""),
            Self::Index if is_index_name(target) => target.with_file_name("index.html"),
            Self::Index => target.with_extension("html"),
        })
    }
}

/// True for a file whose page is that of its directory.
fn is_index_name(target: &Path) -> bool {
    let stem = target.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
    matches!(stem, "index" | "_index" | "README" | "readme")
}

/// Returns the directory below which a target has this path, in any style.
fn root_of(target: &Path, below: &str) -> Option<PathBuf> {
    let below = below.trim_end_matches('/');
    let is_root = |root: &&Path| ReferenceStyle::new(&root.join(below), target).is_some();
    target.ancestors().skip(1).find(is_root).map(Path::to_owned)
}

/// Returns the path from a directory to a file.
fn relative(directory: &Path, file: &Path, naming: Naming) -> Option<String> {
    let same = directory.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let mut names: Vec<String> =
        directory.components().skip(same).map(|_| "..".to_owned()).collect();
    for component in file.components().skip(same) {
        let Component::Normal(name) = component else { return None };
        names.push(naming.encoded(name.to_str()?));
    }
    let path = names.join("/");
    // `a:b` alone would be read as a scheme (RFC 3986 section 4.2).
    let is_scheme = naming == Naming::Uri && names.first().is_some_and(|it| it.contains(':'));
    Some(match path.is_empty() {
        true => ".".to_owned(),
        false if is_scheme => format!("./{path}"),
        false => path,
    })
}

#[cfg(test)]
mod tests {
    use urigrep::{Finder, audit};

    use super::*;

    #[test]
    fn references_follow_renamed_files() {
        let renames = [("/w/docs/a.md", "/w/docs/new/b c.md"), ("/w/img", "/w/pictures")];
        let renames = renames.iter().map(|(old, new)| (old.into(), new.into()));
        let renames = RenamedPaths::new(renames);
        for (own, written, target, expected) in [
            ("/w/x.md", "docs/a.md#h", "/w/docs/a.md", Some("docs/new/b%20c.md#h")),
            ("/w/docs/x.md", "./a.md", "/w/docs/a.md", Some("./new/b%20c.md")),
            ("/w/docs/x.md", "a.html", "/w/docs/a.md", Some("new/b%20c.html")),
            ("/w/docs/x.md", "a", "/w/docs/a.md", Some("new/b%20c")),
            ("/w/docs/x.md", "a/", "/w/docs/a.md", Some("new/b%20c/")),
            ("/w/docs/x.md", "/docs/a.md", "/w/docs/a.md", Some("/docs/new/b%20c.md")),
            ("/w/docs/a.md", "../img/p.png", "/w/img/p.png", Some("../../pictures/p.png")),
            ("/w/docs/a.md", "x.md", "/w/docs/x.md", Some("../x.md")),
            ("/w/x.org", "file:docs/a.md", "/w/docs/a.md", Some("file:docs/new/b c.md")),
            ("/w/docs/x.md", "../a/", "/w/docs/a.md", Some("../new/b%20c/")),
            ("/w/x.md", "@site/docs/a.md", "/w/docs/a.md", Some("@site/docs/new/b%20c.md")),
            ("/w/docs/a.md", "#h", "/w/docs/a.md", None),
            ("/w/docs/x.md", "y.md", "/w/docs/y.md", None),
        ] {
            let text = format!("<a href='{written}'>");
            let facts = audit::read(Format::named("html"), text.as_bytes(), &Finder::new());
            let link = facts.links().next().unwrap();
            let new = renames.reference(Path::new(own), &link, written, Path::new(target));
            let new = new.map(|new| match new {
                NewReference::Uri(it) | NewReference::Literal(it) | NewReference::Source(it) => it,
            });
            assert_eq!(new.as_deref(), expected, "{own} {written}");
        }
    }
}
