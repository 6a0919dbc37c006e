//! Reads the prefixes that quotations, comments, and diffs put before each line (D3.4).

use core::cmp::Ordering;

use super::wrapper::LOOKBACK;
use crate::slice::{ByteRuns, SliceExt};

/// Start of a line: the sign of a diff, then, after indentation, a mark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePrefix<'h> {
    /// D3.4a: `+` or `-` in the first column. A Markdown list has these too.
    sign: Option<u8>,
    /// Without the following space; empty if there is no mark.
    mark: &'h [u8],
    /// White space before the sign or the mark.
    indent: usize,
    /// White space before the text.
    blanks: usize,
}

/// The text of a line after its prefix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrefixedText {
    pub at: usize,
    pub indent: TextIndent,
}

/// Indentation of a line compared with the line before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextIndent {
    None,
    Same,
    Deeper,
    Less,
}

/// Marks of quotations and comments, longest first so that the first match is the whole mark.
/// The four after `#` are those of gettext: obsolete and previous texts, comments, and flags.
const MARKS: [&[u8]; 23] = [
    b"/**", b"/*!", b"///", b"//!", b"//", b".\\\"", b";;;", b";;", b"--", b"/*", b"|", b"#~|",
    b"#~", b"#|", b"#.", b"#,", b"##", b"#", b"%%%", b"%%", b"%", b"*", b">",
];

/// Most capitals before the quotation marks of some mailers.
const MAX_INITIALS: usize = 4;

impl<'h> LinePrefix<'h> {
    const NONE: Self = Self { sign: None, mark: b"", indent: 0, blanks: 0 };

    /// Reads the prefix of the line that contains `haystack[at]`, if its start is near enough.
    pub fn at(haystack: &'h [u8], at: usize) -> Self {
        line_before(haystack, at).map_or(Self::NONE, Self::read)
    }

    fn read(line: &'h [u8]) -> Self {
        let indent = indentation(line);
        // A mark such as `--` takes precedence over the sign of a diff. After a sign, the line of
        // the diff may have a mark itself.
        let (sign, found) = match (mark(line), line) {
            (b"", [sign @ (b'+' | b'-'), rest @ ..]) => (Some(*sign), mark(rest)),
            (mark, _) => (None, mark),
        };
        let text = line.part(usize::from(sign.is_some())..);
        let before_mark = indentation(text);
        let blanks = match found {
            [] => before_mark,
            mark => indentation(text.clamped(before_mark + mark.len()..)),
        };
        // A block comment of C continues with ` * `.
        let mark = if found.starts_with(b"/*") { b"*" } else { found };
        Self { sign, mark, indent, blanks }
    }

    pub fn is_any(&self) -> bool {
        self.sign.is_some() || self.has_mark()
    }

    pub fn has_mark(&self) -> bool {
        !self.mark.is_empty()
    }

    /// True for a star, which begins a line of a comment or an item of a list.
    pub fn is_star(&self) -> bool {
        self.mark == b"*"
    }

    /// True for a comment mark, or a quotation with initials. Every line of those has its mark,
    /// while mailers lose a bare `>`.
    fn is_comment(&self) -> bool {
        !matches!(self.mark.first(), None | Some(b'>' | b'|' | b'*'))
    }

    /// True if the line at `at` leaves the comment or the side of a diff. [`skip`](Self::skip)
    /// skips up to `past`.
    pub fn is_left(&self, haystack: &[u8], at: usize, past: usize) -> bool {
        let unmarked = past <= at + usize::from(self.sign.is_some());
        self.is_comment() && unmarked || self.changes_side(haystack, at)
    }

    fn changes_side(&self, haystack: &[u8], at: usize) -> bool {
        let sign = haystack.get(at).copied().filter(|b| matches!(b, b'+' | b'-'));
        let may_be_diff = self.sign.is_some() || self.mark.is_empty() && self.indent > 0;
        may_be_diff && sign.is_some() && sign != self.sign
    }

    /// D5: returns the text after the same prefix in the line at `at`.
    pub fn text(&self, haystack: &[u8], at: usize) -> Option<PrefixedText> {
        let past = self.skip(haystack, at);
        let is_missing = !self.mark.is_empty() && past <= at + usize::from(self.sign.is_some());
        // The next item of a list, not a diff
        let is_item = self.sign.is_some() && past > at && self.mark.is_empty() && self.blanks == 1;
        if is_missing && self.is_star() && self.sign.is_none() {
            return self.text_of_item(haystack, at);
        }
        if is_missing || is_item || self.changes_side(haystack, at) {
            return None;
        }
        let blanks = indentation(haystack.clamped(past..past + LOOKBACK));
        let text = past + blanks;
        if haystack.get(text).is_none_or(u8::is_ascii_whitespace) {
            return None;
        }
        // One space after a mark separates it from the text and is not an indentation.
        let is_flush = blanks <= usize::from(!self.mark.is_empty());
        let indent = match blanks.cmp(&self.blanks) {
            _ if is_flush => TextIndent::None,
            Ordering::Equal => TextIndent::Same,
            Ordering::Greater => TextIndent::Deeper,
            Ordering::Less => TextIndent::Less,
        };
        Some(PrefixedText { at: text, indent })
    }

