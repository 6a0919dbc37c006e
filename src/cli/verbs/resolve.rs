//! `urigrep resolve BASE REF...` (RFC 3986 §5.2, and the documents before it).

use std::borrow::Cow;
use std::ffi::OsString;

use clap::Args;
use serde::Serialize;
use urigrep::reference::{Resolution, Target};
use urigrep::{Grammar, ParseError};

use super::answers::{RedactFlag, VerbAnswers, reference, uri};
use super::arguments;
use crate::cli::diagnostics::complain;
use crate::cli::flags::values::{self, DOCUMENTS};
use crate::cli::status::Status;

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0, or 2 if an argument is not a URI or reference.",
    after_long_help = "\
Exit status:
  0  all references were resolved
  2  an argument is not a URI or reference, or an error

Examples:
  urigrep resolve http://a.example/b/c ../d '?q' '#f'
  urigrep resolve --json http://a.example/ //b.example/
  printf '../d\\n' | urigrep resolve http://a.example/b/c"
)]
pub struct ResolveFlags {
    #[arg(long, help = "Print one JSON object per reference.")]
    json: bool,

    #[arg(
        long,
        value_name = "GRAMMAR",
        default_value = "rfc3986",
        hide_default_value = true,
        value_parser = values::grammar,
        help = "Read and resolve by this document, such as rfc2396bis-01 or url-1993.",
        long_help = format!(
            "Read BASE and REF by this document, and resolve as it says: {DOCUMENTS}. The older ones differ in the \
             results for `..` above the root, `?query`, and `#fragment`. In the documents about URNs, all references are \
             absolute."
        )
    )]
    grammar: Grammar,

    #[arg(
        long,
        help = "Ignore the scheme of a reference if BASE has the same, so that `http:g` means `g`.",
        long_help = "Ignore the scheme of a reference if BASE has the same, so that `http:g` means `g`, as RFC 3986, section \
                     5.4.2, allows for old documents. Only with rfc3986 and rfc2396bis-01."
    )]
    lenient: bool,

    #[arg(
        value_name = "BASE",
        help = "The base: an absolute URI or IRI. Its fragment is ignored."
    )]
    base: String,

    #[arg(
        value_name = "REF",
        help = "The references to resolve; by default, and for `-`, the lines of standard input."
    )]
    references: Vec<OsString>,

    #[command(flatten)]
    secrets: RedactFlag,
}

#[derive(Serialize)]
struct Resolved<'a> {
    r#type: &'static str,
    base: &'a str,
    reference: &'a str,
    target: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_document: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<Cow<'a, str>>,
}

impl ResolveFlags {
    pub fn run(&self) -> Status {
        let strict = Resolution::for_grammar(self.grammar);
        let resolution = if self.lenient { strict.lenient() } else { Some(strict) };
        let Some(resolution) = resolution else {
            complain("--lenient works only with --grammar rfc3986 or rfc2396bis-01");
            return Status::Error;
        };
        let mut answers = VerbAnswers::new(self.json, self.secrets);
        let base = match uri(self.grammar, &self.base) {
            Ok(base) => base,
            Err(error) => {
                answers.refuse(&self.base, error.into());
                return answers.finish(Status::Error);
            }
        };
        let read = arguments::each(&self.references, "reference", |text| {
            let text = String::from_utf8_lossy(text);
            if let Err(error) = self.resolve(resolution, &base, &text, &mut answers) {
                // Further references are still resolved: a list may have one that is broken.
                answers.refuse(&text, error.into());
            }
            answers.flush()
        });
        answers.finish(read)
    }

    fn resolve(
        &self,
        resolution: Resolution,
        base: &str,
        text: &str,
        answers: &mut VerbAnswers,
    ) -> Result<(), ParseError> {
        // An IRI is mapped to a URI first (RFC 3987 §3.1): resolving works on URIs.
        let mapped = reference(self.grammar, text)?;
        let base = self.grammar.parse(base)?;
        let reference = self.grammar.parse_reference(&mapped)?;
        let target = resolution.resolve_parsed(&base, &reference);
        let (current_document, fragment) = match &target {
            Target::Uri(_) => (None, None),
            Target::CurrentDocument { fragment } => (Some(true), *fragment),
        };
        let shown = |text| self.secrets.uri(text);
        let line = target.to_string();
        let object = Resolved {
            r#type: "resolved",
            base: &shown(&self.base),
            reference: &shown(text),
            target: target.uri().map(shown),
            current_document,
            fragment: fragment.map(shown),
        };
        answers.answer(&shown(&line), &object);
        Ok(())
    }
}
