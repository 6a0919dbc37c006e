//! The differences between generators: [`SiteRules`]. Each generator has its rules in its own file.
//!
//! A new generator is a file with its `RULES`, a variant of [`Profile`](super::Profile), and a line
//! in `Profile::rules`. Checks read the rules. The few that compare the generator are about syntax
//! that only this generator has.

use super::edited::EditKey;
use super::menu::MenuRule;
use super::menu_file::MenuFile;
use crate::audit::Slugs;
use crate::document::{Dialect, LinkOrigin};

/// Treatment of the files of a tree by one generator.
///
/// Without the feature `search`, no tree is walked, so nothing looks for markers.
#[derive(Debug)]
pub(crate) struct SiteRules {
    /// Files and directories that reveal the generator. `*` matches any rest of the name. A word
    /// after `#` must be in the file, and a word after `#!` must not.
    pub markers: &'static [&'static str],
    pub marker_strength: MarkerStrength,
    /// Program whose option `--config` names the settings, if they have another name than its
    /// markers.
    pub command: Option<&'static str>,
    /// Settings of more sites beside the marker.
    pub more_settings: Option<MoreSettings>,
    /// Documents below the marker that belong to the site.
    pub documents: DocumentRule,
    pub settings: SettingsRule,
    pub generator: GeneratorRule,
    /// Settings with the names of content directories.
    pub content_keys: &'static [&'static str],
    /// The directory at which those start.
    pub content_start: ContentStart,
    /// Settings with the address of the site, or with its path only.
    pub base_keys: &'static [&'static str],
    /// Settings with the address of the site's host, if it is apart from the path.
    pub host_keys: &'static [&'static str],
    /// Setting with the address where pages are edited.
    pub edit_key: Option<EditKey>,
    /// Content directories if the settings name none, relative to the marker's directory.
    pub content: &'static [&'static str],
    /// Directories in XML settings in which files are found. The first one is the content.
    pub searched: &'static [SearchedDirectory],
    /// Prefix of paths relative to the content, as in `@site/a`.
    pub content_prefix: Option<&'static str>,
    /// Setting with the paths of files that hold parts of the settings.
    pub included_key: Option<&'static str>,
    /// Files whose setting `baseUrl` names a directory from which pictures are imported, too.
    pub import_settings: &'static [&'static str],
    /// Setting with a description of interfaces, from which pages are made.
    pub interfaces: Option<InterfaceKeys>,
    /// Setting with the path of other settings, whose content is shown where this site has none.
    pub inherit_key: Option<&'static str>,
    pub content_rule: ContentRule,
    /// Directories of versions: each directory in them is the content of one version.
    pub version_directories: &'static [&'static str],
    /// Directories whose files are copied to `/`.
    pub statics: &'static [&'static str],
    /// Settings with the names of more such directories.
    pub static_keys: &'static [&'static str],
    pub pages: PageRule,
    pub readmes: ReadmeRule,
    /// Settings with patterns of documents of which no page is made, so that a forge shows them.
    pub excluded_keys: &'static [&'static str],
    /// Patterns of more such documents, relative to the directory of the settings.
    pub excluded: &'static [&'static str],
    /// Directories of templates and of documents included in pages.
    pub parts: &'static [&'static str],
    /// Settings with patterns of documents that are not pages. They are there to be included.
    pub part_keys: &'static [&'static str],
    /// Names of such directories, if other names that start with `_` hold pages.
    pub part_names: &'static [&'static str],
    /// Output directories of the generator.
    pub outputs: &'static [&'static str],
    pub slugs: Slugs,
    /// Settings that choose another rule.
    pub slug_keys: &'static [&'static str],
    pub dialect: Dialect,
    /// Endings to append to a path that names no file.
    pub endings: &'static [&'static str],
    /// Endings to replace in such a path.
    pub swaps: &'static [(&'static str, &'static str)],
    pub links: LinkBase,
    /// Like `links`, for HTML within Markdown.
    pub html_links: LinkBase,
    pub page_directories: PageDirectoryRule,
    pub lookup: FileLookup,
    pub resources: ResourceRule,
    pub front_matter: FrontMatterRule,
    /// Bare addresses in Markdown. Other markups have a rule of their own.
    pub autolinks: AutolinkRule,
    pub markdown: MarkdownRule,
    pub index: IndexRule,
    pub directories: DirectoryRule,
    pub names: NameRule,
    /// Directories with one directory per language.
    pub languages: &'static [&'static str],
    pub language_names: LanguageNameRule,
    pub untranslated: UntranslatedRule,
    pub rooted: RootedRule,
    pub root: RootRule,
    /// Settings that show a directory at another path.
    pub mounts: Option<MountKeys>,
    /// Other settings that do so.
    pub more_mounts: MoreMounts,
    /// Table of the settings that derives addresses from titles.
    pub title_table: Option<&'static str>,
    /// Characters that start a name which a bundler replaces.
    pub aliases: &'static [char],
    /// Files of programs that change links, and words of the settings (after `#`) that enable such
    /// programs.
    pub hooks: &'static [&'static str],
    /// Directory of programs that answer requests. The second word marks a theme that makes pages
    /// from files nevertheless.
    pub routes: Option<(&'static str, &'static str)>,
    /// Directories of pages whose paths may have parameters, `[name].astro`: programs list their
    /// values.
    pub dynamic: &'static [&'static str],
    /// Keys of front matter that set or add addresses of a page.
    pub address_keys: &'static [&'static str],
    pub address_base: AddressBase,
    /// Keys of front matter and settings with the categories of posts, which start their addresses.
    pub category_keys: &'static [&'static str],
    /// The source of the menu.
    pub menu: MenuRule,
    /// Files with links of the menu, which an audit checks like those of documents.
    pub menus: &'static [MenuFile],
    /// Keys in these files whose values are files that the site shows or loads.
    pub file_keys: &'static [&'static str],
    /// Keys in these files whose values are files or directories, or lists of these.
    pub path_keys: &'static [&'static str],
    /// Paths of pages without a file, such as lists of tags. Names with a dot are generated in any
    /// directory.
    pub generated: &'static [&'static str],
    /// Directories of posts, for which a list is generated.
    pub posts: &'static [&'static str],
    /// Directory of programs that may make pages.
    pub plugins: Option<&'static str>,
    pub theme: Option<ThemeRule>,
    /// Constructs of Markdown that this generator reads, and most others do not.
    pub constructs: &'static [LinkOrigin],
    /// True if documents refer to each other by ids, as in `@fig-a`.
    pub cross_ids: bool,
    /// Files and values that tags of Liquid show.
    pub liquid: Option<LiquidRule>,
    /// Templates of redirects.
    pub redirecting: &'static [&'static str],
    /// Keys of programs that run with a build, and may write redirects.
    pub script_keys: &'static [&'static str],
    /// Schemes that only this generator understands.
    pub schemes: &'static [&'static str],
    /// Starts of paths that the generator writes for links whose target is gone.
    pub dead: &'static [&'static str],
    /// True if it writes names with spaces into `srcset`, which HTML cuts at the first.
    pub has_cut_names: bool,
    pub unresolved: UnresolvedLinks,
    pub missing_sources: MissingSources,
    pub documents_beside: DocumentsBeside,
    pub forge: ForgeRule,
    pub layouts: LayoutRule,
    pub base: BaseRule,
    pub collections: CollectionRule,
    pub underscored_index: UnderscoredIndex,
    pub source_names: SourceNames,
    pub translations: TranslationRule,
    pub menu_paths: MenuPaths,
    pub settings_paths: SettingsPaths,
    /// Word of settings that are programs, for a function that gives pages other addresses.
    pub address_function: Option<&'static str>,
    pub wiki: WikiRule,
}

