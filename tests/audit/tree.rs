//! A tree in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use urigrep::audit::{Anchors, PathStatus, Slugs, Spellings, TargetLookup};
use urigrep::document::Format;

/// Files by their path; their directories are there too.
#[derive(Default)]
pub struct Memory {
    pub files: BTreeMap<PathBuf, String>,
    pub slugs: Slugs,
}

pub fn format(path: &Path) -> Option<Format> {
    Format::from_extension(path.extension()?.to_str()?)
}

impl Memory {
    /// The names in a directory, if it is one.
    fn names(&self, directory: &Path) -> BTreeSet<String> {
        let inside = self.files.keys().filter_map(|path| path.strip_prefix(directory).ok());
        inside
            .filter_map(|rest| rest.components().next())
            .map(|name| name.as_os_str().to_str().unwrap().to_owned())
            .collect()
    }
}

impl TargetLookup for Memory {
    fn look(&self, path: &Path) -> PathStatus {
        let (mut at, mut exact) = (PathBuf::new(), true);
        for component in path.components() {
            let Component::Normal(name) = component else {
                at.push(component);
                continue;
            };
            let name = name.to_str().unwrap();
            let names = self.names(&at);
            let same = |other: &&String| other.to_lowercase() == name.to_lowercase();
            if names.contains(name) {
                at.push(name);
            } else if let Some(other) = names.iter().find(same) {
                exact = false;
                at.push(other);
            } else {
                let nearest = Spellings::new(&names).nearest(name).map(str::to_owned);
                return PathStatus::Missing { nearest };
            }
        }
        match self.files.contains_key(&at) {
            _ if !exact => PathStatus::OtherCase { actual: at },
            true => PathStatus::File,
            false => PathStatus::Directory,
        }
    }

    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>> {
        let text = self.files.get(path)?;
        Some(Arc::new(Anchors::read(format(path)?, text.as_bytes(), self.slugs)))
    }
}
