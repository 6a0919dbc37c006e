//! The result of looking up an address: [`SitePage`].

use std::path::PathBuf;

/// A page of a site at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SitePage {
    /// The page made from this file.
    File(PathBuf),
    /// A redirect.
    Redirect(PageRedirect),
    /// A page that a generator may create here, such as that of a tag. The tree does not show which
    /// ones exist.
    MaybeGenerated,
    /// A page without a file in the tree: a redirect to another site, or a list of all tags.
    Elsewhere,
}

/// A redirect to another page of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRedirect {
    /// The path, which starts with `/`.
    pub to: String,
    /// True if links should lead there instead: the redirect is permanent and leads to the whole
    /// page.
    pub is_move: bool,
}
