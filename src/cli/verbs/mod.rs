//! The verbs other than searching: one verb per file, built on the public library API.
//!
//! Every argument gets its line or its error, in order. An invalid argument does not affect the
//! others. To search a path with the name of a verb, write `./NAME`.

mod answers;
mod arguments;
mod compare;
mod edit;
mod formats;
mod look;
mod normalize;
mod parse;
mod registry;
mod resolve;
mod rule;
mod rule_flags;

use clap::Subcommand;

use super::flags::audit::AuditFlags;
use super::flags::diff::DiffFlags;
use super::flags::replace::ReplaceFlags;
#[cfg(feature = "lsp")]
use super::lsp::LspFlags;
use super::status::Status;
use super::{audit, diff, replace};
pub use edit::TransformFlags;
pub use rule::rules;
pub use rule_flags::all as flags;

#[derive(Subcommand, Clone, Debug)]
pub enum Verb {
    #[command(about = "Validate URIs and print their components.")]
    Parse(parse::ParseFlags),
    #[command(about = "Resolve references against a base URI.")]
    Resolve(resolve::ResolveFlags),
    #[command(about = "Print URIs in their normal form.")]
    Normalize(normalize::NormalizeFlags),
    #[command(about = "Compare two URIs, and show where they differ.")]
    Compare(compare::CompareFlags),
    #[command(about = "Check the links of documents; without a network unless --online is given.")]
    Audit(Box<AuditFlags>),
    #[command(about = "Change URIs in files, or in standard input.")]
    Replace(Box<ReplaceFlags>),
    #[command(about = "Compare the URIs of two files, directories, or git revisions.")]
    Diff(Box<DiffFlags>),
    #[cfg(feature = "lsp")]
    #[command(about = "Serve an editor: the audit as a language server.")]
    Lsp(LspFlags),
    #[command(
        about = "Print the registered URI schemes or URN namespaces, or the document formats."
    )]
    Registry(registry::RegistryFlags),
    #[command(about = "Explain a delimiting rule, a check of the audit, or a flag of a match.")]
    Rule(rule::RuleFlags),
}

impl Verb {
    pub fn run(&self) -> Status {
        match self {
            Self::Parse(flags) => flags.run(),
            Self::Resolve(flags) => flags.run(),
            Self::Normalize(flags) => flags.run(),
            Self::Compare(flags) => flags.run(),
            Self::Audit(flags) => audit::run(flags),
            Self::Replace(flags) => replace::run(flags),
            Self::Diff(flags) => diff::run(flags),
            #[cfg(feature = "lsp")]
            Self::Lsp(flags) => flags.run(),
            Self::Registry(flags) => flags.run(),
            Self::Rule(flags) => flags.run(),
        }
    }
}
