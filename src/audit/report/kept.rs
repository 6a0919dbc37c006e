//! Lines of documents for reports whose first line counts all findings: [`KeptLines`].

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::threads::lock;

/// The lines of documents until the end of a report, sorted by path: documents are reported on all
/// threads, in any order.
#[derive(Debug)]
pub(super) struct KeptLines {
    documents: Mutex<LinesByPath>,
    /// Lines that are needed. Documents behind them are forgotten.
    most: usize,
}

#[derive(Debug, Default)]
struct LinesByPath {
    lines: BTreeMap<PathBuf, Vec<String>>,
    /// Their number in all documents.
    count: usize,
}

impl KeptLines {
    pub fn new(most: usize) -> Self {
        Self { documents: Mutex::default(), most }
    }

    /// Keeps the lines of a document.
    pub fn add(&self, path: &str, lines: Vec<String>) {
        let mut documents = lock(&self.documents);
        documents.count += lines.len();
        documents.lines.entry(path.into()).or_default().extend(lines);
        while let Some((path, last)) = documents.lines.pop_last() {
            if documents.count - last.len() < self.most {
                documents.lines.insert(path, last);
                break;
            }
            documents.count -= last.len();
        }
    }

    /// Returns the lines that are needed, in order, and forgets them.
    pub fn take(&self) -> Vec<String> {
        let documents = std::mem::take(&mut *lock(&self.documents));
        documents.lines.into_values().flatten().take(self.most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_sorted_and_bounded() {
        let kept = KeptLines::new(3);
        for path in ["d", "b", "c", "a"] {
            kept.add(path, vec![format!("{path}1"), format!("{path}2")]);
        }
        assert_eq!(kept.take(), ["a1", "a2", "b1"]);
        assert!(kept.take().is_empty());
    }
}
