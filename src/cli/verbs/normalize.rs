//! `urigrep normalize URI...` (RFC 3986 §6.2.2, §6.2.3).

use std::ffi::OsString;

use clap::Args;
use serde::Serialize;
use urigrep::reference::{Fragment, Normalizer, Tracking};

use super::answers::{GrammarFlag, RedactFlag, VerbAnswers, VerbRefusal, newest, uri};
use super::arguments;
use crate::cli::status::Status;

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0, or 2 if an argument is not a URI.",
    after_long_help = "\
Exit status:
  0  all URIs were normalized
  2  an argument is not a URI, or an error

Examples:
  urigrep normalize HTTP://A.example:80/%7Ejo/../x
  urigrep normalize --no-fragment --no-tracking 'https://a.example/?utm_source=x#top'
  printf 'URN:ISBN:0-395-36341-1\\n' | urigrep normalize | sort -u"
)]
pub struct NormalizeFlags {
    #[arg(long, help = "Print one JSON object per URI.")]
    json: bool,

    #[arg(long, help = "Remove fragments.")]
    no_fragment: bool,

    #[arg(
        long,
        help = "Remove tracking parameters of http and https: utm_*, fbclid, gclid, and others.",
        long_help = "Remove query parameters of http and https that only record where a visitor came from: utm_*, fbclid, \
                     gclid, msclkid, mc_eid, and others. By the standards, the result is a different URI."
    )]
    no_tracking: bool,

    #[arg(
        value_name = "URI",
        help = "The URIs or IRIs to normalize; by default, and for `-`, the lines of standard input."
    )]
    uris: Vec<OsString>,

    #[command(flatten)]
    by: GrammarFlag,

    #[command(flatten)]
    secrets: RedactFlag,
}

#[derive(Serialize)]
struct Normalized<'a> {
    r#type: &'static str,
    input: &'a str,
    normalized: &'a str,
}

impl NormalizeFlags {
    pub fn run(&self) -> Status {
        let mut normalizer = Normalizer::new();
        if self.no_fragment {
            normalizer = normalizer.fragment(Fragment::Removed);
        }
        if self.no_tracking {
            normalizer = normalizer.tracking(Tracking::Removed);
        }
        let mut answers = VerbAnswers::new(self.json, self.secrets);
        let read = arguments::each(&self.uris, "URI", |text| {
            let text = String::from_utf8_lossy(text);
            if let Err(refusal) = self.normalize(normalizer, &text, &mut answers) {
                answers.refuse(&text, refusal);
            }
            answers.flush()
        });
        answers.finish(read)
    }

    fn normalize(
        &self,
        normalizer: Normalizer,
        text: &str,
        answers: &mut VerbAnswers,
    ) -> Result<(), VerbRefusal> {
        let mapped = uri(self.by.grammar, text)?;
        let normalized = normalizer.normalize(newest(self.by.grammar, &mapped)?);
        let normalized = self.secrets.uri(&normalized);
        let input = &self.secrets.uri(text);
        let object = Normalized { r#type: "normalized", input, normalized: &normalized };
        answers.answer(&normalized, &object);
        Ok(())
    }
}
