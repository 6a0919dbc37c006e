//! Parses URIs, IRIs and URNs: RFC 3986, RFC 3987 and RFC 8141.
//!
//! The grammar accepts or rejects a whole string. It never moves an end; the scheme recognizers and
//! `delimit` do. Everything here is linear, borrows from its input and does not recurse. Only the
//! mapping of an IRI and the component lists of [`Parsed`] allocate.
//!
//! [`Grammar`] selects one of these or an older document, which are in `legacy`.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod authority;
mod component;
mod document;
mod host;
mod host_mapping;
mod iri;
mod legacy;
mod parsed;
mod parts;
mod reference;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod uri;
mod urn;

pub(crate) use authority::check_host;
pub(crate) use component::CharRule;
pub use document::Grammar;
pub use host::HostType;
pub(crate) use host::host_type;
pub use host_mapping::{HostMapping, MissingFeature};
pub use iri::Iri;
pub(crate) use iri::map_to_uri;
pub(crate) use legacy::rfc2141;
pub use parsed::{Form, Parsed, Rule};
pub(crate) use parts::{UriParts, check_scheme, offset};
pub use reference::{IriRef, UriRef};
pub(crate) use table::is_scheme_byte;
pub use uri::Uri;
pub use urn::Urn;
