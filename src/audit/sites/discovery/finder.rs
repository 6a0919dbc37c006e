//! Finds the site of a document from markers in the directories above it: [`SiteFinder`].
//!
//! The nearest directory wins whose generator has the document in its content. The search stops at
//! the root of the checkout.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::memory::{Marker, SiteKey, SiteMemory};
use super::places::{above, is_language, joined, text, version};
use super::programs::named_settings;
use super::settings::values;
use super::{builder, fallback};
use crate::audit::sites::rules::{
    DocumentRule, ForgeRule, GeneratorRule, MarkerStrength, MoreSettings, RootedRule, SettingsRule,
    SiteRules,
};
use crate::audit::sites::{Profile, Site};
use crate::audit::{AuditOptions, paths};
use crate::document::Format;

/// Type of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedKind {
    File,
    Directory,
}

/// The site that shows the documents of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownBy {
    /// On the site of the nearest generator, or on a forge if there is none.
    Site,
    Forge,
}

/// Access to directory listings, which may be cached.
pub trait DirectoryLister {
    /// Returns the names in a directory, sorted; empty if it cannot be listed.
    fn names(&self, directory: &Path) -> Arc<Vec<String>>;

    /// Returns the regular files and directories in a directory, sorted by name. Symbolic links are
    /// left out, which prevents cycles.
    fn entries(&self, directory: &Path) -> Vec<(String, NamedKind)>;

    /// True if `name` is a directory in `directory`, and not a symbolic link.
    fn has_directory(&self, directory: &Path, name: &str) -> bool;

    /// Returns the text of a small file; empty if it is missing.
    fn text(&self, path: &Path) -> Arc<String>;

    /// Returns the files of this name in a checkout, or below the audited directories if there is
    /// none.
    fn named(&self, checkout: Option<&Path>, name: &str) -> Arc<[PathBuf]>;
}

/// Names of site directories that may have their content beside them.
const BESIDE: [&str; 2] = ["website", "site"];

/// Directories in which a repository of many packages keeps such a directory.
const WORKSPACES: [&str; 2] = ["apps", "packages"];

/// Places of the settings of a site in a checkout.
pub const PUBLISHED: [&str; 12] = [
    "",
    "docs",
    "doc",
    "docs/source",
    "doc/source",
    "website",
    "site",
    "book",
    "guide",
    "documentation",
    "web",
    "www",
];

/// The language that others are usually translated from.
pub(super) const FIRST: &str = "en";

/// Finds the site of a document.
pub struct SiteFinder<'f> {
    pub(super) files: &'f dyn DirectoryLister,
    pub(super) options: &'f AuditOptions,
    /// Shared by the finders of all options.
    pub(super) memory: &'f SiteMemory,
}

impl<'f> SiteFinder<'f> {
    pub fn new(
        files: &'f dyn DirectoryLister,
        options: &'f AuditOptions,
        memory: &'f SiteMemory,
    ) -> Self {
        Self { files, options, memory }
    }

    /// Returns the site of the documents of this format in a directory. Those that a generator
    /// leaves out are shown by the forge only.
    pub fn find(&self, directory: &Path, format: Option<Format>, shown: ShownBy) -> Site {
        let above = above(directory);
        let repository = above.iter().find_map(|directory| self.memory.repository(directory));
        let end = repository.as_ref().map(|repository| repository.directory.clone());
        let inside = above.iter().position(|above| Some(above) == end.as_ref());
        let inside = inside.map_or(above.len(), |at| at + 1);
        let searched = if shown == ShownBy::Site { inside } else { 0 };
        let mut site = above
            .iter()
            .take(searched)
            .enumerate()
            .find_map(|(at, above)| Some((at, self.at(above, directory, format)?)))
            .map(|(at, site)| self.around(&above, inside, at, directory, format).unwrap_or(site))
            .or_else(|| self.elsewhere(end.as_deref().filter(|_| searched > 0)?, directory, format))
            .unwrap_or_else(|| fallback::site(self, &above, format, repository.as_deref()));
        if site.rules().forge == ForgeRule::OnForge
            && let Some(repository) = &repository
        {
            let is_guessed = site.is_guessed();
            site.roots.retain(|_| is_guessed);
            // A site may include documents from beside its content, so the root of the checkout is
            // not the only possible `/`.
            let around = above.iter().take(inside.saturating_sub(1)).skip(1);
            if is_guessed || !around.into_iter().any(|above| self.is_of_site(above)) {
                site.roots.push(repository.directory.clone());
            }
        }
        if site.rules().forge == ForgeRule::OnForge && !format.is_some_and(Format::is_published) {
            let book = fallback::book(self, &above, end.as_deref()).map(Arc::new);
            site.documentation = book.or(site.documentation);
            site.beside = end.as_deref().and_then(|top| self.published(top));
        }
        site.repository = repository;
        if let Some(slugs) = self.options.slugs {
            site.slugs = slugs;
        }
        if !self.options.roots.is_empty() {
            site.roots.clone_from(&self.options.roots);
            let is_guessed = site.is_guessed();
            site.content.retain(|_| !is_guessed);
        }
        if let Some(base) = &self.options.base {
            site.set_address(base);
        }
        site
    }

