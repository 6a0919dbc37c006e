//! `workspace/willRenameFiles`: the links from and to files that are about to be renamed are
//! rewritten.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use urigrep::audit::{PathStatus, paths};
use urigrep::percent::{PercentSet, decode, encode};

use super::dispatch::Task;
use super::file_uri::path_of;
use super::folder::Folder;
use super::message::ResultText;
use super::position::PositionEncoding;
use super::rewrite::Tree;
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
            let edit = tree.rewrite(is_cancelled, |own, link, target| {
                let is_there = matches!(target.status, PathStatus::File | PathStatus::Directory);
                let target = tree.path_of(&target.path);
                is_there.then(|| renames.reference(own, link.written.trim(), &target))?
            })?;
            all.changes.extend(edit.changes);
        }
        ResultText::new(&all)
    })
}

/// Old and new absolute paths of files and directories.
struct RenamedPaths(HashMap<PathBuf, PathBuf>);

impl RenamedPaths {
    /// Of two names for one path, the first counts.
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
    fn reference(&self, own: &Path, written: &str, target: &Path) -> Option<String> {
        let (new_own, new_target) = (self.new_path(own), self.new_path(target));
        if new_own == own && new_target == target {
            return None;
        }
        // Org writes the path of a file as `file:a.org`.
        let (scheme, written) = match written.strip_prefix("file:") {
            Some(path) => ("file:", path),
            None => ("", written),
        };
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
        (new != written).then(|| scheme.to_owned() + &new)
    }
}

/// The form in which a reference names the file of a page.
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

#[cfg(test)]
mod tests {
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
            ("/w/x.org", "file:docs/a.md", "/w/docs/a.md", Some("file:docs/new/b%20c.md")),
            ("/w/docs/a.md", "#h", "/w/docs/a.md", None),
            ("/w/docs/x.md", "y.md", "/w/docs/y.md", None),
        ] {
            let new = renames.reference(Path::new(own), written, Path::new(target));
            assert_eq!(new.as_deref(), expected, "{own} {written}");
        }
    }
}
