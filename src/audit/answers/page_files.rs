//! The files that one page of an audit looks up: [`PageFiles`].

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::audit::{Anchors, TargetLookup, paths};

/// A [`TargetLookup`] that remembers the files whose text decided about a page.
///
/// Only `anchors` and `lines` depend on the text of one file, so only they are methods here, which
/// come before those of the trait. All other questions reach the lookup as they are: they depend on
/// names, or on what a whole site says about itself.
#[derive(Clone, Copy)]
pub(in crate::audit) struct PageFiles<'l> {
    lookup: &'l dyn TargetLookup,
    read: Option<&'l RefCell<BTreeSet<PathBuf>>>,
}

impl<'l> PageFiles<'l> {
    pub fn new(lookup: &'l dyn TargetLookup) -> Self {
        Self { lookup, read: None }
    }

    /// Like `new`, and adds the paths whose text is used to `read`.
    pub fn recorded(
        lookup: &'l dyn TargetLookup,
        read: Option<&'l RefCell<BTreeSet<PathBuf>>>,
    ) -> Self {
        Self { lookup, read }
    }

    pub fn anchors(self, path: &Path) -> Option<Arc<Anchors>> {
        self.note(path);
        self.lookup.anchors(path)
    }

    pub fn lines(self, path: &Path) -> Option<u64> {
        self.note(path);
        self.lookup.lines(path)
    }

    fn note(self, path: &Path) {
        let Some(read) = self.read else { return };
        let mut read = read.borrow_mut();
        // One document looks up few files, each of them often. So only a new path is copied.
        if !read.contains(path) {
            read.insert(paths::without_dots(path));
        }
    }
}

impl<'l> Deref for PageFiles<'l> {
    type Target = dyn TargetLookup + 'l;

    fn deref(&self) -> &Self::Target {
        self.lookup
    }
}
