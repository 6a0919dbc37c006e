//! Flags from configuration files: those of a person, in the file named by `URIGREP_CONFIG_PATH`,
//! and those of a project, in the table `search` of `urigrep.toml`. The command line overrides
//! both.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, Parser};
use serde::Deserialize;
use toml::{Spanned, Value};
use urigrep::audit::Spellings;
use urigrep::internal::{MAX_SETTINGS_BYTES, read_regular_text};
use urigrep::search::describe;

use super::audit::find_settings;
use super::diagnostics::complain;
use super::error::CliError;
use super::flags::Cli;
use super::help;
use super::settings_file::{SettingsError, flags_of_setting};

const VARIABLE: &str = "URIGREP_CONFIG_PATH";

/// The groups of flags that a project may set. It may change the findings, but not the output, and
/// it never runs programs.
const HEADINGS: [&str; 4] = ["Selection", "Recognition", "Rewriting", "Files"];
const PERSONAL: [&str; 8] =
    ["pre", "pre-glob", "files-from", "since", "type-list", "threads", "untrusted", "no-messages"];
/// Flags of recognition with which fewer texts are URIs.
const STRICT: [&str; 4] = ["ascii", "known-schemes", "max-uri", "strict"];

/// A flag of a configuration file.
#[derive(Clone, Debug)]
pub struct DefaultFlag {
    pub argument: OsString,
    file: PathBuf,
    line: usize,
    /// Its name, if a project leaves something out by it.
    restricts: Option<String>,
}

impl DefaultFlag {
    /// `FILE:LINE`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file.display(), self.line)
    }
}

/// Returns the flags of both files, for a search that starts at the first of these paths.
///
/// # Errors
/// If `urigrep.toml` is invalid; the message names the file and line.
pub fn flags(paths: &[OsString]) -> Result<Vec<DefaultFlag>, CliError> {
    let mut flags = personal();
    // With several paths, the settings of the first one hold for all: a search has one set of
    // flags.
    let first = paths.first().filter(|path| *path != "-").map_or(Path::new("."), Path::new);
    if let Some(file) = find_settings(first) {
        flags.extend(of_project(&file)?);
    }
    Ok(flags)
}

/// Returns the note for a search that found nothing although settings of the project restrict it.
///
/// The project may be a tree by strangers, and its settings must not hide a match without a word.
pub fn restriction(flags: &[DefaultFlag]) -> Option<String> {
    let restricting = || flags.iter().filter_map(|flag| Some((flag, flag.restricts.as_deref()?)));
    let file = restricting().next()?.0.file.display();
    let mut names: Vec<&str> = restricting().map(|(_, name)| name).collect();
    // A list in the file gives one flag for each of its values.
    names.dedup();
    let names = names.join(", ");
    Some(format!("nothing found; {file} sets {names}, which --no-config ignores"))
}

/// Returns the message for a command line that is valid alone but conflicts with these flags.
pub fn conflict(defaults: &[DefaultFlag], arguments: &[OsString]) -> Option<CliError> {
    let command = || arguments.first().into_iter().cloned();
    let is_valid = |arguments: Vec<OsString>| match Cli::try_parse_from(arguments) {
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    };
    for flag in defaults {
        let alone = command().chain([flag.argument.clone()]).collect();
        if let Err(error) = is_valid(alone)
            // A flag that requires another one is valid beside it, and only fails here, where it
            // stands alone.
            && !matches!(error.kind(), ErrorKind::MissingRequiredArgument)
        {
            let line = flag.argument.to_string_lossy();
            let message = match line.split_once(' ').filter(|(name, _)| name.starts_with('-')) {
                // The file has one argument a line, as that of ripgrep.
                Some((name, value)) => {
                    format!("`{line}` is read as one flag; write `{name}={}`", value.trim_start())
                }
                None => help::message(&error),
            };
            return Some(CliError::at_place(flag.place(), message));
        }
    }
    let others = |left_out: usize| {
        let kept = defaults.iter().enumerate().filter(move |(index, _)| *index != left_out);
        kept.map(|(_, flag)| flag.argument.clone())
    };
    let rest = || arguments.iter().skip(1).cloned();
    // The parser names both flags of a conflict but not the file. So parse again without each
    // default in turn: the one whose absence helps is the culprit.
    let culprit = (0..defaults.len())
        .find(|&index| is_valid(command().chain(others(index)).chain(rest()).collect()).is_ok())?;
    let flag = defaults.get(culprit)?;
    Some(CliError::general(format!(
        "conflict between the command line and `{}` ({}); --no-config ignores configuration files",
        flag.argument.display(),
        flag.place()
    )))
}

