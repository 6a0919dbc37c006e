//! What a reference stands for, and when two URIs are the same: RFC 3986 §5 and §6, RFC 8141 §3.
//!
//! Everything here works on what the grammar has parsed, is linear in its length and does not
//! recurse. Invariant: what is written is a URI again, with the components that were meant.

mod dots;
mod resolve;

pub use resolve::{Resolution, Target, resolve};
