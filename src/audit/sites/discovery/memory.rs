//! What directories show of sites, kept for all directories below them: [`SiteMemory`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::places;
use crate::audit::answers::Cache;
use crate::audit::sites::{Profile, Repository, Site};

/// A marker with its path, a repository, and a root or mount of a site.
const MARKER_BYTES: usize = 160;
const REPOSITORY_BYTES: usize = 1024;
const ROOT_BYTES: usize = 192;

/// A generator, and the path of what shows it.
pub type Marker = (Profile, PathBuf);

/// What a site is built from: the same for all directories in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SiteKey {
    pub profile: Profile,
    /// The directory that the marker was found from.
    pub above: PathBuf,
    pub marker: PathBuf,
    /// The directory of the version, if the site has several.
    pub version: Option<PathBuf>,
}

/// What is known of directories: each document asks for those above it.
#[derive(Debug, Default)]
pub struct SiteMemory {
    repositories: Cache<OsString, Option<Arc<Repository>>>,
    markers: Cache<OsString, Vec<Marker>>,
    translated: Cache<OsString, Vec<Marker>>,
    sites: Cache<SiteKey, Site>,
    texts: Cache<OsString, String>,
}

impl SiteMemory {
    /// The checkout whose directory this is.
    pub fn repository(&self, directory: &Path) -> Option<Arc<Repository>> {
        let find = || (places::repository(directory).map(Arc::new), REPOSITORY_BYTES);
        Option::clone(&self.repositories.get(directory.as_os_str(), find))
    }

    /// What shows generators in a directory, the first marker of each.
    pub fn markers(
        &self,
        directory: &Path,
        find: impl FnOnce() -> Vec<Marker>,
    ) -> Arc<Vec<Marker>> {
        self.markers.get(directory.as_os_str(), || counted(find()))
    }

    /// What shows them in the directories of other languages beside this one.
    pub fn translated(
        &self,
        directory: &Path,
        find: impl FnOnce() -> Vec<Marker>,
    ) -> Arc<Vec<Marker>> {
        self.translated.get(directory.as_os_str(), || counted(find()))
    }

    /// What a marker makes of a directory.
    pub fn site(&self, key: &SiteKey, make: impl FnOnce() -> Site) -> Arc<Site> {
        self.sites.get(key, || {
            let site = make();
            let bytes = ROOT_BYTES * (4 + site.mounts.len() + site.roots.len());
            (site, bytes)
        })
    }

    /// The text of a small file; none if there is no such file.
    pub fn text(&self, path: &Path) -> Arc<String> {
        self.texts.get(path.as_os_str(), || {
            let text = places::text(path);
            let bytes = path.as_os_str().len() + text.len();
            (text, bytes)
        })
    }
}

fn counted(markers: Vec<Marker>) -> (Vec<Marker>, usize) {
    let bytes = MARKER_BYTES * markers.len();
    (markers, bytes)
}
