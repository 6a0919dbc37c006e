//! `--generate`: the manual page and the completions, from the one declaration of the flags.

mod man;

use super::complete::{CompletionShell, script};
use super::flags::Cli;
use super::flags::values::Artifact;
use clap::CommandFactory;

pub fn generate(artifact: Artifact) -> Vec<u8> {
    script(match artifact {
        Artifact::Man => return man::page(Cli::command()).into_bytes(),
        Artifact::CompleteBash => CompletionShell::Bash,
        Artifact::CompleteElvish => CompletionShell::Elvish,
        Artifact::CompleteFish => CompletionShell::Fish,
        Artifact::CompleteNushell => CompletionShell::Nushell,
        Artifact::CompletePowershell => CompletionShell::Powershell,
        Artifact::CompleteZsh => CompletionShell::Zsh,
    })
}
