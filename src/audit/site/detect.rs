//! Which site a document belongs to, by what lies in the directories above it: [`SiteFinder`].
//!
//! The nearest directory counts that shows a generator whose content the document is in. Nothing above the checkout is
//! looked at.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::memory::{Marker, SiteKey, SiteMemory};
use super::mounts::{self, Fallback, Mount};
use super::places::{
    CONFS, above, has_hook, is_language, joined, schemes, settings, text, version,
};
use super::rules::ContentRule;
use super::{ForgeRule, ItemRule, Profile, ProfileRules, Repository, Site, base_path, config};
use crate::audit::{AuditOptions, Slugs, paths};
use crate::document::Format;

/// What has a name in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedKind {
    File,
    Directory,
}

/// The names in directories.
pub trait Names {
    /// The names in a directory, sorted; none if it can't be listed.
    fn names(&self, directory: &Path) -> Arc<Vec<String>>;

    /// The regular files and directories in a directory, sorted by name, without symbolic links.
    fn entries(&self, directory: &Path) -> Vec<(String, NamedKind)>;

    /// True for a directory in a directory, and no symbolic link to one.
    fn has_directory(&self, directory: &Path, name: &str) -> bool;
}

/// How much a marker says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    /// Its generator makes a site of what is here.
    Sure,
    /// Something is here that may be left over, or is here for another reason.
    Weak,
}

impl Claim {
    fn of(profile: Profile) -> Self {
        match profile {
            Profile::Any | Profile::Rustdoc => Self::Weak,
            _ => Self::Sure,
        }
    }
}

/// Directories of sites whose content is next to them.
const BESIDE: [&str; 2] = ["website", "site"];

/// The language that others are translated from.
const FIRST: &str = "en";

/// Finds the site of a document.
pub struct SiteFinder<'f> {
    files: &'f dyn Names,
    options: &'f AuditOptions,
    /// The same for all options.
    memory: &'f SiteMemory,
}

impl<'f> SiteFinder<'f> {
    pub fn new(files: &'f dyn Names, options: &'f AuditOptions, memory: &'f SiteMemory) -> Self {
        Self { files, options, memory }
    }

    /// The site of the documents of this format in a directory.
    pub fn find(&self, directory: &Path, format: Option<Format>) -> Site {
        let above = above(directory);
        let repository = above.iter().find_map(|directory| self.memory.repository(directory));
        let end = repository.as_ref().map(|repository| repository.directory.clone());
        let inside = above.iter().position(|above| Some(above) == end.as_ref());
        let inside = inside.map_or(above.len(), |at| at + 1);
        let mut site = above
            .iter()
            .take(inside)
            .enumerate()
            .find_map(|(at, above)| Some((at, self.at(above, directory, format)?)))
            .map(|(at, site)| self.around(&above, inside, at, directory, format).unwrap_or(site))
            .unwrap_or_else(|| self.fallback(&above, format, repository.as_deref()));
        if site.rules().forge == ForgeRule::OnForge
            && let Some(repository) = &repository
        {
            site.roots.retain(|_| site.profile == Profile::Any);
            // Of what is beside the content of a site, it may make parts of its pages.
            let around = above.iter().take(inside.saturating_sub(1)).skip(1);
            if site.profile == Profile::Any
                || !around.into_iter().any(|above| self.is_of_site(above))
            {
                site.roots.push(repository.directory.clone());
            }
        }
        if site.rules().forge == ForgeRule::OnForge && !format.is_some_and(Format::is_of_pages) {
            let book = self.book(&above, end.as_deref()).map(Arc::new);
            site.documentation = book.or(site.documentation);
        }
        site.repository = repository;
        if let Some(slugs) = self.options.slugs {
            site.slugs = slugs;
        }
        if !self.options.roots.is_empty() {
            site.roots.clone_from(&self.options.roots);
            site.content.retain(|_| site.profile != Profile::Any);
        }
        if let Some(base) = &self.options.base {
            site.base = base_path(base);
        }
        site
    }

    /// The site in whose content the package is that was found: code of a book is built, too.
    fn around(
        &self,
        above: &[PathBuf],
        inside: usize,
        at: usize,
        directory: &Path,
        format: Option<Format>,
    ) -> Option<Site> {
        let package = above.get(at)?;
        if !has(&self.files.names(package), "Cargo.toml") {
            return None;
        }
        let own = paths::absolute(package);
        let outside = above.iter().take(inside).skip(at + 1);
        outside
            .filter_map(|above| Some((above, self.shown(above, directory, format, Claim::Sure)?)))
            .find(|(above, site)| {
                let holds = |content: &PathBuf| {
                    content != *above && own.starts_with(paths::absolute(content))
                };
                site.content.iter().any(holds)
            })
            .map(|(_, site)| site)
    }

