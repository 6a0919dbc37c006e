//! From paths to inputs: the walk over directories, and who searches what when.

pub(crate) mod schedule;
pub(crate) mod walk;
