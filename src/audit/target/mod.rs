//! Resolves references to files in the tree (RFC 3986 §5.2).

pub mod anchor;
mod beside;
mod book;
pub mod case;
mod compiled;
mod component;
mod cross_reference;
mod doxygen;
pub mod duplicate;
mod evidence;
mod forge;
mod form_action;
mod generated;
mod included_names;
mod left_path;
mod likely_site;
mod liquid;
mod lookup;
mod maven_site;
pub mod missing;
mod missing_places;
pub mod moved;
mod named_path;
mod org_search;
pub mod orphan;
pub mod own_site;
mod page_name;
mod page_scheme;
mod path;
mod published_elsewhere;
mod resolver;
mod shown_parts;
mod sphinx_label;
mod sphinx_name;
pub mod unchecked;
pub mod undefined;
pub mod web;
mod wiki;
pub mod wikilink;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::UriRef;
use crate::audit::finding::is_among;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::{
    DocumentRule, ForgePlace, MarkdownRule, PathLookup, ResourceRule, TranslationRule,
    UnresolvedLinks, docusaurus, is_language,
};
use crate::audit::{LinkContext, PathStatus, paths};
use crate::document::{Format, LinkOrigin};
use beside::{beside_book, beside_sphinx, in_documentation};
pub(super) use book::Book;
pub(super) use component::INCLUDES;
pub(super) use generated::{is_log, names_reference};
pub(super) use included_names::IncludedFiles;
pub(super) use left_path::only_prefix;
use left_path::{LeftPath, left_path};
use missing_places::MissingPlaces;
pub(super) use page_name::find as find_page_name;
pub(super) use page_scheme::is_resolved as is_page_scheme;
use path::PathCandidates;
pub(super) use path::{
    base_of_links, decoded, is_file_name, is_index_name, joined, start_of_addresses,
};
pub(super) use published_elsewhere::is_version;
pub use unchecked::Unchecked;

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

/// Returns the paths at which a relative reference is looked up, most likely first.
pub(in crate::audit) fn places(context: &LinkContext<'_>) -> Vec<PathBuf> {
    let Some(parsed) = context.parsed() else { return Vec::new() };
    let reference = parsed.reference();
    match path::candidates(context, reference.path()) {
        PathCandidates::Paths(places) => places.collect(),
        _ => Vec::new(),
    }
}

/// Resolves the destination of a link.
pub fn destination<'s>(context: &LinkContext<'s>) -> Destination<'s> {
    match named(context) {
        Destination::Target(target) if form_action::is_of_program(context, &target) => {
            Destination::Unchecked(Unchecked::Served)
        }
        Destination::Target(target) if is_listing(context, &target) => {
            Destination::Unchecked(if form_action::is_action(context) {
                Unchecked::Served
            } else {
                Unchecked::Listing
            })
        }
        destination => destination,
    }
}

/// True for a directory without an index that a published page names. A forge lists its files, but
/// few servers do.
fn is_listing(context: &LinkContext<'_>, target: &LinkTarget<'_>) -> bool {
    let page = context.page;
    let has_index = |path: &Arc<Path>| generated::index(&page.site, page.files, path).is_some();
    target.entry == PathStatus::Directory
        && page.site.rules().documents == DocumentRule::Pages
        && target.path.as_ref().is_some_and(|path| !has_index(path))
}

