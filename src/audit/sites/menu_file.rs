//! Files in which a site names its pages beside its documents: menus, sidebars, tables of contents.
//! [`MenuFile`].
//!
//! These links are in no document, but readers of a site see them first. They lead to where the
//! links of a document at the top of the site's content lead.

use std::cmp::Reverse;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::discovery::{PUBLISHED, entries, joined, text, values};
use super::rules::SiteRules;
use super::{Profile, docusaurus, sphinx};
use crate::audit::finding::is_among;
use crate::audit::paths;
use crate::search::tree::dot_ignore::DotIgnore;

/// The place of a generator's menu: a row of its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MenuFile {
    /// Path below the directory of the site's settings. `*` matches any start and rest of a name,
    /// and a `/` at the end all files below that directory.
    pub path: &'static str,
    pub keys: MenuKeys,
    pub values: MenuValues,
}

impl MenuFile {
    /// True for settings that list no pages, but only files that the site shows or loads, and perhaps
    /// its first page.
    pub fn names_files_only(&self) -> bool {
        matches!(self.keys, MenuKeys::Named([])) || self.keys == sphinx::FIRST_DOCUMENT
    }
}

/// Which values of such a file count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuKeys {
    /// All values below one of these keys, at any depth.
    Below(&'static [&'static str]),
    /// The values of these keys, anywhere.
    Named(&'static [&'static str]),
    /// The values of these attributes of XML.
    Attributes(&'static [&'static str]),
    /// The values of keys of the second list below a key of the first list.
    NamedBelow(&'static [&'static str], &'static [&'static str]),
}

/// The kind of the values in a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuValues {
    /// Paths of documents, relative to the content. A value without the extension of a document is
    /// a title, a directory, or an address.
    Sources,
    /// Paths of documents without their extensions, relative to the content.
    Documents,
    /// Addresses: `/guide/`, and URIs. The meaning of other values depends on the program that
    /// reads them.
    Addresses,
    /// Addresses, and the ids of documents in lists and at the key `id`. Ids are paths without
    /// extensions, relative to a content directory (Docusaurus).
    AddressesAndIds,
    /// Addresses, and the values of the object `redirects`, without those that name a parameter
    /// (Astro).
    AddressesAndRedirects,
    /// Addresses. Those of the key `to` start at `/`, with or without a slash (Docusaurus).
    AddressesOfTo,
    /// Addresses in the markup of a program: attributes of JSX.
    OfPrograms,
    /// Names of pages and directories beside the menu, as keys of an object (Nextra).
    PageKeys,
    /// Names of pages and directories beside the menu, in the list `pages` (Fumadocs).
    PageList,
    /// Addresses in data, whose meaning only the templates of the site define.
    OfTemplates,
}

/// A file with the menu of a site, and the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::audit) struct FoundMenu {
    pub file: MenuFile,
    pub profile: Profile,
    /// Directory of the settings.
    pub directory: PathBuf,
    /// Directory of the documents that the file belongs to, if its name shows it.
    documents: Option<PathBuf>,
}

/// A name that no real document has.
const STAND_IN: &str = "urigrep-menu.md";

/// Most directories in which a package is looked for.
const MAX_ABOVE: usize = 16;

/// Extensions of data and programs, and of the trees of Writerside.
const EXTENSIONS: &str = "astro cjs cts js json jsx mjs mts py toml tree ts tsx yaml yml";

/// Extensions of programs with markup.
const MARKUP: &str = "astro js jsx tsx";

impl FoundMenu {
    /// Returns the menu that may be at this path, by its name.
    pub fn from_path(path: &Path) -> Option<Self> {
        Self::all(path).into_iter().max_by_key(|it| it.file.path.len())
    }

