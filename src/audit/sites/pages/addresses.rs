//! Reads the addresses, labels, and names from the files of a site: [`PageAddresses`].

use std::borrow::Cow;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use rayon::ThreadPool;

use super::SitePage;
use super::glossary::Glossary;
use super::included;
use super::key::{dated, dated_directory, file_key, is_page, is_part, key, own_name, slugged};
use super::permalinks::Permalink;
use super::templated::{DataFiles, TemplatedAddress};
use crate::audit::sites::address_bounds::filled_in;
use crate::audit::sites::discovery::{
    DirectoryLister, NamedKind, document_text, front_matter, has_fence, is_group, is_language,
    values,
};
use crate::audit::sites::rules::{AddressBase, IndexRule, NameRule, ResourceRule, UnresolvedLinks};
use crate::audit::sites::{Profile, Site, antora, discovery, quarto, sphinx};
use crate::audit::{Overlay, paths};
use crate::document::markdown::slug::SlugRule;
use crate::document::markdown::{ids, line_titles};
use crate::document::rst;
use crate::hash::{HashMap, HashSet};
use crate::search::catch_panic;
use crate::slice::lossy;

/// Largest number of files read per site.
const MAX_FILES: usize = 200_000;
/// Largest number of directories listed per site. A settings file that was left in a home directory
/// would make everything below it a site.
const MAX_DIRECTORIES: usize = 50_000;
/// Bytes read of a file in search of its front matter.
const HEAD: u64 = 16 << 10;
/// Bytes of the first read; most front matter fits.
const MAX_FRONTS: u64 = 2 << 10;
/// Smaller shares are not worth a job.
const MIN_SHARE_FILES: usize = 64;

/// Settings for the addresses of all pages.
#[derive(Clone, Debug, Default)]
pub struct AddressSettings {
    /// True if addresses do not include the directory of a collection.
    pub has_bare_collections: bool,
    /// Collections with addresses of their own.
    pub collections: Vec<CollectionAddress>,
    /// True if `#heading` also finds headings of other documents.
    pub has_common_headings: bool,
    /// Patterns of the addresses of posts, such as `news/:year/:month/:day/:title`.
    pub posts: Vec<String>,
    /// Prefixes of the addresses of posts that have no date.
    pub undated_posts: Vec<String>,
    /// Categories that the settings give to posts.
    pub categories: Vec<String>,
    /// Patterns of the addresses of pages by their section.
    pub permalinks: Vec<Permalink>,
    /// True if addresses with categories have no date.
    pub has_undated_categories: bool,
    /// True if nbdev names the pages of notebooks.
    pub has_nbdev: bool,
    /// The version of documents whose addresses do not name it (Docusaurus, "Versioning").
    pub last_version: Option<String>,
    /// Texts that replace documents. Names in them count, but not their front matter.
    pub overlay: Overlay,
}

/// The address of a collection of Jekyll.
#[derive(Clone, Debug)]
pub struct CollectionAddress {
    /// The directory of its files: an underscore and its name.
    pub directory: String,
    /// The start of the addresses of its pages.
    pub start: String,
}

/// The files of a site, in shares that threads take one by one.
struct FileShares {
    site: Site,
    settings: AddressSettings,
    files: Vec<SiteFile>,
    /// Number of files per share.
    share: usize,
    next: AtomicUsize,
}

impl FileShares {
    /// Reads shares until none is left.
    fn read_all(&self, sender: &Sender<(usize, Option<PageAddresses>)>) {
        loop {
            // Relaxed suffices: the number only divides the work, and the results travel through a
            // channel.
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number * self.share >= self.files.len() {
                return;
            }
            // A panic in a pool job would abort the process. The waiting thread reads a failed
            // share again and meets the panic there.
            let addresses = catch_panic(|| self.read(number)).ok();
            // Sending fails only after the receiver has all shares.
            let _ = sender.send((number, addresses));
        }
    }

    fn read(&self, number: usize) -> PageAddresses {
        let mut addresses = PageAddresses::default();
        for file in self.files.chunks(self.share).nth(number).unwrap_or_default() {
            addresses.page(&self.site, &self.settings, file);
        }
        addresses
    }
}

