//! Checks over the references of documents: what is wrong with a link, without asking a network.
//!
//! [`read`] reads a document into [`Facts`] once, and [`check`] looks at them; each check has a file of its own. Neither
//! opens a file: [`TargetLookup`] answers what is at a path. With the feature `search`, [`Auditor`] finds and reads the
//! documents of a tree, and filters what is found.
//!
//! Time is linear in the document and in what the look-ups give.
//!
//! ```
//! use std::path::Path;
//! use urigrep::Finder;
//! use urigrep::audit::{self, AuditOptions, Nowhere};
//! use urigrep::document::Format;
//!
//! let text = b"See [the standard](https://www.rfc-editor.org/rfc/rfc3986,).";
//! let facts = audit::read(Some(Format::Markdown), text, &Finder::new());
//! let mut ids = Vec::new();
//! let mut sink = |finding: audit::AuditFinding| ids.push(finding.check.id);
//! audit::check(Path::new("a.md"), &facts, &AuditOptions::default(), &Nowhere, &mut sink);
//! assert_eq!(ids, ["trailing-junk"]);
//! ```

#[cfg(feature = "search")]
mod addresses;
mod anchors;
#[cfg(feature = "search")]
mod auditor;
mod cache;
mod checks;
#[cfg(feature = "search")]
mod directives;
#[cfg(feature = "search")]
mod directory;
#[cfg(feature = "search")]
mod document;
#[cfg(feature = "search")]
mod early;
mod explicit;
mod facts;
#[cfg(feature = "search")]
mod file_tree;
#[cfg(feature = "search")]
mod filter;
mod finding;
mod hash;
mod identity;
#[cfg(feature = "search")]
mod ignored;
#[cfg(feature = "search")]
mod known;
#[cfg(feature = "search")]
mod labels;
mod last_answers;
mod line_anchors;
mod link_context;
mod lookup;
#[cfg(feature = "search")]
mod mdx;
mod name_set;
mod options;
#[cfg(feature = "search")]
mod other_files;
#[doc(hidden)]
pub mod paths;
mod rare_bytes;
#[cfg(feature = "search")]
mod recent;
#[cfg(feature = "search")]
mod redacting;
#[cfg(feature = "search")]
mod sample;
mod sites;
mod slug;
mod spellings;
mod syntax;
mod target;
mod text_list;

pub use anchors::Anchors;
#[cfg(feature = "search")]
pub use auditor::{Auditor, AuditorBuilder, OtherFiles, Secrets};
pub use checks::{CHECKS, check};
#[cfg(feature = "search")]
pub use directives::UNKNOWN_DIRECTIVE;
#[cfg(feature = "search")]
pub use document::{
    AuditCounts, AuditOutcome, AuditedDocument, LocatedFinding, SeverityCounts, SuppressedCounts,
};
pub use facts::{
    Facts, Heading, Label, LabelDefinition, LabelKind, Link, LinkKind, ParsedLink, SpannedText,
    UndefinedLabel,
};
#[cfg(feature = "search")]
pub use file_tree::FileTree;
#[cfg(feature = "search")]
pub use filter::{Filter, FilterVerdict, PatternError, Patterns, Severities};
pub use finding::{AuditFinding, Check, Severity};
#[cfg(feature = "search")]
pub use known::{FindingKey, KnownFindings};
pub use link_context::LinkContext;
pub use lookup::{Nowhere, PathStatus, TargetLookup};
pub use options::{AuditOptions, Slugs};
pub use sites::{Profile, Repository, Site, SitePage};
pub use spellings::Spellings;

use crate::document::Format;
use crate::finder::Finder;

/// Reads a document, once, into what the checks look at. `None` is plain text.
///
/// Everything is copied out of `bytes`; spans are 0-based bytes into them.
///
/// ```
/// use urigrep::{Finder, audit};
/// let facts = audit::read(None, b"see http://a.example/", &Finder::new());
/// assert_eq!(facts.links().next().unwrap().written, "http://a.example/");
/// ```
pub fn read(format: Option<Format>, bytes: &[u8], finder: &Finder) -> Facts {
    facts::read(format, bytes, || bytes.to_vec().into(), finder)
}
