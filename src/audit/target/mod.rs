//! Resolves references to files in the tree (RFC 3986 §5.2).

pub mod anchor;
pub mod case;
mod compiled;
mod component;
pub mod duplicate;
mod evidence;
mod forge;
mod generated;
pub mod missing;
pub mod moved;
pub mod orphan;
pub mod own_site;
mod path;
mod resolver;
pub mod unchecked;
pub mod undefined;
pub mod web;
pub mod wikilink;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::UriRef;
use crate::audit::finding::is_among;
use crate::audit::link_context::AuditedPage;
use crate::audit::other_files::is_no_document;
use crate::audit::sites::{
    DocumentsBeside, ForgePlace, ForgeRule, LinkBase, MissingSources, PathLookup, UnresolvedLinks,
};
use crate::audit::{LinkContext, PathStatus, Repository, SitePage, paths};
use crate::document::Format;
pub(super) use generated::names_reference;
use path::Places;
pub(super) use path::{decoded, joined};

/// Resolved destination of a link.
#[derive(Debug)]
pub enum Destination<'s> {
    /// A place in the tree, which may be missing.
    Target(LinkTarget<'s>),
    /// Outside the tree, or only present on a running site.
    Elsewhere,
    /// Cannot be checked.
    Unchecked(Unchecked),
}

/// Reason why a destination cannot be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unchecked {
    /// It starts with `/`, and the root is unknown.
    NoRoot,
    /// It is above the tree.
    Above,
    /// It is next to the page made from the document.
    Beside,
    /// It may be an item of code, which another tool resolves.
    Item,
    /// The repository ignores it: a build creates it.
    Built,
    /// A build adds documents to the existing ones.
    Prepared,
    /// Addresses of pages differ from file names.
    Route,
    /// The document is a part of others, or a template.
    Part,
    /// The page has more content than its document.
    Open,
    /// A generator may create the page from other things, such as tags.
    Generated,
    /// A build may compile it from another file.
    Compiled,
    /// The anchor is in a file that is not a document.
    NoDocument,
}

#[derive(Debug)]
pub struct LinkTarget<'s> {
    /// The path; `None` for the document itself.
    pub path: Option<Arc<Path>>,
    pub entry: PathStatus,
    /// The fragment, as written.
    pub fragment: Option<&'s str>,
    /// The address to which the settings of the site redirect the link.
    pub moved_to: Option<Arc<str>>,
}

impl<'s> LinkTarget<'s> {
    fn new(path: Option<Arc<Path>>, entry: PathStatus, fragment: Option<&'s str>) -> Self {
        Self { path, entry, fragment, moved_to: None }
    }
}

/// Resolves the destination of a link.
pub fn destination<'s>(context: &LinkContext<'s>) -> Destination<'s> {
    let Some(parsed) = context.parsed() else {
        return Destination::Elsewhere;
    };
    if !context.is_destination() || !names_file(context) || is_filled_in(context) {
        return Destination::Elsewhere;
    }
    // Other programs that read reStructuredText have no names of documents.
    if context.names_document() && context.page.site.unresolved != UnresolvedLinks::Sphinx {
        return Destination::Elsewhere;
    }
    let reference = parsed.reference();
    match (reference.scheme(), reference.authority()) {
        (None, None) => local(context, &reference),
        // Org writes the path of a file as `file:a.org`, relative to the document. RFC 8089 knows
        // absolute paths only, and those belong to one machine.
        (Some("file"), None) if !reference.path().starts_with(['/', '~']) => {
            local(context, &reference)
        }
        // MyST writes files and labels of the project with schemes of its own.
        (Some(scheme @ ("project" | "path")), None) if context.page.site.knows(scheme) => {
            local(context, &reference)
        }
        (Some("http" | "https") | None, Some(_)) => own(context, &reference),
        _ => Destination::Elsewhere,
    }
}

