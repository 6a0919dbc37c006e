//! Options of an audit: [`AuditOptions`].

use std::path::PathBuf;

use crate::audit::{Profile, Slugs};

/// Options of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuditOptions {
    /// Generator of the site; detected from the tree by default.
    pub profile: Option<Profile>,
    /// Rules that turn Markdown headings into anchors; by default those of the profile.
    pub slugs: Option<Slugs>,
    /// Directories that `/` means in a reference; by default those of the profile.
    pub roots: Vec<PathBuf>,
    /// Prefix of the site's addresses, such as `/docs/`, or the address of the site, whose host
    /// makes URLs on it links of the site: `https://a.example/docs/`.
    pub base: Option<String>,
}

impl AuditOptions {
    /// Returns the default options, which detect everything from the tree.
    ///
    /// ```
    /// use urigrep::audit::{AuditOptions, Profile, Slugs};
    /// let options = AuditOptions::new().profile(Profile::Hugo).slugs(Slugs::Github).root("static");
    /// assert_eq!(options.slugs, Some(Slugs::Github));
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the generator of the site.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Self { profile: Some(profile), ..self }
    }

    /// Sets the rules that turn Markdown headings into anchors.
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

    /// Sets the prefix of the site's addresses.
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
