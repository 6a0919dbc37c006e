//! Links of the documents in `src/site` of a project of Maven.

use std::path::Path;

use super::{Destination, LinkTarget, joined, on_page_elsewhere};
use crate::audit::sites::maven;
use crate::audit::{Anchors, LinkContext, PathStatus};
use crate::document::Format;

/// Returns the destination on a site of Maven, whose pages come from a directory for each format.
pub(super) fn destination<'s>(
    context: &LinkContext<'s>,
    path: &str,
    fragment: Option<&'s str>,
) -> Option<Destination<'s>> {
    let page = context.page;
    let own = maven::page(page.path).filter(|_| !path.is_empty() && !path.starts_with('/'))?;
    // Elsewhere, `src/site` is any directory.
    let has_manifest = |above: &Path| page.files.probe(&above.join("pom.xml")) == PathStatus::File;
    own.site.ancestors().skip(2).find(|above| has_manifest(above))?;
    let below = joined(own.below.parent()?, path)?;
    let found = maven::sources(&own.site, &below);
    let found = found.into_iter().find(|it| page.files.probe(it) == PathStatus::File)?;
    if Format::of_path(&found).is_some_and(Format::is_source) {
        let target = LinkTarget::new(Some(found.into()), PathStatus::File, fragment);
        return Some(Destination::Target(target));
    }
    Some(on_page_elsewhere(fragment))
}

/// True for the anchor that Maven makes of a heading of a document in `src/site`.
pub(super) fn has_anchor(path: &Path, anchors: &Anchors, anchor: &str) -> bool {
    maven::page(path).is_some()
        && anchors
            .headings_like(std::iter::once(anchor))
            .into_iter()
            .any(|heading| maven::anchor(heading) == anchor)
}