/// Resolves a reference without scheme and authority.
fn local<'s>(context: &LinkContext<'s>, reference: &UriRef<'s>) -> Destination<'s> {
    let fragment = reference.fragment();
    let known = found(context, reference.path());
    let known = known.as_deref().and_then(Option::as_ref);
    match known {
        Some(PathLookup::Found(path, entry)) => {
            let target = LinkTarget::new(Some(path.clone()), entry.clone(), fragment);
            return Destination::Target(target);
        }
        Some(PathLookup::Moved(to, path, entry)) => {
            let target = LinkTarget::new(Some(path.clone()), entry.clone(), fragment);
            return Destination::Target(LinkTarget { moved_to: Some(to.clone()), ..target });
        }
        Some(PathLookup::Elsewhere) => return on_page_elsewhere(fragment),
        Some(PathLookup::MaybeGenerated) => return Destination::Unchecked(Unchecked::Generated),
        Some(PathLookup::Missing(..)) | None => {}
    }
    let places = match path::of(context, reference.path()) {
        // `url(#a)` names an element of the page, not of its style sheet (CSS Values 4 §4.5.1).
        Places::Document if context.page.is_style() => {
            return Destination::Elsewhere;
        }
        Places::Document => {
            return Destination::Target(LinkTarget::new(None, PathStatus::File, fragment));
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
            return Destination::Target(LinkTarget::new(Some(path), entry, fragment));
        }
        PathLookup::Moved(to, path, entry) => {
            let target = LinkTarget::new(Some(path), entry, fragment);
            return Destination::Target(LinkTarget { moved_to: Some(to), ..target });
        }
        PathLookup::Missing(path, entry) => (path, entry),
        PathLookup::Elsewhere => return on_page_elsewhere(fragment),
        PathLookup::MaybeGenerated => return Destination::Unchecked(Unchecked::Generated),
    };
    // Nothing was found. Before reporting that, try every other meaning of the reference; each of
    // them costs lookups, so they come after the common case.
    if !context.names_document()
        && let Some(other) = generated::instead(context, reference.path())
    {
        return other;
    }
    if let Some(path) = by_name(context, reference.path()) {
        return Destination::Target(LinkTarget::new(Some(path.into()), PathStatus::File, fragment));
    }
    match forge::around(context, reference.path()) {
        Some(ForgePlace::Path(inside)) => return in_repository(context, &inside, fragment),
        Some(ForgePlace::Other) => return Destination::Elsewhere,
        None => {}
    }
    // Cargo's book is built from documents beside it, too. Links of these to pages of the book were
    // among the false findings.
    if let Some(found) = beside_book(context, reference.path(), fragment) {
        return found;
    }
    if let Some(why) = unjudged(context, &places, reference.path()) {
        return Destination::Unchecked(why);
    }
    let entry = match (entry, page.files.look(&path)) {
        (PathStatus::Missing { .. }, missing @ PathStatus::Missing { .. }) => missing,
        // A directory without an index.
        (entry, _) => entry,
    };
    if let Some(why) = evidence::too_weak(context, &path, &entry) {
        return Destination::Unchecked(why);
    }
    Destination::Target(LinkTarget::new(Some(path.into()), entry, fragment))
}

/// Returns the file of this name anywhere in a tree with wikilinks. Obsidian and Foam find the files of
/// other links by name, too.
fn by_name(context: &LinkContext<'_>, path: &str) -> Option<PathBuf> {
    let page = context.page;
    if !page.is_source() || path.is_empty() || !page.files.has_wikilinks(&page.site) {
        return None;
    }
    page.files.page_named(&page.site, page.path, &decoded(path)?)
}

/// Returns the destination of a page outside the tree, whose anchors are unknown.
fn on_page_elsewhere<'s>(fragment: Option<&str>) -> Destination<'s> {
    match fragment {
        None | Some("") => Destination::Elsewhere,
        Some(_) => Destination::Unchecked(Unchecked::Open),
    }
}

