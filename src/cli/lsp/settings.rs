//! Settings of the server: the flags of `urigrep audit`, from the command line and from the client.

use std::ffi::OsString;

use clap::{CommandFactory as _, Parser};
use serde_json::Value;
use urigrep::audit::Spellings;

use crate::cli::flags::Cli;
use crate::cli::flags::audit::AuditFlags;
use crate::cli::verbs::Verb;

/// Flags of `urigrep audit` that make sense in an editor: those that choose documents, checks, and
/// findings. The others choose a report, change files, or ask the web.
const FLAGS: [&str; 30] = [
    "accept",
    "all-files",
    "base",
    "baseline",
    "binary",
    "cache",
    "check",
    "config",
    "exclude",
    "follow",
    "glob",
    "hidden",
    "iglob",
    "markup",
    "max-depth",
    "max-filesize",
    "no-config",
    "no-ignore",
    "one-file-system",
    "remap",
    "root",
    "severity",
    "site",
    "slugs",
    "text",
    "threads",
    "type",
    "type-not",
    "untrusted",
    "vendored",
];

/// Returns flags from settings of a client: `{"severity": "note", "allFiles": true}`.
///
/// # Errors
/// If a setting has no flag, or a value that no flag can have.
pub fn arguments(settings: &Value) -> Result<Vec<OsString>, String> {
    // Clients send either the settings, or all settings by section.
    let settings = settings.get("urigrep").unwrap_or(settings);
    let settings = match settings {
        Value::Null => return Ok(Vec::new()),
        Value::Object(settings) => settings,
        _ => return Err("the settings of urigrep are not an object".to_owned()),
    };
    let mut arguments = Vec::new();
    for (name, value) in settings {
        let flag = kebab(name);
        if !FLAGS.contains(&flag.as_str()) {
            return Err(format!(
                "urigrep has no setting `{name}`; the settings are {}",
                FLAGS.join(", ")
            ));
        }
        let values = match value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        for value in values {
            match value {
                Value::Null | Value::Bool(false) => {}
                Value::Bool(true) => arguments.push(format!("--{flag}").into()),
                Value::String(text) => arguments.push(format!("--{flag}={text}").into()),
                Value::Number(number) => arguments.push(format!("--{flag}={number}").into()),
                _ => {
                    return Err(format!(
                        "the setting `{name}` is a text, a number, true, or a list"
                    ));
                }
            }
        }
    }
    Ok(arguments)
}

/// `allFiles` is `all-files`.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}

/// Reads flags as `urigrep audit` does.
///
/// # Errors
/// If a flag is unknown, or has no meaning for a server.
pub fn flags(arguments: &[OsString]) -> Result<AuditFlags, String> {
    for argument in arguments {
        let text = argument.to_string_lossy();
        let name = text.strip_prefix("--").map(|flag| flag.split('=').next().unwrap_or(flag));
        if name.is_some_and(|name| !FLAGS.contains(&name)) {
            return Err(refused(name.unwrap_or_default()));
        }
    }
    let command = ["urigrep".into(), "audit".into()].into_iter();
    let all = command.chain(arguments.iter().cloned());
    match Cli::try_parse_from(all) {
        Ok(Cli { verb: Some(Verb::Audit(flags)), .. }) if flags.paths.is_empty() => {
            Ok(with_cache(*flags))
        }
        Ok(_) => {
            Err("urigrep lsp takes flags of `urigrep audit` only; the client names the folders"
                .to_owned())
        }
        Err(error) => {
            let message = error.to_string();
            let first = message.lines().next().unwrap_or_default();
            Err(first.trim_start_matches("error: ").to_owned())
        }
    }
}

/// Returns the message about a flag that the server does not take.
fn refused(flag: &str) -> String {
    let command = Cli::command();
    let of_audit = command.find_subcommand("audit").into_iter().flat_map(|it| it.get_arguments());
    if of_audit.filter_map(|it| it.get_long()).any(|it| it == flag) {
        return format!("--{flag} does not apply to urigrep lsp");
    }
    match Spellings::new(FLAGS).nearest(flag) {
        Some(near) => format!("unknown flag `--{flag}`; did you mean `--{near}`?"),
        None => format!("unknown flag `--{flag}`; urigrep lsp takes flags of `urigrep audit`"),
    }
}

/// With a cache, links to the web are judged, without requests.
#[cfg(feature = "online")]
fn with_cache(mut flags: AuditFlags) -> AuditFlags {
    // The first `urigrep audit --online` creates it.
    flags.online.cache = flags.online.cache.filter(|file| file.exists());
    flags.online.offline = flags.online.cache.is_some();
    flags
}

#[cfg(not(feature = "online"))]
fn with_cache(flags: AuditFlags) -> AuditFlags {
    flags
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_flags() {
        let given =
            |value| arguments(&value).map(|all| all.join(" ".as_ref()).into_string().unwrap());
        let settings = json!({"severity": "note", "allFiles": true, "exclude": ["a", "host:b"]});
        assert_eq!(
            given(settings.clone()).unwrap(),
            "--all-files --exclude=a --exclude=host:b --severity=note"
        );
        assert_eq!(given(json!({"urigrep": settings})).unwrap().len(), 56);
        assert!(given(json!({"fix": true})).unwrap_err().contains("no setting `fix`"));
        assert!(given(json!([])).is_err() && given(json!({"site": {}})).is_err());
    }

    #[test]
    fn only_flags_for_editors_are_taken() {
        let read = |text: &str| flags(&text.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(read("--severity=note --hidden").unwrap().walk.hidden);
        for bad in ["--fix", "--online", "docs", "--severity=nothing", "-q x"] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert_eq!(read("--fix").unwrap_err(), "--fix does not apply to urigrep lsp");
        let misspelled = "unknown flag `--severty`; did you mean `--severity`?";
        assert_eq!(read("--severty=note").unwrap_err(), misspelled);
    }
}