/// Starts of aliases, as in `@site/a` and `~/a`.
pub(super) const ALIASES: &[char] = &['@', '~'];

/// Feeds and site maps, which generators and their plugins write.
pub(super) const FEEDS: &[&str] = &[
    "atom.xml",
    "feed.json",
    "feed.xml",
    "feed_rss_created.xml",
    "feed_rss_updated.xml",
    "rss.xml",
    "sitemap-index.xml",
    "sitemap.xml",
];

/// Rules for files that are shown unchanged. Each generator overrides what differs.
pub(super) const FILES: SiteRules = SiteRules {
    markers: &[],
    marker_strength: MarkerStrength::Sure,
    command: None,
    more_settings: None,
    documents: DocumentRule::All,
    settings: SettingsRule::Marker,
    generator: GeneratorRule::Known,
    content_keys: &[],
    content_start: ContentStart::Settings,
    base_keys: &[],
    host_keys: &[],
    edit_key: None,
    content: &[],
    searched: &[],
    content_prefix: None,
    included_key: None,
    import_settings: &[],
    interfaces: None,
    inherit_key: None,
    content_rule: ContentRule::InsteadOfDefault,
    version_directories: &[],
    statics: &[],
    static_keys: &[],
    pages: PageRule::All,
    readmes: ReadmeRule::Pages,
    excluded_keys: &[],
    excluded: &[],
    parts: &[],
    part_keys: &[],
    part_names: &[],
    outputs: &[],
    slugs: Slugs::Github,
    slug_keys: &[],
    dialect: Dialect::ByExtension,
    endings: &["/README.md", "/index.md", "/readme.md", "/index.html"],
    swaps: &[],
    links: LinkBase::File,
    html_links: LinkBase::File,
    page_directories: PageDirectoryRule::Never,
    lookup: FileLookup::Beside,
    resources: ResourceRule::None,
    front_matter: FrontMatterRule::Rendered,
    autolinks: AutolinkRule::Text,
    markdown: MarkdownRule::Resolved,
    index: IndexRule::Named,
    directories: DirectoryRule::Listed,
    names: NameRule::Exact,
    languages: &[],
    language_names: LanguageNameRule::ByShape,
    untranslated: UntranslatedRule::Nothing,
    rooted: RootedRule::OfSite,
    root: RootRule::Known,
    mounts: None,
    more_mounts: MoreMounts::None,
    title_table: None,
    aliases: &[],
    hooks: &[],
    routes: None,
    dynamic: &[],
    address_keys: &[],
    address_base: AddressBase::Either,
    category_keys: &[],
    menu: MenuRule::Links,
    menus: &[],
    file_keys: &[],
    path_keys: &[],
    generated: &[],
    posts: &[],
    plugins: None,
    theme: None,
    constructs: &[],
    cross_ids: false,
    liquid: None,
    redirecting: &[],
    script_keys: &[],
    schemes: &[],
    dead: &[],
    has_cut_names: false,
    unresolved: UnresolvedLinks::Missing,
    missing_sources: MissingSources::Missing,
    documents_beside: DocumentsBeside::Apart,
    forge: ForgeRule::Elsewhere,
    layouts: LayoutRule::ShowText,
    base: BaseRule::Added,
    collections: CollectionRule::None,
    underscored_index: UnderscoredIndex::OtherName,
    source_names: SourceNames::OfPage,
    translations: TranslationRule::AsFound,
    menu_paths: MenuPaths::AsLinks,
    settings_paths: SettingsPaths::Settings,
    address_function: None,
    wiki: WikiRule::None,
};

