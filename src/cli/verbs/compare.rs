//! `urigrep compare URI URI` (RFC 3986 §6.2, RFC 8141 §3).

use std::ffi::OsString;

use clap::Args;
use serde::Serialize;
use urigrep::reference::{Difference, Rung, compare};

use super::answers::{GrammarFlag, RedactFlag, VerbAnswers, VerbRefusal, newest, uri};
use super::arguments;
use super::look::{self, ColorFlag};
use crate::cli::diagnostics::complain;
use crate::cli::status::Status;

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0 same, 1 different, 2 not a URI.",
    after_long_help = "\
Prints the strictest comparison under which the URIs are equal:
  string  equal byte for byte
  syntax  equal except for case, percent-encoding, and dot segments (RFC 3986, section 6.2.2)
  scheme  equal by the rules of their scheme, such as default ports (section 6.2.3)
  urn     URN-equivalent (RFC 8141, section 3)
  namespace  the same identifier by the rules of its namespace, such as an ISBN of ten and of
          thirteen digits, or a DOI and its URL at a resolver
or the component in which they differ, with the byte offset in each, from 0. An IRI is compared as
the URI it maps to.

Exit status:
  0  the same under one of these
  1  different
  2  an argument is not a URI, or an error

Examples:
  urigrep compare 'http://a.example/%7Ejo' 'HTTP://A.example:80/~jo'
  urigrep compare urn:isbn:0-306-40615-2 urn:isbn:9780306406157
  urigrep compare https://a.example/ - < uris"
)]
pub struct CompareFlags {
    #[arg(long, help = "Print a JSON object.")]
    json: bool,

    #[arg(
        value_name = "URI",
        num_args = 0..=2,
        help = "Two URIs or IRIs. `-` stands for the lines of standard input: in place of the second, each is compared \
                with the first; alone, each holds two."
    )]
    uris: Vec<String>,

    #[command(flatten)]
    by: GrammarFlag,

    #[command(flatten)]
    secrets: RedactFlag,

    #[command(flatten)]
    color: ColorFlag,
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

/// The place where they differ: 0-based byte offsets in both URIs.
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

fn worse(a: Status, b: Status) -> Status {
    match (a, b) {
        (Status::Error, _) | (_, Status::Error) => Status::Error,
        (Status::NoMatch, _) | (_, Status::NoMatch) => Status::NoMatch,
        (Status::Match, Status::Match) => Status::Match,
    }
}

/// Says under which comparison two URIs are the same.
fn meaning(rung: Rung) -> &'static str {
    match rung {
        Rung::String => "the same byte for byte",
        Rung::Syntax => "the same by the generic syntax (RFC 3986, section 6.2.2)",
        Rung::Scheme => "the same by the rules of their scheme (RFC 3986, section 6.2.3)",
        Rung::Urn => "URN-equivalent (RFC 8141, section 3)",
        Rung::Namespace => "the same identifier by the rules of its namespace",
        _ => "the same",
    }
}

impl CompareFlags {
    pub fn run(&self) -> Status {
        let mut answers = VerbAnswers::new(self.json, self.secrets);
        let mut status = Status::Match;
        let [stdin, none] = [vec![OsString::from("-")], Vec::new()];
        let mut lines = |first: Option<&str>, from: &[OsString]| {
            arguments::each(from, "pair of URIs", |line| {
                let line = String::from_utf8_lossy(line);
                let pair = match first {
                    Some(first) => Some((first, line.trim())),
                    // No URI has white space in it, so the first one divides the two.
                    None => line.split_once(char::is_whitespace),
                };
                match pair {
                    Some((a, b)) => {
                        status = worse(status, self.compare([a, b.trim()], &mut answers))
                    }
                    None => {
                        complain(&format!("{line}: expected two URIs per line"));
                        status = Status::Error;
                    }
                }
                answers.flush()
            })
        };
        let read = match self.uris.as_slice() {
            [] => lines(None, &none),
            [one] if one == "-" => lines(None, &stdin),
            [a, b] if b == "-" => lines(Some(a), &stdin),
            [a, b] => {
                status = self.compare([a, b], &mut answers);
                Status::Match
            }
            _ => {
                complain(
                    "compare needs two URIs; `-` instead of the second reads them from standard input",
                );
                Status::Error
            }
        };
        answers.finish(worse(status, read))
    }

    fn compare(&self, texts: [&str; 2], answers: &mut VerbAnswers) -> Status {
        let grammar = self.by.grammar;
        let mapped = texts.map(|text| uri(grammar, text).map_err(VerbRefusal::from));
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
            return Status::Error;
        };
        let result = match compare(a, b) {
            // An IRI and the URI that it maps to are equivalent, but their strings differ (RFC 3987
            // §5.3.2).
            Ok(Rung::String) if texts[0] != texts[1] => Ok(Rung::Syntax),
            result => result,
        };
        let look = self.color.look();
        let mut line = Vec::new();
        match result {
            Ok(rung) => {
                look.colors.text(look::GOOD, rung.name(), &mut line);
                // Scripts compare the word.
                if look.is_on_terminal() {
                    line.extend_from_slice(b": ");
                    line.extend_from_slice(meaning(rung).as_bytes());
                }
            }
            Err(difference) => look.colors.text(look::BAD, &difference.to_string(), &mut line),
        }
        // The offsets are those of the URIs that were compared, which show no secrets.
        if let Err(difference) = result
            && look.is_on_terminal()
            && !self.secrets.is_on()
        {
            for (uri, at) in [(a, difference.a()), (b, difference.b())] {
                line.push(b'\n');
                look.excerpt(uri.as_str().as_bytes(), at, &mut line);
                // An excerpt ends with a line feed, and an answer gets one, too.
                line.pop();
            }
        }
        let line = String::from_utf8_lossy(&line);
        let object = Compared {
            r#type: "compared",
            a: &self.secrets.uri(texts[0]),
            b: &self.secrets.uri(texts[1]),
            equivalent: result.is_ok(),
            by: result.ok().map(Rung::name),
            differs: result.err().map(Differs::from),
        };
        answers.answer(&line, &object);
        match result {
            Ok(_) => Status::Match,
            Err(_) => Status::NoMatch,
        }
    }
}
