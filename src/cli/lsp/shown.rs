//! The diagnostics that the client shows: [`ShownDiagnostics`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::types::Diagnostic;

/// Diagnostics beyond which no more documents get any: a tree may have any number of faults.
const MAX_DIAGNOSTICS: usize = 50_000;

/// The diagnostics by path, each with the URI that the client knows for the path.
#[derive(Debug, Default)]
pub struct ShownDiagnostics {
    by_path: HashMap<PathBuf, (String, Vec<Diagnostic>)>,
    count: usize,
}

/// Diagnostics to send for a URI.
pub type Update = (String, Vec<Diagnostic>);

impl ShownDiagnostics {
    /// Returns the paths with diagnostics below a directory.
    pub fn below(&self, directory: &Path) -> Vec<PathBuf> {
        self.by_path.keys().filter(|path| path.starts_with(directory)).cloned().collect()
    }

    /// Returns the diagnostics of a path.
    pub fn at(&self, path: &Path) -> &[Diagnostic] {
        self.by_path.get(path).map(|(_, diagnostics)| &**diagnostics).unwrap_or_default()
    }

    /// Returns the messages after which the client shows these diagnostics.
    pub fn update(
        &mut self,
        path: &Path,
        uri: String,
        diagnostics: Vec<Diagnostic>,
    ) -> Vec<Update> {
        let mut updates = Vec::new();
        let old = self.by_path.remove(path);
        let old = old.map(|(old_uri, old)| {
            self.count -= old.len();
            // The editor may write the URI of an open document in another way than we do.
            if old_uri != uri && !old.is_empty() {
                updates.push((old_uri.clone(), Vec::new()));
            }
            // Under the new URI, the client shows nothing yet.
            if old_uri == uri { old } else { Vec::new() }
        });
        let has_room = self.count + diagnostics.len() <= MAX_DIAGNOSTICS;
        let diagnostics = if has_room { diagnostics } else { Vec::new() };
        if old.unwrap_or_default() != diagnostics {
            updates.push((uri.clone(), diagnostics.clone()));
        }
        self.count += diagnostics.len();
        if !diagnostics.is_empty() {
            self.by_path.insert(path.to_owned(), (uri, diagnostics));
        }
        updates
    }
}

#[cfg(test)]
mod tests {
    use super::super::types::Range;
    use super::*;

    fn diagnostics(count: usize) -> Vec<Diagnostic> {
        let (range, message) = (Range::default(), String::new());
        vec![Diagnostic { range, severity: 1, code: "a", source: "b", message }; count]
    }

    #[test]
    fn only_news_are_sent() {
        let mut shown = ShownDiagnostics::default();
        let mut update = |path: &str, uri: &str, count| {
            let updates = shown.update(Path::new(path), uri.to_owned(), diagnostics(count));
            updates.into_iter().map(|(uri, all)| format!("{uri} {}", all.len())).collect::<Vec<_>>()
        };
        assert_eq!(update("a", "u", 0), [""; 0]);
        assert_eq!(update("a", "u", 2), ["u 2"]);
        assert_eq!(update("a", "u", 2), [""; 0]);
        assert_eq!(update("a", "v", 2), ["u 0", "v 2"]);
        assert_eq!(update("b", "w", MAX_DIAGNOSTICS), [""; 0]);
        assert_eq!(update("a", "v", 0), ["v 0"]);
        assert_eq!(update("b", "w", MAX_DIAGNOSTICS), ["w 50000"]);
    }
}
