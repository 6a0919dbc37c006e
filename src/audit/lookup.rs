//! What stands at a path: asked of whoever runs the audit, because the library opens no file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::anchors::Anchors;

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file, or anything else that is not a directory.
    File,
    /// A directory.
    Directory,
    /// Nothing of this name, but something whose name differs in case only.
    OtherCase {
        /// Its path, with the names as they stand.
        actual: PathBuf,
    },
    /// Nothing.
    Missing {
        /// The name closest to the first one of the path that is missing ([`Spellings`](super::Spellings)).
        nearest: Option<String>,
    },
    /// It can't be told: nobody looked, or nobody may.
    Unknown,
}

/// The files that the documents of an audit link to.
///
/// Paths are those of the documents as they were given to [`check`](super::check), with the
/// names of the links appended, percent-decoded and without `.` and `..` (but for those that a
/// relative path starts with). A document asks for the same path again and again: answers should
/// be kept.
pub trait TargetLookup {
    /// What stands at `path`, letter by letter: names that differ in case are not the same, also
    /// where the file system thinks so.
    fn look(&self, path: &Path) -> Entry;

    /// Where fragments can lead in the file at `path`; `None` when it can't be told, as of all
    /// that is neither HTML nor Markdown.
    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>>;
}

/// A tree of which nothing is known: no target is checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl TargetLookup for Nowhere {
    fn look(&self, _: &Path) -> Entry {
        Entry::Unknown
    }

    fn anchors(&self, _: &Path) -> Option<Arc<Anchors>> {
        None
    }
}
