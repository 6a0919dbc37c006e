//! Pages of a site whose addresses differ from their paths, and redirects: [`SitePages`].
//!
//! Front matter sets addresses, and so do names with numbers, dates, or spaces. Addresses are
//! compared by key: without extension, surrounding slashes, or index name, and in lower case if the
//! site uses that.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::ThreadPool;

use super::addresses::{AddressSettings, CollectionAddress, PageAddresses};
use super::key::{EXTENSIONS, is_dated, is_index, is_page, is_part, key, stem};
use super::patterns::AddressPatterns;
use super::redirects::SiteRedirect;
use super::templated::TemplatedAddress;
use super::{SitePage, generated, permalinks, redirects};
use crate::audit::sites::address_bounds::{filled_in, is_bounded};
use crate::audit::sites::discovery::{DirectoryLister, settings_of, text, values};
use crate::audit::sites::rules::{
    IndexRule, NameRule, ResourceRule, UnderscoredIndex, UnresolvedLinks,
};
use crate::audit::sites::{Profile, Site};
use crate::audit::{Overlay, Spellings};
use crate::hash::{HashMap, HashSet};

/// Settings of MyST's own engine. MyST-Parser finds headings of the same document only.
const MYST: &str = "myst.yml";

/// Most patterns of addresses of posts: each post gets an address by each of them.
const MAX_STARTS: usize = 64;

/// Fewest letters that two labels have in common, if one may be meant by the other.
const LEAST_COMMON: usize = 6;

/// Addresses of a site, in addition to the paths of its files.
#[derive(Debug, Default)]
pub struct SitePages {
    /// Addresses of files and of redirects.
    known: PageAddresses,
    /// Redirect patterns, and everything below paths that a generator creates.
    patterns: AddressPatterns,
    /// Set if the address of each page is its path. Then pages are looked up one by one instead of
    /// read in advance.
    by_name: Option<Box<Site>>,
    /// All pages, read on demand for addresses with a date.
    walked: OnceLock<HashMap<String, SitePage>>,
    /// Spellings of labels, built on demand.
    label_spellings: OnceLock<Spellings>,
    /// Spellings of the terms of glossaries, built on demand.
    term_spellings: OnceLock<Spellings>,
    /// The labels in the order of their letters, built on demand.
    sorted_labels: OnceLock<Vec<String>>,
    /// Spellings of ids, built on demand.
    cross_spellings: OnceLock<Spellings>,
    /// The first names of addresses that have more, found on demand.
    first_names: OnceLock<HashSet<String>>,
}

impl SitePages {
    /// Reads the files of a site with the help of a pool, unless pages can be looked up by name.
    pub fn read(
        site: &Site,
        files: &dyn DirectoryLister,
        overlay: Overlay,
        pool: Option<&ThreadPool>,
    ) -> Self {
        let mut this = Self::default();
        let settings = AddressSettings { overlay, ..settings(site) };
        // Walking a whole checkout takes longer than looking for a few pages.
        if are_by_name(site, &settings) {
            this.by_name = Some(Box::new(site.clone()))
        } else {
            this.known = PageAddresses::read(site, &settings, files, pool)
        }
        let base = site.base.trim_end_matches('/');
        for redirect in redirects::read(site) {
            let from = redirect.from.strip_prefix(base).unwrap_or(&redirect.from).to_owned();
            this.patterns.add(&SiteRedirect { from, ..redirect }, site.rules().names);
        }
        for address in generated::addresses(site, files) {
            if let Some(above) = address.strip_suffix(generated::BELOW) {
                this.patterns.add_below(above.trim_start_matches('/'));
                continue;
            }
            this.add_elsewhere(key(&address, site.rules().names));
        }
        for address in std::mem::take(&mut this.known.templated) {
            match address {
                TemplatedAddress::Below(start) => this.patterns.add_pages_below(&start),
                TemplatedAddress::Pattern(pattern) => this.patterns.add_generated(&pattern),
                TemplatedAddress::Known(_) => {}
            }
        }
        for posts in site.rules().posts {
            this.add_elsewhere((*posts).to_owned());
        }
        for generated in site.rules().generated {
            this.add_elsewhere((*generated).to_owned());
            this.patterns.add_below(generated);
        }
        for mount in site.mounts.iter() {
            let (posts, lists) = lists_of(site, &mount.source, &mount.target);
            lists.iter().for_each(|list| this.patterns.add_below(list));
            posts.into_iter().chain(lists).for_each(|list| this.add_elsewhere(list));
        }
        this
    }

