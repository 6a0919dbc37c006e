//! Tracked documents in hidden directories, which a walk passes over.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use urigrep::search::Search;

use super::{git, is_document, path_of};

/// Documents that are in every clone, but not searched: agents keep theirs in `.agents/` and the
/// like. Nobody should believe that they were audited.
#[derive(Clone, Debug, Default)]
pub struct HiddenDocuments {
    pub count: u64,
    /// Names of the outermost hidden directories.
    pub directories: BTreeSet<String>,
}

impl HiddenDocuments {
    /// Counts what git tracks below these directories, and the search would take if it were not
    /// hidden.
    pub fn of(directories: &[PathBuf], search: &Search) -> Self {
        let mut found = Self::default();
        for directory in directories.iter().filter(|it| it.is_dir()) {
            // An audit visits these.
            const FORGES: [&str; 2] = [".github", ".gitlab"];
            let listed = git(directory, &["ls-files", "--cached", "-z", "--", ":(glob)**/.*/**"]);
            let listed = listed.unwrap_or_default();
            for name in listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
                let path = path_of(name);
                let Some(hidden) = hidden(&path).filter(|it| !FORGES.contains(it)) else {
                    continue;
                };
                if is_document(&path)
                    && !search.takes_path(&path)
                    && search.takes_path(shown(&path))
                {
                    found.count += 1;
                    found.directories.insert(hidden.to_owned());
                }
            }
        }
        found
    }

    /// Returns the names of the directories, or the first ones of many.
    pub fn names(&self) -> String {
        const MOST: usize = 3;
        let names = self.directories.iter().take(MOST).map(|name| format!("{name}/"));
        let names = names.collect::<Vec<_>>().join(", ");
        match self.directories.len() > MOST {
            true => names + ", …",
            false => names,
        }
    }
}

/// Returns the name of the first hidden directory above a file.
fn hidden(path: &Path) -> Option<&str> {
    let above = path.parent()?.components();
    above.filter_map(|part| part.as_os_str().to_str()).find(|name| name.starts_with('.'))
}

/// Returns the path as if nothing on it were hidden.
fn shown(path: &Path) -> PathBuf {
    let parts = path.components().map(|part| match part {
        Component::Normal(name) => match name.to_str() {
            Some(name) => PathBuf::from(name.trim_start_matches('.')),
            None => PathBuf::from(name),
        },
        other => PathBuf::from(other.as_os_str()),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(hidden(Path::new("a/.b/.c/d.md")), Some(".b"));
        assert_eq!(hidden(Path::new("a/.b.md")), None);
        assert_eq!(shown(Path::new("a/.b/c.md")), Path::new("a/b/c.md"));
    }
}
