//! `urigrep compare URI URI` (RFC 3986 §6.2, RFC 8141 §3).

use clap::Args;
use serde::Serialize;
use urigrep::reference::{Difference, Rung, compare};

use super::answers::{Answers, GrammarFlag, Refusal, newest, uri};
use crate::cli::status::Status;

/// What is compared.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0 when they are the same, 1 when not, 2 when one is no URI.",
    after_long_help = "\
Prints the first on which they are the same:
  string  they are spelled the same
  syntax  but for case, percent-encoding and dot segments (RFC 3986 section 6.2.2)
  scheme  by the rules of their scheme, such as default ports (section 6.2.3)
  urn     they are URN-equivalent (RFC 8141 section 3)
or the component in which they differ, and at which byte of each, counted from 0. An IRI counts as
the URI it maps to.

Exit status: 0 when they are the same, 1 when not, 2 when one is no URI."
)]
pub struct CompareFlags {
    #[arg(long, help = "Print a JSON object.")]
    json: bool,

    #[arg(value_name = "URI", help = "A URI or IRI.")]
    a: String,

    #[arg(value_name = "URI", help = "Another.")]
    b: String,

    #[command(flatten)]
    by: GrammarFlag,
}

#[derive(Serialize)]
struct Compared<'a> {
    r#type: &'static str,
    a: &'a str,
    b: &'a str,
    equivalent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<Differs>,
}

/// Where they differ: 0-based byte offsets in the URIs of both.
#[derive(Serialize)]
struct Differs {
    component: &'static str,
    a: usize,
    b: usize,
}

impl From<Difference> for Differs {
    fn from(difference: Difference) -> Self {
        Self { component: difference.component().name(), a: difference.a(), b: difference.b() }
    }
}

impl CompareFlags {
    /// Compares and prints.
    pub fn run(&self) -> Status {
        let mut answers = Answers::new(self.json);
        let grammar = self.by.grammar;
        let texts = [&self.a, &self.b];
        let mapped = texts.map(|text| uri(grammar, text).map_err(Refusal::from));
        let uris = mapped.each_ref().map(|mapped| match mapped {
            Ok(text) => newest(grammar, text),
            Err(refusal) => Err(*refusal),
        });
        for (text, uri) in texts.into_iter().zip(&uris) {
            if let Err(refusal) = uri {
                answers.refuse(text, *refusal);
            }
        }
        let [Ok(a), Ok(b)] = uris else {
            return answers.finish(Status::Error);
        };
        let result = match compare(a, b) {
            // An IRI and the URI it maps to are the same, but not by their spelling (RFC 3987 §5.3.2).
            Ok(Rung::String) if self.a != self.b => Ok(Rung::Syntax),
            result => result,
        };
        let line = match result {
            Ok(rung) => rung.to_string(),
            Err(difference) => difference.to_string(),
        };
        let object = Compared {
            r#type: "compared",
            a: &self.a,
            b: &self.b,
            equivalent: result.is_ok(),
            by: result.ok().map(Rung::name),
            differs: result.err().map(Differs::from),
        };
        answers.answer(&line, &object);
        answers.finish(match result {
            Ok(_) => Status::Match,
            Err(_) => Status::NoMatch,
        })
    }
}
