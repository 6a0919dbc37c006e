//! The repository in which the pages of a site are edited: [`EditedContent`].
//!
//! A site may publish a copy of the documents of another repository. The address after its "Edit
//! this page" names that repository. A link out of the copied directory then names a file of the
//! other repository, which the copy does not have.

use std::path::{Path, PathBuf};

use super::discovery::{DirectoryLister, NamedKind, text, value};
use super::repository::{Repository, remote};
use crate::audit::paths;

/// Pages that are edited in one repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::audit) struct EditedContent {
    /// The repository, such as `github.com/owner/name`.
    pub repository: String,
    /// The repository in the package of the site.
    own: Option<String>,
    /// The directories of the pages.
    roots: Vec<PathBuf>,
}

/// Setting with the address of the editor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EditKey {
    /// The first address after this key.
    Address(&'static str),
    /// Like [`Address`](Self::Address), for the pages of the plugin that has the key among its
    /// options.
    OfPlugin(&'static str),
    /// A path or address, and the key of the repository below which the path is.
    Path(&'static str, &'static str),
}

/// Maximum distance of an address from its key. `editUrl` may be a function.
const MAX_DISTANCE_BYTES: usize = 512;
/// Maximum number of directories from the settings of a site up to its package.
const MAX_ABOVE: usize = 4;
/// Maximum depth of the directory of all pages below the content.
const MAX_DEPTH: usize = 4;

/// Most repositories of one site.
const MAX_EDITED: usize = 64;

impl EditedContent {
    /// Reads the settings of a site with this content.
    pub fn read(
        key: EditKey,
        settings: &str,
        above: &Path,
        content: &[PathBuf],
        files: &dyn DirectoryLister,
    ) -> Vec<Self> {
        let found: Vec<(String, Option<String>)> = match key {
            EditKey::Address(key) => addresses(settings, key).map(|(it, _)| (it, None)).collect(),
            EditKey::OfPlugin(key) => {
                let found = addresses(settings, key);
                found.map(|(it, at)| (it, plugin_directory(settings, at))).collect()
            }
            EditKey::Path(key, repository) => {
                let path = value(settings, &[key]).filter(|path| !path.is_empty());
                let around = || value(settings, &[repository]);
                let address = path.and_then(|path| {
                    if path.contains("://") {
                        Some(path)
                    } else {
                        Some(format!("{}/{path}", around()?.trim_end_matches('/')))
                    }
                });
                address
                    .and_then(|it| edited_repository(&it))
                    .map(|it| (it, None))
                    .into_iter()
                    .collect()
            }
        };
        if found.is_empty() {
            return Vec::new();
        }
        let own = package_repository(above);
        // Each link to a repository is compared with them.
        let edited = found.into_iter().take(MAX_EDITED).map(|(repository, directory)| {
            let is_shown = |root: &&PathBuf| directory.as_ref().is_none_or(|it| root.ends_with(it));
            let roots = content.iter().filter(is_shown).map(|root| common(root, files));
            Self { repository, own: own.clone(), roots: roots.collect() }
        });
        edited.collect()
    }

    /// True if the page is a copy from another repository, and this path is outside of the
    /// copied directory.
    pub fn is_left(&self, checkout: Option<&Repository>, page: &Path, place: &Path) -> bool {
        // The nearest one: content may be within other content.
        let inside = |root: &&PathBuf| paths::below(root, page).is_some();
        let root = self.roots.iter().filter(inside).max_by_key(|root| root.components().count());
        root.is_some_and(|root| paths::below(root, place).is_none())
            && self.is_of_other_repository(checkout)
    }

    /// True if the checkout belongs to another repository, and is not a fork. If nothing names
    /// the repository, this is unknown.
    fn is_of_other_repository(&self, checkout: Option<&Repository>) -> bool {
        let name = |repository: &str| repository.rsplit('/').next().map(str::to_owned);
        let remotes = checkout.map_or(&[][..], |checkout| &checkout.remotes);
        let mut own = remotes.iter().chain(&self.own).peekable();
        // A fork has the name of the repository, and another owner.
        own.peek().is_some() && own.all(|own| name(own) != name(&self.repository))
    }
}

/// Returns the repositories of the addresses after a key, with the places of the key.
fn addresses<'t>(settings: &'t str, key: &'t str) -> impl Iterator<Item = (String, usize)> + 't {
    settings.match_indices(key).filter_map(move |(at, _)| {
        let mut end = settings.len().min(at + key.len() + MAX_DISTANCE_BYTES);
        while !settings.is_char_boundary(end) {
            end -= 1;
        }
        let after = settings.get(at + key.len()..end)?;
        let after = after.split(key).next()?;
        let start = after.find("https://")?;
        Some((edited_repository(after.get(start..)?)?, at))
    })
}

/// Returns `github.com/owner/name` for `https://github.com/owner/name/edit/main/docs/a.md`; `None`
/// for other addresses, and for the template that the site was created from.
fn edited_repository(address: &str) -> Option<String> {
    let end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ')');
    let address = address.split(end).next()?;
    let (repository, rest) = ["/-/edit/", "/edit/", "/tree/", "/blob/", "/_edit/", "/src/branch/"]
        .iter()
        .find_map(|view| address.split_once(view))?;
    (!rest.contains("/templates/")).then(|| remote(repository))?
}

