//! The files of the audited tree by name, and where files were moved to: [`FileNames`].

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use super::cache::Cache;
use crate::audit::paths;
use crate::hash::{HashMap, HashSet};
use crate::search::{Root, Search, Visit};
use crate::threads::lock;

/// Maximum number of indexed files.
const MAX_FILES: usize = 500_000;

/// The files of a tree by name, listed at the first lookup: few trees have a link to a
/// missing file.
#[derive(Debug, Default)]
pub(super) struct FileNames {
    /// In their order, and as a set.
    roots: Mutex<(Vec<PathBuf>, HashSet<PathBuf>)>,
    files: OnceLock<ByName>,
    checkouts: Cache<PathBuf, ByName>,
    /// The ends of their names from the last full stop.
    endings: OnceLock<HashSet<String>>,
}

/// Lists are shared: thousands of links may ask for thousands of files of one name.
type ByName = HashMap<String, Arc<[PathBuf]>>;

impl FileNames {
    /// Sets the roots of the tree.
    pub fn expect(&self, roots: &[&Path]) {
        let mut known = lock(&self.roots);
        let (all, known) = &mut *known;
        for root in roots {
            if known.insert(root.to_path_buf()) {
                all.push(root.to_path_buf());
            }
        }
    }

    /// Returns the files of this name in the whole checkout, even if only a part of it is audited,
    /// such as the files of a commit. Otherwise, a file may be the only one by accident.
    pub fn in_checkout(&self, checkout: &Path, name: &str, search: &Search) -> Arc<[PathBuf]> {
        let files = self.checkouts.get(checkout, || {
            let root = paths::or_here(checkout);
            let files = list(vec![root.to_path_buf()], search);
            let bytes = files
                .values()
                .flat_map(|it| it.iter())
                .map(|path| 2 * path.as_os_str().len())
                .sum();
            (files, bytes)
        });
        files.get(name).cloned().unwrap_or_default()
    }

    /// Returns the files of this name below the roots.
    pub fn files(&self, name: &str, search: &Search) -> Arc<[PathBuf]> {
        self.by_name(search).get(name).cloned().unwrap_or_default()
    }

    /// True if a file below the roots has this extension, with its full stop.
    pub fn has_ending(&self, ending: &str, search: &Search) -> bool {
        let endings = self.endings.get_or_init(|| {
            let names = self.by_name(search).keys();
            names.filter_map(|name| Some(name.get(name.rfind('.')?..)?.to_owned())).collect()
        });
        endings.contains(ending)
    }

    fn by_name(&self, search: &Search) -> &ByName {
        self.files.get_or_init(|| {
            let roots = lock(&self.roots).0.clone();
            list(roots, search)
        })
    }
}

fn list(roots: Vec<PathBuf>, search: &Search) -> ByName {
    let mut files: HashMap<String, Vec<PathBuf>> = HashMap::default();
    let mut count = 0;
    let take = |visit| {
        if let Visit::Search(input) = visit
            && let Some(path) = input.path()
            && let Some(name) = path.file_name().and_then(|name| name.to_str())
        {
            files.entry(name.to_owned()).or_default().push(paths::without_dots(path));
            count += 1;
        }
        if count < MAX_FILES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    // An invalid glob was reported when the audit started.
    drop(search.inputs(roots.into_iter().map(Root::Path), take));
    // Two roots may lead to the same file.
    for paths in files.values_mut() {
        let mut known = HashSet::default();
        paths.retain(|path| known.insert(path.clone()));
    }
    files.into_iter().map(|(name, paths)| (name, paths.into())).collect()
}

/// Returns other paths of a moved file: its new one, or those that it had, newest first.
pub(in crate::audit) struct MovedPaths<T>(pub Box<dyn Fn(&Path) -> T + Send + Sync>);

// The tree that holds this closure needs `Debug`, which closures do not have.
impl<T> fmt::Debug for MovedPaths<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MovedPaths")
    }
}
