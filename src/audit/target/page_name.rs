//! Pages and directories that a menu beside them names (Nextra, Fumadocs).
//!
//! The build of Nextra fails for a name without a page, and Fumadocs leaves it out of the menu, so
//! a reader never finds what it names.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::missing::CHECK;
use super::path::joined;
use super::{Destination, LinkTarget, Unchecked};
use crate::audit::finding::{cut, is_among, shown_path};
use crate::audit::sites::{is_group, is_language};
use crate::audit::{AuditFinding, LinkContext, PathStatus, Severity, TargetLookup};

/// Endings of pages, after a language in some of them.
const ENDINGS: &str = "js jsx md mdoc mdx ts tsx";

/// Most directories beside one that are searched.
const MAX_BESIDE: usize = 64;

/// Returns the file or directory with this name in a directory.
pub(in crate::audit) fn find(
    files: &dyn TargetLookup,
    directory: &Path,
    name: &str,
) -> Option<(PathBuf, PathStatus)> {
    let place = joined(directory, name)?;
    let (above, name) = (place.parent()?, place.file_name()?.to_str()?);
    places(files, directory, above).into_iter().find_map(|place| {
        let names = files.names_in(&place);
        let found = named(&names, name).or_else(|| start_page(&names, &place, name));
        let path = place.join(found?);
        let entry = files.probe(&path);
        Some((path, entry))
    })
}

/// Returns the directories in which the pages of a directory are, for a menu in `menu`.
fn places(files: &dyn TargetLookup, menu: &Path, directory: &Path) -> Vec<PathBuf> {
    let mut places = with_groups(files, directory);
    // Nextra merges the pages of `app` with those of `content` beside it.
    if menu.file_name().is_some_and(|it| it == "app") {
        let around = menu.parent().unwrap_or(Path::new(""));
        let below = directory.strip_prefix(menu).unwrap_or(Path::new(""));
        let content = [Some(around), around.parent()];
        places.extend(content.into_iter().flatten().map(|it| it.join("content").join(below)));
    }
    places
}

/// Returns the start page of a directory of `app`, which a menu calls `index` (Next.js, "page.js").
fn start_page<'n>(names: &'n [String], directory: &Path, name: &str) -> Option<&'n String> {
    let is_of_app = || directory.iter().any(|it| it == "app");
    if name == "index" && is_of_app() { named(names, "page") } else { None }
}

/// Directories of the programs that make the pages of Next.js ("App Router").
const APPS: [&str; 2] = ["app", "src/app"];

/// Returns the program that makes the page of an address: `app/(site)/a/page.tsx` for `/a`.
pub(super) fn of_app(files: &dyn TargetLookup, content: &Path, address: &Path) -> Option<PathBuf> {
    let is_there = |path: &PathBuf| files.probe(path) == PathStatus::Directory;
    APPS.iter().map(|app| content.join(app)).filter(is_there).find_map(|app| {
        let mut places = with_groups(files, &app);
        for name in address {
            let inside = places.iter().map(|it| it.join(name)).filter(is_there);
            let inside: Vec<PathBuf> = inside.collect();
            places = inside.iter().flat_map(|it| with_groups(files, it)).take(MAX_BESIDE).collect();
        }
        places.iter().find_map(|it| Some(it.join(named(&files.names_in(it), "page")?)))
    })
}

/// Returns a directory and its groups: addresses lack their names, so `app/(docs)/a` is `/a`
/// (Next.js, "Route Groups").
fn with_groups(files: &dyn TargetLookup, directory: &Path) -> Vec<PathBuf> {
    let names = files.names_in(directory);
    let groups = starting_with(&names, "(").filter(|it| is_group(it)).take(MAX_BESIDE);
    let mut places = vec![directory.to_path_buf()];
    places.extend(groups.map(|it| directory.join(it)));
    places
}

/// Returns the name in a sorted list that is this one, or that of its page.
fn named<'n>(names: &'n [String], name: &str) -> Option<&'n String> {
    // `api-2.mdx` sorts before `api.mdx`, so the two are looked for apart.
    let whole = names.binary_search_by(|it| it.as_str().cmp(name)).ok();
    let whole = whole.and_then(|index| names.get(index));
    let with_ending = format!("{name}.");
    whole.or_else(|| {
        starting_with(names, &with_ending).take(MAX_BESIDE).find(|it| {
            let rest = it.get(name.len()..).unwrap_or_default();
            let (before, ending) = rest.rsplit_once('.').unwrap_or_default();
            let mut parts = before.split('.');
            parts.next() == Some("")
                && is_among(ENDINGS, ending)
                && parts.all(|part| is_language(&part.to_ascii_lowercase()) || part == "page")
        })
    })
}

