//! What kinds of sites there are, as a table: how each generator finds pages and names anchors.
//!
//! A new generator is a variant of [`Profile`] and a row here; nothing else asks which one it is.

use crate::audit::Slugs;
use crate::named::named_enum;

named_enum! {
    "urigrep::audit::Profile", "profiles of sites";
    /// What makes a site of documents, and so decides where their links lead.
    #[derive(Default, PartialOrd, Ord)]
    pub enum Profile {
        /// Unknown: only what is wrong in all of them is found.
        #[default]
        Any = "any",
        /// The pages of a repository on GitHub.
        Github = "github",
        /// The pages of a repository on GitLab.
        Gitlab = "gitlab",
        /// Files as they are, such as the output of a generator.
        Html = "html",
        /// Antora.
        Antora = "antora",
        /// Astro and Starlight.
        Astro = "astro",
        /// Docusaurus.
        Docusaurus = "docusaurus",
        /// Zola; before Hugo, whose settings have the same name.
        Zola = "zola",
        /// Hugo.
        Hugo = "hugo",
        /// Jekyll and GitHub Pages.
        Jekyll = "jekyll",
        /// mdBook.
        Mdbook = "mdbook",
        /// MkDocs and Material for MkDocs.
        Mkdocs = "mkdocs",
        /// rustdoc: the Markdown of a crate.
        Rustdoc = "rustdoc",
        /// Sphinx with MyST.
        Sphinx = "sphinx",
        /// VitePress and VuePress.
        Vitepress = "vitepress",
    }
}

/// To what a relative reference is relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkBase {
    /// The file that it is written in.
    File,
    /// The address of the page, which is a directory: `a/` for `a.md`.
    Page,
    /// Themes differ.
    Either,
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

/// A row of the table. Without the engine, nobody looks for markers.
#[derive(Debug)]
#[cfg_attr(not(feature = "search"), allow(dead_code))]
pub(crate) struct ProfileRules {
    /// Files and directories that show it; `*` stands for any rest of the name, and what follows `#` is in the file.
    pub markers: &'static [&'static str],
    /// Names of keys of the marker that say where the content is.
    pub content_keys: &'static [&'static str],
    /// Names of keys of the marker that hold the address of the site.
    pub base_keys: &'static [&'static str],
    /// Where the content is, from the marker's directory, unless a key says so; of several, those that exist.
    pub content: &'static [&'static str],
    /// What a path starts with that is one from the content on.
    pub from_content: Option<&'static str>,
    /// The key of the marker that names settings to add, those of another site, whose content is shown where its own is missing.
    pub inherits: Option<&'static str>,
    /// Whether they hold all of it.
    pub settings: ContentRule,
    /// The directories of versions, each with the content of one in a directory of its own.
    pub versions: &'static [&'static str],
    /// Where other files are that the site has.
    pub statics: &'static [&'static str],
    /// Where the finished site is put.
    pub outputs: &'static [&'static str],
    pub slugs: Slugs,
    /// What may follow a path that names no file.
    pub endings: &'static [&'static str],
    /// What the end of such a path may stand for.
    pub swaps: &'static [(&'static str, &'static str)],
    pub links: LinkBase,
    /// The same for HTML within Markdown.
    pub html_links: LinkBase,
    pub lookup: FileLookup,
    pub index: IndexRule,
    pub directories: DirectoryRule,
    pub names: NameRule,
    /// Where the content of languages is, by their names.
    pub languages: &'static [&'static str],
    /// Files, and words after `#` in the marker, of a site whose own programs read its links.
    pub hooks: &'static [&'static str],
    /// Keys of front matter that give a page its address, or more of them.
    pub addresses: &'static [&'static str],
    /// Paths whose pages it makes of other things: lists of tags.
    pub made: &'static [&'static str],
    /// Directories of posts, of which it makes a page.
    pub posts: &'static [&'static str],
    /// Schemes that it gives a meaning.
    pub schemes: &'static [&'static str],
    pub items: ItemRule,
    pub forge: ForgeRule,
}

impl Profile {
    pub(crate) fn rules(self) -> &'static ProfileRules {
        match self {
            Self::Any => &ANY,
            Self::Github => &GITHUB,
            Self::Gitlab => &GITLAB,
            Self::Html => &HTML,
            Self::Antora => &ANTORA,
            Self::Astro => &ASTRO,
            Self::Docusaurus => &DOCUSAURUS,
            Self::Hugo => &HUGO,
            Self::Jekyll => &JEKYLL,
            Self::Mdbook => &MDBOOK,
            Self::Mkdocs => &MKDOCS,
            Self::Rustdoc => &RUSTDOC,
            Self::Sphinx => &SPHINX,
            Self::Vitepress => &VITEPRESS,
            Self::Zola => &ZOLA,
        }
    }
}

