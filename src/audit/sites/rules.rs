//! In which ways generators differ: [`SiteRules`], of which each generator has one in a file of its own.
//!
//! A new generator is a file with its `RULES`, a variant of [`Profile`](super::Profile), and a line in
//! `Profile::rules`. The checks ask the rules, never which generator it is.

use std::borrow::Cow;
use std::path::Path;

use crate::audit::Slugs;

/// What one generator does with the files of a tree.
///
/// Without the feature `search` no tree is walked, so nothing looks for markers.
#[derive(Debug)]
pub(crate) struct SiteRules {
    /// Files and directories by which the generator is detected; `*` stands for any rest of the name. After `#` comes a
    /// word that must be in the file.
    pub markers: &'static [&'static str],
    pub marker_strength: MarkerStrength,
    /// Which documents below the marker belong to the site.
    pub documents: DocumentRule,
    pub settings: SettingsRule,
    pub generator: GeneratorRule,
    /// Keys of the settings that name directories of content.
    pub content_keys: &'static [&'static str],
    /// Keys of the settings that hold the address of the site.
    pub base_keys: &'static [&'static str],
    /// Directories of content, relative to the directory of the marker, for settings that name none.
    pub content: &'static [&'static str],
    /// A path that starts with this is relative to the content: `@site/a`.
    pub content_prefix: Option<&'static str>,
    /// The key that names the settings of another site, whose content is shown where this site has none.
    pub inherit_key: Option<&'static str>,
    pub content_rule: ContentRule,
    /// Directories that hold versions: each directory in them is the content of one version.
    pub version_directories: &'static [&'static str],
    /// Directories whose files are copied to `/`.
    pub statics: &'static [&'static str],
    /// Directories of templates and of documents that are included in pages.
    pub parts: &'static [&'static str],
    /// Names of such directories, if others that start with `_` hold pages.
    pub part_names: &'static [&'static str],
    /// Where the generator writes the finished site.
    pub outputs: &'static [&'static str],
    pub slugs: Slugs,
    pub dialect: Dialect,
    /// Endings that are tried after a path that names no file.
    pub endings: &'static [&'static str],
    /// Endings that are replaced in such a path.
    pub swaps: &'static [(&'static str, &'static str)],
    pub links: LinkBase,
    /// The same for HTML within Markdown.
    pub html_links: LinkBase,
    pub lookup: FileLookup,
    pub index: IndexRule,
    pub directories: DirectoryRule,
    pub names: NameRule,
    /// Directories that hold a directory for each language.
    pub languages: &'static [&'static str],
    pub untranslated: UntranslatedRule,
    /// Keys of settings that show a directory in another place.
    pub mounts: Option<MountKeys>,
    /// The table of settings that makes addresses of titles.
    pub title_table: Option<&'static str>,
    /// Characters that start a name which a bundler replaces.
    pub aliases: &'static [char],
    /// Files of programs that change links, and words of the settings that turn such programs on (after `#`).
    pub hooks: &'static [&'static str],
    /// The directory of programs that answer addresses, and the word in the settings of a theme that makes pages from files
    /// all the same.
    pub routes: Option<(&'static str, &'static str)>,
    /// Keys of front matter that give a page its address, or more of them.
    pub address_keys: &'static [&'static str],
    /// Paths of pages that no file stands for, such as lists of tags. Files with these names are generated in any directory.
    pub generated: &'static [&'static str],
    /// Directories of posts, for which a list is generated.
    pub posts: &'static [&'static str],
    /// Schemes that only this generator understands.
    pub schemes: &'static [&'static str],
    pub unresolved: UnresolvedLinks,
    pub missing_sources: MissingSources,
    pub documents_beside: DocumentsBeside,
    pub forge: ForgeRule,
}

/// `@site/a`, `~/a`.
pub(super) const ALIASES: &[char] = &['@', '~'];

/// Feeds that plugins generate.
pub(super) const FEEDS: &[&str] = &[
    "atom.xml",
    "feed.json",
    "feed.xml",
    "feed_rss_created.xml",
    "feed_rss_updated.xml",
    "rss.xml",
];

