//! Fixes of links to missing files and anchors.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::Safety;
use super::candidates::{local_path, relative};
use crate::audit::finding::is_among;
use crate::audit::form::Purpose;
use crate::audit::sites::{ResourceRule, WikiRule, is_language};
use crate::audit::target::{is_version, joined, places, start_of_addresses};
use crate::audit::{Anchors, LinkContext, PathStatus, paths};
use crate::document::LinkOrigin;

/// Names that many directories have, so an equal name proves nothing.
const COMMON: &str = "\
    _index.adoc _index.md cargo.toml changelog.md conf.py config.json config.toml config.yaml config.yml contributing.md \
    dockerfile index.adoc index.html index.md index.rst license \
    license.md makefile mod.rs package.json pyproject.toml readme readme.md readme.rst";

/// Extensions to add to a link, or to remove from it, to get the file of a page.
const ENDINGS: [&str; 7] = ["", ".md", ".html", "/", ".mdx", ".rst", ".adoc"];

/// Returns the fix of a link to a missing file: the place that the file was moved to, if
/// [`moved_file`] knows it, or the spelling that the site understands.
pub fn moved_target(
    context: &LinkContext<'_>,
    missing: &Path,
    moved: Option<(Safety, PathBuf)>,
    nearest: Option<&str>,
) -> Option<(Safety, String)> {
    if context.page.is_trial {
        return None;
    }
    let (safety, reference) = found_target(context, missing, moved, nearest)?;
    // The meaning of `/` to an unknown generator is a guess.
    let is_new_root = reference.starts_with('/') && !context.written.starts_with('/');
    let is_guess = is_new_root && context.page.site.is_guessed();
    // Whether `../a` starts at the document or at its page depends on the theme.
    let is_ambiguous = is_bare_address(&reference)
        && !paths::are_same(&start_of_addresses(context), context.page.directory());
    Some((if is_guess || is_ambiguous { Safety::Unsafe } else { safety }, reference))
}

/// True for `../a`: a relative path without an extension and without a slash at its end.
fn is_bare_address(reference: &str) -> bool {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    !path.starts_with('/') && !name.is_empty() && !name.contains('.')
}

fn found_target(
    context: &LinkContext<'_>,
    missing: &Path,
    moved: Option<(Safety, PathBuf)>,
    nearest: Option<&str>,
) -> Option<(Safety, String)> {
    if let Some((safety, file)) = moved
        && !is_unpublished(context, &file)
        && let Some(reference) = context.references_to(&file)
    {
        return Some((safety, reference));
    }
    if let Some(reference) = other_ending(context) {
        return Some((Safety::Safe, reference));
    }
    if let Some(reference) = in_lower_case(context) {
        return Some((Safety::Safe, reference));
    }
    if let Some(found) = same_name(context, missing) {
        return Some(found);
    }
    let to = with_name(context, missing, nearest?)?;
    // `Setup` for the page of `setup.md` is another case, not another name.
    let is_same = to.eq_ignore_ascii_case(context.written);
    Some((if is_same { Safety::Safe } else { Safety::Unsafe }, to))
}

/// Returns the file that the link led to before it, or the document with the link, was moved.
pub fn moved_file(context: &LinkContext<'_>, missing: &Path) -> Option<(Safety, PathBuf)> {
    let files = context.page.files;
    // Git knows where a file went, even if its name changed. The link may also be in another case
    // than the old name.
    let lower = missing.file_name().map(|it| it.to_string_lossy().to_lowercase());
    let lower = lower.map(|it| missing.with_file_name(it));
    // A site may look the link up below several roots.
    let mut names =
        [Some(missing.to_path_buf()), lower].into_iter().flatten().chain(places(context));
    let moved = names.find_map(|name| sources(&name).iter().find_map(|it| files.renamed(it)));
    match (moved, from_former_place(context)) {
        // The link may be older or newer than the move of its document.
        (Some(moved), Some(other))
            if paths::without_dots(&moved) != paths::without_dots(&other) =>
        {
            Some((Safety::Unsafe, moved))
        }
        (moved, before) => {
            let file = moved.or(before)?;
            let safety = if is_of_other_version(context, missing, &file) {
                Safety::Unsafe
            } else {
                Safety::Safe
            };
            Some((safety, file))
        }
    }
}

