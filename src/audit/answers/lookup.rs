//! File system lookups of the checks. The caller implements them: the checks open no files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::doxygen::DoxygenNames;
use super::importers::Composed;
use super::included::IncludedTopics;
use super::included_text::IncludedText;
use crate::audit::anchor_rules::OtherRule;
use crate::audit::census::MissingGroup;
use crate::audit::form::{FormCounts, LinkForm};
use crate::audit::{Anchors, Facts, Repository, Site, SitePage, Slugs};
use crate::document::Format;

/// Status of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStatus {
    /// A file, or anything else that is not a directory.
    File,
    /// A directory.
    Directory,
    /// A name that differs in case only.
    OtherCase {
        /// Its path, with the names as the directory spells them.
        actual: PathBuf,
    },
    /// No such name.
    Missing {
        /// The name closest to the first one of the path that is missing
        /// ([`Spellings`](crate::audit::Spellings)).
        nearest: Option<String>,
    },
    /// Not known: not looked up, or no permission.
    Unknown,
}

/// The files that the documents of an audit link to.
///
/// Paths are those of the documents as passed to [`check`](crate::audit::check), joined with the
/// percent-decoded names of a link. `.` and `..` are removed, except for those at the start of a
/// relative path. One document may look up a path many times, so implementations should cache.
pub trait TargetLookup {
    /// Returns the status of `path`, compared byte for byte: names that differ in case are
    /// different, even on a case-insensitive file system.
    fn look(&self, path: &Path) -> PathStatus;

    /// Like [`look`](Self::look), without a suggestion for a missing name.
    fn probe(&self, path: &Path) -> PathStatus {
        self.look(path)
    }

    /// True for a symbolic link to nothing, of a path that is missing.
    fn is_dangling(&self, _path: &Path) -> bool {
        false
    }

    /// Returns the anchors of the file at `path`; `None` if unknown, as for every format except
    /// HTML and Markdown.
    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>>;

    /// Returns the anchors of a document that was already read.
    fn anchors_of(&self, _path: &Path, facts: &Facts, slugs: Slugs) -> Arc<Anchors> {
        Arc::new(facts.anchors(slugs))
    }

    /// Returns the site of a document of this format; `None` means the site of the options.
    fn site(&self, _document: &Path, _format: Option<Format>) -> Option<Arc<Site>> {
        None
    }

    /// Returns the page that a site serves at a path without a file: by front matter, a redirect,
    /// or a numbered name.
    fn page(&self, _site: &Site, _path: &Path) -> Option<SitePage> {
        None
    }

    /// True if a file of the tree has this extension, with its full stop.
    fn has_ending(&self, _ending: &str) -> bool {
        true
    }

    /// True if all documents of the site may refer to this label.
    fn has_label(&self, _site: &Site, _label: &str) -> bool {
        false
    }

    /// Returns the label of the site that this one is most likely a typo of.
    fn nearest_label(&self, _site: &Site, _label: &str) -> Option<String> {
        None
    }

    /// Returns the term of the glossaries of the site that this one is most likely a typo of.
    fn nearest_term(&self, _site: &Site, _term: &str) -> Option<String> {
        None
    }

    /// True if a script of the tree writes this label into documents.
    fn has_script_label(&self, _site: &Site, _label: &str) -> bool {
        false
    }

    /// True if a script of the tree writes labels that it computes.
    fn computes_labels(&self, _site: &Site) -> bool {
        false
    }

    /// True if the glossaries of the site are known, and none has this term, in lower case.
    fn lacks_term(&self, _site: &Site, _term: &str) -> bool {
        false
    }

    /// True if the site has a glossary.
    fn has_glossary(&self, _site: &Site) -> bool {
        false
    }

    /// True if a cross-reference of the site may name this id.
    fn has_cross_id(&self, _site: &Site, _id: &str) -> bool {
        true
    }