/// Files as they are.
const FILES: ProfileRules = ProfileRules {
    markers: &[],
    content_keys: &[],
    base_keys: &[],
    content: &[],
    from_content: None,
    inherits: None,
    settings: ContentRule::There,
    versions: &[],
    statics: &[],
    outputs: &[],
    slugs: Slugs::Github,
    endings: &["/README.md", "/index.md", "/readme.md", "/index.html"],
    swaps: &[],
    links: LinkBase::File,
    html_links: LinkBase::File,
    lookup: FileLookup::Beside,
    index: IndexRule::Named,
    directories: DirectoryRule::Listed,
    names: NameRule::Exact,
    languages: &[],
    hooks: &[],
    addresses: &[],
    made: &[],
    posts: &[],
    schemes: &[],
    items: ItemRule::Nothing,
    forge: ForgeRule::Elsewhere,
};

static GITHUB: ProfileRules = ProfileRules { forge: ForgeRule::OnForge, ..FILES };

static GITLAB: ProfileRules =
    ProfileRules { slugs: Slugs::Gitlab, forge: ForgeRule::OnForge, ..FILES };

static HTML: ProfileRules = ProfileRules {
    markers: &[
        "static.files",
        "objects.inv",
        "searchindex.js",
        "searchindex.json",
        "genindex.html",
    ],
    content: &["."],
    endings: &["/index.html", ".html"],
    ..FILES
};

static ANY: ProfileRules = ProfileRules {
    markers: &[
        "_config.js",
        "_config.ts",
        ".eleventy.js",
        ".gitbook.yaml",
        "docs.json",
        "eleventy.config.*",
        "gatsby-config.*",
        "gridsome.config.*",
        "mint.json",
        "nanoc.yaml",
        "next.config.*",
        "nuxt.config.*",
        "pelicanconf.py",
        "redocly.yaml",
        "svelte.config.*",
    ],
    content: &["."],
    statics: &["public", "static", "src"],
    slugs: Slugs::Any,
    endings: &[
        ".md",
        ".mdx",
        ".html",
        "/index.md",
        "/index.mdx",
        "/README.md",
        "/_index.md",
        "/index.html",
        "/readme.md",
    ],
    swaps: &[(".html", ".md"), (".htm", ".md"), ("/index.html", "/README.md")],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    items: ItemRule::Rust,
    forge: ForgeRule::OnForge,
    ..FILES
};

static ANTORA: ProfileRules = ProfileRules {
    markers: &["antora.yml"],
    content: &["modules"],
    statics: &["modules/ROOT/pages", "modules/ROOT/assets"],
    outputs: &["build/site"],
    endings: &[".adoc", "/index.adoc"],
    swaps: &[(".html", ".adoc")],
    ..FILES
};

static ASTRO: ProfileRules = ProfileRules {
    markers: &["astro.config.*"],
    base_keys: &["base"],
    content: &["src/content/docs", "src/content", "src/pages"],
    statics: &["public"],
    outputs: &["dist"],
    endings: &[
        ".md",
        ".mdx",
        ".astro",
        "/index.md",
        "/index.mdx",
        "/index.astro",
        ".html",
        "/index.html",
    ],
    swaps: &[],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    directories: DirectoryRule::NeedsIndex,
    names: NameRule::Slugged,
    languages: &["src/content/docs"],
    addresses: &["slug"],
    ..FILES
};

static DOCUSAURUS: ProfileRules = ProfileRules {
    markers: &["docusaurus.config.*"],
    content_keys: &["path"],
    settings: ContentRule::ThereToo,
    versions: &["versioned_docs", "docusaurus-plugin-content-docs"],
    base_keys: &["baseUrl"],
    content: &["docs", "blog", "src/pages", "versioned_docs", "i18n", "community", "src"],
    statics: &["static", "."],
    outputs: &["build"],
    endings: &[
        ".md",
        ".mdx",
        "/index.md",
        "/index.mdx",
        "/README.md",
        "/README.mdx",
        ".js",
        ".jsx",
        ".tsx",
        "/index.js",
        "/index.tsx",
        ".html",
        "/index.html",
    ],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    lookup: FileLookup::ContentToo,
    index: IndexRule::LikeDirectory,
    directories: DirectoryRule::NeedsIndex,
    names: NameRule::Slugged,
    languages: &["i18n"],
    addresses: &["slug", "id"],
    made: &[
        "docs/tags",
        "blog/tags",
        "blog/archive",
        "blog/page",
        "tags",
        "search",
        "category",
        "docs/category",
    ],
    posts: &["blog"],
    schemes: &["pathname"],
    ..FILES
};

