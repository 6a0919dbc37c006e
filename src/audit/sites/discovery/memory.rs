//! Caches for site discovery: [`SiteMemory`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::inferred::{InferredRoot, infer};
use super::places;
use super::unread::UnreadSettings;
use crate::audit::answers::Cache;
use crate::audit::sites::{Profile, Repository, Site};

/// Estimated bytes of a marker with its path, and of a repository.
const MARKER_BYTES: usize = 160;
const REPOSITORY_BYTES: usize = 1024;

/// A generator and the path of its marker.
pub type Marker = (Profile, PathBuf);

/// The input of the site builder, equal for all directories of a site.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SiteKey {
    pub profile: Profile,
    /// The directory in which the marker was searched.
    pub above: PathBuf,
    pub marker: PathBuf,
    /// The directory of the version, if the site has several.
    pub version: Option<PathBuf>,
}

/// Markers, repositories, sites, and settings by directory. Every document looks at the directories
/// above it, so without these caches most `stat` calls are repetitions (docs/decisions/0009).
#[derive(Debug, Default)]
pub struct SiteMemory {
    repositories: Cache<OsString, Option<Arc<Repository>>>,
    markers: Cache<OsString, Vec<Marker>>,
    translated: Cache<OsString, Vec<Marker>>,
    elsewhere: Cache<OsString, Vec<Marker>>,
    sites: Cache<SiteKey, Site>,
    inferred: Cache<OsString, Option<InferredRoot>>,
    texts: Cache<OsString, String>,
    pub unread: UnreadSettings,
}

impl SiteMemory {
    /// Returns the checkout with this root directory.
    pub fn repository(&self, directory: &Path) -> Option<Arc<Repository>> {
        let find = || (places::repository(directory).map(Arc::new), REPOSITORY_BYTES);
        Option::clone(&self.repositories.get(directory.as_os_str(), find))
    }

    /// Returns the first marker of each generator in a directory.
    pub fn markers(
        &self,
        directory: &Path,
        find: impl FnOnce() -> Vec<Marker>,
    ) -> Arc<Vec<Marker>> {
        self.markers.get(directory.as_os_str(), || counted(find()))
    }

    /// Returns the markers in sibling directories of other languages.
    pub fn translated(
        &self,
        directory: &Path,
        find: impl FnOnce() -> Vec<Marker>,
    ) -> Arc<Vec<Marker>> {
        self.translated.get(directory.as_os_str(), || counted(find()))
    }

    /// Returns the settings of a checkout whose content is not below them.
    pub fn elsewhere(&self, top: &Path, find: impl FnOnce() -> Vec<Marker>) -> Arc<Vec<Marker>> {
        self.elsewhere.get(top.as_os_str(), || counted(find()))
    }

    /// Returns the site of a key.
    pub fn site(&self, key: &SiteKey, make: impl FnOnce() -> Site) -> Arc<Site> {
        self.sites.get(key, || {
            let site = make();
            let bytes = site.kept_bytes();
            (site, bytes)
        })
    }

    /// Returns the root that the links below a directory show.
    pub fn inferred(&self, directory: &Path) -> Option<InferredRoot> {
        let find = || (infer(directory), MARKER_BYTES + directory.as_os_str().len());
        Option::clone(&self.inferred.get(directory.as_os_str(), find))
    }

    /// Returns the text of a small file; empty if it is missing.
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
