//! Owns and builds URIs: [`UriBuf`], [`UriBuilder`], the [`QueryPair`]s of a query, and package
//! URLs: [`Purl`].
//!
//! Invariant: a built URI is valid by RFC 3986 and parses to the components that were set.

mod builder;
pub(crate) mod glob;
mod purl;
mod query;
mod uri_buf;

pub use builder::UriBuilder;
pub use purl::{Purl, PurlFault};
pub use query::{QueryPair, QueryPairs};
pub use uri_buf::UriBuf;
