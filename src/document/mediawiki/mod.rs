//! MediaWiki text.
//!
//! External links, URLs in templates (`|url=…`), verbatim elements, and comments. Internal links
//! are names of pages, not URI references.

mod format;
mod reader;

pub(super) use format::MediaWiki;
