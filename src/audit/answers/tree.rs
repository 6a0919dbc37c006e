//! The file system as a [`TargetLookup`](crate::audit::TargetLookup) that compares names exactly.
//!
//! Each directory is listed once, and each document is read once for its anchors. Only directories
//! and regular files that are HTML or Markdown are opened. No answer depends on earlier ones. Links
//! may lead out of the audited directories.

mod lookup;
mod options;
mod reading;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use super::cache::Cache;
use super::defined_labels::DefinedLabels;
use super::doxygen::DoxygenNames;
use super::file_names::{FileNames, MovedPaths};
use super::heading_makers::HeadingMakers;
use super::ignored::{IgnoredPaths, IgnoredTargets};
use super::importers::Importers;
use super::included::{IncludedTopics, TopicIds};
use super::included_text::IncludedText;
use super::overlay::Overlay;
use super::paths::PathCache;
use super::prefetched::{PrefetchedDocuments, ReadDocument};
use super::sample::{documents_and_styles_throughout, sampled};
use super::templates::TemplateIds;
use super::vault::Vault;
use crate::audit::answers::PageFiles;
use crate::audit::census::{Census, CensusTaker};
use crate::audit::link_context::AuditedPage;
use crate::audit::orphans::LinkedDocuments;
use crate::audit::paths;
use crate::audit::sites::{DirectoryLister, ShownBy, SiteFinder, SiteMemory, SitePages, WikiRule};
use crate::audit::{Anchors, AuditOptions, Patterns, Site};
use crate::document::Format;
use crate::search::{Input, Problem, ProblemKind, Search};
use crate::threads::lock;

/// Larger documents are not counted in a census.
const MAX_SAMPLED_BYTES: u64 = 1 << 20;
/// Number of sites shared between directories; further ones are stored once per directory.
const MAX_SHARED_SITES: usize = 64;
/// Maximum bytes of these sites. If the settings are a program, their index takes four times their
/// size.
const MAX_SHARED_BYTES: usize = 32 << 20;
/// Bound of the cached anchors in bytes; recomputing them means reading the document again.
const MAX_ANCHOR_BYTES: usize = 128 << 20;
/// Bytes of an anchor in its set, with its hash.
const ANCHOR_BYTES: usize = 48;
/// Bytes of a page address with the path of its file.
const PAGE_BYTES: usize = 192;
/// Bytes of a short path.
const ROOT_BYTES: usize = 128;

/// The file system, with caches of directories and anchors.
///
/// ```
/// use std::path::Path;
/// use urigrep::audit::{AuditOptions, PathStatus, FileTree, TargetLookup};
/// use urigrep::search::Search;
/// let files = FileTree::new(Search::default(), AuditOptions::new());
/// assert_eq!(files.look(Path::new("src/lib.rs")), PathStatus::File);
/// assert!(matches!(files.look(Path::new("src/LIB.rs")), PathStatus::OtherCase { .. }));
/// ```
#[derive(Debug)]
pub struct FileTree {
    paths: PathCache,
    anchors: Cache<OsString, Option<Arc<Anchors>>>,
    /// Documents read for their anchors before they are audited.
    prefetched: PrefetchedDocuments,
    /// Per options: by directory, with caches for reStructuredText, for HTML, for other formats,
    /// and for documents that are shown by a forge only.
    sites: Vec<[Cache<OsString, Arc<Site>>; 4]>,
    /// The distinct sites: most directories share the site of the one above.
    different_sites: Mutex<Vec<Arc<Site>>>,
    shown: SiteMemory,
    /// By the first content directory.
    pages: Cache<OsString, SitePages>,
    lines: Cache<OsString, Option<u64>>,
    heading_makers: HeadingMakers,
    /// By the first content directory.
    custom_labels: Cache<PathBuf, bool>,
    /// By the first content directory.
    stand_ins: Cache<PathBuf, HashSet<String>>,
    /// By the first content directory.
    script_labels: Cache<PathBuf, HashSet<String>>,
    /// By the first content directory.
    site_schemes: Cache<PathBuf, HashSet<String>>,
    /// By the first content directory.
    importers: Cache<PathBuf, Importers>,
    /// By the first content directory.
    included: Cache<PathBuf, IncludedTopics>,
    topic_ids: Cache<PathBuf, TopicIds>,
    defined_labels: DefinedLabels,
    included_texts: Cache<PathBuf, IncludedText>,
    doxygen: Cache<PathBuf, DoxygenNames>,
    /// The first file with a name below a directory. Many links may name the same file.
    named_below: Cache<PathBuf, Option<PathBuf>>,
    /// The files of a name, each with its names from the last one to the first, sorted.
    named_ends: Cache<PathBuf, Vec<PathBuf>>,
    censuses: Cache<PathBuf, Census>,
    /// By the first content directory.
    template_ids: Cache<OsString, TemplateIds>,
    /// By the directory of the checkout; `None` for a tree without wikilinks.
    vaults: Cache<PathBuf, Option<Vault>>,
    /// Those of wikis: the same directory may hold other documents.
    wikis: Cache<PathBuf, Option<Vault>>,
    /// By the first directory in a checkout.
    addresses: Cache<PathBuf, bool>,
    ignored: IgnoredPaths,
    names: FileNames,
    renames: Option<MovedPaths<Option<PathBuf>>>,
    former: Option<MovedPaths<Vec<PathBuf>>>,
    overlay: Option<Overlay>,
    /// The directory outside of which no target is read.
    boundary: Option<PathBuf>,
    ignored_targets: IgnoredTargets,
    /// Set if orphans are reported.
    linked: OnceLock<LinkedDocuments>,
    search: Search,
    /// Options for certain paths first; the general ones last.
    options: Vec<(Option<Patterns>, AuditOptions)>,
}

