//! Encoded bytes to UTF-8 text, with the way back to the bytes.

mod unicode;

pub use unicode::{Encoding, Transcoder};
