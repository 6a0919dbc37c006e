//! DokuWiki text.
//!
//! External links, images, and verbatim elements. Internal links are names of pages.

mod format;
mod reader;

pub(super) use format::DokuWiki;
