//! What is at an address of a site: [`SitePage`].

use std::path::PathBuf;

/// What a site has at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SitePage {
    /// The page that this file makes.
    File(PathBuf),
    /// A redirect to this path, which starts with `/`.
    Redirect(String),
    /// A page that a generator may make here, such as that of a tag: which ones there are, the tree does not show.
    MaybeGenerated,
    /// Something that no file of the tree shows: a redirect to another site, a list of all tags.
    Elsewhere,
}
