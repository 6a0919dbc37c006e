//! Pages of a site whose addresses are not their paths, and what its redirects know: [`SitePages`].
//!
//! Front matter gives addresses, and so do names with numbers, dates or spaces. An address is known by its key: in lower
//! case where the site has it so, without extension, slashes around it, or the name of an index.

use std::borrow::Cow;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::config::{front_matter, has_fence, values};
use super::places::text;
use super::{IndexRule, ItemRule, NameRule, NamedKind, Names, Profile, Site, SitePage};
use crate::audit::hash::{HashMap, HashSet};
use crate::audit::slug::SlugRule;
use crate::audit::{explicit, paths};
use crate::percent;
use crate::slice::{SliceExt, lossy};

/// So many files of a site are looked at.
const MOST: usize = 200_000;
/// So much of a file is read for its front matter.
const HEAD: u64 = 16 << 10;
/// The settings of MyST's own engine; MyST-Parser looks in the document alone for a heading.
const MYST: &str = "myst.yml";
/// Most are no longer.
const MOST_FRONTS: u64 = 2 << 10;

/// The addresses that a site has, beyond the paths of its files.
#[derive(Debug, Default)]
pub struct SitePages {
    pages: HashMap<String, SitePage>,
    /// What redirects with a `*` start with.
    prefixes: Vec<String>,
    /// True where the directory of a collection is not in the addresses of its pages.
    has_bare_collections: bool,
    /// True where `#heading` finds those of other documents.
    has_common_headings: bool,
    /// What the addresses of posts start with.
    posts: Vec<String>,
    /// Labels that are known everywhere (MyST).
    labels: HashSet<String>,
    /// The anchors of headings that are.
    headings: HashSet<String>,
    /// Names of pages, where nobody knows what their addresses are.
    names: HashSet<String>,
    /// The site where the address of each page is its path: its pages are looked for one by one.
    by_name: Option<Box<Site>>,
    /// All its pages, for addresses that may come from dates in names.
    walked: OnceLock<HashMap<String, SitePage>>,
}

impl SitePages {
    pub fn read(site: &Site, files: &dyn Names) -> Self {
        let mut this = Self::default();
        this.settings(site);
        // To walk a whole checkout takes longer than to look for a few pages.
        match this.are_by_name(site) {
            true => this.by_name = Some(Box::new(site.clone())),
            false => this.walk(site, files),
        }
        this.redirects(site);
        for posts in site.rules().posts {
            this.pages.entry((*posts).to_owned()).or_insert(SitePage::Elsewhere);
        }
        for made in site.rules().made {
            this.pages.entry((*made).to_owned()).or_insert(SitePage::Elsewhere);
            this.prefixes.push(format!("{made}/"));
        }
        this
    }

    fn settings(&mut self, site: &Site) {
        let settings = site.content.iter().map(|root| text(&root.join("_config.yml")));
        for settings in settings {
            self.posts.extend(posts(&settings));
            let mut permalinks = values(&settings, "permalink").into_iter();
            self.has_bare_collections |=
                permalinks.any(|it| it.contains(":path") && !it.contains(":collection"));
        }
        self.has_common_headings = site.content.iter().any(|root| root.join(MYST).is_file());
    }

    /// True where the address of each page is its path, but for its extension and the name of an index.
    fn are_by_name(&self, site: &Site) -> bool {
        let rules = site.rules();
        rules.names == NameRule::Exact
            && rules.addresses.is_empty()
            && rules.index == IndexRule::Named
            && site.items != ItemRule::Sphinx
            && site.profile != Profile::Any
            && site.mounts.is_empty()
            && self.posts.is_empty()
            && !self.has_bare_collections
    }

    /// Looks at all files of a site.
    fn walk(&mut self, site: &Site, files: &dyn Names) {
        let mut pending: Vec<(PathBuf, PathBuf)> =
            site.content.iter().map(|root| (root.clone(), PathBuf::new())).collect();
        let mounts = site.mounts.iter().filter(|mount| !mount.target.as_os_str().is_empty());
        pending.extend(mounts.map(|mount| (mount.source.clone(), mount.target.clone())));
        let mut looked_at = 0;
        while let Some((directory, below)) = pending.pop() {
            for (name, kind) in files.entries(&directory) {
                let here = || [paths::join(&directory, &name), paths::join(&below, &name)];
                match kind {
                    NamedKind::Directory if !name.starts_with('.') && name != "node_modules" => {
                        pending.push(here().into());
                    }
                    NamedKind::File if is_page(&name) && !is_part(&name) && looked_at < MOST => {
                        looked_at += 1;
                        let [path, below] = here();
                        self.page(site, &path, &below);
                    }
                    _ => {}
                }
            }
        }
    }