    fn add_elsewhere(&mut self, key: String) {
        self.known.pages.entry(key).or_insert(SitePage::Elsewhere);
    }

    /// Returns the number of known addresses and labels.
    pub fn len(&self) -> usize {
        self.known.len() + self.patterns.len()
    }

    /// Returns the page at an address or at a path below one of the roots.
    pub fn at(&self, site: &Site, files: &dyn DirectoryLister, address: &str) -> Option<SitePage> {
        let key = key(address, site.rules().names);
        let name = key.rsplit('/').next().unwrap_or_default();
        if name.contains('.') && site.rules().generated.contains(&name) {
            return Some(SitePage::Elsewhere);
        }
        let found = self
            .by_name(files, &key)
            .or_else(|| self.known.pages.get(&key).cloned())
            .or_else(|| self.patterns.at(&key, address));
        found.filter(|page| match page {
            SitePage::File(path) => {
                !is_of_no_directory(site, address) && !is_other_source(site, address, path)
            }
            _ => true,
        })
    }

    /// Returns the page whose path has this key, if addresses equal paths. The first page in the
    /// order of a walk wins.
    fn by_name(&self, files: &dyn DirectoryLister, key: &str) -> Option<SitePage> {
        let site = self.by_name.as_ref()?;
        // The address `2020/01/02/title` does not show in which directory `2020-01-02-title.md` is,
        // so only a walk finds the file.
        if is_dated(key) {
            let walked = self.walked.get_or_init(|| {
                PageAddresses::read(site, &AddressSettings::default(), files, None).pages
            });
            return walked.get(key).cloned();
        }
        site.content.iter().rev().find_map(|root| named(root, key, files)).map(SitePage::File)
    }

    /// True for a label that every document of the site may refer to.
    pub fn has_label(&self, label: &str) -> bool {
        let labels = &self.known.labels;
        // Sphinx folds the case of labels.
        labels.contains(label) || labels.contains(&label.to_lowercase())
    }

    /// Returns the label that this one is most likely a typo of, or an older form of.
    pub fn nearest_label(&self, label: &str) -> Option<&str> {
        self.label_spellings
            .get_or_init(|| spellings(&self.known.labels))
            .nearest(label)
            .or_else(|| self.label_that_starts_like(label))
    }

    /// Returns the label that has most of its first letters in common with this one: names of
    /// sections usually change at their end.
    fn label_that_starts_like(&self, label: &str) -> Option<&str> {
        let sorted = self.sorted_labels.get_or_init(|| {
            let mut labels: Vec<String> = self.known.labels.iter().cloned().collect();
            labels.sort_unstable();
            labels
        });
        let common = |other: &String| {
            label.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
        };
        // In a sorted list, the label with the longest common start is next to this one.
        let at = sorted.partition_point(|it| it.as_str() < label);
        let beside = sorted.get(at.saturating_sub(1)..).unwrap_or_default().iter().take(2);
        let nearest = beside.max_by_key(|it| common(it))?;
        let is_alike = common(nearest) >= LEAST_COMMON
            && 3 * common(nearest) >= 2 * label.len().max(nearest.len());
        is_alike.then_some(nearest)
    }

    /// Returns the term that this one is most likely a typo of.
    pub fn nearest_term(&self, term: &str) -> Option<&str> {
        self.term_spellings.get_or_init(|| spellings(self.known.glossary.terms())).nearest(term)
    }

    /// True if the glossaries of the site are known, and none has this term.
    pub fn lacks_term(&self, term: &str) -> bool {
        self.known.glossary.lacks(term)
    }

    /// True if the site has a glossary.
    pub fn has_glossary(&self) -> bool {
        self.known.glossary.is_there()
    }

    /// True for an id that cross-references of all documents may name.
    pub fn has_cross_id(&self, id: &str) -> bool {
        self.known.cross_ids.contains(id)
    }

    /// Returns the id that this one is most likely a typo of.
    pub fn nearest_cross_id(&self, id: &str) -> Option<&str> {
        self.cross_spellings.get_or_init(|| spellings(&self.known.cross_ids)).nearest(id)
    }

    /// True for a heading that every document of the site may refer to.
    pub fn has_heading(&self, anchor: &str) -> bool {
        self.known.headings.contains(anchor)
    }

    /// True if addresses of pages start with this name.
    pub fn has_below(&self, first: &str) -> bool {
        let names = self.first_names.get_or_init(|| {
            let names = self.known.pages.keys().filter_map(|key| Some(key.split_once('/')?.0));
            names.map(str::to_owned).collect()
        });
        names.contains(first)
    }

