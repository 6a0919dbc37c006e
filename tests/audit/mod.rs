//! The checks of an audit, on the fixtures of `corpus/audit/` and on a tree with seeded faults.

mod fixtures;
mod linear;
mod seeded;
mod tree;