    /// D5: returns the text in the line at `at` if it is indented like that of an item of a list,
    /// whose bullet is the star.
    fn text_of_item(&self, haystack: &[u8], at: usize) -> Option<PrefixedText> {
        let blanks = indentation(haystack.clamped(at..at + LOOKBACK));
        let is_text = !haystack.get(at + blanks).is_none_or(u8::is_ascii_whitespace);
        let text = PrefixedText { at: at + blanks, indent: TextIndent::Deeper };
        (blanks > self.indent && is_text).then_some(text)
    }

    /// Returns the offset after indentation and prefix of the line at `at`.
    pub fn skip(&self, haystack: &[u8], at: usize) -> usize {
        let line = haystack.part(at..);
        let signed = match self.sign {
            Some(sign) if line.first() == Some(&sign) => 1,
            _ => 0,
        };
        let line = line.part(signed..);
        let indent = indentation(line);
        let line = line.part(indent..);
        let length = match self.mark {
            [] => return at + signed,
            [b'>', ..] => {
                let marks = quotation(line);
                // Mailers write `>>` and `> >` for the same depth. Another depth is the text of
                // another author.
                if depth(marks) == depth(self.mark) { marks.len() } else { return at + signed }
            }
            mark if has_mark(line, mark) => mark.len(),
            _ => return at + signed,
        };
        at + signed + indent + length
    }
}

/// Returns up to `most` bytes of the line at `at`.
pub(super) fn line(haystack: &[u8], at: usize, most: usize) -> &[u8] {
    let near = haystack.clamped(at..at + most);
    memchr::memchr(b'\n', near).map_or(near, |end| near.part(..end))
}

/// Returns the start of the next line if `end` is a line end.
#[inline(always)]
pub(super) fn line_after(haystack: &[u8], end: usize) -> Option<usize> {
    match haystack.get(end..)? {
        [b'\n', ..] => Some(end + 1),
        [b'\r', b'\n', ..] => Some(end + 2),
        _ => None,
    }
}

/// Returns the part of the line before `haystack[at]`; `None` if it is longer than [`LOOKBACK`].
pub(crate) fn line_before(haystack: &[u8], at: usize) -> Option<&[u8]> {
    let floor = at.saturating_sub(LOOKBACK);
    let before = haystack.part(floor..at);
    match memchr::memrchr(b'\n', before) {
        Some(newline) => Some(before.part(newline + 1..)),
        None => (floor == 0).then_some(before),
    }
}

/// Returns the mark at the start of `line`, after indentation.
fn mark(line: &[u8]) -> &[u8] {
    let line = line.part(indentation(line)..);
    match line.first() {
        Some(b'>') => quotation(line),
        Some(byte) if byte.is_ascii_uppercase() => quotation_with_initials(line),
        _ => MARKS
            .iter()
            .find(|mark| has_mark(line, mark))
            .map_or(&b""[..], |mark| line.part(..mark.len())),
    }
}

fn has_mark(line: &[u8], mark: &[u8]) -> bool {
    // D3.4: without the white space, `#` starts an anchor, `%` a triplet, and `//` a path.
    line.strip_prefix(mark).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

fn indentation(line: &[u8]) -> usize {
    line.leading(|b| matches!(b, b' ' | b'\t'))
}

fn depth(marks: &[u8]) -> usize {
    marks.iter().filter(|&&b| b == b'>').count()
}

/// `JD> `, `C>> `: returns quotation marks after the initials of the person quoted.
fn quotation_with_initials(line: &[u8]) -> &[u8] {
    let initials = line.clamped(..MAX_INITIALS + 1).leading(|b| b.is_ascii_uppercase());
    let mark = line.part(..initials + quotation(line.part(initials..)).len());
    let is_mark = mark.len() > initials && initials <= MAX_INITIALS && has_mark(line, mark);
    if is_mark { mark } else { b"" }
}

/// `>`, `>>`, `> >`: returns the quotation marks of mail at the start of `line`.
fn quotation(line: &[u8]) -> &[u8] {
    let mut length = 0;
    while line.get(length) == Some(&b'>') {
        length += 1;
        if line.get(length) == Some(&b' ') && line.get(length + 1) == Some(&b'>') {
            length += 1;
        }
    }
    line.part(..length)
}
