//! A site with its content and addresses: [`Site`].

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::discovery::InferredRoot;
use super::dynamic::DynamicPages;
use super::edited::EditedContent;
use super::menu::Menu;
use super::mount_table::MountTable;
use super::mounts::Fallback;
use super::program::ProgramText;
use super::root_index::RootIndex;
use super::rules::{
    ForgeRule, GeneratorRule, LinkBase, PageDirectoryRule, ReadmeRule, SiteRules, UnresolvedLinks,
};
use super::titled::{TitledAddresses, is_number};
use super::{Profile, Repository, antora};
use crate::audit::answers::Cache;
use crate::audit::{AuditOptions, PathStatus, Slugs, paths};
use crate::document::Dialect;
use crate::edit::glob::matches;

/// The site that documents belong to.
///
/// ```
/// use urigrep::audit::{AuditOptions, Profile, Site, Slugs};
/// let site = Site::new(&AuditOptions::new().profile(Profile::Mdbook).root("book/src"));
/// assert_eq!(site.slugs, Slugs::Mdbook);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Site {
    /// Its generator.
    pub profile: Profile,
    /// Rules that turn headings into anchors.
    pub slugs: Slugs,
    /// The directories that `/` means, content first. Without any, absolute references are not
    /// checked.
    pub roots: Vec<PathBuf>,
    /// The roots that hold documents.
    pub content: Vec<PathBuf>,
    /// Directories outside its content whose files are beside its pages.
    pub(in crate::audit) copied: Vec<PathBuf>,
    /// True if the settings name a plugin that inserts documents into others.
    pub(in crate::audit) has_includes: bool,
    /// True if the settings name a plugin that reads the size of a picture after its path.
    pub(in crate::audit) has_picture_sizes: bool,
    /// The directory from which pictures without `./` are imported, too.
    pub(in crate::audit) import_base: Option<PathBuf>,
    /// Pages whose paths have parameters.
    pub(super) dynamic: DynamicPages,
    /// Text of the component that makes the links of its documents, if it has one of its own.
    pub(super) link_component: ProgramText,
    /// True if a program puts its redirects together, so that they are not known.
    pub(in crate::audit) computes_redirects: bool,
    /// Directories in which files are found, and whether their names suffice.
    pub(in crate::audit) searched: Arc<[(PathBuf, bool)]>,
    /// True if nothing shows that it makes anchors of headings.
    pub(in crate::audit) lacks_anchors: bool,
    /// The source directories of its projects, if its settings are those of several: each document
    /// knows its own only.
    pub(super) projects: Arc<[PathBuf]>,
    /// The base of links in HTML within its documents, if it differs from the profile's.
    pub(in crate::audit) html_links: Option<LinkBase>,
    /// Directories of documents that others include.
    pub(super) parts: Vec<PathBuf>,
    /// Content directories shown where its own content is missing.
    pub(in crate::audit) inherited: Vec<PathBuf>,
    /// True if it applies the rule for headings to the fragments of links in Markdown, too.
    pub(in crate::audit) has_slugged_fragments: bool,
    /// True if it leaves the paths of documents that start with `/` as they are, so that they lead
    /// nowhere.
    pub(in crate::audit) leaves_rooted: bool,
    /// Prefix of its addresses, with slashes at both ends.
    pub base: String,
    /// Host of its addresses, in lower case, if the settings name it.
    pub(in crate::audit) host: Option<String>,
    /// True if the settings and the file `CNAME` name that host, and the site is at its root.
    pub(in crate::audit) is_whole_host: bool,
    pub(in crate::audit) menu: Menu,
    /// Schemes that only this site knows.
    pub schemes: Vec<String>,
    /// Languages that may start an address.
    pub languages: Vec<String>,
    /// Fallback for missing translations.
    pub(super) fallback: Option<Fallback>,
    /// Files shown at other paths.
    pub(super) mounts: Arc<MountTable>,
    /// The directory whose files links find by name, if the tree is no checkout.
    pub(in crate::audit) vault: Option<PathBuf>,
    /// Inferred meaning of `/`, if nothing shows the generator.
    pub(in crate::audit) inferred: Option<InferredRoot>,
    /// Dialect of its Markdown, if it is not that of the profile.
    pub(super) dialect: Option<Dialect>,
    /// Text of the settings, if they are a program.
    pub(super) program: ProgramText,
    /// Directories into which plugins of the settings write pages, if the settings are a program.
    pub(super) written: Arc<[WrittenDirectory]>,
    /// True if the settings name a program that writes texts for language models.
    pub(super) writes_texts_for_models: bool,
    /// True if it is built by a Sphinx that looks for documents in other projects by default.
    pub(super) searches_documents: bool,
    /// True if the program writes documents, whose labels are known only after a build.
    pub(super) writes_documents: bool,
    /// Text of the plugins that make pages.
    pub(super) plugins: ProgramText,
    /// Headings that plugins write into pages, one a line and in lower case.
    pub(super) headings: ProgramText,
    /// The file with its settings, or their directory.
    pub(super) settings: PathBuf,
    /// Directories of the files that tags of Liquid include.
    pub(in crate::audit) includes: Vec<PathBuf>,
    /// Text of the template from which the generator makes redirects.
    pub(super) redirecting: ProgramText,
    /// True if the settings name a theme, whose files are published, too.
    pub(super) has_theme: bool,
    /// Patterns of the files that it publishes, if its settings list these.
    pub(super) published: Option<Arc<[String]>>,
    /// Patterns of documents of which it makes no page.
    pub(super) excluded: Arc<[String]>,
    /// True if a workflow of its checkout publishes it below a directory of its host.
    pub(in crate::audit) is_below_host: bool,
    /// Modules of its component of Antora to which other repositories add files.
    pub(in crate::audit) shared_modules: Arc<[String]>,
    /// The attributes of AsciiDoc that the settings set for all pages.
    pub(in crate::audit) attributes: Arc<[(String, String)]>,
    /// True if other repositories may have pages of its site, whose names may be in its component
    /// of Antora.
    pub(in crate::audit) has_pages_elsewhere: bool,
    /// The menus of its component of Antora, which are read as pages.
    pub(in crate::audit) navigation: Arc<[PathBuf]>,
    /// The components of Antora in its checkout.
    pub(in crate::audit) components: Arc<[antora::Component]>,
    /// The component of Antora, below whose name its pages are.
    pub(super) component: Option<String>,
    /// The repositories in which its pages are edited.
    pub(super) edited: Arc<[EditedContent]>,
    /// Addresses derived from titles and dates.
    pub(super) titled: Arc<TitledAddresses>,
    pub(in crate::audit) unresolved: UnresolvedLinks,
    /// True for documents that become parts of pages.
    pub(in crate::audit) is_of_parts: bool,
    /// True if the address of a page is a directory, unless it is flat.
    pub(in crate::audit) has_page_directories: bool,
    /// True if the addresses of pages are files, although the generator usually makes directories.
    pub(in crate::audit) is_flat: bool,
    /// Documentation that includes documents of this site, such as its change log.
    pub(in crate::audit) documentation: Option<Arc<Site>>,
    /// The site that the same checkout publishes, if this one is what a forge shows.
    pub(in crate::audit) beside: Option<Arc<Site>>,
    /// Its checkout.
    pub repository: Option<Arc<Repository>>,
    pub(super) root_index: RootIndex,
    pub(super) content_index: RootIndex,
    /// Cache of resolved paths below its roots.
    pub(in crate::audit) found: FoundPlaces,
}

