//! What the flat formats say of a finding: a table has it as columns, a template as fields.
//!
//! A member that a finding does not have is empty: where JSON leaves it out.

use std::borrow::Cow;

use urigrep::{Finding, Flag, Flags, Normalizer, Reason, Span, UriRef, Wrapper};

use crate::cli::flags::values::REFERENCE;
use crate::cli::offsets::Relation;
use crate::cli::sink::Hit;

/// A finding, as what is printed of any finding.
pub struct Record<'a> {
    hit: &'a Hit<'a>,
    /// Where it stands in the input: its first byte, and one past its last.
    pub bytes: [u64; 2],
    /// The text there after decoding.
    pub text: Cow<'a, [u8]>,
    /// The words for its kind and its wrapper; none for what was rejected.
    pub words: Option<(&'static str, Wrapper)>,
    /// What else is worth knowing.
    pub flags: Flags,
    /// The URI, or a relative reference that has no base; none of what was rejected.
    pub uri: Option<UriRef<'a>>,
    /// The IRI, where it is one.
    pub iri: Option<Cow<'a, str>>,
    /// Why it was rejected, and where in the text the fault is.
    pub reason: Option<(Reason, usize)>,
}

impl<'a> Record<'a> {
    /// What there is to say of this finding.
    pub fn new(hit: &'a Hit<'a>) -> Self {
        let span = hit.finding.span();
        match hit.finding {
            Finding::Match(m) => Self {
                hit,
                bytes: hit.span(span),
                text: m.text(),
                words: Some((m.kind().name(), m.wrapper())),
                flags: flags(hit, span, m.flags()),
                uri: UriRef::parse(m.parsed().as_str()).ok(),
                iri: m.iri().map(Cow::Borrowed),
                reason: None,
            },
            Finding::Relative(relative) => {
                let reference = relative.reference();
                let target = hit.target.and_then(|target| UriRef::parse(target).ok());
                let is_iri = relative.kind() == urigrep::Kind::Iri;
                Self {
                    hit,
                    bytes: hit.span(span),
                    text: Cow::Borrowed(hit.shown.unwrap_or(relative.as_bytes())),
                    words: Some((REFERENCE, relative.wrapper())),
                    flags: flags(hit, span, relative.flags()),
                    uri: Some(target.unwrap_or(reference)),
                    iri: is_iri.then(|| relative.intended()),
                    reason: None,
                }
            }
            Finding::Rejected(rejected) => Self {
                hit,
                bytes: hit.span(span),
                text: Cow::Borrowed(hit.shown.unwrap_or(rejected.as_bytes())),
                words: None,
                flags: flags(hit, span, Flags::default()),
                uri: None,
                iri: None,
                reason: Some((rejected.reason(), rejected.at())),
            },
        }
    }

    /// The bytes that were searched.
    pub fn source(&self) -> &'a [u8] {
        match self.hit.finding {
            Finding::Match(m) => m.as_bytes(),
            Finding::Relative(relative) => relative.as_bytes(),
            Finding::Rejected(rejected) => rejected.as_bytes(),
        }
    }

    /// The line and the column, if they were counted.
    pub fn place(&self) -> (u64, u64) {
        self.hit
            .place
            .map_or((0, 0), |place| (place.line, place.column))
    }

    /// The scheme in lower case.
    pub fn scheme(&self) -> Option<String> {
        Some(self.uri?.scheme()?.to_ascii_lowercase())
    }

    /// The normal form; none of a relative reference that has no base.
    pub fn normalized(&self, normalizer: &Normalizer) -> Option<Cow<'a, str>> {
        self.uri?.scheme()?;
        match self.hit.normal {
            Some(normal) => Some(Cow::Borrowed(normal)),
            None => self.hit.normalized(normalizer),
        }
    }

    /// The names of the flags, with a space between.
    pub fn flag_names(&self) -> String {
        let names: Vec<_> = self.flags.iter().map(Flag::name).collect();
        names.join(" ")
    }
}

fn flags(hit: &Hit<'_>, span: Span, flags: Flags) -> Flags {
    match hit.relation(span) {
        Relation::Same => flags,
        Relation::Decoded => flags.with(Flag::Decoded),
    }
}
