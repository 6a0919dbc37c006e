//! A site: where its content is, and what its addresses start with. [`Site`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::mounts::{Fallback, Mount};
use super::rules::{ForgeRule, GeneratorRule, SiteRules, UnresolvedLinks};
use super::{Profile, Repository};
use crate::audit::answers::Cache;
use crate::audit::{AuditOptions, PathStatus, Slugs, paths};

/// The site that documents belong to.
///
/// ```
/// use urigrep::audit::{AuditOptions, Profile, Site, Slugs};
/// let site = Site::new(&AuditOptions::new().profile(Profile::Mdbook).root("book/src"));
/// assert_eq!(site.slugs, Slugs::Mdbook);
/// ```
#[derive(Clone, Debug, PartialEq)]
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
    pub(in crate::audit) inherited: Vec<PathBuf>,
    /// What its addresses start with, from `/` to `/`.
    pub base: String,
    /// Schemes that only it knows.
    pub schemes: Vec<String>,
    /// Languages whose names may come first in addresses.
    pub languages: Vec<String>,
    /// What it shows where a translation has nothing.
    pub(super) fallback: Option<Fallback>,
    /// What it shows in other places than where it is.
    pub(super) mounts: Vec<Mount>,
    /// What addresses start with that it makes of titles and dates.
    pub(super) titled: Vec<String>,
    pub(in crate::audit) unresolved: UnresolvedLinks,
    /// True for documents of which it makes parts of pages.
    pub(in crate::audit) is_of_parts: bool,
    /// True where the address of a page is that of a file, although others of its kind are directories.
    pub(in crate::audit) is_flat: bool,
    /// The documentation that includes documents of this site, such as its change log.
    pub(in crate::audit) documentation: Option<Arc<Site>>,
    /// The checkout that it is in.
    pub repository: Option<Arc<Repository>>,
    /// Where paths under its roots lead, as far as that was asked for.
    pub(in crate::audit) found: FoundPlaces,
}

/// What is at the first of some places where anything is.
#[derive(Clone, Debug)]
pub(in crate::audit) enum PathLookup {
    Found(Arc<Path>, PathStatus),
    /// Nothing, and what is said of the first.
    Missing(PathBuf, PathStatus),
    /// A page that is not in the tree.
    Elsewhere,
    /// A page that a generator may make.
    MaybeGenerated,
}

/// What links of a site lead to. A copy of a site may get other roots, so it starts without.
#[derive(Debug, Default)]
pub(in crate::audit) struct FoundPlaces {
    /// By the path, from `/` on, or from the directory of the page on.
    lookups: Cache<String, Option<PathLookup>>,
    /// Which places a build makes.
    built: Cache<OsString, bool>,
}

impl FoundPlaces {
    /// Returns what is at a path, which `find` looks up if no link asked before; `None` for what names no place.
    pub fn get(
        &self,
        path: &str,
        find: impl FnOnce() -> Option<PathLookup>,
    ) -> Arc<Option<PathLookup>> {
        // The path is in the answer, too, below a root.
        self.lookups.get(path, || (find(), LOOKUP_BYTES + 2 * path.len()))
    }

    /// Whether a build makes what is at a place, which `find` looks up if no link asked before.
    pub fn is_built(&self, place: &Path, find: impl FnOnce() -> bool) -> bool {
        *self.built.get(place.as_os_str(), || (find(), place.as_os_str().len()))
    }
}

/// A root, and what is said of a path below it.
const LOOKUP_BYTES: usize = 128;

/// What was found says nothing about a site.
impl PartialEq for FoundPlaces {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Clone for FoundPlaces {
    fn clone(&self) -> Self {
        Self::default()
    }
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
    pub(super) fn of(profile: Profile) -> Self {
        Self {
            profile,
            slugs: profile.rules().slugs,
            roots: Vec::new(),
            content: Vec::new(),
            inherited: Vec::new(),
            base: "/".to_owned(),
            schemes: Vec::new(),
            languages: Vec::new(),
            fallback: None,
            mounts: Vec::new(),
            titled: Vec::new(),
            unresolved: profile.rules().unresolved,
            is_of_parts: false,
            is_flat: false,
            documentation: None,
            repository: None,
            found: FoundPlaces::default(),
        }
    }

    /// True for a scheme that only this site knows.
    pub(in crate::audit) fn knows(&self, scheme: &str) -> bool {
        self.rules().schemes.contains(&scheme) || self.schemes.iter().any(|known| known == scheme)
    }

    /// True for what a generator makes of sources, false for files that are shown as they are.
    pub(in crate::audit) fn is_generated(&self) -> bool {
        self.rules().forge == ForgeRule::Elsewhere
            && !self.rules().content.is_empty()
            && !self.content.is_empty()
    }

    /// Where that is which it shows at a path from `/` on.
    pub(in crate::audit) fn mounted(&self, path: &Path) -> impl Iterator<Item = PathBuf> {
        self.mounts.iter().filter_map(move |mount| mount.shown(path))
    }

    /// What it shows of a file in the directory of a language that is not there.
    pub(in crate::audit) fn untranslated(&self, path: &Path) -> Option<PathBuf> {
        self.fallback.as_ref()?.of_path(path, &self.languages)
    }

    /// The path from `/` on, for each root that it is below.
    fn below(&self, path: &Path) -> impl Iterator<Item = PathBuf> {
        self.roots.iter().filter_map(move |root| paths::below(root, path))
    }

    /// True for what may be an address that is made of a title.
    pub(in crate::audit) fn may_be_title(&self, path: &Path) -> bool {
        !self.titled.is_empty()
            && path.extension().is_none()
            && self.below(path).any(|it| self.titled.iter().any(|start| it.starts_with(start)))
    }

    /// True for what it would show of a directory that is not there.
    pub(in crate::audit) fn is_mounted(
        &self,
        path: &Path,
        is_absent: &dyn Fn(&Path) -> bool,
    ) -> bool {
        // There may be many of each: a directory is looked for when it matters.
        self.mounts.iter().filter(|mount| !mount.target.as_os_str().is_empty()).any(|mount| {
            self.below(path).any(|below| mount.may_hold(&below)) && is_absent(&mount.source)
        })
    }

    /// True where roots and addresses are guesses, because the generator is not known.
    pub(in crate::audit) fn is_guessed(&self) -> bool {
        self.rules().generator == GeneratorRule::Unknown
    }

    pub(in crate::audit) fn rules(&self) -> &'static SiteRules {
        self.profile.rules()
    }
}

/// `/docs/` of `https://a.example/docs`, `docs/` or `/docs/`.
pub(super) fn base_path(address: &str) -> String {
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
