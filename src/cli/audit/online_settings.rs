//! The table `[audit.online]` of `urigrep.toml`.

use clap::{Arg, CommandFactory, Parser};
use toml::{Spanned, Value};

use crate::cli::flags::Cli;
use crate::cli::flags::audit::AuditFlags;
use crate::cli::flags::online::OnlineFlags;
use crate::cli::settings_file::{SettingsError, flags_of_setting, unknown_name};
use crate::cli::verbs::Verb;

/// The flags that `[audit.online]` may set. A project can't turn on requests, send anything, or
/// write files: a user who audits an unknown project only wants its links checked.
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
            return Err(if is_flag {
                fail("not allowed in a project; use the command line".to_owned())
            } else {
                let message = unknown_name(name.get_ref(), ONLINE.into_iter());
                SettingsError::new(name.span(), message)
            });
        }
        let Some(arg) = arg(name.get_ref()) else { continue };
        let arguments = flags_of_setting(arg, name.get_ref(), value.get_ref());
        for argument in arguments.map_err(|why| fail(why.to_owned()))? {
            let words = ["urigrep".into(), "audit".into(), argument];
            let parsed = Cli::try_parse_from(words).map_err(|error| fail(first_line(&error)))?;
            if let Some(Verb::Audit(parsed)) = parsed.verb {
                let AuditFlags { online, .. } = *parsed;
                flags = online.with_defaults(&flags);
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
