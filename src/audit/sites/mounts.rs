//! Content that a site shows at other paths: mounted directories, and the first language as a
//! fallback.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::discovery::LanguageDirectory;
use super::rules::{MountKeys, UntranslatedRule};
use crate::audit::paths;

/// Maximum depth of a mounted path. Each link is compared with every directory
/// around it, up to this depth.
pub(super) const MAX_NAMES: usize = 64;

/// A directory or file shown at another path.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Reads the permalinks in `defaults` of Jekyll's settings: a directory, and the fixed start of the
/// addresses of its pages.
pub(super) fn of_permalinks(settings: &str) -> Vec<Mount> {
    let Some((_, defaults)) = settings.split_once("\ndefaults:") else { return Vec::new() };
    let value = |line: &str, key: &str| {
        let rest = line.trim().trim_start_matches("- ").trim_start().strip_prefix(key)?;
        let value = rest.strip_prefix(':')?.split(" #").next()?;
        Some(value.trim().trim_matches(['"', '\'']).to_owned())
    };
    let (mut mounts, mut directory) = (Vec::new(), String::new());
    for line in defaults.lines() {
        // The table ends where the next key of the settings starts.
        if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            break;
        }
        if line.trim().trim_start_matches("- ").starts_with("scope:") {
            directory.clear();
        } else if let Some(path) = value(line, "path") {
            directory = path.trim_matches('/').to_owned();
        } else if let Some(pattern) = value(line, "permalink").filter(|_| !directory.is_empty()) {
            mounts.extend(of_permalink(&directory, &pattern));
        }
    }
    mounts
}

/// Returns the mount of a pattern such as `/guides/:title.html`.
fn of_permalink(directory: &str, pattern: &str) -> Option<Mount> {
    let (start, variable) = pattern.split_once("/:")?;
    let name = variable.split(['/', '.']).next()?;
    let below = match name {
        "title" | "slug" | "name" | "basename" => "",
        // A path starts at the directory of its collection.
        "path" if directory.starts_with('_') => directory.split_once('/').map_or("", |it| it.1),
        "path" => directory,
        _ => return None,
    };
    let target = Path::new(start.trim_matches('/')).join(below);
    Some(Mount { source: directory.into(), target, is_of_content: true })
}

/// Returns the settings that the menu of MkDocs includes by its plugin `monorepo`, as paths that
/// may have a `*` for a directory.
pub(super) fn includes(settings: &str) -> impl Iterator<Item = &str> {
    settings.lines().filter_map(|line| {
        let (_, path) = line.split_once("!include ").or_else(|| line.split_once("*include "))?;
        Some(path.trim().trim_matches(['"', '\'']).trim_start_matches("./"))
    })
}

/// Returns the directory below which `monorepo` shows the documents of a project with this name.
pub(super) fn alias(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/');
    if name.chars().all(is_plain) {
        name.to_owned()
    } else {
        let lower = name.to_lowercase();
        let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
    }
}

/// Removes mounts that repeat another one (per language) or a root, and those that are too deep.
pub(super) fn unique(mut mounts: Vec<Mount>, roots: &[PathBuf]) -> Vec<Mount> {
    let roots: HashSet<&Path> = roots.iter().map(PathBuf::as_path).collect();
    let mut seen = HashSet::new();
    mounts.retain(|mount| {
        let is_root = mount.target.as_os_str().is_empty() && roots.contains(mount.source.as_path());
        // Each name of a target is a step in the table of mounts, and settings are untrusted.
        let is_deep = mount.target.components().nth(MAX_NAMES).is_some();
        !is_root && !is_deep && seen.insert((mount.source.clone(), mount.target.clone()))
    });
    mounts
}

/// True for a mount that names several languages, `languages: [en, fr]`: it shows its source in all
/// of them.
fn has_shared(settings: &str) -> bool {
    settings.lines().any(|line| {
        let list = ["languages: [", "languages = ["].iter().find_map(|key| line.split_once(key));
        list.is_some_and(|(_, list)| list.split(']').next().is_some_and(|it| it.contains(',')))
    })
}

impl Mount {
    /// Returns the source file of a path below `/`.
    pub fn shown(&self, path: &Path) -> Option<PathBuf> {
        let rest = path.strip_prefix(&self.target).ok()?;
        Some(if rest.as_os_str().is_empty() { self.source.clone() } else { self.source.join(rest) })
    }

    /// Returns the address of the page of a mounted file: it has no extension, and that of an index
    /// is its directory.
    pub fn address(&self) -> Option<PathBuf> {
        let stem = self.target.file_stem().filter(|_| self.target.extension().is_some())?;
        let around = self.target.parent().unwrap_or(Path::new(""));
        Some(if stem == "_index" || stem == "index" {
            around.to_owned()
        } else {
            around.join(stem)
        })
    }

    /// True for a path in the mount, and for the address of its page.
    #[cfg(test)]
    pub fn may_hold(&self, path: &Path) -> bool {
        path.starts_with(&self.target) || self.address().is_some_and(|address| path == address)
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
    pub fn new(
        rule: UntranslatedRule,
        languages: &[LanguageDirectory],
        mounts: &[Mount],
        settings: &str,
    ) -> Option<Self> {
        let first = &languages.first()?.directory;
        let mut sources = HashSet::new();
        let has_pages = match rule {
            UntranslatedRule::Nothing => return None,
            // A source mounted twice is shown in two languages.
            UntranslatedRule::Files => {
                mounts.iter().any(|it| !sources.insert(&it.source)) || has_shared(settings)
            }
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
    fn permalinks_and_includes() {
        let settings = "a: b\ndefaults:\n  - scope:\n      path: \"_c/d\"\n    values:\n      permalink: \"/e/:title.html\"\n  -\n    scope:\n      path: _c/f\n    values:\n      permalink: /:path.html # x\n  - scope:\n      path: \"\"\n    values:\n      permalink: /g/:title\nh:\n  path: x\n  permalink: /i/:title\n";
        let read: Vec<_> =
            of_permalinks(settings).into_iter().map(|it| (it.source, it.target)).collect();
        assert_eq!(read, [("_c/d".into(), "e".into()), ("_c/f".into(), PathBuf::from("f"))]);
        let menu =
            "nav:\n  - A: '!include ./v1/mkdocs.yml'\n  - B: \"*include ./c/*/mkdocs.yml\"\n";
        assert_eq!(includes(menu).collect::<Vec<_>>(), ["v1/mkdocs.yml", "c/*/mkdocs.yml"]);
        assert_eq!(
            (alias("versions/v1"), alias("My API!")),
            ("versions/v1".into(), "my-api".into())
        );
    }

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
