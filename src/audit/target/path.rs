//! The candidate paths of a reference: relative to the document, its page, or its `<base href>`
//! (RFC 3986 §5.2.2), or below the roots of the site. `.` and `..` are removed lexically, as in
//! URIs.

use std::path::{Path, PathBuf};

use super::{Unchecked, named_path};
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::antora;
use crate::audit::sites::{FileLookup, IndexRule, LinkBase, ResourceRule, UnresolvedLinks};
use crate::audit::{LinkContext, PathStatus, paths};
use crate::document::LinkOrigin;
use crate::hash::HashSet;
use crate::{UriRef, percent};

/// Candidates for the target of a reference.
pub(super) enum PathCandidates<'p> {
    /// The document itself.
    Document,
    /// One of these paths, most likely first. They are made lazily: most are found at once, and a
    /// site may have many roots.
    Paths(Box<dyn Iterator<Item = PathBuf> + 'p>),
    /// Not a file.
    Elsewhere,
    Unchecked(Unchecked),
}

/// Most places in which a site with too many roots is searched. Their pages are looked up below each
/// root.
const MAX_CROWDED: usize = 16;

/// Returns the places where the target of a link may be.
pub(super) fn candidates<'p>(context: &'p LinkContext<'_>, path: &'p str) -> PathCandidates<'p> {
    match all_candidates(context, path) {
        PathCandidates::Paths(places) if context.page.site.is_crowded() => {
            PathCandidates::Paths(Box::new(places.take(MAX_CROWDED)))
        }
        candidates => candidates,
    }
}

fn all_candidates<'p>(context: &'p LinkContext<'_>, path: &'p str) -> PathCandidates<'p> {
    let page = context.page;
    if let Some(places) = named_path::places(context, path) {
        return places;
    }
    let own = match (path, page.facts.base()) {
        ("", None) => return PathCandidates::Document,
        (path, Some(base)) => return based(path, &base.text, page),
        (path, None) if path.starts_with('/') => return at_root(path, page),
        (path, None) => beside(context, path),
    };
    let more = less_likely(context, path);
    // A segment that no file name can equal (an encoded `/` or NUL) names no file at all.
    let is_nothing = own.iter().all(Option::is_none) && more.is_empty();
    let places = own.into_iter().flatten().chain(more);
    let places: Box<dyn Iterator<Item = PathBuf>> = match by_address(context, path) {
        Some(PathCandidates::Paths(others)) => Box::new(places.chain(others)),
        _ if is_nothing => return PathCandidates::Elsewhere,
        _ => Box::new(places),
    };
    let site = &page.site;
    if site.copied.is_empty() && !site.has_mounts() && site.inherited.is_empty() {
        return PathCandidates::Paths(places);
    }
    let mut places: Vec<PathBuf> = places.collect();
    add_copied(&mut places, page);
    add_mounted(&mut places, page);
    add_inherited(&mut places, page);
    PathCandidates::Paths(Box::new(places.into_iter()))
}

/// Returns the places of `/a`.
fn at_root<'p>(path: &'p str, page: &'p AuditedPage<'_>) -> PathCandidates<'p> {
    match rooted(path, page) {
        PathCandidates::Paths(places) if page.site.rules().resources == ResourceRule::Antora => {
            let inside = path.strip_prefix(page.site.base.as_str()).unwrap_or(path);
            let clean = joined(Path::new(""), inside).unwrap_or_default();
            let published = antora::published(&page.site.content, &clean.to_string_lossy());
            PathCandidates::Paths(Box::new(places.chain(published)))
        }
        places => places,
    }
}

/// Returns the places beside the document and beside its page, most likely first.
fn beside(context: &LinkContext<'_>, path: &str) -> [Option<PathBuf>; 2] {
    let page = context.page;
    match link_base(context) {
        LinkBase::File => [joined(page.directory(), path), at_top(context, path)],
        LinkBase::Page => [joined(&page_directory(page), path), clamped(page, path)],
        // `../a/` looks like an address.
        LinkBase::Either if path.ends_with('/') => {
            [joined(&page_directory(page), path), joined(page.directory(), path)]
        }
        LinkBase::Either => [joined(page.directory(), path), joined(&page_directory(page), path)],
        LinkBase::Unresolved => unresolved(page, path),
    }
}

