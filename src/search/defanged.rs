//! The printed form of a hit in which nothing can be clicked.

use core::ops::Range;

use crate::defang::{defang_bare, defang_parts};
use crate::grammar::UriParts;
use crate::reference::Normalizer;
use crate::search::hit::Hit;
use crate::{Finding, Kind, defang};

/// The texts of a hit, made unclickable for printing: see [`defang`]. [`Hit::with_defanged`] makes
/// a hit print them.
///
/// They are no longer URIs, because no URI has such a host. All other facts about the hit stay the
/// same.
#[derive(Clone, Debug)]
pub struct DefangedHit {
    uri: Option<(String, UriParts)>,
    iri: Option<String>,
    alternative: Option<String>,
    normalized: Option<String>,
    text: Vec<u8>,
}

impl DefangedHit {
    /// Defangs the texts of `hit`; `normalizer` makes its normal form.
    pub fn new(hit: &Hit<'_>, normalizer: &Normalizer) -> Self {
        let drawn = |text: &str| defang(text).into_owned();
        let matched = match hit.finding() {
            Finding::Match(m) => Some(m),
            _ => None,
        };
        let text = hit.text();
        let text = String::from_utf8_lossy(&text);
        let has_scheme = matched.is_none_or(|m| {
            // `doi:10.1000/1` has a scheme in the text, although it counts as an abbreviation of an
            // `https:` URI.
            !matches!(m.kind(), Kind::Abbreviated | Kind::Email) || m.scheme_as_written() == "doi"
        });
        Self {
            uri: hit.parsed().map(|uri| defang_parts(uri.as_str(), uri.parts())),
            iri: hit.iri().as_deref().map(drawn),
            alternative: matched.and_then(|m| m.alternative()).map(drawn),
            normalized: hit.normalized(normalizer).as_deref().map(drawn),
            text: if has_scheme { drawn(&text) } else { defang_bare(&text) }.into_bytes(),
        }
    }

    /// The URI.
    pub fn uri(&self) -> Option<&str> {
        self.uri.as_ref().map(|(uri, _)| uri.as_str())
    }

    /// The IRI, if there is one.
    pub fn iri(&self) -> Option<&str> {
        self.iri.as_deref()
    }

    /// The URI without hyphens that a typesetter may have added.
    pub fn alternative(&self) -> Option<&str> {
        self.alternative.as_deref()
    }

    /// The normal form.
    pub fn normalized(&self) -> Option<&str> {
        self.normalized.as_deref()
    }

    /// The matched text of the input.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The host.
    pub fn host(&self) -> Option<&str> {
        self.part(UriParts::host)
    }

    /// The path.
    pub fn path(&self) -> Option<&str> {
        self.part(|parts| Some(parts.path()))
    }

    /// The query.
    pub fn query(&self) -> Option<&str> {
        self.part(UriParts::query)
    }

    /// The fragment.
    pub fn fragment(&self) -> Option<&str> {
        let (uri, _) = self.uri.as_ref()?;
        self.part(|parts| parts.fragment(uri.len()))
    }

    fn part(&self, range: impl Fn(UriParts) -> Option<Range<usize>>) -> Option<&str> {
        let (uri, parts) = self.uri.as_ref()?;
        uri.get(range(*parts)?)
    }
}
