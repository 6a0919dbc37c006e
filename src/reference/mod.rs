//! Resolves references and compares URIs: RFC 3986 §5 and §6, RFC 8141 §3.
//!
//! Everything here works on parsed text, takes linear time and does not recurse. Invariant: every
//! result is a URI that parses to the intended components.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod base;
mod dots;
mod equivalence;
mod normalize;
mod relative;
mod resolve;
mod scheme_rules;
mod spell;

pub use base::{Base, BaseBuilder, BaseSource};
pub use equivalence::{Component, Difference, Rung, compare, equivalent};
pub use normalize::{Fragment, NormalForm, Normalizer, Tracking, normalize};
#[cfg(feature = "search")]
pub(crate) use resolve::resolved;
pub use resolve::{Resolution, Target, resolve};
pub use scheme_rules::default_port;
