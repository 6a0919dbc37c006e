//! reStructuredText: docutils' markup, with the directives and roles of Sphinx that hold links.
//!
//! The reader goes over lines once. A block is decided by its first line ([`reader`]), the text of a paragraph is cut at
//! inline markup ([`inline`]), and names become ids as docutils makes them ([`names`]). Nothing nests on the stack: the body
//! of a directive is read like any other text, only indented.
//!
//! Every byte with a letter is in some part. What docutils would report as an error is text.

mod format;
mod inline;
mod names;
mod reader;

pub(super) use format::Rst;
pub(crate) use names::labels;