/// Addresses, labels, and names of pages.
#[derive(Debug, Default)]
pub struct PageAddresses {
    /// By key.
    pub pages: HashMap<String, SitePage>,
    /// Labels that all documents know (MyST).
    pub labels: HashSet<String>,
    /// Terms that all documents may name (Sphinx).
    pub glossary: Glossary,
    /// Ids that cross-references of all documents may name (Quarto).
    pub cross_ids: HashSet<String>,
    /// Anchors of headings that all documents know.
    pub headings: HashSet<String>,
    /// Names of pages whose addresses are unknown.
    pub names: HashSet<String>,
    /// Addresses with unknown parts.
    pub templated: Vec<TemplatedAddress>,
    /// Data files with addresses (Eleventy).
    data: DataFiles,
    /// Texts that documents include (Sphinx).
    included: HashSet<PathBuf>,
}

/// True for a document whose names others may name, wherever they are.
fn has_names(site: &Site, path: &Path) -> bool {
    site.unresolved == UnresolvedLinks::Sphinx || site.rules().cross_ids && quarto::has_ids(path)
}

/// Returns a number that changes with the names in a document that any page of the site may refer
/// to; `None` without such names.
pub fn names_fingerprint(site: &Site, path: &Path, text: &str) -> Option<u64> {
    has_names(site, path).then(|| {
        let mut names = PageAddresses::default();
        names.add_names(site, true, text);
        names.section_labels(site, path, text);
        let mut hasher = DefaultHasher::new();
        for set in [&names.labels, &names.headings, &names.cross_ids] {
            sorted(set).hash(&mut hasher);
        }
        names.glossary.hash(&mut hasher);
        hasher.finish()
    })
}

/// Returns names in an order that is the same for equal sets.
pub fn sorted(names: &HashSet<String>) -> Vec<&String> {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    sorted
}

impl PageAddresses {
    /// Reads the front matter of every file of a site with the help of a pool. Every other thread
    /// blocks on the result, so this must be parallel.
    pub fn read(
        site: &Site,
        settings: &AddressSettings,
        files: &dyn DirectoryLister,
        pool: Option<&ThreadPool>,
    ) -> Self {
        let files = files_of(site, files);
        // Plus this thread, which reads shares, too, so that a busy pool only helps less.
        let threads = pool.map_or(1, |pool| pool.current_num_threads() + 1);
        let share = files.len().div_ceil(threads).max(MIN_SHARE_FILES);
        let count = files.len().div_ceil(share);
        let (sender, receiver) = channel();
        let (site, settings) = (site.clone(), settings.clone());
        let shares =
            Arc::new(FileShares { site, settings, files, share, next: AtomicUsize::new(0) });
        // A parallel iterator does not work here: while it waits, rayon runs other jobs on this
        // thread. The next document may need the very answer that this thread is computing. So the
        // jobs own their data, and this thread waits only for shares that another thread has begun.
        if let Some(pool) = pool {
            for _ in 1..count {
                let (shares, sender) = (Arc::clone(&shares), sender.clone());
                pool.spawn_fifo(move || shares.read_all(&sender));
            }
        }
        shares.read_all(&sender);
        drop(sender);
        let mut read: Vec<Option<Self>> = (0..count).map(|_| None).collect();
        for (number, addresses) in receiver.iter().take(count) {
            if let Some(place) = read.get_mut(number) {
                *place = addresses;
            }
        }
        let mut all = Self::default();
        for (number, addresses) in read.into_iter().enumerate() {
            // Merged in the order of the files, so that the first of two equal addresses wins in
            // every run.
            all.add_all(addresses.unwrap_or_else(|| shares.read(number)));
        }
        all
    }

    /// Adds the results of later files; earlier entries win.
    fn add_all(&mut self, later: Self) {
        for (key, page) in later.pages {
            self.pages.entry(key).or_insert(page);
        }
        self.labels.extend(later.labels);
        self.glossary.add(later.glossary);
        self.cross_ids.extend(later.cross_ids);
        self.headings.extend(later.headings);
        self.names.extend(later.names);
        self.templated.extend(later.templated);
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.pages.len()
            + self.labels.len()
            + self.glossary.len()
            + self.cross_ids.len()
            + self.headings.len()
            + self.names.len()
    }

