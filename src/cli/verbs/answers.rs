//! The common part of the verbs that read URIs: grammar, answers, and errors.
use std::borrow::Cow;

use clap::Args;
use serde::Serialize;
use urigrep::internal::output::json::push;
use urigrep::{Grammar, Iri, IriRef, ParseError, Uri, redact, redact_text};

use crate::cli::diagnostics;
use crate::cli::flags::values::{self, DOCUMENTS, hosts};
use crate::cli::status::Status;
use crate::cli::stdout::{Written, write};

/// The document whose grammar the arguments must follow. The verb itself works by RFC 3986.
#[derive(Args, Clone, Copy, Debug)]
pub struct GrammarFlag {
    #[arg(
        long,
        value_name = "GRAMMAR",
        default_value = "rfc3986",
        hide_default_value = true,
        value_parser = values::grammar,
        help = "Accept only what this document allows, such as rfc2396bis-01 or url-1993.",
        long_help = format!(
            "Accept only what this document allows: {DOCUMENTS}. The result still follows RFC 3986 and the documents \
             of the schemes, so the argument must be a URI by these too."
        )
    )]
    pub grammar: Grammar,
}

#[derive(Clone, Copy, Debug)]
pub enum VerbRefusal {
    Invalid(ParseError),
    /// The argument is valid in its grammar, but the verb needs a URI by RFC 3986.
    NotOfRfc3986(Grammar, ParseError),
}

impl From<ParseError> for VerbRefusal {
    fn from(error: ParseError) -> Self {
        Self::Invalid(error)
    }
}

impl VerbRefusal {
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

/// Says whether a verb continues with its next argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerFlow {
    Continue,
    /// The reader closed the pipe.
    Stop,
}

/// Whether the output of a subcommand shows secrets.
#[derive(Args, Clone, Copy, Debug)]
pub struct RedactFlag {
    #[arg(
        long,
        help = "Replace passwords, tokens, and other secrets with REDACTED.",
        long_help = "Replace passwords, tokens, and other secrets with REDACTED, as `urigrep --redact` does. The answer itself \
                     is computed with the secrets."
    )]
    redact: bool,
}

impl RedactFlag {
    pub fn is_on(self) -> bool {
        self.redact
    }

    /// Returns the printed form of a URI or reference.
    pub fn uri(self, text: &str) -> Cow<'_, str> {
        if self.redact { redact(text) } else { Cow::Borrowed(text) }
    }

    /// Returns the printed form of a text that need not be a URI.
    pub fn text(self, text: &[u8]) -> Cow<'_, [u8]> {
        if !self.redact {
            return Cow::Borrowed(text);
        }
        let text = String::from_utf8_lossy(text);
        // The text may be a URI or contain some. Both forms are redacted, because what failed to
        // parse may still hold a secret.
        Cow::Owned(redact_text(&redact(&text)).into_owned().into_bytes())
    }
}

#[derive(Debug)]
pub struct VerbAnswers {
    json: bool,
    secrets: RedactFlag,
    records: Vec<u8>,
    has_problem: bool,
    written: Written,
}

#[derive(Serialize)]
struct RefusalRecord<'a> {
    r#type: &'static str,
    input: &'a str,
    message: &'a str,
    reason: &'static str,
    at: usize,
}

impl VerbAnswers {
    pub fn new(json: bool, secrets: RedactFlag) -> Self {
        Self { json, secrets, records: Vec::new(), has_problem: false, written: Written::All }
    }

    /// Prints a text of several lines, or an object.
    pub fn text(&mut self, text: &[u8]) {
        self.records.extend_from_slice(text);
    }

    /// Prints the answer to an argument at once, because the next argument may take a while to
    /// arrive.
    pub fn flush(&mut self) -> AnswerFlow {
        if self.written == Written::All {
            self.written = write(&self.records);
        }
        self.records.clear();
        match self.written {
            Written::All => AnswerFlow::Continue,
            Written::Closed | Written::Failed => AnswerFlow::Stop,
        }
    }

    pub fn answer(&mut self, line: &str, object: &impl Serialize) {
        if self.json {
            return push(object, &mut self.records);
        }
        self.records.extend_from_slice(line.as_bytes());
        self.records.push(b'\n');
    }

    pub fn refuse(&mut self, input: &str, refusal: VerbRefusal) {
        let input = &*String::from_utf8_lossy(&self.secrets.text(input.as_bytes())).into_owned();
        let message = refusal.message();
        if self.json {
            let object = RefusalRecord {
                r#type: "error",
                input,
                message: &message,
                reason: refusal.error().kind().name(),
                at: refusal.error().offset(),
            };
            push(&object, &mut self.records);
        }
        self.flush();
        // After the answers before it, so that both streams are in order on a terminal.
        self.has_problem = true;
        diagnostics::print(input.as_bytes(), &message);
    }

    /// Prints the rest. Returns `status` if nothing went wrong.
    pub fn finish(mut self, status: Status) -> Status {
        self.flush();
        if self.has_problem || self.written == Written::Failed { Status::Error } else { status }
    }
}

/// Returns the argument if `grammar` accepts it. An IRI is mapped to its URI.
pub fn uri(grammar: Grammar, text: &str) -> Result<Cow<'_, str>, ParseError> {
    grammar.parse(text)?;
    match grammar {
        // RFC 3987 maps IRIs to URIs by RFC 3986; the older documents know none.
        Grammar::Rfc3986 => Iri::parse(text)?.to_uri_with(hosts()),
        _ => Ok(Cow::Borrowed(text)),
    }
}

pub fn reference(grammar: Grammar, text: &str) -> Result<Cow<'_, str>, ParseError> {
    grammar.parse_reference(text)?;
    match grammar {
        Grammar::Rfc3986 => IriRef::parse(text)?.to_uri_ref_with(hosts()),
        _ => Ok(Cow::Borrowed(text)),
    }
}

/// Parses the result of [`uri`] as a URI by RFC 3986, which the later rules need.
pub fn newest(grammar: Grammar, text: &str) -> Result<Uri<'_>, VerbRefusal> {
    Uri::parse(text).map_err(|error| VerbRefusal::NotOfRfc3986(grammar, error))
}
