//! JSON and JSON Lines.
//!
//! The lexer ([`lexer`]) yields tokens, and [`path`] keeps the pointer of the current value
//! (RFC 6901). Strings are emitted decoded. What is not JSON, and everything after it, is text.
//!
//! Formats that are JSON, such as HAR and the exports of chats, read some objects as a whole
//! ([`records`]); the reader and the recognition by content ([`detect`]) are the same.

pub(super) mod detect;
mod format;
pub(super) mod lexer;
pub(super) mod reader;
pub(super) mod records;

pub(super) use format::Json;
pub(in crate::document) use reader::JsonReader;
