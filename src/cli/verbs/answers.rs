//! What the verbs that read URIs have in common: their grammar, their answers and their errors.

use std::borrow::Cow;

use clap::Args;
use serde::Serialize;
use urigrep::{Grammar, Iri, IriRef, ParseError, Uri};

use crate::cli::diagnostics;
use crate::cli::flags::values::{self, DOCUMENTS, hosts};
use crate::cli::json::push;
use crate::cli::status::Status;
use crate::cli::stdout::print;

/// The document by which the arguments of a verb are read, whose work is that of RFC 3986.
#[derive(Args, Clone, Copy, Debug)]
pub struct GrammarFlag {
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
    pub grammar: Grammar,
}

/// Why an argument is refused.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerFormat {
    Text,
    Json,
}

/// The answers of a verb, and what went wrong.
#[derive(Debug)]
pub struct Answers {
    format: AnswerFormat,
    records: Vec<u8>,
    /// Inputs and what is wrong with them.
    problems: Vec<(String, String)>,
}

#[derive(Serialize)]
struct RefusalRecord<'a> {
    r#type: &'static str,
    input: &'a str,
    message: &'a str,
    reason: &'static str,
    at: usize,
}

impl Answers {
    pub fn new(json: bool) -> Self {
        Self {
            format: if json { AnswerFormat::Json } else { AnswerFormat::Text },
            records: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Adds an answer: a line, or an object.
    pub fn answer(&mut self, line: &str, object: &impl Serialize) {
        match self.format {
            AnswerFormat::Json => push(object, &mut self.records),
            AnswerFormat::Text => {
                self.records.extend_from_slice(line.as_bytes());
                self.records.push(b'\n');
            }
        }
    }

    /// Adds that an argument is not what it has to be.
    pub fn refuse(&mut self, input: &str, refusal: Refusal) {
        let message = refusal.message();
        if self.format == AnswerFormat::Json {
            let object = RefusalRecord {
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
    pub fn finish(self, status: Status) -> Status {
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
pub fn uri(grammar: Grammar, text: &str) -> Result<Cow<'_, str>, ParseError> {
    grammar.parse(text)?;
    match grammar {
        Grammar::Rfc3986 => Iri::parse(text)?.to_uri_with(hosts()),
        _ => Ok(Cow::Borrowed(text)),
    }
}

/// The same for a reference.
pub fn reference(grammar: Grammar, text: &str) -> Result<Cow<'_, str>, ParseError> {
    grammar.parse_reference(text)?;
    match grammar {
        Grammar::Rfc3986 => IriRef::parse(text)?.to_uri_ref_with(hosts()),
        _ => Ok(Cow::Borrowed(text)),
    }
}

/// What [`uri`] gave, as the URI that the rules of RFC 3986 are for.
pub fn newest(grammar: Grammar, text: &str) -> Result<Uri<'_>, Refusal> {
    Uri::parse(text).map_err(|error| Refusal::NotOfRfc3986(grammar, error))
}
