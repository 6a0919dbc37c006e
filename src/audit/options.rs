//! What an audit is told: [`Options`] and [`Slugs`].

use std::fmt;
use std::path::PathBuf;

/// How an audit is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// By whose rules headings of Markdown become anchors.
    pub slugs: Slugs,
    /// The directory that `/` stands for in a reference; without one those are not checked.
    pub root: Option<PathBuf>,
}

impl Options {
    /// The default: any processor's anchors, no root.
    ///
    /// ```
    /// use urigrep::audit::{Options, Slugs};
    /// let options = Options::new().slugs(Slugs::Github).root("site");
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
        Self {
            root: Some(root.into()),
            ..self
        }
    }
}

/// By whose rules headings of Markdown become anchors, and links to documents become pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Slugs {
    /// By any of them: only what is wrong for all is a fault.
    #[default]
    Any,
    /// GitHub: html-pipeline's table of contents; the case of a fragment does not count.
    Github,
    /// GitLab: as GitHub, rows of hyphens become one.
    Gitlab,
    /// mdBook; `a.html` is made of `a.md`.
    Mdbook,
    /// MkDocs: Python-Markdown's extension `toc`; `a/` and `a.html` are made of `a.md`.
    Mkdocs,
}

impl Slugs {
    /// Every set of rules.
    pub const ALL: [Self; 5] = [
        Self::Any,
        Self::Github,
        Self::Gitlab,
        Self::Mdbook,
        Self::Mkdocs,
    ];

    /// The fixed word, as in `--slugs`.
    ///
    /// ```
    /// assert_eq!(urigrep::audit::Slugs::Mdbook.name(), "mdbook");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Mdbook => "mdbook",
            Self::Mkdocs => "mkdocs",
        }
    }
}

impl fmt::Display for Slugs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
