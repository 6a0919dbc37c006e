//! Locates the pieces of links and of link reference definitions.
//!
//! The parser reports the destination of a link, but not its position (docs/decisions/0008). This
//! module finds the pieces again by the same rules: destinations and titles (CommonMark §6.3),
//! labels and definitions (§4.7). Offsets are bytes of the document. Time is linear in the
//! construct.

use memchr::{memchr, memchr2};

use crate::slice::SliceExt as _;
use crate::span::Span;

/// Largest nesting of parentheses in a destination, equal to the parser's limit.
const MAX_DEPTH: usize = 32;

/// Largest length of a label in bytes: 999 characters.
const MAX_LABEL_LENGTH: usize = 4 * 999;

/// The pieces of `(destination "title")`, which follows the text of an inline link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tail {
    /// Span without `<` and `>`.
    pub destination: Span,
    /// Span without quotes.
    pub title: Option<Span>,
}

/// The pieces of a link reference definition: `[label]: destination "title"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LinkDefinition {
    /// Span from `[` to the end of the destination or title.
    pub whole: Span,
    /// Span without brackets.
    pub label: Span,
    /// Span without `<` and `>`.
    pub destination: Span,
    /// Span without quotes.
    pub title: Option<Span>,
}

/// Reads the tail of an inline link, which must reach from `at` to the end of `bytes`.
pub(super) fn tail(bytes: &[u8], at: usize) -> Option<Tail> {
    let at = gap(bytes, at.checked_add(1).filter(|_| is(bytes, at, b'('))?).end;
    let (destination, at) = destination(bytes, at)?;
    let mut at = gap(bytes, at).end;
    let mut found = None;
    if let Some((title, end)) = title(bytes, at) {
        found = Some(title);
        at = gap(bytes, end).end;
    }
    // The text ends where the parser's link ends. If this reading ends elsewhere, it is not that of
    // the parser, and its spans would be wrong.
    let closed = is(bytes, at, b')') && at + 1 == bytes.len();
    closed.then_some(Tail { destination, title: found })
}

/// Reads the definition at `at`. The parser must have accepted it: this does not check whether a
/// paragraph is interrupted.
pub(super) fn definition(bytes: &[u8], at: usize) -> Option<LinkDefinition> {
    let label = label(bytes, at)?;
    if is_note(bytes, label) || !is(bytes, label.end() + 1, b':') {
        return None;
    }
    let start = gap(bytes, label.end() + 2);
    let (destination, after) = destination(bytes, start.end)?;
    // A blank line ends the paragraph that a definition is, and `[x]:` alone defines nothing.
    if start.lines > 1 || after == start.end {
        return None;
    }
    let mut definition =
        LinkDefinition { whole: Span::new(at, after), label, destination, title: None };
    let gap = gap(bytes, after);
    if gap.lines < 2
        && gap.end > after
        && let Some((title, end)) = title(bytes, gap.end)
        && ends_line(bytes, end)
    {
        definition.title = Some(title);
        definition.whole = Span::new(at, end);
        return Some(definition);
    }
    (gap.lines > 0 || gap.end == bytes.len()).then_some(definition)
}

/// Returns the offset after `[^label]:`, which starts a footnote.
pub(super) fn footnote(bytes: &[u8], at: usize) -> Option<usize> {
    let label = label(bytes, at)?;
    let colon = label.end() + 1;
    (is_note(bytes, label) && is(bytes, colon, b':')).then_some(colon + 1)
}

/// True for `^` and a name.
fn is_note(bytes: &[u8], label: Span) -> bool {
    label.len() > 1 && is(bytes, label.start(), b'^')
}

/// Returns the text between the brackets of the label at `at`. It contains no unescaped bracket.
fn label(bytes: &[u8], at: usize) -> Option<Span> {
    let mut end = at + 1;
    if !is(bytes, at, b'[') {
        return None;
    }
    while end - at <= MAX_LABEL_LENGTH {
        match bytes.get(end)? {
            b']' => return Some(Span::new(at + 1, end)),
            b'[' => return None,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    None
}

struct LinkGap {
    end: usize,
    lines: usize,
}

/// Skips white space and line breaks, with the container marks at the start of lines.
fn gap(bytes: &[u8], at: usize) -> LinkGap {
    let (mut end, mut lines) = (at, 0);
    while let Some(byte) = bytes.get(end) {
        match byte {
            b' ' | b'\t' | b'\x0b' | b'\x0c' | b'\r' => end += 1,
            b'\n' => {
                lines += 1;
                end = continued(bytes, end + 1);
            }
            _ => break,
        }
    }
    LinkGap { end, lines }
}

/// Returns the start of the content of the line at `at`, after block quote marks and indentation.
pub(super) fn prefix(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.clamped(at..);
    let skipped = rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'>'));
    at + skipped.count()
}