    fn page(&mut self, site: &Site, settings: &AddressSettings, file: &SiteFile) {
        let SiteFile { path, below, .. } = file;
        let names = site.rules().names;
        let below = below.to_string_lossy();
        let own = file_key(&below, path, names);
        // The generator is unknown, so any page of this name may be meant by a link. Without these
        // names, links of svelte's documents looked broken.
        if site.is_guessed() {
            let name = own.rsplit('/').next().unwrap_or_default();
            self.names.extend([name.to_owned(), slugged(name).into_owned()]);
            if own.split('/').any(is_group) {
                let inside: Vec<&str> = own.split('/').filter(|part| !is_group(part)).collect();
                self.add(&inside.join("/"), path);
            }
        }
        if has_names(site, path) {
            let mut text = settings.overlay.text(path).unwrap_or_else(|| document_text(path));
            if path.extension().is_some_and(|it| it == "ipynb") {
                // Each string of its cells is a line, or several.
                text = text.replace("\\n", "\n").replace('"', "\n");
            }
            self.add_names(site, settings.has_common_headings, &text);
            self.section_labels(site, Path::new(&*below), &text);
            if site.unresolved == UnresolvedLinks::Sphinx {
                for included in included::texts(site, path, &below, &text) {
                    // All documents may include one text, and its labels are the same in each.
                    if !self.included.insert(included.clone()) {
                        continue;
                    }
                    let text = discovery::text(&included);
                    self.add_names(site, settings.has_common_headings, &text);
                    self.section_labels(site, Path::new(&*below), &text);
                }
            }
        }
        if is_part(&own_name(&below)) {
            return;
        }
        self.add(&own, path);
        // `a.en.md` is the page `a` in English (Hugo, "Translation by file name").
        if site.rules().languages == ["content"]
            && let Some((stem, extension)) = below.rsplit_once('.')
            && let Some((stem, language)) = stem.rsplit_once('.')
            && is_language(language)
        {
            self.add(&key(&format!("{stem}.{extension}"), names), path);
        }
        if settings.has_nbdev
            && let Some((directory, name)) = below.rsplit_once('/').or(Some(("", &*below)))
            && let Some(bare) = without_order(name)
        {
            self.add(&key(&format!("{directory}/{bare}"), names), path);
        }
        if settings.has_bare_collections
            && below.starts_with('_')
            && let Some((_, inside)) = below.split_once('/')
        {
            self.add(&key(inside, names), path);
        }
        for collection in &settings.collections {
            let inside = below.strip_prefix(&*collection.directory);
            if let Some(inside) = inside.and_then(|inside| inside.strip_prefix('/')) {
                self.add(&key(&format!("{}/{inside}", collection.start), names), path);
            }
        }
        if site.rules().index == IndexRule::LikeDirectory
            && let Some((directory, name)) = own.rsplit_once('/')
            && directory.rsplit('/').next() == Some(name)
        {
            self.add(directory, path);
        }
        if let Some(dated) = dated(&own_name(&below)) {
            self.post(settings, file, &dated, names);
        }
        if is_post(site, path)
            && let Some(dated) = dated_directory(&below)
        {
            self.post(settings, file, &dated, names);
        }
        if site.rules().resources == ResourceRule::Antora {
            self.aliases_of_antora(path, &below, names);
        }
        if site.rules().address_keys.is_empty() {
            return;
        }
        let front = front(path);
        if site.profile == Profile::Eleventy {
            self.add_templated(&below, path, front.as_deref());
        }
        for permalink in &settings.permalinks {
            let address = permalink.address(&below, path, front.as_deref());
            address.iter().for_each(|it| self.add(&key(it, names), path));
        }
        let Some(front) = front else { return };
        if site.profile == Profile::Quarto
            && front.contains("listing:")
            && front.lines().any(|line| line.trim_start().starts_with("feed:"))
        {
            // The feed of a list (Quarto, "RSS Feeds").
            self.pages.entry(format!("{own}.xml")).or_insert(SitePage::Elsewhere);
        }
        if let Some(dated) = dated(&own_name(&below)) {
            self.categorized_post(site, settings, file, (&front, &dated));
        }
        self.addresses_of_front_matter(site, settings, file, (&front, &own));
    }

