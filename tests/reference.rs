//! References, normalization and equivalence against their own vectors (corpus/reference), the
//! letter of the standards, fluent-uri and iri-string.

#[path = "reference/base.rs"]
mod base;
mod cases;
#[path = "reference/letter.rs"]
mod letter;
#[path = "reference/peers.rs"]
mod peers;
#[path = "reference/properties.rs"]
mod properties;
#[path = "reference/strings.rs"]
mod strings;
mod tsv;
#[path = "reference/vectors.rs"]
mod vectors;
