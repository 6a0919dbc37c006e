//! The places of paths that only a generator or a bundler looks up: ids of menus, files that
//! settings name, imports of programs, and resources of Antora.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::path::{PathCandidates, joined, rooted};
use super::{Unchecked, liquid};
use crate::audit::form::LinkForm;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::antora::{self, Module, Resource};
use crate::audit::sites::{MenuPaths, ResourceRule, SettingsPaths, docusaurus};
use crate::audit::{LinkContext, PathStatus, paths};
use crate::document::LinkOrigin;

/// Returns the places of names that only the generator looks up.
pub(super) fn places<'p>(
    context: &'p LinkContext<'_>,
    path: &'p str,
) -> Option<PathCandidates<'p>> {
    let page = context.page;
    let is_import = context.link.origin == LinkOrigin::Import;
    let from_content = page.site.rules().content_prefix.and_then(|start| path.strip_prefix(start));
    if let Some(rest) = from_content.filter(|_| page.is_source() && !is_import) {
        return Some(rooted(rest, page));
    }
    if context.link.origin == LinkOrigin::Menu && !path.starts_with(['/', '.']) {
        match page.site.rules().menu_paths {
            MenuPaths::Ids => return Some(of_docusaurus(path, page)),
            MenuPaths::Rooted => return Some(rooted(path, page)),
            MenuPaths::AsLinks => {}
        }
    }
    if context.link.origin == LinkOrigin::SettingsFile {
        return Some(of_settings(path, page));
    }
    if liquid::is_include(context) {
        return Some(PathCandidates::Paths(Box::new(liquid::places(context, path).into_iter())));
    }
    if is_import && (path.starts_with('.') || from_content.is_some()) {
        return Some(imported(context, path));
    }
    if is_import && path.starts_with('/') {
        // Bundlers start at the directory of the settings.
        let above = page.site.directory_of_settings().and_then(|above| joined(above, path));
        return Some(match rooted(path, page) {
            PathCandidates::Paths(places) => PathCandidates::Paths(Box::new(places.chain(above))),
            others => others,
        });
    }
    resource(context, path)
}

/// Returns the places of an id of a document, which is a path in one of the content directories,
/// and of an address without a slash, to which Docusaurus adds that of the site (`useBaseUrl`).
fn of_docusaurus<'p>(path: &'p str, page: &'p AuditedPage<'_>) -> PathCandidates<'p> {
    if docusaurus::is_of_version(page.directory()) {
        let place = joined(page.directory(), path);
        return PathCandidates::Paths(Box::new(place.into_iter()));
    }
    let ids = page.site.content.iter().filter_map(move |content| joined(content, path));
    match rooted(path, page) {
        PathCandidates::Paths(places) => PathCandidates::Paths(Box::new(ids.chain(places))),
        others => others,
    }
}

/// Returns the places of a file that the settings name: generators start at the content, at a
/// directory of files, or at the settings.
fn of_settings<'p>(path: &'p str, page: &'p AuditedPage<'_>) -> PathCandidates<'p> {
    let inside = path.trim_start_matches('/');
    let above = page.site.directory_of_settings().and_then(|above| joined(above, inside));
    let content = page.site.content.iter().filter_map(move |content| joined(content, inside));
    match (rooted(path, page), page.site.rules().settings_paths) {
        (PathCandidates::Paths(places), SettingsPaths::Content) => {
            PathCandidates::Paths(Box::new(content.chain(places).chain(above)))
        }
        (PathCandidates::Paths(places), SettingsPaths::Root) => {
            PathCandidates::Paths(Box::new(places.chain(above)))
        }
        (PathCandidates::Paths(places), SettingsPaths::Settings) => {
            PathCandidates::Paths(Box::new(above.into_iter().chain(places).chain(content)))
        }
        (others, _) => others,
    }
}

/// Extensions that bundlers try (Vite, `resolve.extensions`).
const EXTENSIONS: [&str; 7] = [".mjs", ".js", ".mts", ".ts", ".jsx", ".tsx", ".json"];