/// Looks for files, then pages, then fallbacks of the site. The result depends on the site, not on
/// the document. Also returns the places that were tried, which are all of them unless one was
/// found.
// Places are an iterator, because most links lead to the first one. Making all of them in advance
// made 27,000 paths in vain for helm-www.
fn look_up(
    page: &AuditedPage<'_>,
    all: impl Iterator<Item = PathBuf>,
) -> (PathLookup, Vec<PathBuf>) {
    // Remember what was tried: if nothing is found, the caller needs these places to decide whether
    // that can be reported.
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
                // A name in another case says more than a place where nothing is similar.
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

/// Largest number of redirects followed between pages.
const MAX_REDIRECTS: usize = 8;

/// Returns the page at the first of these places that has one.
fn page_at(page: &AuditedPage<'_>, places: &[PathBuf]) -> Option<PathLookup> {
    let mut found = places.iter().find_map(|place| {
        let found = page.files.page(&page.site, place)?;
        Some((place, found))
    });
    if let Some((place, SitePage::File(actual))) = &found
        && is_other_case(place, actual)
    {
        let actual = actual.clone();
        return Some(PathLookup::Missing((*place).clone(), PathStatus::OtherCase { actual }));
    }
    let mut found = found.take()?.1;
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
        let Places::Paths(places) = path::rooted(&to, page) else {
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
        found = places.iter().find_map(|place| page.files.page(&page.site, place))?;
    }
    None
}

/// True for `A.md` instead of `a.md`: a reference to a file has case, even if addresses have none.
fn is_other_case(place: &Path, actual: &Path) -> bool {
    let is_source = place.extension().is_some_and(|it| it == "md" || it == "mdx");
    match (place.file_name().and_then(OsStr::to_str), actual.file_name().and_then(OsStr::to_str)) {
        (Some(place), Some(actual)) => {
            is_source && place != actual && place.eq_ignore_ascii_case(actual)
        }
        _ => false,
    }
}

/// Returns the fallback of the site for missing places.
fn instead(page: &AuditedPage<'_>, places: &[PathBuf]) -> Option<PathBuf> {
    let mut in_first = places.iter().filter_map(|place| in_first_language(page, place));
    in_first.next().or_else(|| places.iter().find_map(|place| beside_page(page, place)))
}

/// Caches lookups that depend only on the site (rooted paths) or the page's directory (HTML, whose
/// links lead to few files).
fn found(context: &LinkContext<'_>, path: &str) -> Option<Arc<Option<PathLookup>>> {
    let page = context.page;
    let find = || match path::of(context, path) {
        Places::Paths(places) => Some(look_up(page, places).0),
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
    match directory.is_absolute() && place.is_absolute() {
        true => paths::below(directory, place).is_none(),
        // Other relative paths stay below the current directory, which is in the checkout.
        false => place.starts_with("..") && paths::below(directory, place).is_none(),
    }
}

/// Returns the file of the first language that is shown for a missing translation.
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

/// Returns the reason why these places cannot be reported as missing.
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
    if compiled::is_compiled(context, places) {
        return Some(Unchecked::Compiled);
    }
    let is_of_program = |place: &PathBuf| {
        site.is_named_by_program(place) || site.is_written_by_plugin(place, written)
    };
    if places.iter().any(is_of_program) {
        return Some(Unchecked::Prepared);
    }
    let is_absent = |path: &Path| matches!(page.files.probe(path), PathStatus::Missing { .. });
    if places.iter().any(|place| site.is_mounted(place, &is_absent)) {
        return Some(Unchecked::Prepared);
    }
    // Hugo derives such addresses from titles, which are not read (seen in fluxcd).
    if places.iter().any(|place| site.may_be_title(place)) {
        return Some(Unchecked::Route);
    }
    // The roots of an unknown generator are guesses.
    if site.is_guessed() && !site.content.is_empty() && written.starts_with('/') {
        if site.is_address_of_program(written) {
            return Some(Unchecked::Prepared);
        }
        let is_directory = |path: &Path| page.files.probe(path) == PathStatus::Directory;
        return (!site.infers(written, is_directory)).then_some(Unchecked::NoRoot);
    }
    // A site built elsewhere has an unknown root, and may keep pictures elsewhere.
    let is_beside = |place: &PathBuf| !place.parent().is_some_and(is_absent);
    let extension = Path::new(written).extension();
    let is_other = extension.is_some_and(|it| it != "md" && it != "mdx" && it != "html");
    if written.starts_with('/') && (generated::is_elsewhere(page) || is_published(page, written)) {
        return Some(Unchecked::NoRoot);
    }
    if is_address_elsewhere(page, written) {
        return Some(Unchecked::NoRoot);
    }
    if is_other && !places.iter().any(is_beside) && generated::is_elsewhere(page) {
        return Some(Unchecked::Prepared);
    }
    // Files above the tree belong to this machine.
    let leads_up = |place: &PathBuf| place.starts_with("..");
    if site.repository.is_none() && !page.path.starts_with("..") && places.iter().any(leads_up) {
        return Some(Unchecked::Above);
    }
    // A site may move a style sheet, so paths that leave the checkout are unknown.
    if let Some(repository) = &site.repository
        && !page.is_source()
    {
        let is_outside = |place: &PathBuf| paths::below(&repository.directory, place).is_none();
        if places.iter().all(is_outside) {
            return Some(Unchecked::Above);
        }
    }
    // `../../name/a` leaves the checkout and enters it again, if the directory has the name of the
    // repository, as that of a clone has.
    if let Some(repository) = &site.repository
        && places.iter().any(|place| enters_again(repository, place))
    {
        return Some(Unchecked::Above);
    }
    if is_generated_beside(context, places) {
        return Some(Unchecked::Beside);
    }
    // Built sites may be placed next to each other, but sources are not.
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

/// True for `/a/b` without an extension in a document on a forge whose checkout has no `a`: the
/// address of a site that includes the document. 150 errors of rolldown were such links.
fn is_address_elsewhere(page: &AuditedPage<'_>, written: &str) -> bool {
    let Some(repository) = &page.site.repository else { return false };
    let Some((first, name)) = written.strip_prefix('/').and_then(|it| it.split_once('/')) else {
        return false;
    };
    // `Interface.Plugin` is the name of a page.
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_file = is_no_document(extension) || Format::from_extension(extension).is_some();
    let stem = page.path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    // Forges show these.
    let is_of_forge = is_among("contributing readme security", &stem.to_ascii_lowercase());
    page.is_source()
        && page.site.rules().forge == ForgeRule::OnForge
        && !is_file
        && !is_of_forge
        && !first.is_empty()
        && path::joined(&repository.directory, first)
            .is_some_and(|it| matches!(page.files.probe(&it), PathStatus::Missing { .. }))
}

/// True for a file of a directory that sites publish at `/`, if nothing shows the site: 15 of 27
/// findings of statamic's docs were pictures below `public`.
fn is_published(page: &AuditedPage<'_>, written: &str) -> bool {
    let Some(repository) = &page.site.repository else { return false };
    page.is_source()
        && page.site.rules().forge == ForgeRule::OnForge
        && ["public", "static"].iter().any(|root| {
            let root = repository.directory.join(root);
            let place = path::joined(&root, written.trim_start_matches('/'));
            place.is_some_and(|place| page.files.probe(&place) == PathStatus::File)
        })
}

/// True for a path beside the checkout, in a directory with the name of its repository.
fn enters_again(repository: &Repository, place: &Path) -> bool {
    if paths::below(&repository.directory, place).is_some() {
        return false;
    }
    let absolute = paths::absolute(place);
    let around = paths::absolute(&repository.directory);
    let beside = around.parent().and_then(|around| absolute.strip_prefix(around).ok());
    let first = beside.and_then(|it| it.iter().next()).and_then(|it| it.to_str());
    let mut names = repository.remotes.iter().filter_map(|remote| remote.rsplit('/').next());
    first.is_some_and(|first| names.any(|name| name.eq_ignore_ascii_case(first)))
}

/// True for a path that the repository ignores, or whose page comes from an ignored file.
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

/// Resolves a link from a document beside a book to an HTML page, as if the document were a page of
/// the book.
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
    // Only the tool knows the place of the document in the book, so ignore leading `../`.
    let inside = written.trim_start_matches("./").trim_start_matches("../");
    let place = path::joined(content, inside)?;
    match generated::find(book, context.page.files, &place) {
        (Some(path), entry @ PathStatus::File) => {
            Some(Destination::Target(LinkTarget::new(Some(path.into()), entry, fragment)))
        }
        _ if written.starts_with("../") => Some(Destination::Unchecked(Unchecked::Above)),
        _ => None,
    }
}

/// True for `index.png` or `index.xml` in the directory that a generator makes for the document.
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

/// Resolves URLs of the repository's own site, and of its files: `https://github.com/owner/name/blob/main/a.md`.
fn own<'s>(context: &LinkContext<'s>, reference: &UriRef<'s>) -> Destination<'s> {
    let place = context
        .page
        .site
        .repository
        .as_ref()
        .and_then(|repository| repository.place(reference.host()?, reference.path()));
    match place {
        Some(ForgePlace::Path(inside)) => in_repository(context, &inside, reference.fragment()),
        None if own_site::is_own(context) => own_site::destination(context, reference),
        _ => Destination::Elsewhere,
    }
}

/// Returns the index page of a directory.
pub(super) fn index_of(page: &AuditedPage<'_>, directory: &Path) -> Option<PathBuf> {
    generated::index(&page.site, page.files, directory)
}

/// Resolves a path in the checkout.
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
            Destination::Target(LinkTarget::new(Some(path.into()), entry, fragment))
        }
        None => Destination::Elsewhere,
    }
}

/// True for text that a template engine or bundler replaces: `{src}` of JSX, `@theme/a.css`.
fn is_filled_in(context: &LinkContext<'_>) -> bool {
    let written = context.written;
    let is_style = context.link.element == Some("style");
    context.is_of_engine
        || written.starts_with('{') && written.ends_with('}')
        || is_style && written.starts_with(['@', '~'])
}

/// True if a URI in this attribute names a file.
fn names_file(context: &LinkContext<'_>) -> bool {
    let attribute = context.link.attribute;
    let element = context.link.element;
    // These attributes name a program on a server, an identifier, or a base.
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
