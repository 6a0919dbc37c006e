//! Options of a [`FileTree`] that are set before the audit.

use std::fs;
use std::path::PathBuf;

use super::FileTree;
use crate::audit::answers::file_names::MovedPaths;
use crate::audit::answers::ignored::IgnoredTargets;
use crate::audit::answers::overlay::Overlay;
use crate::audit::answers::paths::PathCache;
use crate::audit::{AuditOptions, Patterns};

impl FileTree {
    /// Adds options for the documents of some paths; of several matches, the last wins.
    #[must_use]
    pub fn with_options(mut self, by_path: Vec<(Patterns, AuditOptions)>) -> Self {
        // Reversed and in front, so that the first match in the list is the last one given. Each
        // entry gets its own cache, because options change the site of a directory.
        let by_path = by_path.into_iter().rev();
        self.options.splice(0..0, by_path.map(|(paths, options)| (Some(paths), options)));
        self.sites = self.options.iter().map(|_| Default::default()).collect();
        self
    }

    /// Sets where moved files are looked up.
    #[must_use]
    pub(in crate::audit) fn with_renames(
        self,
        renames: Option<MovedPaths<Option<PathBuf>>>,
    ) -> Self {
        Self { renames, ..self }
    }

    pub(in crate::audit) fn with_former(self, former: Option<MovedPaths<Vec<PathBuf>>>) -> Self {
        Self { former, ..self }
    }

    /// Sets texts that replace files.
    #[must_use]
    pub(in crate::audit) fn with_overlay(self, overlay: Option<Overlay>) -> Self {
        Self { paths: PathCache::with_overlay(overlay.clone()), overlay, ..self }
    }

    /// Sets whether a `.gitignore` excuses links to missing files.
    #[must_use]
    pub(in crate::audit) fn with_ignored(self, ignored_targets: IgnoredTargets) -> Self {
        Self { ignored_targets, ..self }
    }

    /// Sets the directory outside of which no target is read.
    #[must_use]
    pub(in crate::audit) fn with_boundary(self, boundary: Option<PathBuf>) -> Self {
        // Links in the path of the directory itself lead nowhere else.
        let boundary = boundary.map(|it| fs::canonicalize(&it).unwrap_or(it));
        Self { boundary, ..self }
    }
}