/// A directory in which files are found: `<images dir="images"/>`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchedDirectory {
    pub element: &'static str,
    pub attributes: &'static [&'static str],
    pub default: &'static str,
    /// True if a file is found by its name, however deep it is.
    pub has_names: bool,
}

/// The names of settings that a command names, because they are not the usual ones of their
/// directory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoreSettings {
    pub start: &'static str,
    pub endings: &'static [&'static str],
    /// The setting with the content, without which they are for the same documents.
    pub key: &'static str,
}

/// Which directories in the directory of languages are those of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LanguageNameRule {
    /// All whose names look like a language.
    ByShape,
    /// The same, but a name that may also mean something else counts only if the settings list it:
    /// other content is beside the languages.
    Listed,
}

/// Evidential value of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkerStrength {
    /// The generator builds a site from the directory.
    Sure,
    /// The file may be a leftover or have another purpose. A stronger marker in the same directory
    /// wins.
    Weak,
}

/// Documents below a marker that belong to the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentRule {
    All,
    /// HTML and CSS.
    Pages,
    /// Everything else.
    Sources,
}

/// Place of the settings of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SettingsRule {
    /// In the marker.
    Marker,
    /// No settings: the marker is a generated index, which may be large.
    Nothing,
}

/// Tells whether the generator is known, and so the root and addresses of its site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GeneratorRule {
    Known,
    /// Roots and addresses are guesses.
    Unknown,
}

