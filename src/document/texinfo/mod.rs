//! Texinfo.
//!
//! `@url`, `@uref`, and `@email` are links; nodes and anchors are the targets of `@ref` and its
//! variants. `@@`, `@comma{}`, and other escapes are undone.

mod format;
mod reader;

pub(super) use format::Texinfo;