/// True for a path that a pattern names. Only `**` stands for several directories, or for none.
fn is_excluded_by(pattern: &str, path: &str) -> bool {
    let slashes = |text: &str| text.matches('/').count();
    if pattern.contains("**") {
        matches(pattern, path) || matches(&pattern.replace("**/", ""), path)
    } else {
        slashes(pattern) == slashes(path) && matches(pattern, path)
    }
}

/// A directory into which a plugin of the settings writes pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenDirectory {
    pub directory: String,
    /// The path at which it is mounted.
    pub target: Option<PathBuf>,
}

/// Result of looking for the first existing place of several.
#[derive(Clone, Debug)]
pub(in crate::audit) enum PathLookup {
    Found(Arc<Path>, PathStatus),
    /// The settings of the site say that it has moved to this address, which is this path.
    Moved(Arc<str>, Arc<Path>, PathStatus),
    /// None exists; the path and status of the first one.
    Missing(PathBuf, PathStatus),
    /// A page outside the tree.
    Elsewhere,
    /// A page that a generator may create.
    MaybeGenerated,
}

/// Cache of link targets. A clone of a site may get other roots, so its cache starts empty.
#[derive(Debug, Default)]
pub(in crate::audit) struct FoundPlaces {
    /// By path, relative to `/` or to the directory of the page.
    lookups: Cache<String, Option<PathLookup>>,
    /// Places that a build creates.
    built: Cache<OsString, bool>,
}

