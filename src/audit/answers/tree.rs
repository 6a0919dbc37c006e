//! The file system as a [`TargetLookup`] that compares names exactly.
//!
//! Each directory is listed once, and each document is read once for its anchors. Only directories
//! and regular files that are HTML or Markdown are opened. No answer depends on earlier ones. Links
//! may lead out of the audited directories.

mod options;
mod reading;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use super::addresses;
use super::cache::Cache;
use super::directory::FoundDirectory;
use super::ignored::{IgnoredPaths, IgnoredTargets};
use super::importers::{Composed, Importers};
use super::included::{IncludedTopics, TopicIds};
use super::names::{FileNames, MovedPaths};
use super::overlay::Overlay;
use super::paths::PathCache;
use super::prefetched::{PrefetchedDocuments, ReadDocument};
use super::sample::{documents_throughout, sampled};
use super::script_labels;
use super::site_schemes;
use super::stand_ins;
use super::templates::{self, TemplateIds};
use super::vault::Vault;
use crate::audit::anchor_rules::OtherRule;
use crate::audit::answers::PageFiles;
use crate::audit::census::{Census, CensusTaker, Unmet};
use crate::audit::form::{Likes, LinkForm};
use crate::audit::link_context::AuditedPage;
use crate::audit::orphans::LinkedDocuments;
use crate::audit::paths::DescendantPath;
use crate::audit::sites::{
    DirectoryLister, ShownBy, SiteFinder, SiteMemory, SitePages, UnresolvedLinks, is_in_tree,
};
use crate::audit::target::undefined::is_item;
use crate::audit::{
    Anchors, AuditOptions, Facts, PathStatus, Patterns, Repository, Site, SitePage, Slugs,
    TargetLookup,
};
use crate::audit::{custom_labels, paths};
use crate::document::Format;
use crate::search::{Input, Search};
use crate::threads::lock;

