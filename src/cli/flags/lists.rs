//! `--host @FILE`: lists of values that are too long for a command line.
//!
//! The lines take the place of the flag before the command line is parsed. So each of them is
//! checked as if it had been typed, a file is read once even if it is a pipe (`@<(command)`), and
//! settings of a tree, which are parsed later, can't name files.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use urigrep::search::describe;

use super::values;
use crate::cli::error::CliError;

/// The flags that take `@FILE`, and the parsers of their values.
const FLAGS: [(&str, ItemCheck); 5] = [
    ("--scheme", values::scheme),
    ("--nid", values::nid),
    ("--host", values::host),
    ("--domain", values::domain),
    ("--from", values::glob),
];

type ItemCheck = fn(&str) -> Result<String, String>;

/// Returns the command line with the lines of the files that it names.
///
/// # Errors
/// If a file can't be read, or one of its lines is not a value of the flag; the message names the
/// line.
pub fn expanded(arguments: &[OsString]) -> Result<Vec<OsString>, CliError> {
    let mut expanded = Vec::with_capacity(arguments.len());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        // Only paths follow, even if one of them looks like a flag.
        if argument == "--" {
            expanded.push(argument.clone());
            break;
        }
        let (name, joined) = match argument.to_str().and_then(|text| text.split_once('=')) {
            Some((name, value)) => (name, Some(value)),
            None => (argument.to_str().unwrap_or_default(), None),
        };
        let Some(&(flag, check)) = FLAGS.iter().find(|(flag, _)| *flag == name) else {
            expanded.push(argument.clone());
            continue;
        };
        let value = match joined {
            Some(value) => Some(OsStr::new(value)),
            None => rest.next().map(OsString::as_os_str),
        };
        match value.and_then(named_file) {
            Some((sign, file)) => {
                let lines = lines(Path::new(file), entry, check)?;
                let lines: String = lines.iter().map(|line| format!("{sign}{line}\n")).collect();
                expanded.push(format!("{flag}={lines}").into());
            }
            None => {
                expanded.push(argument.clone());
                expanded.extend(value.filter(|_| joined.is_none()).map(OsStr::to_owned));
            }
        }
    }
    expanded.extend(rest.cloned());
    Ok(expanded)
}

/// Returns the file of `@FILE`, and the `!` before it, if any.
fn named_file(value: &OsStr) -> Option<(&'static str, &str)> {
    let text = value.to_str()?;
    match text.strip_prefix('!') {
        Some(text) => text.strip_prefix('@').map(|file| ("!", file)),
        None => text.strip_prefix('@').map(|file| ("", file)),
    }
}

/// An entry of a list; blank lines and comments are not entries.
fn entry(line: &str) -> Option<&str> {
    Some(line.trim()).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Reads the lines of a file, or those parts of them that `of_line` returns, and checks each.
///
/// # Errors
/// If it can't be read, has no value, or has an invalid one; the message names the line.
pub fn lines(
    file: &Path,
    of_line: fn(&str) -> Option<&str>,
    check: ItemCheck,
) -> Result<Vec<String>, CliError> {
    // No check for a regular file: the user named this file, and it may be a pipe.
    let bytes = fs::read(file).map_err(|error| CliError::file(file, describe(&error)))?;
    let text = String::from_utf8(bytes).map_err(|_| CliError::file(file, "not valid UTF-8"))?;
    // Some editors put a byte order mark before the text, and it would be part of the first value.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut values = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(line) = of_line(line) else { continue };
        let value = line.strip_prefix('!').unwrap_or(line);
        if let Err(message) = check(value) {
            let place = format!("{}:{number}", file.display());
            return Err(CliError::at_place(place, format!("`{value}`: {message}")));
        }
        values.push(line.to_owned());
    }
    if values.is_empty() {
        // Without a list, everything is selected; with an empty one, nothing would be.
        Err(CliError::file(file, "the list is empty"))
    } else {
        Ok(values)
    }
}
