//! [Docusaurus](https://docusaurus.io/docs).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::discovery::{DirectoryLister, joined, text_in_tree};
use super::edited::EditKey;
use super::menu::MenuRule;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::mounts::Mount;
use super::rules::{
    ALIASES, AddressBase, AutolinkRule, ContentRule, DirectoryRule, FILES, FileLookup, IndexRule,
    LinkBase, MenuPaths, MoreMounts, NameRule, PageDirectoryRule, SettingsPaths, SiteRules,
};
use super::site::MAX_ROOTS;
use crate::audit::{Slugs, paths};
use crate::document::Dialect;
use crate::document::code::javascript::{JsTokenKind, tokens};
use crate::slice::SliceExt as _;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["docusaurus.config.*"],
    content_keys: &["path"],
    content_rule: ContentRule::BesideDefault,
    version_directories: &["versioned_docs", "docusaurus-plugin-content-docs"],
    base_keys: &["baseUrl"],
    host_keys: &["url"],
    edit_key: Some(EditKey::OfPlugin("editUrl")),
    content: &["docs", "blog", "src/pages", "versioned_docs", "i18n", "community", "src"],
    content_prefix: Some("@site/"),
    statics: &["static", "."],
    excluded_keys: &["exclude"],
    // Of `src`, only the documents in `src/pages` are pages.
    excluded: &["src/components/**/README.md", "src/theme/**/README.md"],
    outputs: &["build"],
    slugs: Slugs::GithubSlugger,
    dialect: Dialect::Mdx,
    endings: &[
        ".md",
        ".mdx",
        "/index.md",
        "/index.mdx",
        "/README.md",
        "/README.mdx",
        ".js",
        ".jsx",
        ".tsx",
        "/index.js",
        "/index.tsx",
        ".html",
        "/index.html",
    ],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    page_directories: PageDirectoryRule::IfSetting("trailingSlash", "true"),
    lookup: FileLookup::ContentToo,
    index: IndexRule::LikeDirectory,
    directories: DirectoryRule::NeedsIndex,
    names: NameRule::Slugged,
    languages: &["i18n"],
    more_mounts: MoreMounts::Routes,
    aliases: ALIASES,
    address_keys: &["slug", "id"],
    address_base: AddressBase::Directory,
    generated: &[
        "docs/tags",
        "blog/tags",
        "blog/archive",
        "blog/page",
        "tags",
        "search",
        "category",
        "docs/category",
        // These are options of the plugins that every preset has.
        "atom.xml",
        "feed.json",
        "rss.xml",
        "sitemap.xml",
    ],
    posts: &["blog"],
    schemes: &["pathname"],
    autolinks: AutolinkRule::Linked,
    menu: MenuRule::Automatic,
    menus: &[
        MenuFile { path: "docusaurus.config.*", keys: NAMED, values: MenuValues::AddressesOfTo },
        MenuFile { path: "sidebars*", keys: NAMED, values: MenuValues::AddressesAndIds },
        MenuFile {
            path: "*versioned_sidebars/version-*",
            keys: NAMED,
            values: MenuValues::AddressesAndIds,
        },
        // Modules that the settings import, which may have any name.
        MenuFile { path: "*nav*", keys: NAMED, values: MenuValues::AddressesOfTo },
        MenuFile { path: "*footer*", keys: NAMED, values: MenuValues::AddressesOfTo },
        MenuFile { path: "config/*", keys: NAMED, values: MenuValues::AddressesOfTo },
        MenuFile { path: "*/sidebars*", keys: NAMED, values: MenuValues::AddressesAndIds },
        MenuFile { path: "src/pages/", keys: ATTRIBUTES, values: MenuValues::OfPrograms },
        MenuFile { path: "src/components/", keys: ATTRIBUTES, values: MenuValues::OfPrograms },
        MenuFile { path: "src/theme/", keys: ATTRIBUTES, values: MenuValues::OfPrograms },
    ],
    file_keys: &["favicon", "image", "src", "srcDark"],
    menu_paths: MenuPaths::Ids,
    settings_paths: SettingsPaths::Root,
    ..FILES
};

