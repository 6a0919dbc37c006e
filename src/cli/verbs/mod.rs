//! The verbs other than searching: each answers a question about the URIs that it is given.
//!
//! Every argument gets its line or its error, in order; one that is wrong stops none of the others.

mod compare;
mod normalize;
mod resolve;

use std::borrow::Cow;

use clap::{ArgAction, Args, Subcommand};
use serde::Serialize;
use urigrep::{Iri, IriRef, ParseError};

use super::Status;
use super::diagnostics::{self, Fault};
use super::output::push_json;

/// What to do in place of searching: a variant a verb, whose help says what it does.
#[derive(Subcommand, Clone, Debug)]
pub enum Verb {
    #[command(about = "Print what references stand for where a base URI is known.")]
    Resolve(resolve::Flags),
    #[command(about = "Print URIs in their normal spelling.")]
    Normalize(normalize::Flags),
    #[command(about = "Tell whether two URIs are the same, and where they differ.")]
    Compare(compare::Flags),
}

impl Verb {
    /// Does it.
    pub fn run(&self) -> Status {
        let mut report = Report::default();
        let status = match self {
            Self::Resolve(flags) => flags.run(&mut report),
            Self::Normalize(flags) => flags.run(&mut report),
            Self::Compare(flags) => flags.run(&mut report),
        };
        report.print(status)
    }
}

/// The help of a verb; the search has one of its own.
#[derive(Args, Clone, Debug)]
struct HelpFlag {
    #[arg(short = 'h', long, action = ArgAction::Help, help = "Print this help.")]
    help: Option<bool>,
}

/// The lines of a verb, and what went wrong.
#[derive(Debug, Default)]
struct Report {
    records: Vec<u8>,
    faults: Vec<Fault>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    r#type: &'static str,
    input: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
}

/// How the answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Text,
    Json,
}

impl Format {
    fn of(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

impl Report {
    fn line(&mut self, text: &str) {
        self.records.extend_from_slice(text.as_bytes());
        self.records.push(b'\n');
    }

    fn object(&mut self, object: &impl Serialize) {
        push_json(object, &mut self.records);
    }

    /// Reports an argument that is not what it has to be.
    fn fault(&mut self, input: &str, error: ParseError, format: Format) {
        let message = error.to_string();
        if format == Format::Json {
            self.object(&ErrorObject {
                r#type: "error",
                input,
                message: &message,
                reason: Some(error.kind().name()),
                at: Some(error.offset()),
            });
        }
        self.faults.push(Fault {
            path: input.as_bytes().to_vec(),
            message,
        });
    }

    /// Reports flags that contradict each other.
    fn refuse(&mut self, message: &str) -> Status {
        self.faults.push(Fault {
            path: Vec::new(),
            message: message.to_owned(),
        });
        Status::Error
    }

    fn print(&self, status: Status) -> Status {
        let printed = super::print(&self.records);
        self.faults.iter().for_each(diagnostics::print);
        if !self.faults.is_empty() || printed == Status::Error {
            return Status::Error;
        }
        status
    }
}

/// The URI that an argument is, or as an IRI maps to.
fn uri(text: &str) -> Result<Cow<'_, str>, ParseError> {
    Iri::parse(text)?.to_uri()
}

/// The reference that an argument is, or as an IRI reference maps to.
fn reference(text: &str) -> Result<Cow<'_, str>, ParseError> {
    IriRef::parse(text)?.to_uri_ref()
}
