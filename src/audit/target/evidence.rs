//! The evidence for a missing file. An error is certain: the settings of the site, or the forge
//! that shows the document, decide where a link leads. A finding that depends on a guess is a
//! warning if something else supports it, and otherwise a note.

use std::ffi::OsStr;
use std::path::Path;

use memchr::memmem;

use super::path::joined;
use super::{
    Unchecked, component, form_action, generated, page_scheme, places, published_elsewhere,
};
use crate::audit::census::is_named;
use crate::audit::finding::is_among;
use crate::audit::form::{Ending, FormCounts, FormTally, LinkForm, Purpose, Start};
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::{BaseRule, ForgeRule, ResourceRule, UnresolvedLinks, antora, maven};
use crate::audit::{LinkContext, PathStatus, paths};
use crate::document::{Format, LinkOrigin};
use crate::hash::HashSet;

/// Returns why a missing file cannot be reported: only a guess about the site suggests that it
/// should exist.
pub fn too_weak(context: &LinkContext<'_>, path: &Path, entry: &PathStatus) -> Option<Unchecked> {
    let PathStatus::Missing { nearest } = entry else { return None };
    if context.link.origin == LinkOrigin::Data
        && nearest.is_none()
        && !is_list_of_pages(context, path)
    {
        return Some(Unchecked::Unruled);
    }
    if !is_guess(context) {
        return None;
    }
    let site = &context.page.site;
    let is_directory = |path: &Path| context.page.files.probe(path) == PathStatus::Directory;
    let is_supported = nearest.is_some()
        || names_file_beside(context, path)
        || context.written.starts_with('/') && site.infers(context.written, is_directory)
        || is_published_picture(context, path);
    if is_supported && !is_published(context) {
        return None;
    }
    Some(match context.page.is_source() {
        _ if context.written.starts_with('/') => Unchecked::NoRoot,
        true => Unchecked::Route,
        false => Unchecked::Compiled,
    })
}

/// True for `/a.png`, if nearly all such pictures of the site are in a directory whose files it
/// copies to `/`: nothing else serves them.
pub fn is_published_picture(context: &LinkContext<'_>, place: &Path) -> bool {
    let form = LinkForm::from_context(context)
        .filter(|form| form.ending == Ending::Picture && form.start == Start::Root);
    let counts = form.and_then(|form| context.page.form_counts(&form, place));
    counts.is_some_and(|counts| counts.site.are_nearly_all_found())
}

/// True if most addresses in the data of a document lead to a page: `url: /pets` may belong to the
/// description of an interface.
fn is_list_of_pages(context: &LinkContext<'_>, path: &Path) -> bool {
    let counts = LinkForm::counts_of(context, path);
    let document = counts.and_then(|counts| counts.document).unwrap_or_default();
    document.found >= FOUND_PER_MISSING * document.missing
}

/// Confidence that a missing file is a fault.
pub enum Standing {
    /// The rules of the site, or nearly all other links of its form, show where it should be.
    Certain,
    /// The rules show it, but there is evidence against them, or none for them.
    Likely(&'static str),
    /// No link of its form leads to a file: the site may have an unknown rule.
    Guess(FormTally),
}

/// A sign of where a missing file went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveTrace {
    None,
    /// A file with a similar name exists.
    Similar,
    /// Git knows where it went, so it existed, and the link was right.
    Moved,
}

/// This many links of one form, if all are broken, show an unknown rule.
const MIN_BROKEN_LINKS: usize = 3;
/// This many links of one form that lead to a file show that a rule is right.
const ENOUGH: usize = 5;
/// Minimum number of links that lead to a file, per link whose target is missing.
const FOUND_PER_MISSING: usize = 3;

/// Returns the confidence that a missing file is a fault.
pub fn standing(context: &LinkContext<'_>, path: &Path, trace: MoveTrace) -> Standing {
    if let Some(doubt) = doubt_of_address(context, path).or_else(|| doubt_of_origin(context)) {
        return Standing::Likely(doubt);
    }
    if let Some(tally) = pictures_elsewhere(context).cloned() {
        return Standing::Guess(tally);
    }
    // Even if many other links are broken: the more pages were moved, the more links break.
    if trace == MoveTrace::Moved {
        return Standing::Certain;
    }
    let page = context.page;
    let Some(form) = LinkForm::from_context(context) else { return Standing::Certain };
    let Some(counts) = page.form_counts(&form, path) else { return Standing::Certain };
    standing_of_form(context, path, &form, counts, trace == MoveTrace::Similar)
}

