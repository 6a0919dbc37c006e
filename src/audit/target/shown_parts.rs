//! Documents that pages include: their links may be meant for those pages.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::component::may_render_headings;
use super::{generated, path};
use crate::audit::answers::importers::Composed;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::{ForgeRule, FrontMatterRule, PageRule, ResourceRule};
use crate::audit::{LinkContext, PathStatus, paths};
use crate::document::LinkOrigin;
use crate::hash::HashSet;

/// True for a link in front matter that nothing renders: outside of sites, a forge shows it as
/// text, and to some generators it is data about the document.
pub(super) fn is_shown_as_text(context: &LinkContext<'_>) -> bool {
    let rules = context.page.site.rules();
    context.link.origin == LinkOrigin::FrontMatter
        && (rules.forge == ForgeRule::OnForge || rules.front_matter == FrontMatterRule::Metadata)
}

/// Number of pages from which a reference in an included document is tried.
const MAX_BASES: usize = 16;

/// True for a relative reference that leads to a file from a page that includes this document: 11
/// of 16 errors of ionic-docs were such references.
pub(super) fn works_in_another_page(context: &LinkContext<'_>, written: &str) -> bool {
    let page = context.page;
    if !page.is_source() || written.is_empty() || written.starts_with('/') {
        return false;
    }
    let importers = page.files.importers(&page.site, page.path);
    // Pages beside each other share a directory, so a few of many are enough.
    let step = importers.len().div_ceil(MAX_BASES).max(1);
    importers.iter().step_by(step).any(|composed| {
        let (above, own) = (composed.page.parent(), composed.page.with_extension(""));
        let bases = [above.map(Path::to_path_buf), Some(own)];
        bases.into_iter().flatten().filter_map(|base| path::joined(&base, written)).any(|place| {
            matches!(generated::find(&page.site, page.files, &place).1, PathStatus::File)
        })
    })
}

/// True for a document from which the site makes no page, but which its pages may include.
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
    for composed in page.files.importers(&page.site, page.path).iter().take(MAX_PARTS) {
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
        && including.iter().take(MAX_PARTS).all(|composed| {
            [&composed.page].into_iter().chain(&composed.parts).take(MAX_PARTS).any(has)
        })
}

/// Number of pages and parts that are compared with a link.
const MAX_PARTS: usize = 256;

/// Whether the documents that a page includes have an anchor.
pub(super) enum InParts {
    Found,
    Missing,
    /// A part is not a document that can be read, and may have it.
    Unknown,
}

/// Looks for an anchor in the documents that a page includes: all 111 findings about craftcms/docs
/// were about headings that `!!!include(…)!!!` inserts.
pub(super) fn in_shown_parts(page: &AuditedPage<'_>, document: &Path, anchor: &str) -> InParts {
    let shown_by = |path: &Path| page.files.shown_by(&page.site, path);
    let mut pending: Vec<PathBuf> = shown_by(document).iter().take(MAX_PARTS).cloned().collect();
    let (mut seen, mut found) = (HashSet::default(), InParts::Missing);
    while let Some(part) = pending.pop() {
        if seen.len() >= MAX_PARTS || !seen.insert(part.clone()) {
            continue;
        }
        match page.files.anchors(&part) {
            Some(anchors) if anchors.contains(anchor) => return InParts::Found,
            Some(_) => {
                pending.extend(shown_by(&part).iter().take(MAX_PARTS).cloned());
            }
            // A template.
            None if page.files.probe(&part) == PathStatus::File => {
                if may_render_headings(page, &part) {
                    found = InParts::Unknown;
                }
            }
            None => found = InParts::Unknown,
        }
    }
    found
}

/// Returns the pages that show this document as a part, on all levels.
fn pages_above(page: &AuditedPage<'_>) -> Vec<Arc<Composed>> {
    let mut seen: HashSet<PathBuf> = HashSet::default();
    let mut found = Vec::new();
    let mut above = vec![page.path.to_path_buf()];
    while let Some(part) = above.pop() {
        for composed in page.files.importers(&page.site, &part).iter() {
            if seen.len() < MAX_PARTS && seen.insert(composed.page.clone()) {
                above.push(composed.page.clone());
                found.push(Arc::clone(composed));
            }
        }
    }
    found
}

/// Passes these documents and their parts, on all levels, to `test`; true if it is true for one.
/// Parts may have parts of their own: the books of fineract include chapters with sections in files.
fn any_part(
    page: &AuditedPage<'_>,
    documents: Vec<PathBuf>,
    mut test: impl FnMut(&Path) -> bool,
) -> bool {
    let mut seen: HashSet<PathBuf> = documents.iter().cloned().collect();
    let mut pending = documents;
    while let Some(document) = pending.pop() {
        if test(&document) {
            return true;
        }
        let composed = page.files.composed(&page.site, &document);
        for part in composed.iter().flat_map(|it| &it.parts) {
            if seen.len() < MAX_PARTS && seen.insert(part.clone()) {
                pending.push(part.clone());
            }
        }
    }
    false
}

