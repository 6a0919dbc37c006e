//! Whether a reference leads to something in the tree of the document (RFC 3986 §5.2).

pub mod anchor;
pub mod case;
mod component;
pub mod duplicate;
mod forge;
mod generated;
pub mod missing;
mod path;
pub mod unchecked;
pub mod undefined;
pub mod web;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::UriRef;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::{DocumentsBeside, ForgePlace, LinkBase, MissingSources, PathLookup};
use crate::audit::{LinkContext, PathStatus, Repository, SitePage, paths};
use path::Places;

/// Where a destination leads.
#[derive(Debug)]
pub enum Destination<'s> {
    /// To a place in the tree, where something is or nothing.
    Target(LinkTarget<'s>),
    /// Out of the tree, or to what only a running site has.
    Elsewhere,
    /// That can't be known here.
    Unchecked(Unchecked),
}

/// Why nobody can say whether a destination is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unchecked {
    /// It starts with `/`, and what that means is not known.
    NoRoot,
    /// It leads above the tree.
    Above,
    /// It is next to the page that is made of the document.
    Beside,
    /// It may be an item of code, which another tool looks up.
    Item,
    /// The repository leaves it out: a build makes it.
    Built,
    /// A build puts documents among those that are here.
    Prepared,
    /// A page whose address is not that of its file.
    Route,
    /// The document is a part of others, or a template.
    Part,
    /// Its page is made of more than its document.
    Open,
    /// A page that a generator makes of other things, such as that of a tag.
    Generated,
    /// An anchor in a file that is no document.
    NoDocument,
}

#[derive(Debug)]
pub struct LinkTarget<'s> {
    /// The path; `None` for the document itself.
    pub path: Option<Arc<Path>>,
    pub entry: PathStatus,
    /// The fragment as it is written, if there is one.
    pub fragment: Option<&'s str>,
}

/// Where a destination leads.
pub fn destination<'s>(context: &LinkContext<'s>) -> Destination<'s> {
    let Some(parsed) = context.parsed() else {
        return Destination::Elsewhere;
    };
    if !context.is_destination() || !names_file(context) || is_filled_in(context) {
        return Destination::Elsewhere;
    }
    let reference = parsed.reference();
    match (reference.scheme(), reference.authority()) {
        (None, None) => local(context, &reference),
        (Some("http" | "https") | None, Some(_)) => own(context, &reference),
        _ => Destination::Elsewhere,
    }
}

/// A reference without scheme and authority.
fn local<'s>(context: &LinkContext<'s>, reference: &UriRef<'s>) -> Destination<'s> {
    let fragment = reference.fragment();
    let known = found(context, reference.path());
    let known = known.as_deref().and_then(Option::as_ref);
    match known {
        Some(PathLookup::Found(path, entry)) => {
            let (path, entry) = (Some(path.clone()), entry.clone());
            return Destination::Target(LinkTarget { path, entry, fragment });
        }
        Some(PathLookup::Elsewhere) => return on_page_elsewhere(fragment),
        Some(PathLookup::MaybeGenerated) => return Destination::Unchecked(Unchecked::Generated),
        Some(PathLookup::Missing(..)) | None => {}
    }
    let places = match path::of(context, reference.path()) {
        // The element that `url(#a)` names is in the page, not in its style sheet (CSS Values 4 §4.5.1).
        Places::Document if context.page.is_style() => {
            return Destination::Elsewhere;
        }
        Places::Document => {
            return Destination::Target(LinkTarget {
                path: None,
                entry: PathStatus::File,
                fragment,
            });
        }
        Places::Unchecked(why) => return Destination::Unchecked(why),
        Places::Elsewhere => return Destination::Elsewhere,
        Places::Paths(places) => places,
    };
    let page = context.page;
    let (known, places) = match known.cloned() {
        Some(known) => (known, places.collect()),
        None => look_up(page, places),
    };
    let (path, entry) = match known {
        PathLookup::Found(path, entry) => {
            return Destination::Target(LinkTarget { path: Some(path), entry, fragment });
        }
        PathLookup::Missing(path, entry) => (path, entry),
        PathLookup::Elsewhere => return on_page_elsewhere(fragment),
        PathLookup::MaybeGenerated => return Destination::Unchecked(Unchecked::Generated),
    };
    if let Some(other) = generated::instead(context, reference.path()) {
        return other;
    }
    match forge::around(context, reference.path()) {
        Some(ForgePlace::Path(inside)) => return in_repository(context, &inside, fragment),
        Some(ForgePlace::Other) => return Destination::Elsewhere,
        None => {}
    }
    if let Some(found) = beside_book(context, reference.path(), fragment) {
        return found;
    }
    if let Some(why) = unjudged(context, &places, reference.path()) {
        return Destination::Unchecked(why);
    }
    let entry = match (entry, page.files.look(&path)) {
        (PathStatus::Missing { .. }, missing @ PathStatus::Missing { .. }) => missing,
        // a directory without an index
        (entry, _) => entry,
    };
    Destination::Target(LinkTarget { path: Some(path.into()), entry, fragment })
}