impl FileTree {
    /// Returns a tree that reads documents as `search` does. Options override what the tree shows.
    pub fn new(search: Search, options: AuditOptions) -> Self {
        Self {
            paths: PathCache::default(),
            anchors: Cache::bounded(MAX_ANCHOR_BYTES),
            prefetched: PrefetchedDocuments::default(),
            sites: vec![Default::default()],
            different_sites: Mutex::default(),
            shown: SiteMemory::default(),
            pages: Cache::default(),
            lines: Cache::default(),
            heading_makers: HeadingMakers::default(),
            custom_labels: Cache::default(),
            stand_ins: Cache::default(),
            script_labels: Cache::default(),
            site_schemes: Cache::default(),
            importers: Cache::default(),
            included: Cache::default(),
            topic_ids: Cache::default(),
            defined_labels: DefinedLabels::default(),
            included_texts: Cache::default(),
            doxygen: Cache::default(),
            named_below: Cache::default(),
            named_ends: Cache::default(),
            censuses: Cache::default(),
            template_ids: Cache::default(),
            vaults: Cache::default(),
            wikis: Cache::default(),
            addresses: Cache::default(),
            ignored: IgnoredPaths::default(),
            names: FileNames::default(),
            renames: None,
            former: None,
            overlay: None,
            boundary: None,
            ignored_targets: IgnoredTargets::default(),
            linked: OnceLock::new(),
            search,
            options: vec![(None, options)],
        }
    }

    /// Returns the files by name of the checkout, or of the content of a site outside of one.
    fn vault(&self, site: &Site) -> Option<Arc<Option<Vault>>> {
        let own = site.repository.as_ref().map(|repository| &repository.directory);
        let directory = own.or(site.vault.as_ref()).or(site.content.first())?;
        let wiki = site.rules().wiki;
        let vaults = if wiki == WikiRule::None { &self.vaults } else { &self.wikis };
        Some(vaults.get(directory, || {
            let vault = Vault::read(directory, wiki);
            let names = vault.as_ref().map_or(0, Vault::len);
            (vault, ROOT_BYTES * (names + 1))
        }))
    }

    /// Returns the counts of all links of the site.
    fn census(&self, site: &Site) -> Option<Arc<Census>> {
        let directories = sampled(site);
        let first = directories.first()?;
        Some(self.censuses.get(first, || {
            let mut taker = CensusTaker::default();
            let options = AuditOptions::new();
            let (documents, styles) = documents_and_styles_throughout(&directories);
            let documents = documents.into_iter().map(|it| (it, false));
            for (path, is_style) in documents.chain(styles.into_iter().map(|it| (it, true))) {
                let is_wanted = |format: Option<Format>| {
                    let kind = if is_style { Format::is_published } else { Format::is_markup };
                    format.is_some_and(kind)
                };
                let input = Input::in_tree(&path);
                let text = match self.overlaid_text(&input) {
                    Some(text) => Ok(text.filter(|text| is_wanted(text.format()))),
                    None => self.search.read_text(&input, MAX_SAMPLED_BYTES, is_wanted),
                };
                // What cannot be read is not counted; the audit itself reports it.
                let Ok(Some(text)) = text else { continue };
                let dialect = self.dialect(&path, &text);
                let document = ReadDocument::new(&dialect, &text, self.search.finder());
                let files = PageFiles::new(self);
                let page = AuditedPage::new(&path, &document.facts, &options, files);
                if is_style {
                    taker.take_names(&page);
                } else {
                    taker.take(&page);
                }
            }
            let census = taker.finish(site, PageFiles::new(self));
            let bytes = ROOT_BYTES * (census.len() + 1);
            (census, bytes)
        }))
    }