impl FoundPlaces {
    /// Returns the cached lookup of a path, calling `find` on a miss; `None` if the path names no
    /// place.
    pub fn get(
        &self,
        path: &str,
        find: impl FnOnce() -> Option<PathLookup>,
    ) -> Arc<Option<PathLookup>> {
        // The path is stored again in the result, below a root.
        self.lookups.get(path, || (find(), LOOKUP_BYTES + 2 * path.len()))
    }

    /// True if a build creates this place; `find` is called on a miss.
    pub fn is_built(&self, place: &Path, find: impl FnOnce() -> bool) -> bool {
        *self.built.get(place.as_os_str(), || (find(), place.as_os_str().len()))
    }
}

/// Most roots, and most mounts. Each missing link is looked for below all of them, and directories
/// of one site may each have a copy of the list; the largest sites that were seen have some sixty.
pub(super) const MAX_ROOTS: usize = 100;
/// Most pairs of a root and a mount for which a missing file is certain. A link is looked up in few
/// of them.
const MAX_COMBINED: usize = 4 << 10;

/// Bytes of a root with its path.
const ROOT_BYTES: usize = 192;

/// Bytes of a root and the status of a path below it.
const LOOKUP_BYTES: usize = 128;

/// Cached results do not distinguish sites.
impl PartialEq for FoundPlaces {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Clone for FoundPlaces {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Site {
    /// Returns a site known only from the options.
    pub fn new(options: &AuditOptions) -> Self {
        let mut site = Self::for_profile(options.profile.unwrap_or_default());
        site.slugs = options.slugs.unwrap_or(site.slugs);
        site.roots.clone_from(&options.roots);
        if let Some(base) = &options.base {
            site.set_address(base);
        }
        site
    }

    /// Returns a site with the defaults of a generator.
    pub(super) fn for_profile(profile: Profile) -> Self {
        Self {
            profile,
            slugs: profile.rules().slugs,
            roots: Vec::new(),
            content: Vec::new(),
            copied: Vec::new(),
            has_includes: false,
            has_picture_sizes: false,
            import_base: None,
            dynamic: DynamicPages::default(),
            link_component: ProgramText::default(),
            computes_redirects: false,
            searched: Arc::default(),
            lacks_anchors: false,
            projects: Arc::default(),
            html_links: None,
            parts: Vec::new(),
            inherited: Vec::new(),
            has_slugged_fragments: false,
            leaves_rooted: false,
            base: "/".to_owned(),
            host: None,
            is_whole_host: false,
            menu: Menu::default(),
            schemes: Vec::new(),
            languages: Vec::new(),
            fallback: None,
            mounts: Arc::default(),
            vault: None,
            inferred: None,
            dialect: None,
            program: ProgramText::default(),
            written: Arc::default(),
            writes_texts_for_models: false,
            searches_documents: false,
            writes_documents: false,
            plugins: ProgramText::default(),
            headings: ProgramText::default(),
            settings: PathBuf::new(),
            includes: Vec::new(),
            redirecting: ProgramText::default(),
            has_theme: false,
            published: None,
            excluded: Arc::default(),
            is_below_host: false,
            shared_modules: Arc::default(),
            attributes: Arc::default(),
            has_pages_elsewhere: false,
            navigation: Arc::default(),
            components: Arc::default(),
            component: None,
            edited: Arc::default(),
            titled: Arc::default(),
            unresolved: profile.rules().unresolved,
            is_of_parts: false,
            has_page_directories: profile.rules().page_directories == PageDirectoryRule::Always,
            is_flat: false,
            documentation: None,
            beside: None,
            repository: None,
            root_index: RootIndex::default(),
            content_index: RootIndex::default(),
            found: FoundPlaces::default(),
        }
    }

    /// Sets its path, and its host if the address has one.
    pub(super) fn set_address(&mut self, address: &str) {
        self.base = base_path(address);
        self.host = host_of(address).or(self.host.take());
    }

    /// True for a scheme that only this site knows.
    pub(in crate::audit) fn knows(&self, scheme: &str) -> bool {
        self.rules().schemes.contains(&scheme) || self.schemes.iter().any(|known| known == scheme)
    }

