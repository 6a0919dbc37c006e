//! Completions for shells. The shell runs `urigrep` with the words typed so far. The engine of
//! clap_complete answers from the same declaration of the flags that parses them.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{Result, Write};
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_complete::CompletionCandidate;
use clap_complete::engine::{ArgValueCompleter, complete};
use clap_complete::env::{Bash, CompleteEnv, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};

use super::flags::Cli;
use super::status::Status;

/// The variable in which the shell names itself.
const VARIABLE: &str = "URIGREP_COMPLETE";

/// The shells in which completions work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionShell {
    Bash,
    Elvish,
    Fish,
    Nushell,
    Powershell,
    Zsh,
}

impl CompletionShell {
    fn completer(self) -> &'static dyn EnvCompleter {
        match self {
            Self::Bash => &Bash,
            Self::Elvish => &Elvish,
            Self::Fish => &Fish,
            Self::Nushell => &Nushell,
            Self::Powershell => &Powershell,
            Self::Zsh => &Zsh,
        }
    }
}

/// Returns the script that makes a shell call `urigrep` for completions.
pub fn script(shell: CompletionShell) -> Vec<u8> {
    let mut out = Vec::new();
    // Writing to a vector does not fail.
    drop(shell.completer().write_registration(VARIABLE, "urigrep", "urigrep", "urigrep", &mut out));
    out
}

/// Answers a request for completions. Returns `None` for an ordinary command line.
pub fn answer(arguments: &[OsString]) -> Option<Status> {
    env::var_os(VARIABLE)?;
    // The list of clap_complete has no Nushell.
    const SHELLS: Shells<'_> = Shells(&[&Bash, &Elvish, &Fish, &Nushell, &Powershell, &Zsh]);
    let directory = env::current_dir().ok();
    let answered = CompleteEnv::with_factory(Cli::command)
        .var(VARIABLE)
        .shells(SHELLS)
        .try_complete(arguments.to_vec(), directory.as_deref());
    match answered {
        Ok(false) => None,
        Ok(true) => Some(Status::Match),
        // At a prompt, a word without completions is not worth an error message.
        Err(_) => Some(Status::Error),
    }
}

/// Support for Nushell, which clap_complete lacks: values and descriptions are separated by tabs.
struct Nushell;

impl EnvCompleter for Nushell {
    fn name(&self) -> &'static str {
        "nushell"
    }

    fn is(&self, name: &str) -> bool {
        matches!(name, "nu" | "nushell")
    }

    fn write_registration(
        &self,
        var: &str,
        _name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> Result<()> {
        writeln!(
            buf,
            r#"# Completions of {bin} for Nushell. Source this file in config.nu.
let urigrep_other_completer = ($env.config.completions.external.completer? | default {{|spans| null }})
$env.config.completions.external.enable = true
$env.config.completions.external.completer = {{|spans|
    if $spans.0 != "{bin}" {{
        do $urigrep_other_completer $spans
    }} else {{
        with-env {{ {var}: nushell }} {{ ^{completer} -- ...$spans }}
        | lines
        | each {{|line| $line | split row "\t" | {{ value: $in.0, description: ($in.1? | default "") }} }}
    }}
}}"#
        )
    }

    fn write_complete(
        &self,
        command: &mut Command,
        arguments: Vec<OsString>,
        directory: Option<&Path>,
        buf: &mut dyn Write,
    ) -> Result<()> {
        let last = arguments.len().saturating_sub(1);
        for candidate in complete(command, arguments, last, directory)? {
            let value = candidate.get_value().to_string_lossy();
            let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
            // Further lines of the help would be taken as further candidates.
            writeln!(buf, "{value}\t{}", help.lines().next().unwrap_or_default())?;
        }
        Ok(())
    }
}

/// A value and its description.
pub type CompletionWord = (String, String);

/// Completes one of these values.
pub fn one_of(words: fn() -> Vec<CompletionWord>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| candidates(typed, words()))
}

/// Completes one of these values, which `!` or `-` before it excludes.
pub fn one_of_excludable(words: fn() -> Vec<CompletionWord>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| {
        let text = typed.to_string_lossy();
        // The words of the list have no sign, so it is taken off and put back.
        match text.strip_prefix(['!', '-']) {
            Some(rest) => {
                let sign = text.chars().next().map(String::from).unwrap_or_default();
                let found = candidates(OsStr::new(rest), words());
                found.into_iter().map(|word| word.add_prefix(&sign)).collect()
            }
            None => candidates(typed, words()),
        }
    })
}

fn candidates(typed: &OsStr, words: Vec<CompletionWord>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let starts = words.into_iter().filter(|(word, _)| word.starts_with(&*typed));
    starts.map(|(word, help)| CompletionCandidate::new(word).help(Some(help.into()))).collect()
}
