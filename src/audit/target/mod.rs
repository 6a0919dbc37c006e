//! Whether a reference leads to something in the tree of the document (RFC 3986 §5.2, RFC 8089).

pub mod anchor;
pub mod case;
pub mod duplicate;
pub mod generated;
pub mod missing;
mod place;
pub mod undefined;

use std::path::PathBuf;

use super::subject::Subject;
use super::tree::Entry;

/// Where a reference leads in the tree.
#[derive(Debug)]
pub struct Target {
    /// The path; `None` for the document itself.
    pub path: Option<PathBuf>,
    /// What stands there.
    pub entry: Entry,
    /// The fragment as it is written, if there is one.
    pub fragment: Option<String>,
}

/// Where a destination leads; `None` when it leads out of the tree, or that can't be told.
pub fn target(subject: &Subject<'_>) -> Option<Target> {
    if !subject.is_destination() || !names_file(subject) {
        return None;
    }
    let place = place::of(subject)?;
    let Some(path) = place.path else {
        return Some(Target {
            path: None,
            entry: Entry::File,
            fragment: place.fragment,
        });
    };
    let tree = subject.scope.tree;
    let (path, entry) = match tree.look(&path) {
        missing @ Entry::Missing { .. } => generated::made_of(subject, &path, tree)
            .map(|source| (source, Entry::File))
            .unwrap_or((path, missing)),
        entry => (path, entry),
    };
    Some(Target {
        path: Some(path),
        entry,
        fragment: place.fragment,
    })
}

/// True when a URI in this attribute names a document, an image or the like, and no program on a
/// server, no name and no base.
fn names_file(subject: &Subject<'_>) -> bool {
    let attribute = subject.link.attribute.as_deref();
    let element = subject.link.element.as_deref();
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
