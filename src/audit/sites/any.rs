//! A generator that is not known, or one whose rules are not here: only what is wrong in all of them is found.
//!
//! The markers show that some generator is at work, so that its roots and addresses are guesses.

use super::rules::{
    ALIASES, FILES, ForgeRule, GeneratorRule, LinkBase, MarkerStrength, SiteRules, UnresolvedLinks,
};
use crate::audit::Slugs;

pub(super) static RULES: SiteRules = SiteRules {
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
    unresolved: UnresolvedLinks::Rust,
    forge: ForgeRule::OnForge,
    marker_strength: MarkerStrength::Weak,
    generator: GeneratorRule::Unknown,
    ..FILES
};
