//! Answers about link targets: the second step of an audit.
//!
//! Links into the tree are answered while their document is read ([`TargetLookup`], which
//! [`FileTree`] implements). [`Answers`] about URLs may arrive much later.
//!
//! | file | what is there |
//! |---|---|
//! | `lookup.rs` | the questions about files that checks ask |
//! | `tree.rs` | the file system as it answers them |
//! | `paths.rs`, `directory.rs` | what is at a path: the one cache for paths |
//! | `prefetched.rs` | documents that were read for their anchors before it was their turn |
//! | `sample.rs`, `addresses.rs` | what most documents of a tree do |
//! | `ignored.rs` | what `.gitignore` files leave out |
//! | `web.rs` | the questions about URLs |

mod addresses;
mod cache;
mod directory;
mod ignored;
mod lookup;
mod paths;
mod prefetched;
mod sample;
mod tree;
mod web;

pub(super) use cache::Cache;
pub use lookup::{Nowhere, PathStatus, TargetLookup};
pub(super) use prefetched::ReadDocument;
pub(super) use sample::most_are;
pub use tree::FileTree;
pub use web::{Answer, Answers, Evidence, UrlKey, Why};
