//! The built command, as a user and a script see it.

mod adopt;
mod attachments;
mod audit;
mod binary_audit;
mod combine;
mod completion;
mod compressed;
mod defang;
mod defaults;
mod diff;
mod documents;
mod edit;
mod fix;
mod fix_formats;
mod format;
mod formats;
mod generate;
mod git;
mod git_hostile;
mod import;
mod input;
mod invariance;
mod json;
mod labels;
mod large;
mod library;
mod mail;
mod messages;
#[cfg(feature = "online")]
mod online;
mod parse;
#[cfg(all(feature = "pick", unix))]
mod pick;
mod places;
mod planted;
mod redact;
mod registry;
mod replace;
#[cfg(unix)]
mod replace_faults;
mod report;
mod ripgrep;
mod sample;
mod schema;
mod secret_texts;
mod select;
mod status;
mod stream;
mod terminal;
mod unique;
mod verbs;
mod walk;
