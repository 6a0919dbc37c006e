//! `urigrep resolve BASE REF...` (RFC 3986 §5.2, and the documents before it).

use clap::Args;
use serde::Serialize;
use urigrep::reference::{Resolution, Target};
use urigrep::{Grammar, ParseError};

use super::answers::{Answers, reference, uri};
use crate::cli::diagnostics::complain;
use crate::cli::flags::values::{self, DOCUMENTS};
use crate::cli::status::Status;

/// What is resolved, and by which document.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Exit status: 0, or 2 when an argument is no URI or reference.")]
pub struct ResolveFlags {
    #[arg(long, help = "Print a JSON object a reference.")]
    json: bool,

    #[arg(
        long,
        value_name = "GRAMMAR",
        default_value = "rfc3986",
        hide_default_value = true,
        value_parser = values::grammar,
        help = "Read and resolve by this document, such as rfc2396bis-01 or url-1993.",
        long_help = format!(
            "Read BASE and REF by this document, and resolve as it says: {DOCUMENTS}. The older ones differ in what \
             `..` above the root, `?query` and `#fragment` come to. To those of URNs all references are absolute."
        )
    )]
    grammar: Grammar,

    #[arg(
        long,
        help = "Ignore the scheme of a reference when it is that of BASE, so that `http:g` is `g`.",
        long_help = "Ignore the scheme of a reference when it is that of BASE, so that `http:g` is `g`, as RFC 3986 \
                     section 5.4.2 allows for the sake of old documents. Only with rfc3986 and rfc2396bis-01."
    )]
    lenient: bool,

    #[arg(
        value_name = "BASE",
        help = "The base, an absolute URI or IRI; its fragment does not count."
    )]
    base: String,

    #[arg(
        value_name = "REF",
        required = true,
        help = "URI references to resolve, or IRI references; each gets a line."
    )]
    references: Vec<String>,
}

#[derive(Serialize)]
struct Resolved<'a> {
    r#type: &'static str,
    base: &'a str,
    reference: &'a str,
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_document: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'a str>,
}

impl ResolveFlags {
    /// Resolves and prints.
    pub fn run(&self) -> Status {
        let strict = Resolution::of(self.grammar);
        let resolution = if self.lenient { strict.lenient() } else { Some(strict) };
        let Some(resolution) = resolution else {
            complain(
                "--lenient needs --grammar rfc3986 or rfc2396bis-01; the others know no such reading",
            );
            return Status::Error;
        };
        let mut answers = Answers::new(self.json);
        match uri(self.grammar, &self.base) {
            Err(error) => answers.refuse(&self.base, error.into()),
            Ok(base) => {
                for text in &self.references {
                    if let Err(error) = self.resolve(resolution, &base, text, &mut answers) {
                        answers.refuse(text, error.into());
                    }
                }
            }
        }
        answers.finish(Status::Match)
    }

    fn resolve(
        &self,
        resolution: Resolution,
        base: &str,
        text: &str,
        answers: &mut Answers,
    ) -> Result<(), ParseError> {
        let mapped = reference(self.grammar, text)?;
        let base = self.grammar.parse(base)?;
        let reference = self.grammar.parse_reference(&mapped)?;
        let target = resolution.resolve_parsed(&base, &reference);
        let (current_document, fragment) = match &target {
            Target::Uri(_) => (None, None),
            Target::CurrentDocument { fragment } => (Some(true), *fragment),
        };
        let object = Resolved {
            r#type: "resolved",
            base: &self.base,
            reference: text,
            target: target.uri(),
            current_document,
            fragment,
        };
        answers.answer(&target.to_string(), &object);
        Ok(())
    }
}