/// Keys of links in the navigation bar, the footer, and sidebars.
const NAMED: MenuKeys = MenuKeys::Named(&["docId", "href", "to"]);

/// Attributes of links in components.
const ATTRIBUTES: MenuKeys = MenuKeys::Attributes(&["href", "link", "to"]);

/// Options of a plugin: the object that is read.
#[derive(Default)]
struct PluginOptions<'t> {
    /// The key or name before it: `docs: {`, `['@docusaurus/plugin-content-blog', {`.
    name: &'t str,
    path: Option<&'t str>,
    /// True if a program computes the path.
    has_unknown_path: bool,
    route: Option<&'t str>,
}

impl PluginOptions<'_> {
    /// Returns where the settings show the documents of the plugin. Without a path, they are in its
    /// usual directory (Docusaurus, "plugin-content-docs", "plugin-content-blog").
    fn mount(&self) -> Option<Mount> {
        const USUAL: [(&str, &str); 3] =
            [("docs", "docs"), ("blog", "blog"), ("pages", "src/pages")];
        let usual = || USUAL.iter().find(|(name, _)| self.name.ends_with(name)).map(|it| it.1);
        let source = self.path.or_else(|| usual().filter(|_| !self.has_unknown_path))?;
        let target = PathBuf::from(self.route?.trim_matches('/'));
        Some(Mount { source: PathBuf::from(source), target, is_of_content: false })
    }
}

/// Returns the directories of documents that have other addresses than their names, with these:
/// `docs: { routeBasePath: 'guide' }`, in any order of the options.
pub(super) fn mounts(settings: &str) -> Vec<Mount> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    // The last name or string, and the key whose value comes next.
    let (mut last, mut key) = ("", None);
    for token in tokens(settings.as_bytes()) {
        let text = settings.clamped(token.text.range());
        match token.kind {
            JsTokenKind::Punctuation(b'{') => {
                open.push(PluginOptions { name: last, ..PluginOptions::default() });
            }
            JsTokenKind::Punctuation(b'}') => {
                found.extend(open.pop().and_then(|it| it.mount()));
            }
            JsTokenKind::Punctuation(b':') => {
                key = Some(last);
                continue;
            }
            kind => {
                let is_string = kind == JsTokenKind::String;
                match (key, open.last_mut()) {
                    (Some("path"), Some(options)) if is_string => options.path = Some(text),
                    (Some("path"), Some(options)) => options.has_unknown_path = true,
                    (Some("routeBasePath"), Some(options)) if is_string => {
                        options.route = Some(text);
                    }
                    _ => {}
                }
                if matches!(kind, JsTokenKind::String | JsTokenKind::Word) {
                    last = text;
                }
            }
        }
        key = None;
    }
    found.truncate(MAX_ROOTS);
    found
}

/// Returns the directory of the documents that the sidebar of a version names:
/// `a_versioned_sidebars/version-1.0-sidebars.json` belongs to `a_versioned_docs/version-1.0`
/// (Docusaurus, "Versioning").
pub(super) fn documents_of_sidebar(path: &Path) -> Option<PathBuf> {
    let version = path.file_name()?.to_str()?.strip_suffix("-sidebars.json")?;
    let directory = path.parent()?;
    let instance = directory.file_name()?.to_str()?.strip_suffix("versioned_sidebars")?;
    Some(directory.with_file_name(format!("{instance}versioned_docs")).join(version))
}

/// True for the directory of a version's documents.
pub(in crate::audit) fn is_of_version(directory: &Path) -> bool {
    let is_version = |name: &str| name.starts_with("version-");
    let above = directory.parent().and_then(Path::file_name).and_then(OsStr::to_str);
    directory.file_name().and_then(OsStr::to_str).is_some_and(is_version)
        && above.is_some_and(|it| it.ends_with("versioned_docs"))
}

/// The module that names the components for the elements of documents (Docusaurus, "MDX and React",
/// "MDX component scope").
const COMPONENTS: &str = "MDXComponents";

