//! The built command, as a user and a script see it.

mod audit;
mod compressed;
mod documents;
mod format;
mod formats;
mod generate;
mod input;
mod invariance;
mod json;
mod large;
mod library;
mod mail;
mod parse;
mod redact;
mod registry;
mod select;
mod status;
mod terminal;
mod unique;
mod verbs;
mod walk;