/// Returns the directory of the plugin with the option at this place: its `path`, or else the key
/// of its options: `docs: {`.
fn plugin_directory(settings: &str, at: usize) -> Option<String> {
    let mut depth = 0_usize;
    let before = settings.get(..at)?;
    let open = before.bytes().enumerate().rev().find_map(|(at, byte)| {
        match byte {
            b'}' => depth += 1,
            b'{' if depth == 0 => return Some(at),
            b'{' => depth -= 1,
            _ => {}
        }
        None
    })?;
    let after = settings.get(open + 1..)?;
    let mut depth = 0_usize;
    let close = after.bytes().position(|byte| {
        depth += usize::from(byte == b'{');
        let is_end = byte == b'}' && depth == 0;
        depth = depth.saturating_sub(usize::from(byte == b'}'));
        is_end
    });
    let options = after.get(..close.unwrap_or(after.len()))?;
    let named = value(options, &["path"]).map(|path| path.trim_start_matches("./").to_owned());
    named.or_else(|| {
        let key = settings.get(..open)?.trim_end().strip_suffix(':')?;
        let word = key.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?;
        Some(word.to_owned())
    })
}

/// Returns the directory that all pages of the content are in: `docs/latest`, if `docs` has nothing
/// else.
fn common(content: &Path, files: &dyn DirectoryLister) -> PathBuf {
    let mut directory = content.to_path_buf();
    for _ in 0..MAX_DEPTH {
        match files.entries(&directory).as_slice() {
            [(name, NamedKind::Directory)] => directory.push(name),
            _ => break,
        }
    }
    directory
}

/// Returns the repository in the nearest `package.json` that names one: as an address, or as
/// `owner/name` on GitHub (npm, "package.json", `repository`).
fn package_repository(directory: &Path) -> Option<String> {
    let directory = paths::absolute(directory);
    for above in directory.ancestors().take(MAX_ABOVE) {
        let package = text(&above.join("package.json"));
        if let Some((_, after)) = package.split_once("\"repository\"") {
            let after = after.trim_start_matches([':', ' ', '\t', '\r', '\n']);
            let named = match after.strip_prefix('"') {
                Some(text) => text.split('"').next().map(str::to_owned),
                None => value(after.split('}').next()?, &["url"]),
            }?;
            let named = named.strip_prefix("github:").unwrap_or(&named);
            return if named.contains("://") || named.contains('@') {
                remote(named)
            } else {
                Some(format!("github.com/{named}").to_lowercase())
            };
        }
        if above.join(".git").exists() {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_of_editors() {
        for (address, expected) in [
            ("https://github.com/O/r/edit/main/docs/${path}`", Some("github.com/o/r")),
            ("https://gitlab.com/g/s/p/-/edit/main/docs/", Some("gitlab.com/g/s/p")),
            ("https://github.com/o/r/tree/main/packages/x/templates/shared/',", None),
            ("https://github.com/o/r',", None),
        ] {
            assert_eq!(edited_repository(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn directories_of_plugins() {
        let settings = "presets: [['classic', { docs: { path: './manual', x: { y: 1 }, \
                        editUrl: 'https://a.example' }, blog: { editUrl: 'b' } }]]";
        let at = |number: usize| settings.match_indices("editUrl").nth(number).unwrap().0;
        assert_eq!(plugin_directory(settings, at(0)).as_deref(), Some("manual"));
        assert_eq!(plugin_directory(settings, at(1)).as_deref(), Some("blog"));
    }
}
