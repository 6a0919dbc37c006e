//! The playbooks of Antora: where a site is published, from which repositories it is made, and which
//! files its pages load.

use std::path::{Path, PathBuf};

use super::antora::Component;
use super::discovery::{DirectoryLister, is_in_tree, value};
use super::site::base_path;
use crate::audit::paths;
use crate::audit::target::joined;

/// Maximum number of directories from a component up to its playbook.
const MAX_ABOVE: usize = 4;
/// Maximum number of files that are examined in search of a playbook.
const MAX_PLAYBOOKS: usize = 16;

/// The playbooks of a component. They have any name (Antora, "Antora Playbook").
pub(crate) struct Playbooks {
    /// Each with its directory, nearest first.
    all: Vec<(PathBuf, String)>,
}

impl Playbooks {
    /// Looks for the playbooks around a component.
    pub(crate) fn find(component: &Path, files: &dyn DirectoryLister) -> Self {
        let absolute = paths::absolute(component);
        let mut all = Vec::new();
        for above in absolute.ancestors().take(MAX_ABOVE) {
            let names = files.names(above);
            let is_settings = |name: &&String| name.ends_with(".yml") || name.ends_with(".yaml");
            let texts = names.iter().filter(is_settings).take(MAX_PLAYBOOKS);
            let texts = texts.map(|name| files.text(&above.join(name)));
            let playbooks = texts.filter(|text| is_playbook(text));
            all.extend(playbooks.map(|text| (above.to_path_buf(), text.as_str().to_owned())));
            if above.join(".git").exists() {
                break;
            }
        }
        Self { all }
    }

    /// Returns the path of the site.
    pub(crate) fn base(&self) -> Option<String> {
        let address = self.all.iter().find_map(|(_, text)| value(&block(text, "site"), &["url"]));
        address.map(|address| base_path(&address))
    }

    /// True if the checkout of a component has the whole site: all playbooks name it only, and it
    /// has no other component. Otherwise other repositories may add pages to the component, and
    /// give their own pages more names in it (Antora, "Page Aliases"): 33 of 34 errors about
    /// docs-api-manager were such names.
    pub(crate) fn name_whole_site(&self, component: &Path, components: &[Component]) -> bool {
        let component = paths::absolute(component);
        let is_own = |(directory, text): &(PathBuf, String)| {
            let content = block(text, "content");
            let mut urls = urls(&content).peekable();
            urls.peek().is_some()
                && urls.all(|url| {
                    let place = url.starts_with('.').then(|| joined(directory, url)).flatten();
                    place.is_some_and(|place| component.starts_with(place))
                })
        };
        let mut names = components.iter().map(Component::name);
        let first = names.next();
        !self.all.is_empty() && self.all.iter().all(is_own) && names.all(|name| Some(name) == first)
    }

    /// Returns the directory whose files are published beside those of the bundle
    /// (Antora, "Supplemental UI").
    pub(crate) fn supplemental(&self, component: &Path) -> Option<PathBuf> {
        self.all.iter().find_map(|(directory, text)| {
            let named = value(&block(text, "ui"), &["supplemental_files"])?;
            let place = joined(directory, &named).filter(|_| !named.starts_with('/'))?;
            // The paths of documents may be relative, and those of settings are absolute here.
            let inside = place.strip_prefix(paths::absolute(component)).ok();
            let place = inside.map_or_else(|| place.clone(), |inside| component.join(inside));
            (place.is_dir() && is_in_tree(component, &place)).then_some(place)
        })
    }
}

/// True for settings that name the sources of content.
fn is_playbook(text: &str) -> bool {
    let has_key = |key: &str| text.lines().any(|line| line.starts_with(key));
    has_key("content:") && text.contains("sources:") && (has_key("site:") || has_key("ui:"))
}

/// Returns the lines below a key of the first level, each with its rest: `site: {title: A}`.
fn block(text: &str, key: &str) -> String {
    let start = format!("{key}:");
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&start));
    let first = lines.next().and_then(|line| line.strip_prefix(&start)).unwrap_or_default();
    let is_inside = |line: &&str| {
        line.is_empty() || line.starts_with([' ', '\t', '#', '-']) || line.trim() == "}"
    };
    let rest: Vec<&str> = lines.take_while(is_inside).collect();
    format!("{}\n{}", first.trim(), rest.join("\n"))
}

/// Returns the values of `url` in a list, also in `[{url: ., start_path: docs}]`.
fn urls(content: &str) -> impl Iterator<Item = &str> {
    let lines = content.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(|line| {
        line.match_indices("url:").filter_map(move |(at, key)| {
            let (before, rest) = line.split_at(at);
            let is_key = before.is_empty() || before.ends_with([' ', '{', ',', '\t']);
            let rest = rest.get(key.len()..)?.trim_start();
            let end = rest.find([' ', ',', '}', ']']).unwrap_or(rest.len());
            let value = rest.get(..end)?.trim_matches(['"', '\'']);
            (is_key && !value.is_empty()).then_some(value)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playbooks(text: &str) -> Playbooks {
        let all = if is_playbook(text) { vec![("/a".into(), text.to_owned())] } else { Vec::new() };
        Playbooks { all }
    }

    #[test]
    fn addresses() {
        let text =
            "site:\n  title: A\n  url: https://a.example/docs\ncontent:\n  sources:\n  - url: ./\n";
        assert_eq!(playbooks(text).base().as_deref(), Some("/docs/"));
        let text = "site:\n  title: A\ncontent:\n  sources:\n  - url: ./\n";
        assert_eq!(playbooks(text).base(), None);
    }

    #[test]
    fn sources() {
        let is_whole = |sources: &str| {
            let text = format!("site:\n  title: A\ncontent:\n{sources}\nui:\n  x: y\n");
            playbooks(&text).name_whole_site(Path::new("/a/docs"), &[])
        };
        assert!(is_whole("  sources:\n  - url: .\n    start_path: docs\n  # - url: ../b\n"));
        assert!(is_whole("  sources: [{url: ./, start_path: docs}]\n"));
        assert!(!is_whole("  sources:\n  - url: .\n  - url: https://a.example/b.git\n"));
        assert!(!is_whole("  sources:\n  - url: ../b\n"));
        assert!(!is_whole("  sources: []\n"));
        assert!(!playbooks("a: b").name_whole_site(Path::new("/a/docs"), &[]));
    }
}
