//! The link that is reported for a group of similar ones: [`FirstLink`].

use std::path::{Path, PathBuf};

use super::paths;
use crate::audit::LinkContext;

/// The first of several links, by the absolute path of its document and its start there. It does
/// not depend on the order in which documents are read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FirstLink {
    document: PathBuf,
    start: usize,
}

impl FirstLink {
    /// Updates `first` if this link, of the document at this absolute path, precedes it.
    pub fn update(first: &mut Option<Self>, document: &Path, start: usize) {
        let is_before = |first: &Self| (document, start) < (first.document.as_path(), first.start);
        if first.as_ref().is_none_or(is_before) {
            *first = Some(Self { document: document.to_owned(), start });
        }
    }

    /// True for this link.
    pub fn is(&self, context: &LinkContext<'_>) -> bool {
        self.start == context.link.span.start()
            && self.document == paths::absolute(context.page.path)
    }
}
