//! The built command, as a user and a script see it.

#[path = "cli/audit.rs"]
mod audit;
#[path = "cli/compressed.rs"]
mod compressed;
#[path = "cli/documents.rs"]
mod documents;
#[path = "cli/format.rs"]
mod format;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/generate.rs"]
mod generate;
#[path = "cli/input.rs"]
mod input;
#[path = "cli/invariance.rs"]
mod invariance;
#[path = "cli/json.rs"]
mod json;
#[path = "cli/large.rs"]
mod large;
#[path = "cli/mail.rs"]
mod mail;
#[allow(dead_code, reason = "shared with tests/archives.rs")]
#[path = "archives/pack.rs"]
mod pack;
#[path = "cli/parse.rs"]
mod parse;
#[path = "cli/redact.rs"]
mod redact;
#[path = "cli/registry.rs"]
mod registry;
#[path = "cli/select.rs"]
mod select;
#[path = "cli/status.rs"]
mod status;
#[path = "cli/support.rs"]
mod support;
#[path = "cli/terminal.rs"]
mod terminal;
#[path = "cli/unique.rs"]
mod unique;
#[path = "cli/verbs.rs"]
mod verbs;
#[path = "cli/walk.rs"]
mod walk;