    /// Returns the paths below `/` at which an unknown generator may publish a file: that below a
    /// directory which such generators often have, or which the links show.
    pub(in crate::audit) fn guessed_addresses(&self, place: &Path) -> Vec<PathBuf> {
        const DIRECTORIES: [&str; 4] = ["content", "pages", "src/content", "src/pages"];
        let Some(content) = self.content.first().filter(|_| self.is_guessed()) else {
            return Vec::new();
        };
        let usual = DIRECTORIES.iter().map(|directory| content.join(directory));
        let inferred = self.inferred.iter().map(|root| root.directory.clone());
        usual.chain(inferred).filter_map(|directory| paths::below(&directory, place)).collect()
    }

    /// True for an address of the host that is not below that of the component of Antora: other
    /// repositories publish there.
    pub(in crate::audit) fn is_of_other_component(&self, path: &str) -> bool {
        let Some(component) = self.component.as_deref() else { return false };
        let Some(inside) = path.strip_prefix(self.base.as_str()) else {
            return path.starts_with('/');
        };
        let first = inside.trim_start_matches('/').split('/').next();
        !inside.trim_matches('/').is_empty() && first != Some(component)
    }

    /// True for the place of a page whose path has parameters: a program lists the values of these.
    /// `has_all` says whether a page for all paths counts.
    pub(in crate::audit) fn may_make(&self, place: &Path, has_all: bool) -> bool {
        self.dynamic.may_make(place, has_all)
    }

    /// True if a program may make pages at any address, beside those of its documents.
    pub(in crate::audit) fn makes_any_pages(&self) -> bool {
        self.dynamic.have_one_for_all()
    }

    /// True if its settings have a function of their own that makes anchors of headings.
    pub(in crate::audit) fn has_own_slugs(&self) -> bool {
        self.slugs == Slugs::Any && self.rules().slugs != Slugs::Any
    }

    /// True if a component of the site makes the links of its documents.
    pub(in crate::audit) fn has_link_component(&self) -> bool {
        !self.link_component.is_empty()
    }

    /// True for an address whose first directory that component names: it may lead elsewhere.
    pub(in crate::audit) fn is_of_link_component(&self, path: &str) -> bool {
        let first = path.strip_prefix('/').and_then(|it| it.split('/').next()).unwrap_or_default();
        let is_named = |end: char| self.link_component.contains(&format!("/{first}{end}"));
        !first.is_empty() && ['/', '"', '\'', '`'].into_iter().any(is_named)
    }

    /// Returns the repository of which a page is a copy, if this place is outside of what was
    /// copied.
    pub(in crate::audit) fn left_copy_of(&self, page: &Path, place: &Path) -> Option<&str> {
        let checkout = self.repository.as_deref();
        let mut edited = self.edited.iter();
        edited.find(|it| it.is_left(checkout, page, place)).map(|it| it.repository.as_str())
    }

    /// True if a generator makes pages from sources; false if files are shown unchanged.
    pub(in crate::audit) fn is_generated(&self) -> bool {
        self.rules().forge == ForgeRule::Elsewhere
            && !self.rules().content.is_empty()
            && !self.content.is_empty()
    }

    /// Returns the sources mounted at a path below `/`.
    pub(in crate::audit) fn mounted(&self, path: &Path) -> Vec<PathBuf> {
        self.mounts.shown(path)
    }

    /// Returns the paths of a file below the directories that are mounted at `/`.
    pub(in crate::audit) fn mounted_at_root(&self, file: &Path) -> impl Iterator<Item = PathBuf> {
        self.mounts.at_root(file)
    }

    /// Returns the mounted directories around a file that hold no documents.
    pub(in crate::audit) fn sources_of_files(&self, file: &Path) -> Vec<&Path> {
        let mounts = self.mounts.iter().filter(|mount| !mount.is_of_content);
        mounts.map(|it| it.source.as_path()).filter(|source| file.starts_with(source)).collect()
    }

    /// True if other directories are shown below its content.
    pub(in crate::audit) fn has_mounts(&self) -> bool {
        !self.mounts.is_empty()
    }

    /// Returns the fallback for a missing file in a language directory.
    pub(in crate::audit) fn untranslated(&self, path: &Path) -> Option<PathBuf> {
        self.fallback.as_ref()?.of_path(path, &self.languages)
    }

