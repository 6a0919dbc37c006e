//! The path that a reference names: relative to the document or its `<base href>` (RFC 3986 §5.2.2),
//! under the root, or by `file:` (RFC 8089 §2). `.` and `..` are removed by name, as in URIs.

use std::path::{Component, Path, PathBuf};

use crate::audit::facts::Said;
use crate::audit::subject::{Scope, Subject};
use crate::grammar::UriRef;
use crate::percent;

/// A path and a fragment.
#[derive(Debug)]
pub(super) struct Place {
    /// `None` for the document itself.
    pub path: Option<PathBuf>,
    pub fragment: Option<String>,
}

/// The place that a destination names.
pub(super) fn of(subject: &Subject<'_>) -> Option<Place> {
    let reading = match &subject.link.said {
        Said::Relative(reading) | Said::Absolute(reading) => reading,
        Said::Rejected { .. } | Said::Empty => return None,
    };
    let reference = UriRef::parse(&reading.uri).ok()?;
    let scope = subject.scope;
    let path = match path(&reference)? {
        "" => match scope.facts.base() {
            None => None,
            Some(base) => Some(based(&base.text, scope)?),
        },
        path => Some(beside(path, scope)?),
    };
    let fragment = reference
        .fragment()
        .map(decoded)
        .map(Option::unwrap_or_default);
    Some(Place { path, fragment })
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

/// The path next to the document, or to its base.
fn beside(path: &str, scope: &Scope<'_>) -> Option<PathBuf> {
    if path.starts_with('/') {
        return rooted(path, scope);
    }
    let directory = match scope.facts.base() {
        None => scope.path.parent().unwrap_or(Path::new("")).to_path_buf(),
        Some(base) => {
            let path = based(&base.text, scope)?;
            match base.text.split(['?', '#']).next()?.ends_with(['/', '.']) {
                true => path,
                false => path.parent().unwrap_or(Path::new("")).to_path_buf(),
            }
        }
    };
    joined(directory, path)
}

/// What the base names, itself next to the document.
fn based(base: &str, scope: &Scope<'_>) -> Option<PathBuf> {
    let base = UriRef::parse(base.trim()).ok()?;
    match path(&base)? {
        "" => Some(scope.path.to_path_buf()),
        path if path.starts_with('/') => rooted(path, scope),
        path => joined(
            scope.path.parent().unwrap_or(Path::new("")).to_path_buf(),
            path,
        ),
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

fn decoded(text: &str) -> Option<String> {
    String::from_utf8(percent::decode(text).into_owned()).ok()
}
