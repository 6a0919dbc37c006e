//! What is at a path; the caller of an audit says it, because the checks open no file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::audit::{Anchors, Facts, Repository, Site, SitePage, Slugs};
use crate::document::Format;

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStatus {
    /// A file, or anything else that is not a directory.
    File,
    /// A directory.
    Directory,
    /// Nothing of this name, but something whose name differs in case only.
    OtherCase {
        /// Its path, with the names as they are there.
        actual: PathBuf,
    },
    /// Nothing.
    Missing {
        /// The name closest to the first one of the path that is missing ([`Spellings`](crate::audit::Spellings)).
        nearest: Option<String>,
    },
    /// Not known: not looked up, or no permission.
    Unknown,
}

/// The files that the documents of an audit link to.
///
/// Paths are those of the documents as they were given to [`check`](crate::audit::check), with the
/// names of the links appended, percent-decoded and without `.` and `..` (but for those that a
/// relative path starts with). A document asks for the same path again and again: answers should
/// be kept.
pub trait TargetLookup {
    /// What is at `path`, letter by letter: names that differ in case are not the same, also
    /// where the file system thinks so.
    fn look(&self, path: &Path) -> PathStatus;

    /// The same, without the name that is nearest to a missing one.
    fn probe(&self, path: &Path) -> PathStatus {
        self.look(path)
    }

    /// Where fragments can lead in the file at `path`; `None` when that is unknown, as of all
    /// that is neither HTML nor Markdown.
    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>>;

    /// Where fragments can lead in a document that was read.
    fn anchors_of(&self, _path: &Path, facts: &Facts, slugs: Slugs) -> Arc<Anchors> {
        Arc::new(facts.anchors(slugs))
    }

    /// The site that a document of this format belongs to; `None` for that of the options.
    fn site(&self, _document: &Path, _format: Option<Format>) -> Option<Arc<Site>> {
        None
    }

    /// What a site has at a path where there is no file: by front matter, a redirect, a name with a number.
    fn page(&self, _site: &Site, _path: &Path) -> Option<SitePage> {
        None
    }

    /// True for a label that all documents of a site know.
    fn has_label(&self, _site: &Site, _label: &str) -> bool {
        false
    }

    /// True for the anchor of a heading that `#anchor` finds from all documents of a site.
    fn has_site_heading(&self, _site: &Site, _anchor: &str) -> bool {
        false
    }

    /// True for the source of a component that makes headings.
    fn renders_headings(&self, _component: &Path) -> bool {
        false
    }

    /// True where most labels of Markdown are defined nowhere, so that another tool gives them their meaning.
    fn has_custom_labels(&self, _site: &Site) -> bool {
        false
    }

    /// True for a document among others whose links name pages and not files, as a site elsewhere has them.
    fn has_addresses(&self, _site: &Site, _document: &Path) -> bool {
        false
    }

    /// True for the name of a page that is somewhere in a site.
    fn has_name(&self, _site: &Site, _name: &str) -> bool {
        false
    }

    /// True for a path that a repository is told to ignore.
    fn is_ignored(&self, _repository: &Repository, _path: &Path) -> bool {
        false
    }

    /// How many lines the file at `path` has; `None` when that is unknown.
    fn lines(&self, _path: &Path) -> Option<u64> {
        None
    }
}

/// A tree of which nothing is known: no target is checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl TargetLookup for Nowhere {
    fn look(&self, _: &Path) -> PathStatus {
        PathStatus::Unknown
    }

    fn anchors(&self, _: &Path) -> Option<Arc<Anchors>> {
        None
    }
}