/// Resolves the target of a link.
fn named<'s>(context: &LinkContext<'s>) -> Destination<'s> {
    let Some(parsed) = context.parsed() else {
        return Destination::Elsewhere;
    };
    let is_link = context.is_destination() || context.is_autolink();
    if !is_link || !names_file(context) || is_filled_in(context) {
        return Destination::Elsewhere;
    }
    if context.link.origin == LinkOrigin::PageName {
        return page_name::destination(context);
    }
    if is_of_pelican(context.written) {
        return Destination::Unchecked(Unchecked::Item);
    }
    if context.link.origin == LinkOrigin::OtherProject {
        let around = context.page.site.documentation.as_deref().unwrap_or(&context.page.site);
        // Other programs that read reStructuredText have no such names.
        return if around.unresolved == UnresolvedLinks::Sphinx {
            Destination::Unchecked(Unchecked::Item)
        } else {
            Destination::Elsewhere
        };
    }
    if context.link.origin == LinkOrigin::DocumentName
        && context.page.site.unresolved != UnresolvedLinks::Sphinx
    {
        return in_documentation(context);
    }
    let reference = parsed.reference();
    if liquid::is_include(context) {
        return liquid::included(context, reference.path());
    }
    match (reference.scheme(), reference.authority()) {
        (None, None) => local(context, &reference),
        // Org writes the path of a file as `file:a.org`, relative to the document. RFC 8089 knows
        // absolute paths only, and those belong to one machine.
        (Some("file"), None) if is_file_of_tree(context, reference.path()) => {
            local(context, &reference)
        }
        // MyST writes files and labels of the project with schemes of its own.
        (Some(scheme @ ("project" | "path")), None) if context.page.site.knows(scheme) => {
            local(context, &reference)
        }
        (Some("http" | "https") | None, Some(_)) => own(context, &reference),
        (Some(_), None) if page_scheme::is_link(context) => {
            page_scheme::destination(context, &reference).unwrap_or(Destination::Elsewhere)
        }
        _ => Destination::Elsewhere,
    }
}

/// True for the path of `file:a.org` that may name a file of the tree. Asciidoctor makes a link of
/// `file://` only, and a path with a drive, `file:C:/a.xml`, belongs to one machine.
fn is_file_of_tree(context: &LinkContext<'_>, path: &str) -> bool {
    let has_drive = path.as_bytes().get(1) == Some(&b':')
        && path.starts_with(|c: char| c.is_ascii_alphabetic());
    !path.starts_with(['/', '~']) && !has_drive && !context.page.has_attributes()
}

/// Resolves a reference without scheme and authority.
fn local<'s>(context: &LinkContext<'s>, reference: &UriRef<'s>) -> Destination<'s> {
    let fragment = reference.fragment();
    // The front page of a site elsewhere is not a file of the checkout.
    if reference.path() == "/" && fragment.is_some() && generated::is_elsewhere(context.page) {
        return Destination::Unchecked(Unchecked::NoRoot);
    }
    let known = lookup::found(context, reference.path());
    let known = known.as_deref().and_then(Option::as_ref);
    if let Some(found) = known.and_then(|known| destination_of(context, reference, known)) {
        return found;
    }
    let places = match path::candidates(context, reference.path()) {
        // `url(#a)` names an element of the page, not of its style sheet (CSS Values 4 §4.5.1).
        PathCandidates::Document if context.page.is_style() => {
            return Destination::Elsewhere;
        }
        PathCandidates::Document => {
            return Destination::Target(LinkTarget::new(None, PathStatus::File, fragment));
        }
        PathCandidates::Unchecked(why) => return Destination::Unchecked(why),
        PathCandidates::Elsewhere => return Destination::Elsewhere,
        PathCandidates::Paths(places) => places,
    };
    let page = context.page;
    let (known, places) = match known.cloned() {
        Some(known) => (known, places.collect()),
        None => lookup::look_up(page, places),
    };
    if let PathLookup::Found(path, _) = &known
        && is_page_of_antora(context, reference.path(), path)
    {
        // Antora looks up the source, and finds none with another extension (Antora, "Page Links").
        let (path, missing) = (path.with_extension("html"), PathStatus::Missing { nearest: None });
        return Destination::Target(LinkTarget::new(Some(path.into()), missing, fragment));
    }
    if let PathLookup::Found(path, _) = &known
        && is_of_other_version(context, path)
    {
        let (path, missing) =
            (joined(page.directory(), reference.path()), PathStatus::Missing { nearest: None });
        return Destination::Target(LinkTarget::new(path.map(Into::into), missing, fragment));
    }
    if let Some(found) = destination_of(context, reference, &known) {
        return found;
    }
    if page.site.is_dead(reference.path())
        && let PathLookup::Missing(path, entry) = &known
    {
        return Destination::Target(LinkTarget::new(
            Some(path.clone().into()),
            entry.clone(),
            fragment,
        ));
    }
    // Each further meaning would be looked for below all of its roots.
    if page.site.is_crowded() {
        return Destination::Unchecked(Unchecked::Crowded);
    }
    if let Some(other) = other_meaning(context, reference, &places) {
        return other;
    }
    if let Some(why) = MissingPlaces::new(context, &places, reference.path()).reason() {
        return Destination::Unchecked(why);
    }
    let PathLookup::Missing(path, entry) = known else { return Destination::Elsewhere };
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

/// Returns the destination that a lookup found; `None` if it found nothing.
fn destination_of<'s>(
    context: &LinkContext<'s>,
    reference: &UriRef<'s>,
    known: &PathLookup,
) -> Option<Destination<'s>> {
    let fragment = reference.fragment();
    Some(match known {
        PathLookup::Found(_, PathStatus::Unknown) => Destination::Unchecked(Unchecked::Unknown),
        PathLookup::Found(path, entry) => {
            let own = in_own_language(context.page, path);
            let path = own.as_ref().unwrap_or(path);
            let entry = match left_path(context, reference.path(), path) {
                Some(_) => PathStatus::Missing { nearest: None },
                None => entry.clone(),
            };
            Destination::Target(LinkTarget::new(Some(path.clone()), entry, fragment))
        }
        PathLookup::Moved(to, path, entry) => {
            let target = LinkTarget::new(Some(path.clone()), entry.clone(), fragment);
            Destination::Target(LinkTarget { moved_to: Some(to.clone()), ..target })
        }
        PathLookup::Missing(..) => return None,
        PathLookup::Elsewhere => on_page_elsewhere(fragment),
        PathLookup::MaybeGenerated => Destination::Unchecked(Unchecked::Generated),
    })
}

