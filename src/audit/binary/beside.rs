//! The files beside a document: [`FilesBeside`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::audit::{Anchors, FileTree, PathStatus, TargetLookup};

/// The tree, for links of Office documents and PDFs, which no generator turns into pages.
pub(super) struct FilesBeside<'f>(pub &'f FileTree);

impl TargetLookup for FilesBeside<'_> {
    fn look(&self, path: &Path) -> PathStatus {
        self.0.look(path)
    }

    fn probe(&self, path: &Path) -> PathStatus {
        self.0.probe(path)
    }

    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>> {
        self.0.anchors(path)
    }

    fn renamed(&self, path: &Path) -> Option<PathBuf> {
        self.0.renamed(path)
    }

    fn former(&self, path: &Path) -> Vec<PathBuf> {
        self.0.former(path)
    }
}