/// Most pictures of a document that are looked up for each missing one.
const MAX_PICTURES: usize = 64;

/// Returns the counts of the pictures of a document of AsciiDoc, if it has several, and none is where
/// the document says: a command may set `imagesdir`, as for the 16 pictures of the slides of
/// projectsyn.
pub fn pictures_elsewhere<'p>(context: &LinkContext<'p>) -> Option<&'p FormTally> {
    let page = context.page;
    if !page.has_attributes() || !is_picture_of_asciidoc(context.link.element) || page.is_trial {
        return None;
    }
    page.missing_pictures(|| count_missing_pictures(page))
}

fn is_picture_of_asciidoc(element: Option<&str>) -> bool {
    element == Some("image")
}

fn count_missing_pictures(page: &AuditedPage<'_>) -> Option<FormTally> {
    if antora::module_name(page.path).is_some()
        || memmem::find(page.facts.source_text(), b":imagesdir:").is_some()
    {
        return None;
    }
    let document = paths::absolute(page.path);
    let (mut tally, mut names) = (FormTally::default(), HashSet::default());
    let pictures = page.facts.links().filter(|link| is_picture_of_asciidoc(link.element));
    for link in pictures.take(MAX_PICTURES) {
        let start = link.span.start();
        let picture = LinkContext::new(link, page);
        match picture.target().map(|it| &it.entry) {
            Some(PathStatus::File) => return None,
            Some(PathStatus::Missing { .. }) if names.insert(picture.written.to_owned()) => {
                tally.miss(&document, start);
            }
            _ => {}
        }
    }
    (tally.missing >= MIN_BROKEN_LINKS).then_some(tally)
}

