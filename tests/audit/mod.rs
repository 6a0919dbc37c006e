//! The checks of an audit, on the fixtures of `corpus/audit/` and on a tree with seeded faults.

#[cfg(feature = "search")]
mod directives;
#[cfg(all(unix, feature = "search"))]
mod files;
#[cfg(feature = "search")]
mod filter;
mod fixtures;
mod linear;
mod names;
mod seeded;
#[cfg(feature = "search")]
mod sites;
mod tree;