/// Files that are shown as they are. Each generator starts from here and says what it does otherwise.
pub(super) const FILES: SiteRules = SiteRules {
    markers: &[],
    marker_strength: MarkerStrength::Sure,
    documents: DocumentRule::All,
    settings: SettingsRule::Marker,
    generator: GeneratorRule::Known,
    content_keys: &[],
    base_keys: &[],
    content: &[],
    content_prefix: None,
    inherit_key: None,
    content_rule: ContentRule::InsteadOfDefault,
    version_directories: &[],
    statics: &[],
    parts: &[],
    part_names: &[],
    outputs: &[],
    slugs: Slugs::Github,
    dialect: Dialect::ByExtension,
    endings: &["/README.md", "/index.md", "/readme.md", "/index.html"],
    swaps: &[],
    links: LinkBase::File,
    html_links: LinkBase::File,
    lookup: FileLookup::Beside,
    index: IndexRule::Named,
    directories: DirectoryRule::Listed,
    names: NameRule::Exact,
    languages: &[],
    untranslated: UntranslatedRule::Nothing,
    mounts: None,
    title_table: None,
    aliases: &[],
    hooks: &[],
    routes: None,
    address_keys: &[],
    generated: &[],
    posts: &[],
    schemes: &[],
    unresolved: UnresolvedLinks::Missing,
    missing_sources: MissingSources::Missing,
    documents_beside: DocumentsBeside::Apart,
    forge: ForgeRule::Elsewhere,
};

/// How much a marker proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkerStrength {
    /// The generator makes a site of the directory.
    Sure,
    /// The file may be left over, or be there for another reason: a stronger marker in the same directory wins.
    Weak,
}

/// Which documents below a marker belong to the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentRule {
    All,
    /// HTML and CSS.
    Pages,
    /// Everything else.
    Sources,
}

/// Where the settings of a site are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SettingsRule {
    /// In the marker.
    Marker,
    /// There are none: the marker is a generated index, which may be large.
    Nothing,
}

/// Whether the generator, and so the root and the addresses of its site, are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GeneratorRule {
    Known,
    /// Roots are guesses, and so are addresses.
    Unknown,
}

/// How the Markdown of a site differs from CommonMark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// As the extension of the file says.
    ByExtension,
    /// Docusaurus reads `.md` as MDX, too.
    Mdx,
    /// kramdown and Python-Markdown read Markdown in tags such as `<em>` in lines of their own.
    Kramdown,
}

impl Dialect {
    /// The name by whose extension a document is read.
    pub fn read_as(self, path: &Path) -> Cow<'_, Path> {
        match self {
            Self::ByExtension => Cow::Borrowed(path),
            Self::Mdx => Cow::Owned(path.with_extension("mdx")),
            Self::Kramdown => Cow::Owned(path.with_extension("kramdown")),
        }
    }
}

/// The base of a relative reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkBase {
    /// The file that it is written in.
    File,
    /// The address of the page, which is a directory: `a/` for `a.md`.
    Page,
    /// Themes differ.
    Either,
    /// The file for the path of a file. Anything else is left as it is written, and so is relative to the page.
    Unresolved,
}

/// Whether directories of content that settings name replace the default ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentRule {
    InsteadOfDefault,
    BesideDefault,
}

/// Where the path of a file may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileLookup {
    /// At the document.
    Beside,
    /// Without `./`, at the content and the site too.
    ContentToo,
}

/// Which document is the page of its directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexRule {
    /// `index.md`, `README.md`.
    Named,
    /// Also the one with the name of the directory. Without a slash at the end, its page is beside the directory.
    LikeDirectory,
}

/// Whether a directory is a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DirectoryRule {
    /// It is listed.
    Listed,
    /// It needs an index.
    NeedsIndex,
}

/// Whether the names of pages are those of their files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameRule {
    /// Letter by letter.
    Exact,
    /// In lower case, with hyphens for spaces, without a number or a date in front.
    Slugged,
}

/// Keys of settings that show a directory in another place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MountKeys {
    pub source: &'static str,
    pub target: &'static str,
    /// Starts of targets that are at `/`.
    pub roots: &'static [&'static str],
}

/// What is shown where a translation has nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UntranslatedRule {
    Nothing,
    /// The files of the first language that are no pages: pictures.
    Files,
    /// Its pages too.
    All,
}

/// Who resolves a reference that names no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnresolvedLinks {
    /// Nobody: its target is missing.
    Missing,
    /// rustdoc, as an item of code.
    Rust,
    /// Sphinx, as a label or an object.
    Sphinx,
    /// A bundler, as an alias, a package, a module of a plugin, or a path of its server.
    Bundler,
    /// A program of the site that answers requests.
    Routes,
    /// A build that puts documents among those that are here; it writes the settings, too.
    Build,
    /// A program of the site that changes links while pages are made.
    Hooks,
}

/// What a reference to a source (`a.md`) in a directory that is not there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingSources {
    Missing,
    /// A page of another book: mdBook turns each `.md` into `.html`, whether the file is there or not.
    MayBeOfAnotherBook,
}

/// Whether a tool may put documents from beside the content among the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentsBeside {
    Apart,
    AmongPages,
}

/// Whether documents are shown on the pages of a forge, which has pages of its own around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForgeRule {
    Elsewhere,
    OnForge,
}