/// True for a file in the directory of a version, or of an archive, in which neither the missing
/// file nor the document is: the documents of an old version were moved there, and the current one
/// has its own.
fn is_of_other_version(context: &LinkContext<'_>, missing: &Path, file: &Path) -> bool {
    has_new_directory(context, missing, file, |name| is_version(name) || name == "archive")
}

/// Returns the file that the link leads to from the place where its document was before it was
/// moved.
fn from_former_place(context: &LinkContext<'_>) -> Option<PathBuf> {
    let page = context.page;
    let (path, _) = context.split();
    let path = local_path(path).1;
    // The ids of Antora do not depend on the directory of the page.
    if path.starts_with('/') || page.site.rules().resources != ResourceRule::None {
        return None;
    }
    page.files.former(page.path).iter().find_map(|former| {
        let sources = sources(&joined(former.parent()?, path)?);
        let is_there = |path: &&PathBuf| {
            matches!(page.files.probe(path), PathStatus::File | PathStatus::Directory)
        };
        let there = sources.iter().find(is_there).cloned();
        there.or_else(|| sources.iter().find_map(|it| page.files.renamed(it)))
    })
}

/// Returns the files that a link to this path may mean: it may omit the extension, or have that
/// of the page.
fn sources(path: &Path) -> Vec<PathBuf> {
    let with = |path: &Path, ending: &str| {
        let mut path = path.as_os_str().to_owned();
        path.push(ending);
        PathBuf::from(path)
    };
    let mut stems = vec![path.to_path_buf()];
    if path.extension().is_some_and(|it| it == "html") {
        stems.push(path.with_extension(""));
    }
    let endings = || ENDINGS.iter().filter(|ending| !ending.ends_with('/'));
    stems.iter().flat_map(|stem| endings().map(|ending| with(stem, ending))).collect()
}

/// Returns the link with another extension, if exactly one leads to a file.
fn other_ending(context: &LinkContext<'_>) -> Option<String> {
    let (path, tail) = context.split();
    // The name of a document has no extension.
    if path.is_empty() || path.ends_with("..") || context.link.origin == LinkOrigin::DocumentName {
        return None;
    }
    let stem =
        ENDINGS.iter().find_map(|ending| path.strip_suffix(ending).filter(|_| !ending.is_empty()));
    let stem = stem.unwrap_or(path);
    // Antora builds pages, but its references name documents.
    let is_resource = context.page.site.rules().resources != ResourceRule::None;
    let is_wiki = context.page.site.rules().wiki != WikiRule::None;
    let endings = ENDINGS.iter().filter(|ending| !is_resource || !ending.contains("html"));
    let endings = endings.filter(|ending| !is_wiki || ending.is_empty());
    let mut found = endings.filter_map(|ending| {
        let reference = format!("{stem}{ending}{tail}");
        let is_new = reference != context.written && !stem.is_empty() && !stem.ends_with('/');
        (is_new && context.would_pass(&reference)).then_some(reference)
    });
    // `a` and `a/` may both lead to the same file: the first one is the shortest.
    let first = found.next()?;
    let others: Vec<String> = found.collect();
    let is_same = |other: &String| other.trim_end_matches('/') == first.trim_end_matches('/');
    if others.iter().all(is_same) {
        return Some(first);
    }
    // `a.md` and `a.html` may be the same page. The existing file decides.
    let is_there = |reference: &&String| {
        let path = reference.split(['?', '#']).next().unwrap_or_default();
        let place = joined(context.page.directory(), path);
        place.is_some_and(|place| context.page.files.probe(&place) == PathStatus::File)
    };
    let all = [vec![first], others].concat();
    let mut there = all.iter().filter(is_there);
    there.next().filter(|_| there.next().is_none()).cloned()
}

/// Returns the link with its path in lower case: a generated page has no file whose
/// name could be compared.
fn in_lower_case(context: &LinkContext<'_>) -> Option<String> {
    let (path, tail) = context.split();
    // A source has a file, which `target-case` compares.
    if Path::new(path).extension().is_some_and(|it| it == "md" || it == "mdx") {
        return None;
    }
    let reference = format!("{}{tail}", path.to_lowercase());
    (reference != context.written && context.would_pass(&reference)).then_some(reference)
}