/// Base of a relative reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkBase {
    /// The file with the reference.
    File,
    /// The address of the page, which is a directory: `a/` for `a.md`.
    Page,
    /// Either, because themes differ.
    Either,
    /// The file, if the reference is the path of a file. Other references are not rewritten, so
    /// they are relative to the page.
    Unresolved,
}

/// Tells whether the address of a page is a directory: `/a/` for `a.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageDirectoryRule {
    Never,
    Always,
    /// If this setting has this value.
    IfSetting(&'static str, &'static str),
}

/// Relation of content directories in the settings to the default ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentRule {
    InsteadOfDefault,
    BesideDefault,
}

/// The directory at which the content directories in settings start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentStart {
    Settings,
    /// The one in which the build runs. Settings in the content say so: `dir: { input: 'docs' }` in
    /// `docs/.eleventy.js`.
    Build,
}

/// Tells whether the documents are the pages of a wiki.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WikiRule {
    None,
    /// Gollum's: pages are found by their names, wherever they are, and `[[label|name]]` is a link.
    Gollum,
}

/// Starting points of a file's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileLookup {
    /// The directory of the document.
    Beside,
    /// Without `./`, also the content and the site.
    ContentToo,
    /// Also the content, with or without `./`.
    ContentAnyway,
    /// On a site with several languages, also the directory around a bundle, and the content.
    AroundBundles,
}

/// Names of resources that are not paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResourceRule {
    None,
    /// Resource ids, `module:family$path`.
    Antora,
}

/// Treatment of unresolved relative references in Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkdownRule {
    /// A build resolves them, and reports those without a file.
    Resolved,
    /// They stay as they are, so that a browser resolves them against the page.
    Kept,
}

/// Treatment of bare addresses in Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AutolinkRule {
    /// They stay text.
    Text,
    /// They become links (GFM §6.9, and `linkify` of markdown-it and goldmark).
    Linked,
}

/// Treatment of strings in front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrontMatterRule {
    /// A template may render them as Markdown or HTML.
    Rendered,
    /// They are data about the document, which only a theme reads.
    Metadata,
}

/// Documents that are the page of their directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexRule {
    /// `index.md`, `README.md`.
    Named,
    /// Also the document named like its directory. Without a trailing slash, its page is beside the
    /// directory.
    LikeDirectory,
}

/// Directories that are pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DirectoryRule {
    /// All, as listings.
    Listed,
    /// Only those with an index.
    NeedsIndex,
}

/// Settings that make pages from descriptions of interfaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterfaceKeys {
    pub sources: &'static [&'static str],
    /// Setting with the directory of the pages.
    pub directory: &'static str,
    /// The directory if the setting is missing.
    pub default: &'static str,
}

/// A theme whose files may be outside of the checkout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThemeRule {
    /// Settings with its name.
    pub keys: &'static [&'static str],
    /// Directories of files that it publishes.
    pub directories: &'static [&'static str],
}

/// Files and values that Liquid tags include.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiquidRule {
    /// Setting with the directory of files to include, and the usual one.
    pub includes_key: &'static str,
    pub includes: &'static str,
    /// True if names of files are in quotation marks, and not as Jekyll has them.
    pub is_quoted: bool,
}

/// Relation between the names of pages and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameRule {
    /// Equal.
    Exact,
    /// In lower case, with hyphens for spaces, and without a leading number or date.
    Slugged,
    /// Like [`Slugged`](Self::Slugged), but names of files lose what github-slugger removes: the
    /// page of `v0.26.md` is `v026`.
    FileSlugged,
}

impl NameRule {
    /// True if addresses differ from names in their case and their hyphens.
    pub fn is_slugged(self) -> bool {
        self != Self::Exact
    }
}