    /// Returns the site whose content includes the package: code within a book is also a package
    /// with documents.
    fn around(
        &self,
        above: &[PathBuf],
        inside: usize,
        at: usize,
        directory: &Path,
        format: Option<Format>,
    ) -> Option<Site> {
        // Code of a book has packages of its own. Their `Cargo.toml` is nearer than the settings of
        // the book, but their documents are chapters (seen in comprehensive-rust).
        let package = above.get(at)?;
        if !has(&self.files.names(package), "Cargo.toml") {
            return None;
        }
        let own = paths::absolute(package);
        let outside = above.iter().take(inside).skip(at + 1);
        outside
            .filter_map(|above| {
                Some((above, self.shown(above, directory, format, MarkerStrength::Sure)?))
            })
            .find(|(above, site)| {
                let holds = |content: &PathBuf| {
                    content != *above && own.starts_with(paths::absolute(content))
                };
                site.content.iter().any(holds)
            })
            .map(|(_, site)| site)
    }

    /// Returns the site of `directory` according to markers in `above`, or in the directory of a
    /// site next to its content.
    fn at(&self, above: &Path, directory: &Path, format: Option<Format>) -> Option<Site> {
        let names = self.files.names(above);
        let in_directory = |directory: &Path, names: &[String]| -> Vec<PathBuf> {
            let beside = BESIDE.iter().filter(|name| has(names, name));
            beside.map(|name| directory.join(name)).collect()
        };
        let mut beside = in_directory(above, &names);
        for workspace in WORKSPACES.iter().filter(|name| has(&names, name)) {
            let workspace = above.join(workspace);
            beside.extend(in_directory(&workspace, &self.files.names(&workspace)));
        }
        let shown = |strength: MarkerStrength| {
            let mut all = std::iter::once(above).chain(beside.iter().map(PathBuf::as_path));
            all.find_map(|it| self.shown(it, directory, format, strength))
        };
        // A weak marker may be a leftover: redux had settings of GitBook beside those of
        // Docusaurus. So a translation, which has no marker at all, still comes before it.
        shown(MarkerStrength::Sure)
            .or_else(|| self.translation(above, directory))
            .or_else(|| shown(MarkerStrength::Weak))
    }

    /// Returns the site of a translation without settings of its own, such as `de/docs` beside
    /// `en/mkdocs.yml`.
    fn translation(&self, above: &Path, directory: &Path) -> Option<Site> {
        let markers = self.memory.translated(above, || self.translated(above));
        let mut markers = markers
            .iter()
            .filter(|(profile, _)| self.options.profile.is_none_or(|only| only == *profile));
        markers.find_map(|(profile, marker)| self.with(*profile, above, marker, directory))
    }

    /// Returns the markers in sibling directories of other languages.
    fn translated(&self, above: &Path) -> Vec<Marker> {
        let absolute = paths::absolute(above);
        let own = absolute.file_name().and_then(|own| own.to_str());
        let Some(own) = own.filter(|name| is_language(name)) else {
            return Vec::new();
        };
        // A directory beside a checkout is not part of it, even if its name looks like a language.
        if self.memory.repository(above).is_some() {
            return Vec::new();
        }
        let around = joined(above, "..");
        let names = self.files.names(&around);
        let others = names.iter().filter(|name| *name != own && is_language(name));
        let mut others: Vec<PathBuf> = others.map(|name| around.join(name)).collect();
        others.sort_by_key(|other| !other.ends_with(FIRST));
        let profiles = Profile::ALL.iter().filter(|profile| profile.rules().inherit_key.is_some());
        let marker = |profile: &Profile| {
            let markers = profile.rules().markers.iter();
            let mut markers =
                markers.flat_map(|marker| others.iter().map(move |it| it.join(marker)));
            Some((*profile, markers.find(|marker| marker.is_file())?))
        };
        profiles.filter_map(marker).collect()
    }

