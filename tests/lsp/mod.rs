//! `urigrep lsp`: a scripted client talks to the built command.

mod capabilities;
mod client;
mod diagnostics;
mod editing;
mod ignore;
mod latency;
mod many;
mod named_places;
mod neovim;
mod property;
mod protocol;
