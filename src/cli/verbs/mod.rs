//! The verbs other than searching: one verb a file, over the public library API.
//!
//! Every argument gets its line or its error, in order; one that is wrong stops none of the others.
//! A path of the same name is reached as `./NAME`.

pub mod audit;
mod compare;
mod normalize;
mod parse;
mod registry;
mod resolve;

use std::borrow::Cow;

use clap::{Args, Subcommand};
use serde::Serialize;
use urigrep::{Grammar, Iri, IriRef, ParseError, Uri};

use super::diagnostics;
use super::flags::values::{self, DOCUMENTS};
use super::json::push;
use super::{Status, print};
use crate::cli::flags::values::hosts;

/// A verb, which is the first word of the command line.
#[derive(Subcommand, Clone, Debug)]
pub enum Verb {
    #[command(about = "Say whether texts are URIs, and print their components.")]
    Parse(parse::ParseFlags),
    #[command(about = "Print what references stand for where a base URI is known.")]
    Resolve(resolve::ResolveFlags),
    #[command(about = "Print URIs in their normal spelling.")]
    Normalize(normalize::NormalizeFlags),
    #[command(about = "Tell whether two URIs are the same, and where they differ.")]
    Compare(compare::CompareFlags),
    #[command(about = "Check the links of HTML and Markdown documents, without asking a network.")]
    Audit(Box<audit::AuditFlags>),
    #[command(about = "Print the registered URI schemes or URN namespaces.")]
    Registry(registry::RegistryFlags),
}

impl Verb {
    /// Does what the verb says.
    pub fn run(&self) -> Status {
        match self {
            Self::Parse(flags) => flags.run(),
            Self::Resolve(flags) => flags.run(),
            Self::Normalize(flags) => flags.run(),
            Self::Compare(flags) => flags.run(),
            Self::Audit(flags) => flags.run(),
            Self::Registry(flags) => flags.run(),
        }
    }
}

/// The document by which the arguments of a verb are read, whose work is that of RFC 3986.
#[derive(Args, Clone, Copy, Debug)]
struct GrammarFlag {
    #[arg(
        long,
        value_name = "GRAMMAR",
        default_value = "rfc3986",
        hide_default_value = true,
        value_parser = values::grammar,
        help = "Take only what this document allows, such as rfc2396bis-01 or url-1993.",
        long_help = format!(
            "Take only what this document allows: {DOCUMENTS}. What is done with it is by RFC 3986 and the \
             documents of the schemes all the same, so that it must be a URI by these too."
        )
    )]
    grammar: Grammar,
}

/// Why an argument is refused.
#[derive(Clone, Copy, Debug)]
enum Refusal {
    /// The grammar that was asked for does not accept it.
    Invalid(ParseError),
    /// That one does; but what is to be done needs a URI by RFC 3986.
    NotOfRfc3986(Grammar, ParseError),
}

impl From<ParseError> for Refusal {
    fn from(error: ParseError) -> Self {
        Self::Invalid(error)
    }
}

impl Refusal {
    fn error(self) -> ParseError {
        match self {
            Self::Invalid(error) | Self::NotOfRfc3986(_, error) => error,
        }
    }

    fn message(self) -> String {
        match self {
            Self::Invalid(error) => error.to_string(),
            Self::NotOfRfc3986(grammar, error) => {
                format!("allowed by {grammar}, but not by RFC 3986: {error}")
            }
        }
    }
}

/// How the answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Text,
    Json,
}

/// The answers of a verb, and what went wrong.
#[derive(Debug)]
struct Report {
    format: Format,
    records: Vec<u8>,
    /// Inputs and what is wrong with them.
    problems: Vec<(String, String)>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    r#type: &'static str,
    input: &'a str,
    message: &'a str,
    reason: &'static str,
    at: usize,
}

impl Report {
    fn new(json: bool) -> Self {
        Self {
            format: if json { Format::Json } else { Format::Text },
            records: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Adds an answer: a line, or an object.
    fn answer(&mut self, line: &str, object: &impl Serialize) {
        match self.format {
            Format::Json => push(object, &mut self.records),
            Format::Text => {
                self.records.extend_from_slice(line.as_bytes());
                self.records.push(b'\n');
            }
        }
    }

    /// Adds that an argument is not what it has to be.
    fn fault(&mut self, input: &str, refusal: Refusal) {
        let message = refusal.message();
        if self.format == Format::Json {
            let object = ErrorObject {
                r#type: "error",
                input,
                message: &message,
                reason: refusal.error().kind().name(),
                at: refusal.error().offset(),
            };
            push(&object, &mut self.records);
        }
        self.problems.push((input.to_owned(), message));
    }

    /// Prints all of it; `status` is how it ended when nothing went wrong.
    fn finish(self, status: Status) -> Status {
        let printed = print(&self.records);
        for (input, message) in &self.problems {
            diagnostics::print(input.as_bytes(), message);
        }
        if !self.problems.is_empty() || printed == Status::Error {
            return Status::Error;
        }
        status
    }
}

/// The argument, if `grammar` accepts it; an IRI as the URI it maps to.
fn uri(grammar: Grammar, text: &str) -> Result<Cow<'_, str>, ParseError> {
    grammar.parse(text)?;
    match grammar {
        Grammar::Rfc3986 => Iri::parse(text)?.to_uri_with(hosts()),
        _ => Ok(Cow::Borrowed(text)),
    }
}

/// The same for a reference.
fn reference(grammar: Grammar, text: &str) -> Result<Cow<'_, str>, ParseError> {
    grammar.parse_reference(text)?;
    match grammar {
        Grammar::Rfc3986 => IriRef::parse(text)?.to_uri_ref_with(hosts()),
        _ => Ok(Cow::Borrowed(text)),
    }
}

/// What [`uri`] gave, as the URI that the rules of RFC 3986 are for.
fn newest(grammar: Grammar, text: &str) -> Result<Uri<'_>, Refusal> {
    Uri::parse(text).map_err(|error| Refusal::NotOfRfc3986(grammar, error))
}
