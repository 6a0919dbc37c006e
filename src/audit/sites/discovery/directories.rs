//! The directories of a site: content, languages, roots, and mounts.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::builder::SiteBuilder;
use super::finder::FIRST;
use super::inferred::{InferredRoot, infer};
use super::places::{is_language, joined, text_in_tree};
use super::settings::{attributes, value, values};
use super::tree_bounds::is_in_tree;
use crate::audit::paths;
use crate::audit::sites::mounts::{self, Mount};
use crate::audit::sites::playbook::Playbooks;
use crate::audit::sites::rules::{
    ContentRule, ContentStart, GeneratorRule, LanguageNameRule, MoreMounts, ResourceRule, RootRule,
    SearchedDirectory, UnresolvedLinks,
};
use crate::audit::sites::site::MAX_ROOTS;
use crate::audit::sites::{antora, docusaurus, eleventy, hugo, sphinx};

/// Maximum number of directories with topics, pictures, or snippets each.
const MAX_SEARCHED: usize = 16;

/// Returns the path of a version, if it is not the name: `'9.x': { path: 'v9' }` (Docusaurus,
/// "Versioning").
fn version_path(settings: &str, version: &str) -> Option<String> {
    let quoted = ["'", "\""].map(|quote| format!("{quote}{version}{quote}"));
    let mut after = quoted.iter().filter_map(|name| Some(settings.split_once(name)?.1));
    let object = after.find_map(|after| after.trim_start().strip_prefix(':'))?;
    let object = object.trim_start().strip_prefix('{')?.split('}').next()?;
    value(&object.replace(',', ",\n"), &["path"])
}

/// Content directory of one language, such as `content/en`.
#[derive(Debug)]
pub(in crate::audit::sites) struct LanguageDirectory {
    pub name: String,
    pub directory: PathBuf,
}

/// All directories of a site.
pub struct SiteDirectories {
    pub languages: Vec<LanguageDirectory>,
    pub mounts: Vec<Mount>,
    pub content: Vec<PathBuf>,
    pub projects: Vec<PathBuf>,
    /// The components of Antora in the checkout.
    pub components: Vec<antora::Component>,
    /// The playbooks of Antora around the component.
    pub playbooks: Option<Playbooks>,
    pub inherited: Vec<PathBuf>,
    pub roots: Vec<PathBuf>,
    /// The root that links show, for a site without a generator.
    pub inferred: Option<InferredRoot>,
}

/// Returns the directory to which a symbolic link leads.
fn linked(directory: &Path) -> Option<PathBuf> {
    let to = fs::read_link(directory).ok().filter(|to| to.is_relative())?;
    Some(joined(directory.parent()?, to.to_str()?))
}

