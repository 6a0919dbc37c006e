//! The last document of a folder that was read: [`LastDocument`].
//!
//! Hover, code actions, and document links need the same audit, which takes seconds for a document
//! with thousands of findings, and editors ask again whenever the cursor moves.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use urigrep::audit::{AuditOutcome, ResolvedDocument};

/// What is known about one document, until something changes.
#[derive(Debug, Default)]
pub struct LastDocument(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    name: PathBuf,
    audited: Option<Arc<AuditOutcome>>,
    resolved: Option<Option<Arc<ResolvedDocument>>>,
}

impl LastDocument {
    pub fn audited(&self, name: &Path, audit: impl FnOnce() -> AuditOutcome) -> Arc<AuditOutcome> {
        if let Some(known) = self.with(name, |known| known.audited.clone()) {
            return known;
        }
        let audited = Arc::new(audit());
        self.with(name, |known| known.audited = Some(Arc::clone(&audited)));
        audited
    }

    pub fn resolved(
        &self,
        name: &Path,
        resolve: impl FnOnce() -> Option<ResolvedDocument>,
    ) -> Option<Arc<ResolvedDocument>> {
        if let Some(known) = self.with(name, |known| known.resolved.clone()) {
            return known;
        }
        let resolved = resolve().map(Arc::new);
        self.with(name, |known| known.resolved = Some(resolved.clone()));
        resolved
    }

    /// Discards the document, because a text or a file has changed.
    pub fn forget(&self) {
        *self.known() = Known::default();
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, name: &Path, take: impl FnOnce(&mut Known) -> T) -> T {
        let mut known = self.known();
        if known.name != name {
            *known = Known { name: name.to_owned(), ..Known::default() };
        }
        take(&mut known)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_document_is_read_once_until_something_changes() {
        let (last, read) = (LastDocument::default(), Cell::new(0));
        let ask = |name: &str| {
            last.resolved(Path::new(name), || {
                read.set(read.get() + 1);
                None
            });
            read.get()
        };
        assert_eq!([ask("a.md"), ask("a.md"), ask("b.md"), ask("b.md")], [1, 1, 2, 2]);
        last.forget();
        assert_eq!([ask("b.md"), ask("a.md")], [3, 4]);
    }
}
