//! From paths to inputs: the walk over directories, and the schedule of searches.

pub(crate) mod affordable_threads;
pub(crate) mod all_files;
pub(crate) mod dot_ignore;
pub(crate) mod entry_filter;
pub(crate) mod global_excludes;
pub(crate) mod ignore_guard;
pub(crate) mod ignore_rules;
mod plain_rules;
pub(crate) mod schedule;
pub(crate) mod walk;
pub(crate) mod walk_entry;
pub(crate) mod walk_options;