    /// Returns the menus that may be at this path, likeliest first: several generators may have the
    /// same names.
    pub fn all(path: &Path) -> Vec<Self> {
        let extension = path.extension().and_then(OsStr::to_str);
        if extension.is_none_or(|it| !is_among(EXTENSIONS, it)) {
            return Vec::new();
        }
        let rows = Profile::ALL
            .iter()
            .flat_map(|&profile| profile.rules().menus.iter().map(move |file| (profile, *file)));
        let has_markup = extension.is_some_and(|it| is_among(MARKUP, it));
        let rows = rows.filter(|(_, file)| has_markup || file.values != MenuValues::OfPrograms);
        let found =
            rows.filter_map(|(profile, file)| Some((profile, file, directory(file.path, path)?)));
        // `.vitepress/config.json` more likely belongs to VitePress than to Hugo, which reads
        // `config.json`.
        let mut found: Vec<_> = found.collect();
        found.sort_by_key(|(_, file, _)| Reverse(file.path.len()));
        let menu = |(profile, file, directory): (Profile, MenuFile, &Path)| Self {
            file,
            profile,
            directory: directory.to_owned(),
            documents: docusaurus::documents_of_sidebar(path),
        };
        found.into_iter().map(menu).collect()
    }

    /// True for a menu that names what is beside it. It needs no settings that name its generator.
    pub fn is_beside_pages(&self) -> bool {
        matches!(self.file.values, MenuValues::PageKeys | MenuValues::PageList)
    }

    /// True for a program that makes pages of the site.
    pub fn is_program(&self) -> bool {
        self.file.values == MenuValues::OfPrograms
    }

    /// True for a name that files of any tree may have.
    pub fn has_common_name(&self) -> bool {
        let path = self.file.path;
        self.is_program()
            || self.profile == Profile::Docusaurus
                && (path.starts_with('*') || path.ends_with("/*"))
    }

    /// True if the package around the menu uses the generator whose menu it may be.
    pub fn is_of_package(&self) -> bool {
        let name = match self.file.values {
            MenuValues::PageKeys => "\"nextra",
            MenuValues::PageList => "\"fumadocs-",
            _ => return false,
        };
        let around = self.directory.ancestors().take(MAX_ABOVE);
        let mut packages = around.map(|above| text(&above.join("package.json")));
        packages.find(|it| !it.is_empty()).is_some_and(|package| package.contains(name))
    }

    /// Returns the path of a document from which the links of this menu would lead to the same
    /// files. The document need not exist.
    pub fn stand_in(&self, text: &str, is_directory: impl Fn(&Path) -> bool) -> PathBuf {
        if self.is_beside_pages() {
            return self.directory.join(STAND_IN);
        }
        if let Some(documents) = &self.documents {
            return documents.join(STAND_IN);
        }
        let SiteRules { content_keys, content, .. } = self.profile.rules();
        // A program may use the words of the settings for anything.
        let text = if self.is_program() { "" } else { text };
        let named = content_keys.iter().flat_map(|key| values(text, key));
        let usual = content.iter().map(|it| (*it).to_owned());
        let places = named.chain(usual).map(|it| joined(&self.directory, &it));
        let content = places.into_iter().find(|place| is_directory(place));
        content.unwrap_or_else(|| self.directory.clone()).join(STAND_IN)
    }
}

/// Shorter names are those of data as well.
const MIN_NAME_LENGTH: usize = 8;

/// True for the path of settings that name pages, which no other file is likely to have.
pub fn is_settings(path: &Path) -> bool {
    FoundMenu::from_path(path).is_some_and(|it| {
        let path = it.file.path;
        path.len() >= MIN_NAME_LENGTH && !it.has_common_name() && !path.ends_with('/')
    })
}