    /// The site that `directory` is in, if `above` shows one, or the directory of a site next to its content.
    fn at(&self, above: &Path, directory: &Path, format: Option<Format>) -> Option<Site> {
        let names = self.files.names(above);
        let beside = BESIDE.iter().filter(|name| has(&names, name));
        let beside: Vec<PathBuf> = beside.map(|name| above.join(name)).collect();
        let shown = |claim: Claim| {
            let mut all = std::iter::once(above).chain(beside.iter().map(PathBuf::as_path));
            all.find_map(|it| self.shown(it, directory, format, claim))
        };
        shown(Claim::Sure)
            .or_else(|| self.translation(above, directory))
            .or_else(|| shown(Claim::Weak))
    }

    /// The site of a translation that has no settings of its own: `de/docs` beside `en/mkdocs.yml`.
    fn translation(&self, above: &Path, directory: &Path) -> Option<Site> {
        let markers = self.memory.translated(above, || self.translated(above));
        let mut markers = markers
            .iter()
            .filter(|(profile, _)| self.options.profile.is_none_or(|only| only == *profile));
        markers.find_map(|(profile, marker)| self.with(*profile, above, marker, directory))
    }

    /// What shows generators in directories of other languages beside one of a language.
    fn translated(&self, above: &Path) -> Vec<Marker> {
        let absolute = paths::absolute(above);
        let own = absolute.file_name().and_then(|own| own.to_str());
        let Some(own) = own.filter(|name| is_language(name)) else {
            return Vec::new();
        };
        let around = joined(above, "..");
        let names = self.files.names(&around);
        let others = names.iter().filter(|name| *name != own && is_language(name));
        let mut others: Vec<PathBuf> = others.map(|name| around.join(name)).collect();
        others.sort_by_key(|other| !other.ends_with(FIRST));
        let profiles = Profile::ALL.iter().filter(|profile| profile.rules().inherits.is_some());
        let marker = |profile: &Profile| {
            let markers = profile.rules().markers.iter();
            let mut markers =
                markers.flat_map(|marker| others.iter().map(move |it| it.join(marker)));
            Some((*profile, markers.find(|marker| marker.is_file())?))
        };
        profiles.filter_map(marker).collect()
    }

    fn shown(
        &self,
        above: &Path,
        directory: &Path,
        format: Option<Format>,
        claim: Claim,
    ) -> Option<Site> {
        let markers = self.memory.markers(above, || self.markers(above));
        let mut markers = markers.iter().filter(|(profile, _)| {
            Claim::of(*profile) == claim
                && match self.options.profile {
                    Some(only) => *profile == only,
                    None => match profile {
                        Profile::Html => format.is_some_and(Format::is_of_pages),
                        Profile::Rustdoc => !format.is_some_and(Format::is_of_pages),
                        _ => true,
                    },
                }
        });
        markers.find_map(|(profile, marker)| self.with(*profile, above, marker, directory))
    }

    /// What shows generators in a directory.
    fn markers(&self, directory: &Path) -> Vec<Marker> {
        let names = self.files.names(directory);
        let marker = |profile: &Profile| {
            let mut markers = profile.rules().markers.iter();
            let marker = markers.find_map(|marker| self.marker(directory, marker, &names))?;
            Some((*profile, marker))
        };
        Profile::ALL.iter().filter_map(marker).collect()
    }

