//! What the fuzz targets assert: one family of properties a file.
//!
//! The same functions are called by `cargo test` (tests/fuzz.rs) with every text of corpus/ and with
//! what a fuzzer once found, so that they hold without one too.

#[cfg(feature = "documents")]
pub mod documents;
pub mod grammar;
pub mod reference;
pub mod scan;
pub mod urn;
