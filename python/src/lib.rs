//! `urigrep._urigrep`, the extension module behind the Python package: thin glue over the library
//! and the command.
//!
//! | file | what |
//! |---|---|
//! | `options.rs` | keywords into finders and searches, by the flags of the command |
//! | `text.rs` | `str` and bytes-like objects as bytes, and offsets in them |
//! | `found.rs` | `Match` |
//! | `finder.rs` | `Finder`, `find`, `finditer` |
//! | `explain.rs` | `find_invalid`, `explain` |
//! | `fangs.rs` | `defang`, `refang` |
//! | `scan.rs` | `scan`: hits of files, trees, mail and archives |
//! | `audit.rs` | `audit`: findings about links |
//! | `uri.rs` | `Uri`, `Urn`, `parse`, `normalize` and the like |
//! | `error.rs` | exceptions |
//! | `columns/` | `find_batch`, `extract_batch`: Arrow arrays in and out |

mod audit;
#[path = "../../src/cli/mod.rs"]
mod cli;
mod columns;
mod error;
mod explain;
mod fangs;
mod finder;
mod found;
mod options;
mod scan;
mod text;
mod uri;

use std::ffi::OsString;

use pyo3::prelude::*;

/// The command `urigrep` with these arguments, the first of which is its name. The result is the
/// exit status.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let status = py.detach(|| cli::main(&arguments));
    [(cli::Status::Match, 0), (cli::Status::NoMatch, 1)]
        .into_iter()
        .find_map(|(of, code)| (of == status).then_some(code))
        .unwrap_or(2)
}

#[pymodule(gil_used = false)]
mod _urigrep {
    #[pymodule_export]
    use super::audit::{Finding, audit};
    #[pymodule_export]
    use super::columns::{Batch, MatchLists, extract_batch, find_batch};
    #[pymodule_export]
    use super::command;
    #[pymodule_export]
    use super::error::{OptionError, ParseError, UrigrepWarning};
    #[pymodule_export]
    use super::explain::{Rejected, Step, explain, find_invalid};
    #[pymodule_export]
    use super::fangs::{defang, refang};
    #[pymodule_export]
    use super::finder::{Finder, MatchIterator, find, finditer};
    #[pymodule_export]
    use super::found::{Match, restore};
    #[pymodule_export]
    use super::options::{option_help, option_names};
    #[pymodule_export]
    use super::scan::{Problem, Scan, scan, scan_mbox_part};
    #[pymodule_export]
    use super::uri::{Uri, Urn, equivalent, normalize, parse, redact, resolve, unwrap};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
