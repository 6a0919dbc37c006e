//! Whether a reference leads to something in the tree of the document (RFC 3986 §5.2, RFC 8089).

pub mod anchor;
pub mod case;
pub mod duplicate;
pub mod generated;
pub mod missing;
mod path;
pub mod undefined;

use std::path::PathBuf;

use super::link_context::LinkContext;
use super::lookup::Entry;

/// Where a reference leads in the tree.
#[derive(Debug)]
pub struct LinkTarget {
    /// The path; `None` for the document itself.
    pub path: Option<PathBuf>,
    /// What stands there.
    pub entry: Entry,
    /// The fragment as it is written, if there is one.
    pub fragment: Option<String>,
}

/// Where a destination leads; `None` when it leads out of the tree, or that can't be told.
pub fn target(context: &LinkContext<'_>) -> Option<LinkTarget> {
    if !context.is_destination() || !names_file(context) {
        return None;
    }
    let place = path::of(context)?;
    let Some(path) = place.path else {
        return Some(LinkTarget { path: None, entry: Entry::File, fragment: place.fragment });
    };
    let files = context.scope.files;
    let (path, entry) = match files.look(&path) {
        missing @ Entry::Missing { .. } => generated::made_of(context, &path, files)
            .map(|source| (source, Entry::File))
            .unwrap_or((path, missing)),
        entry => (path, entry),
    };
    Some(LinkTarget { path: Some(path), entry, fragment: place.fragment })
}

/// True when a URI in this attribute names a document, an image or the like, and no program on a
/// server, no name and no base.
fn names_file(context: &LinkContext<'_>) -> bool {
    let attribute = context.link.attribute.as_deref();
    let element = context.link.element.as_deref();
    !matches!(
        attribute,
        Some(
            "action"
                | "formaction"
                | "ping"
                | "classid"
                | "codebase"
                | "archive"
                | "profile"
                | "xml:base"
        )
    ) && element != Some("base")
}
