//! The entries of a walk, and the problems of those that it could not read.

use std::path::{Path, PathBuf};

use ignore::{DirEntry, Error};

use crate::search::tree::walk::Visit;
use crate::search::{Input, Origin, Problem, ProblemKind, describe};

/// A path that a walk found, before it becomes an input. There may be millions of them.
#[derive(Clone, Debug)]
pub(crate) struct WalkEntry {
    pub path: PathBuf,
    pub(super) kind: EntryKind,
}

#[derive(Clone, Debug)]
pub(super) enum EntryKind {
    /// It was named by the user.
    Root,
    /// It is in a directory.
    InTree,
    /// It is not a regular file.
    Special,
    Problem(Box<Problem>),
}

impl WalkEntry {
    pub fn visit(self, hides_dot: bool) -> Visit {
        match self.kind {
            EntryKind::Root => Visit::Search(Input::file(self.path)),
            EntryKind::InTree => Visit::Search(self.in_tree(hides_dot)),
            EntryKind::Special => Visit::Skip(self.in_tree(hides_dot)),
            EntryKind::Problem(problem) => Visit::Problem(*problem),
        }
    }

    fn in_tree(self, hides_dot: bool) -> Input {
        let displayed = displayed(&self.path, hides_dot).to_owned();
        Input::found(self.path, displayed, Origin::Tree)
    }

    /// Returns the visit in memory of the calling thread. Memory that one thread allocates and
    /// another frees slows both down.
    pub fn visit_by_copy(&self, hides_dot: bool) -> Visit {
        self.clone().visit(hides_dot)
    }
}

/// Returns the visit for an entry of the walk; `None` for directories and for links that are not
/// followed.
pub(crate) fn visits(
    entry: Result<DirEntry, Error>,
    hides_dot: bool,
) -> impl Iterator<Item = Visit> {
    walk_entries(entry, hides_dot).map(move |entry| entry.visit(hides_dot))
}

pub(crate) fn walk_entries(
    entry: Result<DirEntry, Error>,
    hides_dot: bool,
) -> impl Iterator<Item = WalkEntry> {
    let (path, kind, problem) = match entry {
        Ok(entry) => {
            let problem = entry.error().and_then(|error| soft_problem(error, hides_dot));
            let kind = kind(&entry);
            (entry.into_path(), kind, problem)
        }
        Err(error) => {
            let path = error_path(&error).unwrap_or(Path::new("")).to_owned();
            (path, None, problem(&error, hides_dot))
        }
    };
    let problem = problem.map(|problem| WalkEntry {
        path: path.clone(),
        kind: EntryKind::Problem(Box::new(problem)),
    });
    problem.into_iter().chain(kind.map(|kind| WalkEntry { path, kind }))
}

fn kind(entry: &DirEntry) -> Option<EntryKind> {
    let kind = entry.file_type()?;
    // A single-threaded walk enters a named link to a directory, but still reports it as a link.
    if kind.is_dir() || kind.is_symlink() && entry.depth() == 0 && entry.path().is_dir() {
        return None;
    }
    if entry.depth() == 0 {
        return Some(EntryKind::Root);
    }
    // A link that is not followed leads to something that is walked anyway, or is outside of the
    // tree.
    if kind.is_symlink() {
        return None;
    }
    Some(if kind.is_file() { EntryKind::InTree } else { EntryKind::Special })
}

pub(super) fn displayed(path: &Path, hides_dot: bool) -> &Path {
    if hides_dot { path.strip_prefix("./").unwrap_or(path) } else { path }
}

/// Returns the problem for an error of the walk; `None` for a link back to a directory that
/// contains it.
fn problem(error: &Error, hides_dot: bool) -> Option<Problem> {
    let message = match innermost(error) {
        // With links that are followed, a loop is harmless: its directory was entered before.
        Error::Loop { .. } => return None,
        Error::Io(error) => describe_inner(error),
        other => other.to_string(),
    };
    let path = error_path(error)
        .map_or(&b""[..], |path| displayed(path, hides_dot).as_os_str().as_encoded_bytes());
    Some(Problem::new(ProblemKind::Read, path, message))
}

/// Returns the first path in an error.
fn error_path(error: &Error) -> Option<&Path> {
    match error {
        Error::WithPath { path, .. } => Some(path),
        Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => error_path(err),
        _ => None,
    }
}

/// Returns the innermost error, without its path.
fn innermost(error: &Error) -> &Error {
    match error {
        Error::WithPath { err, .. }
        | Error::WithDepth { err, .. }
        | Error::WithLineNumber { err, .. } => innermost(err),
        error => error,
    }
}

/// Returns the message of the system's error. The walk wraps it in one that repeats the path.
fn describe_inner(error: &std::io::Error) -> String {
    let inner =
        error.get_ref().and_then(|inner| inner.source()).and_then(|inner| inner.downcast_ref());
    describe(inner.unwrap_or(error))
}

/// Reports an ignore file that can't be read. Invalid lines in it are not our concern.
fn soft_problem(error: &Error, hides_dot: bool) -> Option<Problem> {
    match error {
        Error::Partial(errors) => errors.iter().find_map(|error| soft_problem(error, hides_dot)),
        _ if error.io_error().is_some() => problem(error, hides_dot),
        _ => None,
    }
}
