//! Files that tags of Liquid include: `{% include a.html %}` (Jekyll, "Includes"). Jekyll stops if
//! such a file is missing.

use std::path::PathBuf;

use super::path::joined;
use super::{Destination, LinkTarget, Unchecked};
use crate::audit::link_context::AuditedPage;
use crate::audit::{LinkContext, PathStatus};
use crate::document::LinkOrigin;

/// Returns the paths at which a tag looks up a file.
pub(super) fn places(context: &LinkContext<'_>, path: &str) -> Vec<PathBuf> {
    let page = context.page;
    let beside = || joined(page.directory(), path).into_iter();
    let included = || page.site.includes.iter().filter_map(|it| joined(it, path));
    match context.link.origin {
        LinkOrigin::LiquidRelative => beside().collect(),
        LinkOrigin::QuotedInclude | LinkOrigin::CodeInclude => {
            // Liquid adds its extension to a name without one.
            let named = included().chain(beside());
            named
                .flat_map(|place| [place.with_extension("liquid"), place].into_iter().rev())
                .collect()
        }
        _ => included().collect(),
    }
}

/// True for a file that a tag includes from the directory of includes. GitBook has none: it
/// resolves its names as those of other links.
pub(super) fn is_include(context: &LinkContext<'_>) -> bool {
    is_include_of(context.page, context.link.origin)
}

/// Like [`is_include`], for a link of this origin.
pub(super) fn is_include_of(page: &AuditedPage<'_>, origin: LinkOrigin) -> bool {
    let is_of_site = page.site.rules().liquid.is_some();
    let is_quoted = matches!(origin, LinkOrigin::QuotedInclude | LinkOrigin::CodeInclude);
    is_of_site && (origin.is_liquid() || is_quoted)
}

/// Resolves the file that a tag includes. Pages and other extensions do not count.
pub(super) fn included<'s>(context: &LinkContext<'s>, path: &str) -> Destination<'s> {
    let page = context.page;
    let target = |place: PathBuf, status| {
        Destination::Target(LinkTarget::new(Some(place.into()), status, None))
    };
    let (mut first, mut is_built) = (None, false);
    for place in places(context, path) {
        let status = page.files.look(&place);
        if !matches!(status, PathStatus::Missing { .. }) {
            return target(place, status);
        }
        let repository = page.site.repository.as_ref();
        is_built |= repository.is_some_and(|it| page.files.is_ignored(it, &place));
        first.get_or_insert((place, status));
    }
    match first {
        // The theme also has a directory of includes.
        _ if context.link.origin != LinkOrigin::LiquidRelative && page.site.has_theme() => {
            Destination::Unchecked(Unchecked::Prepared)
        }
        _ if is_built => Destination::Unchecked(Unchecked::Built),
        Some((place, status)) => target(place, status),
        None => Destination::Elsewhere,
    }
}