    /// Adds the names of a text that other documents may name.
    fn add_names(&mut self, site: &Site, has_common_headings: bool, text: &str) {
        if site.unresolved == UnresolvedLinks::Sphinx {
            self.names_of_sphinx(site, has_common_headings, text);
        }
        if site.rules().cross_ids {
            quarto::add_ids(text.as_bytes(), &mut self.cross_ids);
        }
    }

    /// Adds the labels of titles (`sphinx.ext.autosectionlabel`).
    fn section_labels(&mut self, site: &Site, document: &Path, text: &str) {
        if !site.program_has(sphinx::SECTION_LABELS) {
            return;
        }
        let titles = match document.extension() {
            Some(extension) if extension == "md" => line_titles::titles(text),
            _ => rst::titles(text),
        };
        let prefix = if site.program_has(sphinx::PREFIXED_LABELS) {
            format!("{}:", document.with_extension("").display())
        } else {
            String::new()
        };
        self.labels.extend(titles.iter().map(|title| rst::normalized(&format!("{prefix}{title}"))));
    }

    /// Adds the labels, terms, and headings that other documents of Sphinx may name.
    fn names_of_sphinx(&mut self, site: &Site, has_common_headings: bool, text: &str) {
        self.labels.extend(rst::labels(text));
        self.glossary.read(text);
        if let Some(front) = front_matter(text.as_bytes()) {
            self.labels.extend(values(&front, "label"));
        }
        if has_common_headings {
            let titles = line_titles::titles(text);
            for rule in SlugRule::for_slugs(site.slugs) {
                self.headings.extend(rule.anchors(titles.iter().map(String::as_str)));
            }
        }
        ids::ids(text, &mut |id, _| {
            self.labels.insert(id.to_owned());
            // Sphinx compares labels in lower case.
            if id.contains(|c: char| c.is_uppercase()) {
                self.labels.insert(id.to_lowercase());
            }
            // MyST derives ids from labels: `a:b` becomes `a-b`.
            if id.contains([':', '_', '.', ' ']) {
                self.labels.insert(id.to_lowercase().replace([':', '_', '.', ' '], "-"));
            }
        });
    }

    /// Adds the addresses of a post.
    fn post(&mut self, settings: &AddressSettings, file: &SiteFile, dated: &str, names: NameRule) {
        let SiteFile { path, start, .. } = file;
        self.add(&key(dated, names), path);
        // Those of a directory with another address start there.
        self.add(&key(&format!("{}/{dated}", start.display()), names), path);
        for pattern in &settings.posts {
            let address = post(&pattern.replace(CATEGORIES, ""), dated);
            address.iter().for_each(|it| self.add(&key(it, names), path));
        }
        let title = dated.splitn(4, '/').nth(3).unwrap_or_default();
        for start in &settings.undated_posts {
            self.add(&key(&format!("{start}/{title}"), names), path);
        }
    }

    fn aliases_of_antora(&mut self, path: &Path, below: &str, names: NameRule) {
        let root = path.to_str().and_then(|it| it.strip_suffix(below)).map(PathBuf::from);
        for alias in antora::aliases(path, &head(path)) {
            let below = root.as_deref().and_then(|root| alias.strip_prefix(root).ok());
            if let Some(below) = below.and_then(Path::to_str) {
                self.add(&key(below, names), path);
            }
        }
    }

    /// Adds the addresses of a post below those of its categories.
    fn categorized_post(
        &mut self,
        site: &Site,
        settings: &AddressSettings,
        file: &SiteFile,
        (front, dated): (&str, &str),
    ) {
        let SiteFile { path, below, .. } = file;
        let names = site.rules().names;
        let below = below.to_string_lossy();
        let title = dated.splitn(4, '/').nth(3).unwrap_or_default();
        let own = site.rules().category_keys.iter().find_map(|it| categories(front, it));
        let above = match site.rules().category_keys {
            [] => None,
            _ => categories_of_path(&below),
        };
        // Those of the settings may be meant for other posts.
        let of_settings = settings.categories.iter().map(|it| Some(it.as_str()));
        let alone = (above.is_some() || own.is_some()).then_some(None);
        for of_settings in of_settings.chain(alone) {
            let all = [above.as_deref(), of_settings, own.as_deref()];
            let whole = united(&all);
            let inside = if settings.has_undated_categories { title } else { dated };
            self.add(&key(&format!("{whole}/{inside}"), names), path);
            for pattern in settings.posts.iter().filter(|it| it.contains(CATEGORIES)) {
                let address = filled_in(pattern, CATEGORIES, &whole);
                let address = address.and_then(|it| post(&it, dated));
                address.iter().for_each(|it| self.add(&key(it, names), path));
            }
        }
    }

