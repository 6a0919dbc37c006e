//! Org mode.
//!
//! The reader goes over lines once: headlines, keywords, blocks, drawers, comments ([`reader`]). In
//! the rest, it looks for links, targets, and verbatim text ([`inline`]). Links within the document
//! are resolved at its end, because a target may follow its links.

mod format;
mod inline;
mod reader;
mod title;

pub(super) use format::Org;
