//! The checks of an audit, on the fixtures of `corpus/audit/` and on a tree with seeded faults.

mod directives;
#[cfg(unix)]
mod files;
mod filter;
mod fixtures;
mod inputs;
mod linear;
mod mutation;
mod names;
mod overlay;
mod own;
#[cfg(feature = "reports")]
mod report;
mod seeded;
mod sites;
mod tree;
mod web;
