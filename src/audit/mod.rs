//! Checks over the references of documents: what is wrong with a link, without asking a network.
//!
//! A document is read into [`Facts`] once; each check is a file of its own that looks at them.
//! Nothing here opens a file: what stands at a path is asked of whoever runs the audit, through
//! [`Tree`]. Time is linear in the document and in what the tree gives.
//!
//! ```
//! use std::path::Path;
//! use urigrep::Finder;
//! use urigrep::audit::{self, Nowhere, Options};
//! use urigrep::container::document::Format;
//!
//! let text = b"See [the standard](https://www.rfc-editor.org/rfc/rfc3986,).";
//! let facts = audit::read(Some(Format::Markdown), text, &Finder::new());
//! let mut found = Vec::new();
//! audit::check(Path::new("a.md"), &facts, &Options::default(), &Nowhere, &mut |fault| found.push(fault));
//! let ids: Vec<_> = found.iter().map(|fault| fault.check.id).collect();
//! assert_eq!(ids, ["trailing-junk"]);
//! ```

mod anchors;
mod facts;
mod fault;
mod identity;
mod options;
mod rules;
mod slug;
mod spellings;
mod subject;
mod syntax;
mod target;
mod tree;

pub use anchors::Anchors;
pub use facts::{
    Comment, Definition, Facts, Heading, Label, Link, Name, Reading, Said, Shown, Undefined,
};
pub use fault::{Check, Fault, Severity};
pub use options::{Options, Slugs};
pub use rules::{CHECKS, check};
pub use spellings::Spellings;
pub use tree::{Entry, Nowhere, Tree};

use crate::container::document::Format;
use crate::finder::Finder;

/// Reads a document, once, into what the checks look at. `None` is plain text.
///
/// Everything is copied out of `bytes`; spans are 0-based bytes into them.
///
/// ```
/// use urigrep::{Finder, audit};
/// let facts = audit::read(None, b"see http://a.example/", &Finder::new());
/// assert_eq!(facts.links()[0].written, "http://a.example/");
/// ```
pub fn read(format: Option<Format>, bytes: &[u8], finder: &Finder) -> Facts {
    facts::read(format, bytes, finder)
}
