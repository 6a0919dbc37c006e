//! The command line: one declaration per flag, one file per group of the help.

pub mod audit;
pub mod checks;
pub mod diff;
pub mod lists;
#[cfg(feature = "online")]
pub mod online;
pub mod output;
pub mod replace;
pub mod rewrite;
pub mod scope;
pub mod select;
pub mod unsupported;
pub mod values;
pub mod walk;
pub mod words;

use std::ffi::OsString;

use clap::{ArgAction, Args, Parser, ValueHint};

use super::error::CliError;
use super::generate::{ARTIFACT, Artifact};
use super::verbs::Verb;

/// The command line of `urigrep`: a search, or a verb as its first word.
#[derive(Parser, Clone, Debug)]
#[command(
    name = "urigrep",
    version,
    about = "Find URIs and URNs in files, directories, and standard input.",
    after_help = "Exit status: 0 match, 1 no match, 2 error.",
    after_long_help = AFTER,
    override_usage = "urigrep [OPTIONS] [PATH]...\n       urigrep VERB ...",
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    subcommand_help_heading = "Verbs",
    disable_help_flag = true,
    disable_version_flag = true,
    max_term_width = 100
)]
pub struct Cli {
    /// The verb. To search a path of the same name, write `./resolve`.
    #[command(subcommand)]
    pub verb: Option<Verb>,

    /// The search, if there is no verb.
    #[command(flatten)]
    pub search: SearchFlags,

    #[arg(
        short = 'h',
        long,
        action = ArgAction::Help,
        global = true,
        help_heading = "Other",
        help = "Print help: -h a summary, --help everything.",
        long_help = "Print help: -h a summary, --help everything."
    )]
    help: Option<bool>,

    #[arg(
        short = 'V',
        long,
        action = ArgAction::Version,
        help_heading = "Other",
        help = "Print the version."
    )]
    version: Option<bool>,

    #[arg(
        long,
        help_heading = "Other",
        help = "Ignore urigrep.toml and the file named by URIGREP_CONFIG_PATH.",
        long_help = "Use only the flags of the command line. By default, flags are read from three places, later ones \
                     overriding earlier ones: the file named by the environment variable URIGREP_CONFIG_PATH, one flag per \
                     line; the table `search` of the nearest urigrep.toml, in the directory of the first PATH or above it, \
                     such as `hidden = true` or `glob = [\"!vendor\"]`; and the command line."
    )]
    pub no_config: bool,

    #[arg(
        long,
        value_name = "WHAT",
        exclusive = true,
        help_heading = "Other",
        value_parser = ARTIFACT,
        hide_possible_values = true,
        help = "Print a manual page, or the completions for a shell.",
        long_help = "Print the manual page (`man`), that of a verb (`man-audit`), or the completions for a shell: complete-bash, \
                     complete-zsh, complete-fish, complete-powershell, complete-elvish, complete-nushell."
    )]
    pub generate: Option<Artifact>,
}

/// Everything that belongs to a search.
#[derive(Args, Clone, Debug)]
pub struct SearchFlags {
    #[arg(
        value_name = "PATH",
        value_hint = ValueHint::AnyPath,
        help = "The files and directories to search; `-` is standard input.",
        long_help = "The files and directories to search; `-` is standard input. Directories are searched recursively, \
                     except for hidden and ignored files. A file named here is always searched. Without PATH, standard input \
                     is searched if it is a file, a pipe, or a socket, else the current directory."
    )]
    pub paths: Vec<OsString>,

    #[command(flatten)]
    pub modes: output::ModeFlags,

    #[command(flatten)]
    pub output: output::OutputFlags,

    #[command(flatten)]
    pub select: select::SelectFlags,

    #[command(flatten)]
    pub rewrite: rewrite::RewriteFlags,

    #[command(flatten)]
    pub recognize: select::RecognizeFlags,

    #[command(flatten)]
    pub walk: walk::WalkFlags,

    #[command(flatten)]
    pub scope: scope::ScopeFlags,

    #[command(flatten)]
    pub input: walk::InputFlags,
}

impl SearchFlags {
    /// Returns the flags of a search with the groups that a verb shares with it, and the defaults
    /// of the others.
    ///
    /// # Errors
    /// Never: the defaults are valid.
    pub fn of_verb(
        select: &select::SelectFlags,
        recognize: &select::RecognizeFlags,
        walk: &walk::WalkFlags,
    ) -> Result<Self, CliError> {
        let defaults = Cli::try_parse_from(["urigrep"]);
        let defaults = defaults.map_err(|error| CliError::general(error.to_string()))?.search;
        Ok(Self {
            select: select.clone(),
            recognize: recognize.clone(),
            walk: walk.clone(),
            ..defaults
        })
    }
}

const AFTER: &str = "\
Exit status:
  0  at least one match
  1  no match
  2  an error, even if there were matches; but 0 with -q and a match

Examples:
  urigrep                         search the current directory
  urigrep -n notes.md             search a file, with line numbers
  curl -s example.com | urigrep   search standard input
  urigrep --kind '!reference'     without relative references, for xargs and the like
  urigrep --kind urn --nid isbn   only ISBN URNs
  urigrep -e '/issues/[0-9]+'     only URIs that match a regex
  urigrep --json docs             JSON Lines, for programs
  urigrep ./registry              search a path that is named like a verb";

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn declaration_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_verb_has_help() {
        let mut command = Cli::command();
        command.build();
        for verb in command.get_subcommands() {
            for flag in verb.get_arguments() {
                let help = flag.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(help.ends_with('.'), "{flag}: {help:?}");
            }
            assert!(verb.get_arguments().any(|flag| flag.get_long() == Some("help")));
            assert!(verb.get_about().is_some_and(|about| about.to_string().ends_with('.')));
        }
    }

    #[test]
    fn every_help_is_a_sentence_under_a_heading() {
        let command = Cli::command();
        for flag in command.get_arguments() {
            // The display of a flag needs a command that was built.
            let name = flag.get_id();
            let help = flag.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(
                help.ends_with('.') && help.starts_with(|c: char| c.is_uppercase()),
                "{name}: {help:?}"
            );
            assert!(
                flag.is_positional() || flag.get_help_heading().is_some(),
                "{name} has no heading"
            );
        }
    }
}
