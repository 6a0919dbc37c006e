//! What the fuzz targets assert: one family of properties a file.
//!
//! The same functions are called by `cargo test` (tests/fuzz) with every text of corpus/ and with
//! what a fuzzer once found, so that they hold without one too.

#[cfg(feature = "search")]
pub mod archives;
#[cfg(feature = "search")]
pub mod documents;
pub mod grammar;
#[cfg(feature = "search")]
pub mod mail;
#[cfg(feature = "search")]
mod maps;
#[cfg(feature = "search")]
#[allow(dead_code, reason = "shared with the tests")]
#[path = "../../tests/support/pack.rs"]
mod pack;
#[cfg(feature = "search")]
mod parts;
pub mod redact;
pub mod reference;
pub mod scan;
pub mod urn;
