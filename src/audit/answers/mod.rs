//! Answers about link targets: the second step of an audit.
//!
//! Links into the tree are answered while their document is read ([`TargetLookup`], which
//! [`FileTree`] implements). [`Answers`] about URLs may arrive much later.
//!
//! | file | contents |
//! |---|---|
//! | `lookup.rs` | lookups of files, as checks need them |
//! | `tree.rs` | their implementation for the file system |
//! | `paths.rs`, `directory.rs` | the cache of paths and listings |
//! | `overlay.rs` | texts that replace files |
//! | `prefetched.rs` | documents read for their anchors before their audit |
//! | `page_files.rs` | records the files whose text decided about a page |
//! | `sample.rs`, `addresses.rs`, `site_schemes.rs`, `stand_ins.rs` | conventions inferred from most documents |
//! | `file_names.rs` | files by name, and where files were moved to |
//! | `importers.rs`, `included.rs`, `included_text.rs` | documents included in others |
//! | `script_labels.rs` | labels that scripts write into documents |
//! | `ignored.rs` | paths that `.gitignore` files exclude |
//! | `web.rs`, `evidence.rs` | answers about URLs |
//! | `remote/` | their implementation for the web (feature `online`) |

mod addresses;
mod cache;
mod defined_labels;
mod directory;
mod doxygen;
mod evidence;
mod file_names;
mod heading_makers;
mod ignored;
mod importers;
mod included;
mod included_text;
mod lookup;
mod overlay;
mod page_files;
mod paths;
mod prefetched;
#[cfg(feature = "online")]
pub mod remote;
mod sample;
mod script_labels;
mod site_schemes;
mod stand_ins;
mod templates;
mod tree;
mod vault;
mod web;

pub(super) use cache::Cache;
pub use evidence::{Evidence, Fault, Redirect};
pub(super) use file_names::MovedPaths;
pub use ignored::IgnoredTargets;
pub use lookup::{Nowhere, PathStatus, TargetLookup};
pub use overlay::Overlay;
pub(super) use page_files::PageFiles;
pub(super) use prefetched::ReadDocument;
pub(super) use sample::most_are;
pub use tree::FileTree;
pub use web::{Answer, Answers, Death, Landing, UrlKey, UrlLink, Verdict, Why};