/// Returns the text of the component for links in documents, if the site has its own: `a:
/// LocalLink` in `src/theme/MDXComponents.js`. For a component of a package, returns its name.
pub(super) fn link_component(above: &Path, files: &dyn DirectoryLister) -> String {
    let theme = joined(above, "src/theme");
    if !files.names(&theme).iter().any(|name| name.starts_with(COMPONENTS)) {
        return String::new();
    }
    let Some((directory, components)) = module(&theme, COMPONENTS) else { return String::new() };
    let Some(name) = components.lines().find_map(name_of_link) else { return String::new() };
    let import = components.lines().find(|line| {
        let mut words = line.split(|c: char| !c.is_alphanumeric());
        line.starts_with("import ") && !name.is_empty() && words.any(|it| it == name)
    });
    let from = import.and_then(|line| line.split_once(" from "));
    let from = from.map_or("", |(_, from)| from.trim_matches([';', '"', '\'', ' ']));
    match from {
        // The component of the theme is the usual one.
        from if from.starts_with("@theme") => String::new(),
        from if from.starts_with('.') => module(&directory, from).map_or(components, |(_, it)| it),
        from if from.starts_with("@site/") => {
            let inside = from.trim_start_matches("@site/");
            module(above, inside).map_or(components, |(_, it)| it)
        }
        // It is defined in this module, or in a package.
        _ => components,
    }
}

/// Returns the name of the component in the line `a: LocalLink,` or in `{ ...b, a: LocalLink }`;
/// empty for one that is written there.
fn name_of_link(line: &str) -> Option<&str> {
    let mut keys = line.split(['{', ',', '}']).map(str::trim);
    let value = keys.find_map(|key| key.strip_prefix("a:"))?.trim_start();
    let end = value.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(value.len());
    value.get(..end)
}

/// Returns the text of a module, with its directory.
fn module(directory: &Path, name: &str) -> Option<(PathBuf, String)> {
    let place = joined(directory, name);
    let more = paths::modules(&place);
    let found = std::iter::once(place).chain(more).find(|place| place.is_file())?;
    Some((found.parent()?.to_path_buf(), text_in_tree(directory, &found)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sidebars_of_versions() {
        let found = |path: &str| documents_of_sidebar(Path::new(path));
        let documents = found("w/a_versioned_sidebars/version-1.0-sidebars.json");
        assert_eq!(documents.as_deref(), Some(Path::new("w/a_versioned_docs/version-1.0")));
        assert!(is_of_version(&documents.unwrap_or_default()));
        assert_eq!(found("sidebars/version-1.0-sidebars.json"), None);
        assert!(!is_of_version(Path::new("docs/version-1.0")));
    }

    #[test]
    fn routes_of_documents() {
        let settings = "presets: [['classic', { docs: { routeBasePath: '/guide/', a: { b: 'c' } }, blog: { path: 'news', routeBasePath: \"posts\" } }]],\
            plugins: [['@docusaurus/plugin-content-blog', { routeBasePath: 'log', } satisfies B.Options], ['x', { routeBasePath: 'y' }],\
            ['@docusaurus/plugin-content-docs', { id: 'z', path: join(a, 'b'), routeBasePath: 'c' }]] // { docs: { routeBasePath: 'no' } }";
        let found: Vec<_> = mounts(settings).into_iter().map(|it| (it.source, it.target)).collect();
        let expected = [("docs", "guide"), ("news", "posts"), ("blog", "log")];
        assert_eq!(found, expected.map(|(from, to)| (PathBuf::from(from), PathBuf::from(to))));
    }

    #[test]
    fn names_of_components() {
        for (line, expected) in [
            ("  a: LocalLink,", Some("LocalLink")),
            ("export default { ...Original, a: Link }", Some("Link")),
            ("  data: Link,", None),
            ("  a: (props) => x,", Some("")),
        ] {
            assert_eq!(name_of_link(line), expected, "{line}");
        }
    }
}
