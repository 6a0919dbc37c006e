//! The answers of the file system: its implementation of [`TargetLookup`].

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{ANCHOR_BYTES, FileTree, ROOT_BYTES};
use crate::audit::anchor_rules::OtherRule;
use crate::audit::answers::PageFiles;
use crate::audit::answers::addresses;
use crate::audit::answers::cache::Cache;
use crate::audit::answers::defined_labels;
use crate::audit::answers::directory::FoundDirectory;
use crate::audit::answers::doxygen::DoxygenNames;
use crate::audit::answers::ignored::IgnoredTargets;
use crate::audit::answers::importers::Composed;
use crate::audit::answers::included::IncludedTopics;
use crate::audit::answers::included_text::IncludedText;
use crate::audit::answers::sample::sampled;
use crate::audit::answers::script_labels;
use crate::audit::answers::site_schemes;
use crate::audit::answers::stand_ins;
use crate::audit::answers::templates::{self, TemplateIds};
use crate::audit::answers::vault::Vault;
use crate::audit::census::MissingGroup;
use crate::audit::form::{FormCounts, LinkForm};
use crate::audit::paths::DescendantPath;
use crate::audit::sites::{DirectoryLister, UnresolvedLinks};
use crate::audit::target::undefined::is_item;
use crate::audit::{Anchors, Facts, PathStatus, Repository, Site, SitePage, Slugs, TargetLookup};
use crate::audit::{custom_labels, paths};
use crate::document::Format;

/// Maximum number of variants of one name that are compared.
const MAX_VARIANTS: usize = 16;
/// Maximum number of names that are examined in search of them. Many links may name files that
/// start alike.
const MAX_SIMILAR_NAMES: usize = 256;

/// Returns the names of a path in reverse order; `None` if `..` follows a name.
fn reversed(path: &Path) -> Option<PathBuf> {
    let mut names = path.components().rev().skip_while(|it| matches!(it, Component::CurDir));
    let is_name = |it: &Component<'_>| matches!(it, Component::Normal(_));
    let reversed = names.by_ref().take_while(is_name).collect();
    // A walked path may start with `..`.
    names.all(|it| !is_name(&it)).then_some(reversed)
}

/// Returns the names that `read` finds below the directories of a site. They are cached by the
/// first of these directories.
fn of_site(
    site: &Site,
    cache: &Cache<PathBuf, HashSet<String>>,
    read: impl FnOnce(&[PathBuf]) -> HashSet<String>,
) -> Option<Arc<HashSet<String>>> {
    below(&sampled(site), cache, read)
}

/// Returns the names that `read` finds below directories. They are cached by the first of these.
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

    fn is_dangling(&self, path: &Path) -> bool {
        std::fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink())
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
        let read = |directories: &[PathBuf]| script_labels::find(directories, &overlay);
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

    fn has_glossary(&self, site: &Site) -> bool {
        let site = site.documentation.as_deref().unwrap_or(site);
        self.pages_of(site).is_some_and(|pages| pages.has_glossary())
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
        self.heading_makers.has(component, self)
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
        of_site(site, &self.stand_ins, stand_ins::find).is_some_and(|it| it.contains(written))
    }

    fn has_site_scheme(&self, site: &Site, scheme: &str) -> bool {
        let read = |directories: &[PathBuf]| site_schemes::find(directories, site.settings());
        of_site(site, &self.site_schemes, read).is_some_and(|it| it.contains(scheme))
    }

    fn importers(&self, site: &Site, document: &Path) -> Arc<Vec<Arc<Composed>>> {
        self.importers_of(site).map_or_else(Arc::default, |it| it.pages_including(document))
    }

    fn composed(&self, site: &Site, page: &Path) -> Option<Arc<Composed>> {
        self.importers_of(site)?.composed(page)
    }

    fn attributes(&self, site: &Site, document: &Path) -> Arc<Vec<(String, String)>> {
        self.importers_of(site).map_or_else(Arc::default, |it| it.attributes(document))
    }

    fn includes_unknown(&self, site: &Site, document: &Path) -> bool {
        self.importers_of(site).is_some_and(|it| it.is_open(document))
    }

    fn shown_by(&self, site: &Site, page: &Path) -> Arc<Vec<PathBuf>> {
        self.importers_of(site).map_or_else(Arc::default, |it| it.shown_by(page))
    }

    fn has_heading_makers(&self, site: &Site, document: &Path, find: &dyn Fn() -> bool) -> bool {
        // The texts of a language server change.
        if self.has_overlay() {
            find()
        } else {
            self.heading_makers.of_document(site, document, find)
        }
    }

    fn doxygen(&self, file: &Path) -> Arc<DoxygenNames> {
        self.doxygen.get(file, || {
            let names = DoxygenNames::read(file);
            let bytes = ROOT_BYTES * (1 + names.pictures.len() + names.copied.len());
            (names, bytes)
        })
    }

    fn included_text(&self, file: &Path) -> Option<Arc<IncludedText>> {
        if self.probe(file) != PathStatus::File {
            return None;
        }
        // The texts of a language server change.
        if self.has_overlay() {
            return Some(Arc::new(IncludedText::read(file)));
        }
        Some(self.included_texts.get(file, || {
            let read = IncludedText::read(file);
            let bytes = file.as_os_str().len() + read.kept_bytes();
            (read, bytes)
        }))
    }

    fn defined_labels(&self, file: &Path) -> Arc<HashSet<String>> {
        // The texts of a language server change.
        if self.has_overlay() {
            return Arc::new(defined_labels::read(file));
        }
        self.defined_labels.of_file(file)
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

    fn missing_files(&self, site: &Site, path: &Path, extension: &str) -> Option<MissingGroup> {
        self.census(site)?.files(PageFiles::new(self), path, extension)
    }

    fn missing_files_named_alike(&self, site: &Site, path: &Path) -> Option<MissingGroup> {
        self.census(site)?.files_named_alike(path)
    }

    fn form_counts(
        &self,
        site: &Site,
        document: &Path,
        form: &LinkForm,
        target: &Path,
    ) -> Option<FormCounts> {
        Some(self.census(site)?.form_counts(document, form, target))
    }

    fn missing_anchors(&self, site: &Site, document: &Path, anchor: &str) -> Option<MissingGroup> {
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
        Option::as_ref(&vault)?.find(name, document)
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
        let names = names.iter().skip(first).take(MAX_SIMILAR_NAMES);
        let names = names.take_while(|name| name.starts_with(&start));
        let variant =
            |name: &String| Some(name.strip_prefix(&start)?.strip_suffix(&end)?.to_owned());
        names.filter_map(variant).take(MAX_VARIANTS).collect()
    }

    fn names_in(&self, directory: &Path) -> Arc<Vec<String>> {
        DirectoryLister::names(self, directory)
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
