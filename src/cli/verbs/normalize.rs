//! `urigrep normalize URI...` (RFC 3986 §6.2.2, §6.2.3).

use clap::Args;
use serde::Serialize;
use urigrep::{Fragment, Normalizer, ParseError, Tracking, Uri};

use super::{Format, HelpFlag, Report, uri};
use crate::cli::Status;

/// The flags of `urigrep normalize`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Exit status: 0, or 2 when an argument is no URI.")]
pub struct Flags {
    #[arg(long, help = "Print a JSON object a URI.")]
    json: bool,

    #[arg(long, help = "Remove fragments.")]
    no_fragment: bool,

    #[arg(
        long,
        help = "Remove query parameters of http and https that only track: utm_*, fbclid, gclid and others.",
        long_help = "Remove query parameters of http and https that only say where a visitor came from: utm_*, \
                     fbclid, gclid, msclkid, mc_eid and others. No standard calls the result the same URI."
    )]
    no_tracking: bool,

    #[arg(
        value_name = "URI",
        required = true,
        help = "URIs or IRIs to normalize; each gets a line."
    )]
    uris: Vec<String>,

    #[command(flatten)]
    help: HelpFlag,
}

#[derive(Serialize)]
struct Normalized<'a> {
    r#type: &'static str,
    input: &'a str,
    normalized: &'a str,
}

impl Flags {
    pub(super) fn run(&self, report: &mut Report) -> Status {
        let mut normalizer = Normalizer::new();
        if self.no_fragment {
            normalizer = normalizer.fragment(Fragment::Removed);
        }
        if self.no_tracking {
            normalizer = normalizer.tracking(Tracking::Removed);
        }
        for text in &self.uris {
            if let Err(error) = self.normalize(normalizer, text, report) {
                report.fault(text, error, Format::of(self.json));
            }
        }
        Status::Match
    }

    fn normalize(
        &self,
        normalizer: Normalizer,
        text: &str,
        report: &mut Report,
    ) -> Result<(), ParseError> {
        let mapped = uri(text)?;
        let normalized = normalizer.normalize(Uri::parse(&mapped)?);
        if self.json {
            report.object(&Normalized {
                r#type: "normalized",
                input: text,
                normalized: &normalized,
            });
        } else {
            report.line(&normalized);
        }
        Ok(())
    }
}
