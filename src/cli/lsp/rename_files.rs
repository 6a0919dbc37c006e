//! `workspace/willRenameFiles`: the links from and to files that are about to be renamed are
//! rewritten.
//!
//! The audit resolved each link by the rules of its site, so the file that it names is known. A
//! path relative to the document or its page is built anew. All other forms name the end of the
//! file's path (`tail.rs`).

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use urigrep::audit::{
    AddressForm, Link, LinkAddresses, PathStatus, ResolvedDocument, ResolvedTarget,
    ResolvedWikilink,
};
use urigrep::document::{Format, LinkOrigin, MarkupFamily};
use urigrep::internal::paths;
use urigrep::percent::{PercentSet, decode, encode};

use super::dispatch::Task;
use super::file_uri::path_of;
use super::folder::Folder;
use super::message::ResultText;
use super::position::PositionEncoding;
use super::rewrite::{NewReference, PlacedLink, Tree, changed_wikilinks};
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
            let reference = |placed: &PlacedLink<'_>, target: &ResolvedTarget| {
                let is_there = matches!(target.status, PathStatus::File | PathStatus::Directory);
                let target = tree.path_of(&target.path);
                is_there.then(|| renames.reference(placed, &target))?
            };
            let wikilink = |link: &ResolvedWikilink| {
                let (name, _) = link.parts();
                let target = tree.path_of(&link.target.as_ref()?.path);
                let new = renames.new_path(&target);
                // Such a name is found wherever the file is.
                let new = with_new_tail(name, &target, &new, Missing::Dropped, &str::to_owned)?;
                // A label before the name may have the same words.
                let rest = link.text.text.get(link.name_start()..)?;
                let at = link.name_start() + rest.find(name)?;
                Some((at..at + name.len(), new))
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
    /// If a path has two new names, the first wins.
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

    /// Returns the new reference of a link that leads to `target`.
    fn reference(&self, placed: &PlacedLink<'_>, target: &Path) -> Option<NewReference> {
        let PlacedLink { own, link, source, .. } = *placed;
        let (new_own, new_target) = (self.new_path(own), self.new_path(target));
        if new_own == own && new_target == target {
            return None;
        }
        let naming = Naming::new(own, link);
        let written = link.written.trim();
        // The reader replaced `{attribute}` by its value, but the attribute must stay (Asciidoctor,
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
        let new = self.anew(placed, path, target, naming).or_else(|| {
            let encoded = |name: &str| naming.encoded(name);
            with_new_tail(path, target, &new_target, Missing::Refused, &encoded)
        });
        let new = new? + tail;
        (new != written).then(|| {
            let reference = scheme.to_owned() + &new;
            // `{attribute}/a.png` is not a URI, but is written unchanged.
            if naming != Naming::Uri || reference.contains(['{', '|']) {
                NewReference::Literal(reference)
            } else {
                NewReference::Uri(reference)
            }
        })
    }

    /// Returns the new path of a link that is relative to the document, its page, or a root.
    fn anew(
        &self,
        placed: &PlacedLink<'_>,
        path: &str,
        target: &Path,
        naming: Naming,
    ) -> Option<String> {
        let PlacedLink { own, link, addresses, .. } = *placed;
        let (new_own, new_target) = (self.new_path(own), self.new_path(target));
        // The name of a document is exact: Sphinx does not find `a/index` by `a`.
        let is_address = link.origin != LinkOrigin::DocumentName;
        let style_of = |named: &Path| ReferenceStyle::new(named, target, is_address);
        let decoded = naming.decoded(path)?;
        let is_rooted = decoded.starts_with('/');
        let bases = match decoded.strip_prefix('/') {
            // The root is the target without the path at its end.
            Some(below) => {
                let below = below.trim_end_matches('/');
                let is_root = |root: &&Path| style_of(&root.join(below)).is_some();
                let root = target.ancestors().skip(1).find(is_root)?.to_owned();
                vec![(root.clone(), root)]
            }
            None => {
                let starts = |own| addresses.starts(own, path, link.attribute.is_some());
                starts(own).into_iter().zip(starts(&new_own)).collect()
            }
        };
        let (new_base, style) = bases.into_iter().find_map(|(base, new_base)| {
            let named = paths::absolute(&base.join(decoded.trim_start_matches('/')));
            Some((new_base, style_of(&named)?))
        })?;
        let ends_with_slash = path.ends_with('/');
        let (new_named, has_slash) =
            style.apply(target, &new_target, addresses.form(), ends_with_slash)?;
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
        if has_slash && !new.ends_with('/') {
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
        let is_literal = match format.map(Format::family) {
            // Org 9.3 escapes brackets only ("Link Format").
            Some(MarkupFamily::Org) => true,
            // Sphinx and docutils open files by these names.
            Some(MarkupFamily::Rst) if link.element == Some("image") => return Self::Image,
            Some(MarkupFamily::Rst) if matches!(link.element, Some("include" | "download")) => true,
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
    /// Without the extension, always: the name of a document.
    Stem,
    /// By the address of its page: `a`, `a/`, or the directory of an index page.
    Address,
    /// With another extension, such as that of the built page.
    Extension(String),
    /// By `index.html` in the directory of its page.
    Index,
}

impl ReferenceStyle {
    fn new(named: &Path, target: &Path, is_address: bool) -> Option<Self> {
        if named == target {
            return Some(Self::Whole);
        }
        if !is_address {
            return (named == target.with_extension("")).then_some(Self::Stem);
        }
        if named == target.with_extension("") {
            // Servers accept this for an index page, but it is not the address.
            return Some(if is_index_name(target) { Self::Stem } else { Self::Address });
        }
        if named == LinkAddresses::directory(target) {
            return Some(Self::Address);
        }
        let is_page = target.extension().is_some_and(|it| it == "html" || it == "htm");
        if !is_page && LinkAddresses::directory(target).join("index.html") == named {
            return Some(Self::Index);
        }
        let extension = named.extension()?.to_str()?;
        (named == target.with_extension(extension)).then(|| Self::Extension(extension.to_owned()))
    }

    /// Returns the new path, and whether a slash follows it.
    fn apply(
        &self,
        old: &Path,
        new: &Path,
        form: AddressForm,
        ends_with_slash: bool,
    ) -> Option<(PathBuf, bool)> {
        let directory = LinkAddresses::directory(new);
        let index = directory.join("index.html");
        Some(match (self, form) {
            (Self::Whole, _) => (new.to_owned(), ends_with_slash),
            (Self::Stem, _) => (new.with_extension(""), ends_with_slash),
            (Self::Extension(extension), _) => (new.with_extension(extension), false),
            (Self::Index, AddressForm::Directory) => (index, false),
            (Self::Index, _) if is_index_name(new) => (index, false),
            (Self::Index, _) => (new.with_extension("html"), false),
            (Self::Address, AddressForm::Directory) => (directory, ends_with_slash),
            // Elsewhere, only a directory has a slash.
            (Self::Address, _) if is_index_name(new) => {
                (directory, ends_with_slash || !is_index_name(old))
            }
            (Self::Address, _) if !is_index_name(old) => (directory, ends_with_slash),
            (Self::Address, AddressForm::File) => (new.to_owned(), false),
            (Self::Address, _) => (directory, false),
        })
    }
}

/// True for a file whose page is that of its directory.
fn is_index_name(target: &Path) -> bool {
    LinkAddresses::directory(target) != target.with_extension("")
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
    use urigrep::audit::{AuditOptions, Auditor, Profile};
    use urigrep::search::Input;

    use super::*;

    #[test]
    fn references_follow_renamed_files() {
        let renames = [("/w/docs/a.md", "/w/docs/new/b c.md"), ("/w/img", "/w/pictures")];
        let renames = renames.iter().map(|(old, new)| (old.into(), new.into()));
        let renames = RenamedPaths::new(renames);
        let options = AuditOptions::new().profile(Profile::Mkdocs);
        let auditor = Auditor::builder().options(options).build();
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
            let document = auditor.resolve_text(&Input::in_tree("a.md"), text.into_bytes());
            let document = document.unwrap().unwrap();
            let (link, _) = document.links().next().unwrap();
            let (own, source, addresses) = (Path::new(own), written, document.addresses());
            let placed = PlacedLink { own, link: &link, source, addresses };
            let new = renames.reference(&placed, Path::new(target));
            let new = new.map(|new| match new {
                NewReference::Uri(it) | NewReference::Literal(it) | NewReference::Source(it) => it,
            });
            assert_eq!(new.as_deref(), expected, "{} {written}", own.display());
        }
    }
}
