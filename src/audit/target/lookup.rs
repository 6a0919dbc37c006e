//! Looks up several places: finds the first that exists, as a file, a page, or a fallback.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::path::{self, PathCandidates};
use super::{generated, page_name};
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::{PathLookup, SourceNames, UnderscoredIndex};
use crate::audit::{LinkContext, PathStatus, SitePage, paths};
use crate::document::Format;

/// Looks for files, then pages, then fallbacks of the site. The result depends on the site, not on
/// the document. Also returns the places that were tried, which are all of them unless one was
/// found.
// Places are an iterator, because most links lead to the first one. Computing all of them in
// advance created 27,000 unused paths for helm-www.
pub(super) fn look_up(
    page: &AuditedPage<'_>,
    all: impl Iterator<Item = PathBuf>,
) -> (PathLookup, Vec<PathBuf>) {
    // Remember the places: if nothing is found, the caller needs them to decide whether
    // to report it.
    let mut places: Vec<PathBuf> = Vec::new();
    let mut first = None;
    for place in all {
        if places.last().is_some_and(|last| last.as_os_str() == place.as_os_str()) {
            continue;
        }
        // Files above the checkout belong to this machine, so they must not affect findings.
        if is_out_of_checkout(page, &place) {
            first.get_or_insert_with(|| (place.clone(), PathStatus::Missing { nearest: None }));
            places.push(place);
            continue;
        }
        match generated::find(&page.site, page.files, &place) {
            (made, entry @ (PathStatus::File | PathStatus::Directory | PathStatus::Unknown)) => {
                let path = Arc::from(made.as_ref().unwrap_or(&place).as_path());
                return (PathLookup::Found(path, entry), places);
            }
            (made, missing) => {
                // A name in the wrong case is better evidence than a place without a similar name.
                let is_better = matches!(missing, PathStatus::OtherCase { .. })
                    && matches!(first, Some((_, PathStatus::Missing { .. })));
                if first.is_none() || is_better {
                    first = Some((made.unwrap_or_else(|| place.clone()), missing));
                }
                places.push(place);
            }
        }
    }
    let found = page_at(page, &places);
    let found = found.unwrap_or_else(|| match (instead(page, &places), first) {
        (Some(path), _) => PathLookup::Found(path.into(), PathStatus::File),
        (None, Some((path, entry))) => PathLookup::Missing(path, entry),
        (None, None) => PathLookup::Elsewhere,
    });
    (found, places)
}

/// Maximum number of redirects followed between pages.
const MAX_REDIRECTS: usize = 8;

/// Returns the page at the first of these places that has one, or a redirect to one.
fn page_at(page: &AuditedPage<'_>, places: &[PathBuf]) -> Option<PathLookup> {
    places.iter().find_map(|place| page_from(page, place, page.files.page(&page.site, place)?))
}