    /// True if the settings may name more directories than are looked in.
    pub(in crate::audit) fn is_crowded(&self) -> bool {
        let (roots, mounts, copied) = (self.roots.len(), self.mounts.len(), self.copied.len());
        [roots, mounts, copied].into_iter().any(|count| count >= MAX_ROOTS)
            || roots * mounts > MAX_COMBINED
    }

    /// Returns the bytes that a cache counts for it.
    pub(in crate::audit) fn kept_bytes(&self) -> usize {
        let roots = self.roots.len() + self.content.len() + self.copied.len();
        // With the index of the text.
        let texts = [&self.program, &self.plugins, &self.headings, &self.redirecting];
        let lists =
            [&*self.excluded, &*self.shared_modules, self.published.as_deref().unwrap_or_default()];
        let listed = lists.into_iter().flatten().chain(&self.schemes).chain(&self.languages);
        ROOT_BYTES * (4 + self.mounts.len() + roots + self.parts.len() + self.titled.len())
            + 5 * texts.into_iter().map(ProgramText::len).sum::<usize>()
            + listed.map(|text| size_of::<String>() + text.len()).sum::<usize>()
            + self.menu.kept_bytes()
            + self.components.iter().map(antora::Component::kept_bytes).sum::<usize>()
            + self.attributes.iter().map(|(name, it)| name.len() + it.len()).sum::<usize>()
    }

    /// Returns the path relative to each root that contains it.
    pub(in crate::audit) fn below(&self, path: &Path) -> impl DoubleEndedIterator<Item = PathBuf> {
        self.roots_above(path).into_iter().filter_map(move |root| paths::below(root, path))
    }

    /// Returns the roots that may contain a path.
    pub(in crate::audit) fn roots_above(&self, path: &Path) -> Vec<&Path> {
        self.root_index.above(&self.roots, path)
    }

    /// Returns the paths relative to each content directory that contains this one.
    pub(in crate::audit) fn below_content(&self, path: &Path) -> impl Iterator<Item = PathBuf> {
        let above = self.content_index.above(&self.content, path).into_iter();
        above.filter_map(move |content| paths::below(content, path))
    }

    /// True for a possible address derived from a title.
    pub(in crate::audit) fn may_be_title(&self, path: &Path) -> bool {
        // In `announcing-2.8`, the number is not an extension.
        let is_name =
            path.extension().and_then(OsStr::to_str).is_none_or(|it| is_number(it) || it == "html");
        !self.titled.is_empty() && is_name && self.below(path).any(|it| self.titled.holds(&it))
    }

    /// True if patterns of the settings make addresses of titles or dates.
    pub(in crate::audit) fn has_titled_addresses(&self) -> bool {
        !self.titled.is_empty()
    }

    /// True for a path that the generator writes for a link whose target is gone.
    pub(in crate::audit) fn is_dead(&self, path: &str) -> bool {
        self.rules().dead.iter().any(|start| path.starts_with(start))
    }

    /// True for an address that the settings mention, if they are a program: it may be redirected.
    pub(in crate::audit) fn is_address_of_program(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        path.len() > 1 && path.starts_with('/') && self.program.contains(path)
    }

    /// True for the name of a file that the settings mention, if they are a program, which may make
    /// it: `conf.py` of Pyodide writes `console.html`.
    pub(in crate::audit) fn is_named_by_program(&self, path: &Path) -> bool {
        const LEAST_BYTES: usize = 5;
        let is_source = path.extension().is_none_or(|it| it == "md" || it == "mdx" || it == "rst");
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let is_named = |name: &str| self.program.contains(name);
        // The name of a document has no extension, but that of the file which the program writes
        // has.
        let is_document = || {
            path.extension().is_none()
                && ["md", "rst"].iter().any(|it| is_named(&format!("\"{name}.{it}\"")))
        };
        name.len() >= LEAST_BYTES && (!is_source && is_named(name) || is_document())
    }

    /// True for a path in a mounted directory that is absent.
    pub(in crate::audit) fn is_mounted(
        &self,
        path: &Path,
        is_absent: &dyn Fn(&Path) -> bool,
    ) -> bool {
        // Compare paths first, because looking for a directory takes a system call.
        self.below(path).any(|below| self.mounts.is_absent(&below, is_absent))
    }

    /// True for the first name of an address below which another directory is shown.
    pub(in crate::audit) fn is_mounted_at(&self, name: &OsStr) -> bool {
        self.mounts.has_first_name(name)
    }

