//! Content that a site shows at other paths: mounted directories, and the first language as a
//! fallback.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::discovery::LanguageDirectory;
use super::rules::{MountKeys, UntranslatedRule};
use crate::audit::paths;

/// A directory or file shown at another path.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mount {
    pub source: PathBuf,
    /// Path below the content, or below another directory that is mounted at `/`.
    pub target: PathBuf,
    /// True if it holds documents.
    pub is_of_content: bool,
}

/// Reads the mounts from settings, in the order of their lines.
pub(super) fn read(settings: &str, keys: MountKeys) -> Vec<Mount> {
    let mut mounts = Vec::new();
    let mut from = None;
    let value = |line: &str, key: &str| {
        let rest = line.trim().trim_start_matches("- ").trim_start().strip_prefix(key)?;
        let value = rest.trim_start().strip_prefix([':', '='])?.trim();
        Some(value.trim_matches(['"', '\'', ',', ' ']).to_owned())
    };
    for line in settings.lines() {
        if let Some(source) = value(line, keys.source) {
            from = Some(source);
        } else if let Some(to) = value(line, keys.target)
            && let Some(source) = from.take()
            && let Some(root) = keys.roots.iter().find(|root| to.starts_with(**root))
            && let Ok(target) = Path::new(to.trim_start_matches('/')).strip_prefix(root)
        {
            let (source, target) = (PathBuf::from(source), target.to_owned());
            mounts.push(Mount { source, target, is_of_content: *root == "content" });
        }
    }
    mounts
}

/// Removes mounts that repeat another one (per language) or a root.
pub(super) fn unique(mut mounts: Vec<Mount>, roots: &[PathBuf]) -> Vec<Mount> {
    let mut seen = HashSet::new();
    mounts.retain(|mount| {
        let is_root = mount.target.as_os_str().is_empty() && roots.contains(&mount.source);
        !is_root && seen.insert((mount.source.clone(), mount.target.clone()))
    });
    mounts
}

impl Mount {
    /// Returns the source file of a path below `/`.
    pub fn shown(&self, path: &Path) -> Option<PathBuf> {
        let rest = path.strip_prefix(&self.target).ok()?;
        Some(if rest.as_os_str().is_empty() { self.source.clone() } else { self.source.join(rest) })
    }

    /// True for a path in the mount, and for the address of its page.
    pub fn may_hold(&self, path: &Path) -> bool {
        if path.starts_with(&self.target) {
            return true;
        }
        // The address of a mounted file has no extension, and that of an index is its directory.
        let stem = self.target.file_stem().filter(|_| self.target.extension().is_some());
        let around = self.target.parent().unwrap_or(Path::new(""));
        stem.is_some_and(|stem| match stem == "_index" || stem == "index" {
            true => path == around,
            false => path.parent() == Some(around) && path.file_name() == Some(stem),
        })
    }

    /// Makes the source relative to a directory.
    pub fn below(self, directory: &Path) -> Self {
        let source = super::discovery::joined(directory, &self.source.to_string_lossy());
        Self { source, ..self }
    }
}

/// The first language, shown where translations have no page.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fallback {
    /// The directory of the language.
    directory: PathBuf,
    has_pages: bool,
}

impl Fallback {
    pub fn of(
        rule: UntranslatedRule,
        languages: &[LanguageDirectory],
        mounts: &[Mount],
    ) -> Option<Self> {
        let first = &languages.first()?.directory;
        // A source mounted twice is shown in two languages.
        let is_shared = |at: usize, mount: &Mount| {
            mounts.iter().take(at).any(|other| other.source == mount.source)
        };
        let has_pages = match rule {
            UntranslatedRule::Nothing => return None,
            UntranslatedRule::Files => mounts.iter().enumerate().any(|(at, it)| is_shared(at, it)),
            UntranslatedRule::All => true,
        };
        Some(Self { directory: first.clone(), has_pages })
    }

    /// Returns the path in the first language for a path in another one.
    pub fn of_path(&self, path: &Path, languages: &[String]) -> Option<PathBuf> {
        let is_page = path.extension().is_none_or(|it| it == "md" || it == "mdx" || it == "html");
        if is_page && !self.has_pages {
            return None;
        }
        let all = paths::absolute(self.directory.parent()?);
        let below = paths::below(&all, path)?;
        let mut parts = below.components();
        let language = parts.next()?.as_os_str().to_str()?;
        languages.iter().any(|it| it == language).then(|| self.directory.join(parts.as_path()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_of_settings() {
        let yaml =
            "mounts:\n  - source: a/b\n    target: content/c\n  - source: x\n    target: layouts\n";
        let toml = "[[module.mounts]]\nsource = 'a/b'\ntarget = 'content/c'\n[[x]]\ntarget = 'content/d'\n";
        for text in [yaml, toml] {
            let keys = MountKeys { source: "source", target: "target", roots: &["content"] };
            let read = read(text, keys);
            assert_eq!(read.len(), 1);
            assert_eq!(read[0].shown(Path::new("c/d.md")), Some(PathBuf::from("a/b/d.md")));
            assert_eq!(read[0].shown(Path::new("d.md")), None);
        }
        let mount = |target: &str| Mount {
            source: PathBuf::new(),
            target: target.into(),
            is_of_content: true,
        };
        assert!(mount("a/_index.md").may_hold(Path::new("a")));
        assert!(mount("a/b.md").may_hold(Path::new("a/b")));
        assert!(!mount("a/b.md").may_hold(Path::new("a")));
    }
}
