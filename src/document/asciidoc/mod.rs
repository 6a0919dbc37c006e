//! AsciiDoc, as Asciidoctor and Antora read it.
//!
//! The reader goes over lines once ([`reader`]): comments, verbatim blocks, attribute entries,
//! block macros, titles. Everything else is text, whose macros and anchors [`inline`] looks for.
//! Ids of titles are derived in [`title_ids`]. A target that is not a file is made a relative
//! reference, so that search and audit treat all formats alike: `<<a>>` is `#a`, and Antora's
//! `module:page.adoc` is `./module:page.adoc` (RFC 3986 §4.2).

mod attributes;
mod explicit_ids;
mod format;
mod image_link;
mod inline;
mod open;
pub(crate) mod parts;
mod reader;
mod title_ids;
mod title_text;

pub(super) use format::AsciiDoc;