/// Returns a link to the only file of the tree with the name of the missing one. It is where the
/// file was moved to, unless it is its translation or another version of it.
fn same_name(context: &LinkContext<'_>, missing: &Path) -> Option<(Safety, String)> {
    let name = missing.file_name()?.to_str()?;
    if is_among(COMMON, &name.to_lowercase()) {
        return None;
    }
    let names = match missing.extension().and_then(|it| it.to_str()) {
        Some("html") | None => sources(Path::new(name)),
        Some(_) => vec![PathBuf::from(name)],
    };
    let names = names.iter().filter_map(|name| name.to_str());
    let page = context.page;
    let lists: Vec<_> = names.map(|name| page.files.files_named(&page.site, name)).collect();
    let mut files = lists.iter().flat_map(|files| files.iter());
    match (files.next().cloned(), files.next()) {
        (Some(file), None)
            if !is_of_others(context, missing, &file) && !is_unpublished(context, &file) =>
        {
            // The last word of an address is not a name of a file: of `/configuration/cascade/`,
            // which had moved in gohugoio/hugoDocs, `/quick-reference/glossary/cascade/` was left.
            let is_address =
                missing.extension().is_none() && context.link.origin != LinkOrigin::DocumentName;
            // A link to another document hardly means its own: it may have been removed.
            let is_doubtful = is_address
                || paths::are_same(&file, page.path)
                || is_in_other_directory(context, &file)
                || is_of_parallel_tree(context, missing, &file)
                || is_of_other_section(context, missing, &file);
            let safety = if is_doubtful { Safety::Unsafe } else { Safety::Safe };
            Some((safety, context.references_to(&file)?))
        }
        _ => None,
    }
}

