//! The `urigrep` command; everything it does is in [`cli`].

mod cli;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().collect();
    cli::main(&arguments).into()
}
