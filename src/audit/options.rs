//! How a document is audited: [`AuditOptions`] and [`Slugs`].

use std::path::PathBuf;

use crate::named::named_enum;

/// How an audit is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuditOptions {
    /// By whose rules headings of Markdown become anchors.
    pub slugs: Slugs,
    /// The directory that `/` stands for in a reference; without one those are not checked.
    pub root: Option<PathBuf>,
}

impl AuditOptions {
    /// The default: any processor's anchors, no root.
    ///
    /// ```
    /// use urigrep::audit::{AuditOptions, Slugs};
    /// let options = AuditOptions::new().slugs(Slugs::Github).root("site");
    /// assert_eq!(options.slugs, Slugs::Github);
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// By whose rules headings of Markdown become anchors.
    #[must_use]
    pub fn slugs(self, slugs: Slugs) -> Self {
        Self { slugs, ..self }
    }

    /// The directory that `/` stands for.
    #[must_use]
    pub fn root(self, root: impl Into<PathBuf>) -> Self {
        Self { root: Some(root.into()), ..self }
    }
}

named_enum! {
    "urigrep::audit::Slugs", "rules for anchors";
    /// By whose rules headings of Markdown become anchors, and links to documents become pages.
    #[derive(Default)]
    pub enum Slugs {
        /// By any of them: only what is wrong for all is found.
        #[default]
        Any = "any",
        /// GitHub: html-pipeline's table of contents; the case of a fragment does not count.
        Github = "github",
        /// GitLab: as GitHub, rows of hyphens become one.
        Gitlab = "gitlab",
        /// mdBook; `a.html` is made of `a.md`.
        Mdbook = "mdbook",
        /// MkDocs: Python-Markdown's extension `toc`; `a/` and `a.html` are made of `a.md`.
        Mkdocs = "mkdocs",
    }
}
