//! What kinds of sites there are, as a table: how each generator finds pages and names anchors.
//!
//! A new generator is a variant of [`Profile`] and a row here; nothing else asks which one it is.

use super::rules::{
    ContentRule, DirectoryRule, FallbackRule, FileLookup, ForgeRule, IndexRule, ItemRule, LinkBase,
    MountKeys, NameRule,
};
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
        /// Sphinx with MyST; before Jekyll, whose settings have the name of those of Jupyter Book.
        Sphinx = "sphinx",
        /// Jekyll and GitHub Pages.
        Jekyll = "jekyll",
        /// mdBook.
        Mdbook = "mdbook",
        /// MkDocs and Material for MkDocs.
        Mkdocs = "mkdocs",
        /// rustdoc: the Markdown of a crate.
        Rustdoc = "rustdoc",
        /// VitePress and VuePress.
        Vitepress = "vitepress",
    }
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
    /// Where parts of pages are.
    pub parts: &'static [&'static str],
    /// Names of directories of parts, if others that start with `_` hold pages.
    pub part_names: &'static [&'static str],
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
    pub untranslated: FallbackRule,
    /// Keys of settings that show a directory in another place.
    pub mounts: Option<MountKeys>,
    /// The table of settings that makes addresses of titles.
    pub titles: Option<&'static str>,
    /// What the first name of a path starts with that a bundler replaces.
    pub aliases: &'static [char],
    /// Files, and words after `#` in the marker, of a site whose own programs read its links.
    pub hooks: &'static [&'static str],
    /// Where programs are that answer addresses, and the word in the settings of a theme that makes pages all the same.
    pub routes: Option<(&'static str, &'static str)>,
    /// Keys of front matter that give a page its address, or more of them.
    pub addresses: &'static [&'static str],
    /// Paths whose pages it makes of other things: lists of tags. Files with these names are made anywhere.
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

/// `@site/a`, `~/a`.
const ALIASES: &[char] = &['@', '~'];

/// What plugins make for readers of news.
const FEEDS: &[&str] = &[
    "atom.xml",
    "feed.json",
    "feed.xml",
    "feed_rss_created.xml",
    "feed_rss_updated.xml",
    "rss.xml",
];

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
    parts: &[],
    part_names: &[],
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
    untranslated: FallbackRule::Nothing,
    mounts: None,
    titles: None,
    aliases: &[],
    hooks: &[],
    routes: None,
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
    aliases: ALIASES,
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
    parts: &["src/components", "src/includes", "src/layouts", "src/partials", "src/snippets"],
    outputs: &["dist"],
    slugs: Slugs::GithubSlugger,
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
    untranslated: FallbackRule::All,
    aliases: ALIASES,
    routes: Some(("src/pages", "starlight")),
    addresses: &["slug"],
    made: FEEDS,
    ..FILES
};

static DOCUSAURUS: ProfileRules = ProfileRules {
    markers: &["docusaurus.config.*"],
    content_keys: &["path"],
    settings: ContentRule::ThereToo,
    versions: &["versioned_docs", "docusaurus-plugin-content-docs"],
    base_keys: &["baseUrl"],
    content: &["docs", "blog", "src/pages", "versioned_docs", "i18n", "community", "src"],
    from_content: Some("@site/"),
    statics: &["static", "."],
    outputs: &["build"],
    slugs: Slugs::GithubSlugger,
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
    mounts: Some(MountKeys { source: "path", target: "routeBasePath", roots: &[""] }),
    aliases: ALIASES,
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
    parts: &["layouts", "archetypes", "assets"],
    outputs: &["public"],
    slugs: Slugs::GithubSlugger,
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
    untranslated: FallbackRule::Files,
    titles: Some("permalinks"),
    mounts: Some(MountKeys { source: "source", target: "target", roots: &["content", "static"] }),
    hooks: &["layouts/_markup/render-link.html", "layouts/_default/_markup/render-link.html"],
    addresses: &["url", "slug", "aliases", "from"],
    made: &["tags", "categories", "index.xml", "sitemap.xml"],
    ..FILES
};

static JEKYLL: ProfileRules = ProfileRules {
    markers: &["_config.yml", "_config.yaml"],
    content_keys: &["source"],
    base_keys: &["baseurl"],
    content: &["."],
    parts: &["node_modules", "vendor"],
    part_names: &["_data", "_includes", "_layouts", "_plugins", "_sass"],
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
    markers: &["book.toml", "book.toml.in"],
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
    markers: &["mkdocs.yml", "mkdocs.yaml", "mkdocs.yml.in"],
    content_keys: &["docs_dir"],
    base_keys: &["site_url"],
    content: &["docs"],
    inherits: Some("INHERIT"),
    parts: &["docs/includes", "docs/snippets", "includes", "snippets"],
    outputs: &["site"],
    slugs: Slugs::Mkdocs,
    hooks: &["#hooks:", "#autorefs", "#mkdocstrings"],
    endings: &[".md", "/index.md", "/README.md", ".html", "/index.html"],
    swaps: &[("/index.html", "/index.md"), ("/index.html", ".md")],
    links: LinkBase::Unresolved,
    made: FEEDS,
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
    markers: &["conf.py", "myst.yml", "_toc.yml", "conf.py.in"],
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
    settings: ContentRule::ThereToo,
    base_keys: &["base"],
    content: &["."],
    statics: &["public", ".vuepress/public"],
    outputs: &[".vitepress/dist"],
    slugs: Slugs::Vitepress,
    endings: &[".md", "/index.md", "/README.md", ".html", "/index.html"],
    swaps: &[(".html", ".md"), ("/index.html", "/index.md")],
    directories: DirectoryRule::NeedsIndex,
    aliases: ALIASES,
    made: FEEDS,
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
