//! Flags from configuration files: those of a person, in the file named by `URIGREP_CONFIG_PATH`, and those of a project,
//! in the table `search` of `urigrep.toml`. The command line overrides both.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, CommandFactory};
use toml::{Table, Value};
use urigrep::search::describe;

use super::audit::find_settings;
use super::diagnostics::complain;
use super::flags::Cli;

const VARIABLE: &str = "URIGREP_CONFIG_PATH";

/// A project decides what is found and searched, but not what is printed, and it never runs programs.
const HEADINGS: [&str; 4] = ["Selection", "Recognition", "Rewriting", "Files"];
const PERSONAL: [&str; 5] = ["pre", "pre-glob", "files-from", "type-list", "threads"];

/// The flags of both files, for a search that starts at the first of these paths.
///
/// # Errors
/// When `urigrep.toml` is invalid; the message names the file and line.
pub fn flags(paths: &[OsString]) -> Result<Vec<OsString>, String> {
    let mut flags = personal();
    let first = paths.first().filter(|path| *path != "-").map_or(Path::new("."), Path::new);
    if let Some(file) = find_settings(first) {
        flags.extend(of_project(&file)?);
    }
    Ok(flags)
}

/// One flag per line; blank lines and lines that start with `#` are skipped. An unreadable file is reported and skipped.
fn personal() -> Vec<OsString> {
    let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) else {
        return Vec::new();
    };
    let path = PathBuf::from(path);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            complain(&format!("{VARIABLE}: {}: {}", path.display(), describe(&error)));
            return Vec::new();
        }
    };
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(OsString::from).collect()
}

fn of_project(file: &Path) -> Result<Vec<OsString>, String> {
    let fail = |message: String| format!("{}: {message}", file.display());
    let text = fs::read_to_string(file).map_err(|error| fail(describe(&error)))?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        format!("{}:{line}: {}", file.display(), error.message().replace('\n', " "))
    })?;
    let Some(search) = table.get("search") else {
        return Ok(Vec::new());
    };
    let search = search.as_table().ok_or_else(|| fail("`search` must be a table".to_owned()))?;
    let command = Cli::command();
    let mut flags = Vec::new();
    for (name, value) in search {
        let arg = command.get_arguments().find(|arg| arg.get_long() == Some(name));
        let arg = arg.ok_or_else(|| fail(format!("[search] {name}: unknown flag")))?;
        if !may_decide(arg) {
            return Err(fail(format!(
                "[search] {name}: not allowed in a project; use the command line or {VARIABLE}"
            )));
        }
        flags.extend(
            given(arg, name, value).map_err(|why| fail(format!("[search] {name}: {why}")))?,
        );
    }
    Ok(flags)
}

fn may_decide(arg: &Arg) -> bool {
    let heading = arg.get_help_heading().unwrap_or_default();
    HEADINGS.contains(&heading) && !PERSONAL.contains(&arg.get_long().unwrap_or_default())
}

/// `name = true`, `name = "value"`, `name = 3` or a list of values, as flags.
fn given(arg: &Arg, name: &str, value: &Value) -> Result<Vec<OsString>, &'static str> {
    let takes_values = arg.get_action().takes_values();
    let one = |value: &Value| match value {
        Value::String(text) => Ok(OsString::from(format!("--{name}={text}"))),
        Value::Integer(number) => Ok(OsString::from(format!("--{name}={number}"))),
        _ => Err("must be a string, a number, or a list of them"),
    };
    match value {
        Value::Boolean(_) if takes_values => Err("needs a value"),
        Value::Boolean(true) => Ok(vec![OsString::from(format!("--{name}"))]),
        Value::Boolean(false) => Ok(Vec::new()),
        _ if !takes_values => Err("must be true or false"),
        Value::Array(values) => values.iter().map(one).collect(),
        value => one(value).map(|flag| vec![flag]),
    }
}
