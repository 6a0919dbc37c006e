//! The reasons why a missing place cannot be reported: a build, a server, or another repository may
//! have it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::{Unchecked, apart, compiled, generated, path};
use crate::audit::finding::is_among;
use crate::audit::link_context::AuditedPage;
use crate::audit::other_files::is_no_document;
use crate::audit::sites::{
    ForgeRule, FrontMatterRule, LinkBase, MissingSources, PageRule, ResourceRule,
};
use crate::audit::{LinkContext, PathStatus, Repository, SitePage, paths};
use crate::document::Format;
use crate::document::markdown::is_shown;
use crate::hash::HashSet;

/// Returns the reason why these places cannot be reported as missing.
pub(super) fn unjudged(
    context: &LinkContext<'_>,
    places: &[PathBuf],
    written: &str,
) -> Option<Unchecked> {
    let page = context.page;
    let site = &page.site;
    if site.is_crowded() {
        return Some(Unchecked::Crowded);
    }
    if is_shown_as_text(context) {
        return Some(Unchecked::Part);
    }
    // Another component may set the attribute, and have the page: redpanda's documents are those of
    // its cloud, too.
    if page.is_part() || page.is_source() && page.facts.is_conditional(context.link.span) {
        return Some(Unchecked::Part);
    }
    if works_in_another_page(context, written) {
        return Some(Unchecked::Part);
    }
    // The first place is relative to the file, as it is where the pages come from.
    if page.is_source()
        && !written.starts_with('/')
        && places.first().is_some_and(|it| site.left_copy_of(page.path, it).is_some())
    {
        return Some(Unchecked::Copied);
    }
    if context.is_import()
        && !is_shown(written.as_bytes())
        && places.iter().all(|it| it.parent().is_none_or(|above| page.is_absent(above)))
    {
        return Some(Unchecked::Component);
    }
    if let Some(repository) = &site.repository {
        if places.iter().any(|place| repository.is_in_submodule(place)) {
            return Some(Unchecked::Submodule);
        }
        let is_built =
            |place: &Path| site.found.is_built(place, || is_built(page, repository, place));
        // `i18n/*` ignores whatever is looked for below the root `i18n`, and so says nothing about it.
        let is_of_ignored_root = |place: &PathBuf| {
            let is_own = !written.starts_with('/') && places.first() == Some(place);
            let mut roots =
                site.roots_above(place).into_iter().filter(|root| place.starts_with(root));
            !is_own && roots.any(|root| is_built(&root.join(ANY_NAME)))
        };
        if places.iter().any(|place| is_built(place) && !is_of_ignored_root(place)) {
            return Some(Unchecked::Built);
        }
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
    let is_absent = |path: &Path| page.is_absent(path);
    if places.iter().any(|place| site.is_mounted(place, &is_absent)) {
        return Some(Unchecked::Prepared);
    }
    let missing = || places.first().map_or_else(String::new, |place| first_missing(page, place));
    let mut below = places.iter().flat_map(|place| site.below(place));
    let may_be_redirected = match written.starts_with('/') {
        true => site.may_redirect(written, missing),
        false => below.any(|below| site.may_redirect(&format!("/{}", below.display()), missing)),
    };
    if may_be_redirected {
        return Some(Unchecked::Route);
    }
    if places.iter().any(|place| site.may_make(place)) {
        return Some(Unchecked::Route);
    }
    if places.iter().any(|place| site.is_of_theme(place)) {
        return Some(Unchecked::Prepared);
    }
    // Hugo derives such addresses from titles, which are not read (seen in fluxcd).
    if places.iter().any(|place| site.may_be_title(place)) {
        return Some(Unchecked::Route);
    }
    if site.is_guessed() && places.iter().any(|place| is_redirected(page, place)) {
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
    // Other versions of the site may be beside it on its host.
    if site.is_below_host && written.starts_with('/') && !has_first_directory(page, written) {
        return Some(Unchecked::Apart);
    }
    if page.is_source() && site.is_of_other_component(written) {
        return Some(Unchecked::Apart);
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
    if is_of_component(page, written) {
        return Some(Unchecked::Part);
    }
    if let Some(why) = apart::reason(context, places, written) {
        return Some(why);
    }
    if is_of_plugin(page, written) || places.iter().any(|place| is_made_from_source(page, place)) {
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
        site.below(place).next().is_some()
            || site.content.iter().any(|root| paths::below(root, place).is_some())
    };
    let is_above = is_page && site.is_generated() && !places.iter().any(is_inside);
    is_above.then_some(Unchecked::Above)
}

/// Returns the first name of a path that is not here.
fn first_missing(page: &AuditedPage<'_>, place: &Path) -> String {
    let absent = place.ancestors().take_while(|above| page.is_absent(above)).last();
    absent
        .and_then(Path::file_name)
        .map_or_else(String::new, |it| it.to_string_lossy().into_owned())
}

/// True if a root of the site has the first name of an address.
fn has_first_directory(page: &AuditedPage<'_>, written: &str) -> bool {
    let base = page.site.base.as_str();
    let inside = written.strip_prefix(base).unwrap_or(written).trim_start_matches('/');
    let first = inside.split('/').next().unwrap_or_default();
    page.site.roots.iter().any(|root| !page.is_absent(&root.join(first)))
}

/// A name that only a pattern for all names ignores.
const ANY_NAME: &str = "urigrep-0";

/// True for a source whose address is redirected: an unknown generator may make addresses of the names
/// of sources.
fn is_redirected(page: &AuditedPage<'_>, place: &Path) -> bool {
    let is_source = place.extension().is_some_and(|it| it == "md" || it == "mdx");
    let Some(content) = page.site.content.first().filter(|_| is_source) else { return false };
    page.site.guessed_addresses(place).iter().any(|address| {
        let address = content.join(address.with_extension(""));
        matches!(page.files.page(&page.site, &address), Some(SitePage::Redirect(_)))
    })
}

/// True for a link in front matter that nothing renders: outside of sites, a forge shows it as text, and
/// to some generators it is data about the document.
pub(super) fn is_shown_as_text(context: &LinkContext<'_>) -> bool {
    let rules = context.page.site.rules();
    context.is_in_front_matter()
        && (rules.forge == ForgeRule::OnForge || rules.front_matter == FrontMatterRule::Metadata)
}

/// True for a relative reference that leads somewhere from a page which shows this document as a part
/// of it: 11 of 16 errors of ionic-docs were such references.
fn works_in_another_page(context: &LinkContext<'_>, written: &str) -> bool {
    let page = context.page;
    if !page.is_source() || written.is_empty() || written.starts_with('/') {
        return false;
    }
    page.files.importers(&page.site, page.path).iter().take(MOST_PARTS).any(|composed| {
        let (above, own) = (composed.page.parent(), composed.page.with_extension(""));
        let bases = [above.map(Path::to_path_buf), Some(own)];
        bases.into_iter().flatten().filter_map(|base| path::joined(&base, written)).any(|place| {
            matches!(generated::find(&page.site, page.files, &place).1, PathStatus::File)
        })
    })
}

/// True for a document of which the site makes no page, but which its pages may include.
fn is_only_part(page: &AuditedPage<'_>) -> bool {
    page.is_source()
        && page.site.rules().pages == PageRule::WithFrontMatter
        && !page.facts.has_front_matter()
}

/// Returns the file to which a reference in an included document leads from each page that includes
/// it.
pub(super) fn in_including_pages(context: &LinkContext<'_>, written: &str) -> Option<PathBuf> {
    let page = context.page;
    if !is_only_part(page) || written.is_empty() || written.starts_with('/') {
        return None;
    }
    let mut found = None;
    for composed in page.files.importers(&page.site, page.path).iter().take(MOST_PARTS) {
        let place = path::joined(composed.page.parent()?, written)?;
        match generated::find(&page.site, page.files, &place) {
            (made, PathStatus::File) => found = Some(made.unwrap_or(place)),
            _ => return None,
        }
    }
    found
}

/// True for an anchor in an included document that each page which includes it has.
pub(super) fn is_in_including_pages(page: &AuditedPage<'_>, anchor: &str) -> bool {
    if !is_only_part(page) {
        return false;
    }
    let has = |path: &PathBuf| page.files.anchors(path).is_some_and(|it| it.contains(anchor));
    let including = page.files.importers(&page.site, page.path);
    !including.is_empty()
        && including.iter().take(MOST_PARTS).all(|composed| {
            [&composed.page].into_iter().chain(&composed.parts).take(MOST_PARTS).any(has)
        })
}

/// Number of pages and parts that are compared with a link.
const MOST_PARTS: usize = 256;

/// Whether the parts that a page shows have an anchor.
pub(super) enum InParts {
    Found,
    Missing,
    /// A part is not a document that can be read, and may have it.
    Unknown,
}

/// Looks for an anchor in the documents that a page shows as parts of it: all 111 findings about
/// craftcms/docs were of headings that `!!!include(…)!!!` inserts.
pub(super) fn in_shown_parts(page: &AuditedPage<'_>, document: &Path, anchor: &str) -> InParts {
    let mut pending = page.files.shown_by(&page.site, document);
    let (mut seen, mut found) = (HashSet::default(), InParts::Missing);
    while let Some(part) = pending.pop() {
        if seen.len() >= MOST_PARTS || !seen.insert(part.clone()) {
            continue;
        }
        match page.files.anchors(&part) {
            Some(anchors) if anchors.contains(anchor) => return InParts::Found,
            Some(_) => pending.extend(page.files.shown_by(&page.site, &part)),
            // A template.
            None if page.files.probe(&part) == PathStatus::File => {
                if page.files.renders_headings(&part) {
                    found = InParts::Unknown;
                }
            }
            None => found = InParts::Unknown,
        }
    }
    found
}

/// True for an anchor of a page that shows this document as a part of it, or of another part.
pub(super) fn is_in_another_page(page: &AuditedPage<'_>, anchor: &str) -> bool {
    let has = |path: &PathBuf| page.files.anchors(path).is_some_and(|it| it.contains(anchor));
    page.is_source()
        && page
            .files
            .importers(&page.site, page.path)
            .iter()
            .flat_map(|composed| [&composed.page].into_iter().chain(&composed.parts))
            .take(MOST_PARTS)
            .any(has)
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
        && path::joined(&repository.directory, first).is_some_and(|it| page.is_absent(&it))
}

/// True for the id of a page of Antora in a document outside of all components: a build copies such
/// parts into one. 78 errors of apache/camel-quarkus were in parts that lie beside the code.
fn is_of_component(page: &AuditedPage<'_>, written: &str) -> bool {
    let Some(name) = Path::new(written).file_name().and_then(OsStr::to_str) else { return false };
    // `manual::a.adoc` and `partial$a.adoc` are not paths.
    const SIGNS: [&str; 5] = ["::", "attachment$", "example$", "page$", "partial$"];
    let is_id = || SIGNS.iter().any(|sign| written.contains(sign));
    page.is_asciidoc()
        && page.site.rules().resources != ResourceRule::Antora
        && written.ends_with(".adoc")
        && !written.starts_with("..")
        && !written.starts_with('/')
        && (is_id()
            || page.files.files_named(&page.site, name).iter().any(|file| {
                file.parent().into_iter().flat_map(Path::ancestors).any(|pages| {
                    pages.file_name() == Some(OsStr::new("pages"))
                        && file.strip_prefix(pages).is_ok_and(|id| id == Path::new(written))
                })
            }))
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
    let with = |place: &Path, ending: &str| {
        let mut path = place.as_os_str().to_owned();
        path.push(ending);
        is_ignored(Path::new(&path))
    };
    // `*.ipynb` says nothing about `a` if no document is a notebook.
    let is_of_any_name = |ending: &str| {
        let any = place.with_file_name(ANY_NAME);
        with(&any, ending) && !is_ignored(&any) && !page.files.has_ending(ending)
    };
    // `/a.html` for the ignored source `a.qmd`.
    let is_page_of_ignored = |(from, to): &(&str, &str)| {
        let stem = place.to_str().and_then(|place| place.strip_suffix(from));
        stem.is_some_and(|stem| is_ignored(Path::new(&format!("{stem}{to}"))))
    };
    is_ignored(place)
        || page.site.rules().swaps.iter().any(is_page_of_ignored)
        || place.extension().is_none()
            && page
                .site
                .rules()
                .endings
                .iter()
                .filter(|it| !it.starts_with('/'))
                .any(|ending| with(place, ending) && !is_of_any_name(ending))
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

/// True for a page in a directory that a plugin of the site names, if plugins make pages: `packages.rb`
/// of swift.org makes pages below `packages`.
fn is_of_plugin(page: &AuditedPage<'_>, written: &str) -> bool {
    let Some((directory, _)) = written.trim_end_matches('/').rsplit_once('/') else {
        return false;
    };
    let name = directory.rsplit('/').next().unwrap_or_default();
    let is_page = !written.contains('.') || written.ends_with(".html");
    is_page && written.starts_with('/') && !name.is_empty() && page.site.is_named_by_plugin(name)
}

/// True for a page whose source is below a directory that the generator itself leaves out, if plugins make
/// pages: `docs/2.7.x/policies/a` of kuma-website is made from `_src/policies/a.md`.
fn is_made_from_source(page: &AuditedPage<'_>, place: &Path) -> bool {
    let site = &page.site;
    let (Some(name), None | Some("html")) =
        (place.file_stem(), place.extension().and_then(OsStr::to_str))
    else {
        return false;
    };
    if site.rules().plugins.is_none() {
        return false;
    }
    let file = format!("{}.md", name.to_string_lossy());
    page.files.files_named(site, &file).iter().any(|source| {
        let mut inside = site.content.iter().filter_map(|root| paths::below(root, source));
        inside.any(|inside| {
            let mut names = inside.iter();
            let first = names.next().and_then(OsStr::to_str).unwrap_or_default();
            let tail = names.as_path().with_extension("");
            first.starts_with('_')
                && !first.starts_with("_posts")
                && tail.components().count() > 1
                && place.with_extension("").ends_with(&tail)
        })
    })
}
