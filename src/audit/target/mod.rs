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

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::UriRef;
use crate::audit::link_context::Scope;
use crate::audit::site::{ForgePlace, LinkBase, LookUp};
use crate::audit::{Entry, LinkContext, Profile, Repository, SitePage, paths};
use crate::document::Format;
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
}

#[derive(Debug)]
pub struct LinkTarget<'s> {
    /// The path; `None` for the document itself.
    pub path: Option<Arc<Path>>,
    pub entry: Entry,
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
        Some(LookUp::Found(path, entry)) => {
            let (path, entry) = (Some(path.clone()), entry.clone());
            return Destination::Target(LinkTarget { path, entry, fragment });
        }
        Some(LookUp::Elsewhere) => return Destination::Elsewhere,
        Some(LookUp::Missing(..)) | None => {}
    }
    let places = match path::of(context, reference.path()) {
        // The element that `url(#a)` names is in the page, not in its style sheet (CSS Values 4 §4.5.1).
        Places::Document if context.scope.facts.format() == Some(Format::Css) => {
            return Destination::Elsewhere;
        }
        Places::Document => {
            return Destination::Target(LinkTarget { path: None, entry: Entry::File, fragment });
        }
        Places::Unchecked(why) => return Destination::Unchecked(why),
        Places::Elsewhere => return Destination::Elsewhere,
        Places::Paths(places) => places,
    };
    let scope = context.scope;
    let (known, places) = match known.cloned() {
        Some(known) => (known, places.collect()),
        None => look_up(scope, places),
    };
    let (path, entry) = match known {
        LookUp::Found(path, entry) => {
            return Destination::Target(LinkTarget { path: Some(path), entry, fragment });
        }
        LookUp::Missing(path, entry) => (path, entry),
        LookUp::Elsewhere => return Destination::Elsewhere,
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
    let entry = match (entry, scope.files.look(&path)) {
        (Entry::Missing { .. }, missing @ Entry::Missing { .. }) => missing,
        // a directory without an index
        (entry, _) => entry,
    };
    Destination::Target(LinkTarget { path: Some(path.into()), entry, fragment })
}

/// Looks for files, then for pages, then for what a site shows instead. It goes by the site, not by the document. The places
/// where it looked are all of them unless it found something.
fn look_up(scope: &Scope<'_>, all: impl Iterator<Item = PathBuf>) -> (LookUp, Vec<PathBuf>) {
    let mut places: Vec<PathBuf> = Vec::new();
    let mut first = None;
    for place in all {
        if places.last().is_some_and(|last| last.as_os_str() == place.as_os_str()) {
            continue;
        }
        // What is above the checkout is the machine's.
        if is_out_of_checkout(scope, &place) {
            first.get_or_insert_with(|| (place.clone(), Entry::Missing { nearest: None }));
            places.push(place);
            continue;
        }
        match generated::find(&scope.site, scope.files, &place) {
            (made, entry @ (Entry::File | Entry::Directory | Entry::Unknown)) => {
                let path = Arc::from(made.as_ref().unwrap_or(&place).as_path());
                return (LookUp::Found(path, entry), places);
            }
            (made, missing) => {
                first.get_or_insert_with(|| (made.unwrap_or_else(|| place.clone()), missing));
                places.push(place);
            }
        }
    }
    let found = page_at(scope, &places);
    let found = found.unwrap_or_else(|| match (instead(scope, &places), first) {
        (Some(path), _) => LookUp::Found(path.into(), Entry::File),
        (None, Some((path, entry))) => LookUp::Missing(path, entry),
        (None, None) => LookUp::Elsewhere,
    });
    (found, places)
}

/// What a site has at the first of these places where it has a page.
fn page_at(scope: &Scope<'_>, places: &[PathBuf]) -> Option<LookUp> {
    let page = places.iter().find_map(|place| scope.files.page(&scope.site, place))?;
    Some(match page {
        SitePage::File(path) => LookUp::Found(path.into(), Entry::File),
        SitePage::Elsewhere => LookUp::Elsewhere,
    })
}

/// What a site shows instead.
fn instead(scope: &Scope<'_>, places: &[PathBuf]) -> Option<PathBuf> {
    let mut in_first = places.iter().filter_map(|place| in_first_language(scope, place));
    in_first.next().or_else(|| places.iter().find_map(|place| beside_page(scope, place)))
}

/// What a path leads to, where that depends on the site or on the page alone, so that it is found once for many links; those
/// of a page of HTML lead to few files.
fn found(context: &LinkContext<'_>, path: &str) -> Option<Arc<Option<LookUp>>> {
    let scope = context.scope;
    let find = || match path::of(context, path) {
        Places::Paths(places) => Some(look_up(scope, places).0),
        _ => None,
    };
    let is_rooted = path.starts_with('/') && scope.facts.base().is_none();
    match scope.facts.format() {
        _ if is_rooted => Some(scope.site.found.get(path, find)),
        Some(Format::Html) => Some(scope.found(path, find)),
        _ => None,
    }
}

/// True for a path out of the checkout, if the document is in one.
fn is_out_of_checkout(scope: &Scope<'_>, place: &Path) -> bool {
    let Some(repository) = &scope.site.repository else { return false };
    let directory = &repository.directory;
    match directory.is_absolute() && place.is_absolute() {
        true => paths::below(directory, place).is_none(),
        // Other paths are below the current directory, which is in the checkout.
        false => place.starts_with("..") && paths::below(directory, place).is_none(),
    }
}