/// A page that is not in the tree, whose anchors nobody knows.
fn on_page_elsewhere<'s>(fragment: Option<&str>) -> Destination<'s> {
    match fragment {
        None | Some("") => Destination::Elsewhere,
        Some(_) => Destination::Unchecked(Unchecked::Open),
    }
}

/// Looks for files, then for pages, then for what a site shows instead. It goes by the site, not by the document. The places
/// where it looked are all of them unless it found something.
fn look_up(
    page: &AuditedPage<'_>,
    all: impl Iterator<Item = PathBuf>,
) -> (PathLookup, Vec<PathBuf>) {
    let mut places: Vec<PathBuf> = Vec::new();
    let mut first = None;
    for place in all {
        if places.last().is_some_and(|last| last.as_os_str() == place.as_os_str()) {
            continue;
        }
        // What is above the checkout is the machine's.
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
                first.get_or_insert_with(|| (made.unwrap_or_else(|| place.clone()), missing));
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

/// How many redirects are followed from one page to the next.
const MAX_REDIRECTS: usize = 8;

/// What a site has at the first of these places where it has a page.
fn page_at(page: &AuditedPage<'_>, places: &[PathBuf]) -> Option<PathLookup> {
    let mut found = places.iter().find_map(|place| page.files.page(&page.site, place))?;
    for _ in 0..MAX_REDIRECTS {
        let to = match found {
            SitePage::File(path) => return Some(PathLookup::Found(path.into(), PathStatus::File)),
            SitePage::Elsewhere => return Some(PathLookup::Elsewhere),
            SitePage::MaybeGenerated => return Some(PathLookup::MaybeGenerated),
            SitePage::Redirect(to) => to,
        };
        let Places::Paths(places) = path::rooted(&to, page) else {
            return Some(PathLookup::Elsewhere);
        };
        // A redirect that leads nowhere is no page.
        let places: Vec<PathBuf> = places.collect();
        let file =
            places.iter().find_map(|place| match generated::find(&page.site, page.files, place) {
                (made, status @ (PathStatus::File | PathStatus::Directory)) => {
                    Some(PathLookup::Found(made.as_ref().unwrap_or(place).as_path().into(), status))
                }
                _ => None,
            });
        if file.is_some() {
            return file;
        }
        found = places.iter().find_map(|place| page.files.page(&page.site, place))?;
    }
    None
}

/// What a site shows instead.
fn instead(page: &AuditedPage<'_>, places: &[PathBuf]) -> Option<PathBuf> {
    let mut in_first = places.iter().filter_map(|place| in_first_language(page, place));
    in_first.next().or_else(|| places.iter().find_map(|place| beside_page(page, place)))
}

/// What a path leads to, where that depends on the site or on the page alone, so that it is found once for many links; those
/// of a page of HTML lead to few files.
fn found(context: &LinkContext<'_>, path: &str) -> Option<Arc<Option<PathLookup>>> {
    let page = context.page;
    let find = || match path::of(context, path) {
        Places::Paths(places) => Some(look_up(page, places).0),
        _ => None,
    };
    let is_rooted = path.starts_with('/') && page.facts.base().is_none();
    match page.facts.format() {
        _ if is_rooted => Some(page.site.found.get(path, find)),
        // With a `<base>`, what a path leads to depends on the page.
        Some(format) if format.is_page() && page.facts.base().is_none() => {
            Some(page.found(path, find))
        }
        _ => None,
    }
}

/// True for a path out of the checkout, if the document is in one.
fn is_out_of_checkout(page: &AuditedPage<'_>, place: &Path) -> bool {
    let Some(repository) = &page.site.repository else { return false };
    let directory = &repository.directory;
    match directory.is_absolute() && place.is_absolute() {
        true => paths::below(directory, place).is_none(),
        // Other paths are below the current directory, which is in the checkout.
        false => place.starts_with("..") && paths::below(directory, place).is_none(),
    }
}

/// What is shown of the first language where a translation has nothing.
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

/// The file beside a page whose address is not that of its directory.
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

/// Why nobody can say that there is nothing at these places.
fn unjudged(context: &LinkContext<'_>, places: &[PathBuf], written: &str) -> Option<Unchecked> {
    let page = context.page;
    let site = &page.site;
    if page.is_part() {
        return Some(Unchecked::Part);
    }
    if let Some(repository) = &site.repository
        && places
            .iter()
            .any(|place| site.found.is_built(place, || is_built(page, repository, place)))
    {
        return Some(Unchecked::Built);
    }
    let is_absent = |path: &Path| matches!(page.files.probe(path), PathStatus::Missing { .. });
    if places.iter().any(|place| site.is_mounted(place, &is_absent)) {
        return Some(Unchecked::Prepared);
    }
    if places.iter().any(|place| site.may_be_title(place)) {
        return Some(Unchecked::Route);
    }
    // Its roots are guesses.
    if site.is_guessed() && !site.content.is_empty() && written.starts_with('/') {
        return Some(Unchecked::NoRoot);
    }
    // A site that is made elsewhere has a root, and pictures in its own places.
    let is_beside = |place: &PathBuf| !place.parent().is_some_and(is_absent);
    let extension = Path::new(written).extension();
    let is_other = extension.is_some_and(|it| it != "md" && it != "mdx" && it != "html");
    if written.starts_with('/') && generated::is_elsewhere(page) {
        return Some(Unchecked::NoRoot);
    }
    if is_other && !places.iter().any(is_beside) && generated::is_elsewhere(page) {
        return Some(Unchecked::Prepared);
    }
    // What is above the tree is the machine's.
    let leads_up = |place: &PathBuf| place.starts_with("..");
    if site.repository.is_none() && !page.path.starts_with("..") && places.iter().any(leads_up) {
        return Some(Unchecked::Above);
    }
    // A style sheet may be put elsewhere in the site.
    if let Some(repository) = &site.repository
        && !page.is_source()
    {
        let is_outside = |place: &PathBuf| paths::below(&repository.directory, place).is_none();
        if places.iter().all(is_outside) {
            return Some(Unchecked::Above);
        }
    }
    if is_generated_beside(context, places) {
        return Some(Unchecked::Beside);
    }
    // Sites are put next to each other, sources are not.
    let is_page = match Path::new(written).extension() {
        Some(extension) if extension == "md" => {
            let other = |place: &PathBuf| place.parent().is_some_and(is_absent);
            generated::is_page_of_rustdoc(written)
                || site.rules().missing_sources == MissingSources::MayBeOfAnotherBook
                    && places.iter().all(other)
        }
        Some(extension) => extension == "html" || extension == "htm",
        None => true,
    };
    let is_inside = |place: &PathBuf| {
        site.roots.iter().chain(&site.content).any(|root| paths::below(root, place).is_some())
    };
    let is_above = is_page && site.is_generated() && !places.iter().any(is_inside);
    is_above.then_some(Unchecked::Above)
}

/// True for a path that the repository leaves out, or whose page is made of one.
fn is_built(page: &AuditedPage<'_>, repository: &Repository, place: &Path) -> bool {
    let is_ignored = |path: &Path| page.files.is_ignored(repository, path);
    let with = |ending: &&&str| {
        let mut path = place.as_os_str().to_owned();
        path.push(ending);
        is_ignored(Path::new(&path))
    };
    is_ignored(place)
        || place.extension().is_none()
            && page
                .site
                .rules()
                .endings
                .iter()
                .filter(|it| !it.starts_with('/'))
                .any(|it| with(&it))
}

/// What a page of HTML is that a document beside a book leads to, if it is put among the pages of the book.
fn beside_book<'s>(
    context: &LinkContext<'s>,
    written: &str,
    fragment: Option<&'s str>,
) -> Option<Destination<'s>> {
    let book = context.page.site.documentation.as_deref()?;
    let content = book.content.first()?;
    if book.rules().documents_beside == DocumentsBeside::Apart
        || !written.ends_with(".html")
        || written.starts_with('/')
    {
        return None;
    }
    // Where in the book the document is put, only the tool knows.
    let inside = written.trim_start_matches("./").trim_start_matches("../");
    let place = path::joined(content, inside)?;
    match generated::find(book, context.page.files, &place) {
        (Some(path), entry @ PathStatus::File) => {
            let path = Some(path.into());
            Some(Destination::Target(LinkTarget { path, entry, fragment }))
        }
        _ if written.starts_with("../") => Some(Destination::Unchecked(Unchecked::Above)),
        _ => None,
    }
}