/// Returns the file of a page, following redirects.
fn page_from(page: &AuditedPage<'_>, place: &Path, found: SitePage) -> Option<PathLookup> {
    if let SitePage::File(actual) = &found
        && is_other_case(place, actual)
    {
        // Elsewhere the file is another one, found only because a page has this address.
        return is_beside(place, actual).then(|| {
            let actual = actual.clone();
            PathLookup::Missing(place.to_path_buf(), PathStatus::OtherCase { actual })
        });
    }
    if let SitePage::File(actual) = &found
        && is_other_source(page, place, actual)
    {
        return None;
    }
    let mut found = found;
    let mut is_move = true;
    let mut last: Option<Arc<str>> = None;
    let lookup = |path: Arc<Path>, status, moved_to: Option<Arc<str>>| match moved_to {
        Some(to) => PathLookup::Moved(to, path, status),
        None => PathLookup::Found(path, status),
    };
    for _ in 0..MAX_REDIRECTS {
        let to = match found {
            SitePage::File(path) => {
                return Some(lookup(path.into(), PathStatus::File, last.filter(|_| is_move)));
            }
            SitePage::Elsewhere => return Some(PathLookup::Elsewhere),
            SitePage::MaybeGenerated => return Some(PathLookup::MaybeGenerated),
            SitePage::Redirect(redirect) => {
                is_move &= redirect.is_move;
                last = Some(redirect.to.as_str().into());
                redirect.to
            }
        };
        let PathCandidates::Paths(places) = path::rooted(&to, page) else {
            return Some(PathLookup::Elsewhere);
        };
        // A redirect to a missing page does not count as a page.
        let places: Vec<PathBuf> = places.collect();
        let file =
            places.iter().find_map(|place| match generated::find(&page.site, page.files, place) {
                (made, status @ (PathStatus::File | PathStatus::Directory)) => {
                    let path = made.as_ref().unwrap_or(place).as_path().into();
                    Some(lookup(path, status, last.clone().filter(|_| is_move)))
                }
                _ => None,
            });
        if file.is_some() {
            return file;
        }
        let next = places.iter().find_map(|place| page.files.page(&page.site, place));
        let Some(next) = next else {
            let repository = page.site.repository.as_ref();
            let is_built = |place: &PathBuf| {
                repository.is_some_and(|it| {
                    let source = place.with_extension("md");
                    page.files.is_ignored(it, place) || page.files.is_ignored(it, &source)
                })
            };
            // A program of the site writes the page to which it redirects.
            return places.iter().any(is_built).then_some(PathLookup::MaybeGenerated);
        };
        found = next;
    }
    None
}

/// True for `A.md` instead of `a.md`: a reference to a file is case-sensitive, even if addresses
/// are not.
fn is_other_case(place: &Path, actual: &Path) -> bool {
    let is_source = place.extension().is_some_and(|it| it == "md" || it == "mdx");
    match (place.file_name().and_then(OsStr::to_str), actual.file_name().and_then(OsStr::to_str)) {
        (Some(place), Some(actual)) => {
            is_source && place != actual && place.eq_ignore_ascii_case(actual)
        }
        _ => false,
    }
}

/// True for `a/index.md` if the page of `a/` is `a.md`: an address has no name of an index, but a
/// reference to a source names a file. `_index.en.md` is an index, too. Quarto changes only the
/// references to files that exist, so `b.ipynb` is not `1_b.ipynb`, whose page is `b.html`.
fn is_other_source(page: &AuditedPage<'_>, place: &Path, actual: &Path) -> bool {
    let extension = place.extension().and_then(OsStr::to_str).unwrap_or_default();
    if !Format::from_extension(extension).is_some_and(Format::is_source) {
        return false;
    }
    let start = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.split('.').next().map(PathBuf::from).unwrap_or_default()
    };
    let (named, found) = (start(place), start(actual));
    path::is_index_name(&named) && !path::is_index_name(&found)
        // `_index.md` is no page of Jekyll. Hugo finds that of a section for `a/index.md`, too.
        || named.as_os_str() == "index"
            && found.as_os_str() == "_index"
            && page.site.rules().underscored_index == UnderscoredIndex::OtherName
        || page.site.rules().source_names == SourceNames::OfFile && place.file_name() != actual.file_name()
}

/// True for two files of one directory, whose name may differ in case.
fn is_beside(place: &Path, actual: &Path) -> bool {
    let [place, actual] = [place, actual].map(|path| paths::parent(path).into_os_string());
    place.eq_ignore_ascii_case(actual)
}

/// Returns the fallback of the site for missing places.
fn instead(page: &AuditedPage<'_>, places: &[PathBuf]) -> Option<PathBuf> {
    let mut in_first = places.iter().filter_map(|place| in_first_language(page, place));
    in_first
        .next()
        .or_else(|| places.iter().find_map(|place| beside_page(page, place)))
        .or_else(|| places.iter().find_map(|place| numbered(page, place)))
        .or_else(|| places.iter().find_map(|place| of_app(page, place)))
}

/// Returns the program that makes a page, if the generator is unknown, so that it may be Next.js.
fn of_app(page: &AuditedPage<'_>, place: &Path) -> Option<PathBuf> {
    let content = page.site.content.first().filter(|_| page.site.is_guessed())?;
    page_name::of_app(&*page.files, content, &paths::below(content, place)?)
}

