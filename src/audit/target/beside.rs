//! Links of documents outside of the book or Sphinx project of their checkout.

use super::{Destination, LinkTarget, Unchecked, generated, path};
use crate::audit::sites::{DocumentsBeside, UnresolvedLinks};
use crate::audit::{LinkContext, PathStatus};

/// Resolves a link from a document beside a book to an HTML page, as if the document were a page of
/// the book.
pub(super) fn beside_book<'s>(
    context: &LinkContext<'s>,
    written: &str,
    fragment: Option<&'s str>,
) -> Option<Destination<'s>> {
    let book = context.page.site.documentation.as_deref()?;
    let content = book.content.first()?;
    if book.rules().documents_beside == DocumentsBeside::Apart
        || !written.ends_with(".html")
        || written.starts_with('/')
    {
        return None;
    }
    // Only the tool knows the place of the document in the book, so ignore leading `../`.
    let inside = written.trim_start_matches("./").trim_start_matches("../");
    let place = path::joined(content, inside)?;
    match generated::find(book, context.page.files, &place) {
        (Some(path), entry @ PathStatus::File) => {
            Some(Destination::Target(LinkTarget::new(Some(path.into()), entry, fragment)))
        }
        _ if written.starts_with("../") => Some(Destination::Unchecked(Unchecked::Above)),
        _ => None,
    }
}

/// Resolves the path that a directive names in a text beside the Sphinx project of a checkout, such
/// as `.. figure:: /a.png`. The project includes such texts: `/` is its directory, and the base of
/// a relative path in `include` is not known.
pub(super) fn beside_sphinx<'s>(
    context: &LinkContext<'s>,
    written: &str,
    fragment: Option<&'s str>,
) -> Option<Destination<'s>> {
    let site = context.page.site.documentation.as_deref()?;
    let content = site.content.first().filter(|_| site.unresolved == UnresolvedLinks::Sphinx)?;
    let is_directive = matches!(context.link.element, Some("image" | "include" | "download"));
    let is_known = !written.starts_with('/') && context.link.element != Some("include");
    if !is_directive || !context.page.has_directives() || is_known {
        return None;
    }
    let place = path::joined(content, written).filter(|_| written.starts_with('/'));
    match place.map(|place| (context.page.files.look(&place), place)) {
        Some((entry @ PathStatus::File, place)) => {
            Some(Destination::Target(LinkTarget::new(Some(place.into()), entry, fragment)))
        }
        _ => Some(Destination::Unchecked(Unchecked::Part)),
    }
}

/// Resolves the name of a document in a text beside the Sphinx project of a checkout, such as its
/// change log, which a document of the project includes. The name is relative to that one, which is
/// unknown. Other programs that read reStructuredText have no names of documents.
pub(super) fn in_documentation<'s>(context: &LinkContext<'s>) -> Destination<'s> {
    let documentation = context.page.site.documentation.as_deref();
    let documentation = documentation.filter(|it| it.unresolved == UnresolvedLinks::Sphinx);
    let Some((site, content)) = documentation.and_then(|it| Some((it, it.content.first()?))) else {
        return Destination::Elsewhere;
    };
    let name = context.written.trim_start_matches(['.', '/']);
    let place = path::joined(content, name);
    let found = place.map(|place| generated::find(site, context.page.files, &place).1);
    match found {
        Some(PathStatus::File) => Destination::Elsewhere,
        _ => Destination::Unchecked(Unchecked::Part),
    }
}