/// Larger documents are not counted in a census.
const MAX_SAMPLED_BYTES: u64 = 1 << 20;
/// Number of sites shared between directories; further ones are stored once per directory.
const MAX_SHARED_SITES: usize = 64;
/// Most bytes of these. The index of settings that are a program is four times as long as they are.
const MAX_SHARED_BYTES: usize = 32 << 20;
/// Bound of the cached anchors in bytes; recomputing them means reading the document again.
const MAX_ANCHOR_BYTES: usize = 128 << 20;
/// Bytes of an anchor in its set, with its hash.
const ANCHOR_BYTES: usize = 48;
/// Bytes of a page address with the path of its file.
const PAGE_BYTES: usize = 192;
/// Bytes of a short path.
const ROOT_BYTES: usize = 128;
/// Most variants of one name that are compared.
const MAX_VARIANTS: usize = 16;

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
    /// The first file of a name below a directory. Many links may name the same file.
    named_below: Cache<PathBuf, Option<PathBuf>>,
    /// The files of a name, each with its names from the last one to the first, sorted.
    named_ends: Cache<PathBuf, Vec<PathBuf>>,
    censuses: Cache<PathBuf, Census>,
    /// By the first content directory.
    template_ids: Cache<OsString, TemplateIds>,
    /// By the directory of the checkout; `None` for a tree without wikilinks.
    vaults: Cache<PathBuf, Option<Vault>>,
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
            custom_labels: Cache::default(),
            stand_ins: Cache::default(),
            script_labels: Cache::default(),
            site_schemes: Cache::default(),
            importers: Cache::default(),
            included: Cache::default(),
            topic_ids: Cache::default(),
            named_below: Cache::default(),
            named_ends: Cache::default(),
            censuses: Cache::default(),
            template_ids: Cache::default(),
            vaults: Cache::default(),
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
        let directory = own.or(site.content.first())?;
        Some(self.vaults.get(directory, || {
            let vault = Vault::read(directory);
            let names = vault.as_ref().map_or(0, Vault::len);
            (vault, ROOT_BYTES * (names + 1))
        }))
    }

    /// Returns what the links of documents throughout the site say together.
    fn census(&self, site: &Site) -> Option<Arc<Census>> {
        let directories = sampled(site);
        let first = directories.first()?;
        Some(self.censuses.get(first, || {
            let mut taker = CensusTaker::default();
            let options = AuditOptions::new();
            for path in documents_throughout(&directories) {
                let is_wanted = |format: Option<Format>| format.is_some_and(Format::is_markup);
                let input = Input::in_tree(&path);
                let text = match self.overlaid_text(&input) {
                    Some(text) => Ok(text.filter(|text| is_wanted(text.format()))),
                    None => self.search.read_text(&input, MAX_SAMPLED_BYTES, is_wanted),
                };
                // What cannot be read is not counted; the audit itself reports it.
                let Ok(Some(text)) = text else { continue };
                let dialect = self.dialect(&path, &text);
                let document = ReadDocument::new(&dialect, &text, self.search.finder());
                taker.take(&AuditedPage::new(
                    &path,
                    &document.facts,
                    &options,
                    PageFiles::new(self),
                ));
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

/// Returns the names of a path in reverse order; `None` if `..` follows a name.
fn reversed(path: &Path) -> Option<PathBuf> {
    let mut names = path.components().rev().skip_while(|it| matches!(it, Component::CurDir));
    let is_name = |it: &Component<'_>| matches!(it, Component::Normal(_));
    let reversed = names.by_ref().take_while(is_name).collect();
    // A walked path may start with `..`.
    names.all(|it| !is_name(&it)).then_some(reversed)
}

/// Returns the names that `read` finds below the directories of a site, from a cache by the first
/// of them.
fn of_site(
    site: &Site,
    cache: &Cache<PathBuf, HashSet<String>>,
    read: impl FnOnce(&[PathBuf]) -> HashSet<String>,
) -> Option<Arc<HashSet<String>>> {
    below(&sampled(site), cache, read)
}

/// Returns the names that `read` finds below directories, from a cache by the first of them.
fn below(
    directories: &[PathBuf],
    cache: &Cache<PathBuf, HashSet<String>>,
    read: impl FnOnce(&[PathBuf]) -> HashSet<String>,
) -> Option<Arc<HashSet<String>>> {
    let first = directories.first()?;
    Some(cache.get(first, || {
        let names = read(directories);
        let bytes = names.len() * ANCHOR_BYTES;
        (names, bytes)
    }))
}

/// Largest number of files that a template includes, and that are read for its headings.
const MAX_INCLUDED: usize = 64;

impl TargetLookup for FileTree {
    fn is_linked(&self, document: &Path) -> Option<bool> {
        self.linked.get().map(|linked| linked.has(document))
    }

    fn look(&self, path: &Path) -> PathStatus {
        self.paths.look_with(path, FoundDirectory::look)
    }

    fn probe(&self, path: &Path) -> PathStatus {
        self.paths.look_with(path, FoundDirectory::probe)
    }

    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>> {
        let anchors = self.anchors.get(path.as_os_str(), || {
            let anchors = self.read(path).map(Arc::new);
            let names = anchors.as_ref().map_or(0, |anchors| anchors.size());
            (anchors, ANCHOR_BYTES * names + path.as_os_str().len())
        });
        Option::clone(&anchors)
    }

    fn anchors_of(&self, path: &Path, facts: &Facts, slugs: Slugs) -> Arc<Anchors> {
        // Links name this path without `.`.
        let path = paths::without_dots(path);
        let anchors = self.anchors.get(path.as_os_str(), || {
            let anchors = Arc::new(facts.anchors(slugs));
            let bytes = ANCHOR_BYTES * anchors.size() + path.as_os_str().len();
            (Some(anchors), bytes)
        });
        Option::clone(&anchors).unwrap_or_else(|| Arc::new(facts.anchors(slugs)))
    }

    fn site(&self, document: &Path, format: Option<Format>) -> Option<Arc<Site>> {
        Some(self.site_of(document, format))
    }

    fn page(&self, site: &Site, path: &Path) -> Option<SitePage> {
        let pages = self.pages_of(site)?;
        // Pages are found by address, and a path has no escapes: `%` in it is a character of a
        // name.
        let at = |below: PathBuf| pages.at(site, self, &below.to_str()?.replace('%', "%25"));
        // The path is analyzed once and compared with every root.
        let own = DescendantPath::new(path);
        let found = site.roots_above(path).into_iter().find_map(|root| at(own.below(root)?))?;
        // The front page of another content directory is not that of this one.
        let is_root = site.content.iter().any(|root| paths::are_same(root, path));
        let is_other = |file: &Path| site.content.len() > 1 && paths::below(path, file).is_none();
        match found {
            SitePage::File(file) if is_root && is_other(&file) && site.is_mounted_root(path) => {
                None
            }
            found => Some(found),
        }
    }

    fn has_ending(&self, ending: &str) -> bool {
        self.names.has_ending(ending, &self.search)
    }

    fn has_label(&self, site: &Site, label: &str) -> bool {
        let site = site.documentation.as_deref().unwrap_or(site);
        site.unresolved == UnresolvedLinks::Sphinx
            && self.pages_of(site).is_some_and(|pages| pages.has_label(label))
    }

    fn nearest_label(&self, site: &Site, label: &str) -> Option<String> {
        self.pages_of(site)?.nearest_label(label).map(str::to_owned)
    }

    fn nearest_term(&self, site: &Site, term: &str) -> Option<String> {
        let site = site.documentation.as_deref().unwrap_or(site);
        self.pages_of(site)?.nearest_term(term).map(str::to_owned)
    }

    fn has_script_label(&self, site: &Site, label: &str) -> bool {
        if site.unresolved != UnresolvedLinks::Sphinx {
            return false;
        }
        // Code beside the documents has documentation with labels.
        let around = match &site.repository {
            Some(repository) => vec![repository.directory.clone()],
            None => sampled(site),
        };
        let overlay = self.overlay.clone().unwrap_or_default();
        let read = |directories: &[PathBuf]| script_labels::of(directories, &overlay);
        let labels = below(&around, &self.script_labels, read);
        labels.is_some_and(|it| it.contains(&label.to_lowercase()))
    }

    fn computes_labels(&self, site: &Site) -> bool {
        self.has_script_label(site, script_labels::COMPUTED)
    }

    fn lacks_term(&self, site: &Site, term: &str) -> bool {
        let site = site.documentation.as_deref().unwrap_or(site);
        site.unresolved == UnresolvedLinks::Sphinx
            && self.pages_of(site).is_some_and(|pages| pages.lacks_term(term))
    }

    fn has_cross_id(&self, site: &Site, id: &str) -> bool {
        self.pages_of(site).is_some_and(|pages| pages.has_cross_id(id))
    }

    fn nearest_cross_id(&self, site: &Site, id: &str) -> Option<String> {
        self.pages_of(site)?.nearest_cross_id(id).map(str::to_owned)
    }

    fn has_site_heading(&self, site: &Site, anchor: &str) -> bool {
        site.unresolved == UnresolvedLinks::Sphinx
            && self.pages_of(site).is_some_and(|pages| pages.has_heading(anchor))
    }

    fn has_template_id(&self, site: &Site, id: Option<&str>) -> bool {
        let above =
            site.content.iter().flat_map(|content| [Some(content.as_path()), content.parent()]);
        let top = site.repository.as_ref().map(|repository| repository.directory.as_path());
        let directories: Vec<&Path> = above.flatten().chain(top).collect();
        let Some(first) = directories.first() else { return false };
        let ids = self.template_ids.get(first.as_os_str(), || {
            let ids = TemplateIds::read(&directories, &site.content);
            let bytes = ids.len() * ANCHOR_BYTES;
            (ids, bytes)
        });
        ids.may_have(id)
    }

    fn renders_headings(&self, component: &Path) -> bool {
        let (mut pending, mut seen) = (vec![component.to_path_buf()], HashSet::new());
        while let Some(file) = pending.pop() {
            if seen.len() >= MAX_INCLUDED || self.probe(&file) != PathStatus::File {
                return !seen.is_empty();
            }
            let source = self.shown.text(&file);
            let includes = templates::directory_of_includes(&file);
            let has_headings = templates::renders_headings(&source)
                || includes.is_some() && templates::has_markdown_heading(&source);
            match includes.map(|includes| templates::included(&source, includes)) {
                _ if has_headings => return true,
                None => {}
                Some(Some(parts)) => {
                    let own = file.parent().unwrap_or(Path::new(""));
                    let is_new = |it: &PathBuf| !seen.contains(it) && is_in_tree(own, it);
                    pending.extend(parts.into_iter().filter(is_new));
                }
                Some(None) => return true,
            }
            seen.insert(file);
        }
        false
    }

    fn puts_before(&self, template: &Path, argument: &str) -> bool {
        self.probe(template) == PathStatus::File
            && templates::puts_before(&self.shown.text(template), argument)
    }

    fn has_custom_labels(&self, site: &Site) -> bool {
        let directories = sampled(site);
        directories.first().is_some_and(|first| {
            *self
                .custom_labels
                .get(first, || (custom_labels::are_custom(&directories, is_item), ROOT_BYTES))
        })
    }

    fn has_stand_in(&self, site: &Site, written: &str) -> bool {
        of_site(site, &self.stand_ins, stand_ins::of).is_some_and(|it| it.contains(written))
    }

    fn has_site_scheme(&self, site: &Site, scheme: &str) -> bool {
        let read = |directories: &[PathBuf]| site_schemes::of(directories, site.settings());
        of_site(site, &self.site_schemes, read).is_some_and(|it| it.contains(scheme))
    }

    fn importers(&self, site: &Site, document: &Path) -> Vec<Arc<Composed>> {
        self.importers_of(site).map_or_else(Vec::new, |it| it.of(document).to_vec())
    }

    fn shown_by(&self, site: &Site, page: &Path) -> Vec<PathBuf> {
        self.importers_of(site).map_or_else(Vec::new, |it| it.shown_by(page).to_vec())
    }

    fn included(&self, site: &Site, topic: &Path) -> Option<Arc<IncludedTopics>> {
        (!site.searched.is_empty()).then(|| {
            self.included.get(topic, || {
                let by_name = |name: &str| self.files_named(site, name);
                let topics = IncludedTopics::read(topic, by_name, &self.topic_ids);
                let bytes = ROOT_BYTES * (topics.paths.len() + 1) + topics.bytes();
                (topics, bytes)
            })
        })
    }

    fn is_searched(&self, site: &Site, path: &Path) -> bool {
        self.census(site).is_some_and(|it| it.is_searched(path))
    }

    fn unmet_files(&self, site: &Site, path: &Path, extension: &str) -> Option<Unmet> {
        self.census(site)?.files(PageFiles::new(self), path, extension)
    }

    fn likes(&self, site: &Site, document: &Path, form: &LinkForm, target: &Path) -> Option<Likes> {
        Some(self.census(site)?.likes(document, form, target))
    }

    fn unmet_anchors(&self, site: &Site, document: &Path, anchor: &str) -> Option<Unmet> {
        self.census(site)?.anchors(document, anchor)
    }

    fn other_rule(&self, site: &Site, document: &Path, anchor: &str) -> Option<OtherRule> {
        self.census(site)?.other_rule(document, anchor)
    }

    fn has_id(&self, site: &Site, id: &str) -> bool {
        self.census(site).is_some_and(|census| census.has_id(id))
    }

    fn has_addresses(&self, site: &Site, document: &Path) -> bool {
        let Some(repository) = &site.repository else { return false };
        let below = paths::below(&repository.directory, document);
        let top = below.and_then(|below| addresses::top(&repository.directory, &below));
        top.is_some_and(|top| {
            *self.addresses.get(top.as_path(), || (addresses::are_addresses(&top), ROOT_BYTES))
        })
    }

    fn has_name(&self, site: &Site, name: &str) -> bool {
        self.pages_of(site).is_some_and(|pages| pages.has_name(name))
    }

    fn has_pages_below(&self, site: &Site, first: &str) -> bool {
        self.pages_of(site).is_some_and(|pages| pages.has_below(first))
    }

    fn is_ignored(&self, repository: &Repository, path: &Path) -> bool {
        self.ignored_targets == IgnoredTargets::Excused
            && self.ignored.has(&repository.directory, path)
    }

    fn has_wikilinks(&self, site: &Site) -> bool {
        self.vault(site).is_some_and(|vault| vault.is_some())
    }

    fn has_unwritten_pages(&self, site: &Site) -> bool {
        let vault = self.vault(site);
        vault.as_deref().and_then(Option::as_ref).is_some_and(Vault::has_unwritten)
    }

    fn page_named(&self, site: &Site, document: &Path, name: &str) -> Option<PathBuf> {
        let vault = self.vault(site)?;
        let path = Option::as_ref(&vault)?.find(name, document)?;
        Some(path.to_owned())
    }

    fn files_named(&self, site: &Site, name: &str) -> Arc<[PathBuf]> {
        match &site.repository {
            Some(checkout) => self.names.in_checkout(&checkout.directory, name, &self.search),
            None => self.names.files(name, &self.search),
        }
    }

    fn file_named_below(&self, site: &Site, directory: &Path, name: &str) -> Option<PathBuf> {
        let key = directory.join(name);
        let found = self.named_below.get(key.as_path(), || {
            let files = self.files_named(site, name);
            let mut below = files.iter().filter(|file| paths::below(directory, file).is_some());
            let found = below.next().cloned();
            (found, ROOT_BYTES + 2 * key.as_os_str().len())
        });
        Option::clone(&found)
    }

    fn has_file_with_end(&self, site: &Site, end: &Path) -> bool {
        let (Some(name), Some(end)) = (end.file_name().and_then(OsStr::to_str), reversed(end))
        else {
            return false;
        };
        let checkout = site.repository.as_ref().map(|it| it.directory.join(name));
        let key = checkout.unwrap_or_else(|| PathBuf::from(name));
        let ends = self.named_ends.get(key.as_path(), || {
            let files = self.files_named(site, name);
            let mut ends: Vec<PathBuf> = files.iter().filter_map(|it| reversed(it)).collect();
            ends.sort_unstable();
            let bytes = ends.iter().map(|it| ROOT_BYTES + it.as_os_str().len()).sum();
            (ends, bytes)
        });
        let at = ends.partition_point(|it| *it < end);
        ends.get(at).is_some_and(|it| it.starts_with(&end))
    }

    fn variants(&self, path: &Path) -> Vec<String> {
        let parts = (path.parent(), path.file_stem(), path.extension());
        let (Some(directory), Some(stem), Some(extension)) = parts else { return Vec::new() };
        let (start, end) = (stem.to_string_lossy(), extension.to_string_lossy());
        let (start, end) = (format!("{start}-"), format!(".{end}"));
        let names = DirectoryLister::names(self, directory);
        // The names are sorted.
        let first = names.partition_point(|name| *name < start);
        let names = names.iter().skip(first).take_while(|name| name.starts_with(&start));
        let variant =
            |name: &String| Some(name.strip_prefix(&start)?.strip_suffix(&end)?.to_owned());
        names.filter_map(variant).take(MAX_VARIANTS).collect()
    }

    fn renamed(&self, path: &Path) -> Option<PathBuf> {
        let to = (self.renames.as_ref()?.0)(path)?;
        (self.look(&to) == PathStatus::File).then_some(to)
    }

    fn former(&self, path: &Path) -> Vec<PathBuf> {
        self.former.as_ref().map_or_else(Vec::new, |former| (former.0)(path))
    }

    fn lines(&self, path: &Path) -> Option<u64> {
        *self.lines.get(path.as_os_str(), || (self.count_lines(path), path.as_os_str().len()))
    }
}