/// What is shown of the first language where a translation has nothing.
fn in_first_language(scope: &Scope<'_>, place: &Path) -> Option<PathBuf> {
    let place = scope.site.untranslated(place)?;
    match generated::find(&scope.site, scope.files, &place) {
        (made, Entry::File) => Some(made.unwrap_or(place)),
        (_, Entry::Directory) => generated::index(&scope.site, scope.files, &place),
        _ => match scope.files.page(&scope.site, &place)? {
            SitePage::File(path) => Some(path),
            SitePage::Elsewhere => None,
        },
    }
}

/// The file beside a page whose address is not that of its directory.
fn beside_page(scope: &Scope<'_>, place: &Path) -> Option<PathBuf> {
    let name = place.file_name().filter(|_| place.extension().is_some())?;
    if scope.site.rules().addresses.is_empty() {
        return None;
    }
    match scope.files.page(&scope.site, place.parent()?)? {
        SitePage::File(page) if page.file_stem().is_some_and(|stem| stem == "index") => {
            let beside = page.with_file_name(name);
            (scope.files.probe(&beside) == Entry::File).then_some(beside)
        }
        _ => None,
    }
}

/// Why nobody can say that there is nothing at these places.
fn unjudged(context: &LinkContext<'_>, places: &[PathBuf], written: &str) -> Option<Unchecked> {
    let scope = context.scope;
    let site = &scope.site;
    if scope.is_part() {
        return Some(Unchecked::Part);
    }
    if let Some(repository) = &site.repository
        && places
            .iter()
            .any(|place| site.found.is_built(place, || is_built(scope, repository, place)))
    {
        return Some(Unchecked::Built);
    }
    let is_absent = |path: &Path| matches!(scope.files.probe(path), Entry::Missing { .. });
    if places.iter().any(|place| site.is_mounted(place, &is_absent)) {
        return Some(Unchecked::Prepared);
    }
    if places.iter().any(|place| site.may_be_title(place)) {
        return Some(Unchecked::Route);
    }
    // Its roots are guesses.
    if site.profile == Profile::Any && !site.content.is_empty() && written.starts_with('/') {
        return Some(Unchecked::NoRoot);
    }
    // A site that is made elsewhere has a root, and pictures in its own places.
    let is_beside = |place: &PathBuf| !place.parent().is_some_and(is_absent);
    let extension = Path::new(written).extension();
    let is_other = extension.is_some_and(|it| it != "md" && it != "mdx" && it != "html");
    if written.starts_with('/') && generated::is_elsewhere(scope) {
        return Some(Unchecked::NoRoot);
    }
    if is_other && !places.iter().any(is_beside) && generated::is_elsewhere(scope) {
        return Some(Unchecked::Prepared);
    }
    // What is above the tree is the machine's.
    let leads_up = |place: &PathBuf| place.starts_with("..");
    if site.repository.is_none() && !scope.path.starts_with("..") && places.iter().any(leads_up) {
        return Some(Unchecked::Above);
    }
    // A style sheet may be put elsewhere in the site.
    if let Some(repository) = &site.repository
        && !scope.is_markdown()
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
        // mdBook makes pages of what ends in `.md`, there or not
        Some(extension) if extension == "md" => {
            let other = |place: &PathBuf| place.parent().is_some_and(is_absent);
            generated::is_page_of_rustdoc(written)
                || site.profile == Profile::Mdbook && places.iter().all(other)
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
fn is_built(scope: &Scope<'_>, repository: &Repository, place: &Path) -> bool {
    let is_ignored = |path: &Path| scope.files.is_ignored(repository, path);
    let with = |ending: &&&str| {
        let mut path = place.as_os_str().to_owned();
        path.push(ending);
        is_ignored(Path::new(&path))
    };
    is_ignored(place)
        || place.extension().is_none()
            && scope
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
    let book = context.scope.site.documentation.as_deref()?;
    let content = book.content.first().filter(|_| book.profile == Profile::Mdbook)?;
    if !written.ends_with(".html") || written.starts_with('/') {
        return None;
    }
    // Where in the book the document is put, only the tool knows.
    let inside = written.trim_start_matches("./").trim_start_matches("../");
    let place = path::joined(content, inside)?;
    match generated::find(book, context.scope.files, &place) {
        (Some(path), entry @ Entry::File) => {
            let path = Some(path.into());
            Some(Destination::Target(LinkTarget { path, entry, fragment }))
        }
        _ if written.starts_with("../") => Some(Destination::Unchecked(Unchecked::Above)),
        _ => None,
    }
}

/// True for `index.png` or `index.xml` in the directory that a generator makes of the document.
fn is_generated_beside(context: &LinkContext<'_>, places: &[PathBuf]) -> bool {
    let scope = context.scope;
    let Some(own) = scope.path.file_stem().map(|stem| scope.directory().join(stem)) else {
        return false;
    };
    scope.is_markdown()
        && scope.site.rules().links == LinkBase::Either
        && places.iter().any(|place| {
            place.parent() == Some(&own) && place.file_stem().is_some_and(|stem| stem == "index")
        })
}

/// The repository's own pages: `https://github.com/owner/name/blob/main/a.md`.
fn own<'s>(context: &LinkContext<'s>, reference: &UriRef<'s>) -> Destination<'s> {
    let place = context
        .scope
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
    let repository = context.scope.site.repository.as_ref();
    let directory = repository.map_or(Path::new(""), |repository| &repository.directory);
    match path::joined(directory, inside) {
        Some(path) => {
            let entry = context.scope.files.look(&path);
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
