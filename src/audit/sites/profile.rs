//! The supported generators, named as in `--site`: [`Profile`].

use super::rules::SiteRules;
use super::{
    antora, any, astro, docusaurus, eleventy, gitbook, github, gitlab, html, hugo, jekyll, mdbook,
    mintlify, mkdocs, quarto, rspress, rustdoc, sphinx, vitepress, wiki, writerside, zola,
};
use crate::named::named_enum;

named_enum! {
    "urigrep::audit::Profile", "profiles of sites";
    /// The generator of a site, which decides where links lead.
    ///
    /// If a directory has markers of several generators, the first of them wins.
    #[derive(Default, PartialOrd, Ord)]
    pub enum Profile {
        /// Unknown; only links that fail with every generator are reported.
        #[default]
        Any = "any",
        /// A repository on GitHub.
        Github = "github",
        /// A repository on GitLab.
        Gitlab = "gitlab",
        /// Published files, such as the output of a generator.
        Html = "html",
        /// Antora.
        Antora = "antora",
        /// Astro and Starlight.
        Astro = "astro",
        /// Docusaurus.
        Docusaurus = "docusaurus",
        /// Eleventy.
        Eleventy = "eleventy",
        /// GitBook.
        Gitbook = "gitbook",
        /// Zola. Before Hugo, whose settings have the same name.
        Zola = "zola",
        /// Hugo.
        Hugo = "hugo",
        /// Sphinx with MyST. Before Jekyll, whose settings have the same name as those of Jupyter
        /// Book.
        Sphinx = "sphinx",
        /// Jekyll and GitHub Pages.
        Jekyll = "jekyll",
        /// mdBook.
        Mdbook = "mdbook",
        /// Mintlify.
        Mintlify = "mintlify",
        /// MkDocs and Material for MkDocs.
        Mkdocs = "mkdocs",
        /// Quarto.
        Quarto = "quarto",
        /// Rspress.
        Rspress = "rspress",
        /// rustdoc, for the Markdown of a crate.
        Rustdoc = "rustdoc",
        /// VitePress and VuePress.
        Vitepress = "vitepress",
        /// A wiki of GitHub or GitLab.
        Wiki = "wiki",
        /// Writerside.
        Writerside = "writerside",
    }
}

impl Profile {
    pub(crate) fn rules(self) -> &'static SiteRules {
        match self {
            Self::Any => &any::RULES,
            Self::Github => &github::RULES,
            Self::Gitlab => &gitlab::RULES,
            Self::Html => &html::RULES,
            Self::Antora => &antora::RULES,
            Self::Astro => &astro::RULES,
            Self::Docusaurus => &docusaurus::RULES,
            Self::Eleventy => &eleventy::RULES,
            Self::Gitbook => &gitbook::RULES,
            Self::Hugo => &hugo::RULES,
            Self::Jekyll => &jekyll::RULES,
            Self::Mdbook => &mdbook::RULES,
            Self::Mintlify => &mintlify::RULES,
            Self::Mkdocs => &mkdocs::RULES,
            Self::Quarto => &quarto::RULES,
            Self::Rspress => &rspress::RULES,
            Self::Rustdoc => &rustdoc::RULES,
            Self::Sphinx => &sphinx::RULES,
            Self::Vitepress => &vitepress::RULES,
            Self::Wiki => &wiki::RULES,
            Self::Writerside => &writerside::RULES,
            Self::Zola => &zola::RULES,
        }
    }
}
