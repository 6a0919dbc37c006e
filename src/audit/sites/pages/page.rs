//! What is at an address of a site: [`SitePage`].

use std::path::PathBuf;

/// What a site has at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SitePage {
    /// The page that this file makes.
    File(PathBuf),
    /// Something that no file of the tree shows: where a redirect leads, a list of tags.
    Elsewhere,
}
