//! Which site a document belongs to, by what lies in the directories above it: [`SiteFinder`].
//!
//! The nearest directory counts that shows a generator whose content the document is in. Nothing above the checkout is
//! looked at.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::profile::ContentRule;
use super::{ForgeRule, ItemRule, Profile, Repository, Site, base_path, config};
use crate::audit::{AuditOptions, Slugs, paths};
use crate::container::document::Format;
use crate::slice::lossy;

/// So many directories above a document are looked at.
const MOST_ABOVE: usize = 64;

/// Larger files of settings are not read.
const LARGEST: u64 = 1 << 20;

/// The names in directories.
pub trait Names {
    /// The names in a directory, sorted; none if it can't be listed.
    fn names(&self, directory: &Path) -> Vec<String>;
}

/// Finds the site of a document.
pub struct SiteFinder<'f> {
    files: &'f dyn Names,
    options: &'f AuditOptions,
}

impl<'f> SiteFinder<'f> {
    pub fn new(files: &'f dyn Names, options: &'f AuditOptions) -> Self {
        Self { files, options }
    }

    /// The site of the documents of this format in a directory.
    pub fn find(&self, directory: &Path, format: Option<Format>) -> Site {
        let above = above(directory);
        let repository = above.iter().find_map(|directory| repository(directory));
        let end = repository.as_ref().map(|repository| repository.directory.clone());
        let inside = above.iter().position(|above| Some(above) == end.as_ref());
        let inside = inside.map_or(above.len(), |at| at + 1);
        let repository = repository.map(Arc::new);
        let mut site = above
            .iter()
            .take(inside)
            .find_map(|above| self.at(above, directory, format))
            .unwrap_or_else(|| self.fallback(&above, format, repository.as_deref()));
        if site.rules().forge == ForgeRule::OnForge
            && let Some(repository) = &repository
        {
            site.roots.retain(|_| site.profile == Profile::Any);
            site.roots.push(repository.directory.clone());
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

    /// The site that `directory` is in, if `above` shows one, or the directory of a site next to its content.
    fn at(&self, above: &Path, directory: &Path, format: Option<Format>) -> Option<Site> {
        let names = self.files.names(above);
        self.shown(above, &names, directory, format).or_else(|| {
            let beside = names.iter().find(|name| *name == "website")?;
            let beside = above.join(beside);
            self.shown(&beside, &self.files.names(&beside), directory, format)
        })
    }

    fn shown(
        &self,
        above: &Path,
        names: &[String],
        directory: &Path,
        format: Option<Format>,
    ) -> Option<Site> {
        let mut profiles =
            Profile::ALL.iter().copied().filter(|profile| match self.options.profile {
                Some(only) => *profile == only,
                None => *profile != Profile::Html || format.is_some_and(Format::is_of_pages),
            });
        profiles.find_map(|profile| {
            let marker = profile
                .rules()
                .markers
                .iter()
                .find_map(|marker| self.marker(above, marker, names))?;
            self.with(profile, above, &marker, directory)
        })
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
            None => names.binary_search_by(|name| name.as_str().cmp(first)).ok().map(|_| first)?,
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
        let absolute = paths::absolute(directory);
        let is_in = |root: &PathBuf| absolute.starts_with(paths::absolute(root));
        let output = rules.outputs.iter().map(|output| joined(above, output)).find(is_in);
        if let Some(output) = output {
            return Some(Site {
                roots: vec![output.clone()],
                content: vec![output],
                ..Site::of(Profile::Html)
            });
        }
        let mut settings = match profile {
            // An index of pages that are made, which may be large.
            Profile::Html => String::new(),
            _ => settings(marker),
        };
        let parent = rules.inherits.and_then(|key| config::value(&settings, &[key]));
        let parent = parent.map(|parent| joined(above, &parent));
        if let Some(parent) = &parent {
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
        if !content.iter().any(is_in) {
            return None;
        }
        let languages = self.languages(rules.languages, above);
        let beside = content.iter().map(PathBuf::as_path).chain([above]);
        let beside = beside.flat_map(|at| rules.statics.iter().map(move |root| joined(at, root)));
        let statics: Vec<PathBuf> = beside.filter(|root| root.is_dir() || root == above).collect();
        let by_language = languages.iter().map(|(_, path)| path.clone());
        let own = version(rules.versions, directory);
        let content_roots = own.into_iter().chain(content.iter().cloned());
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
        Some(Site {
            slugs: match settings.contains("slugify:") {
                true => Slugs::Any,
                false => rules.slugs,
            },
            base: base.as_deref().map_or_else(|| "/".to_owned(), base_path),
            schemes: schemes(&settings),
            languages: languages.into_iter().map(|(name, _)| name).collect(),
            items: match rules.hooks.iter().any(|hook| has_hook(hook, above, &settings)) {
                true => ItemRule::Hooks,
                false => rules.items,
            },
            roots,
            content,
            inherited,
            ..Site::of(profile)
        })
    }

    /// The languages of a site with their directories: `content/en`.
    fn languages(&self, places: &[&str], above: &Path) -> Vec<(String, PathBuf)> {
        let is_language = |name: &String| {
            let mut parts = name.split('-');
            let first = parts.next().unwrap_or_default();
            (2..=3).contains(&first.len())
                && first.bytes().all(|byte| byte.is_ascii_lowercase())
                && parts.all(|part| part.len() <= 4)
        };
        let mut found = Vec::new();
        for place in places {
            let place = joined(above, place);
            let names = self.files.names(&place).into_iter().filter(is_language);
            let named = names.map(|name| (name.clone(), place.join(name)));
            found.extend(named.filter(|(_, path)| path.is_dir()));
        }
        // The first is the one that others fall back to.
        found.sort_by_key(|(name, _)| name != "en");
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
            let settings = text(&conf);
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
                if self.files.names(above).iter().any(|name| name == "index.html") {
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

    /// The book of a checkout, among whose pages a tool may put a document that is beside it.
    fn book(&self, above: &[PathBuf], own: Option<&Path>) -> Option<Site> {
        let inside = above.iter().position(|above| Some(above.as_path()) == own)?;
        let mut above = above.iter().take(inside + 1);
        let settings = above.find_map(|above| {
            let names = self.files.names(above);
            self.marker(above, "book.toml", &names)
        })?;
        let content = config::value(&text(&settings), &["src"]).unwrap_or_else(|| "src".to_owned());
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
            if names.iter().any(|name| name == "package.json") || own == Some(above.as_path()) {
                break;
            }
        }
        false
    }
}

/// What the settings of bundlers start with.
const BUNDLERS: [&str; 6] = [
    "parcel.config.",
    "rollup.config.",
    "rsbuild.config.",
    "rspack.config.",
    "vite.config.",
    "webpack.config.",
];

/// The directory of the version that a directory is in: `versioned_docs/version-1`.
fn version(versions: &[&str], directory: &Path) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    let mut parts = directory.components().filter(|part| *part != Component::CurDir);
    while let Some(part) = parts.next() {
        path.push(part);
        if versions.iter().any(|name| part.as_os_str() == *name) {
            path.push(parts.next()?);
            return Some(path);
        }
    }
    None
}

/// True when a site has this file, or this word after `#` in its settings.
fn has_hook(hook: &str, above: &Path, settings: &str) -> bool {
    match hook.strip_prefix('#') {
        Some(word) => settings.contains(word),
        None => joined(above, hook).is_file(),
    }
}

/// Where the settings of Sphinx are in a repository.
const CONFS: [&str; 4] =
    ["docs/conf.py", "doc/conf.py", "docs/source/conf.py", "doc/source/conf.py"];

/// The names of schemes that a `conf.py` gives a meaning.
fn schemes(settings: &str) -> Vec<String> {
    let Some((_, after)) = settings.split_once("myst_url_schemes") else {
        return Vec::new();
    };
    let block = after.split("\n\n").next().unwrap_or_default();
    let words = block.split(['"', '\'']).skip(1).step_by(2);
    words.filter(|word| !word.contains(['/', ' '])).map(str::to_owned).collect()
}

/// The settings of a marker: its text, or that of the files of settings in it.
fn settings(marker: &Path) -> String {
    if !marker.is_dir() {
        return text(marker);
    }
    let mut files: Vec<PathBuf> =
        fs::read_dir(marker).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.retain(|file| {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        ["config", "hugo", "languages", "params"].iter().any(|name| stem.starts_with(name))
    });
    files.iter().map(|file| text(file) + "\n").collect()
}

/// The text of a small file.
pub(super) fn text(path: &Path) -> String {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.len() <= LARGEST => {
            fs::read(path).map(|bytes| lossy(&bytes).into_owned()).unwrap_or_default()
        }
        _ => String::new(),
    }
}

fn joined(directory: &Path, path: &str) -> PathBuf {
    let mut joined = directory.to_path_buf();
    for part in Path::new(path.trim_start_matches('/')).components() {
        match part {
            Component::Normal(name) => joined.push(name),
            Component::ParentDir => paths::up(&mut joined),
            _ => {}
        }
    }
    joined
}

/// The directory and those above it, nearest first, named as it is: `a/b`, `a`, ``, `..`.
fn above(directory: &Path) -> Vec<PathBuf> {
    let absolute = paths::absolute(directory);
    let depth = absolute.components().filter(|part| matches!(part, Component::Normal(_))).count();
    let mut clean: PathBuf =
        directory.components().filter(|part| *part != Component::CurDir).collect();
    let mut all = Vec::new();
    for _ in 0..=depth.min(MOST_ABOVE) {
        all.push(clean.clone());
        match clean.components().next_back() {
            Some(Component::Normal(_)) => drop(clean.pop()),
            Some(Component::RootDir | Component::Prefix(_)) => break,
            _ => clean.push(".."),
        }
    }
    all
}

/// The checkout whose directory this is.
fn repository(directory: &Path) -> Option<Repository> {
    let entry = directory.join(".git");
    let metadata = fs::metadata(&entry).ok()?;
    let own = match metadata.is_dir() {
        true => entry,
        // a worktree or a submodule
        false => directory.join(text(&entry).strip_prefix("gitdir:")?.trim()),
    };
    let common = match text(&own.join("commondir")).trim() {
        "" => own.clone(),
        common => own.join(common),
    };
    let config = text(&common.join("config"));
    let head = text(&own.join("HEAD"));
    let origin = text(&common.join("refs/remotes/origin/HEAD"));
    let branches = [
        head.strip_prefix("ref: refs/heads/").map(str::trim),
        origin.strip_prefix("ref: refs/remotes/origin/").map(str::trim),
        // Forges lead from the old name of a branch to the new one.
        Some("HEAD"),
        Some("main"),
        Some("master"),
    ];
    let remotes = config::values(&config, "url");
    Some(Repository::new(
        directory,
        remotes.iter().map(String::as_str),
        branches.into_iter().flatten(),
    ))
}
