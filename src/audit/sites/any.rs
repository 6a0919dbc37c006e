//! An unknown or unsupported generator: only links that fail with every generator are reported.
//!
//! The markers show that some generator is used, so the roots and addresses of its site are
//! guesses.

use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{
    ALIASES, FILES, FileLookup, ForgeRule, GeneratorRule, LinkBase, MarkerStrength, SiteRules,
    UnresolvedLinks,
};
use crate::audit::Slugs;
use crate::document::LinkOrigin;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &[
        "_config.js",
        "_config.ts",
        // Hexo.
        "_config.yml#new_post_name:",
        "bridgetown.config.yml",
        "config/initializers.rb#Bridgetown",
        "gatsby-config.*",
        "gridsome.config.*",
        "index.html#docsify",
        // Documenter.jl and ExDoc.
        "make.jl#makedocs",
        "mix.exs#:ex_doc",
        "nanoc.yaml",
        "next.config.*",
        "nuxt.config.*",
        "pelicanconf.py",
        "redocly.yaml",
        "svelte.config.*",
    ],
    content: &["."],
    statics: &["public", "static", "src", "source"],
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
    lookup: FileLookup::ContentToo,
    aliases: ALIASES,
    unresolved: UnresolvedLinks::Rust,
    forge: ForgeRule::OnForge,
    marker_strength: MarkerStrength::Weak,
    generator: GeneratorRule::Unknown,
    constructs: &[LinkOrigin::Mdc],
    menus: &[
        // Nextra and Fumadocs.
        MenuFile { path: "_meta.*", keys: MenuKeys::Below(&[]), values: MenuValues::PageKeys },
        MenuFile { path: "meta.json", keys: MenuKeys::Below(&[]), values: MenuValues::PageList },
    ],
    ..FILES
};
