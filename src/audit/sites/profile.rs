//! The generators that there are, by the name of `--site`: [`Profile`].

use super::rules::SiteRules;
use super::{
    antora, any, astro, docusaurus, github, gitlab, html, hugo, jekyll, mdbook, mkdocs, rustdoc,
    sphinx, vitepress, zola,
};
use crate::named::named_enum;

named_enum! {
    "urigrep::audit::Profile", "profiles of sites";
    /// What makes a site of documents, and so decides where their links lead.
    ///
    /// If a directory has markers of several, the first of them counts.
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
            Self::Hugo => &hugo::RULES,
            Self::Jekyll => &jekyll::RULES,
            Self::Mdbook => &mdbook::RULES,
            Self::Mkdocs => &mkdocs::RULES,
            Self::Rustdoc => &rustdoc::RULES,
            Self::Sphinx => &sphinx::RULES,
            Self::Vitepress => &vitepress::RULES,
            Self::Zola => &zola::RULES,
        }
    }
}
