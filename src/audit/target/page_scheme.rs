//! `doc:a` and `ref:a` of ReadMe: the page `a.md`, in any directory.

use std::sync::Arc;

use super::{Destination, LinkTarget, joined};
use crate::UriRef;
use crate::audit::sites::readme;
use crate::audit::{LinkContext, PathStatus};

/// Extensions of pages.
const ENDINGS: [&str; 2] = ["md", "mdx"];

/// True for a link with such a scheme. Whether ReadMe reads the tree is another question.
pub(super) fn is_link(context: &LinkContext<'_>) -> bool {
    let scheme = context.parsed().and_then(|parsed| parsed.reference().scheme());
    scheme.is_some_and(|scheme| readme::SCHEMES.contains(&scheme))
}

/// True for a scheme that ReadMe resolves here.
pub(in crate::audit) fn is_resolved(context: &LinkContext<'_>) -> bool {
    is_link(context) && matches!(context.destination(), Destination::Target(_))
}

/// Returns the page that such a link names; `None` if nothing shows that ReadMe reads the tree.
pub(super) fn destination<'s>(
    context: &LinkContext<'s>,
    reference: &UriRef<'s>,
) -> Option<Destination<'s>> {
    let (page, name) = (context.page, reference.path());
    if !page.is_source() || name.is_empty() || name.contains(['/', '.', ':']) {
        return None;
    }
    let fragment = reference.fragment();
    let found = ENDINGS.iter().find_map(|ending| {
        let files = page.files.files_named(&page.site, &format!("{name}.{ending}"));
        files.first().cloned()
    });
    if let Some(path) = found {
        let target = LinkTarget::new(Some(Arc::from(path)), PathStatus::File, fragment);
        return Some(Destination::Target(target));
    }
    let place = joined(page.directory(), &format!("{name}.md"))?;
    let has_order = !page.files.files_named(&page.site, readme::ORDER).is_empty();
    has_order.then(|| {
        let missing = PathStatus::Missing { nearest: None };
        Destination::Target(LinkTarget::new(Some(place.into()), missing, fragment))
    })
}
