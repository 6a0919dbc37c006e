//! `--generate`: the manual page and the completions, from the one declaration of the flags.

mod man;

use clap::CommandFactory;
use clap_complete::Shell;

use super::flags::Cli;
use super::flags::values::Artifact;

pub fn generate(artifact: Artifact) -> Vec<u8> {
    let shell = match artifact {
        Artifact::Man => return man::page(Cli::command()).into_bytes(),
        Artifact::CompleteBash => Shell::Bash,
        Artifact::CompleteZsh => Shell::Zsh,
        Artifact::CompleteFish => Shell::Fish,
        Artifact::CompletePowershell => Shell::PowerShell,
    };
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "urigrep", &mut out);
    out
}
