//! Removes the colour sequences of terminals from texts. They may be between a name and its value,
//! and inside secrets: `"password"\x1b[0m: \x1b[32m"…"`.

use alloc::vec::Vec;

use memchr::{memchr, memchr_iter, memmem};

use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// A text without colours, and a map to the offsets in the original text.
pub(crate) struct PlainText {
    text: Vec<u8>,
    /// The bytes that replace a colour here: a blank, or nothing.
    width: usize,
    /// For each colour, the offset after it in this text, and the number of bytes removed up to
    /// there.
    colours: Vec<(usize, usize)>,
}

impl PlainText {
    fn new(text: &[u8], colours: &[Span], instead: &[u8]) -> Self {
        let mut plain = Self {
            text: Vec::with_capacity(text.len()),
            width: instead.len(),
            colours: Vec::with_capacity(colours.len()),
        };
        let mut at = 0;
        for colour in colours {
            plain.text.extend_from_slice(text.part(at..colour.start()));
            plain.text.extend_from_slice(instead);
            at = colour.end();
            plain.colours.push((plain.text.len(), at - plain.text.len()));
        }
        plain.text.extend_from_slice(text.part(at..));
        plain
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the span in the original text, without the colours around it.
    pub fn source(&self, span: Span) -> Span {
        let behind = |at: usize| self.colours.partition_point(|(colour, _)| *colour <= at);
        let before = |at: usize| self.colours.partition_point(|(colour, _)| *colour < at);
        let offset = |at: usize, colours: usize| {
            at + colours.checked_sub(1).map_or(0, |last| self.colours[last].1)
        };
        let (start, end) = (span.start(), span.end());
        // A blank at the end of the span stands for a colour in it.
        let end = offset(end, if self.width > 0 { behind(end) } else { before(end) });
        let start = offset(start, behind(start));
        Span::new(start, end.max(start))
    }
}

/// Returns the text with a blank in place of each colour, and the text without colours; nothing if
/// it has no colours.
pub(crate) fn removed(text: &[u8]) -> Vec<PlainText> {
    let colours = find(text);
    if colours.is_empty() {
        Vec::new()
    } else {
        [&b" "[..], b""].map(|instead| PlainText::new(text, &colours, instead)).into()
    }
}

/// Returns, in order, the control sequences of a text (ECMA-48 §5.4), also those that a string
/// spells as escapes.
pub(crate) fn find(text: &[u8]) -> Vec<Span> {
    const MAX_LENGTH: usize = 24;
    const STARTS: [&[u8]; 8] =
        [b"\x1b[", b"\\x1b[", b"\\x1B[", b"\\u001b[", b"\\u001B[", b"\\033[", b"\\e[", b"^[["];
    // Most texts have none.
    let spelled = [&b"1b["[..], b"1B[", b"033[", b"\\e[", b"^[["];
    let has_colour = memchr(b'\x1b', text).is_some()
        || spelled.iter().any(|start| memmem::find(text, start).is_some());
    if !has_colour {
        return Vec::new();
    }
    let colour = |bracket: usize| {
        let before = text.clamped(..bracket + 1);
        let start = STARTS.into_iter().find(|start| before.ends_with(start))?;
        let rest = text.clamped(bracket + 1..bracket + 1 + MAX_LENGTH);
        let length = rest.leading(|byte| byte.is_ascii_digit() || b";:?".contains(&byte));
        let is_whole = rest.get(length).is_some_and(u8::is_ascii_alphabetic);
        is_whole.then(|| Span::new(bracket + 1 - start.len(), bracket + 1 + length + 1))
    };
    memchr_iter(b'[', text).filter_map(colour).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_the_source() {
        let text = b"a\x1b[1mb\x1b[0m\\u001b[2mc [1m \x1b[";
        let [blanks, joined] = &removed(text)[..] else { panic!("no colours") };
        assert_eq!(
            (blanks.text(), joined.text()),
            (&b"a b  c [1m \x1b["[..], &b"abc [1m \x1b["[..])
        );
        for (plain, start) in [(blanks, 2), (joined, 1)] {
            let span = plain.source(Span::new(start, start + 1));
            assert_eq!(&text[span.range()], b"b");
        }
        assert_eq!(&text[blanks.source(Span::new(5, 6)).range()], b"c");
        assert_eq!(&text[joined.source(Span::new(2, 3)).range()], b"c");
        assert_eq!(&text[joined.source(Span::new(0, 3)).range()], &text[..20]);
        assert!(removed(b"a [1m").is_empty());
    }
}
