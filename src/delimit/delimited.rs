//! What the examination of a candidate gives.

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
use crate::offset_map::RunOrigin;
use crate::slice::SliceExt;
use crate::span::Span;

#[derive(Debug)]
pub(crate) enum Decision {
    /// A word before a colon.
    Nothing,
    Found(Delimited),
    Rejected {
        span: Span,
        reason: Reason,
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
    pub parts: UriParts,
    pub next: usize,
    /// What is not in the source as it is.
    pub made: Option<Box<DerivedUri>>,
}

/// What a match owns when its URI is not in the source as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct DerivedUri {
    /// The decoded text, where it differs from the source.
    pub text: Option<Vec<u8>>,
    /// The joined and decoded IRI, for [`Kind::Iri`].
    pub iri: Option<String>,
    pub uri: String,
    /// Source ranges, when more than one.
    pub ranges: Vec<Span>,
    /// D3.3: the URI without the hyphens that ended lines.
    pub alternative: Option<String>,
}

pub(super) fn make(
    view: &TextView<'_>,
    end: usize,
    finished: Finished,
    hyphens: &[usize],
    haystack: &[u8],
) -> DerivedUri {
    let text = view.text.part(..end);
    // what was finished is a URI or an IRI
    let string = || core::str::from_utf8(text).unwrap_or_default().to_owned();
    let derived = view.derived;
    let ranges = derived.map(|derived| derived.ranges(end)).unwrap_or_default();
    DerivedUri {
        text: derived.filter(|d| d.has(RunOrigin::Decoded, end)).map(|d| d.unjoined(end, haystack)),
        iri: (finished.kind == Kind::Iri).then(string),
        alternative: alternative(text, hyphens, &finished),
        uri: finished.uri.unwrap_or_else(string),
        ranges: if ranges.len() > 1 { ranges } else { Vec::new() },
    }
}

/// D3.3: the URI without the hyphens at `hyphens`.
fn alternative(text: &[u8], hyphens: &[usize], finished: &Finished) -> Option<String> {
    if !hyphens.iter().any(|&at| at + 1 < text.len()) {
        return None;
    }
    let kept = text.iter().enumerate().filter(|(at, _)| !hyphens.contains(at));
    let text: Vec<u8> = kept.map(|(_, &byte)| byte).collect();
    let scheme = match (finished.kind, finished.uri.as_deref()) {
        (Kind::Abbreviated, Some(uri)) => uri.split_inclusive("//").next().unwrap_or_default(),
        _ => "",
    };
    if !scheme.is_empty() {
        return finish_with_prefix(scheme, &text, 0, finished.hosts).ok()?.uri;
    }
    let finished = finish(&text, 0, finished.hosts).ok()?;
    finished.uri.or_else(|| String::from_utf8(text).ok())
}

/// The wrapper that did delimit the URI: one that opened before it and closed at its end.
pub(super) fn wrapper_of(
    context: &WrapperContext<'_>,
    closed: bool,
    marks_closed: bool,
    after: Option<u8>,
) -> Wrapper {
    match context.wrapper {
        Wrapper::Prefix => Wrapper::Prefix,
        // the marks are nearer than what is around them
        _ if marks_closed => Wrapper::Emphasis,
        // `[uri text]`
        Wrapper::Bracket if after.is_some_and(|b| b.is_ascii_whitespace()) => Wrapper::Bracket,
        wrapper if closed && wrapper != Wrapper::None => wrapper,
        Wrapper::Angle if context.angle.is_some_and(|angle| angle.has_prefix) => Wrapper::Prefix,
        _ => Wrapper::None,
    }
}