    /// True for the name of a page.
    pub fn has_name(&self, name: &str) -> bool {
        self.known.names.contains(name)
    }
}

/// Returns the path of the list of posts and those of other lists, with more below them, which the
/// generator makes for a directory that is shown at another path: `blog/tags` is `posts/tags`.
fn lists_of(site: &Site, source: &Path, target: &Path) -> (Option<String>, Vec<String>) {
    let rules = site.rules();
    let name = source.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let Some(target) = target.to_str().filter(|it| !it.is_empty() && !name.is_empty()) else {
        return (None, Vec::new());
    };
    let posts = rules.posts.contains(&name).then(|| target.to_owned());
    let lists = rules.generated.iter().filter_map(|it| it.strip_prefix(name));
    let lists = lists.filter(|it| it.starts_with('/')).map(|it| format!("{target}{it}"));
    (posts, lists.collect())
}

/// True for `a.html` and `a/index` in MkDocs, which writes `a/index.html` for `a.md`, unless its
/// addresses are files (`use_directory_urls`).
fn is_of_no_directory(site: &Site, address: &str) -> bool {
    let name = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    site.profile == Profile::Mkdocs
        && !site.is_flat
        && (name == "index" || name.ends_with(".html") && name != "index.html")
}

fn spellings(names: &HashSet<String>) -> Spellings {
    let mut names: Vec<&String> = names.iter().collect();
    // Of two names that are equally near, each run must name the same.
    names.sort_unstable();
    Spellings::new(names)
}

fn settings(site: &Site) -> AddressSettings {
    let mut found = AddressSettings::default();
    let of_content = site.content.iter().map(|root| root.join("_config.yml"));
    // The content may be below them, and they may have another name.
    let own = site.rules().command.map(|_| site.settings.clone());
    let own = own.filter(|own| !of_content.clone().any(|it| it == *own));
    for settings in of_content.clone().chain(own).map(|file| text(&file)) {
        found.posts.extend(posts(&settings));
        found.undated_posts.extend(undated_posts(&of_all(&settings)));
        found.collections.extend(collections(&settings));
        let keys = site.rules().category_keys.iter();
        let named = keys.flat_map(|key| values(&settings, key));
        // `/categories/:name/` is the address of a list (jekyll-archives).
        found.categories.extend(named.filter(|it| !it.contains(['/', ':'])));
        let is_undated = |it: &String| it.contains(":categories") && !it.contains(":year");
        found.has_undated_categories |= values(&settings, "permalink").iter().any(is_undated);
        let mut permalinks = values(&of_all(&settings), "permalink").into_iter();
        found.has_bare_collections |=
            permalinks.any(|it| it.contains(":path") && !it.contains(":collection"));
    }
    for starts in [&mut found.posts, &mut found.undated_posts, &mut found.categories] {
        let mut seen = HashSet::default();
        starts.retain(|start| is_bounded(start) && seen.insert(start.clone()));
        starts.truncate(MAX_STARTS);
    }
    if !site.rules().version_directories.is_empty() {
        found.last_version = last_version(site);
    }
    if site.rules().title_table.is_some() {
        found.permalinks = permalinks::read(&settings_of(&site.settings));
    }
    found.has_nbdev = site.profile == Profile::Quarto && has_nbdev(site);
    found.has_common_headings = site.content.iter().any(|root| root.join(MYST).is_file());
    found
}

/// True if the settings of nbdev are around those of Quarto.
fn has_nbdev(site: &Site) -> bool {
    let Some(directory) = site.directory_of_settings() else { return false };
    let mut around = [Some(directory), directory.parent()].into_iter().flatten();
    around.any(|above| {
        text(&above.join("settings.ini")).contains("nbs_path")
            || text(&above.join("pyproject.toml")).contains("[tool.nbdev]")
    })
}

/// Returns the version that the settings call the last one, or the first of `versions.json`
/// (Docusaurus, "Versioning").
fn last_version(site: &Site) -> Option<String> {
    let named = values(&text(&site.settings), "lastVersion").into_iter().next();
    let directory = site.directory_of_settings()?;
    match named.as_deref() {
        // The version without a release is mounted as the next one.
        Some("current") => Some("next".to_owned()),
        Some(_) => named,
        None => Some(text(&directory.join("versions.json")).split('"').nth(1)?.to_owned()),
    }
}

