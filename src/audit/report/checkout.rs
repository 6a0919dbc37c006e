//! Paths relative to the checkout: [`CheckoutPaths`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::audit::{AuditedDocument, paths};
use crate::threads::lock;

/// Services that show findings identify files by their paths in the repository, wherever the
/// command ran.
#[derive(Debug, Default)]
pub struct CheckoutPaths {
    /// The top of the checkout, by directory.
    tops: Mutex<HashMap<PathBuf, Option<PathBuf>>>,
}

impl CheckoutPaths {
    /// Returns the path of a document in its checkout; outside of one, the displayed path
    /// without `./`.
    pub fn path_of(&self, document: &AuditedDocument) -> Vec<u8> {
        let input = document.input();
        let shown = input.display_path();
        self.below_top(input.path(), shown).unwrap_or_else(|| plain(shown).to_vec())
    }

    fn below_top(&self, path: Option<&Path>, shown: &[u8]) -> Option<Vec<u8>> {
        let path = path?;
        // The rest names a member of an archive. A redacted path is not a path.
        let written = path.as_os_str().as_encoded_bytes();
        let rest = plain(shown).strip_prefix(plain(written))?;
        let absolute = paths::absolute(path);
        let directory = absolute.parent()?;
        let mut tops = lock(&self.tops);
        let top = tops
            .entry(directory.to_owned())
            .or_insert_with(|| paths::checkout(directory).map(Path::to_owned));
        let below = paths::below(top.as_deref()?, &absolute)?;
        let mut below = below.into_os_string().into_encoded_bytes();
        below.extend_from_slice(rest);
        Some(below)
    }
}

/// Returns a path without `./`, which files of the current directory may or may not have.
fn plain(path: &[u8]) -> &[u8] {
    path.strip_prefix(b"./").unwrap_or(path)
}
