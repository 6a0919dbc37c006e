//! What a URI, an IRI and a URN are: RFC 3986, RFC 3987 and RFC 8141.
//!
//! The grammar accepts or rejects a whole string; it never moves an end, which is for the scheme
//! recognizers and `delimit`. All of it is linear, borrows from its input, does not recurse and,
//! but for the mapping of an IRI, does not allocate.

mod authority;
mod component;
mod host;
mod iri;
mod parts;
mod reference;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod uri;
mod urn;

pub use host::HostType;
pub use iri::Iri;
pub(crate) use iri::map_to_uri;
pub(crate) use parts::Parts;
pub use reference::{IriRef, UriRef};
pub(crate) use table::is_scheme_byte;
pub use uri::Uri;
pub use urn::Urn;