impl SiteBuilder<'_> {
    /// Returns the directories of the site; `version` is that of one of its versions.
    pub fn directories(&self, version: Option<&PathBuf>) -> SiteDirectories {
        // Languages, mounts, and inherited content must all be known: without them, most links
        // between translations look broken. That made all of 60 judged findings of opentelemetry.io
        // and of fastapi false.
        let languages = self.languages();
        let mut mounts = self.mounts();
        let named = self.content();
        // Content outside the site's directory keeps its directory name in addresses.
        let around = self.around(&named);
        let projects = self.projects();
        let (components, playbooks) = match self.rules.resources {
            ResourceRule::Antora => (
                antora::components(self.above, self.files),
                Some(Playbooks::find(self.above, self.files)),
            ),
            ResourceRule::None => (Vec::new(), None),
        };
        let supplemental = playbooks.as_ref().and_then(|it| it.supplemental(self.above));
        mounts.extend(supplemental.map(|source| Mount {
            source,
            target: PathBuf::from(antora::OF_INTERFACE),
            is_of_content: false,
        }));
        let mut content = self.all_content(named, &projects, &mounts, &components);
        mounts.extend(self.versions(&content));
        // `docs` may be a link to `package/docs`, where an audit finds the documents.
        let linked: Vec<PathBuf> = content.iter().filter_map(|it| linked(it)).collect();
        content.extend(linked);
        // Settings may name directories outside of the tree, or the same one many times.
        let mut seen = HashSet::new();
        content.retain(|directory| {
            is_in_tree(self.above, directory) && seen.insert(paths::absolute(directory))
        });
        // Modules that are not installed are mounted, too.
        mounts.retain(|mount| !mount.source.exists() || is_in_tree(self.above, &mount.source));
        content.truncate(MAX_ROOTS);
        mounts.truncate(MAX_ROOTS);
        content.shrink_to_fit();
        mounts.shrink_to_fit();
        let inherited = self.inherited();
        let own = content.iter().filter(|content| !self.is_apart(content));
        let mut roots: Vec<PathBuf> = (version.into_iter().chain(own).cloned())
            .chain(languages.iter().map(|language| language.directory.clone()))
            .chain(self.statics(&content))
            .chain(self.copied())
            .chain(around)
            .collect();
        // The same directory may be content, a language, and a static root. Lookups try every root,
        // so duplicates would cost time; the first occurrence of each decides the order.
        let mut seen = HashSet::new();
        roots.retain(|root| seen.insert(root.clone()));
        roots.extend(inherited.iter().cloned());
        roots.retain(|root| is_in_tree(self.above, root));
        let is_unknown = self.rules.generator == GeneratorRule::Unknown;
        // A server may show one language at `/`: the addresses of developer.chrome.com start below
        // `site/en`.
        let is_served = self.rules.root == RootRule::Inferred;
        let inferred = content.first().filter(|_| is_unknown || is_served).and_then(|it| infer(it));
        let known = inferred.iter().map(|root| root.directory.clone());
        roots.extend(known.filter(|root| !seen.contains(root)));
        let inferred = inferred.filter(|_| is_unknown);
        roots.truncate(MAX_ROOTS);
        roots.shrink_to_fit();
        SiteDirectories {
            languages,
            mounts,
            content,
            projects,
            components,
            playbooks,
            inherited,
            roots,
            inferred,
        }
    }

    /// Returns the content directories that the settings name, with those of projects, mounts, and
    /// defaults.
    fn all_content(
        &self,
        mut content: Vec<PathBuf>,
        projects: &[PathBuf],
        mounts: &[Mount],
        components: &[antora::Component],
    ) -> Vec<PathBuf> {
        content.extend(projects.iter().cloned());
        if content.is_empty() || self.rules.content_rule == ContentRule::BesideDefault {
            content.extend(self.default_content());
        }
        if self.rules.content_rule == ContentRule::InsteadOfDefault {
            let mut known: HashSet<PathBuf> = content.iter().cloned().collect();
            for mount in mounts.iter().filter(|mount| mount.is_of_content) {
                let is_new = !mount.source.ancestors().any(|directory| known.contains(directory));
                if is_new && mount.source.is_dir() {
                    known.insert(mount.source.clone());
                    content.push(mount.source.clone());
                }
            }
        }
        // If the only mount of the whole content is a directory below it, that directory comes
        // first (Hugo).
        let mut whole = mounts.iter().filter(|it| it.is_of_content && it.target == Path::new(""));
        if let (Some(only), None) = (
            whole.find(|it| content.iter().any(|above| it.source.parent() == Some(above))),
            whole.find(|it| !content.contains(&it.source)),
        ) {
            content.retain(|it| *it != only.source);
            content.insert(0, only.source.clone());
        }
        content.extend(antora::other_sources(components, self.above));
        content
    }

    /// True for versions and translations that have roots of their own: `i18n/readme.md` is not a
    /// page.
    fn is_apart(&self, content: &Path) -> bool {
        let apart = self.rules.version_directories.iter().chain(self.rules.languages);
        !self.rules.version_directories.is_empty()
            && apart.into_iter().any(|it| content.ends_with(it))
    }

    /// Returns the existing content directories named by the settings.
    fn content(&self) -> Vec<PathBuf> {
        let named = self.rules.content_keys.iter().flat_map(|key| values(&self.settings, key));
        let content = named.filter_map(|name| {
            if self.is_named_from_build(&name) {
                return Some(self.above.to_path_buf());
            }
            Some(joined(self.above, &name)).filter(|content| content.is_dir())
        });
        let mut content: Vec<PathBuf> = content.collect();
        let topics = self.rules.searched.iter().take(1).flat_map(|it| self.directories_of(it));
        content.extend(topics.filter(|directory| directory.is_dir()));
        if self.marker.file_name().is_some_and(|name| name == "conf.py") {
            content.extend(sphinx::source_directory(self.above, &self.settings, self.files));
        }
        // `/a` is a page of the first language. Its settings may be in a file of their own, after
        // those of other languages.
        let first = self.first_language();
        content.sort_by_key(|content| !content.ends_with(&first));
        content
    }

    /// True for the name of the content by which settings in the content call it: the build runs in
    /// the directory above it, which has the package or gems of the build.
    fn is_named_from_build(&self, name: &str) -> bool {
        const OF_BUILDS: [&str; 2] = ["package.json", "Gemfile"];
        let name = Path::new(name.trim_start_matches("./").trim_matches('/'));
        let depth = name.components().count();
        let above = paths::absolute(self.above);
        let is_build = |it: &Path| OF_BUILDS.iter().any(|file| it.join(file).is_file());
        self.rules.content_start == ContentStart::Build
            && above.ends_with(name)
            && above.ancestors().position(is_build) == Some(depth)
    }

    /// Returns the directory at which paths in the settings start.
    fn start_of_settings(&self) -> PathBuf {
        let named = value(&self.settings, self.rules.content_keys);
        let named = named.filter(|it| self.is_named_from_build(it));
        let depth = named.map_or(0, |it| Path::new(&it).components().count());
        joined(self.above, &"../".repeat(depth))
    }

    /// Returns the directories in which files are found, and whether their names suffice.
    pub fn searched(&self) -> Vec<(PathBuf, bool)> {
        let of = |it: &SearchedDirectory| {
            let has_names = it.has_names;
            self.directories_of(it).into_iter().map(move |directory| (directory, has_names))
        };
        self.rules.searched.iter().flat_map(of).collect()
    }

    /// Returns the directories that the settings name by such an element, which may be repeated.
    fn directories_of(&self, searched: &SearchedDirectory) -> Vec<PathBuf> {
        let SearchedDirectory { element, attributes: names, default, .. } = searched;
        let named = attributes(&self.settings, element, names).take(MAX_SEARCHED);
        let mut found: Vec<PathBuf> = named.map(|it| joined(self.above, it)).collect();
        if found.is_empty() {
            found.push(joined(self.above, default));
        }
        found
    }

    /// Returns the existing source directories, if the settings are those of several projects.
    fn projects(&self) -> Vec<PathBuf> {
        if self.rules.unresolved != UnresolvedLinks::Sphinx {
            return Vec::new();
        }
        let named = sphinx::projects(&self.settings).into_iter();
        named.map(|it| joined(self.above, &it)).filter(|it| it.is_dir()).collect()
    }

    /// Returns the language whose pages have addresses without a language.
    fn first_language(&self) -> String {
        let named = value(&self.settings, &["defaultContentLanguage"]);
        named.unwrap_or_else(|| FIRST.to_owned())
    }

    fn default_content(&self) -> impl Iterator<Item = PathBuf> {
        let default = self.rules.content.iter().map(|content| joined(self.above, content));
        default.filter(|content| content.is_dir() || content == self.above)
    }

    /// Returns the parents of content directories outside the site's directory.
    fn around(&self, content: &[PathBuf]) -> Vec<PathBuf> {
        if self.rules.content_rule != ContentRule::BesideDefault {
            return Vec::new();
        }
        let beside = content.iter().filter(|content| !content.starts_with(self.above));
        beside.filter_map(|content| content.parent().map(Path::to_path_buf)).collect()
    }

    fn statics(&self, content: &[PathBuf]) -> Vec<PathBuf> {
        let places = content.iter().map(PathBuf::as_path).chain([self.above]);
        let statics = self.rules.statics;
        places
            .flat_map(|place| statics.iter().map(move |root| joined(place, root)))
            .filter(|root| root.is_dir() || root == self.above)
            .collect()
    }

    /// Returns the existing directories that the settings copy to `/`.
    pub fn copied(&self) -> impl Iterator<Item = PathBuf> {
        let named = self.rules.static_keys.iter().flat_map(|key| values(&self.settings, key));
        let copied = named.map(|directory| joined(self.above, &directory));
        copied.filter(|copied| copied.is_dir() && is_in_tree(self.above, copied))
    }

    /// Returns the existing directories whose documents are not pages. Solidity includes those of
    /// `contracts`, so paths in them start at the document that includes them.
    pub fn parts(&self) -> Vec<PathBuf> {
        let patterns = self.rules.part_keys.iter().flat_map(|key| values(&self.settings, key));
        let directory = |pattern: String| {
            let name = pattern.trim_end_matches('*').trim_end_matches('/');
            let is_name = !name.is_empty() && !name.contains(['*', '?', '[']);
            is_name.then(|| joined(self.above, name))
        };
        let mut seen = HashSet::new();
        let parts = patterns.filter_map(directory).filter(|parts| seen.insert(parts.clone()));
        // Each document is compared with them.
        parts.filter(|parts| parts.is_dir()).take(MAX_ROOTS).collect()
    }

    /// Returns the directories of the files that tags of Liquid include.
    pub fn includes(&self, content: &[PathBuf]) -> Vec<PathBuf> {
        let Some(liquid) = self.rules.liquid else { return Vec::new() };
        let named = value(&self.settings, &[liquid.includes_key]);
        let name = named.as_deref().unwrap_or(liquid.includes);
        let mut found: Vec<PathBuf> = content
            .iter()
            .map(PathBuf::as_path)
            .chain([self.above])
            .map(|it| joined(it, name))
            .collect();
        found.dedup();
        found
    }

    /// Returns the content directories of the site whose settings are inherited.
    fn inherited(&self) -> Vec<PathBuf> {
        let Some(parent) = self.parent.as_deref().and_then(Path::parent) else {
            return Vec::new();
        };
        let content = self.rules.content.iter().map(|content| joined(parent, content));
        content.filter(|content| content.is_dir()).collect()
    }

    fn mounts(&self) -> Vec<Mount> {
        let more = match self.rules.more_mounts {
            MoreMounts::None => Vec::new(),
            MoreMounts::Permalinks => mounts::of_permalinks(&self.settings),
            MoreMounts::Included => self.included(),
            MoreMounts::Copied => {
                eleventy::copied(&self.settings, &eleventy::input(&self.settings))
            }
            MoreMounts::Routes => docusaurus::mounts(&self.settings),
        };
        let start = self.start_of_settings();
        let read = |keys| mounts::read(&self.settings, keys);
        let mounts = self.rules.mounts.map(read).unwrap_or_default().into_iter().chain(more);
        // Settings may name thousands, and a vector keeps its capacity.
        mounts.map(|mount| mount.below(&start)).take(MAX_ROOTS).collect()
    }

    /// Returns the documents of other projects that the menu includes.
    fn included(&self) -> Vec<Mount> {
        let mut mounts = Vec::new();
        for path in mounts::includes(&self.settings) {
            let projects: Vec<String> = match path.split_once("/*/") {
                Some((around, below)) => {
                    let names = self.files.names(&joined(self.above, around));
                    names.iter().map(|name| format!("{around}/{name}/{below}")).collect()
                }
                None => vec![path.to_owned()],
            };
            let left = MAX_ROOTS.saturating_sub(mounts.len());
            for project in projects.into_iter().take(left) {
                let settings = text_in_tree(self.above, &joined(self.above, &project));
                let Some(name) = value(&settings, &["site_name"]) else { continue };
                let content = value(&settings, self.rules.content_keys);
                let directory = Path::new(&project).parent().unwrap_or(Path::new(""));
                let source = directory.join(content.as_deref().unwrap_or("docs"));
                let target = PathBuf::from(mounts::alias(&name));
                mounts.push(Mount { source, target, is_of_content: false });
            }
        }
        mounts
    }

    /// Returns mounts for versioned content: `docs/next` shows the future `docs`, and `docs/1.0`
    /// shows `versioned_docs/version-1.0`.
    // Docusaurus shows the content directory as `next` and has a directory per released version.
    fn versions(&self, content: &[PathBuf]) -> Vec<Mount> {
        let mut mounts = Vec::new();
        if self.rules.version_directories.is_empty() {
            return mounts;
        }
        for current in content {
            let Some(name) = current.file_name().and_then(|name| name.to_str()) else { continue };
            let versions = joined(self.above, &format!("versioned_{name}"));
            let mut add = |source: PathBuf, version: &str| {
                let target = PathBuf::from(name).join(version);
                mounts.push(Mount { source, target, is_of_content: true });
            };
            add(current.clone(), "next");
            // The settings are searched for each of them.
            for directory in self.files.names(&versions).iter().take(MAX_ROOTS) {
                if let Some(version) = directory.strip_prefix("version-") {
                    let path = version_path(&self.settings, version);
                    add(versions.join(directory), path.as_deref().unwrap_or(version));
                }
            }
        }
        mounts
    }

    fn languages(&self) -> Vec<LanguageDirectory> {
        let mut found = Vec::new();
        // A program for all addresses shows the pages of a language at `/`.
        let pages = self.rules.routes.filter(|_| self.has_routes()).map(|(pages, _)| pages);
        for place in self.rules.languages.iter().copied().chain(pages) {
            let place = joined(self.above, place);
            let names = self.files.names(&place);
            let is_listed = self.rules.language_names == LanguageNameRule::Listed;
            let may_be =
                |name: &&String| !is_listed || hugo::may_be_language(&self.settings, name.as_str());
            let names = names.iter().filter(|name| is_language(name)).filter(may_be);
            let languages = names
                .map(|name| LanguageDirectory { name: name.clone(), directory: place.join(name) });
            found.extend(languages.filter(|language| language.directory.is_dir()));
        }
        // The first language is the fallback of the others.
        let first = self.first_language();
        found.sort_by_key(|language| language.name != first);
        // Each link is compared with them.
        found.truncate(MAX_ROOTS);
        found
    }
}
