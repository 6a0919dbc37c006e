//! Parses the `srcset` attribute (HTML Standard §4.8.4.2.3, "parsing a srcset attribute").

use super::token::is_space;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// A piece of the value other than white space and commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SrcsetPiece {
    Url(Span),
    /// Widths or densities of the preceding URL.
    Descriptors(Span),
}

pub(super) struct SrcsetPieces<'v> {
    value: &'v [u8],
    at: usize,
    /// True if descriptors may follow.
    after_url: bool,
}

impl<'v> SrcsetPieces<'v> {
    pub fn new(value: &'v [u8]) -> Self {
        Self { value, at: 0, after_url: false }
    }

    /// Advances while `is` holds and returns the span.
    fn take_while(&mut self, is: impl FnMut(&&u8) -> bool) -> Span {
        let start = self.at;
        let rest = self.value.clamped(start..);
        self.at += rest.iter().take_while(is).count();
        Span::new(start, self.at)
    }

    /// Reads the descriptors up to a comma outside parentheses.
    fn descriptors(&mut self) -> Span {
        self.take_while(|&&c| is_space(c));
        let mut open = None;
        self.take_while(|&&c| {
            match c {
                b'(' => open = Some(c),
                b')' => open = None,
                _ => {}
            }
            c != b',' || open.is_some()
        })
    }
}

impl Iterator for SrcsetPieces<'_> {
    type Item = SrcsetPiece;

    fn next(&mut self) -> Option<SrcsetPiece> {
        if std::mem::take(&mut self.after_url) {
            let span = self.descriptors();
            if !span.is_empty() {
                return Some(SrcsetPiece::Descriptors(span));
            }
        }
        self.take_while(|&&c| is_space(c) || c == b',');
        let url = self.take_while(|&&c| !is_space(c));
        let text = self.value.get(url.range())?;
        // A trailing comma ends the candidate, but a comma inside a URL (`data:`) does not.
        let commas = text.iter().rev().take_while(|&&c| c == b',').count();
        self.after_url = commas == 0;
        let url = Span::new(url.start(), url.end() - commas);
        (!url.is_empty()).then_some(SrcsetPiece::Url(url))
    }
}
