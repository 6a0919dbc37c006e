//! Errors in `urigrep.toml`, with their place and a suggestion.

use std::ops::Range;
use std::path::Path;

use clap::Arg;
use toml::Value;
use urigrep::audit::Spellings;

use super::error::CliError;

/// An error at a byte of the file.
#[derive(Debug)]
pub struct SettingsError {
    pub at: usize,
    pub message: String,
}

impl SettingsError {
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { at: span.start, message: message.into() }
    }

    /// An error of the parser. For an unknown name, it lists all names; a similar one is enough.
    pub fn parsing(error: &toml::de::Error) -> Self {
        // A diagnostic is one line.
        let message = error.message().replace('\n', " ");
        let unknown = message.strip_prefix("unknown field `").and_then(|it| it.split_once('`'));
        let message = match unknown {
            // Every second piece between backquotes is a name; the others are the commas between
            // them.
            Some((name, rest)) => unknown_name(name, rest.split('`').skip(1).step_by(2)),
            None => message,
        };
        Self::new(error.span().unwrap_or(0..0), message)
    }

    /// The error with its place: `FILE:LINE:COLUMN`.
    pub fn in_file(self, path: &Path, text: &str) -> CliError {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        // Editors count columns in characters, not bytes.
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        CliError::at_place(format!("{}:{line}:{column}", path.display()), self.message)
    }
}

/// Says that a name is unknown, with the most similar one, or all if they are few.
pub fn unknown_name<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
    match Spellings::new(known.clone()).nearest(name) {
        Some(nearest) => format!("unknown key `{name}`; did you mean `{nearest}`?"),
        None => {
            let known: Vec<&str> = known.collect();
            match known.len() {
                // More names do not fit into a line that people still read.
                1..=12 => format!("unknown key `{name}`; the keys are {}", known.join(", ")),
                _ => format!("unknown key `{name}`"),
            }
        }
    }
}

/// Converts `name = true`, `name = "value"`, `name = 3`, or a list of values to flags.
///
/// # Errors
/// If the flag takes other values; the message says which.
pub fn flags_of_setting(
    arg: &Arg,
    name: &str,
    value: &Value,
) -> Result<Vec<std::ffi::OsString>, &'static str> {
    let takes_values = arg.get_action().takes_values();
    let one = |value: &Value| match value {
        Value::String(text) => Ok(format!("--{name}={text}").into()),
        Value::Integer(number) => Ok(format!("--{name}={number}").into()),
        _ => Err("must be a string, a number, or a list of them"),
    };
    match value {
        Value::Boolean(_) if takes_values => Err("needs a value"),
        Value::Boolean(true) => Ok(vec![format!("--{name}").into()]),
        // `false` is the default of every flag without a value, so nothing has to be passed.
        Value::Boolean(false) => Ok(Vec::new()),
        _ if !takes_values => Err("must be true or false"),
        Value::Array(values) => values.iter().map(one).collect(),
        value => one(value).map(|flag| vec![flag]),
    }
}