/// Returns a reason why where the link leads is uncertain, whatever writes it.
fn doubt_of_address(context: &LinkContext<'_>, path: &Path) -> Option<&'static str> {
    let page = context.page;
    let is_address = context.written.starts_with('/');
    if is_guess(context) {
        return Some("where the site publishes this document is only a guess");
    }
    if context.link.origin == LinkOrigin::FrontMatter {
        return Some("it is a link only if a template renders it as one");
    }
    if is_address && published_elsewhere::is_guess(page, path) {
        return Some(
            "the tree has nothing with the first name of this address, so another server may have it",
        );
    }
    if is_address && page.site.inferred.is_some() && !page.site.is_guessed() {
        return Some("only the other links of the tree show which directory `/` is");
    }
    let base = page.site.base.as_str();
    let is_written = page.site.rules().base == BaseRule::Written;
    if is_address && is_written && !context.written.starts_with(base) {
        return Some(
            "it is not below the base of the site, so another site of the host may have it",
        );
    }
    if is_address && page.site.makes_any_pages() {
        return Some("a program of the site may make pages at any address");
    }
    (is_address && page.is_source() && page.site.computes_redirects)
        .then_some("a program generates the redirects of the site")
}

/// Returns a reason why the program that reads this kind of link may look for the file elsewhere.
fn doubt_of_origin(context: &LinkContext<'_>) -> Option<&'static str> {
    if component::makes_link(context) {
        return Some("a component of the site builds its links, and may resolve it elsewhere");
    }
    if context.link.origin.is_of_template() {
        return Some("the template of the shortcode may look it up elsewhere");
    }
    if form_action::is_action(context) {
        return Some(form_action::DOUBT);
    }
    if page_scheme::is_link(context) {
        return Some("the project of ReadMe may have pages that this tree lacks");
    }
    if context.is_of_component() {
        return Some("its component may look it up elsewhere");
    }
    let is_on_forge = context.page.site.rules().forge == ForgeRule::OnForge;
    match context.link.origin {
        LinkOrigin::Program => Some("a program makes this page, and may change where it leads"),
        LinkOrigin::SettingsFile => Some("a theme or a build may add the file"),
        LinkOrigin::Directive => {
            Some("an extension looks it up, which may start at another directory")
        }
        LinkOrigin::Import if is_on_forge => Some("the program that reads the import is unknown"),
        _ if context.written.ends_with(".*") => {
            Some("a build may create a picture that matches the pattern")
        }
        _ => None,
    }
}

/// Returns the confidence that other links of the same form give.
fn standing_of_form(
    context: &LinkContext<'_>,
    path: &Path,
    form: &LinkForm,
    counts: FormCounts,
    has_near: bool,
) -> Standing {
    let page = context.page;
    let FormCounts { site, is_above_others, document } = counts;
    let document = document.unwrap_or_default();
    let is_supported = site.found >= ENOUGH && site.found >= FOUND_PER_MISSING * site.missing;
    let is_ruled = is_ruled(context, form);
    let is_unmet = |tally: &FormTally| tally.found == 0 && tally.missing >= MIN_BROKEN_LINKS;
    if context.link.origin == LinkOrigin::Data {
        return Standing::Likely("a template turns it into a link, and may change where it leads");
    }
    if !is_ruled && !has_near && is_unmet(&site) {
        return Standing::Guess(site);
    }
    if !is_ruled && !has_near && !is_supported && is_unmet(&document) {
        return Standing::Guess(document);
    }
    if is_of_shared_module(context) {
        return Standing::Likely("other repositories add files to this component");
    }
    if is_page_of_antora(context) && page.site.has_pages_elsewhere {
        return Standing::Likely(
            "no playbook shows that this tree is the whole site, and a page of another repository may have this name \
             as an alias",
        );
    }
    if !has_near && !is_beside(context, path) {
        return Standing::Likely("its directory does not exist, and a build may create it");
    }
    if is_directory(context, path, is_ruled) {
        return Standing::Likely(
            "it is a directory without an index, for which a build may create a page",
        );
    }
    if is_template(page) {
        return Standing::Likely("its document is a template, which may be shown elsewhere");
    }
    if document.found == 0 && document.missing > 1 {
        return Standing::Likely("no link of this document that starts like this leads to a file");
    }
    if site.missing >= MIN_BROKEN_LINKS && site.found < site.missing && !is_shown_by_forge(page) {
        return Standing::Likely("most links of this form in this tree are broken");
    }
    if maven::page(page.path).is_some() {
        return Standing::Likely("a report of Maven may create it");
    }
    if is_ruled {
        return Standing::Certain;
    }
    if !context.written.starts_with('/') && is_page_elsewhere(context, form, path) {
        return Standing::Likely(
            "a page with this name exists elsewhere, where the site may find it",
        );
    }
    if is_above_others {
        return Standing::Likely(
            "other broken links lead below it, so another repository may publish it",
        );
    }
    if is_supported {
        return Standing::Certain;
    }
    Standing::Likely(
        "few links written like this one lead to a file, so the site may resolve them by another rule",
    )
}

/// True if repositories outside of this tree may add the file: an Antora resource of a component
/// whose modules several repositories share, or of another module.
fn is_of_shared_module(context: &LinkContext<'_>) -> bool {
    let site = &context.page.site;
    let is_of_other_module = site.rules().resources == ResourceRule::Antora
        && context.written.split('#').next().is_some_and(|path| path.contains(':'));
    !site.shared_modules.is_empty() || is_of_other_module
}

/// True for the id of a page of Antora.
fn is_page_of_antora(context: &LinkContext<'_>) -> bool {
    let path = context.written.split('#').next().unwrap_or_default();
    let family = path.split_once('$').map_or("page", |(family, _)| family);
    context.page.site.rules().resources == ResourceRule::Antora
        && context.link.element == Some("xref")
        && family.ends_with("page")
}

/// True if a directory in which a missing file was looked up exists, or if a forge shows that it
/// does not.
pub fn is_beside(context: &LinkContext<'_>, path: &Path) -> bool {
    let is_there = |place: &Path| {
        let above = place.parent().unwrap_or(Path::new(""));
        above.as_os_str().is_empty() || context.page.files.probe(above) == PathStatus::Directory
    };
    is_there(path)
        || is_shown_by_forge(context.page)
        || places(context).iter().any(|place| is_there(place))
}

/// True if there is a directory at the path of a missing page, or at another path that was tried.
fn is_directory(context: &LinkContext<'_>, path: &Path, is_ruled: bool) -> bool {
    let is_there = |path: &Path| context.page.files.probe(path) == PathStatus::Directory;
    is_there(path) || !is_ruled && places(context).iter().any(|place| is_there(place))
}

/// True for the name of a page at another path: generators differ in the base of the relative
/// address of a page.
fn is_page_elsewhere(context: &LinkContext<'_>, form: &LinkForm, path: &Path) -> bool {
    let page = context.page;
    matches!(form.ending, Ending::Address | Ending::Page)
        && is_named(&page.site, page.files, &path.to_string_lossy())
}

/// True for a link that its program resolves in the same way on every site: a path that
/// is relative to its document, and names a file with its extension.
fn is_ruled(context: &LinkContext<'_>, form: &LinkForm) -> bool {
    let page = context.page;
    let site = &page.site;
    // Jekyll defines the base of its tags.
    if context.link.origin.is_liquid() {
        return true;
    }
    let is_relative = matches!(form.start, Start::Above | Start::Here);
    let is_file = matches!(form.ending, Ending::Source | Ending::Picture | Ending::Other(_));
    // A build may move pages and style sheets, and add to them.
    if page.facts.format().is_some_and(Format::is_published) {
        return false;
    }
    if site.rules().forge == ForgeRule::OnForge {
        // A root on the command line is certain.
        let is_named =
            site.repository.as_ref().is_none_or(|it| !site.roots.contains(&it.directory));
        let is_rooted = form.start == Start::Root && (is_named || form.ending == Ending::Source);
        return is_relative || is_rooted;
    }
    // The names and directives of Sphinx start at its directory.
    let is_of_sphinx = site.unresolved == UnresolvedLinks::Sphinx
        && matches!(form.purpose, Purpose::Names | Purpose::Includes | Purpose::Shows);
    is_of_sphinx && form.start != Start::Other || is_relative && is_file && !form.is_attribute
}

/// True for a document of a forge with the name of a template, or in a directory with such a name.
fn is_template(page: &AuditedPage<'_>) -> bool {
    let names = page.path.components().rev().take(2).filter_map(|it| it.as_os_str().to_str());
    page.site.rules().forge == ForgeRule::OnForge
        && !page.is_about_templates()
        && names.into_iter().any(is_name_of_template)
}

/// True for `ISSUE_TEMPLATE`, but not for `WorkflowTemplateApi.md`, which documents a type: its
/// missing targets are errors.
fn is_name_of_template(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| is_among("template templates", &word.to_ascii_lowercase()))
}

/// True for a document that every forge shows at its path.
fn is_shown_by_forge(page: &AuditedPage<'_>) -> bool {
    const NAMES: &str = "code_of_conduct contributing readme security support";
    let stem = page.path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    page.site.rules().forge == ForgeRule::OnForge && is_among(NAMES, &stem.to_ascii_lowercase())
}

/// True for a reference whose meaning depends on a guess about the site.
fn is_guess(context: &LinkContext<'_>) -> bool {
    let page = context.page;
    let is_absolute = context.absolute().is_some();
    // A root on the command line is certain, so no content is guessed.
    let has_guessed_content = page.site.is_guessed() && !page.site.content.is_empty();
    !is_absolute && (has_guessed_content || generated::is_elsewhere(page) || is_of_package(page))
}

/// True for a reference to a file, not an address, in a directory that exists: a second reason to
/// report that it is missing.
fn names_file_beside(context: &LinkContext<'_>, path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_file = extension.is_some_and(|it| {
        !matches!(it, "html" | "htm") && it.bytes().any(|byte| byte.is_ascii_alphabetic())
    });
    let directory = path.parent().unwrap_or(Path::new(""));
    is_file
        && !context.written.starts_with('/')
        && context.page.files.probe(directory) == PathStatus::Directory
}

/// True for a file that HTML names by its path in the directory that a package publishes, beside
/// the page: `favicon.ico` for `public/favicon.ico`.
fn is_published(context: &LinkContext<'_>) -> bool {
    let page = context.page;
    let written = context.written.split(['?', '#']).next().unwrap_or_default();
    let place = |above: &Path| joined(&above.join("public"), written);
    let is_there = |above: &Path| {
        place(above).is_some_and(|place| page.files.probe(&place) == PathStatus::File)
    };
    !page.is_source() && page.directory().ancestors().any(is_there)
}

/// True for HTML and CSS among the sources of a package: a build may move them, and add to them.
fn is_of_package(page: &AuditedPage<'_>) -> bool {
    let Some(repository) = &page.site.repository else { return false };
    if page.is_source() || !page.site.content.is_empty() {
        return false;
    }
    let has_manifest =
        |above: &Path| page.files.probe(&above.join("package.json")) == PathStatus::File;
    let top = &repository.directory;
    page.directory().ancestors().take_while(|above| *above != top).any(has_manifest)
        || has_manifest(top)
}