    /// Returns the id of the site that this one is most likely a typo of.
    fn nearest_cross_id(&self, _site: &Site, _id: &str) -> Option<String> {
        None
    }

    /// True if `#anchor` finds a heading from all documents of the site.
    fn has_site_heading(&self, _site: &Site, _anchor: &str) -> bool {
        false
    }

    /// True if a template of the site, such as a layout, has an element with this id; without an
    /// id, true if a template computes whole ids.
    fn has_template_id(&self, _site: &Site, _id: Option<&str>) -> bool {
        false
    }

    /// True if the source of this component renders headings.
    fn renders_headings(&self, _component: &Path) -> bool {
        false
    }

    /// True if the template of a shortcode puts other text in front of this argument.
    fn puts_before(&self, _template: &Path, _argument: &str) -> bool {
        false
    }

    /// True if most Markdown labels have no definition, so that another tool must resolve them.
    fn has_custom_labels(&self, _site: &Site) -> bool {
        false
    }

    /// True if many documents have this placeholder, such as `<VERSION>`, in their links: the build
    /// of the site fills it in.
    fn has_stand_in(&self, _site: &Site, _written: &str) -> bool {
        false
    }

    /// True if many links of the site have this unregistered scheme, in lower case: a program of
    /// the site replaces it.
    fn has_site_scheme(&self, _site: &Site, _scheme: &str) -> bool {
        false
    }

    /// Returns the pages that include this document.
    fn importers(&self, _site: &Site, _document: &Path) -> Arc<Vec<Arc<Composed>>> {
        Arc::default()
    }

    /// Returns a page with the documents that it includes; `None` if it includes none.
    fn composed(&self, _site: &Site, _page: &Path) -> Option<Arc<Composed>> {
        None
    }

    /// Returns the attributes that a document of AsciiDoc sets, in their order.
    fn attributes(&self, _site: &Site, _document: &Path) -> Arc<Vec<(String, String)>> {
        Arc::default()
    }

    /// True for a document of AsciiDoc that includes others which only a build knows.
    fn includes_unknown(&self, _site: &Site, _document: &Path) -> bool {
        false
    }

    /// Returns the text of a file that documents include.
    fn included_text(&self, _file: &Path) -> Option<Arc<IncludedText>> {
        None
    }

    /// Returns the files that tags and directives insert into a page. If one is missing, that part
    /// of the page is unknown.
    fn shown_by(&self, _site: &Site, _page: &Path) -> Arc<Vec<PathBuf>> {
        Arc::default()
    }

    /// True if a component of a document may render headings. `find` computes the answer.
    fn has_heading_makers(&self, _site: &Site, _document: &Path, find: &dyn Fn() -> bool) -> bool {
        find()
    }

    /// Returns what a `Doxyfile` names.
    fn doxygen(&self, _file: &Path) -> Arc<DoxygenNames> {
        Arc::default()
    }

    /// Returns the labels that a text defines for the pages that include it, folded.
    fn defined_labels(&self, _file: &Path) -> Arc<HashSet<String>> {
        Arc::default()
    }

    /// Returns the topics that a topic includes by name, if the generator has topics (Writerside).
    fn included(&self, _site: &Site, _topic: &Path) -> Option<Arc<IncludedTopics>> {
        None
    }

    /// True for a missing file that another directory contains, if the same directory contains most
    /// files that links name without a directory: the generator searches it.
    fn is_searched(&self, _site: &Site, _path: &Path) -> bool {
        false
    }

    /// Returns the missing files with this extension that many links name in the directory of this
    /// one, if none of their names is in the tree.
    fn missing_files(&self, _site: &Site, _path: &Path, _extension: &str) -> Option<MissingGroup> {
        None
    }

    /// Returns the missing files with the name of this one beside many documents, if a build puts
    /// one beside each of them.
    fn missing_files_named_alike(&self, _site: &Site, _path: &Path) -> Option<MissingGroup> {
        None
    }