/// Returns the hidden files with the menus of sites in a checkout, in order.
pub(in crate::audit) fn hidden_menus(checkout: &Path) -> Vec<PathBuf> {
    let hidden = Profile::ALL.iter().flat_map(|it| it.rules().menus);
    let hidden = hidden.filter(|menu| menu.path.starts_with('.'));
    let mut above: Vec<&Path> = hidden.filter_map(|menu| Path::new(menu.path).parent()).collect();
    above.sort();
    above.dedup();
    let usual = PUBLISHED.iter().flat_map(|place| above.iter().map(|it| Path::new(place).join(it)));
    let mut directories: Vec<PathBuf> = usual.collect();
    // `packages/en/.vitepress`. Files that lie in `packages/en` itself are found by the walk.
    let named = above.iter().filter(|it| !it.as_os_str().is_empty());
    let named = named.collect::<Vec<_>>();
    let is_there = |it: &PathBuf| checkout.join(it).is_dir();
    directories.extend(
        directories_below(checkout)
            .iter()
            .flat_map(|place| named.iter().map(|it| place.join(it)))
            .filter(is_there),
    );
    directories.sort();
    directories.dedup();
    let files = directories.iter().flat_map(|below| {
        let names = entries(&checkout.join(below)).into_iter().map(|it| it.file_name());
        names.map(move |name| below.join(name))
    });
    // A walk finds those of other directories.
    let is_hidden = |file: &PathBuf| {
        file.components().any(|it| it.as_os_str().as_encoded_bytes().starts_with(b"."))
    };
    let files = files.filter(|file| is_hidden(file) && paths::is_real_file(checkout, file));
    let mut ignored = DotIgnore::default();
    files
        .map(|file| checkout.join(file))
        .filter(|file| FoundMenu::from_path(file).is_some() && !ignored.excludes(file))
        .collect()
}

/// Most directories in which a hidden directory of a generator is looked for.
const MAX_DIRECTORIES: usize = 2_000;

/// Returns the directories at most two levels below a checkout, without hidden ones and those of
/// packages.
fn directories_below(checkout: &Path) -> Vec<PathBuf> {
    let inside = |place: &Path| -> Vec<PathBuf> {
        let is_directory =
            |it: &fs::DirEntry| it.file_type().is_ok_and(|file_type| file_type.is_dir());
        let found = entries(&checkout.join(place)).into_iter().filter(is_directory);
        let names = found.map(|it| it.file_name());
        let is_taken =
            |name: &OsString| name != "node_modules" && !name.as_encoded_bytes().starts_with(b".");
        names.filter(is_taken).map(|name| place.join(name)).collect()
    };
    let first = inside(Path::new(""));
    let second = first.iter().take(MAX_DIRECTORIES).flat_map(|place| inside(place));
    let second = second.take(MAX_DIRECTORIES).collect::<Vec<_>>();
    first.into_iter().chain(second).take(MAX_DIRECTORIES).collect()
}

/// Returns the directory below which the path has this pattern.
fn directory<'p>(pattern: &str, path: &'p Path) -> Option<&'p Path> {
    match pattern.strip_suffix('/') {
        Some(above) => path.ancestors().skip(1).find_map(|it| directory(above, it)),
        None => {
            let mut rest = path;
            for name in pattern.rsplit('/') {
                let found = rest.file_name()?.to_str()?;
                let fits = match (name.strip_prefix('*'), name.strip_suffix('*')) {
                    (Some(end), _) if end.len() > 1 && end.ends_with('*') => {
                        found.contains(end.trim_end_matches('*'))
                    }
                    (Some(end), _) => found.ends_with(end),
                    (None, Some(start)) => found.starts_with(start),
                    (None, None) => found == name,
                };
                rest = rest.parent().filter(|_| fits)?;
            }
            Some(rest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn menus_by_name() {
        let found =
            |path: &str| FoundMenu::from_path(Path::new(path)).map(|it| (it.profile, it.directory));
        let some = |profile, directory: &str| Some((profile, PathBuf::from(directory)));
        assert_eq!(found("mkdocs.yml"), some(Profile::Mkdocs, ""));
        assert_eq!(found("a/mkdocs.de.yml"), some(Profile::Mkdocs, "a"));
        assert_eq!(found("a/_data/b/c.yml"), some(Profile::Jekyll, "a"));
        assert_eq!(found("docs/.vitepress/config.mts"), some(Profile::Vitepress, "docs"));
        assert_eq!(found("docs/.vitepress/config/zh.ts"), some(Profile::Vitepress, "docs"));
        assert_eq!(found("a/config/_default/menus.en.toml"), some(Profile::Hugo, "a"));
        for other in ["a.yml", "data/a.yml", "mkdocs.yml/a.md", "config.ts", ""] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
