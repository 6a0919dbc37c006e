//! `--generate`: the manual pages and the completions, from the one declaration of the flags.

mod artifact;
mod man;

use clap::CommandFactory;

use super::complete::script;
use super::flags::Cli;
pub use artifact::{ARTIFACT, Artifact};

pub fn generate(artifact: Artifact) -> Vec<u8> {
    match artifact {
        Artifact::Man => man::page(Cli::command()).into_bytes(),
        Artifact::ManOfVerb(verb) => {
            man::page_of_verb(Cli::command(), verb).unwrap_or_default().into_bytes()
        }
        Artifact::Complete(shell) => script(shell),
    }
}