/// Most names of a directory that may have a number.
const MAX_LISTED: usize = 512;
/// Most names below the last directory that exists.
const MAX_NUMBERED: usize = 8;

/// Returns `1.a.md` for `a.md`, and `2.b/1.a.md` for `b/a.md`, if the generator is unknown: some
/// drop such numbers, also in links (Nuxt Content, "File-based routing").
fn numbered(page: &AuditedPage<'_>, place: &Path) -> Option<PathBuf> {
    if !page.site.is_guessed() || place.extension().is_none_or(|it| it != "md") {
        return None;
    }
    let absent =
        place.ancestors().take_while(|it| !it.as_os_str().is_empty() && page.is_absent(it));
    let names: Vec<&str> =
        absent.take(MAX_NUMBERED).map(|it| it.file_name()?.to_str()).collect::<Option<_>>()?;
    let mut found = place.ancestors().nth(names.len())?.to_path_buf();
    for name in names.into_iter().rev() {
        let listed = page.files.names_in(&found);
        let is_meant = |it: &&String| *it == name || without_number(it) == Some(name);
        // Each missing link is compared with them.
        found.push(listed.iter().take(MAX_LISTED).find(is_meant)?);
    }
    (page.files.probe(&found) == PathStatus::File).then_some(found)
}

/// Removes the number before a name: `50.a.md` is `a.md`.
fn without_number(name: &str) -> Option<&str> {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix(['.', '-']).filter(|_| rest.len() < name.len())
}

/// Caches lookups that depend only on the site (rooted paths) or the page's directory (HTML, whose
/// links lead to few files).
pub(super) fn found(context: &LinkContext<'_>, path: &str) -> Option<Arc<Option<PathLookup>>> {
    let page = context.page;
    let find = || match path::candidates(context, path) {
        PathCandidates::Paths(places) => Some(look_up(page, places).0),
        _ => None,
    };
    let is_rooted = path.starts_with('/') && page.facts.base().is_none();
    match page.facts.format() {
        _ if is_rooted => Some(page.site.found.get(path, find)),
        // With a `<base>`, the result depends on the page.
        Some(format) if format.is_page() && page.facts.base().is_none() => {
            Some(page.found(path, find))
        }
        _ => None,
    }
}

/// True for a path outside the checkout, if the document is in one.
fn is_out_of_checkout(page: &AuditedPage<'_>, place: &Path) -> bool {
    let Some(repository) = &page.site.repository else { return false };
    let directory = &repository.directory;
    if directory.is_absolute() && place.is_absolute() {
        paths::below(directory, place).is_none()
    } else {
        // Other relative paths stay below the current directory, which is in the checkout.
        place.starts_with("..") && paths::below(directory, place).is_none()
    }
}

/// Returns the file of the first language, which is shown for a missing translation.
fn in_first_language(page: &AuditedPage<'_>, place: &Path) -> Option<PathBuf> {
    let place = page.site.untranslated(place)?;
    match generated::find(&page.site, page.files, &place) {
        (made, PathStatus::File) => Some(made.unwrap_or(place)),
        (_, PathStatus::Directory) => generated::index(&page.site, page.files, &place),
        _ => match page.files.page(&page.site, &place)? {
            SitePage::File(path) => Some(path),
            SitePage::Redirect(_) | SitePage::MaybeGenerated | SitePage::Elsewhere => None,
        },
    }
}

/// Returns a file beside an index page whose address differs from its directory.
fn beside_page(page: &AuditedPage<'_>, place: &Path) -> Option<PathBuf> {
    let name = place.file_name().filter(|_| place.extension().is_some())?;
    if page.site.rules().address_keys.is_empty() {
        return None;
    }
    match page.files.page(&page.site, place.parent()?)? {
        SitePage::File(index) if index.file_stem().is_some_and(|stem| stem == "index") => {
            let beside = index.with_file_name(name);
            (page.files.probe(&beside) == PathStatus::File).then_some(beside)
        }
        _ => None,
    }
}