/// Returns the page in the language of the document, if a link leads to that of another language:
/// Hugo looks up a reference on the site of its own language (Hugo, "Translation by file name").
fn in_own_language(page: &AuditedPage<'_>, found: &Path) -> Option<Arc<Path>> {
    if page.site.rules().translations == TranslationRule::AsFound {
        return None;
    }
    let own = language_of(page.path)?;
    let other = language_of(found).filter(|it| *it != own)?;
    let name = found.file_name()?.to_str()?;
    let (stem, rest) = name.rsplit_once(&format!(".{other}."))?;
    let place = found.with_file_name(format!("{stem}.{own}.{rest}"));
    (page.files.probe(&place) == PathStatus::File).then(|| place.into())
}

/// Returns the middle of `a.en.md`.
pub(super) fn language_of(path: &Path) -> Option<&str> {
    let (stem, _) = path.file_name()?.to_str()?.rsplit_once('.')?;
    Some(stem.rsplit_once('.')?.1).filter(|it| is_language(it))
}

/// Returns the destination of a reference whose file is missing, trying every other meaning that it
/// may have. Each of these costs lookups, so they come after the common case.
fn other_meaning<'s>(
    context: &LinkContext<'s>,
    reference: &UriRef<'s>,
    places: &[PathBuf],
) -> Option<Destination<'s>> {
    let (page, fragment) = (context.page, reference.fragment());
    let unchecked = |why| Some(Destination::Unchecked(why));
    let target = |path: PathBuf| {
        Some(Destination::Target(LinkTarget::new(Some(path.into()), PathStatus::File, fragment)))
    };
    if is_cut_name(context, reference.path()) {
        return Some(Destination::Elsewhere);
    }
    if generated::is_of_other_project(context, places) {
        return unchecked(Unchecked::Item);
    }
    if let Some(found) = beside_sphinx(context, reference.path(), fragment) {
        return Some(found);
    }
    if context.link.origin.is_argument() && component::is_elsewhere(context) {
        return Some(Destination::Elsewhere);
    }
    if context.link.origin.is_of_template() && !component::has_template(context) {
        match component::is_reference(context) {
            true if component::is_nowhere(context) => {}
            true => return unchecked(Unchecked::Reference),
            false => return unchecked(Unchecked::Component),
        }
    }
    let is_of_component = context.is_of_component() && !reference.path().starts_with('/');
    if is_of_component
        || component::makes_link(context) && page.site.is_of_link_component(reference.path())
    {
        return unchecked(Unchecked::Component);
    }
    if generated::is_of_apidoc(context) {
        return unchecked(Unchecked::Generated);
    }
    if context.link.origin != LinkOrigin::DocumentName
        && let Some(other) = generated::instead(context, reference.path())
    {
        return Some(other);
    }
    if let Some(found) = doxygen::instead(context, reference.path()) {
        return Some(found);
    }
    if let Some(found) = maven_site::destination(context, reference.path(), fragment) {
        return Some(found);
    }
    if let Some(found) = book::destination(context, reference.path(), fragment) {
        return Some(found);
    }
    if is_below_top(context, reference.path()) {
        return Some(Destination::Elsewhere);
    }
    if let Some(found) = wiki::instead(context, reference.path(), fragment) {
        return Some(found);
    }
    let file = by_name(context, reference.path())
        .or_else(|| in_searched(context, reference.path()))
        .or_else(|| of_statics(context, places));
    if let Some(path) = file {
        return target(path);
    }
    match forge::around(context, reference.path()) {
        Some(ForgePlace::Path(inside)) => return Some(in_repository(context, &inside, fragment)),
        Some(ForgePlace::Other) => return Some(Destination::Elsewhere),
        None => {}
    }
    // Cargo's book is built from documents beside it, too. Links of these to pages of the book were
    // among the false findings.
    if let Some(found) = beside_book(context, reference.path(), fragment) {
        return Some(found);
    }
    target(shown_parts::in_including_pages(context, reference.path())?)
}

