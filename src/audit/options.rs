//! How a document is audited: [`AuditOptions`].

use std::path::PathBuf;

use crate::audit::{Profile, Slugs};

/// How an audit is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuditOptions {
    /// What makes the site; by default what lies in the tree shows it.
    pub profile: Option<Profile>,
    /// By whose rules headings of Markdown become anchors; by default those of the profile.
    pub slugs: Option<Slugs>,
    /// The directories that `/` means in a reference; by default those of the profile.
    pub roots: Vec<PathBuf>,
    /// What addresses of the site start with, such as `/docs/`.
    pub base: Option<String>,
}

impl AuditOptions {
    /// The default: all is as the tree shows it.
    ///
    /// ```
    /// use urigrep::audit::{AuditOptions, Profile, Slugs};
    /// let options = AuditOptions::new().profile(Profile::Hugo).slugs(Slugs::Github).root("static");
    /// assert_eq!(options.slugs, Some(Slugs::Github));
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// What makes the site.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Self { profile: Some(profile), ..self }
    }

    /// By whose rules headings of Markdown become anchors.
    #[must_use]
    pub fn slugs(self, slugs: Slugs) -> Self {
        Self { slugs: Some(slugs), ..self }
    }

    /// Adds a directory that `/` means.
    #[must_use]
    pub fn root(mut self, root: impl Into<PathBuf>) -> Self {
        self.roots.push(root.into());
        self
    }

    /// What addresses of the site start with.
    ///
    /// ```
    /// let options = urigrep::audit::AuditOptions::new().base("https://a.example/docs/");
    /// assert_eq!(urigrep::audit::Site::new(&options).base, "/docs/");
    /// ```
    #[must_use]
    pub fn base(self, base: impl Into<String>) -> Self {
        Self { base: Some(base.into()), ..self }
    }
}
