//! Texts that replace files, such as the unsaved documents of an editor: [`Overlay`].

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::audit::paths;
use crate::document::Format;
use crate::hash::HashMap;
use crate::slice::lossy;

/// Texts that an audit reads instead of files. Clones share the texts.
///
/// A text replaces a file that exists. If a document has no file yet, links of other documents may
/// still lead to it, provided that its directory exists. An [`Auditor`](crate::audit::Auditor) that
/// has already listed the directory does not notice when such a document is added or removed. The
/// settings and front matter that describe a site are read from the files themselves.
///
/// ```
/// use urigrep::audit::{AuditOutcome, Auditor, Overlay};
/// use urigrep::search::Input;
/// # let directory = std::env::temp_dir().join(format!("urigrep-overlay-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory).unwrap();
/// # let path = directory.join("a.md");
/// # std::fs::write(&path, "[a](a.md)").unwrap();
/// let overlay = Overlay::default();
/// let auditor = Auditor::builder().overlay(overlay.clone()).build();
/// overlay.set(&path, b"[a](b.md)".to_vec());
/// let AuditOutcome::Audited(document) = auditor.audit(&Input::in_tree(&path)) else { panic!() };
/// assert_eq!(document.findings().len(), 1);
/// # std::fs::remove_dir_all(&directory).unwrap();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Overlay(Arc<RwLock<HashMap<PathBuf, Arc<Vec<u8>>>>>);

impl Overlay {
    /// Replaces the text of a file.
    pub fn set(&self, path: &Path, text: Vec<u8>) {
        self.write().insert(paths::absolute(path), Arc::new(text));
    }

    /// Restores the text that the file itself has.
    pub fn remove(&self, path: &Path) {
        self.write().remove(&paths::absolute(path));
    }

    /// Returns the text that replaces a file.
    pub fn get(&self, path: &Path) -> Option<Arc<Vec<u8>>> {
        let texts = self.read();
        // Without open documents, a path costs nothing.
        if texts.is_empty() {
            return None;
        }
        texts.get(&paths::absolute(path)).cloned()
    }

    /// Returns the text that replaces a file, as text.
    pub(in crate::audit) fn text(&self, path: &Path) -> Option<String> {
        Some(lossy(&self.get(path)?).into_owned())
    }

    /// Returns the names of the documents in a directory. Other texts are left out: settings
    /// without a file describe no site.
    pub(super) fn documents_in(&self, directory: &Path) -> Vec<OsString> {
        let texts = self.read();
        if texts.is_empty() {
            return Vec::new();
        }
        let directory = paths::absolute(directory);
        let is_document = |path: &&PathBuf| {
            let extension = path.extension().and_then(OsStr::to_str);
            let format = extension.and_then(Format::from_extension);
            format.is_some_and(|format| format.is_source() || format.is_page())
        };
        let here = texts.keys().filter(|path| path.parent() == Some(&directory));
        here.filter(is_document).filter_map(|path| Some(path.file_name()?.to_owned())).collect()
    }

    /// Returns the absolute paths of all texts, in order.
    pub fn paths(&self) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = self.read().keys().cloned().collect();
        all.sort();
        all
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<PathBuf, Arc<Vec<u8>>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<PathBuf, Arc<Vec<u8>>>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