    /// True for a content directory shown below another address than `/`.
    pub(in crate::audit) fn is_mounted_root(&self, path: &Path) -> bool {
        self.mounts.has_source(path)
    }

    /// True for a path in a directory into which a plugin of the settings writes pages, such as
    /// those that describe an API.
    pub(in crate::audit) fn is_written_by_plugin(&self, path: &Path, written: &str) -> bool {
        self.written.iter().any(|WrittenDirectory { directory, target }| {
            let start = match target.as_deref().filter(|_| written.starts_with('/')) {
                Some(target) => target,
                None => Path::new(directory),
            };
            self.below(path).any(|below| below.starts_with(start))
        })
    }

    /// True for a possible name of an object or label to Sphinx: `conf.py` enables a program that
    /// reads classes from code, has directives of its own, or writes documents.
    pub(in crate::audit) fn may_define(&self, name: &str) -> bool {
        const OF_CODE: [&str; 5] = ["autodoc", "autosummary", "autoapi", "autodoc2", "breathe"];
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        let is_class = name.contains(|c: char| c.is_uppercase())
            && name.contains(|c: char| c.is_lowercase())
            && !name.contains('-');
        is_name
            && (self.program.contains("Directive)")
                || self.writes_documents
                || is_class && OF_CODE.iter().any(|it| self.program.contains(it)))
    }

    /// True for the name of a directory, in quotation marks, in a plugin that makes pages.
    pub(in crate::audit) fn is_named_by_plugin(&self, directory: &str) -> bool {
        let mut marks = ['"', '\''].into_iter();
        !self.plugins.is_empty()
            && marks.any(|mark| self.plugins.contains(&format!("{mark}{directory}{mark}")))
    }

    /// True for the anchor of a heading that a plugin writes into pages.
    pub(in crate::audit) fn writes_heading(&self, anchor: &str) -> bool {
        !self.headings.is_empty()
            && self.headings.contains(&format!("\n{}\n", anchor.replace('-', " ")))
    }

    /// True for a page of HTML below its content that it does not publish: its settings list what
    /// it does. Pictures that pages show are published without that.
    pub(in crate::audit) fn leaves_out(&self, path: &Path) -> bool {
        let Some(patterns) = self.published.as_deref() else { return false };
        if !path.extension().is_some_and(|it| it == "html" || it == "htm") {
            return false;
        }
        let below = self.content.first().and_then(|content| paths::below(content, path));
        let Some(below) = below.as_deref().and_then(Path::to_str) else { return false };
        let name = below.rsplit('/').next().unwrap_or_default();
        !patterns.iter().any(|pattern| {
            // A pattern may name a directory, and `**/` none at all.
            let whole = pattern.trim_end_matches('/');
            let is_above = below.strip_prefix(whole).is_some_and(|rest| rest.starts_with('/'));
            let others = [whole.replace("**/", ""), whole.to_owned()];
            is_above || others.iter().any(|it| matches(it, below) || matches(it, name))
        })
    }

    /// True for a document in its content of which it makes no page, so that a forge shows it.
    /// `names` are those in the directory of the document.
    pub(in crate::audit) fn leaves_to_forge(
        &self,
        document: &Path,
        names: impl FnOnce() -> Arc<Vec<String>>,
    ) -> bool {
        let is_readme = document.file_name().is_some_and(|name| name == "README.md");
        let is_beside_index = is_readme
            && self.rules().readmes == ReadmeRule::UnlessIndexExists
            && names().iter().any(|name| name == "index.md");
        is_beside_index || !self.excluded.is_empty() && self.is_excluded(document)
    }

    /// Leaves only the project that a directory is in, if its settings are those of several.
    pub(super) fn keep_project_of(&mut self, directory: &Path) {
        let projects = Arc::clone(&self.projects);
        let Some(own) = projects.iter().find(|it| paths::below(it, directory).is_some()) else {
            return;
        };
        let is_other = |root: &PathBuf| root != own && projects.contains(root);
        self.roots.retain(|root| !is_other(root));
        self.content.retain(|content| !is_other(content));
        // What was found for the other projects does not hold for this one.
        self.found = FoundPlaces::default();
    }

