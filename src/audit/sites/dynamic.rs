//! Pages whose paths have parameters, whose values a program lists: [`DynamicPages`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::discovery::{DirectoryLister, NamedKind};
use crate::audit::other_files::is_no_document;
use crate::audit::paths;
use crate::document::picture;
use crate::edit::glob::matches;

/// Maximum number of directory entries that are listed.
const MAX_ENTRIES: usize = 20_000;
/// Maximum number of patterns. Each missing target is compared with them.
const MAX_PATTERNS: usize = 64;
/// Extensions of such pages.
const EXTENSIONS: [&str; 7] = [".astro", ".html", ".js", ".jsx", ".md", ".mdx", ".ts"];

/// Patterns of the paths of such pages, `api/[package]/index.astro` (Astro, "Routing", "Dynamic
/// routes"; VitePress, "Dynamic Routes").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct DynamicPages {
    patterns: Arc<[(PathBuf, String)]>,
    /// True if a pattern for all paths was left out, because a theme makes the other pages.
    has_one_for_all: bool,
}

impl DynamicPages {
    /// Reads the names of the pages below these directories.
    pub fn read(
        roots: &[PathBuf],
        is_whole_site_theirs: bool,
        files: &dyn DirectoryLister,
    ) -> Self {
        let (mut found, mut listed) = (Vec::new(), 0);
        let mut has_one_for_all = false;
        for root in roots {
            let mut pending = vec![(root.clone(), String::new())];
            while let Some((directory, below)) = pending.pop() {
                for (name, kind) in files.entries(&directory) {
                    listed += 1;
                    let path = match below.as_str() {
                        "" => name.clone(),
                        below => format!("{below}/{name}"),
                    };
                    match kind {
                        _ if listed > MAX_ENTRIES || name.starts_with('.') => {}
                        NamedKind::Directory if name != "node_modules" => {
                            pending.push((paths::join(&directory, &name), path));
                        }
                        NamedKind::File if path.contains('[') && found.len() < MAX_PATTERNS => {
                            // If a theme generates the other pages, a pattern for all paths is only
                            // its own page.
                            let is_for_all = path.starts_with('[') && !is_whole_site_theirs;
                            has_one_for_all |= is_for_all && path.starts_with("[...");
                            let pattern = pattern(&path).filter(|_| !is_for_all);
                            found.extend(pattern.map(|it| (root.clone(), it)));
                        }
                        _ => {}
                    }
                }
            }
        }
        Self { patterns: found.into(), has_one_for_all }
    }

    /// True if a program beside those of the theme may generate pages with any path.
    pub fn have_one_for_all(&self) -> bool {
        self.has_one_for_all
    }

    /// True for the path of a page that one of the patterns may generate; `has_all` says whether one
    /// for all paths counts.
    pub fn may_make(&self, place: &Path, has_all: bool) -> bool {
        let counts = |pattern: &str| has_all || pattern != ALL;
        self.patterns.iter().filter(|(_, pattern)| counts(pattern)).any(|(root, pattern)| {
            let below = paths::below(root, place);
            below.as_deref().and_then(Path::to_str).is_some_and(|below| is_made(pattern, below))
        })
    }
}

/// The pattern of `[...slug].astro`.
const ALL: &str = "**";

/// Returns the pattern of a page: `api/*` for `api/[package]/index.astro`, and `docs/**` for
/// `docs/[...path].astro`.
fn pattern(path: &str) -> Option<String> {
    let path = EXTENSIONS.iter().find_map(|it| path.strip_suffix(it))?;
    let mut names: Vec<String> = Vec::new();
    for name in path.split('/') {
        if name.contains("[...") {
            names.push("**".to_owned());
            break;
        }
        let (mut pattern, mut rest) = (String::new(), name);
        while let Some((before, after)) = rest.split_once('[') {
            let Some((_, behind)) = after.split_once(']') else { break };
            pattern.push_str(before);
            pattern.push('*');
            rest = behind;
        }
        names.push(pattern + rest);
    }
    if names.last().is_some_and(|name| name == "index") {
        names.pop();
    }
    Some(names.join("/"))
}

/// True for a path that a pattern names.
fn is_made(pattern: &str, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    // `[name].astro` generates pages, not pictures. `a.b` may be the name of a page.
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_file = picture::is_path(path.as_bytes()) || is_no_document(extension);
    if is_file && !name(pattern).contains('.') {
        return false;
    }
    match pattern.strip_suffix("**") {
        Some(start) => {
            let slashes = start.matches('/').count();
            let head: Vec<&str> = path.splitn(slashes + 1, '/').take(slashes).collect();
            head.len() == slashes && matches(start.trim_end_matches('/'), &head.join("/"))
        }
        None => {
            let mut names = path.split('/');
            pattern.split('/').all(|it| names.next().is_some_and(|name| matches(it, name)))
                && names.next().is_none()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_pages() {
        let is = |page: &str, path: &str| is_made(&pattern(page).unwrap_or_default(), path);
        assert!(is("api/[package]/index.astro", "api/core/"));
        assert!(is("schema/[version].json.ts", "schema/1.json"));
        assert!(is("docs/[...path].astro", "docs/a/b"));
        assert!(is("api/[package]/index.astro", "api/birds.hosting"));
        assert!(!is("api/[package]/index.astro", "api/core/x"));
        assert!(!is("api/[package]/index.astro", "apis/core"));
        assert!(!is("schema/[version].json.ts", "schema/1.html"));
        assert!(!is("docs/[...path].astro", "doc/a"));
        assert!(!is("docs/[...path].astro", "docs/a.svg"));
        assert_eq!(pattern("a/[b].png"), None);
    }
}