    /// How many addresses and labels are known.
    pub fn len(&self) -> usize {
        self.pages.len() + self.labels.len() + self.headings.len() + self.names.len()
    }

    /// What is at a path below one of the roots, or at an address.
    pub fn at(&self, site: &Site, files: &dyn Names, address: &str) -> Option<SitePage> {
        let key = key(address, site.rules().names);
        let name = key.rsplit('/').next().unwrap_or_default();
        if name.contains('.') && site.rules().made.contains(&name) {
            return Some(SitePage::Elsewhere);
        }
        let is_known = |prefix: &&String| key.starts_with(prefix.as_str());
        self.by_name(files, &key)
            .or_else(|| self.pages.get(&key).cloned())
            .or_else(|| self.prefixes.iter().find(is_known).map(|_| SitePage::Elsewhere))
    }

    /// The page whose path has this key, where the address of each page is its path: what a walk comes to first.
    fn by_name(&self, files: &dyn Names, key: &str) -> Option<SitePage> {
        let site = self.by_name.as_ref()?;
        if is_dated(key) {
            let walked = self.walked.get_or_init(|| {
                let mut walked = Self::default();
                walked.walk(site, files);
                walked.pages
            });
            return walked.get(key).cloned();
        }
        site.content.iter().rev().find_map(|root| named(root, key, files)).map(SitePage::File)
    }

    /// True for a label that is known in all documents of the site.
    pub fn has_label(&self, label: &str) -> bool {
        self.labels.contains(label) || self.labels.contains(&label.to_lowercase())
    }

    /// True for a heading that is.
    pub fn has_heading(&self, anchor: &str) -> bool {
        self.headings.contains(anchor)
    }

    /// True for the name of a page.
    pub fn has_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    fn page(&mut self, site: &Site, path: &Path, below: &Path) {
        let names = site.rules().names;
        let below = below.to_string_lossy();
        let own = key(&below, names);
        if site.profile == Profile::Any {
            let name = own.rsplit('/').next().unwrap_or_default();
            self.names.extend([name.to_owned(), slugged(name).into_owned()]);
        }
        if site.items == ItemRule::Sphinx {
            let text = text(path);
            self.labels.extend(explicit::labels(&text));
            if let Some(front) = front_matter(text.as_bytes()) {
                self.labels.extend(values(&front, "label"));
            }
            if self.has_common_headings {
                let titles = explicit::titles(&text);
                for rule in SlugRule::of(site.slugs) {
                    self.headings.extend(rule.anchors(titles.iter().map(String::as_str)));
                }
            }
            explicit::ids(&text, &mut |id, _| {
                self.labels.insert(id.to_owned());
                // MyST makes ids of labels: `a:b` is `a-b` in the page
                if id.contains([':', '_', '.', ' ']) {
                    self.labels.insert(id.to_lowercase().replace([':', '_', '.', ' '], "-"));
                }
            });
        }
        self.add(&own, path);
        if self.has_bare_collections
            && below.starts_with('_')
            && let Some((_, inside)) = below.split_once('/')
        {
            self.add(&key(inside, names), path);
        }
        if site.rules().index == IndexRule::LikeDirectory
            && let Some((directory, name)) = own.rsplit_once('/')
            && directory.rsplit('/').next() == Some(name)
        {
            self.add(directory, path);
        }
        if let Some(dated) = dated(&own_name(&below)) {
            self.add(&key(&dated, names), path);
            for start in &self.posts.clone() {
                self.add(&key(&format!("{start}/{dated}"), names), path);
            }
        }
        if site.rules().addresses.is_empty() {
            return;
        }
        let Some(front) = front(path) else { return };
        let around = own.rsplit_once('/').map_or("", |(section, _)| section).to_owned();
        let is_index =
            ["index.", "_index.", "README."].iter().any(|it| own_name(&below).starts_with(it));
        let section = if is_index { own.clone() } else { around.clone() };
        for address in site.rules().addresses {
            for value in values(&front, address) {
                let is_rooted = value.starts_with('/');
                self.add(&key(&value, names), path);
                if !is_rooted {
                    self.add(&key(&format!("{around}/{value}"), names), path);
                    self.add(&key(&format!("{section}/{value}"), names), path);
                }
            }
        }
    }

