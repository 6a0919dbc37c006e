//! URIs that are owned and built: [`UriBuf`], [`UriBuilder`], the [`QueryPair`]s of a query, and package URLs: [`Purl`].
//!
//! Invariant: what is built is a URI by RFC 3986, and parses to the components that were set.

mod builder;
mod glob;
mod purl;
mod query;
mod uri_buf;

pub use builder::UriBuilder;
pub use purl::{Purl, PurlFault};
pub use query::{QueryPair, QueryPairs};
pub use uri_buf::UriBuf;