/// Resolves what MDX imports from the tree: a file, or a module whose path lacks its extension.
fn imported<'p>(context: &'p LinkContext<'_>, path: &'p str) -> PathCandidates<'p> {
    let page = context.page;
    let prefix = page.site.rules().content_prefix;
    let unescaped =
        if context.written.contains('\\') { unescaped(context.written) } else { path.to_owned() };
    let found: Vec<PathBuf> = match prefix.and_then(|start| unescaped.strip_prefix(start)) {
        Some(rest) => match rooted(rest, page) {
            PathCandidates::Paths(places) => places.collect(),
            PathCandidates::Document => return PathCandidates::Document,
            PathCandidates::Elsewhere => return PathCandidates::Elsewhere,
            PathCandidates::Unchecked(why) => return PathCandidates::Unchecked(why),
        },
        None => joined(page.directory(), &unescaped).into_iter().collect(),
    };
    let mut more: Vec<PathBuf> = Vec::new();
    for place in &found {
        match place.extension().and_then(OsStr::to_str) {
            None => more.extend(paths::modules(place)),
            // TypeScript names its modules as they are called once they are compiled.
            Some("js") => more.extend([place.with_extension("ts"), place.with_extension("tsx")]),
            Some("mjs") => more.push(place.with_extension("mts")),
            // The end of a name such as `a.config` is no extension (Vite, `resolve.extensions`).
            Some(_) => {
                more.extend(EXTENSIONS.iter().map(|extension| {
                    let mut name = place.as_os_str().to_owned();
                    name.push(extension);
                    PathBuf::from(name)
                }));
            }
        }
    }
    PathCandidates::Paths(Box::new(found.into_iter().chain(more)))
}

/// Returns the value of a string in JavaScript, in which `\_` is `_` (ECMA-262, section 12.9.4,
/// `NonEscapeCharacter`). No path has a line feed or another character that has an escape.
fn unescaped(string: &str) -> String {
    let mut is_escaped = false;
    let kept = |&c: &char| {
        is_escaped = c == '\\' && !is_escaped;
        !is_escaped
    };
    string.chars().filter(kept).collect()
}

/// Resolves the id of a resource, on sites that have these.
fn resource<'p>(context: &LinkContext<'_>, path: &str) -> Option<PathCandidates<'p>> {
    let page = context.page;
    if page.site.rules().resources == ResourceRule::None || !page.is_source() || path.is_empty() {
        return None;
    }
    let is_directory = |path: &Path| page.files.probe(path) == PathStatus::Directory;
    let (sources, components) = (&page.site.content, &page.site.components);
    match antora::resource(page.path, sources, components, context.link.element, path)? {
        Resource::In { module, directories, path } => {
            let path = path.trim_end_matches('/');
            let has_family = directories.iter().any(|it| is_directory(it));
            let places = directories.into_iter().filter_map(|it| joined(&it, path));
            let places: Vec<PathBuf> = places.collect();
            // A collector adds whole families, such as the documentation of an API: a family
            // without a directory comes from a build. Pages of the tree may still have addresses
            // there.
            let is_alias = |place: &PathBuf| page.files.page(&page.site, place).is_some();
            if !has_family && !places.iter().any(is_alias) {
                return Some(PathCandidates::Unchecked(Unchecked::Prepared));
            }
            let is_there = |place: &PathBuf| page.files.probe(place) == PathStatus::File;
            // Couchbase's documentation has the pages of some modules in other repositories: 4 of 5
            // missing pages of other modules were there.
            let is_elsewhere = || match module {
                Module::Other => !are_complete(context, &places),
                Module::Own => is_of_shared_module(page, &places),
            };
            if !places.iter().any(is_there) && is_elsewhere() {
                return Some(PathCandidates::Unchecked(Unchecked::Prepared));
            }
            Some(PathCandidates::Paths(Box::new(places.into_iter())))
        }
        Resource::Elsewhere => Some(PathCandidates::Unchecked(Unchecked::OtherComponent)),
    }
}

/// True if the tree seems to have all files of other modules, because nearly all links of this form
/// lead to one, or a file of a similar name is in the same directory.
fn are_complete(context: &LinkContext<'_>, places: &[PathBuf]) -> bool {
    let page = context.page;
    let Some(place) = places.first() else { return false };
    let is_alike = |place: &PathBuf| {
        matches!(page.files.look(place), PathStatus::Missing { nearest: Some(_) })
    };
    let counts = LinkForm::counts_of(context, place);
    // While the links are still being counted, each of them is judged. Parts are shared between
    // repositories: six includes of a partial in couchbase/docs-server were right.
    let is_part = context.link.element == Some("include");
    counts.is_none_or(|counts| !is_part && counts.site.are_nearly_all_found())
        || places.iter().any(is_alike)
}

/// True for a page of a module to which other repositories add files, as its menu shows, if no file
/// here has that name. If one has, the path is wrong.
fn is_of_shared_module(page: &AuditedPage<'_>, places: &[PathBuf]) -> bool {
    let Some(place) = places.first() else { return false };
    let name = place.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let module = antora::module_name(place);
    let shared = &page.site.shared_modules;
    // Nor is a directory of another module here that only others have.
    let is_of_others = || !shared.is_empty() && place.parent().is_some_and(|it| page.is_absent(it));
    (shared.iter().any(|it| Some(it) == module.as_ref()) || is_of_others())
        && page.files.files_named(&page.site, name).is_empty()
}
