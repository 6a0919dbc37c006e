//! `urigrep compare URI URI` (RFC 3986 §6.2, RFC 8141 §3).

use clap::Args;
use serde::Serialize;
use urigrep::{Difference, Rung, Uri, compare};

use super::{Format, HelpFlag, Report, uri};
use crate::cli::Status;

/// The flags of `urigrep compare`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0 when they are the same, 1 when not, 2 when one is no URI.",
    after_long_help = "\
Prints the first on which they are the same:
  string  they are spelled the same
  syntax  but for case, percent-encoding and dot segments (RFC 3986 section 6.2.2)
  scheme  by the rules of their scheme, such as default ports (section 6.2.3)
  urn     they are URN-equivalent (RFC 8141 section 3)
or the component in which they differ, and at which byte of each, counted from 0.

Exit status: 0 when they are the same, 1 when not, 2 when one is no URI."
)]
pub struct Flags {
    #[arg(long, help = "Print a JSON object.")]
    json: bool,

    #[arg(value_name = "URI", help = "A URI or IRI.")]
    a: String,

    #[arg(value_name = "URI", help = "Another.")]
    b: String,

    #[command(flatten)]
    help: HelpFlag,
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
        Self {
            component: difference.component().name(),
            a: difference.a(),
            b: difference.b(),
        }
    }
}

impl Flags {
    pub(super) fn run(&self, report: &mut Report) -> Status {
        let mapped = [&self.a, &self.b].map(|text| (text, uri(text)));
        let [a, b] = &mapped;
        let (Ok(uri_a), Ok(uri_b)) = (&a.1, &b.1) else {
            for (text, mapped) in mapped {
                if let Err(error) = mapped {
                    report.fault(text, error, Format::of(self.json));
                }
            }
            return Status::Error;
        };
        let (parsed_a, parsed_b) = match (Uri::parse(uri_a), Uri::parse(uri_b)) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(error), _) | (_, Err(error)) => {
                report.fault(&self.a, error, Format::of(self.json));
                return Status::Error;
            }
        };
        let result = compare(parsed_a, parsed_b);
        if self.json {
            report.object(&Compared {
                r#type: "compared",
                a: &self.a,
                b: &self.b,
                equivalent: result.is_ok(),
                by: result.ok().map(Rung::name),
                differs: result.err().map(Differs::from),
            });
        } else {
            match result {
                Ok(rung) => report.line(rung.name()),
                Err(difference) => report.line(&difference.to_string()),
            }
        }
        if result.is_ok() {
            Status::Match
        } else {
            Status::NoMatch
        }
    }
}