/// True for `srcset="a (1).svg"` of a generator that writes such names: HTML ends the reference at
/// the space, so the name is unknown. All 130 such references in GitBook's own documentation were
/// cut there.
fn is_cut_name(context: &LinkContext<'_>, path: &str) -> bool {
    context.page.site.rules().has_cut_names
        && context.link.attribute == Some("srcset")
        && Path::new(path).extension().is_none()
}

/// True for an id in the sidebar of a version of Docusaurus, if only another version has such a
/// document.
fn is_of_other_version(context: &LinkContext<'_>, found: &Path) -> bool {
    let directory = context.page.directory();
    context.link.origin == LinkOrigin::Menu
        && docusaurus::is_of_version(directory)
        && !context.written.starts_with(['/', '.'])
        && context.absolute().is_none()
        && paths::below(directory, found).is_none()
}

/// True for `xref:a.html` where only `a.adoc` is.
fn is_page_of_antora(context: &LinkContext<'_>, written: &str, found: &Path) -> bool {
    context.page.site.rules().resources == ResourceRule::Antora
        && context.link.element == Some("xref")
        && written.ends_with(".html")
        && found.extension().is_some_and(|it| it == "adoc")
}

/// Returns the file of this name anywhere in a tree with wikilinks. Obsidian and Foam find the
/// files of other links by name, too.
fn by_name(context: &LinkContext<'_>, path: &str) -> Option<PathBuf> {
    let page = context.page;
    if !page.is_source() || path.is_empty() || !page.files.has_wikilinks(&page.site) {
        return None;
    }
    page.files.page_named(&page.site, page.path, &decoded(path)?)
}

/// True for `../../img/a.png` if `img/a.png` is below `/`, in a page whose address comes from its
/// date or title by a pattern in the settings: it depends on how deep that address is.
fn is_below_top(context: &LinkContext<'_>, path: &str) -> bool {
    let page = context.page;
    let inside = path.trim_start_matches("../");
    let is_there = |place: PathBuf| page.files.probe(&place) == PathStatus::File;
    inside.len() < path.len()
        && page.is_source()
        && page.site.has_titled_addresses()
        && page.site.roots.iter().filter_map(|root| joined(root, inside)).any(is_there)
}

/// Returns the file in the directories that the settings name for topics, pictures, and snippets.
/// `./a.png` is beside the topic only (Writerside, "Images").
fn in_searched(context: &LinkContext<'_>, path: &str) -> Option<PathBuf> {
    let page = context.page;
    // The path of code may start with a slash.
    let path = if context.is_code_source() { path.trim_start_matches('/') } else { path };
    if path.is_empty() || path.starts_with(['.', '/']) {
        return None;
    }
    let name = decoded(path)?;
    page.site.searched.iter().find_map(|(directory, has_names)| {
        let is_file = |place: &PathBuf| page.files.probe(place) == PathStatus::File;
        let place = joined(directory, path).filter(is_file);
        let deep = || page.files.file_named_below(&page.site, directory, &name);
        place.or_else(|| deep().filter(|_| *has_names && !name.contains('/')))
    })
}