    /// Adds the addresses that front matter gives to a page; `own` is the key of its file.
    fn addresses_of_front_matter(
        &mut self,
        site: &Site,
        settings: &AddressSettings,
        file: &SiteFile,
        (front, own): (&str, &str),
    ) {
        let SiteFile { path, below, start } = file;
        let names = site.rules().names;
        let below = below.to_string_lossy();
        let around = own.rsplit_once('/').map_or("", |(section, _)| section).to_owned();
        let is_index =
            ["index.", "_index.", "README."].iter().any(|it| own_name(&below).starts_with(it));
        let section = if is_index { own.to_owned() } else { around.clone() };
        for address in site.rules().address_keys {
            for value in values(front, address) {
                let is_rooted = value.starts_with('/');
                let base = site.rules().address_base;
                if is_rooted || base != AddressBase::Directory {
                    self.add(&key(&value, names), path);
                }
                // `/` is the first page of a version in its documents.
                if is_rooted && let Some(start) = start.to_str().filter(|it| !it.is_empty()) {
                    self.add(&key(&format!("{start}{value}"), names), path);
                    // The last version has no name in its addresses.
                    if let Some((around, version)) = start.rsplit_once('/')
                        && settings.last_version.as_deref().unwrap_or("next") == version
                    {
                        self.add(&key(&format!("{around}{value}"), names), path);
                    }
                }
                // The directory of a post is no part of its address (Docusaurus,
                // "plugin-content-blog", `slug`).
                if !is_rooted && is_post(site, path) {
                    self.add(&key(&format!("{}/{value}", start.display()), names), path);
                }
                if !is_rooted && base != AddressBase::Root {
                    self.add(&key(&format!("{around}/{value}"), names), path);
                    self.add(&key(&format!("{section}/{value}"), names), path);
                }
            }
        }
    }

    /// Adds the address that front matter or a data file computes.
    fn add_templated(&mut self, below: &str, path: &Path, front: Option<&str>) {
        for address in self.data.addresses(path, below, front) {
            match address {
                TemplatedAddress::Known(known) => self.add(&key(&known, NameRule::Exact), path),
                other if self.templated.contains(&other) => {}
                other => self.templated.push(other),
            }
        }
    }

    fn add(&mut self, key: &str, path: &Path) {
        self.pages.entry(key.to_owned()).or_insert_with(|| SitePage::File(path.to_path_buf()));
    }
}

/// Returns the address of a post by a pattern (Jekyll, "Permalinks"); `dated` is
/// `2020/01/02/title`.
fn post(pattern: &str, dated: &str) -> Option<String> {
    let mut parts = dated.splitn(4, '/');
    let mut part = || parts.next().unwrap_or_default();
    let mut values = vec![(":year", part()), (":month", part()), (":day", part())];
    let title = part();
    values.extend([(":title", title), (":slug", title)]);
    let address = values
        .into_iter()
        .try_fold(pattern.to_owned(), |address, (name, value)| filled_in(&address, name, value))?;
    Some(match (address.contains(':'), pattern.split_once(":year")) {
        (true, Some((start, _))) => format!("{}/{dated}", start.trim_end_matches('/')),
        _ => address,
    })
}

/// True for a file in a directory of posts.
fn is_post(site: &Site, path: &Path) -> bool {
    path.iter().any(|name| site.rules().posts.iter().any(|posts| name == *posts))
}

/// A file that may become a page.
struct SiteFile {
    path: PathBuf,
    /// Its path relative to the content of the site.
    below: PathBuf,
    /// The address of the directory in which its content is mounted; empty for the root.
    start: Arc<Path>,
}