    /// Puts the root of the language of a directory before the others.
    pub(super) fn put_first_language_of(&mut self, directory: &Path) {
        let is_own = |root: &PathBuf| {
            let name = root.file_name().and_then(OsStr::to_str);
            name.is_some_and(|name| self.languages.iter().any(|language| language == name))
                && paths::below(root, directory).is_some()
        };
        if let Some(own) = self.roots.iter().position(is_own)
            && let Some(before) = self.roots.get_mut(..=own)
        {
            before.rotate_right(1);
            // What was found for the other languages does not hold for this one.
            self.found = FoundPlaces::default();
        }
    }

    fn is_excluded(&self, document: &Path) -> bool {
        let above = self.settings.parent().unwrap_or(Path::new(""));
        // Those of versions are roots.
        let roots = self.content.iter().chain(&self.roots);
        let starts = roots.map(PathBuf::as_path).chain([above]);
        let mut below = starts.filter_map(|start| paths::below(start, document));
        below.any(|below| {
            let below = below.to_string_lossy();
            self.excluded.iter().any(|pattern| is_excluded_by(pattern, &below))
        })
    }

    /// True if Sphinx looks for the documents of `:doc:` in other projects, too. Since its version
    /// 5 it does so only if the settings say it (`intersphinx_disabled_reftypes`).
    pub(in crate::audit) fn has_documents_elsewhere(&self) -> bool {
        let is_named = self.program.contains("intersphinx_disabled_reftypes");
        !self.program.contains("std:") && (is_named || self.searches_documents)
    }

    /// True if the settings name a program that writes texts for language models, such as
    /// `llms.txt`: `sphinx_llm`, `vitepress-plugin-llms`, `starlight-llms-txt`, and `LLMS` among
    /// the formats of Hugo.
    pub(in crate::audit) fn has_texts_for_models(&self) -> bool {
        self.writes_texts_for_models
    }

    /// Returns the dialect of its Markdown.
    pub(in crate::audit) fn dialect(&self) -> &Dialect {
        self.dialect.as_ref().unwrap_or(&self.rules().dialect)
    }

    /// Returns the file with the settings, or their directory.
    pub(in crate::audit) fn settings(&self) -> Option<&Path> {
        Some(self.settings.as_path()).filter(|it| !it.as_os_str().is_empty())
    }

    /// Returns the directory of the settings.
    pub(in crate::audit) fn directory_of_settings(&self) -> Option<&Path> {
        let directory = self.settings.parent();
        directory.filter(|_| !self.settings.as_os_str().is_empty())
    }

    /// True if the settings are a program that holds these words.
    pub(in crate::audit) fn program_has(&self, words: &str) -> bool {
        self.program.contains(words)
    }

    /// True if the settings are a program, and were read.
    pub(in crate::audit) fn has_program(&self) -> bool {
        !self.program.is_empty()
    }

    /// True if a theme adds files that are not in the tree.
    pub(in crate::audit) fn has_theme(&self) -> bool {
        self.has_theme
    }

    /// True for a path with `/` at the start that can be judged by an inferred root: its first
    /// directory is there.
    pub(in crate::audit) fn infers(
        &self,
        path: &str,
        is_directory: impl Fn(&Path) -> bool,
    ) -> bool {
        let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        let root = self.inferred.as_ref().filter(|root| root.is_sufficient());
        let published = self.roots.iter().filter(|root| root.ends_with("public"));
        !first.is_empty()
            && root.is_some_and(|root| {
                let mut places = published.chain([&root.directory]);
                places.any(|place| is_directory(&place.join(first)))
            })
    }

    /// True if the generator is unknown, so that roots and addresses are guesses.
    pub(in crate::audit) fn is_guessed(&self) -> bool {
        self.rules().generator == GeneratorRule::Unknown
    }

    /// True for the path of a URL on this host that belongs to the site.
    pub(in crate::audit) fn serves(&self, host: &str, path: &str) -> bool {
        let is_own = self.host.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(host));
        is_own && path.starts_with(&self.base)
    }

    pub(in crate::audit) fn rules(&self) -> &'static SiteRules {
        self.profile.rules()
    }
}

/// Returns `a.example` for `https://A.example:443/docs`.
pub(super) fn host_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let host = rest.split(['/', '?', '#', ':']).next().filter(|host| host.contains('.'))?;
    matches!(scheme, "http" | "https").then(|| host.to_ascii_lowercase())
}

/// Returns `/docs/` for `https://a.example/docs`, `docs/`, or `/docs/`.
pub(super) fn base_path(address: &str) -> String {
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => address,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    match path.trim_matches('/') {
        "" => "/".to_owned(),
        path => format!("/{path}/"),
    }
}