/// True for an anchor of a page that shows this document as a part of it, or of another part; it may
/// have an attribute in its name there.
pub(super) fn is_in_another_page(page: &AuditedPage<'_>, anchor: &str) -> bool {
    is_around(page, |path| {
        has_anchor(page, path, anchor)
            || page.has_attributes() && may_be_filled_in(page, path, anchor)
    })
}

/// True if `test` is true for a page that shows this document, or for a part of one.
fn is_around(page: &AuditedPage<'_>, test: impl FnMut(&Path) -> bool) -> bool {
    page.is_source() && {
        let above = pages_above(page).iter().map(|composed| composed.page.clone()).collect();
        any_part(page, above, test)
    }
}

/// Most anchors of a document that are compared with a name.
const MAX_COMPARED: usize = 1_000;

/// True if a document has an anchor such as `[[setup-{context}]]`, which may become this one. The
/// document that includes it sets the attribute.
fn may_be_filled_in(page: &AuditedPage<'_>, path: &Path, anchor: &str) -> bool {
    page.files.anchors(path).is_some_and(|anchors| {
        anchors.names().take(MAX_COMPARED).any(|name| {
            let ends = name.split_once('{').zip(name.rsplit_once('}'));
            ends.is_some_and(|((start, _), (_, end))| {
                let is_short = anchor.len() <= start.len() + end.len();
                !start.is_empty() && !is_short && anchor.starts_with(start) && anchor.ends_with(end)
            })
        })
    })
}

fn has_anchor(page: &AuditedPage<'_>, path: &Path, anchor: &str) -> bool {
    page.files.anchors(path).is_some_and(|it| it.contains(anchor))
}

/// True for an anchor in a book of AsciiDoc: Asciidoctor makes one document of its parts, and looks
/// for the anchor in all of it. `target` is the document that the reference names.
pub(super) fn is_in_book(page: &AuditedPage<'_>, target: Option<&Path>, anchor: &str) -> bool {
    if !page.has_attributes() {
        return false;
    }
    let is_in_target = target.is_some_and(|target| {
        any_part(page, vec![target.to_path_buf()], |path| has_anchor(page, path, anchor))
    });
    let is_of_book = target.is_none_or(|target| {
        paths::are_same(target, page.path) || !page.files.importers(&page.site, target).is_empty()
    });
    is_in_target || is_of_book && is_around(page, |path| has_anchor(page, path, anchor))
}

/// True for a document of AsciiDoc that others include. References in it are relative to these.
pub(super) fn is_part_of_book(page: &AuditedPage<'_>) -> bool {
    page.has_attributes() && !page.files.importers(&page.site, page.path).is_empty()
}

/// Most directories of pictures that a book sets.
const MAX_DIRECTORIES: usize = 16;

/// Returns the file to which a reference in a part of a book of AsciiDoc leads. Only `include` is
/// relative to the part: all else is read as a text of the document that includes the parts
/// (AsciiDoc, "Include Directive"), whose `imagesdir` counts. A document is named without its
/// extension, `<<chapter#id>>`, so it may have the one of this document.
pub(super) fn in_book(context: &LinkContext<'_>, written: &str) -> Option<PathBuf> {
    let page = context.page;
    if !page.has_attributes()
        || written.is_empty()
        || written.starts_with('/')
        || context.link.element == Some("include")
        || page.site.rules().resources == ResourceRule::Antora
    {
        return None;
    }
    let above = pages_above(page);
    let own = page.path.extension().and_then(OsStr::to_str).filter(|&own| own != "adoc");
    let other = own.and_then(|own| Some(format!("{}.{own}", written.strip_suffix(".adoc")?)));
    if above.is_empty() && other.is_none() {
        return None;
    }
    let mut directories = vec![String::new()];
    if matches!(context.link.element, Some("image" | "media")) {
        let pages = above.iter().map(|composed| composed.page.clone()).collect();
        any_part(page, pages, |path| {
            let composed = page.files.composed(&page.site, path);
            let set = composed.iter().flat_map(|it| &it.picture_directories);
            directories.extend(set.map(|directory| format!("{directory}/")));
            directories.len() > MAX_DIRECTORIES
        });
        directories.sort_unstable();
        directories.dedup();
    }
    let step = above.len().div_ceil(MAX_BASES).max(1);
    let bases = above.iter().step_by(step).filter_map(|composed| composed.page.parent());
    let find = |base: &Path, name: &str| {
        let place = path::joined(base, name)?;
        match generated::find(&page.site, page.files, &place) {
            (made, PathStatus::File) => Some(made.unwrap_or(place)),
            _ => None,
        }
    };
    let names = [Some(written), other.as_deref()];
    bases.chain([page.directory()]).find_map(|base| {
        let names = names.iter().flatten();
        names
            .flat_map(|name| directories.iter().map(move |directory| format!("{directory}{name}")))
            .find_map(|name| find(base, &name))
    })
}

/// True for an anchor of a topic that this one includes.
pub(super) fn is_in_included(page: &AuditedPage<'_>, topic: &Path, anchor: &str) -> bool {
    let Some(topics) = page.files.included(&page.site, topic) else { return false };
    topics.may_have(anchor)
        || topics
            .paths
            .iter()
            .any(|path| page.files.anchors(path).is_some_and(|it| it.contains(anchor)))
}
