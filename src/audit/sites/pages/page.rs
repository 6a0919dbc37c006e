//! The result of looking up an address: [`SitePage`].

use std::path::PathBuf;

/// A page of a site at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SitePage {
    /// The page made from this file.
    File(PathBuf),
    /// A redirect to this path, which starts with `/`.
    Redirect(String),
    /// A page that a generator may create here, such as that of a tag. The tree does not show which
    /// ones exist.
    MaybeGenerated,
    /// A page without a file in the tree: a redirect to another site, or a list of all tags.
    Elsewhere,
}
