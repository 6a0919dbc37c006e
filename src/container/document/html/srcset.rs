//! The candidates of a `srcset` attribute (HTML Standard §4.8.4.2.3, "parsing a srcset attribute").

use super::token::is_space;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// A piece of the value that is neither white space nor a comma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SrcsetPiece {
    Url(Span),
    /// Its widths or densities.
    Descriptors(Span),
}

pub(super) struct SrcsetPieces<'v> {
    value: &'v [u8],
    at: usize,
    expects: Expects,
}

#[derive(Clone, Copy)]
enum Expects {
    Url,
    Descriptors,
}

impl<'v> SrcsetPieces<'v> {
    pub fn new(value: &'v [u8]) -> Self {
        Self { value, at: 0, expects: Expects::Url }
    }

    /// Advances while `is` holds; returns the span.
    fn take_while(&mut self, is: impl FnMut(&&u8) -> bool) -> Span {
        let start = self.at;
        let rest = self.value.clamped(start..);
        self.at += rest.iter().take_while(is).count();
        Span::new(start, self.at)
    }

    /// The descriptors up to a comma that is not in parentheses.
    fn descriptors(&mut self) -> Span {
        self.take_while(|&&c| is_space(c));
        let mut open = None;
        let span = self.take_while(|&&c| {
            match c {
                b'(' => open = Some(c),
                b')' => open = None,
                _ => {}
            }
            c != b',' || open.is_some()
        });
        self.expects = Expects::Url;
        span
    }
}

impl Iterator for SrcsetPieces<'_> {
    type Item = SrcsetPiece;

    fn next(&mut self) -> Option<SrcsetPiece> {
        if matches!(self.expects, Expects::Descriptors) {
            let span = self.descriptors();
            if !span.is_empty() {
                return Some(SrcsetPiece::Descriptors(span));
            }
        }
        self.take_while(|&&c| is_space(c) || c == b',');
        let url = self.take_while(|&&c| !is_space(c));
        let text = self.value.get(url.range())?;
        // A comma at its end ends the candidate too; one inside, as in `data:`, does not.
        let commas = text.iter().rev().take_while(|&&c| c == b',').count();
        self.expects = match commas {
            0 => Expects::Descriptors,
            _ => Expects::Url,
        };
        let url = Span::new(url.start(), url.end() - commas);
        (!url.is_empty()).then_some(SrcsetPiece::Url(url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(value: &str) -> Vec<(bool, &str)> {
        let piece = |piece| match piece {
            SrcsetPiece::Url(span) => (true, &value[span.range()]),
            SrcsetPiece::Descriptors(span) => (false, value[span.range()].trim_end()),
        };
        SrcsetPieces::new(value.as_bytes()).map(piece).collect()
    }

    #[test]
    fn candidates() {
        assert_eq!(
            pieces(" a.png 1x, b.png 2x,c.png,, d.png"),
            [
                (true, "a.png"),
                (false, "1x"),
                (true, "b.png"),
                (false, "2x"),
                (true, "c.png,,".trim_end_matches(',')),
                (true, "d.png"),
            ]
        );
        assert_eq!(
            pieces("data:image/png,a,b 2x, e (f, g) 3x, h"),
            [
                (true, "data:image/png,a,b"),
                (false, "2x"),
                (true, "e"),
                (false, "(f, g) 3x"),
                (true, "h"),
            ]
        );
        assert_eq!(pieces("a,b"), [(true, "a,b")]);
        assert_eq!(pieces(" ,, "), []);
    }
}