    /// Returns the site of `directory` according to markers of this strength in `above`.
    fn shown(
        &self,
        above: &Path,
        directory: &Path,
        format: Option<Format>,
        strength: MarkerStrength,
    ) -> Option<Site> {
        let markers = self.memory.markers(above, || self.markers(above));
        let mut markers = markers.iter().filter(|(profile, _)| {
            let rules = profile.rules();
            rules.marker_strength == strength
                && match self.options.profile {
                    Some(only) => *profile == only,
                    None => takes(rules, format),
                }
        });
        markers.find_map(|(profile, marker)| self.with(*profile, above, marker, directory))
    }

    /// Returns the site whose settings are not above its content: `docs_dir: ../../docs` in
    /// `hack/site/mkdocs.yml`.
    fn elsewhere(&self, top: &Path, directory: &Path, format: Option<Format>) -> Option<Site> {
        let markers = self.memory.elsewhere(top, || self.settings_elsewhere(top));
        let mut markers = markers.iter().filter(|(profile, _)| match self.options.profile {
            Some(only) => *profile == only,
            None => takes(profile.rules(), format),
        });
        markers.find_map(|(profile, marker)| {
            self.with(*profile, marker.parent().unwrap_or(Path::new("")), marker, directory)
        })
    }

    /// Returns the settings near the top of a checkout whose content starts above them.
    fn settings_elsewhere(&self, top: &Path) -> Vec<Marker> {
        let profiles: Vec<_> = Profile::ALL
            .iter()
            .filter_map(|profile| Some((*profile, profile.rules().more_settings?)))
            .collect();
        let (mut found, mut pending) = (Vec::new(), VecDeque::from([(top.to_path_buf(), 0)]));
        for _ in 0..MAX_DIRECTORIES {
            let Some((directory, depth)) = pending.pop_front() else { break };
            for (name, kind) in self.files.entries(&directory) {
                let place = || paths::join(&directory, &name);
                match kind {
                    NamedKind::Directory if name.starts_with('.') || name == "node_modules" => {}
                    NamedKind::Directory if depth < MAX_DEPTH => {
                        pending.push_back((place(), depth + 1));
                    }
                    NamedKind::Directory => {}
                    NamedKind::File => {
                        let is_of = |more: &MoreSettings| {
                            name.starts_with(more.start)
                                && more.endings.iter().any(|ending| name.ends_with(ending))
                        };
                        let of = profiles.iter().filter(|(_, more)| is_of(more));
                        let leads_up = |profile: &Profile| {
                            let settings = text(&place());
                            let mut keys = profile.rules().content_keys.iter();
                            keys.any(|key| {
                                values(&settings, key).iter().any(|it| it.starts_with(".."))
                            })
                        };
                        let of = of.map(|(profile, _)| *profile).filter(leads_up);
                        found.extend(of.map(|profile| (profile, place())));
                    }
                }
            }
        }
        found.truncate(MAX_SETTINGS);
        found
    }

    /// Returns the first marker of each generator in a directory.
    fn markers(&self, directory: &Path) -> Vec<Marker> {
        let names = self.files.names(directory);
        self.memory.unread.look(directory, &names);
        let marker = |profile: &Profile| {
            let mut markers = profile.rules().markers.iter();
            let marker = markers.find_map(|marker| self.marker(directory, marker, &names));
            let named = || named_settings(profile.rules().command?, directory, &names);
            Some((*profile, marker.or_else(named)?))
        };
        let mut markers: Vec<Marker> = Profile::ALL.iter().filter_map(marker).collect();
        // After the usual ones, whose content these may inherit.
        for profile in Profile::ALL {
            let more = profile.rules().more_settings;
            let more = more.and_then(|more| others_named(&more, directory, &names, &markers));
            markers.extend(more.into_iter().flatten().map(|marker| (*profile, marker)));
        }
        markers
    }

    /// Returns the path that matches `marker` in a directory with these names.
    pub(super) fn marker(&self, above: &Path, marker: &str, names: &[String]) -> Option<PathBuf> {
        if let Some((file, word)) = marker.split_once('#') {
            return self.marker(above, file, names).filter(|path| match word.strip_prefix('!') {
                Some(word) => !text(path).contains(word),
                None => text(path).contains(word),
            });
        }
        let (first, rest) = match marker.split_once('/') {
            Some((first, rest)) => (first, Some(rest)),
            None => (marker, None),
        };
        let name = match first.strip_suffix('*') {
            Some(start) => names.iter().find(|name| name.starts_with(start))?.as_str(),
            None => Some(first).filter(|first| has(names, first))?,
        };
        let path = above.join(name);
        match rest {
            Some(rest) => self.marker(&path, rest, &self.files.names(&path)),
            None => Some(path),
        }
    }

