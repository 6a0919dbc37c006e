//! A plain match: its span, its kind, and the offsets of its components.

use alloc::boxed::Box;

use super::super::delimited::DerivedUri;
use super::super::line_prefix::line_after;
use super::super::literal;
use super::encoded::{FastEncoding, encode};
use super::walk::{FastForm, FastWalk};
use crate::grammar::{HostType, UriParts, host_type, offset};
use crate::kind::{Flags, Kind, Wrapper};
use crate::options::AssumedScheme;
use crate::slice::SliceExt;
use crate::span::Span;

/// A plain match: a URI that is its text or encodes a few characters of it, or a host whose URI is
/// its text after the assumed scheme (D7).
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastMatch {
    pub span: Span,
    pub wrapper: Wrapper,
    walked: FastWalk,
}

impl FastMatch {
    #[inline(always)]
    pub(super) fn new(span: Span, wrapper: Wrapper, walked: FastWalk) -> Self {
        Self { span, wrapper, walked }
    }

    #[inline(always)]
    pub fn kind(&self) -> Kind {
        match self.walked.form {
            FastForm::Web => self.walked.encoding.kind(),
            FastForm::Opaque => Kind::Uri,
            FastForm::Urn => Kind::Urn,
            FastForm::Unschemed => Kind::Abbreviated,
        }
    }

    /// Returns how far the rules read, up to the end of a line. At a line end, they read the next
    /// line as well (D5).
    #[inline(always)]
    pub fn looked(&self, haystack: &[u8]) -> usize {
        looked(haystack, self.walked.end)
    }

    #[inline(always)]
    pub fn flags(&self) -> Flags {
        self.walked.encoding.flags()
    }

    /// True if the URI is its text.
    #[inline(always)]
    pub fn is_text(&self) -> bool {
        self.walked.form != FastForm::Unschemed && self.walked.encoding == FastEncoding::None
    }

    /// Returns the URI if it differs from the text, and moves the offsets of its `parts`.
    pub fn derived(
        &self,
        haystack: &[u8],
        assumed: AssumedScheme,
        parts: &mut UriParts,
    ) -> Option<Box<DerivedUri>> {
        match (self.walked.form, self.walked.encoding) {
            (FastForm::Unschemed, _) => self.behind(assumed, haystack),
            (_, FastEncoding::None) => None,
            _ => self.encoded(haystack, parts),
        }
    }

    /// Returns the encoded URI.
    fn encoded(&self, haystack: &[u8], parts: &mut UriParts) -> Option<Box<DerivedUri>> {
        encode(haystack.part(self.span.range()), self.walked.encoded, self.kind(), parts)
            .map(Box::new)
    }

    /// Returns the URI with the `assumed` scheme.
    fn behind(&self, assumed: AssumedScheme, haystack: &[u8]) -> Option<Box<DerivedUri>> {
        // The walk accepts ASCII only
        let text = core::str::from_utf8(haystack.part(self.span.range())).ok()?;
        let uri = [assumed.prefix(), text].concat();
        Some(Box::new(DerivedUri { uri, ..DerivedUri::default() }))
    }

    /// Returns the components of the URI. Offsets fit because `max_uri` bounds its length.
    #[inline(always)]
    pub fn parts(&self, haystack: &[u8], assumed: AssumedScheme) -> UriParts {
        let Self { span, walked, .. } = *self;
        let end = span.end();
        let host_end = walked.host_end.min(end);
        let query_end = walked.fragment.min(end);
        let prefix = match walked.form {
            FastForm::Unschemed => assumed.prefix().len(),
            FastForm::Web | FastForm::Urn | FastForm::Opaque => 0,
        };
        let offset = |at: usize| offset(at - span.start() + prefix);
        let (hier_start, host_type) = match walked.form {
            FastForm::Urn | FastForm::Opaque => (offset(walked.body), None),
            FastForm::Web | FastForm::Unschemed => {
                let host_type = match haystack.get(walked.host_start..host_end) {
                    // Only a host that ends in a digit can be an IPv4 address, and IP literals
                    // never get here.
                    Some(host @ [.., b'0'..=b'9']) => host_type(host),
                    _ => HostType::RegName,
                };
                (offset(walked.body) - 2, Some(host_type))
            }
        };
        UriParts {
            hier_start,
            host_start: offset(walked.host_start),
            host_end: offset(host_end),
            path_start: offset(walked.path_start.min(end)),
            path_end: offset(walked.query.min(query_end)),
            query_end: offset(query_end),
            host_type,
        }
    }
}

/// [`FastMatch::looked`] for a run that ends at `end`. It does not take the match, because passing
/// its address would force all of its fields into memory.
#[cold]
fn looked(haystack: &[u8], end: usize) -> usize {
    match haystack.get(end) {
        // A line end that the window cuts is not a line end yet: `\r` may precede `\n`.
        None | Some(b'\n' | b'\r') => line_after(haystack, end).unwrap_or(usize::MAX),
        Some(b'"' | b'\'') => literal::looked(haystack, end),
        _ => end,
    }
}
