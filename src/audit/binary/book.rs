//! The files of a book as the targets of its links: [`BookFiles`].

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::audit::{Anchors, AuditOptions, PathStatus, Site, Slugs, Spellings, TargetLookup};
use crate::document::epub::Book;
use crate::document::{Format, Stream};
use crate::hash::{HashMap, HashSet};
use crate::threads::lock;

/// The files of a book. Their paths are those in its package.
pub(super) struct BookFiles {
    pub book: Book,
    directories: HashSet<String>,
    /// Names by their lower case.
    folded: HashMap<String, String>,
    spellings: Spellings,
    anchors: Mutex<HashMap<PathBuf, Option<Arc<Anchors>>>>,
    site: Arc<Site>,
}

impl BookFiles {
    pub fn new(book: Book) -> Self {
        let mut directories = HashSet::default();
        let mut folded = HashMap::default();
        for name in book.names() {
            folded.insert(name.to_lowercase(), name.clone());
            for (at, _) in name.match_indices('/') {
                directories.insert(name[..at].to_owned());
            }
        }
        let mut names: Vec<&String> = book.names().iter().collect();
        names.sort_unstable();
        let spellings = Spellings::new(names);
        let site = Arc::new(Site::new(&AuditOptions::new()));
        Self { directories, folded, spellings, anchors: Mutex::default(), site, book }
    }

    /// Returns the path of a file of the book.
    pub fn path<'s>(&self, stream: &Stream<'s>) -> &'s Path {
        Path::new(stream.file.unwrap_or(stream.name))
    }
}

impl TargetLookup for BookFiles {
    fn look(&self, path: &Path) -> PathStatus {
        let Some(name) = path.to_str() else { return PathStatus::Unknown };
        if self.book.names().contains(name) {
            return PathStatus::File;
        }
        if name.is_empty() || self.directories.contains(name) {
            return PathStatus::Directory;
        }
        match self.folded.get(&name.to_lowercase()) {
            Some(actual) => PathStatus::OtherCase { actual: PathBuf::from(actual) },
            None => {
                let nearest = self.spellings.nearest(name);
                let nearest = nearest.map(|it| it.rsplit('/').next().unwrap_or(it).to_owned());
                PathStatus::Missing { nearest }
            }
        }
    }

    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>> {
        let mut known = lock(&self.anchors);
        if let Some(anchors) = known.get(path) {
            return anchors.clone();
        }
        let file = path.to_str().and_then(|name| self.book.file(name));
        let anchors = file
            .filter(|file| file.format.is_page())
            .map(|file| Arc::new(Anchors::read(file.format, file.stream().bytes, Slugs::Any)));
        known.insert(path.to_owned(), anchors.clone());
        anchors
    }

    fn site(&self, _: &Path, _: Option<Format>) -> Option<Arc<Site>> {
        Some(Arc::clone(&self.site))
    }
}
