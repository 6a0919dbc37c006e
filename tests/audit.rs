//! The checks of an audit, on the fixtures of `corpus/audit/` and on a tree with seeded faults.

#[path = "audit/fixtures.rs"]
mod fixtures;
#[path = "audit/linear.rs"]
mod linear;
#[path = "audit/seeded.rs"]
mod seeded;
#[path = "audit/tree.rs"]
mod tree;
#[allow(dead_code, reason = "only the rows are of use here")]
#[path = "tsv/mod.rs"]
mod tsv;
