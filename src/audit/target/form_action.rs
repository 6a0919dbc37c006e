//! The actions of forms: addresses that data is sent to (HTML Standard §4.10.19.6).

use super::LinkTarget;
use crate::audit::finding::is_among;
use crate::audit::{LinkContext, PathStatus};

/// Advice for the address of a page that is missing.
pub(super) const DOUBT: &str = "a program of the server may answer this form";

/// True for the address that a form sends its data to.
pub(super) fn is_action(context: &LinkContext<'_>) -> bool {
    matches!(context.link.attribute, Some("action" | "formaction"))
}

/// True for an action that leads to no file of the tree, and does not look like one: a program of
/// the server answers at `/search` and `/cgi-bin/find.pl`, but `search.html` is a page.
pub(super) fn is_of_program(context: &LinkContext<'_>, target: &LinkTarget<'_>) -> bool {
    is_action(context) && matches!(target.entry, PathStatus::Missing { .. }) && !names_page(context)
}

fn names_page(context: &LinkContext<'_>) -> bool {
    let path = context.parsed().map(|parsed| parsed.reference().path().to_ascii_lowercase());
    let extension = path.as_deref().and_then(|path| path.rsplit_once('.'));
    extension.is_some_and(|(_, extension)| is_among("htm html xhtml", extension))
}
