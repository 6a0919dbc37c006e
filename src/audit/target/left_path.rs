//! Paths of documents that the generator leaves as they are: [`LeftPath`].

use std::path::Path;

use crate::audit::sites::{CollectionRule, MarkdownRule, UnresolvedLinks};
use crate::audit::{LinkContext, paths};

/// A path that the generator does not change, although such a document exists: its page has another
/// address.
#[derive(Clone, Copy, Debug)]
pub(super) enum LeftPath {
    /// `/a.md` in MkDocs.
    Rooted,
    /// `b.md` in Zola, which resolves `@/b.md` only.
    WithoutPrefix,
    /// `_features/a.html` in Jekyll, whose page is at `features/a.html`.
    OfCollection,
}

/// Returns why the generator does not change a path; `None` if it does.
pub(super) fn left_path(
    context: &LinkContext<'_>,
    written: &str,
    found: &Path,
) -> Option<LeftPath> {
    if is_of_collection(context, written, found) {
        return Some(LeftPath::OfCollection);
    }
    if !written.ends_with(".md") || found.extension().is_none_or(|it| it != "md") {
        return None;
    }
    if is_left_rooted(context, written) {
        return Some(LeftPath::Rooted);
    }
    let prefix = only_prefix(context)?;
    let mut content = context.page.site.content.iter();
    let is_page = content.any(|content| paths::below(content, found).is_some());
    (is_page && !written.starts_with(prefix)).then_some(LeftPath::WithoutPrefix)
}

/// True for the address of a page in which the directory of its collection has its underscore
/// (Jekyll, "Collections"). Plugins resolve the paths of sources.
fn is_of_collection(context: &LinkContext<'_>, written: &str, found: &Path) -> bool {
    let page = context.page;
    let is_directory = |name: &str| name.starts_with('_') && name.len() > 1;
    let mut directories = written.split('/').rev().skip(1);
    let is_source = |path: &Path| path.extension().is_some_and(|it| it == "md" || it == "markdown");
    page.site.rules().collections == CollectionRule::Underscored
        && page.is_source()
        && !context.link.origin.is_liquid()
        && (written.ends_with(".html") || written.ends_with('/'))
        && directories.any(is_directory)
        && is_source(found)
}

/// Returns the start of paths of documents, if the generator does not change Markdown links with
/// any other start (Zola, "Internal links").
pub(in crate::audit) fn only_prefix(context: &LinkContext<'_>) -> Option<&'static str> {
    let page = context.page;
    let rules = page.site.rules();
    let prefix = rules.content_prefix.filter(|_| rules.markdown == MarkdownRule::Kept)?;
    let is_link = context.link.attribute.is_none() && context.link.element == Some("link");
    let mut content = page.site.content.iter();
    let is_page = page.is_source() && content.any(|it| paths::below(it, page.path).is_some());
    (is_link && is_page).then_some(prefix)
}

/// True for `/a.md` in MkDocs, which leaves it as it is (MkDocs,
/// `validation.links.absolute_links`). Hooks may resolve it, and programs that write texts for
/// language models publish sources.
fn is_left_rooted(context: &LinkContext<'_>, written: &str) -> bool {
    let site = &context.page.site;
    site.leaves_rooted
        && context.page.is_source()
        && written.starts_with('/')
        && site.unresolved != UnresolvedLinks::Hooks
        && !site.has_texts_for_models()
}
