//! `urigrep resolve BASE REF...` (RFC 3986 §5.2, and the documents before it).

use clap::{Args, ValueEnum};
use serde::Serialize;
use urigrep::{ParseError, Resolution, Target, Uri, UriRef};

use super::{Format, HelpFlag, Report, reference, uri};
use crate::cli::Status;

/// The flags of `urigrep resolve`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Exit status: 0, or 2 when an argument is no URI or reference.")]
pub struct Flags {
    #[arg(long, help = "Print a JSON object a reference.")]
    json: bool,

    #[arg(
        long,
        value_name = "NAME",
        default_value = "rfc3986",
        hide_default_value = true,
        help = "Resolve by this document; by RFC 3986 without the flag.",
        long_help = "Resolve by this document; by RFC 3986 without the flag. The older ones differ in what `..` above \
                     the root, `?query` and `#fragment` come to; BASE and REF are read by RFC 3986 all the same."
    )]
    grammar: Document,

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

    #[command(flatten)]
    help: HelpFlag,
}

/// The document whose algorithm is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Document {
    /// RFC 3986 section 5.2.
    #[value(name = "rfc3986")]
    Rfc3986,
    /// draft-fielding-uri-rfc2396bis-01 section 5.2.
    #[value(name = "rfc2396bis-01")]
    Rfc2396bis01,
    /// draft-fielding-url-syntax-05 section 5.2.
    #[value(name = "url-syntax-05")]
    UrlSyntax05,
    /// Berners-Lee, Uniform Resource Locators, July 1993: partial forms.
    #[value(name = "url-1993")]
    Url1993,
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

impl Flags {
    pub(super) fn run(&self, report: &mut Report) -> Status {
        let resolution = match (self.grammar, self.lenient) {
            (Document::Rfc3986, false) => Resolution::Rfc3986,
            (Document::Rfc3986, true) => Resolution::Rfc3986Lenient,
            (Document::Rfc2396bis01, false) => Resolution::Rfc2396bis01,
            (Document::Rfc2396bis01, true) => Resolution::Rfc2396bis01Lenient,
            (Document::UrlSyntax05, false) => Resolution::UrlSyntax05,
            (Document::Url1993, false) => Resolution::Url1993,
            (Document::UrlSyntax05 | Document::Url1993, true) => {
                return report.refuse(
                    "--lenient needs --grammar rfc3986 or rfc2396bis-01; the others know no such reading",
                );
            }
        };
        let format = Format::of(self.json);
        let base = match uri(&self.base) {
            Ok(base) => base,
            Err(error) => {
                report.fault(&self.base, error, format);
                return Status::Error;
            }
        };
        for text in &self.references {
            if let Err(error) = self.resolve(resolution, &base, text, report) {
                report.fault(text, error, format);
            }
        }
        Status::Match
    }

    fn resolve(
        &self,
        resolution: Resolution,
        base: &str,
        text: &str,
        report: &mut Report,
    ) -> Result<(), ParseError> {
        let mapped = reference(text)?;
        let target = resolution.resolve(Uri::parse(base)?, UriRef::parse(&mapped)?);
        if !self.json {
            report.line(&target.to_string());
            return Ok(());
        }
        let (current_document, fragment) = match &target {
            Target::Uri(_) => (None, None),
            Target::CurrentDocument { fragment } => (Some(true), *fragment),
        };
        report.object(&Resolved {
            r#type: "resolved",
            base: &self.base,
            reference: text,
            target: target.uri(),
            current_document,
            fragment,
        });
        Ok(())
    }
}
