//! What the fuzz targets assert: one family of properties a file.
//!
//! The same functions are called by `cargo test` (tests/fuzz) with every text of corpus/ and with
//! what a fuzzer once found, so that they hold without one too.

#[cfg(feature = "archives")]
pub mod archives;
#[cfg(feature = "documents")]
pub mod documents;
pub mod grammar;
#[cfg(feature = "documents")]
pub mod mail;
#[cfg(feature = "documents")]
mod maps;
#[cfg(feature = "archives")]
#[allow(dead_code, reason = "shared with the tests")]
#[path = "../../tests/support/pack.rs"]
mod pack;
#[cfg(feature = "documents")]
mod parts;
pub mod redact;
pub mod reference;
pub mod scan;
pub mod urn;