/// True for `index.png` or `index.xml` in the directory that a generator makes of the document.
fn is_generated_beside(context: &LinkContext<'_>, places: &[PathBuf]) -> bool {
    let page = context.page;
    let Some(own) = page.path.file_stem().map(|stem| page.directory().join(stem)) else {
        return false;
    };
    page.is_source()
        && page.site.rules().links == LinkBase::Either
        && places.iter().any(|place| {
            place.parent() == Some(&own) && place.file_stem().is_some_and(|stem| stem == "index")
        })
}

/// The repository's own pages: `https://github.com/owner/name/blob/main/a.md`.
fn own<'s>(context: &LinkContext<'s>, reference: &UriRef<'s>) -> Destination<'s> {
    let place = context
        .page
        .site
        .repository
        .as_ref()
        .and_then(|repository| repository.place(reference.host()?, reference.path()));
    match place {
        Some(ForgePlace::Path(inside)) => in_repository(context, &inside, reference.fragment()),
        _ => Destination::Elsewhere,
    }
}

/// A path in the checkout.
fn in_repository<'s>(
    context: &LinkContext<'s>,
    inside: &str,
    fragment: Option<&'s str>,
) -> Destination<'s> {
    let repository = context.page.site.repository.as_ref();
    let directory = repository.map_or(Path::new(""), |repository| &repository.directory);
    match path::joined(directory, inside) {
        Some(path) => {
            let entry = context.page.files.look(&path);
            Destination::Target(LinkTarget { path: Some(path.into()), entry, fragment })
        }
        None => Destination::Elsewhere,
    }
}

/// True for what a template engine or a bundler replaces: `{src}` of JSX, `@theme/a.css`.
fn is_filled_in(context: &LinkContext<'_>) -> bool {
    let written = context.written;
    let is_style = context.link.element == Some("style");
    context.is_of_engine
        || written.starts_with('{') && written.ends_with('}')
        || is_style && written.starts_with(['@', '~'])
}

/// True when a URI in this attribute names a document, an image or the like.
fn names_file(context: &LinkContext<'_>) -> bool {
    let attribute = context.link.attribute;
    let element = context.link.element;
    // A program on a server, a name or a base.
    let is_none = matches!(
        attribute,
        Some(
            "action"
                | "formaction"
                | "ping"
                | "classid"
                | "codebase"
                | "archive"
                | "profile"
                | "xml:base"
        )
    );
    !is_none && element != Some("base")
}
