//! Identifiers of publications, people, and software: one name for all their spellings.
//!
//! A DOI is written as `doi:10.1000/182`, `https://doi.org/10.1000/182`, `urn:doi:10.1000/182`, or
//! in capitals, and an ISBN has two lengths and optional hyphens. [`Identifier`] reads what a URI
//! identifies and spells it in one way, by the rules of its namespace. Nothing is looked up: a
//! table of resolvers says which URLs carry which identifiers.
//!
//! ```
//! use urigrep::identifier::{Identifier, IdentifierKind};
//! use urigrep::Uri;
//! let spellings = ["urn:isbn:0-306-40615-2", "urn:ISBN:9780306406157", "https://isbnsearch.org/isbn/0306406152"];
//! for text in spellings {
//!     let identifier = Identifier::from_uri(Uri::parse(text)?).expect("an ISBN");
//!     assert_eq!(identifier.kind(), IdentifierKind::Isbn);
//!     assert_eq!(identifier.canonical(), "urn:isbn:9780306406157");
//! }
//! # Ok::<(), urigrep::ParseError>(())
//! ```

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod canonical;
mod kind;
mod names;
mod numbers;
mod resolvers;

pub use canonical::{Identifier, identity};
#[cfg(feature = "search")]
pub(crate) use canonical::{may_identify, shared_key};
pub use kind::IdentifierKind;
