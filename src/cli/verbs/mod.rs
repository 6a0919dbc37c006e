//! What the command does other than searching: one verb a file, over the public library API.
//!
//! A path of the same name is reached as `./NAME`.

mod parse;
mod registry;

use clap::Subcommand;

use super::Status;

/// A verb, which is the first word of the command line.
#[derive(Subcommand, Clone, Debug)]
pub enum Verb {
    #[command(about = "Say whether texts are URIs, and print their components.")]
    Parse(parse::ParseFlags),
    #[command(about = "Print the registered URI schemes or URN namespaces.")]
    Registry(registry::RegistryFlags),
}

impl Verb {
    /// Does what the verb says.
    pub fn run(&self) -> Status {
        match self {
            Self::Parse(flags) => flags.run(),
            Self::Registry(flags) => flags.run(),
        }
    }
}
