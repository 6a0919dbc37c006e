//! Documents whose layout adds headings: `api: tabs` in their front matter names the data for them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::audit::sites::{front_matter, text};
use crate::hash::{HashMap, HashSet};

/// Minimum number of documents with missing anchors. Fewer may have a key in common by chance.
const MANY_DOCUMENTS: usize = 3;
/// Maximum number of other documents that are compared with them.
const MAX_COMPARED: usize = 200;
/// Minimum number of other documents.
const FEWEST_COMPARED: usize = 10;
/// Most keys of one document that are compared. The settings of a page are few.
const MAX_KEYS: usize = 256;
/// A key is rare if fewer than one in this many other documents has it.
const RARE: usize = 20;

/// The keys of front matter that make a layout add anchors, by the directory of the documents that
/// have them. 560 findings in developer.chrome.com were anchors that its layout creates on pages
/// with the key `api`.
pub(super) struct Layouts<'d> {
    documents: &'d [PathBuf],
    found: HashMap<PathBuf, HashSet<String>>,
    /// The keys of the documents that were read. Many anchors may be missing in one document.
    read: HashMap<PathBuf, Rc<HashSet<String>>>,
}

impl<'d> Layouts<'d> {
    pub fn new(documents: &'d [PathBuf]) -> Self {
        Self { documents, found: HashMap::default(), read: HashMap::default() }
    }

    /// Adds the keys that all documents in `missing` have, each a path with `#` and an anchor, and
    /// few other documents.
    pub fn learn(&mut self, directory: &Path, missing: &BTreeSet<String>) {
        let with_missing = with_missing(missing);
        if with_missing.len() < MANY_DOCUMENTS {
            return;
        }
        let mut common: Option<HashSet<String>> = None;
        for document in &with_missing {
            let keys = self.keys(document);
            common = Some(match common {
                None => (*keys).clone(),
                Some(common) => common.intersection(&keys).cloned().collect(),
            });
        }
        let Some(mut common) = common.filter(|it| !it.is_empty()) else { return };
        let documents = self.documents;
        let step = documents.len().div_ceil(MAX_COMPARED).max(1);
        let others = documents.iter().step_by(step);
        let others = others.filter(|it| !with_missing.contains(it.as_path()));
        let others: Vec<_> = others.map(|it| self.keys(it)).collect();
        if others.len() < FEWEST_COMPARED {
            return;
        }
        common.retain(|key| {
            others.iter().filter(|it| it.contains(key)).count() * RARE < others.len()
        });
        if !common.is_empty() {
            self.found.entry(directory.to_path_buf()).or_default().extend(common);
        }
    }

    /// True if a layout adds anchors to all documents in `missing`, which are below this directory.
    pub fn explain(&mut self, directory: &Path, missing: &BTreeSet<String>) -> bool {
        if !self.found.contains_key(directory) {
            return false;
        }
        with_missing(missing).into_iter().all(|document| {
            let keys = self.keys(document);
            self.found.get(directory).is_some_and(|found| !found.is_disjoint(&keys))
        })
    }

    /// Returns the keys of the front matter of a document.
    fn keys(&mut self, document: &Path) -> Rc<HashSet<String>> {
        if let Some(known) = self.read.get(document) {
            return Rc::clone(known);
        }
        let keys = Rc::new(keys(document));
        self.read.insert(document.to_path_buf(), Rc::clone(&keys));
        keys
    }
}

/// Returns the documents of missing anchors.
fn with_missing(missing: &BTreeSet<String>) -> BTreeSet<&Path> {
    missing.iter().filter_map(|it| Some(Path::new(it.rsplit_once('#')?.0))).collect()
}

/// Returns the keys of the front matter of a document.
fn keys(document: &Path) -> HashSet<String> {
    let text = text(document);
    let front = front_matter(text.as_bytes()).unwrap_or_default();
    let keys = front.lines().filter_map(|line| {
        let key = line.split([':', '=']).next().filter(|key| key.len() < line.len())?;
        let is_key = !key.starts_with([' ', '\t', '-', '#']) && !key.is_empty();
        is_key.then(|| key.trim_end().to_owned())
    });
    keys.take(MAX_KEYS).collect()
}
