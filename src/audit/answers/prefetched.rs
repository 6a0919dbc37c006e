//! Documents read for their anchors before they are audited, so that each is read once:
//! [`PrefetchedDocuments`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use crate::Finder;
use crate::audit::Facts;
use crate::audit::{facts, paths};
use crate::document::Dialect;
use crate::hash::{HashMap, HashSet};
use crate::search::InputText;
use crate::threads::lock;

/// Bound of the kept documents in bytes; later ones are read again when they are audited.
const MAX_PREFETCHED_BYTES: usize = 64 << 20;

/// Estimated bytes of a link with its text, of a label, of a name, and of the rest of a document.
const LINK_BYTES: usize = 160;
const LABEL_BYTES: usize = 64;
const NAME_BYTES: usize = 40;
const DOCUMENT_BYTES: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct PrefetchedDocuments(Mutex<KeptDocuments>);

/// A document that was read.
#[derive(Debug)]
pub(in crate::audit) struct ReadDocument {
    pub facts: Facts,
    /// Size of the file in bytes.
    pub bytes: u64,
}

impl ReadDocument {
    /// Reads a document of this dialect.
    // The text is not kept until the audit. Keeping it, so that each file is opened once, made
    // helm-www 1.08 times as slow: memory that lasts costs more than the system calls.
    pub fn new(dialect: &Dialect, text: &InputText, finder: &Finder) -> Self {
        let prepared = text.prepared(dialect);
        let facts = facts::read(text.format(), dialect, &prepared, || prepared.clone(), finder);
        Self { facts, bytes: text.bytes_read() }
    }
}

#[derive(Debug, Default)]
struct KeptDocuments {
    by_path: HashMap<OsString, ReadDocument>,
    bytes: usize,
    /// The audited files and directories.
    roots: HashSet<PathBuf>,
    /// Already audited: must not be kept again.
    audited: HashSet<OsString>,
}

impl PrefetchedDocuments {
    /// Registers roots whose files will be audited.
    pub fn expect<'p>(&self, roots: impl Iterator<Item = &'p Path>) {
        let mut kept = self.kept();
        kept.roots.extend(roots.map(paths::without_dots));
    }

    /// True if the document at this path would be kept.
    pub fn takes(&self, path: &Path) -> bool {
        let path = paths::without_dots(path);
        let kept = self.kept();
        // The walk of `.` never yields a path that starts with `..`.
        let is_root = |root: &Path| {
            kept.roots.contains(root) && (!root.as_os_str().is_empty() || !path.starts_with(".."))
        };
        // Not root by root: a list of files may name every file of a tree.
        let is_expected = path.ancestors().any(is_root);
        is_expected && kept.bytes < MAX_PREFETCHED_BYTES && !kept.audited.contains(path.as_os_str())
    }

    pub fn keep(&self, path: &Path, document: ReadDocument) {
        let path = paths::without_dots(path);
        let mut kept = self.kept();
        let size = size(&document);
        if kept.bytes + size <= MAX_PREFETCHED_BYTES && !kept.audited.contains(path.as_os_str()) {
            kept.bytes += size;
            let before = kept.by_path.insert(path.into_os_string(), document);
            kept.bytes -= before.as_ref().map_or(0, self::size);
        }
    }

    /// Removes the document at this path, which is now being audited.
    pub fn take(&self, path: &Path) -> Option<ReadDocument> {
        let path = paths::without_dots(path);
        let mut kept = self.kept();
        let document = kept.by_path.remove(path.as_os_str());
        kept.bytes -= document.as_ref().map_or(0, size);
        kept.audited.insert(path.into_os_string());
        document
    }

    /// Drops the facts that were read from the document at this path.
    pub fn forget(&self, path: &Path) {
        let path = paths::without_dots(path);
        let mut kept = self.kept();
        let document = kept.by_path.remove(path.as_os_str());
        kept.bytes -= document.as_ref().map_or(0, size);
    }

    fn kept(&self) -> MutexGuard<'_, KeptDocuments> {
        lock(&self.0)
    }
}

fn size(ReadDocument { facts, .. }: &ReadDocument) -> usize {
    LINK_BYTES * facts.links().len()
        + LABEL_BYTES * facts.labels().len()
        + NAME_BYTES * facts.names().len()
        + facts.kept_text()
        + DOCUMENT_BYTES
}
