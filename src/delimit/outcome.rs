//! What the examination of a candidate gives.

use super::settle::{Settled, settle, settle_after};
use super::trim::Marks;
use super::view::View;
use super::wrapper::{Context, Prefix};
use crate::error::Reason;
use crate::grammar::Parts;
use crate::offset_map::Origin;
use crate::span::Span;
use crate::verdict::{Flags, Kind, Wrapper};

/// What became of a candidate.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// A word before a colon.
    Nothing,
    Found(Delimited),
    Rejected {
        span: Span,
        reason: Reason,
        /// Where in the span the fault stands.
        at: usize,
    },
}

/// A URI with both its ends. Offsets are into the haystack.
#[derive(Debug)]
pub(crate) struct Delimited {
    pub span: Span,
    pub kind: Kind,
    pub wrapper: Wrapper,
    pub flags: Flags,
    pub parts: Parts,
    /// Where the search goes on.
    pub next: usize,
    /// What does not stand in the source as it is.
    pub made: Option<Box<Made>>,
}

/// What a match owns when its URI does not stand in the source as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Made {
    /// The decoded text, where it differs from the source.
    pub text: Option<Vec<u8>>,
    /// The joined and decoded IRI, for [`Kind::Iri`].
    pub iri: Option<String>,
    /// The URI.
    pub uri: String,
    /// Source ranges, when more than one.
    pub ranges: Vec<Span>,
    /// D3.3: the URI without the hyphens that ended lines.
    pub alternative: Option<String>,
}

/// Gathers what the match of `view` up to `end` will own.
pub(super) fn make(
    view: &View<'_>,
    end: usize,
    settled: &Settled,
    hyphens: &[usize],
    haystack: &[u8],
) -> Made {
    let text = view.text.get(..end).unwrap_or_default();
    // what was settled is a URI or an IRI
    let string = || std::str::from_utf8(text).unwrap_or_default().to_owned();
    let derived = view.derived;
    let ranges = derived
        .map(|derived| derived.ranges(end))
        .unwrap_or_default();
    Made {
        text: derived
            .filter(|d| d.has(Origin::Decoded, end))
            .map(|d| d.unjoined(end, haystack)),
        iri: (settled.kind == Kind::Iri).then(string),
        uri: settled.uri.clone().unwrap_or_else(string),
        ranges: if ranges.len() > 1 { ranges } else { Vec::new() },
        alternative: alternative(text, hyphens, settled),
    }
}

/// D3.3: the URI without the hyphens that stand at `hyphens`.
fn alternative(text: &[u8], hyphens: &[usize], settled: &Settled) -> Option<String> {
    if !hyphens.iter().any(|&at| at + 1 < text.len()) {
        return None;
    }
    let kept = text
        .iter()
        .enumerate()
        .filter(|(at, _)| !hyphens.contains(at));
    let text: Vec<u8> = kept.map(|(_, &byte)| byte).collect();
    let scheme = match (settled.kind, settled.uri.as_deref()) {
        (Kind::Abbreviated, Some(uri)) => uri.split_inclusive("//").next().unwrap_or_default(),
        _ => "",
    };
    if !scheme.is_empty() {
        return settle_after(scheme, &text, 0).ok()?.uri;
    }
    let settled = settle(&text, 0).ok()?;
    settled.uri.or_else(|| String::from_utf8(text).ok())
}

/// The wrapper that did delimit the URI: one that opened before it and closed at its end.
pub(super) fn wrapper_of(
    context: &Context<'_>,
    closed: bool,
    marks: Marks,
    after: Option<u8>,
) -> Wrapper {
    match context.wrapper {
        Wrapper::Prefix => Wrapper::Prefix,
        // the marks stand nearer than what is around them
        _ if marks == Marks::Closed => Wrapper::Emphasis,
        // `[uri text]`
        Wrapper::Bracket if after.is_some_and(|b| b.is_ascii_whitespace()) => Wrapper::Bracket,
        wrapper if closed && wrapper != Wrapper::None => wrapper,
        Wrapper::Angle
            if context
                .angle
                .is_some_and(|angle| angle.prefix == Prefix::Present) =>
        {
            Wrapper::Prefix
        }
        _ => Wrapper::None,
    }
}
