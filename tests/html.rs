//! The reader of HTML: labelled documents, what holds for any bytes, and an independent reader.

#[path = "html/independent.rs"]
mod independent;
#[path = "html/properties.rs"]
mod properties;
#[path = "html/support.rs"]
mod support;
#[path = "html/vectors.rs"]
mod vectors;