/// Sources of which a generator makes pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageRule {
    All,
    /// Those that start with front matter. Others can only be included in them.
    WithFrontMatter,
}

/// Pages of documents called `README.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadmeRule {
    Pages,
    /// No page, if there is an `index.md` beside it.
    UnlessIndexExists,
}

/// The page that a path with a leading `/` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootedRule {
    /// The one below the root of the site.
    OfSite,
    /// The one in the language of the document.
    OfLanguage,
}

/// What `/` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootRule {
    /// What the settings say.
    Known,
    /// Also the directory that the links show, since a server may have rules of its own.
    Inferred,
}

/// Base of an address in front matter that does not start with `/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressBase {
    /// The root of the content.
    Root,
    /// The directory of the document.
    Directory,
    /// Either, because it depends on the key.
    Either,
}

/// Settings that show a directory at another path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MountKeys {
    pub source: &'static str,
    pub target: &'static str,
    /// Prefixes of targets that are mounted at `/`.
    pub roots: &'static [&'static str],
}

/// Settings of one generator that show directories at other paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoreMounts {
    None,
    /// `!include ./a/mkdocs.yml` in a menu: the documents of another project, below its name.
    Included,
    /// `defaults` with a `path` and a `permalink`.
    Permalinks,
    /// `addPassthroughCopy({ "a": "b" })`.
    Copied,
    /// `routeBasePath` among the options of a plugin.
    Routes,
}

/// Content shown where a translation has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UntranslatedRule {
    Nothing,
    /// Files of the first language that are not pages, such as pictures.
    Files,
    /// Its pages, too.
    All,
}

/// The program that resolves a reference to no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnresolvedLinks {
    /// None: the target is missing.
    Missing,
    /// rustdoc, as an item of code.
    Rust,
    /// Sphinx, as a label or an object.
    Sphinx,
    /// A bundler, as an alias, a package, a module of a plugin, or a path of its server.
    Bundler,
    /// A program of the site that answers requests.
    Routes,
    /// A build that adds documents to the existing ones. It also writes the settings.
    Build,
    /// A program of the site that rewrites links while pages are made.
    Hooks,
}

/// Meaning of a reference to a source (`a.md`) in a missing directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingSources {
    Missing,
    /// A page of another book: mdBook turns each `.md` into `.html`, whether or not the file
    /// exists.
    MayBeOfAnotherBook,
}

/// Tells whether a tool may copy documents from beside the content into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentsBeside {
    Apart,
    AmongPages,
}

/// Tells whether documents are shown on a forge, which adds pages of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForgeRule {
    Elsewhere,
    OnForge,
}

/// What layouts show of a page without text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayoutRule {
    /// Its text: nothing.
    ShowText,
    /// Perhaps its data, with ids that the layout makes.
    MayShowData,
}

/// Tells whether addresses in documents get the base of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseRule {
    Added,
    /// They have it as written; without it, they lead to another site of the host.
    Written,
}

/// Tells whether directories of documents have an underscore that their addresses lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CollectionRule {
    None,
    /// `_guides/a.md` is `/guides/a`.
    Underscored,
}

/// Meaning of `_index.md` for the address of `index.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnderscoredIndex {
    /// It is a file of another name.
    OtherName,
    /// It is found, too.
    Found,
}

/// Names by which references find sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceNames {
    /// Also other ones that the page may have.
    OfPage,
    /// The name of the file only.
    OfFile,
}

/// The page that a reference to a page of another language leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TranslationRule {
    AsFound,
    /// The same page in the language of the document, if it exists.
    Own,
}

/// Meaning of paths in a menu that start with neither `/` nor `.`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuPaths {
    AsLinks,
    /// Ids of documents, which start at a content directory, or addresses.
    Ids,
    /// Addresses without their slash.
    Rooted,
}

/// Directory in which files that settings name are looked for first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SettingsPaths {
    /// That of the settings, then the root and the content.
    Settings,
    /// The content, then the root and that of the settings.
    Content,
    /// The root, then that of the settings.
    Root,
}
