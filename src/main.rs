//! The `urigrep` command. [`cli`] implements all of it.

mod cli;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().collect();
    cli::main(&arguments).into()
}
