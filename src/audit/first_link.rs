//! The link that speaks for all that are alike: [`FirstLink`].

use std::path::{Path, PathBuf};

use super::paths;
use crate::audit::LinkContext;

/// The first of several links, by the absolute path of its document and its start there. It is the
/// same in whatever order documents are read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FirstLink {
    document: PathBuf,
    start: usize,
}

impl FirstLink {
    /// Keeps a link of a document, at its absolute path, if it is the first.
    pub fn keep(first: &mut Option<Self>, document: &Path, start: usize) {
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