/// True if a link names directories, of the last of which the only file of its name has none: for
/// `./content/posts/configuration.md` in the manual of a theme of Zola, that of Zola itself was
/// found. One directory alone may have been renamed.
fn is_in_other_directory(context: &LinkContext<'_>, file: &Path) -> bool {
    let (path, _) = context.split();
    let above = Path::new(local_path(path).1).parent().unwrap_or(Path::new(""));
    let named = above.components().filter_map(|it| match it {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let named: Vec<&OsStr> = named.collect();
    match named.as_slice() {
        [_, .., last] => !paths::without_dots(file).iter().any(|name| name == *last),
        _ => false,
    }
}

/// True for a document in another section than the missing one, with nothing but its name in
/// common: of `/commands/docs/range.md`, which was removed from nushell's site,
/// `/lang-guide/…/basic_types/range.md` was left.
fn is_of_other_section(context: &LinkContext<'_>, missing: &Path, file: &Path) -> bool {
    let (Some(from), Some(to)) = (missing.parent(), file.parent()) else { return false };
    // The walk and git's list may start at different directories.
    let (from, to) = (paths::absolute(from), paths::absolute(to));
    // Its directory was moved, or the link counts the directories above it wrongly.
    let is_same_directory = from.file_name().is_some() && from.file_name() == to.file_name();
    let is_near = from.parent() == to.parent() || from.starts_with(&to) || to.starts_with(&from);
    Purpose::from_context(context).leads()
        && context.page.files.probe(&from) == PathStatus::Directory
        && !is_same_directory
        && !is_near
}

/// True for a file outside of the site, to which its pages cannot link: a page of
/// Hugo in lima got `../../../../templates/docker.yaml`, and the audit was silent afterwards.
fn is_unpublished(context: &LinkContext<'_>, file: &Path) -> bool {
    let page = context.page;
    let site = &page.site;
    let mut roots = site.roots.iter().chain(&site.content);
    // Generators copy included files and pictures, so those may be outside of the site.
    Purpose::from_context(context).leads()
        && page.is_source()
        && site.is_generated()
        && !site.is_mounted_root(file)
        && !roots.any(|root| paths::below(root, file).is_some())
}

/// True for a file that the author of a link certainly did not mean: of another language than those
/// of the page and of the missing file, or of the library that a program writes beside another
/// page.
fn is_of_others(context: &LinkContext<'_>, missing: &Path, file: &Path) -> bool {
    let languages = &context.page.site.languages;
    has_new_directory(context, missing, file, |name| {
        // `doc` and `src` also look like names of languages.
        let is_of_language = languages.iter().any(|it| it == name)
            || is_language(name) && name.split('-').next().is_some_and(|it| it.len() == 2);
        is_of_language || name == "site_libs" || name.ends_with("_files")
    })
}

/// True if a file is in such a directory, and neither the document nor the missing file is in one
/// of that name.
fn has_new_directory(
    context: &LinkContext<'_>,
    missing: &Path,
    file: &Path,
    is_such: impl Fn(&str) -> bool,
) -> bool {
    let [own, missing, file] = [context.page.path, missing, file].map(paths::without_dots);
    let is_new = |name: &OsStr| !own.iter().chain(missing.iter()).any(|it| it == name);
    let mut directories = file.iter().rev().skip(1);
    directories.any(|name| is_such(&name.to_string_lossy()) && is_new(name))
}

/// True if a file is to a twin of the page what the missing one is to the page: the tree of another
/// language or version. After `a.md` was deleted in vuejs/pinia, `zh/a.md` was the only one left.
fn is_of_parallel_tree(context: &LinkContext<'_>, missing: &Path, file: &Path) -> bool {
    let page = context.page;
    let (Some(from), Some(to)) = (missing.parent(), file.parent()) else { return false };
    // `docs/de/a.md` for `docs/en/a.md`, and `v1/a.md` for `v2/a.md`.
    let differ = from.iter().zip(to).find(|(from, to)| from != to);
    let are_both = |is: fn(&str) -> bool| {
        differ.is_some_and(|(from, to)| [from, to].iter().all(|it| it.to_str().is_some_and(is)))
    };
    if are_both(is_language) || are_both(is_version) {
        return true;
    }
    let own = paths::without_dots(page.path);
    let name = own.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    let twin = relative(from, &own).and_then(|path| joined(to, &path));
    let has_twin = !is_among(COMMON, &name.to_lowercase())
        && twin.is_some_and(|it| it != own && page.files.probe(&it) == PathStatus::File);
    has_twin
        || from.file_name().is_some_and(|name| to.file_name() == Some(name))
            && page.files.probe(from) == PathStatus::Directory
}

/// Returns the link with the nearest name in place of the missing one.
fn with_name(context: &LinkContext<'_>, missing: &Path, nearest: &str) -> Option<String> {
    // The suggestion is about the first name of the path that is missing.
    let mut known = missing;
    let mut after = Vec::new();
    loop {
        let parent = known.parent()?;
        let candidate = parent.join(nearest);
        let file = after.iter().rev().fold(candidate, |path, name| path.join(name));
        if is_of_others(context, missing, &file) {
            return None;
        }
        if let Some(reference) = context.references_to(&file) {
            return Some(reference);
        }
        after.push(known.file_name()?);
        known = parent;
    }
}

/// Returns the fix of a link with a missing anchor.
pub fn renamed_anchor(
    context: &LinkContext<'_>,
    anchors: &Anchors,
    fragment: &str,
) -> Option<(Safety, String)> {
    let start = context.written.split_once('#')?.0;
    // Ids of a drawing are short and differ only in case: `aB` is another shape than `ab`.
    if context.page.path.extension().is_some_and(|it| it == "svg") {
        return None;
    }
    let with = |name: &str| {
        let reference = format!("{start}#{name}");
        context.would_pass(&reference).then_some(reference)
    };
    // The same words with other hyphens or letters: `#Getting_Started` for `#getting-started`.
    if let Some(reference) = anchors.only_respelled(fragment).and_then(with) {
        // A page that includes the document may make other anchors: a forge has `-tests` for
        // `## 🧪 Tests`, and MkDocs has `tests`.
        let page = context.page;
        let is_included = !page.files.importers(&page.site, page.path).is_empty();
        return Some((if is_included { Safety::Unsafe } else { Safety::Safe }, reference));
    }
    Some((Safety::Unsafe, with(anchors.nearest(fragment)?)?))
}