/// One flag per line; blank lines and lines that start with `#` are skipped. An unreadable file is
/// reported and skipped.
fn personal() -> Vec<DefaultFlag> {
    let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) else {
        return Vec::new();
    };
    let path = PathBuf::from(path);
    let text = match read_regular_text(&path, MAX_SETTINGS_BYTES) {
        Ok(text) => text,
        Err(error) => {
            complain(&format!("{VARIABLE}: {}: {}", path.display(), describe(&error)));
            return Vec::new();
        }
    };
    let lines = text.lines().map(str::trim).enumerate();
    let flags = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let flag = |(index, line): (usize, &str)| DefaultFlag {
        argument: OsString::from(line),
        file: path.clone(),
        line: index + 1,
        restricts: None,
    };
    flags.map(flag).collect()
}

/// The tables of `urigrep.toml` that a search reads.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProjectFile {
    search: Option<BTreeMap<Spanned<String>, Value>>,
    /// The settings of audits do not affect a search.
    #[serde(default, rename = "audit")]
    _audit: toml::Table,
}

fn of_project(file: &Path) -> Result<Vec<DefaultFlag>, CliError> {
    let text = read_regular_text(file, MAX_SETTINGS_BYTES)
        .map_err(|error| CliError::file(file, describe(&error)))?;
    let fail = |error: SettingsError| error.in_file(file, &text);
    let project: ProjectFile =
        toml::from_str(&text).map_err(|error| fail(SettingsError::parsing(&error)))?;
    let command = Cli::command();
    let mut flags = Vec::new();
    for (name, value) in project.search.into_iter().flatten() {
        let (span, name) = (name.span(), name.into_inner());
        let line = text.get(..span.start).unwrap_or_default().matches('\n').count() + 1;
        let fail = |message: String| {
            fail(SettingsError::new(span.clone(), format!("[search] {name}: {message}")))
        };
        let arg = command.get_arguments().find(|arg| arg.get_long() == Some(&name));
        let arg = arg.ok_or_else(|| {
            let known = command.get_arguments().filter(|arg| may_decide(arg));
            let names = Spellings::new(known.filter_map(Arg::get_long));
            let hint = names.nearest(&name).map(|near| format!("; did you mean `{near}`?"));
            fail(format!("unknown flag{}", hint.unwrap_or_default()))
        })?;
        // `urigrep.toml` comes with a tree that may be hostile. It must not run programs (`--pre`)
        // or change the output that a script reads.
        if !may_decide(arg) {
            let message = format!("not allowed in a project; use the command line or {VARIABLE}");
            return Err(fail(message));
        }
        let arguments = flags_of_setting(arg, &name, &value).map_err(|why| fail(why.to_owned()))?;
        let restricts = restricts(arg).then(|| format!("--{name}"));
        let flag = |argument| DefaultFlag {
            argument,
            file: file.to_owned(),
            line,
            restricts: restricts.clone(),
        };
        flags.extend(arguments.into_iter().map(flag));
    }
    Ok(flags)
}

/// True for a flag that leaves out files or matches.
fn restricts(arg: &Arg) -> bool {
    let is_among = |names: &[&str], name: Option<&str>| names.contains(&name.unwrap_or_default());
    is_among(&["Selection", "Files"], arg.get_help_heading()) || is_among(&STRICT, arg.get_long())
}

fn may_decide(arg: &Arg) -> bool {
    let heading = arg.get_help_heading().unwrap_or_default();
    HEADINGS.contains(&heading) && !PERSONAL.contains(&arg.get_long().unwrap_or_default())
}
