//! JSON and JSON Lines.
//!
//! The lexer ([`lexer`]) yields tokens, and [`path`] keeps the pointer of the current value
//! (RFC 6901). Strings are emitted decoded. What is not JSON, and everything after it, is text.

mod format;
pub(super) mod lexer;
pub(super) mod path;
mod reader;

pub(super) use format::Json;
