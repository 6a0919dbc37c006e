//! The site that a document belongs to, which decides where its links lead: [`Site`].

#[cfg(feature = "search")]
mod config;
#[cfg(feature = "search")]
mod detect;
mod page;
#[cfg(feature = "search")]
mod pages;
mod profile;
mod repository;

use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "search")]
pub(super) use detect::{Names, SiteFinder};
pub use page::SitePage;
#[cfg(feature = "search")]
pub(super) use pages::SitePages;
pub use profile::Profile;
pub(super) use profile::{
    DirectoryRule, FileLookup, ForgeRule, IndexRule, ItemRule, LinkBase, NameRule, ProfileRules,
};
pub(super) use repository::ForgePlace;
pub use repository::Repository;

use crate::audit::cache::Cache;
use crate::audit::{AuditOptions, Slugs};

/// The site that documents belong to.
///
/// ```
/// use urigrep::audit::{AuditOptions, Profile, Site, Slugs};
/// let site = Site::new(&AuditOptions::new().profile(Profile::Mdbook).root("book/src"));
/// assert_eq!(site.slugs, Slugs::Mdbook);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Site {
    /// What makes it.
    pub profile: Profile,
    /// By whose rules headings become anchors.
    pub slugs: Slugs,
    /// The directories that `/` means, the content first; without one, absolute references are not checked.
    pub roots: Vec<PathBuf>,
    /// Those of them that hold the documents.
    pub content: Vec<PathBuf>,
    /// Where the content is that it shows when its own is missing.
    pub(super) inherited: Vec<PathBuf>,
    /// What its addresses start with, from `/` to `/`.
    pub base: String,
    /// Schemes that only it knows.
    pub schemes: Vec<String>,
    /// Languages whose names may come first in addresses.
    pub languages: Vec<String>,
    pub(super) items: ItemRule,
    /// The documentation that includes documents of this site, such as its change log.
    pub(super) documentation: Option<Arc<Site>>,
    /// The checkout that it is in.
    pub repository: Option<Arc<Repository>>,
    /// The files that paths under its roots lead to, as far as they were asked for; `None` where that takes a closer look.
    pub(super) found: Arc<Cache<String, Option<PathBuf>>>,
}

impl Site {
    /// A site of which only the options are known.
    pub fn new(options: &AuditOptions) -> Self {
        let mut site = Self::of(options.profile.unwrap_or_default());
        site.slugs = options.slugs.unwrap_or(site.slugs);
        site.roots.clone_from(&options.roots);
        if let Some(base) = &options.base {
            site.base = base_path(base);
        }
        site
    }

    /// A site of which nothing else is known.
    fn of(profile: Profile) -> Self {
        Self {
            profile,
            slugs: profile.rules().slugs,
            roots: Vec::new(),
            content: Vec::new(),
            inherited: Vec::new(),
            base: "/".to_owned(),
            schemes: Vec::new(),
            languages: Vec::new(),
            items: profile.rules().items,
            documentation: None,
            repository: None,
            found: Arc::default(),
        }
    }

    /// True for a scheme that only this site knows.
    pub(super) fn knows(&self, scheme: &str) -> bool {
        self.rules().schemes.contains(&scheme) || self.schemes.iter().any(|known| known == scheme)
    }

    /// True for what a generator makes of sources, false for files that are shown as they are.
    pub(super) fn is_generated(&self) -> bool {
        self.rules().forge == ForgeRule::Elsewhere
            && !self.rules().content.is_empty()
            && !self.content.is_empty()
    }

    pub(super) fn rules(&self) -> &'static ProfileRules {
        self.profile.rules()
    }
}

/// `/docs/` of `https://a.example/docs`, `docs/` or `/docs/`.
fn base_path(address: &str) -> String {
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => address,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    match path.trim_matches('/') {
        "" => "/".to_owned(),
        path => format!("/{path}/"),
    }
}