static HUGO: ProfileRules = ProfileRules {
    markers: &[
        "hugo.toml",
        "hugo.yaml",
        "hugo.yml",
        "hugo.json",
        "config/_default",
        "config.toml",
        "config.yaml",
    ],
    content_keys: &["contentDir", "contentdir"],
    base_keys: &["baseURL", "baseurl", "baseUrl"],
    content: &["content"],
    statics: &["static", "assets"],
    outputs: &["public"],
    endings: &[
        ".md",
        "/index.md",
        "/_index.md",
        ".html",
        "/index.html",
        "/_index.html",
        ".adoc",
        "/README.md",
    ],
    swaps: &[(".html", ".md"), ("/index.html", "/_index.md")],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    names: NameRule::Slugged,
    languages: &["content"],
    hooks: &["layouts/_markup/render-link.html", "layouts/_default/_markup/render-link.html"],
    addresses: &["url", "slug", "aliases"],
    made: &["tags", "categories", "index.xml", "sitemap.xml"],
    ..FILES
};

static JEKYLL: ProfileRules = ProfileRules {
    markers: &["_config.yml", "_config.yaml"],
    content_keys: &["source"],
    base_keys: &["baseurl"],
    content: &["."],
    outputs: &["_site"],
    slugs: Slugs::Jekyll,
    endings: &[".md", ".markdown", ".html", "/index.md", "/index.html", "/README.md"],
    swaps: &[(".html", ".md"), (".html", ".markdown"), ("/index.html", "/README.md")],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    names: NameRule::Slugged,
    addresses: &["permalink", "redirect_from"],
    made: &["feed.xml", "sitemap.xml"],
    ..FILES
};

static MDBOOK: ProfileRules = ProfileRules {
    markers: &["book.toml"],
    content_keys: &["src"],
    base_keys: &["site-url"],
    content: &["src"],
    outputs: &["book"],
    slugs: Slugs::Mdbook,
    hooks: &["#[preprocessor."],
    endings: &["/index.md", "/README.md", "/index.html"],
    swaps: &[(".html", ".md"), ("/index.html", "/README.md")],
    ..FILES
};

static MKDOCS: ProfileRules = ProfileRules {
    markers: &["mkdocs.yml", "mkdocs.yaml"],
    content_keys: &["docs_dir"],
    base_keys: &["site_url"],
    content: &["docs"],
    inherits: Some("INHERIT"),
    outputs: &["site"],
    slugs: Slugs::Mkdocs,
    hooks: &["#hooks:", "#autorefs", "#mkdocstrings"],
    endings: &[".md", "/index.md", "/README.md", ".html", "/index.html"],
    swaps: &[("/index.html", "/index.md"), ("/index.html", ".md")],
    html_links: LinkBase::Page,
    directories: DirectoryRule::NeedsIndex,
    ..FILES
};

static RUSTDOC: ProfileRules = ProfileRules {
    markers: &["Cargo.toml"],
    content: &["."],
    outputs: &["target/doc"],
    items: ItemRule::Rust,
    forge: ForgeRule::OnForge,
    ..FILES
};

static SPHINX: ProfileRules = ProfileRules {
    markers: &["conf.py", "myst.yml"],
    content: &["."],
    statics: &["_static", "_extra"],
    outputs: &["_build/html", "build/html"],
    slugs: Slugs::Sphinx,
    endings: &[".md", ".rst", ".ipynb", ".txt"],
    swaps: &[(".html", ".md"), (".html", ".rst")],
    made: &["genindex", "modindex", "py-modindex", "search", "_modules"],
    schemes: &["inv", "myst", "path", "project", "ror", "rrid", "wiki", "xref"],
    items: ItemRule::Sphinx,
    ..FILES
};

static VITEPRESS: ProfileRules = ProfileRules {
    markers: &[".vitepress", ".vuepress"],
    content_keys: &["srcDir"],
    base_keys: &["base"],
    content: &["."],
    statics: &["public", ".vuepress/public"],
    outputs: &[".vitepress/dist"],
    slugs: Slugs::Vitepress,
    endings: &[".md", "/index.md", "/README.md", ".html", "/index.html"],
    swaps: &[(".html", ".md"), ("/index.html", "/index.md")],
    directories: DirectoryRule::NeedsIndex,
    ..FILES
};

static ZOLA: ProfileRules = ProfileRules {
    markers: &["config.toml#base_url"],
    base_keys: &["base_url"],
    content: &["content"],
    from_content: Some("@/"),
    statics: &["static"],
    outputs: &["public"],
    slugs: Slugs::Any,
    endings: &[".md", "/index.md", "/_index.md"],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    names: NameRule::Slugged,
    addresses: &["path", "slug", "aliases"],
    made: &["tags", "categories", "atom.xml", "rss.xml", "sitemap.xml"],
    ..FILES
};