/// Returns all files of a site, in a deterministic order.
fn files_of(site: &Site, files: &dyn DirectoryLister) -> Vec<SiteFile> {
    let root: Arc<Path> = Arc::from(Path::new(""));
    let content = site.content.iter();
    let mut pending: Vec<(PathBuf, PathBuf, Arc<Path>)> =
        content.map(|content| (content.clone(), PathBuf::new(), Arc::clone(&root))).collect();
    let mounts = site.mounts.iter().filter(|mount| !mount.target.as_os_str().is_empty());
    pending.extend(mounts.map(|mount| {
        let target = &mount.target;
        (mount.source.clone(), target.clone(), Arc::from(target.as_path()))
    }));
    // Parts have ids, too.
    let is_kept = |name: &str| site.rules().cross_ids || !is_part(name);
    let mut found = Vec::new();
    for _ in 0..MAX_DIRECTORIES {
        let Some((directory, below, start)) = pending.pop() else { break };
        for (name, kind) in files.entries(&directory) {
            let here = || [paths::join(&directory, &name), paths::join(&below, &name)];
            match kind {
                NamedKind::Directory if !name.starts_with('.') && name != "node_modules" => {
                    let [directory, below] = here();
                    pending.push((directory, below, Arc::clone(&start)));
                }
                NamedKind::File if is_page(&name) && is_kept(&name) => {
                    let [path, below] = here();
                    found.push(SiteFile { path, below, start: Arc::clone(&start) });
                }
                _ => {}
            }
        }
        if found.len() >= MAX_FILES {
            found.truncate(MAX_FILES);
            break;
        }
    }
    found
}

/// The categories in the pattern of an address.
const CATEGORIES: &str = ":categories";

/// Returns the categories that the directories above `_posts` give to a post: those of
/// `en/news/_posts/2020-01-02-a.md` are `en/news` (Jekyll, "Posts", "Categories").
fn categories_of_path(below: &str) -> Option<String> {
    let (above, _) = below.split_once("/_posts/")?;
    (!above.is_empty()).then(|| above.to_lowercase())
}

/// Returns all of these categories, each once, as the start of an address.
fn united(all: &[Option<&str>]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in all.iter().flatten().flat_map(|it| it.split('/')) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join("/")
}

/// Returns the categories of a post as the start of its address (Jekyll, "Permalinks").
fn categories(front: &str, key: &str) -> Option<String> {
    let found = values(front, key);
    let names: Vec<&str> = found.iter().flat_map(|it| it.split_whitespace()).collect();
    (!names.is_empty()).then(|| names.join("/").to_lowercase())
}

/// Returns the first bytes of a file as text.
fn head(path: &Path) -> String {
    let mut bytes = Vec::new();
    if has_bytes(path)
        && let Ok(file) = fs::File::open(path)
        && file.take(MAX_FRONTS).read_to_end(&mut bytes).is_ok()
    {
        return lossy(&bytes).into_owned();
    }
    String::new()
}

/// True for a regular file that is not empty. In /proc, all claim to be empty; reading one may
/// wait.
fn has_bytes(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() > 0)
}

/// Returns the front matter of a file.
fn front(path: &Path) -> Option<String> {
    if !has_bytes(path) {
        return None;
    }
    // Opened again when the document is audited: keeping the text until then takes more time than
    // opening the file twice.
    let mut file = fs::File::open(path).ok()?.take(HEAD);
    let mut bytes = Vec::with_capacity(MAX_FRONTS as usize);
    file.by_ref().take(MAX_FRONTS).read_to_end(&mut bytes).ok()?;
    let found = |bytes: &[u8]| front_matter(bytes).map(Cow::into_owned);
    let front = found(&bytes);
    if front.is_some() || !has_fence(&bytes) {
        return front;
    }
    file.read_to_end(&mut bytes).ok()?;
    found(&bytes)
}

/// Returns `release.ipynb` for `18_release.ipynb` and `18a_release.ipynb` (nbdev, `nbdev_docs`).
fn without_order(name: &str) -> Option<&str> {
    let (order, rest) = name.split_once('_')?;
    let is_order = order.starts_with(|c: char| c.is_ascii_digit())
        && order.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_order && name.ends_with(".ipynb")).then_some(rest)
}
