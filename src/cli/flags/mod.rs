//! The command line: one declaration a flag, one file a help group.

pub mod audit;
pub mod checks;
pub mod foreign;
pub mod output;
pub mod rewrite;
pub mod select;
pub mod values;
pub mod walk;

use std::ffi::OsString;

use clap::{ArgAction, Args, Parser};

use super::verbs::Verb;

/// The command line of `urigrep`: a search, or a verb as its first word.
#[derive(Parser, Clone, Debug)]
#[command(
    name = "urigrep",
    version,
    about = "Finds URIs and URNs in files, directories and standard input.",
    after_help = "Exit status: 0 a match, 1 none, 2 an error.",
    after_long_help = AFTER,
    override_usage = "urigrep [OPTIONS] [PATH]...\n       urigrep VERB ...",
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    subcommand_help_heading = "Other verbs",
    disable_help_flag = true,
    disable_version_flag = true,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do in place of searching; a path of the same name is reached as `./resolve`.
    #[command(subcommand)]
    pub verb: Option<Verb>,

    /// The search, which is what happens without a subcommand.
    #[command(flatten)]
    pub search: SearchFlags,

    #[arg(
        short = 'h',
        long,
        action = ArgAction::Help,
        global = true,
        help_heading = "Other",
        help = "Print this help; --help says more than -h.",
        long_help = "Print this help; -h is a shorter one."
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
        help = "Read no flags from urigrep.toml, nor from the file that URIGREP_CONFIG_PATH names.",
        long_help = "Read no flags but those of the command line. Otherwise, first come those of the file that the \
                     environment variable URIGREP_CONFIG_PATH names, one a line, then those of the table `search` of \
                     the nearest urigrep.toml, in the directory of the first PATH or above it, such as `hidden = true` \
                     or `glob = [\"!vendor\"]`, and then those of the command line."
    )]
    pub no_config: bool,

    #[arg(
        long,
        value_name = "WHAT",
        exclusive = true,
        help_heading = "Other",
        help = "Print the manual page or the completions of a shell, made from these flags."
    )]
    pub generate: Option<values::Artifact>,
}

/// Everything that belongs to a search.
#[derive(Args, Clone, Debug)]
pub struct SearchFlags {
    #[arg(
        value_name = "PATH",
        help = "Search these files and directories; `-` is standard input.",
        long_help = "Search these files and directories; `-` is standard input. Directories are searched with all \
                     below them, but for hidden and ignored files; a file that is named here is always \
                     searched. Without PATH, standard input is searched when it is a file, a pipe or a socket, \
                     else the current directory."
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
    pub input: walk::InputFlags,
}

const AFTER: &str = "\
Exit status:
  0  a match was found
  1  none was found
  2  there was an error, also when there were matches

Examples:
  urigrep                         URIs of all files below the current directory
  urigrep -n notes.md             with line numbers
  curl -s example.com | urigrep   of standard input
  urigrep --kind urn --nid isbn   URNs of ISBNs
  urigrep -e '/issues/[0-9]+'     those that match a regular expression
  urigrep --json docs             for programs
  urigrep ./registry              a path that is called like a verb";

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
            // a flag of a command that was not built can't be displayed
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
