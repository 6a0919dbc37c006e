//! References, normalization and equivalence against their own vectors (corpus/reference), the
//! letter of the standards, fluent-uri and iri-string.

mod base;
mod letter;
mod peers;
mod properties;
mod strings;
mod vectors;
