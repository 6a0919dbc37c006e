//! The path that a reference names: relative to the document or its `<base href>` (RFC 3986 §5.2.2),
//! under the root, or by `file:` (RFC 8089 §2). `.` and `..` are removed by name, as in URIs.

use std::path::{Component, Path, PathBuf};

use crate::audit::facts::LinkKind;
use crate::audit::link_context::{LinkContext, Scope};
use crate::grammar::UriRef;
use crate::percent;

/// A path and a fragment.
#[derive(Debug)]
pub(super) struct LinkPath {
    /// `None` for the document itself.
    pub path: Option<PathBuf>,
    pub fragment: Option<String>,
}

/// The place that a destination names.
pub(super) fn of(context: &LinkContext<'_>) -> Option<LinkPath> {
    let parsed = match &context.link.kind {
        LinkKind::Relative(parsed) | LinkKind::Absolute(parsed) => parsed,
        LinkKind::Rejected { .. } | LinkKind::Empty => return None,
    };
    let reference = UriRef::parse(&parsed.uri).ok()?;
    let scope = context.scope;
    let path = match (path(&reference)?, scope.facts.base()) {
        ("", None) => None,
        ("", Some(base)) => Some(based(&base.text, scope)?),
        (path, base) => {
            let directory = || match base {
                None => Some(directory(scope)),
                Some(base) => based_directory(&base.text, scope),
            };
            Some(beside(path, PathRoot::of(&reference), scope, directory)?)
        }
    };
    let fragment = reference.fragment().map(str::to_owned);
    Some(LinkPath { path, fragment })
}

/// The path of a reference to a local file.
fn path<'r>(reference: &UriRef<'r>) -> Option<&'r str> {
    let is_here = |host: Option<&str>| {
        host.is_none_or(|host| host.is_empty() || host.eq_ignore_ascii_case("localhost"))
    };
    match reference.scheme() {
        None if reference.authority().is_none() => Some(reference.path()),
        Some(scheme) if scheme.eq_ignore_ascii_case("file") && is_here(reference.authority()) => {
            Some(reference.path()).filter(|path| !path.is_empty())
        }
        _ => None,
    }
}

/// What an absolute path is absolute to.
#[derive(Clone, Copy)]
enum PathRoot {
    /// The directory that is served.
    Site,
    /// The machine, for `file:`.
    Machine,
}

impl PathRoot {
    fn of(reference: &UriRef<'_>) -> Self {
        match reference.scheme() {
            Some(_) => Self::Machine,
            None => Self::Site,
        }
    }
}

/// The longest base that can be that of files; it is looked at for each link.
const LONGEST_BASE: usize = 4096;

/// The directory of the document.
fn directory(scope: &Scope<'_>) -> PathBuf {
    scope.path.parent().unwrap_or(Path::new("")).to_path_buf()
}

/// The path in a directory, or an absolute one.
fn beside(
    path: &str,
    root: PathRoot,
    scope: &Scope<'_>,
    directory: impl Fn() -> Option<PathBuf>,
) -> Option<PathBuf> {
    match root {
        _ if !path.starts_with('/') => joined(directory()?, path),
        PathRoot::Site => rooted(path, scope),
        PathRoot::Machine => joined(PathBuf::from("/"), path),
    }
}

/// What the base names, itself next to the document.
fn based(base: &str, scope: &Scope<'_>) -> Option<PathBuf> {
    let base = UriRef::parse(base.trim()).ok().filter(|_| base.len() <= LONGEST_BASE)?;
    match path(&base)? {
        "" => Some(scope.path.to_path_buf()),
        path => beside(path, PathRoot::of(&base), scope, || Some(directory(scope))),
    }
}

/// The directory of what the base names (RFC 3986 §5.2.3).
fn based_directory(base: &str, scope: &Scope<'_>) -> Option<PathBuf> {
    let path = based(base, scope)?;
    let written = base.split(['?', '#']).next()?.trim();
    let is_directory =
        written.ends_with('/') || matches!(written.rsplit('/').next(), Some("." | ".."));
    match is_directory {
        true => Some(path),
        false => Some(path.parent().unwrap_or(Path::new("")).to_path_buf()),
    }
}

/// An absolute path: under the root, where there is one.
fn rooted(path: &str, scope: &Scope<'_>) -> Option<PathBuf> {
    let root = scope.options.root.as_ref()?;
    let mut names: Vec<String> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            // RFC 3986 §5.2.4: there is nothing above the root
            ".." => drop(names.pop()),
            name => names.push(name_of(name)?),
        }
    }
    let mut path = root.clone();
    path.extend(names);
    Some(path)
}

/// A relative path after a directory.
fn joined(directory: PathBuf, path: &str) -> Option<PathBuf> {
    let mut joined = PathBuf::new();
    for component in directory.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => up(&mut joined),
            other => joined.push(other),
        }
    }
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => up(&mut joined),
            name => joined.push(name_of(name)?),
        }
    }
    Some(joined)
}

/// One directory up, also from where the path starts.
fn up(path: &mut PathBuf) {
    match path.components().next_back() {
        Some(Component::Normal(_)) => drop(path.pop()),
        Some(Component::RootDir | Component::Prefix(_)) => {}
        _ => path.push(".."),
    }
}

/// The name of a file that a segment stands for; `None` when no file can have it.
fn name_of(segment: &str) -> Option<String> {
    decoded(segment).filter(|name| !name.contains(['/', '\0']) && name != ".." && name != ".")
}

pub(super) fn decoded(text: &str) -> Option<String> {
    String::from_utf8(percent::decode(text).into_owned()).ok()
}
