//! Parts of output formats that searches, audits, and the command share. Not part of the public
//! interface.

#![allow(missing_docs, reason = "the command is their only other user")]

pub mod escape;
pub mod json;
pub mod page;
mod printable;
pub mod report;
pub mod sarif;
mod sarif_problems;
pub mod table;

pub use sarif_problems::SarifProblems;
