//! `urigrep lsp`: the audit and the search as a language server (LSP 3.17), on standard input and
//! output.
//!
//! One thread reads messages, one answers them, and one audits in the background. Open
//! documents replace their files (`Overlay`), so a diagnostic is what `urigrep audit` would say
//! after saving.
//!
//! | file | content |
//! |---|---|
//! | `framing.rs`, `message.rs`, `types.rs` | the protocol |
//! | `reading.rs` | the thread that reads it |
//! | `position.rs`, `file_uri.rs` | offsets and positions, paths and URIs |
//! | `settings.rs` | flags of `urigrep audit`, from the command line and the client |
//! | `documents.rs` | the open documents |
//! | `folder.rs` | a folder of the workspace, and dependencies of documents |
//! | `background.rs`, `report.rs` | audits, and their findings as diagnostics |
//! | `server.rs`, `dispatch.rs` | the life cycle of the server; the table of methods |
//! | `shown.rs` | the diagnostics that the client shows |
//! | `links.rs`, `hover.rs`, `prose.rs`, `actions.rs`, `completion.rs`, `definition.rs` | a capability each |
//! | `comment_places.rs`, `blocks.rs`, `statement.rs` | places for comments that ignore a finding, and the proof that the document still says the same |
//! | `names.rs` | places in documents, and references to them by name |
//! | `places.rs` | places of a document, indexed for many links |
//! | `rename_files.rs`, `tail.rs`, `rename_heading.rs`, `rewrite.rs` | renaming, and the links that it changes |

mod actions;
mod background;
mod blocks;
mod change_run;
mod comment_places;
mod completion;
mod definition;
mod dispatch;
mod documents;
mod file_uri;
mod folder;
mod framing;
mod hover;
mod last;
mod links;
mod message;
mod names;
mod places;
mod position;
mod prose;
mod reading;
mod rename_files;
mod rename_heading;
mod report;
mod rewrite;
mod server;
mod settings;
mod shown;
mod statement;
mod tail;
mod tasks;
mod types;

use std::ffi::OsString;
use std::io;

use clap::Args;

use super::diagnostics::complain;
use super::status::Status;

/// The flags of `urigrep lsp`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0 after `shutdown`, 1 without it, 2 an error.",
    after_long_help = "\
Exit status:
  0  the editor sent `shutdown` before it left
  1  the editor left without it
  2  an error

Examples:
  urigrep lsp --severity note
  urigrep lsp --cache links.jsonl"
)]
pub struct LspFlags {
    #[arg(
        value_name = "FLAGS",
        allow_hyphen_values = true,
        trailing_var_arg = true,
        help = "Flags of `urigrep audit` that choose documents, checks, and findings.",
        long_help = "Flags of `urigrep audit` that choose documents, checks, and findings, such as --severity=note or \
                     --cache=links.jsonl. With a cache, links to the web are judged from it; no server is asked. The \
                     client may send the same flags as settings: {\"severity\": \"note\"}."
    )]
    flags: Vec<OsString>,
}

impl LspFlags {
    pub fn run(&self) -> Status {
        // Clients add it; there is no other way.
        let flags = self.flags.iter().filter(|flag| *flag != "--stdio").cloned().collect();
        let served = server::serve(flags, io::stdin(), io::stdout());
        served.unwrap_or_else(|message| {
            complain(&message);
            Status::Error
        })
    }
}
