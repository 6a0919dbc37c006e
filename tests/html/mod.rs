//! The reader of HTML: labelled documents, what holds for any bytes, and an independent reader.

mod independent;
mod properties;
mod support;
mod vectors;