    /// Returns how many links of this form lead to a file on the site of this document; `None` if
    /// no links were counted.
    fn form_counts(
        &self,
        _site: &Site,
        _document: &Path,
        _form: &LinkForm,
        _target: &Path,
    ) -> Option<FormCounts> {
        None
    }

    /// Returns the anchors that many links name and no document has, if this anchor of a document
    /// is one of them.
    fn missing_anchors(
        &self,
        _site: &Site,
        _document: &Path,
        _anchor: &str,
    ) -> Option<MissingGroup> {
        None
    }

    /// Returns the rule that makes this anchor of a document, if links show that the site does not
    /// use its generator's usual rule.
    fn other_rule(&self, _site: &Site, _document: &Path, _anchor: &str) -> Option<OtherRule> {
        None
    }

    /// True if any AsciiDoc document of the site has this id.
    fn has_id(&self, _site: &Site, _id: &str) -> bool {
        false
    }

    /// True if the documents around this one link to pages instead of files, as sources of a site
    /// built elsewhere do.
    fn has_addresses(&self, _site: &Site, _document: &Path) -> bool {
        false
    }

    /// True if another document links to this one; `None` if that is unknown.
    fn is_linked(&self, _document: &Path) -> Option<bool> {
        None
    }

    /// True if the site has a page of this name anywhere.
    fn has_name(&self, _site: &Site, _name: &str) -> bool {
        false
    }

    /// True if the site has pages whose addresses start with this name.
    fn has_pages_below(&self, _site: &Site, _first: &str) -> bool {
        false
    }

    /// True if the repository ignores this path.
    fn is_ignored(&self, _repository: &Repository, _path: &Path) -> bool {
        false
    }

    /// True if the documents of the tree link to each other by `[[name]]`.
    fn has_wikilinks(&self, _site: &Site) -> bool {
        false
    }

    /// True if many wikilinks of the tree name pages that nobody has written yet.
    fn has_unwritten_pages(&self, _site: &Site) -> bool {
        false
    }

    /// Returns the file that `[[name]]` in a document leads to.
    fn page_named(&self, _site: &Site, _document: &Path, _name: &str) -> Option<PathBuf> {
        None
    }

    /// Returns the files of the checkout, or else of the audited tree, with this name.
    fn files_named(&self, _site: &Site, _name: &str) -> Arc<[PathBuf]> {
        Arc::default()
    }

    /// Returns the first file with this name below a directory.
    fn file_named_below(&self, _site: &Site, _directory: &Path, _name: &str) -> Option<PathBuf> {
        None
    }

    /// True if the path of a file in the checkout, or else in the audited tree, ends with this
    /// path.
    fn has_file_with_end(&self, _site: &Site, _end: &Path) -> bool {
        false
    }

    /// Returns the variants of the file at `path` by their suffixes: `js` and `java` for `a.md`, if
    /// `a-js.md` and `a-java.md` are in its directory.
    fn variants(&self, _path: &Path) -> Vec<String> {
        Vec::new()
    }

    /// Returns the names in a directory.
    fn names_in(&self, _directory: &Path) -> Arc<Vec<String>> {
        Arc::default()
    }

    /// Returns the path that the missing file at `path` was moved to, if that is known.
    fn renamed(&self, _path: &Path) -> Option<PathBuf> {
        None
    }

    /// Returns the paths that the file at `path` had before it was moved, newest first.
    fn former(&self, _path: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Returns the number of lines of the file at `path`; `None` if unknown.
    fn lines(&self, _path: &Path) -> Option<u64> {
        None
    }
}

/// A tree about which nothing is known; no target is checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

// Used for messages and members of archives, whose directory says nothing about their links.
impl TargetLookup for Nowhere {
    fn look(&self, _: &Path) -> PathStatus {
        PathStatus::Unknown
    }

    fn anchors(&self, _: &Path) -> Option<Arc<Anchors>> {
        None
    }
}