/// Returns the less likely places, which generators try after the document's own directory.
fn less_likely(context: &LinkContext<'_>, path: &str) -> Vec<PathBuf> {
    let page = context.page;
    let rules = page.site.rules();
    let has_attribute = context.link.attribute.is_some();
    let at = |roots: &[PathBuf]| -> Vec<PathBuf> {
        roots.iter().filter_map(|root| joined(root, path)).collect()
    };
    let above = || joined(page.directory().parent().unwrap_or(Path::new("")), path);
    let mut more = Vec::new();
    let may_be_of_content = match rules.lookup {
        FileLookup::ContentToo => !path.starts_with('.'),
        FileLookup::ContentAnyway => !path.starts_with("../"),
        FileLookup::Beside | FileLookup::AroundBundles => false,
    };
    if may_be_of_content && page.is_source() && (path.ends_with(".md") || path.ends_with(".mdx")) {
        more.extend(at(&page.site.roots));
    }
    if let Some(base) = &page.site.import_base
        && page.is_source()
        && !has_attribute
        && context.link.element == Some("image")
        && !path.starts_with('.')
    {
        more.extend(joined(base, path));
    }
    // sphinx-jinja resolves templates against the directory of `conf.py`. All 26 findings in
    // buildbot were false for this reason.
    if context.link.origin == LinkOrigin::Directive {
        more.extend(at(&page.site.content));
    }
    // Hugo's link hook, on sites with several languages, and `ref` and `relref` start at the
    // directory around a bundle, and then search the content (Hugo, "Links and cross references").
    if rules.lookup == FileLookup::AroundBundles
        && (page.site.languages.len() > 1 || context.link.origin.is_of_template())
        && !has_attribute
    {
        if page.path.file_stem().is_some_and(|stem| stem == "index") {
            more.extend(above());
        }
        if !path.starts_with('.') {
            more.extend(at(&page.site.roots));
        }
    }
    if rules.resources == ResourceRule::Antora && context.link.element == Some("link") {
        let published = antora::published_beside(page.path, &page.site.content, path);
        more.extend(published.unwrap_or_default());
    }
    if let Some(written) = without_ending_of_tex(context, path) {
        more.extend(joined(page.directory(), written));
    }
    let may_be_either = link_base(context) == LinkBase::Either;
    if rules.index == IndexRule::LikeDirectory && is_index(page, rules.index) && may_be_either {
        more.extend(above());
    }
    // Hugo hooks also look a page up from the content directory.
    if page.site.unresolved == UnresolvedLinks::Hooks && may_be_either {
        more.extend(at(&page.site.content));
        more.extend(at(&page.site.roots));
    }
    more
}

/// Returns `a` for `\input{a}`, which is `a.tex` to the reader: TeX looks for that first, and then
/// for `a` (Kpathsea, "File lookup"). Other commands of LaTeX always add the extension.
fn without_ending_of_tex<'p>(context: &LinkContext<'_>, path: &'p str) -> Option<&'p str> {
    const COMMANDS: [&[u8]; 2] = [b"\\input{", b"\\input "];
    if context.link.element != Some("include") {
        return None;
    }
    let name = path.strip_suffix(".tex")?;
    let facts = context.page.facts;
    let span = context.link.span;
    let before = facts.text_before(span.start(), COMMANDS[0].len());
    let written = facts.source_text().get(span.range()).unwrap_or_default();
    let is_whole = written.trim_ascii().ends_with(b".tex");
    (COMMANDS.contains(&before) && !is_whole).then_some(name)
}

/// Returns the places beside the address that front matter gives to the page.
fn by_address<'p>(context: &'p LinkContext<'_>, path: &str) -> Option<PathCandidates<'p>> {
    let page = context.page;
    let address = page.facts.address().filter(|_| link_base(context) == LinkBase::Either)?;
    let directory = address.rsplit_once('/').map_or("", |(directory, _)| directory);
    Some(rooted(&format!("{directory}/{path}"), page))
}

/// Most places that each kind of setting adds to those of a link. Settings may name many directories
/// inside each other, and their numbers multiply.
const MAX_ADDED: usize = 128;

/// Adds places beside the pages: files that are copied to `/` are there, and not beside their
/// sources.
fn add_copied(places: &mut Vec<PathBuf>, page: &AuditedPage<'_>) {
    let below = distinct(places.iter().flat_map(|place| page.site.below_content(place)));
    let copied = &page.site.copied;
    let beside = below.iter().flat_map(|below| copied.iter().map(move |it| it.join(below)));
    places.extend(beside.take(MAX_ADDED));
}

/// Adds places in directories that the settings mount: documents of those may be beside the page,
/// too.
fn add_mounted(places: &mut Vec<PathBuf>, page: &AuditedPage<'_>) {
    let site = &page.site;
    if !site.has_mounts() {
        return;
    }
    let below = distinct(
        places.iter().flat_map(|place| site.below_content(place).chain(site.below(place))),
    );
    let mounted = below.iter().flat_map(|below| site.mounted(below));
    places.extend(mounted.take(MAX_ADDED));
}

