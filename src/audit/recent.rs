//! The look-ups of one document: what it asked last is answered without locks. [`RecentLookup`].

use std::ffi::OsStr;
use std::path::{Component, Path};
use std::sync::Arc;

use super::directory::FoundDirectory;
use super::last_answers::LastAnswers;
use crate::audit::{
    Anchors, Facts, FileTree, PathStatus, Repository, Site, SitePage, Slugs, TargetLookup,
};
use crate::document::Format;

/// A [`FileTree`] with a memory of the last directories and anchors.
pub(super) struct RecentLookup<'f> {
    files: &'f FileTree,
    directories: LastAnswers<Arc<Result<FoundDirectory, PathStatus>>>,
    anchors: LastAnswers<Option<Arc<Anchors>>>,
}

impl<'f> RecentLookup<'f> {
    pub fn new(files: &'f FileTree) -> Self {
        Self { files, directories: LastAnswers::default(), anchors: LastAnswers::default() }
    }
}

impl RecentLookup<'_> {
    /// What `look` says of the last name of a path in its directory; `None` for a path without one.
    fn look_with(
        &self,
        path: &Path,
        look: impl Fn(&FoundDirectory, &OsStr) -> PathStatus,
    ) -> Option<PathStatus> {
        let mut parts = path.components();
        match parts.next_back() {
            Some(Component::Normal(name)) if FileTree::can_have(path) => {
                let directory = parts.as_path();
                let find = || self.files.directory(directory);
                Some(self.directories.with(directory.as_os_str(), find, |found| match &**found {
                    Ok(found) => look(found, name),
                    Err(entry) => entry.clone(),
                }))
            }
            _ => None,
        }
    }
}

impl TargetLookup for RecentLookup<'_> {
    fn look(&self, path: &Path) -> PathStatus {
        self.look_with(path, FoundDirectory::look).unwrap_or_else(|| self.files.look(path))
    }

    fn probe(&self, path: &Path) -> PathStatus {
        self.look_with(path, FoundDirectory::probe).unwrap_or_else(|| self.files.probe(path))
    }

    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>> {
        self.anchors.with(path.as_os_str(), || self.files.anchors(path), Option::clone)
    }

    fn anchors_of(&self, path: &Path, facts: &Facts, slugs: Slugs) -> Arc<Anchors> {
        self.files.anchors_of(path, facts, slugs)
    }

    fn site(&self, document: &Path, format: Option<Format>) -> Option<Arc<Site>> {
        self.files.site(document, format)
    }

    fn page(&self, site: &Site, path: &Path) -> Option<SitePage> {
        self.files.page(site, path)
    }

    fn has_label(&self, site: &Site, label: &str) -> bool {
        self.files.has_label(site, label)
    }

    fn has_heading(&self, site: &Site, anchor: &str) -> bool {
        self.files.has_heading(site, anchor)
    }

    fn has_headings(&self, component: &Path) -> bool {
        self.files.has_headings(component)
    }

    fn has_custom_labels(&self, site: &Site) -> bool {
        self.files.has_custom_labels(site)
    }

    fn has_addresses(&self, site: &Site, document: &Path) -> bool {
        self.files.has_addresses(site, document)
    }

    fn has_name(&self, site: &Site, name: &str) -> bool {
        self.files.has_name(site, name)
    }

    fn is_ignored(&self, repository: &Repository, path: &Path) -> bool {
        self.files.is_ignored(repository, path)
    }

    fn lines(&self, path: &Path) -> Option<u64> {
        self.files.lines(path)
    }
}
