//! Reads the files of a tree that are to be changed: [`TreeFiles`].

use std::path::{Path, PathBuf};

use urigrep::change::{FileSnapshot, ReplaceError};
use urigrep::search::{Input, Origin, Root};

/// The directories of a walk.
#[derive(Clone, Debug)]
pub struct TreeFiles {
    /// Empty if the walk follows links: its files may be anywhere then.
    roots: Vec<PathBuf>,
}

impl TreeFiles {
    pub fn new(roots: &[Root], follow: bool) -> Self {
        let directory = |root: &Root| match root {
            Root::Path(path) if path.is_dir() => Some(path.clone()),
            Root::CurrentDirectory => Some(PathBuf::new()),
            Root::Path(_) | Root::Stdin => None,
        };
        let roots = if follow { Vec::new() } else { roots.iter().filter_map(directory).collect() };
        Self { roots }
    }

    /// Reads the file of an input at `path`. The walk followed no links, so none may be followed
    /// now: another process may have added one.
    pub fn read(&self, input: &Input, path: &Path) -> Result<FileSnapshot, ReplaceError> {
        let roots = self.roots.iter().filter(|root| path.starts_with(root));
        let nearest = roots.max_by_key(|root| root.components().count());
        match nearest.and_then(|root| Some((root, path.strip_prefix(root).ok()?))) {
            Some((root, rest)) if input.origin() == Origin::Tree => {
                FileSnapshot::read_below(root, rest)
            }
            _ => FileSnapshot::read(path),
        }
    }
}