/// Returns the file that is copied to `/`, for HTML relative to the page: `../img/a.png` of `/b/`
/// is `public/img/a.png`. Most builds resolve the references of Markdown themselves, but do not
/// change those of HTML.
fn of_statics(context: &LinkContext<'_>, places: &[PathBuf]) -> Option<PathBuf> {
    let page = context.page;
    let site = &page.site;
    let is_site = site.is_generated() || site.is_guessed();
    if !page.is_content() || !is_site {
        return None;
    }
    let of_page;
    let places = match context.link.attribute {
        Some(_) => places,
        None if site.rules().markdown == MarkdownRule::Kept => {
            of_page = path::of_page(context);
            of_page.as_slice()
        }
        None => return None,
    };
    let below = |place: &PathBuf| -> Vec<PathBuf> {
        let below = site.content.iter().filter_map(|content| paths::below(content, place));
        below.chain(site.guessed_addresses(place)).collect()
    };
    let statics = site.roots.iter().filter(|root| !site.content.contains(root));
    let mut found = places
        .iter()
        .flat_map(below)
        .flat_map(|below| statics.clone().map(move |root| root.join(&below)).collect::<Vec<_>>());
    found.find(|place| page.files.probe(place) == PathStatus::File)
}

/// Returns the destination of a page outside the tree, whose anchors are unknown.
fn on_page_elsewhere<'s>(fragment: Option<&str>) -> Destination<'s> {
    match fragment {
        None | Some("") => Destination::Elsewhere,
        Some(_) => Destination::Unchecked(Unchecked::Open),
    }
}

/// Resolves URLs of the repository's own site, and of its files:
/// `https://github.com/owner/name/blob/main/a.md`.
fn own<'s>(context: &LinkContext<'s>, reference: &UriRef<'s>) -> Destination<'s> {
    let place = context
        .page
        .site
        .repository
        .as_ref()
        .and_then(|repository| repository.place(reference.host()?, reference.path()));
    if let Some(found) = wiki::of_url(context, reference) {
        return found;
    }
    match place {
        Some(ForgePlace::Path(inside)) => in_repository(context, &inside, reference.fragment()),
        None if own_site::is_own(context) => own_site::destination(context, reference),
        None => match likely_site::find(context, reference) {
            Some(site) => likely_site::destination(context, site, reference),
            None => Destination::Elsewhere,
        },
        Some(ForgePlace::Other) => {
            forge::readme_of_front_page(context, reference).unwrap_or(Destination::Elsewhere)
        }
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

/// True for a reference that Pelican looks up among its content: `{filename}/a.md`,
/// `|static|/a.png` (Pelican, "Linking to internal content").
fn is_of_pelican(written: &str) -> bool {
    const NAMES: &str = "attach author category filename index static tag";
    let name = |open: char, close: char| written.strip_prefix(open)?.split_once(close);
    let found = name('{', '}').or_else(|| name('|', '|'));
    found.is_some_and(|(name, _)| is_among(NAMES, name))
}

/// True for text that a template engine or bundler replaces: `{src}` of JSX, `@theme/a.css`,
/// `blocks/*.css`.
fn is_filled_in(context: &LinkContext<'_>) -> bool {
    let written = context.written;
    let is_style = context.link.element == Some("style");
    context.is_of_engine
        || written.starts_with('{') && written.ends_with('}')
        || is_style && (written.starts_with(['@', '~']) || written.contains("*."))
}

/// True if a URI in this attribute names a file.
fn names_file(context: &LinkContext<'_>) -> bool {
    let attribute = context.link.attribute;
    let element = context.link.element;
    // These attributes name a program on a server, an identifier, or a base. For the action of a
    // form, the tree decides.
    let is_none = matches!(
        attribute,
        Some("ping" | "classid" | "codebase" | "archive" | "profile" | "xml:base")
    );
    // `<xref href="System.String">` of DocFX names an item of code. That of DITA, which is XML,
    // names a file.
    let is_of_docfx =
        context.page.is_source() || context.page.facts.format().is_some_and(Format::is_page);
    let is_item = is_of_docfx && element == Some("xref") && attribute.is_some();
    !is_none && !is_item && element != Some("base")
}