/// Returns the settings without the `defaults` of single directories.
fn of_all(settings: &str) -> String {
    let (mut kept, mut is_of_one) = (String::with_capacity(settings.len()), false);
    for line in settings.lines() {
        let text = line.trim_start().trim_start_matches("- ");
        if text.starts_with("scope:") || line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            is_of_one = false;
        } else if let Some(path) = text.strip_prefix("path:") {
            is_of_one = !path.trim().trim_matches(['"', '\'']).is_empty();
        }
        if !is_of_one {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// True for the path of a source, such as `a/index.ipynb`, to which only the address `a/` fits, as
/// that of `a.md`: no page of another name has the address of a source.
fn is_other_source(site: &Site, address: &str, page: &Path) -> bool {
    let name = address.rsplit('/').next().unwrap_or_default();
    let own = stem(name);
    let is_page = |path: &str| path.ends_with(".html") || path.ends_with(".htm");
    let found = page.file_name().and_then(OsStr::to_str).unwrap_or_default();
    // `_index.md` is the index of a directory to a few generators, but only Hugo finds it for
    // `index.md`.
    let is_other = |found: &str| {
        !is_index(found)
            || found == "_index"
                && own != "_index"
                && site.rules().underscored_index == UnderscoredIndex::OtherName
    };
    own.len() < name.len() && is_index(own) && !is_page(name) && is_other(stem(found))
}

/// True if the address of each page is its path, except for the extension and the index name.
fn are_by_name(site: &Site, settings: &AddressSettings) -> bool {
    let rules = site.rules();
    rules.names == NameRule::Exact
        && rules.address_keys.is_empty()
        && rules.index == IndexRule::Named
        && rules.resources == ResourceRule::None
        && site.unresolved != UnresolvedLinks::Sphinx
        && !site.is_guessed()
        && site.mounts.is_empty()
        && settings.posts.is_empty()
        && !settings.has_bare_collections
}

/// Returns the first page below a directory whose path has this key: a file with the last name, or
/// the index of such a directory.
fn named(root: &Path, key: &str, files: &dyn DirectoryLister) -> Option<PathBuf> {
    let is_file = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|it| it.is_file());
    let mut directory = root.to_path_buf();
    let mut names = key.split('/').filter(|name| !name.is_empty()).peekable();
    while let Some(name) = names.next() {
        if names.peek().is_none() && !is_index(name) && !is_part(name) {
            let listed = files.names(&directory);
            let is_there = |page: &String| listed.binary_search(page).is_ok();
            let mut pages: Vec<String> =
                EXTENSIONS.iter().map(|it| format!("{name}{it}")).filter(is_there).collect();
            pages.sort_unstable();
            let page = pages.into_iter().map(|page| directory.join(page)).find(is_file);
            if page.is_some() {
                return page;
            }
        }
        // Generators leave these directories out, so that no page is in them.
        let is_entered = !name.starts_with('.') && name != "node_modules";
        if !is_entered || !files.has_directory(&directory, name) {
            return None;
        }
        directory.push(name);
    }
    let listed = files.names(&directory);
    let is_own = |name: &&String| is_page(name) && !is_part(name) && is_index(stem(name));
    listed.iter().filter(is_own).map(|name| directory.join(name)).find(is_file)
}

/// Returns the pattern of the addresses of posts, `permalink: /news/:year/:month/:day/:title/`.
fn posts(settings: &str) -> Option<String> {
    let mut permalinks =
        settings.lines().filter_map(|line| line.trim_start().strip_prefix("permalink:"));
    let pattern = permalinks.find(|line| line.contains(":year"))?;
    let pattern = pattern.split(" #").next()?.trim().trim_matches(['"', '\'', '/']);
    // Without another start, these are the usual addresses.
    let is_usual = pattern.starts_with(":year/:month/:day/:title");
    (!is_usual).then(|| pattern.to_owned())
}

/// Returns the part before the title in `permalink: /news/:title/`.
fn undated_posts(settings: &str) -> Vec<String> {
    let permalinks = values(settings, "permalink").into_iter();
    let starts = permalinks.filter_map(|pattern| {
        let (start, rest) = pattern.split_once("/:title")?;
        let is_whole = !start.contains(':') && matches!(rest, "" | "/" | ".html" | "/index.html");
        is_whole.then(|| start.trim_matches('/').to_owned())
    });
    starts.collect()
}

/// Returns the collections whose pages have addresses of their own: `permalink: /docs/2.x/:path`
/// below its name (Jekyll, "Permalinks").
fn collections(settings: &str) -> Vec<CollectionAddress> {
    let mut found = Vec::new();
    let (mut is_inside, mut names_at, mut name) = (false, None, "");
    for line in settings.lines() {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        if indent == 0 {
            (is_inside, names_at) = (text.starts_with("collections:"), None);
        } else if is_inside && indent == *names_at.get_or_insert(indent) {
            name = text.trim_end_matches(':').trim_matches(['"', '\'']);
        } else if is_inside && let Some(pattern) = text.strip_prefix("permalink:") {
            let pattern = pattern.trim().trim_matches(['"', '\'']);
            let ends = ["/:path", "/:name", "/:title", "/:slug"];
            let Some(end) = ends.iter().filter_map(|end| pattern.find(end)).min() else { continue };
            let start = pattern.get(..end).unwrap_or_default();
            let Some(start) = filled_in(start, ":collection", name) else { continue };
            if !start.contains(':') && found.len() < MAX_STARTS {
                let start = start.trim_matches('/').to_owned();
                found.push(CollectionAddress { directory: format!("_{name}"), start });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::audit::sites::NamedKind;
    use crate::search::shared_pool;

    /// The file system without caches.
    struct Plain;

    impl DirectoryLister for Plain {
        fn names(&self, directory: &Path) -> Arc<Vec<String>> {
            let listed = fs::read_dir(directory).into_iter().flatten().flatten();
            let mut names: Vec<String> =
                listed.filter_map(|entry| entry.file_name().into_string().ok()).collect();
            names.sort_unstable();
            Arc::new(names)
        }

        fn entries(&self, directory: &Path) -> Vec<(String, NamedKind)> {
            let kind = |name: &String| match fs::symlink_metadata(directory.join(name)).ok()? {
                it if it.is_dir() => Some(NamedKind::Directory),
                it if it.is_file() => Some(NamedKind::File),
                _ => None,
            };
            let names = self.names(directory);
            names.iter().filter_map(|name| Some((name.clone(), kind(name)?))).collect()
        }

        fn has_directory(&self, directory: &Path, name: &str) -> bool {
            fs::symlink_metadata(directory.join(name)).is_ok_and(|it| it.is_dir())
        }

        fn text(&self, path: &Path) -> Arc<String> {
            Arc::new(fs::read_to_string(path).unwrap_or_default())
        }

        fn named(&self, _checkout: Option<&Path>, _name: &str) -> Arc<[PathBuf]> {
            Arc::default()
        }
    }

    /// The naive twin reads all files in advance.
    #[test]
    fn pages_by_name_are_those_of_a_walk() {
        let root = std::env::temp_dir().join(format!("urigrep-pages-{}", std::process::id()));
        let files = [
            "README.md",
            "a.md",
            "a.html",
            "a/index.md",
            "a/README.html",
            "a/b/_index.md",
            "a/b/_c.md",
            "a/b/c.md.html",
            "a/b/index.rst/d.md",
            "a/b/readme/e.md",
            "_d/f.md",
            ".g/h.md",
            "node_modules/i.md",
            "a/.md",
            "j/k.txt",
            "2020-01-02-l.md",
            "a/2020-01-03-index.md",
            "m/Index.HTML",
            "m/ReadMe.md",
            "n.md/o.md",
            "a.markdown",
        ];
        for file in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let site = Site {
            content: vec![root.join("a"), root.clone()],
            ..Site::for_profile(Profile::Rustdoc)
        };
        let pages = SitePages::read(&site, &Plain, Overlay::default(), None);
        assert!(pages.by_name.is_some());
        let walked = PageAddresses::read(
            &site,
            &AddressSettings::default(),
            &Plain,
            shared_pool(1).as_deref(),
        );
        let extra = [
            "",
            "x",
            "a/x",
            "j",
            "j/k",
            "g",
            ".g/h",
            "a/b/c.md",
            "2020/01/02",
            "2020/01/02/x",
            "index/index",
            "../a",
        ];
        let asked =
            files.iter().flat_map(|file| [*file, stem(file), file.trim_end_matches("/index.md")]);
        for address in asked.chain(extra) {
            let expected = walked.pages.get(&key(address, NameRule::Exact)).cloned();
            // The walk knows addresses, not whether a link writes that of a source.
            let expected = expected.filter(|page| match page {
                SitePage::File(path) => !is_other_source(&site, address, path),
                _ => true,
            });
            assert_eq!(pages.at(&site, &Plain, address), expected, "{address}");
        }
        assert!(walked.pages.len() > 12);
        fs::remove_dir_all(&root).unwrap();
    }
}
