//! In which ways generators differ: what the columns of the table of profiles may hold.

/// To what a relative reference is relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkBase {
    /// The file that it is written in.
    File,
    /// The address of the page, which is a directory: `a/` for `a.md`.
    Page,
    /// Themes differ.
    Either,
    /// The file for the path of one; all else stays as it is written, and is relative to the page then.
    Unresolved,
}

/// Where the content is of which settings name directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "search"), allow(dead_code))]
pub(crate) enum ContentRule {
    /// There alone.
    There,
    /// There, and where it is by default.
    ThereToo,
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
    /// Also the one that is called as the directory. Without a slash at the end, its page is beside the directory.
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

/// How settings say that a directory is shown in another place.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "search"), allow(dead_code))]
pub(crate) struct MountKeys {
    pub source: &'static str,
    pub target: &'static str,
    /// What targets start with that are at `/`.
    pub roots: &'static [&'static str],
}

/// What is shown where a translation has nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "search"), allow(dead_code))]
pub(crate) enum FallbackRule {
    Nothing,
    /// The files of the first language that are no pages: pictures.
    Files,
    /// Its pages too.
    All,
}

/// What a reference may name that is no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemRule {
    Nothing,
    /// An item of Rust.
    Rust,
    /// A label or an object of Sphinx.
    Sphinx,
    /// A name that a bundler looks up: an alias, a package, a module of a plugin, a path of a server.
    #[cfg_attr(not(feature = "search"), allow(dead_code))]
    Bundler,
    /// A page that a program of the site makes when it is asked for, or one of another name.
    #[cfg_attr(not(feature = "search"), allow(dead_code))]
    Routes,
    /// What a build puts among the documents, for which it makes the settings too.
    #[cfg_attr(not(feature = "search"), allow(dead_code))]
    Build,
    /// Whatever a program of the site itself makes of it.
    #[cfg_attr(not(feature = "search"), allow(dead_code))]
    Hooks,
}

/// Whether documents are shown on the pages of a forge, which has pages of its own around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForgeRule {
    Elsewhere,
    OnForge,
}