/// Returns the names in a sorted list that start like this.
fn starting_with<'n>(names: &'n [String], start: &str) -> impl Iterator<Item = &'n String> {
    let first = names.partition_point(|it| it.as_str() < start);
    names.iter().skip(first).take_while(move |it| it.starts_with(start))
}

/// Resolves the name of a page.
pub(super) fn destination<'s>(context: &LinkContext<'s>) -> Destination<'s> {
    let page = context.page;
    let (files, name) = (&*page.files, context.written);
    if let Some((path, entry)) = find(files, page.directory(), name) {
        return Destination::Target(LinkTarget::new(Some(path.into()), entry, None));
    }
    let Some(place) = joined(page.directory(), name) else { return Destination::Elsewhere };
    if let Some(why) = doubt(context, &place) {
        return Destination::Unchecked(why);
    }
    let entry = match files.look(&place) {
        PathStatus::OtherCase { actual } => {
            let name = actual.file_name().map(|it| it.to_string_lossy().into_owned());
            PathStatus::Missing { nearest: name }
        }
        PathStatus::Missing { .. } => match files.look(&place.with_added_extension("mdx")) {
            missing @ PathStatus::Missing { .. } => missing,
            _ => PathStatus::Missing { nearest: None },
        },
        _ => PathStatus::Missing { nearest: None },
    };
    Destination::Target(LinkTarget::new(Some(place.into()), entry, None))
}

/// Returns a reason why a build may add this page.
fn doubt(context: &LinkContext<'_>, place: &Path) -> Option<Unchecked> {
    let page = context.page;
    let files = &page.files;
    let is_there = |path: &Path| files.probe(path) == PathStatus::Directory;
    let above = place.parent().unwrap_or(Path::new(""));
    let places = places(&**files, page.directory(), above);
    if !above.as_os_str().is_empty() && !places.iter().any(|it| is_there(it)) {
        return Some(Unchecked::Prepared);
    }
    // `[...slug].mdx`: a program lists the pages. That of Nextra shows the ones of `content`.
    let is_parameter = |name: &String| !name.contains("mdxPath");
    if places.iter().any(|it| starting_with(&files.names_in(it), "[").any(is_parameter)) {
        return Some(Unchecked::Route);
    }
    if let Some(repository) = &page.site.repository
        && (files.is_ignored(repository, place)
            || files.is_ignored(repository, &place.with_added_extension("mdx")))
    {
        return Some(Unchecked::Built);
    }
    has_translation(&**files, place).then_some(Unchecked::Prepared)
}

/// True if the directory of another language has the page. Sites show it where a translation is
/// missing (Fumadocs, "Internationalization").
fn has_translation(files: &dyn TargetLookup, place: &Path) -> bool {
    let Some(name) = place.file_name().and_then(OsStr::to_str) else { return false };
    let of_language = |it: &str| is_language(&it.to_ascii_lowercase());
    let ancestors = place.ancestors().skip(1);
    let mut own =
        ancestors.filter(|it| it.file_name().and_then(OsStr::to_str).is_some_and(of_language));
    own.any(|own| {
        let (Some(around), Ok(below)) = (own.parent(), place.strip_prefix(own)) else {
            return false;
        };
        let others = files.names_in(around);
        let others = others.iter().filter(|it| of_language(it)).take(MAX_BESIDE);
        others.map(|it| around.join(it)).any(|other| {
            let inside = below.parent().unwrap_or(Path::new(""));
            other != own && named(&files.names_in(&other.join(inside)), name).is_some()
        })
    })
}

/// Returns the finding for a name without a page.
pub(super) fn finding(
    context: &LinkContext<'_>,
    path: &Path,
    nearest: Option<&str>,
) -> AuditFinding {
    let message =
        format!("the menu names `{}`, but no page or directory has that name", shown_path(path));
    let finding = AuditFinding { severity: Severity::Warning, ..context.finding(&CHECK, message) };
    let hint = nearest.map(|name| format!("did you mean `{}`?", cut(name)));
    finding.suggest(None, hint.or_else(|| Some("remove the name, or add the page".to_owned())))
}
