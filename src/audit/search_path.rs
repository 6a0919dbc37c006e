//! Names without a directory that links expect beside their documents, and that one other directory
//! has: it may be a search path of a program that is not known ([`BareNames`]).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{LinkContext, paths};
use crate::document::LinkOrigin;
use crate::hash::{HashMap, HashSet};

/// Minimum number of different names that show a search path. If there are fewer, the files may
/// have been moved.
const MIN_NAMES: usize = 10;
/// Percentage of the missing names that the directory must have.
const MIN_PERCENT: usize = 90;
/// Fewest missing names per name that is beside its document.
const MISSING_PER_FOUND: usize = 5;

/// Counts such names.
#[derive(Default)]
pub(super) struct BareNames {
    /// The missing paths whose names are in one other directory only, by that directory.
    elsewhere: HashMap<PathBuf, BTreeSet<PathBuf>>,
    missing: BTreeSet<PathBuf>,
    found: BTreeSet<PathBuf>,
}

impl BareNames {
    /// Counts a link whose target exists.
    pub fn find(&mut self, path: &Path, context: &LinkContext<'_>) {
        if is_bare(context) {
            self.found.insert(paths::absolute(path));
        }
    }

    /// Counts a link whose target is missing.
    pub fn miss(&mut self, path: &Path, context: &LinkContext<'_>) {
        let Some(name) = path.file_name().and_then(|it| it.to_str()) else { return };
        if !is_bare(context) {
            return;
        }
        let missing = paths::absolute(path);
        let page = context.page;
        if let [only] = page.files.files_named(&page.site, name).as_ref()
            && let Some(directory) = only.parent()
        {
            let directory = paths::absolute(directory);
            self.elsewhere.entry(directory).or_default().insert(missing.clone());
        }
        self.missing.insert(missing);
    }

    /// Returns the missing paths that a search path has.
    pub fn finish(self) -> HashSet<PathBuf> {
        let Some(most) = self.elsewhere.into_values().max_by_key(BTreeSet::len) else {
            return HashSet::default();
        };
        let is_search_path = most.len() >= MIN_NAMES
            && most.len() * 100 >= self.missing.len() * MIN_PERCENT
            && most.len() >= self.found.len() * MISSING_PER_FOUND;
        if is_search_path { most.into_iter().collect() } else { HashSet::default() }
    }
}

/// True for `a.png`, which names a file without a directory.
fn is_bare(context: &LinkContext<'_>) -> bool {
    let (path, _) = context.split();
    let is_in_menu = matches!(context.link.origin, LinkOrigin::Menu | LinkOrigin::SettingsFile);
    !path.contains('/') && path.contains('.') && !path.ends_with(".md") && !is_in_menu
}
