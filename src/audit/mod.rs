//! Checks the references of documents for faults. Without [`Answers`], it opens no connection.
//!
//! [`read`] reads a document into [`Facts`] once, and [`check`] checks these; each check has its
//! own file. Neither opens files: [`TargetLookup`] says what a path leads to. With the feature
//! `search`, [`Auditor`] audits a tree in three steps:
//!
//! 1. **Collect** (`collect.rs`, in worker threads): read a document, and run the checks that need
//!    no network.
//! 2. **Answer** (`answers/`): resolve links. The tree answers while a document is collected;
//!    [`Answers`] about URLs may arrive later.
//! 3. **Judge** (`judge.rs`, in the order of paths): apply severities, comments that disable
//!    checks, the filter, and the baseline.
//!
//! Time is linear in the document and in the results of the lookups.
//!
//! ```
//! use std::path::Path;
//! use urigrep::Finder;
//! use urigrep::audit::{self, AuditOptions, Nowhere};
//! use urigrep::document::Format;
//!
//! let text = b"See [the standard](https://www.rfc-editor.org/rfc/rfc3986,).";
//! let facts = audit::read(Format::named("markdown"), text, &Finder::new());
//! let mut ids = Vec::new();
//! let mut sink = |finding: audit::AuditFinding| ids.push(finding.check.id);
//! audit::check(Path::new("a.md"), &facts, &AuditOptions::default(), &Nowhere, &mut sink);
//! assert_eq!(ids, ["trailing-junk"]);
//! ```

mod anchor_rules;
mod answers;
mod attached;
mod auditor;
mod binary;
mod census;
mod checks;
mod collect;
mod current_directory;
mod custom_labels;
mod directives;
mod document;
mod facts;
mod filter;
mod finding;
mod first_link;
mod fix;
mod form;
mod hidden_parts;
mod identity;
mod judge;
mod known;
mod layouts;
mod link_addresses;
mod link_context;
mod members;
mod options;
mod orphans;
mod other_files;
mod oversized;
mod own;
pub(crate) mod paths;
mod rare_bytes;
mod redacting;
#[cfg(feature = "reports")]
pub mod report;
mod resolved;
mod search_path;
pub(crate) mod sites;
mod syntax;
mod target;
mod unpublished;
mod vendored;

pub use crate::document::{Anchors, Slugs};
pub use crate::spellings::Spellings;
pub use answers::IgnoredTargets;
#[cfg(feature = "online")]
pub use answers::remote;
pub use answers::{Answer, Answers, Death, Evidence, Fault, Landing, Redirect};
pub use answers::{FileTree, Overlay, UrlKey, UrlLink, Verdict, Why};
pub use answers::{Nowhere, PathStatus, TargetLookup};
pub use auditor::{Auditor, AuditorBuilder, OtherFiles, Secrets};
pub use checks::WEB_CHECKS;
pub use checks::{CHECKS, check};
pub use directives::UNKNOWN_DIRECTIVE;
pub use document::{
    AuditCounts, AuditOutcome, AuditedDocument, LocatedFinding, SeverityCounts, SuppressedCounts,
};
pub use facts::{
    AnchorPlaces, Facts, Heading, Label, LabelDefinition, LabelKind, Link, LinkKind, ParsedLink,
    SpannedText, UndefinedLabel,
};
pub use filter::{Filter, FilterVerdict, PatternError, Patterns, Severities};
pub use finding::{AuditFinding, Check, Severity};
pub use fix::{Fix, FixEdit, Safety};
pub use known::{FindingKey, KnownFindings};
pub use link_addresses::{AddressForm, LinkAddresses};
pub use link_context::LinkContext;
pub use options::AuditOptions;
pub use orphans::Orphans;
pub use own::{CheckBuilder, DocumentContext, OwnFinding};
pub use resolved::{ResolvedDocument, ResolvedTarget, ResolvedWikilink};
pub use sites::{PageRedirect, Profile, Repository, Site, SitePage};
pub use target::orphan::ORPHAN;
pub use vendored::Vendored;

use crate::document::{Dialect, Format};
use crate::finder::Finder;

/// Reads a document once into the facts that the checks need. `None` is plain text.
///
/// Everything is copied out of `bytes`; spans are 0-based byte offsets into them.
///
/// ```
/// use urigrep::{Finder, audit};
/// let facts = audit::read(None, b"see http://a.example/", &Finder::new());
/// assert_eq!(facts.links().next().unwrap().written, "http://a.example/");
/// ```
pub fn read(format: Option<Format>, bytes: &[u8], finder: &Finder) -> Facts {
    facts::read(format, &Dialect::ByExtension, bytes, || bytes.to_vec().into(), finder)
}