    /// True if the file at a path may be read, wherever symbolic links lead.
    fn is_within(&self, path: &Path) -> bool {
        let Some(boundary) = &self.boundary else { return true };
        fs::canonicalize(path).is_ok_and(|path| path.starts_with(boundary))
    }

    /// Sets the documents that others link to, once.
    pub(in crate::audit) fn set_linked(&self, linked: LinkedDocuments) {
        // A second audit with the same caches sees the same tree.
        let _ = self.linked.set(linked);
    }

    /// Returns the site of a document.
    fn site_of(&self, document: &Path, format: Option<Format>) -> Arc<Site> {
        let absolute = match self.options.len() {
            ..=1 => PathBuf::new(),
            _ => paths::absolute(document),
        };
        let counts = |paths: &Option<Patterns>| {
            paths.as_ref().is_none_or(|paths| paths.has_absolute_path(&absolute))
        };
        let mut options = self.options.iter().zip(&self.sites);
        let Some(((_, options), [rst, html, others, left])) =
            options.find(|((paths, _), _)| counts(paths))
        else {
            return Arc::new(Site::new(&AuditOptions::new()));
        };
        let sites = match format {
            Some(format) if format.is_published() => html,
            Some(format) if format.has_directives() => rst,
            _ => others,
        };
        let directory = document.parent().unwrap_or(Path::new(""));
        let find = |shown| {
            let found = SiteFinder::new(self, options, &self.shown).find(directory, format, shown);
            // The site itself is shared between directories, so only the key and the pointer count.
            let (site, bytes) = self.shared(found);
            (site, 2 * directory.as_os_str().len() + bytes)
        };
        let site = sites.get(directory.as_os_str(), || find(ShownBy::Site));
        if site.leaves_to_forge(document, || self.names(directory)) {
            Arc::clone(&left.get(directory.as_os_str(), || find(ShownBy::Forge)))
        } else {
            Arc::clone(&site)
        }
    }

    /// Returns the problems of settings that could not be read, and forgets them.
    pub fn unread_settings(&self) -> Vec<Problem> {
        let problem = |(path, reason): (PathBuf, String)| {
            let message = format!("{reason}: these settings are not read");
            Problem::new(ProblemKind::Unread, path.as_os_str().as_encoded_bytes(), message)
        };
        self.shown.unread.take().into_iter().map(problem).collect()
    }

    /// Returns an equal site that another directory already has, if any, and the bytes that a cache
    /// counts.
    fn shared(&self, site: Site) -> (Arc<Site>, usize) {
        let mut known = lock(&self.different_sites);
        if let Some(same) = known.iter().find(|known| ***known == site) {
            return (Arc::clone(same), ROOT_BYTES);
        }
        let bytes = site.kept_bytes();
        let site = Arc::new(site);
        let held: usize = known.iter().map(|site| site.kept_bytes()).sum();
        if known.len() < MAX_SHARED_SITES && held + bytes <= MAX_SHARED_BYTES {
            known.push(Arc::clone(&site));
            return (site, ROOT_BYTES);
        }
        (site, bytes)
    }

    fn importers_of(&self, site: &Site) -> Option<Arc<Importers>> {
        let directories = sampled(site);
        let first = directories.first()?;
        Some(self.importers.get(first, || {
            let importers = Importers::read(&directories);
            let bytes = ROOT_BYTES * (importers.len() + 1);
            (importers, bytes)
        }))
    }

    fn pages_of(&self, site: &Site) -> Option<Arc<SitePages>> {
        let first = site.content.first()?;
        Some(self.pages.get(first.as_os_str(), || {
            let overlay = self.overlay.clone().unwrap_or_default();
            let pages = SitePages::read(site, self, overlay, self.search.helpers().as_deref());
            let bytes = PAGE_BYTES * (pages.len() + 1);
            (pages, bytes)
        }))
    }
}
