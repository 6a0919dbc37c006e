//! A [`TargetLookup`] that remembers which documents were read for it: [`RecordedLookup`].

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::importers::Composed;
use crate::audit::anchor_rules::OtherRule;
use crate::audit::census::Unmet;
use crate::audit::form::{Form, Likes};
use crate::audit::{
    Anchors, Facts, PathStatus, Repository, Site, SitePage, Slugs, TargetLookup, paths,
};
use crate::document::Format;

/// Passes questions on, and remembers whose text the answers depend on.
pub(in crate::audit) struct RecordedLookup<'l> {
    inner: &'l dyn TargetLookup,
    read: RefCell<BTreeSet<PathBuf>>,
}

impl<'l> RecordedLookup<'l> {
    pub fn new(inner: &'l dyn TargetLookup) -> Self {
        Self { inner, read: RefCell::default() }
    }

    /// Returns the paths whose text was asked about, sorted.
    pub fn into_read(self) -> Vec<PathBuf> {
        self.read.into_inner().into_iter().collect()
    }

    fn note(&self, path: &Path) {
        let mut read = self.read.borrow_mut();
        // One document asks for few files, each of them often. Only a new path is worth a copy.
        if !read.contains(path) {
            read.insert(paths::without_dots(path));
        }
    }
}

// Only `anchors` and `lines` depend on the text of one file. The other answers depend on names, or
// on what a whole site says about itself.
impl TargetLookup for RecordedLookup<'_> {
    fn look(&self, path: &Path) -> PathStatus {
        self.inner.look(path)
    }

    fn probe(&self, path: &Path) -> PathStatus {
        self.inner.probe(path)
    }

    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>> {
        self.note(path);
        self.inner.anchors(path)
    }

    fn anchors_of(&self, path: &Path, facts: &Facts, slugs: Slugs) -> Arc<Anchors> {
        self.inner.anchors_of(path, facts, slugs)
    }

    fn site(&self, document: &Path, format: Option<Format>) -> Option<Arc<Site>> {
        self.inner.site(document, format)
    }

    fn page(&self, site: &Site, path: &Path) -> Option<SitePage> {
        self.inner.page(site, path)
    }

    fn has_ending(&self, ending: &str) -> bool {
        self.inner.has_ending(ending)
    }

    fn has_label(&self, site: &Site, label: &str) -> bool {
        self.inner.has_label(site, label)
    }

    fn lacks_term(&self, site: &Site, term: &str) -> bool {
        self.inner.lacks_term(site, term)
    }

    fn has_cross_id(&self, site: &Site, id: &str) -> bool {
        self.inner.has_cross_id(site, id)
    }

    fn nearest_cross_id(&self, site: &Site, id: &str) -> Option<String> {
        self.inner.nearest_cross_id(site, id)
    }

    fn has_template_id(&self, site: &Site, id: &str) -> bool {
        self.inner.has_template_id(site, id)
    }

    fn has_site_heading(&self, site: &Site, anchor: &str) -> bool {
        self.inner.has_site_heading(site, anchor)
    }

    fn renders_headings(&self, component: &Path) -> bool {
        self.inner.renders_headings(component)
    }

    fn puts_before(&self, template: &Path, argument: &str) -> bool {
        self.inner.puts_before(template, argument)
    }

    fn has_custom_labels(&self, site: &Site) -> bool {
        self.inner.has_custom_labels(site)
    }

    fn has_stand_in(&self, site: &Site, written: &str) -> bool {
        self.inner.has_stand_in(site, written)
    }

    fn shown_by(&self, site: &Site, page: &Path) -> Vec<PathBuf> {
        self.inner.shown_by(site, page)
    }

    fn has_script_label(&self, site: &Site, label: &str) -> bool {
        self.inner.has_script_label(site, label)
    }

    fn has_site_scheme(&self, site: &Site, scheme: &str) -> bool {
        self.inner.has_site_scheme(site, scheme)
    }

    fn importers(&self, site: &Site, document: &Path) -> Vec<Arc<Composed>> {
        self.inner.importers(site, document)
    }

    fn is_searched(&self, site: &Site, path: &Path) -> bool {
        self.inner.is_searched(site, path)
    }

    fn unmet_files(&self, site: &Site, path: &Path, extension: &str) -> Option<Unmet> {
        self.inner.unmet_files(site, path, extension)
    }

    fn likes(&self, site: &Site, document: &Path, form: &Form, target: &Path) -> Option<Likes> {
        self.inner.likes(site, document, form, target)
    }

    fn unmet_anchors(&self, site: &Site, document: &Path, anchor: &str) -> Option<Unmet> {
        self.inner.unmet_anchors(site, document, anchor)
    }

    fn other_rule(&self, site: &Site, document: &Path, anchor: &str) -> Option<OtherRule> {
        self.inner.other_rule(site, document, anchor)
    }

    fn has_id(&self, site: &Site, id: &str) -> bool {
        self.inner.has_id(site, id)
    }

    fn has_addresses(&self, site: &Site, document: &Path) -> bool {
        self.inner.has_addresses(site, document)
    }

    fn has_pages_below(&self, site: &Site, first: &str) -> bool {
        self.inner.has_pages_below(site, first)
    }

    fn has_name(&self, site: &Site, name: &str) -> bool {
        self.inner.has_name(site, name)
    }

    fn is_ignored(&self, repository: &Repository, path: &Path) -> bool {
        self.inner.is_ignored(repository, path)
    }

    fn has_wikilinks(&self, site: &Site) -> bool {
        self.inner.has_wikilinks(site)
    }

    fn has_unwritten_pages(&self, site: &Site) -> bool {
        self.inner.has_unwritten_pages(site)
    }

    fn page_named(&self, site: &Site, document: &Path, name: &str) -> Option<PathBuf> {
        self.inner.page_named(site, document, name)
    }

    fn files_named(&self, site: &Site, name: &str) -> Vec<PathBuf> {
        self.inner.files_named(site, name)
    }

    fn variants(&self, path: &Path) -> Vec<String> {
        self.inner.variants(path)
    }

    fn renamed(&self, path: &Path) -> Option<PathBuf> {
        self.inner.renamed(path)
    }

    fn former(&self, path: &Path) -> Vec<PathBuf> {
        self.inner.former(path)
    }

    fn lines(&self, path: &Path) -> Option<u64> {
        self.note(path);
        self.inner.lines(path)
    }
}