/// Returns the start of the content of the line at `at`, after the marks of all block quotes and
/// list items (CommonMark §5).
pub(super) fn line_content(bytes: &[u8], at: usize) -> usize {
    let mut at = prefix(bytes, at);
    loop {
        let rest = bytes.clamped(at..);
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let marker = match (digits, rest.get(digits)) {
            (0, Some(b'-' | b'+' | b'*' | b':')) | (1..=9, Some(b'.' | b')')) => digits + 1,
            _ => return at,
        };
        if !matches!(rest.get(marker), Some(b' ' | b'\t')) {
            return at;
        }
        at = prefix(bytes, at + marker);
    }
}

/// Like [`prefix`], for a line within a link or definition, whose content may start with `>`.
fn continued(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.clamped(at..);
    // A `>` more than there are block quotes is a character of the title or the destination.
    let mut quotes = quotes(bytes, at);
    let skipped = rest.iter().take_while(|b| match b {
        b' ' | b'\t' => true,
        b'>' if quotes > 0 => {
            quotes -= 1;
            true
        }
        _ => false,
    });
    at + skipped.count()
}

/// Returns the number of block quotes around the line before `at`. A continuation line has no more
/// quote marks than the line it continues.
fn quotes(bytes: &[u8], at: usize) -> usize {
    let before = bytes.part(..at.saturating_sub(1));
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
    let line = before.clamped(start..);
    let marks = line.iter().take_while(|b| {
        matches!(b, b' ' | b'\t' | b'>' | b'-' | b'*' | b'+' | b':' | b'.' | b')')
            || b.is_ascii_digit()
    });
    marks.filter(|b| **b == b'>').count()
}

/// Returns a destination, which may be empty, and the offset after it.
pub(super) fn destination(bytes: &[u8], at: usize) -> Option<(Span, usize)> {
    if is(bytes, at, b'<') {
        let mut end = at + 1;
        loop {
            match bytes.get(end)? {
                b'>' => return Some((Span::new(at + 1, end), end + 1)),
                b'\n' | b'\r' | b'<' => return None,
                b'\\' if escapes(bytes, end) => end += 2,
                _ => end += 1,
            }
        }
    }
    let (mut end, mut depth) = (at, 0_usize);
    while let Some(byte) = bytes.get(end) {
        match byte {
            // Without `<`, neither spaces nor control characters belong to a destination (§6.3).
            0..=b' ' => break,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            // With more, the parser sees no link, and the two must agree.
            b'(' if depth > MAX_DEPTH => return None,
            b'(' => depth += 1,
            b'\\' if escapes(bytes, end) => end += 1,
            _ => {}
        }
        end += 1;
    }
    (depth == 0).then_some((Span::new(at, end), end))
}

/// Returns a title and the offset after it.
fn title(bytes: &[u8], at: usize) -> Option<(Span, usize)> {
    let close = match bytes.get(at)? {
        b'(' => b')',
        quote @ (b'"' | b'\'') => *quote,
        _ => return None,
    };
    let mut end = at + 1;
    loop {
        end += memchr2(close, b'\\', bytes.get(end..)?)?;
        if is(bytes, end, close) {
            return Some((Span::new(at + 1, end), end + 1));
        }
        end += 2;
    }
}

/// True if only white space follows on the line.
fn ends_line(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.clamped(at..);
    let line = memchr(b'\n', rest).and_then(|end| rest.get(..end));
    line.unwrap_or(rest).trim_ascii().is_empty()
}

/// True if the backslash at `at` makes the next byte literal (CommonMark §2.4).
pub(super) fn escapes(bytes: &[u8], at: usize) -> bool {
    bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation)
}

fn is(bytes: &[u8], at: usize, byte: u8) -> bool {
    bytes.get(at) == Some(&byte)
}
