//! Documents whose layout adds headings: `api: tabs` in their front matter names the data for them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::audit::sites::{front_matter, text};
use crate::hash::HashSet;

/// Minimum number of documents with missing anchors. Fewer may have a key in common by chance.
const MANY_DOCUMENTS: usize = 3;
/// Maximum number of other documents that are compared with them.
const MOST_COMPARED: usize = 200;
/// Minimum number of other documents.
const FEWEST_COMPARED: usize = 10;
/// A key is rare if fewer than one in this many other documents has it.
const RARE: usize = 20;

/// True if all documents in `missing`, each a path with `#` and an anchor, have a key of front matter that
/// few other documents have. 560 findings in developer.chrome.com were anchors that its layout creates on
/// pages with the key `api`.
pub(super) fn layout_adds_anchors(missing: &BTreeSet<String>, documents: &[PathBuf]) -> bool {
    let with_missing: BTreeSet<&Path> =
        missing.iter().filter_map(|it| Some(Path::new(it.rsplit_once('#')?.0))).collect();
    if with_missing.len() < MANY_DOCUMENTS {
        return false;
    }
    let mut common: Option<HashSet<String>> = None;
    for document in &with_missing {
        let keys = keys(document);
        common = Some(match common {
            None => keys,
            Some(common) => common.intersection(&keys).cloned().collect(),
        });
    }
    let common = common.filter(|it| !it.is_empty());
    let Some(common) = common else { return false };
    let step = documents.len().div_ceil(MOST_COMPARED).max(1);
    let others = documents.iter().step_by(step).filter(|it| !with_missing.contains(it.as_path()));
    let others: Vec<HashSet<String>> = others.map(|it| keys(it)).collect();
    let is_rare =
        |key: &String| others.iter().filter(|it| it.contains(key)).count() * RARE < others.len();
    others.len() >= FEWEST_COMPARED && common.iter().any(is_rare)
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
    keys.collect()
}
