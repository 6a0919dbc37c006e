//! Errors in `urigrep.toml`: where, and what was probably meant.

use std::ops::Range;
use std::path::Path;

use clap::{Arg, CommandFactory, Parser};
use toml::{Spanned, Value};
use urigrep::audit::Spellings;

use super::error::CliError;
use super::flags::Cli;
use super::flags::audit::AuditFlags;
#[cfg(feature = "online")]
use super::flags::online::OnlineFlags;
use super::verbs::Verb;

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
        let message = error.message().replace('\n', " ");
        let unknown = message.strip_prefix("unknown field `").and_then(|it| it.split_once('`'));
        let message = match unknown {
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
                1..=12 => format!("unknown key `{name}`; known are {}", known.join(", ")),
                _ => format!("unknown key `{name}`"),
            }
        }
    }
}

/// The flags that `[audit.online]` may set. A project can't ask the web by itself, send anything, or
/// write files: whoever checks out a strange project only wants its links checked.
const ONLINE: [&str; 10] = [
    "accept",
    "host-concurrency",
    "include-mail",
    "max-age",
    "max-time",
    "remap",
    "require-https",
    "retry",
    "suggest",
    "timeout",
];

/// Returns the flags of a table `[audit.online]`.
///
/// # Errors
/// If a name or value is invalid.
pub fn online<'t>(
    table: impl Iterator<Item = (&'t Spanned<String>, &'t Spanned<Value>)>,
) -> Result<OnlineFlags, SettingsError> {
    let command = Cli::command();
    let audit = command.find_subcommand("audit");
    let arg = |name: &str| -> Option<&Arg> {
        audit?.get_arguments().find(|arg| arg.get_long() == Some(name))
    };
    let mut flags = OnlineFlags::default();
    for (name, value) in table {
        let fail = |message: String| {
            SettingsError::new(name.span(), format!("[audit.online] {}: {message}", name.get_ref()))
        };
        if !ONLINE.contains(&name.get_ref().as_str()) {
            let is_flag =
                arg(name.get_ref()).is_some_and(|arg| arg.get_help_heading() == Some("Online"));
            return Err(match is_flag {
                true => fail("not allowed in a project; use the command line".to_owned()),
                false => {
                    let message = unknown_name(name.get_ref(), ONLINE.into_iter());
                    SettingsError::new(name.span(), message)
                }
            });
        }
        let Some(arg) = arg(name.get_ref()) else { continue };
        let given = given(arg, name.get_ref(), value.get_ref());
        for argument in given.map_err(|why| fail(why.to_owned()))? {
            let words = ["urigrep".into(), "audit".into(), argument];
            let parsed = Cli::try_parse_from(words).map_err(|error| fail(first_line(&error)))?;
            if let Some(Verb::Audit(parsed)) = parsed.verb {
                let AuditFlags { online, .. } = *parsed;
                flags = online.over(&flags);
            }
        }
    }
    Ok(flags)
}

/// The message of a parser of flags.
fn first_line(error: &clap::Error) -> String {
    let message = error.to_string();
    let message = message.lines().next().unwrap_or_default();
    message.strip_prefix("error: ").unwrap_or(message).to_owned()
}

/// Converts `name = true`, `name = "value"`, `name = 3`, or a list of values to flags.
///
/// # Errors
/// If the flag takes other values; the message says which.
pub fn given(
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
        Value::Boolean(false) => Ok(Vec::new()),
        _ if !takes_values => Err("must be true or false"),
        Value::Array(values) => values.iter().map(one).collect(),
        value => one(value).map(|flag| vec![flag]),
    }
}