    fn add(&mut self, key: &str, path: &Path) {
        self.pages.entry(key.to_owned()).or_insert_with(|| SitePage::File(path.to_path_buf()));
    }

    /// What `_redirects`, `netlify.toml` and the settings of generators lead elsewhere.
    fn redirects(&mut self, site: &Site) {
        let mut from: Vec<String> = Vec::new();
        let mut directories: Vec<PathBuf> = Vec::new();
        for root in &site.roots {
            directories.extend([root.clone(), root.join("..")]);
        }
        for directory in directories {
            for line in text(&directory.join("_redirects")).lines() {
                let mut words = line.split_whitespace();
                from.extend(words.next().filter(|word| word.starts_with('/')).map(str::to_owned));
            }
            from.extend(values(&text(&directory.join("netlify.toml")), "from"));
            from.extend(values(&text(&directory.join("vercel.json")), "source"));
            from.extend(table(&text(&directory.join("book.toml")), "output.html.redirect"));
            from.extend(table(&text(&directory.join("mkdocs.yml")), "redirect_maps"));
        }
        for address in from {
            let address = address
                .strip_prefix(site.base.trim_end_matches('/'))
                .unwrap_or(&address)
                .to_owned();
            match address.split_once(['*', ':']) {
                Some((start, _)) => {
                    let start = start.trim_matches('/').to_lowercase();
                    if !start.is_empty() {
                        self.prefixes.push(format!("{start}/"));
                        self.pages.entry(start).or_insert(SitePage::Elsewhere);
                    }
                }
                None => {
                    let key = key(&address, site.rules().names);
                    self.pages.entry(key).or_insert(SitePage::Elsewhere);
                }
            }
        }
    }
}

