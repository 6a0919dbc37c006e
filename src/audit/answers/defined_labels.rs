//! Labels that a text defines for the pages that include it: [`DefinedLabels`].

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::audit::answers::cache::Cache;
use crate::audit::sites::text;
use crate::audit::target::duplicate::folded;

/// Most labels of one file.
const MAX_LABELS: usize = 10_000;
/// Bytes of a label beside its text.
const LABEL_BYTES: usize = 48;

/// The labels of each included file. Many pages may include the same one.
#[derive(Debug, Default)]
pub(super) struct DefinedLabels(Cache<PathBuf, HashSet<String>>);

impl DefinedLabels {
    /// Returns the labels of a file, folded.
    pub fn of_file(&self, file: &Path) -> Arc<HashSet<String>> {
        self.0.get(file, || {
            let labels = read(file);
            let bytes = labels.iter().map(|label| LABEL_BYTES + label.len()).sum::<usize>();
            (labels, file.as_os_str().len() + bytes)
        })
    }
}

/// Returns the labels of a file, folded.
pub(super) fn read(file: &Path) -> HashSet<String> {
    let text = text(file);
    let labels = text.lines().filter_map(|line| {
        let (label, _) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
        (!label.is_empty() && !label.starts_with('^')).then(|| folded(label))
    });
    labels.take(MAX_LABELS).collect()
}