/// Adds places in the content that translations inherit: a program of the site fills in missing
/// ones.
fn add_inherited(places: &mut Vec<PathBuf>, page: &AuditedPage<'_>) {
    let inherited = &page.site.inherited;
    if page.site.unresolved != UnresolvedLinks::Hooks || inherited.is_empty() {
        return;
    }
    let below = distinct(places.iter().flat_map(|place| page.site.below_content(place)));
    let added = inherited.iter().flat_map(|root| below.iter().map(move |below| root.join(below)));
    places.extend(added.take(MAX_ADDED));
}

/// Returns each path once: the same name below many roots is one path below them.
fn distinct(paths: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut seen = HashSet::default();
    paths.filter(|path| seen.insert(path.clone())).collect()
}

/// Resolves a path that leads above the root of a host: a browser stays at the root (RFC 3986
/// §5.2.4).
fn clamped(page: &AuditedPage<'_>, path: &str) -> Option<PathBuf> {
    let place = joined(&page_directory(page), path)?;
    let content = page.site.content.first()?;
    if page.site.base != "/" || !path.starts_with("../") || paths::below(content, &place).is_some()
    {
        return None;
    }
    joined(content, path.trim_start_matches("../"))
}

/// Resolves the name of a document that leads above the sources of Sphinx: `../a` of a document at
/// their top is `/a` (`docname_join` of Sphinx).
fn at_top(context: &LinkContext<'_>, path: &str) -> Option<PathBuf> {
    let page = context.page;
    if context.link.origin != LinkOrigin::DocumentName || !path.starts_with("../") {
        return None;
    }
    let content = page.site.content.first()?;
    let mut names = paths::below(content, page.directory())?;
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    Some(content.join(names))
}

/// Resolves a path as MkDocs does: `a.md` is a file, but `a/` is not.
fn unresolved(page: &AuditedPage<'_>, path: &str) -> [Option<PathBuf>; 2] {
    // MkDocs rewrites links to files only. It leaves `../a/` as written, so a browser resolves that
    // against the page. Treating both alike made 17 of 23 findings of traefik false.
    let file = joined(page.directory(), path);
    let from_page = joined(&page_directory(page), path);
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_file = || file.as_ref().is_some_and(|file| page.files.probe(file) == PathStatus::File);
    match (is_file_name(name), name.ends_with(".html")) {
        (true, true) => [file, from_page],
        (true, false) => [file, None],
        (false, _) if is_file() => [file, None],
        (false, _) => [from_page, None],
    }
}

fn link_base(context: &LinkContext<'_>) -> LinkBase {
    base_of_links(context.page, context.link.attribute.is_some())
}

/// Returns the base of the links of a page: of those of HTML, or of those of its markup.
pub(in crate::audit) fn base_of_links(page: &AuditedPage<'_>, is_html: bool) -> LinkBase {
    let rules = page.site.rules();
    if !page.is_content() {
        return LinkBase::File;
    }
    match is_html {
        _ if page.site.is_flat => LinkBase::File,
        true => page.site.html_links.unwrap_or(rules.html_links),
        false => rules.links,
    }
}

/// Returns the directory where paths such as `../a/` start, which look like addresses.
pub(in crate::audit) fn start_of_addresses(context: &LinkContext<'_>) -> PathBuf {
    match link_base(context) {
        LinkBase::File => context.page.directory().to_path_buf(),
        LinkBase::Page | LinkBase::Either | LinkBase::Unresolved => page_directory(context.page),
    }
}

/// Returns the place of a relative reference that is left as it is: a browser starts at the page.
pub(super) fn of_page(context: &LinkContext<'_>) -> Vec<PathBuf> {
    let (path, _) = context.split();
    let is_relative = !path.is_empty() && !path.starts_with('/') && context.absolute().is_none();
    let place = is_relative.then(|| joined(&page_directory(context.page), path));
    place.flatten().into_iter().collect()
}

/// Returns the directory that is the address of the page.
fn page_directory(page: &AuditedPage<'_>) -> PathBuf {
    if is_index(page, IndexRule::Named) {
        page.directory().to_path_buf()
    } else {
        page.directory().join(page.path.file_stem().unwrap_or_default())
    }
}

/// True for the index page of a directory.
fn is_index(page: &AuditedPage<'_>, rule: IndexRule) -> bool {
    let stem = page.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    is_index_name(page.path)
        || rule == IndexRule::LikeDirectory
            && page.directory().file_name().is_some_and(|name| name == stem)
}

/// True for a file whose page is that of its directory.
pub(in crate::audit) fn is_index_name(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ["index", "_index", "readme"].iter().any(|index| stem.eq_ignore_ascii_case(index))
}

