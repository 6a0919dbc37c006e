//! Documents that pages include: their links may be meant for those pages.

use std::path::{Path, PathBuf};

use super::component::may_render_headings;
use super::{generated, path};
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::{ForgeRule, FrontMatterRule, PageRule};
use crate::audit::{LinkContext, PathStatus};
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

/// True for an anchor of a page that shows this document as a part of it, or of another part. Parts
/// may have parts of their own: the books of fineract include chapters with sections in files.
pub(super) fn is_in_another_page(page: &AuditedPage<'_>, anchor: &str) -> bool {
    page.is_source() && page.book().has_anchor_of_parts(page, anchor)
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
