//! The library: grammars, names, references, the labelled texts, and what holds for every text.
//!
//! All of it runs without the default features, too; what a feature adds says so.

mod api;
mod cases;
#[cfg(feature = "idna")]
mod corpus;
mod fuzz;
mod grammar;
#[cfg(feature = "search")]
mod hunt;
mod invariants;
mod maps;
mod names;
mod readable;
mod redact;
mod redirect;
mod reference;
mod registry;
mod timing;
mod tsv;
#[cfg(feature = "idna")]
mod uts58;