/// True for a name that is that of a file, and not of a page: MkDocs resolves these.
pub(in crate::audit) fn is_file_name(name: &str) -> bool {
    name.contains('.') && !matches!(name, "." | "..")
}

/// Longest base that is resolved. The work is repeated for each link.
const MAX_BASE_LENGTH: usize = 4096;

/// Resolves a path relative to a `<base href>`, which is itself relative to the document.
fn based<'p>(path: &str, base: &str, page: &'p AuditedPage<'_>) -> PathCandidates<'p> {
    // An overlong base is ignored: every resolved path would repeat it. Such a page printed 219
    // times its size.
    let Some(base) = UriRef::parse(base.trim()).ok().filter(|_| base.len() <= MAX_BASE_LENGTH)
    else {
        return PathCandidates::Elsewhere;
    };
    if base.scheme().is_some() || base.authority().is_some() {
        return PathCandidates::Elsewhere;
    }
    let whole = match (path, base.path()) {
        ("", "") => return PathCandidates::Document,
        ("", base) => base.to_owned(),
        (path, _) if path.starts_with('/') => path.to_owned(),
        // Use the directory of the base path (RFC 3986 §5.2.3).
        (path, base) => match base.rfind('/') {
            Some(slash) => format!("{}/{path}", base.get(..slash).unwrap_or_default()),
            None if matches!(base, "." | "..") => format!("{base}/{path}"),
            None => path.to_owned(),
        },
    };
    if whole.starts_with('/') {
        rooted(&whole, page)
    } else {
        match joined(page.directory(), &whole) {
            Some(place) => PathCandidates::Paths(Box::new(std::iter::once(place))),
            None => PathCandidates::Elsewhere,
        }
    }
}

/// Returns candidates for an absolute path: below each root.
pub(super) fn rooted<'p>(path: &str, page: &'p AuditedPage<'_>) -> PathCandidates<'p> {
    let site = &*page.site;
    if site.roots.is_empty() {
        return PathCandidates::Unchecked(Unchecked::NoRoot);
    }
    let below = |path: &str| {
        let mut names: Vec<String> = Vec::new();
        for segment in path.split('/') {
            match segment {
                "" | "." => {}
                // Nothing is above the root (RFC 3986 §5.2.4).
                ".." => drop(names.pop()),
                name => names.push(name_of(name)?),
            }
        }
        Some(names)
    };
    let stripped = match path.strip_prefix(site.base.as_str()) {
        Some(rest) => rest,
        None if format!("{path}/") == site.base => "",
        None => path,
    };
    let Some(names) = below(stripped) else {
        return PathCandidates::Elsewhere;
    };
    let under_roots = move |below: String| {
        // The front page of Docusaurus is one of `src/pages`; its documents are below a path of
        // their own.
        let front = site.roots.iter().filter(|root| root.ends_with("src/pages"));
        let is_front = below.is_empty();
        front.filter(move |_| is_front).chain(&site.roots).map(move |root| {
            let root = paths::without_dot(root);
            // Joining an empty name would add a slash.
            if below.is_empty() { root.to_owned() } else { paths::join(root, &below) }
        })
    };
    // Mounts are rare, so they are tried last.
    let mounted = move |names: &[String]| -> Vec<PathBuf> {
        site.mounted(&names.iter().collect::<PathBuf>())
    };
    // Without a translation, a site shows the page of its first language.
    let untranslated = names.split_first().filter(|(first, _)| site.languages.contains(*first));
    let untranslated = untranslated.map(|(_, rest)| rest.to_vec());
    let places = under_roots(names.join("/"));
    let in_first_language = untranslated.into_iter().flat_map(move |rest| {
        let mounted = mounted(&rest);
        under_roots(rest.join("/")).chain(mounted)
    });
    let mounted = std::iter::once_with(move || mounted(&names)).flatten();
    PathCandidates::Paths(Box::new(places.chain(in_first_language).chain(mounted)))
}

/// Joins `path` to a directory, removing `.` and `..`.
pub(in crate::audit) fn joined(directory: &Path, path: &str) -> Option<PathBuf> {
    let mut joined = PathBuf::with_capacity(directory.as_os_str().len() + path.len() + 1);
    joined.push(directory);
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => paths::up(&mut joined),
            name if !name.contains(['%', '\0']) => joined.push(name),
            name => joined.push(name_of(name)?),
        }
    }
    Some(joined)
}

/// Decodes a segment to a file name; `None` if no file can have it.
fn name_of(segment: &str) -> Option<String> {
    decoded(segment).filter(|name| !name.contains(['/', '\0']) && name != ".." && name != ".")
}

pub(in crate::audit) fn decoded(text: &str) -> Option<String> {
    String::from_utf8(percent::decode(text).into_owned()).ok()
}