/// The first page below a directory whose path has this key: it is in the directory of its last name, or the index of one
/// of that name.
fn named(root: &Path, key: &str, files: &dyn Names) -> Option<PathBuf> {
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

/// The name of a file without the extension of a page.
fn stem(name: &str) -> &str {
    EXTENSIONS.iter().find_map(|extension| name.strip_suffix(extension)).unwrap_or(name)
}

/// True for the page of its directory.
fn is_index(stem: &str) -> bool {
    ["index", "_index", "readme", ""].iter().any(|index| stem.eq_ignore_ascii_case(index))
}

/// True for what may come from a date in a name: `2020/01/02/title`.
fn is_dated(key: &str) -> bool {
    let mut names = key.split('/');
    [4, 2, 2].iter().all(|&length| {
        names.next().is_some_and(|it| it.len() == length && it.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// The keys of a table whose keys are quoted paths: `"/a.html" = "b.html"`, `'a.md': 'b.md'`.
fn table(text: &str, name: &str) -> Vec<String> {
    let Some((_, after)) = text.split_once(name) else {
        return Vec::new();
    };
    let quoted = |line: &str| {
        let line = line.trim();
        let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
        match quote {
            Some(quote) => line.get(1..)?.split(quote).next().map(str::to_owned),
            None => line.split_once(".md:").map(|(name, _)| format!("{name}.md")),
        }
    };
    let lines = after.lines().skip(1).filter(|line| !line.trim().is_empty());
    lines.map_while(quoted).collect()
}

/// The key of an address or a path.
fn key(address: &str, names: NameRule) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let decoded = percent::decode(path);
    let decoded = lossy(&decoded);
    let mut key = String::with_capacity(decoded.len());
    // Where each part starts; there is a slash before all but the first.
    let mut starts: Vec<usize> = Vec::new();
    for part in decoded.split('/') {
        match part {
            "" | "." => continue,
            ".." => {
                key.truncate(starts.pop().unwrap_or(0));
                continue;
            }
            _ => {}
        }
        starts.push(key.len());
        if !key.is_empty() {
            key.push('/');
        }
        match names {
            NameRule::Slugged => key.push_str(&slugged(part)),
            _ => key.push_str(part),
        }
    }
    let last = starts.last().copied().unwrap_or(0);
    key.truncate(stem(&key).len().max(last));
    let name = key.clamped(last..);
    if is_index(name.strip_prefix('/').unwrap_or(name)) {
        key.truncate(last);
    }
    key
}

const EXTENSIONS: [&str; 9] =
    [".md", ".mdx", ".markdown", ".html", ".htm", ".adoc", ".rst", ".ipynb", ".astro"];

fn is_page(name: &str) -> bool {
    EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// True for `_part.mdx`, of which generators make no page.
fn is_part(name: &str) -> bool {
    name.starts_with('_') && !name.starts_with("_index.")
}

/// In lower case, hyphens for spaces, and without a number in front: `01-Intro` is `intro`.
fn slugged(name: &str) -> Cow<'_, str> {
    let is_slug =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte);
    if name.bytes().all(is_slug) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
    // `_docs` is a collection of Jekyll.
    let name = name.strip_prefix('_').unwrap_or(name);
    let lower = name.to_lowercase().replace([' ', '_'], "-");
    let digits = lower.bytes().take_while(u8::is_ascii_digit).count();
    let rest = lower.clamped(digits..).trim_start_matches(' ');
    match rest.strip_prefix(['-', '.']) {
        Some(rest)
            if digits > 0
                && !rest.starts_with(|c: char| c.is_ascii_digit())
                && !rest.is_empty() =>
        {
            Cow::Owned(rest.to_owned())
        }
        _ => Cow::Owned(lower),
    }
}

fn own_name(below: &str) -> String {
    below.rsplit('/').next().unwrap_or_default().to_owned()
}

/// `2020/01/02/title` of `2020-01-02-title.md`.
fn dated(name: &str) -> Option<String> {
    let mut parts = name.splitn(4, '-');
    let mut number = |length: usize| {
        parts.next().filter(|part| part.len() == length && part.bytes().all(|b| b.is_ascii_digit()))
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    Some(format!("{year}/{month}/{day}/{}", parts.next()?))
}

/// What comes before the date in `permalink: /news/:year/:month/:day/:title/`.
fn posts(settings: &str) -> Option<String> {
    let permalinks =
        settings.lines().filter_map(|line| line.trim_start().strip_prefix("permalink:"));
    let (start, _) = permalinks.filter_map(|line| line.split_once(":year")).next()?;
    Some(start.trim().trim_matches(['"', '\'', '/']).to_owned()).filter(|start| !start.is_empty())
}

/// The front matter of a file.
fn front(path: &Path) -> Option<String> {
    let mut file = fs::File::open(path).ok()?.take(HEAD);
    let mut bytes = Vec::with_capacity(MOST_FRONTS as usize);
    file.by_ref().take(MOST_FRONTS).read_to_end(&mut bytes).ok()?;
    let found = |bytes: &[u8]| front_matter(bytes).map(Cow::into_owned);
    let front = found(&bytes);
    if front.is_some() || !has_fence(&bytes) {
        return front;
    }
    file.read_to_end(&mut bytes).ok()?;
    found(&bytes)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn keys() {
        for (address, expected) in [
            ("/a/B c/index.html", "a/b-c"),
            ("docs/01-Intro.md", "docs/intro"),
            ("a/../b/?x#y", "b"),
            ("/", ""),
            ("3.0/x.md", "3.0/x"),
        ] {
            assert_eq!(key(address, NameRule::Slugged), expected);
        }
        assert_eq!(key("A/README.md", NameRule::Exact), "A");
        assert_eq!(dated("2020-01-02-a-b.md").as_deref(), Some("2020/01/02/a-b.md"));
        assert_eq!(
            table(
                "x\n[output.html.redirect]\n\"/a.html\" = \"b\"\n'c' = \"d\"\n[x]\n",
                "output.html.redirect"
            ),
            ["/a.html", "c"]
        );
    }

    /// The file system, without a memory.
    struct Plain;

    impl Names for Plain {
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
    }

    /// The naive twin walks over all files.
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
        let site =
            Site { content: vec![root.join("a"), root.clone()], ..Site::of(Profile::Rustdoc) };
        let pages = SitePages::read(&site, &Plain);
        assert!(pages.by_name.is_some());
        let mut walked = SitePages::default();
        walked.walk(&site, &Plain);
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
            assert_eq!(pages.at(&site, &Plain, address), expected, "{address}");
        }
        assert!(walked.pages.len() > 12);
        fs::remove_dir_all(&root).unwrap();
    }
}
