//! The look-ups of one document: what it asked last is answered without locks. [`RecentLookup`].

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path};
use std::sync::Arc;

use super::file_tree::FoundDirectory;
use crate::audit::{
    Anchors, Entry, Facts, FileTree, Repository, Site, SitePage, Slugs, TargetLookup,
};
use crate::container::document::Format;

/// So many answers are kept: the links of a page lead to few directories, and often to one page in a row.
const MOST: usize = 8;

/// A [`FileTree`] with a memory of the last directories and anchors.
pub(super) struct RecentLookup<'f> {
    files: &'f FileTree,
    directories: LastAnswers<Arc<Result<FoundDirectory, Entry>>>,
    anchors: LastAnswers<Option<Arc<Anchors>>>,
}

impl<'f> RecentLookup<'f> {
    pub fn new(files: &'f FileTree) -> Self {
        Self { files, directories: LastAnswers::default(), anchors: LastAnswers::default() }
    }
}

impl RecentLookup<'_> {
    /// What `look` says of the last name of a path in its directory; `None` for a path without one.
    fn look_with(
        &self,
        path: &Path,
        look: impl Fn(&FoundDirectory, &OsStr) -> Entry,
    ) -> Option<Entry> {
        let mut parts = path.components();
        match parts.next_back() {
            Some(Component::Normal(name)) if FileTree::can_have(path) => {
                let directory = parts.as_path();
                let find = || self.files.directory(directory);
                Some(self.directories.with(directory.as_os_str(), find, |found| match &**found {
                    Ok(found) => look(found, name),
                    Err(entry) => entry.clone(),
                }))
            }
            _ => None,
        }
    }
}

impl TargetLookup for RecentLookup<'_> {
    fn look(&self, path: &Path) -> Entry {
        self.look_with(path, FoundDirectory::look).unwrap_or_else(|| self.files.look(path))
    }

    fn probe(&self, path: &Path) -> Entry {
        self.look_with(path, FoundDirectory::probe).unwrap_or_else(|| self.files.probe(path))
    }

    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>> {
        self.anchors.with(path.as_os_str(), || self.files.anchors(path), Option::clone)
    }

    fn anchors_of(&self, path: &Path, facts: &Facts, slugs: Slugs) -> Arc<Anchors> {
        self.files.anchors_of(path, facts, slugs)
    }

    fn site(&self, document: &Path, format: Option<Format>) -> Option<Arc<Site>> {
        self.files.site(document, format)
    }

    fn page(&self, site: &Site, path: &Path) -> Option<SitePage> {
        self.files.page(site, path)
    }

    fn has_label(&self, site: &Site, label: &str) -> bool {
        self.files.has_label(site, label)
    }

    fn has_custom_labels(&self, site: &Site) -> bool {
        self.files.has_custom_labels(site)
    }

    fn has_addresses(&self, site: &Site, document: &Path) -> bool {
        self.files.has_addresses(site, document)
    }

    fn has_name(&self, site: &Site, name: &str) -> bool {
        self.files.has_name(site, name)
    }

    fn is_ignored(&self, repository: &Repository, path: &Path) -> bool {
        self.files.is_ignored(repository, path)
    }

    fn lines(&self, path: &Path) -> Option<u64> {
        self.files.lines(path)
    }
}

/// The last answers, by what was asked.
struct LastAnswers<V> {
    answers: RefCell<AnswerRing<V>>,
}

struct AnswerRing<V> {
    all: Vec<(OsString, V)>,
    /// The oldest of them.
    next: usize,
}

impl<V> Default for LastAnswers<V> {
    fn default() -> Self {
        Self { answers: RefCell::new(AnswerRing { all: Vec::new(), next: 0 }) }
    }
}

impl<V> LastAnswers<V> {
    /// What `take` makes of the answer to `asked`, which `find` finds if it has to.
    fn with<T>(&self, asked: &OsStr, find: impl FnOnce() -> V, take: impl FnOnce(&V) -> T) -> T {
        if let Some((_, answer)) = self.answers.borrow().all.iter().find(|(key, _)| key == asked) {
            return take(answer);
        }
        let answer = find();
        let taken = take(&answer);
        let mut answers = self.answers.borrow_mut();
        let at = answers.next;
        let new = (asked.to_owned(), answer);
        match answers.all.get_mut(at) {
            Some(oldest) => *oldest = new,
            None => answers.all.push(new),
        }
        answers.next = (at + 1) % MOST;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_are_kept() {
        let recent = LastAnswers::default();
        let found = RefCell::new(0);
        let ask = |at: usize| {
            let key = OsString::from(at.to_string());
            let find = || {
                *found.borrow_mut() += 1;
                at
            };
            assert_eq!(recent.with(&key, find, |&answer| answer), at);
        };
        (0..MOST).chain(0..MOST).for_each(ask);
        assert_eq!(*found.borrow(), MOST);
        (0..2 * MOST).for_each(ask);
        assert_eq!(*found.borrow(), 2 * MOST);
    }
}