    /// Returns the site that a checkout publishes: the first one whose settings name its host, or
    /// the first one.
    fn published(&self, top: &Path) -> Option<Arc<Site>> {
        let mut found = None;
        for place in PUBLISHED.map(|place| joined(top, place)) {
            let markers = self.memory.markers(&place, || self.markers(&place));
            for (profile, marker) in markers.iter() {
                let rules = profile.rules();
                let is_of_forge = rules.forge == ForgeRule::OnForge;
                if is_of_forge && rules.generator != GeneratorRule::Unknown
                    || rules.settings == SettingsRule::Nothing
                    || rules.content.is_empty()
                {
                    continue;
                }
                let (above, marker) = (place.clone(), marker.clone());
                let key = SiteKey { profile: *profile, above, marker, version: None };
                let site = self.memory.site(&key, || builder::build(self.files, &key));
                if site.host.is_some() {
                    return Some(site);
                }
                found.get_or_insert(site);
            }
        }
        found
    }

    /// Returns the site for this generator and marker, if `directory` is in it.
    fn with(
        &self,
        profile: Profile,
        above: &Path,
        marker: &Path,
        directory: &Path,
    ) -> Option<Site> {
        let rules = profile.rules();
        let is_in = |root: &PathBuf| paths::below(root, directory).is_some();
        // Built sites are below the marker, often within the content. So they come first: their
        // files are published pages, not sources.
        let output = rules.outputs.iter().map(|output| joined(above, output)).find(is_in);
        if let Some(output) = output {
            return Some(Site {
                roots: vec![output.clone()],
                content: vec![output],
                ..Site::for_profile(Profile::Html)
            });
        }
        let version = version(rules.version_directories, directory);
        let key =
            SiteKey { profile, above: above.to_path_buf(), marker: marker.to_path_buf(), version };
        let site = self.memory.site(&key, || builder::build(self.files, &key));
        let is_of_parts = rules.parts.iter().any(|parts| is_in(&joined(above, parts)))
            || site.parts.iter().any(is_in);
        let is_part = is_of_parts || site.content.iter().any(is_in);
        is_part.then(|| {
            let mut site = Site { is_of_parts, ..Site::clone(&site) };
            site.keep_project_of(directory);
            if rules.rooted == RootedRule::OfLanguage {
                site.put_first_language_of(directory);
            }
            site
        })
    }

    /// True for the directory of a generated site.
    fn is_of_site(&self, directory: &Path) -> bool {
        let markers = self.memory.markers(directory, || self.markers(directory));
        markers.iter().any(|(profile, _)| {
            let rules = profile.rules();
            rules.forge == ForgeRule::Elsewhere && !rules.base_keys.is_empty()
        })
    }
}

/// Maximum number of directories that are searched for settings whose content is elsewhere.
const MAX_DIRECTORIES: usize = 500;
/// Maximum number of names between the top of the checkout and such settings.
const MAX_DEPTH: usize = 2;

/// Most settings of one generator in one directory.
const MAX_SETTINGS: usize = 16;

/// Returns the settings in a directory whose file name is not the usual one, because a command
/// names it: `mkdocs.blog.yml` for `mkdocs build -f mkdocs.blog.yml`. They count only if they name
/// their content.
fn others_named(
    more: &MoreSettings,
    directory: &Path,
    names: &[String],
    known: &[Marker],
) -> Option<Vec<PathBuf>> {
    let first = names.partition_point(|name| name.as_str() < more.start);
    let named = names.iter().skip(first).take_while(|name| name.starts_with(more.start));
    let ends = |name: &&String| more.endings.iter().any(|ending| name.ends_with(ending));
    let places = named.filter(ends).take(MAX_SETTINGS).map(|name| directory.join(name));
    let others = places.filter(|place| !known.iter().any(|(_, marker)| marker == place));
    let others: Vec<PathBuf> = others.filter(|place| text(place).contains(more.key)).collect();
    (!others.is_empty()).then_some(others)
}

/// True if sites of this generator include documents of this format.
fn takes(rules: &SiteRules, format: Option<Format>) -> bool {
    let is_page = format.is_some_and(Format::is_published);
    match rules.documents {
        DocumentRule::All => true,
        DocumentRule::Pages => is_page,
        DocumentRule::Sources => !is_page,
    }
}

/// True if `name` is one of these sorted names.
pub(super) fn has(names: &[String], name: &str) -> bool {
    names.binary_search_by(|other| other.as_str().cmp(name)).is_ok()
}