    /// The path of what `marker` matches in a directory with these names.
    fn marker(&self, above: &Path, marker: &str, names: &[String]) -> Option<PathBuf> {
        if let Some((file, word)) = marker.split_once('#') {
            return self.marker(above, file, names).filter(|path| text(path).contains(word));
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

    fn with(
        &self,
        profile: Profile,
        above: &Path,
        marker: &Path,
        directory: &Path,
    ) -> Option<Site> {
        let rules = profile.rules();
        let is_in = |root: &PathBuf| paths::below(root, directory).is_some();
        let output = rules.outputs.iter().map(|output| joined(above, output)).find(is_in);
        if let Some(output) = output {
            return Some(Site {
                roots: vec![output.clone()],
                content: vec![output],
                ..Site::of(Profile::Html)
            });
        }
        let version = version(rules.versions, directory);
        let key = (profile, above.to_path_buf(), marker.to_path_buf(), version);
        let site = self.memory.site(&key, || self.made(&key));
        let is_of_parts = rules.parts.iter().any(|parts| is_in(&joined(above, parts)));
        let is_part = is_of_parts || site.content.iter().any(is_in);
        is_part.then(|| Site { is_of_parts, ..Site::clone(&site) })
    }

    /// The site that a marker shows, whatever directory of it is asked for.
    fn made(&self, (profile, above, marker, version): &SiteKey) -> Site {
        let rules = profile.rules();
        let mut settings = match profile {
            // An index of pages that are made, which may be large.
            Profile::Html => String::new(),
            _ => settings(marker),
        };
        let parent = rules.inherits.and_then(|key| config::value(&settings, &[key]));
        let parent = match marker.starts_with(above) {
            true => parent.map(|parent| joined(above, &parent)),
            false => Some(marker.clone()),
        };
        if let Some(parent) = parent.as_ref().filter(|parent| *parent != marker) {
            settings.push('\n');
            settings.push_str(&text(parent));
        }
        let mut content: Vec<PathBuf> = rules
            .content_keys
            .iter()
            .flat_map(|key| config::values(&settings, key))
            .map(|content| joined(above, &content))
            .filter(|content| content.is_dir())
            .collect();
        // What is next to the site has its own name in addresses.
        let around: Vec<PathBuf> = content
            .iter()
            .filter(|content| {
                rules.settings == ContentRule::ThereToo && !content.starts_with(above)
            })
            .filter_map(|content| content.parent().map(Path::to_path_buf))
            .collect();
        if content.is_empty() || rules.settings == ContentRule::ThereToo {
            let default = rules.content.iter().map(|content| joined(above, content));
            content.extend(default.filter(|content| content.is_dir() || content == above));
        }
        let languages = self.languages(rules.languages, above);
        let mounts: Vec<Mount> = match rules.mounts {
            Some(keys) => mounts::read(&settings, keys),
            None => Vec::new(),
        };
        let mounts: Vec<Mount> = mounts.into_iter().map(|mount| mount.below(above)).collect();
        if rules.settings == ContentRule::There {
            for mount in mounts.iter().filter(|mount| mount.is_of_content) {
                let is_new = !content.iter().any(|content| mount.source.starts_with(content));
                if is_new && mount.source.is_dir() {
                    content.push(mount.source.clone());
                }
            }
        }
        let beside = content.iter().chain([above]);
        let beside = beside.flat_map(|at| rules.statics.iter().map(move |root| joined(at, root)));
        let statics: Vec<PathBuf> = beside.filter(|root| root.is_dir() || root == above).collect();
        let by_language = languages.iter().map(|(_, path)| path.clone());
        let content_roots = version.iter().chain(&content).cloned();
        let mut roots: Vec<PathBuf> =
            content_roots.chain(by_language).chain(statics).chain(around).collect();
        let mut seen = Vec::new();
        roots.retain(|root| !seen.contains(root) && (seen.push(root.clone()), true).1);
        let inherited = parent.as_deref().and_then(Path::parent).into_iter();
        let inherited: Vec<PathBuf> = inherited
            .flat_map(|parent| rules.content.iter().map(|content| joined(parent, content)))
            .filter(|content| content.is_dir())
            .collect();
        roots.extend(inherited.iter().cloned());
        let base = config::value(&settings, rules.base_keys);
        Site {
            slugs: match settings.contains("slugify:") {
                true => Slugs::Any,
                false => rules.slugs,
            },
            base: base.as_deref().map_or_else(|| "/".to_owned(), base_path),
            schemes: schemes(&settings),
            fallback: Fallback::of(rules.untranslated, &languages, &mounts),
            mounts: mounts::unique(mounts, &roots),
            titled: rules.titles.map_or_else(Vec::new, |table| config::titled(&settings, table)),
            languages: languages.into_iter().map(|(name, _)| name).collect(),
            items: if marker.extension().is_some_and(|extension| extension == "in") {
                ItemRule::Build
            } else if rules.hooks.iter().any(|hook| has_hook(hook, above, &settings)) {
                ItemRule::Hooks
            } else if self.has_routes(rules, above, &settings) {
                ItemRule::Routes
            } else {
                rules.items
            },
            is_flat: config::values(&settings, "use_directory_urls").iter().any(|it| it == "false"),
            roots,
            content,
            inherited,
            ..Site::of(*profile)
        }
    }

    /// True where programs of the site answer addresses: `[...slug].astro`.
    fn has_routes(&self, rules: &ProfileRules, above: &Path, settings: &str) -> bool {
        let Some((pages, theme)) = rules.routes else { return false };
        !settings.contains(theme)
            && self.files.names(&joined(above, pages)).iter().any(|name| name.starts_with('['))
    }

    /// The languages of a site with their directories: `content/en`.
    fn languages(&self, places: &[&str], above: &Path) -> Vec<(String, PathBuf)> {
        let mut found = Vec::new();
        for place in places {
            let place = joined(above, place);
            let names = self.files.names(&place);
            let names = names.iter().filter(|name| is_language(name)).cloned();
            let named = names.map(|name| (name.clone(), place.join(name)));
            found.extend(named.filter(|(_, path)| path.is_dir()));
        }
        // The first is the one that others fall back to.
        found.sort_by_key(|(name, _)| name != FIRST);
        found
    }

    /// The site of documents that no generator claims.
    fn fallback(
        &self,
        above: &[PathBuf],
        format: Option<Format>,
        repository: Option<&Repository>,
    ) -> Site {
        let is_gitlab = repository.is_some_and(|repository| {
            !repository.remotes.is_empty()
                && repository.remotes.iter().all(|remote| remote.starts_with("gitlab."))
        });
        let profile = self.options.profile.unwrap_or(match format {
            Some(format) if format.is_of_pages() => Profile::Html,
            _ if is_gitlab => Profile::Gitlab,
            _ => Profile::Github,
        });
        let mut site = Site::of(profile);
        // A change log is a part of the documentation, too.
        let own = repository.map(|repository| repository.directory.as_path());
        for conf in own.into_iter().flat_map(|own| CONFS.map(|conf| joined(own, conf))) {
            let settings = self.memory.text(&conf);
            if !settings.is_empty() {
                site.documentation = conf.parent().map(|docs| {
                    Arc::new(Site {
                        content: vec![docs.to_path_buf()],
                        ..Site::of(Profile::Sphinx)
                    })
                });
                site.schemes.extend(schemes(&settings));
                site.schemes
                    .extend(Profile::Sphinx.rules().schemes.iter().map(|&it| it.to_owned()));
            }
        }
        if format.is_some_and(Format::is_of_pages) && self.options.profile.is_none() {
            // The pages of a site are below its first page; which one that is, its links show.
            let inside = above.iter().take_while(|above| {
                Some(above.as_path())
                    != repository.map(|it| it.directory.parent().unwrap_or(Path::new("/")))
            });
            let mut tops = Vec::new();
            for above in inside {
                if has(&self.files.names(above), "index.html") {
                    tops.push(above.clone());
                }
            }
            tops.reverse();
            let public = |top: &PathBuf| [top.clone(), top.join("public"), top.join("static")];
            site.roots = tops.iter().flat_map(public).collect();
            if self.is_bundled(above, repository) {
                site.items = ItemRule::Bundler;
            }
        }
        site
    }

    /// True for the directory of a site that a generator makes.
    fn is_of_site(&self, directory: &Path) -> bool {
        let markers = self.memory.markers(directory, || self.markers(directory));
        markers.iter().any(|(profile, _)| {
            let rules = profile.rules();
            rules.forge == ForgeRule::Elsewhere && !rules.base_keys.is_empty()
        })
    }

    /// The book of a checkout, among whose pages a tool may put a document that is beside it.
    fn book(&self, above: &[PathBuf], own: Option<&Path>) -> Option<Site> {
        let inside = above.iter().position(|above| Some(above.as_path()) == own)?;
        let mut above = above.iter().take(inside + 1);
        let settings = above.find_map(|above| {
            let names = self.files.names(above);
            BOOKS.iter().find_map(|book| self.marker(above, book, &names))
        })?;
        let content = config::value(&self.memory.text(&settings), &["src"]);
        let content = content.unwrap_or_else(|| "src".to_owned());
        let content = vec![joined(settings.parent()?, &content)];
        Some(Site { content, ..Site::of(Profile::Mdbook) })
    }

    /// True when the settings of a bundler lie above, in the same package.
    fn is_bundled(&self, above: &[PathBuf], repository: Option<&Repository>) -> bool {
        let own = repository.map(|repository| repository.directory.as_path());
        for above in above {
            let names = self.files.names(above);
            if names.iter().any(|name| BUNDLERS.iter().any(|it| name.starts_with(it))) {
                return true;
            }
            if has(&names, "package.json") || own == Some(above.as_path()) {
                break;
            }
        }
        false
    }
}

/// True for one of these sorted names.
fn has(names: &[String], name: &str) -> bool {
    names.binary_search_by(|other| other.as_str().cmp(name)).is_ok()
}

/// Where the settings of a book are, from a directory of the repository.
const BOOKS: [&str; 4] =
    ["book.toml", "book/book.toml", "doc/book/book.toml", "docs/book/book.toml"];

/// What the settings of bundlers start with.
const BUNDLERS: [&str; 11] = [
    "astro.config.",
    "docusaurus.config.",
    "next.config.",
    "nuxt.config.",
    "parcel.config.",
    "rollup.config.",
    "rsbuild.config.",
    "rspack.config.",
    "svelte.config.",
    "vite.config.",
    "webpack.config.",
];
