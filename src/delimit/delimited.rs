//! The result of examining a candidate.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::finish::{Finished, finish, finish_with_prefix};
use super::text_view::TextView;
use super::wrapper::WrapperContext;
use crate::error::Reason;
use crate::grammar::UriParts;
use crate::kind::{Flags, Kind, Wrapper};
use crate::memmem;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::SliceExt;
use crate::span::Span;

#[derive(Debug)]
pub(crate) enum Decision {
    /// Not a URI: a word before a colon, for example.
    Nothing,
    Found(Delimited),
    Rejected {
        span: Span,
        reason: Reason,
        at: usize,
    },
}

/// A URI with both ends. Offsets are into the haystack.
#[derive(Debug)]
pub(crate) struct Delimited {
    pub span: Span,
    pub kind: Kind,
    pub wrapper: Wrapper,
    pub flags: Flags,
    pub parts: UriParts,
    pub next: usize,
    /// Owned parts of a URI that differs from the source.
    pub derived: Option<Box<DerivedUri>>,
}

/// Owned parts of a match whose URI differs from the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct DerivedUri {
    /// The decoded text, where it differs from the source.
    pub text: Option<Vec<u8>>,
    /// For [`Kind::Iri`].
    pub iri: Option<DerivedIri>,
    pub uri: String,
    /// Source ranges, if there is more than one.
    pub ranges: Vec<Span>,
    /// D3.3: the URI without the hyphens that end lines. The text does not show whether a hyphen
    /// belongs to the URI or broke a word, so both readings are reported.
    pub alternative: Option<String>,
}

/// The joined and decoded IRI of a derived URI.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DerivedIri {
    /// The text of the source, so no copy of it is needed.
    Source,
    Owned(String),
}

impl DerivedIri {
    /// Returns the IRI; `source` is the text of the match.
    pub fn read<'a>(&'a self, source: &'a [u8]) -> Option<&'a str> {
        match self {
            Self::Source => core::str::from_utf8(source).ok(),
            Self::Owned(iri) => Some(iri),
        }
    }
}

pub(super) fn derive(
    view: &TextView<'_>,
    end: usize,
    finished: Finished,
    hyphens: &[usize],
    haystack: &[u8],
) -> DerivedUri {
    let text = view.text.part(..end);
    // A finished text is valid UTF-8: it passed the grammar of URIs or of IRIs.
    let string = || core::str::from_utf8(text).unwrap_or_default().to_owned();
    let derived = derivation(view, end);
    DerivedUri {
        text: derived.filter(|d| d.has(RunOrigin::Decoded, end)).map(|d| d.unjoined(end, haystack)),
        iri: (finished.kind == Kind::Iri).then(|| match derived {
            None => DerivedIri::Source,
            Some(_) => DerivedIri::Owned(string()),
        }),
        alternative: alternative(text, hyphens, &finished),
        uri: finished.uri.unwrap_or_else(string),
        ranges: derived.map(|derived| derived.several_ranges(end)).unwrap_or_default(),
    }
}

/// Returns the derivation of the text up to `end`, unless that is a copy of the source. It usually
/// is, because most escapes and breaks follow the URI.
pub(super) fn derivation<'v>(view: &TextView<'v>, end: usize) -> Option<&'v DerivedText> {
    view.derived.filter(|derived| !derived.is_copied(end))
}

/// D3.3: returns the URI without the hyphens at `hyphens`.
fn alternative(text: &[u8], hyphens: &[usize], finished: &Finished) -> Option<String> {
    if !hyphens.iter().any(|&at| at + 1 < text.len()) {
        return None;
    }
    let kept = text.iter().enumerate().filter(|(at, _)| !hyphens.contains(at));
    let text: Vec<u8> = kept.map(|(_, &byte)| byte).collect();
    let scheme = match (finished.kind, finished.uri.as_deref()) {
        (Kind::Abbreviated, Some(uri)) => {
            let slashes = memmem::find(uri.as_bytes(), b"//");
            uri.get(..slashes.map_or(uri.len(), |at| at + 2)).unwrap_or_default()
        }
        _ => "",
    };
    if !scheme.is_empty() {
        return finish_with_prefix(scheme, &text, 0, finished.hosts).ok()?.uri;
    }
    let finished = finish(&text, 0, finished.hosts).ok()?;
    finished.uri.or_else(|| String::from_utf8(text).ok())
}

/// Returns the wrapper that actually delimited the URI: it opened before the URI and closed at its
/// end.
pub(super) fn wrapper_of(
    context: &WrapperContext<'_>,
    closed: bool,
    marks_closed: bool,
    after: Option<u8>,
) -> Wrapper {
    match context.wrapper {
        Wrapper::Prefix => Wrapper::Prefix,
        // Emphasis marks are nearer than the wrapper around them
        _ if marks_closed => Wrapper::Emphasis,
        // `[uri text]` of a wiki: the space ends the URI
        Wrapper::Bracket if after.is_some_and(|b| b.is_ascii_whitespace()) => Wrapper::Bracket,
        wrapper if closed && wrapper != Wrapper::None => wrapper,
        Wrapper::Angle if context.angle.is_some_and(|angle| angle.has_prefix) => Wrapper::Prefix,
        _ => Wrapper::None,
    }
}
