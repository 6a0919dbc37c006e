//! Prepares the parser's input: UTF-8 without front matter, at the offsets of the document.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};

use crate::slice::{self, ByteRuns as _, SliceExt as _};
use crate::span::Span;

use super::titles::with_long_titles;

/// Replacement for a byte that is not UTF-8: a control character without a meaning (SUB). A
/// replacement of one byte keeps the offsets.
const SUBSTITUTE: u8 = 0x1A;

/// Replacement for a `$` that delimits no formula. Of all punctuation of a URI, it means least in
/// Markdown.
const NO_DOLLAR: u8 = b'%';

pub(super) struct Prepared<'d> {
    /// The bytes, with lone carriage returns, which end lines, too (CommonMark §2.1), as line
    /// feeds.
    pub bytes: Cow<'d, [u8]>,
    /// The same text in UTF-8, equally long, without the `(` of links with long titles, the `$` in
    /// URIs, and colons at the start of lines that define nothing.
    pub text: Cow<'d, str>,
    /// Front matter without its fences.
    pub front: Option<Span>,
    /// Start of the Markdown, after the byte order mark and front matter.
    start: usize,
}

impl<'d> Prepared<'d> {
    pub fn new(bytes: &'d [u8]) -> Self {
        let bytes = line_feeds(bytes);
        let text = match bytes {
            Cow::Borrowed(bytes) => utf8(bytes),
            Cow::Owned(ref bytes) => Cow::Owned(utf8(bytes).into_owned()),
        };
        // Without its `(`, a link with a long title is plain text to the parser, which would take
        // quadratic time for it (docs/decisions/0008).
        let text = with(SUBSTITUTE, text, with_long_titles(&bytes));
        let text = with(NO_DOLLAR, text, dollars_in_uris(&bytes));
        let text = with(b' ', text, tabs_after_fences(&bytes));
        let text = with(SUBSTITUTE, text, colons_of_no_definition(&bytes));
        let mark = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
        let front = front_matter(text.as_bytes(), mark);
        Self {
            front: front.map(|(content, _)| content),
            start: front.map_or(mark, |(_, end)| end),
            bytes,
            text,
        }
    }

    pub fn content(&self) -> &str {
        self.text.clamped(self.start..)
    }

    /// Converts a range of [`content`](Self::content) to the document.
    pub const fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.start + range.start, self.start + range.end)
    }
}

/// Returns the content of the front matter at `at`, and the offset after its closing line.
///
/// It is enclosed by lines `---` (or `...` at the end) for YAML, or `+++` for TOML. It does not
/// start with an empty line; otherwise, `---` is a thematic break. Empty lines may be before TOML
/// (Zola), which means nothing else.
fn front_matter(bytes: &[u8], at: usize) -> Option<(Span, usize)> {
    let start = bytes.get(at..)?.trim_ascii_start();
    let at = if start.starts_with(b"+++") { bytes.len() - start.len() } else { at };
    let line = |at: usize| {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let end = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        Some((rest.get(..end)?.trim_ascii_end(), at + end))
    };
    let (fence, start) = line(at)?;
    let ends: &[&[u8]] = match fence {
        b"---" => &[b"---", b"..."],
        b"+++" => &[b"+++"],
        _ => return None,
    };
    let mut from = start;
    loop {
        let (text, next) = line(from)?;
        if ends.contains(&text) {
            return Some((Span::new(start, from), next));
        }
        if text.is_empty() && from == start {
            return None;
        }
        from = next;
    }
}

/// Returns each `$` in a URI or in the destination of a link. CommonMark has no formulas, so what
/// the extension makes of them never ends a URI: `http://a.example/$major/os/$arch` stays whole.
fn dollars_in_uris(text: &[u8]) -> impl Iterator<Item = usize> {
    let (mut from, mut in_uri) = (0, false);
    memchr_iter(b'$', text).filter(move |&at| {
        let between = text.part(from..at);
        let word = between.tail(between.trailing(|b| !b.is_ascii_whitespace()));
        let opens = memmem::rfind(word, b"](").map(|at| word.part(at..));
        // Without white space in between, this `$` is in the same word as the last one.
        in_uri = in_uri && word.len() == between.len() && !word.contains(&b')')
            || opens.is_some_and(|inside| !inside.contains(&b')'))
            || memmem::find(word, b"://").is_some();
        from = at;
        in_uri
    })
}

/// Returns each tab after a fence. The parser allows only spaces there, so that a block of code
/// would go on to the next fence; CommonMark allows tabs as well (§4.5).
fn tabs_after_fences(text: &[u8]) -> impl Iterator<Item = usize> {
    memchr_iter(b'\t', text).filter(|&at| {
        let after = text.clamped(at..);
        let is_last = || {
            let blanks = after.leading(|byte| matches!(byte, b' ' | b'\t'));
            matches!(after.get(blanks), None | Some(b'\n' | b'\r'))
        };
        let before = text.clamped(..at).tail(MAX_FENCE_BYTES);
        let fence =
            before.clamped(..before.len() - before.trailing(|byte| byte == b' ' || byte == b'\t'));
        (fence.ends_with(b"```") || fence.ends_with(b"~~~")) && is_last()
    })
}

/// Returns each colon at the start of a line without white space after it, as in `:::note`. The
/// parser takes it for the mark of a definition list, so that the paragraph before becomes a term,
/// and a fence below may be open to the end of the document. The mark needs a space (Pandoc's
/// manual, "Definition lists"; PHP Markdown Extra). `:--|` starts the line below the head of a
/// table.
fn colons_of_no_definition(text: &[u8]) -> impl Iterator<Item = usize> {
    memchr_iter(b':', text).filter(|&at| {
        let before = text.clamped(..at).tail(MAX_INDENTATION + 1);
        let line = before.clamped(..before.len() - before.trailing(|byte| byte == b' '));
        let is_first = matches!(line.last(), None | Some(b'\n'))
            && before.len() - line.len() <= MAX_INDENTATION;
        is_first && !matches!(text.get(at + 1), None | Some(b' ' | b'\t' | b'\n' | b'-'))
    })
}

/// Deeper lines are code, or belong to the block above (CommonMark §4.4).
const MAX_INDENTATION: usize = 3;

/// Longest fence with the blanks after it. The bound keeps time linear.
const MAX_FENCE_BYTES: usize = 64;

/// Replaces the bytes at these offsets, which must be ASCII, with `byte`.
fn with(byte: u8, text: Cow<'_, str>, mut places: impl Iterator<Item = usize>) -> Cow<'_, str> {
    let Some(first) = places.next() else { return text };
    let (mut made, mut from) = (String::with_capacity(text.len()), 0);
    for at in core::iter::once(first).chain(places) {
        made.push_str(text.part(from..at));
        made.push(char::from(byte));
        from = at + 1;
    }
    made.push_str(text.clamped(from..));
    Cow::Owned(made)
}

fn line_feeds(bytes: &[u8]) -> Cow<'_, [u8]> {
    let lone = |at: &usize| bytes.get(at + 1) != Some(&b'\n');
    let Some(first) = memchr_iter(b'\r', bytes).find(lone) else {
        return Cow::Borrowed(bytes);
    };
    let mut fed = bytes.to_vec();
    for at in memchr_iter(b'\r', bytes).filter(lone) {
        debug_assert!(at >= first);
        if let Some(byte) = fed.get_mut(at) {
            *byte = b'\n';
        }
    }
    Cow::Owned(fed)
}

fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    match slice::utf8(bytes) {
        Some(text) => Cow::Borrowed(text),
        None => {
            let mut text = String::with_capacity(bytes.len());
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                // One character per invalid byte, so that offsets stay the same.
                let invalid = chunk.invalid().iter();
                text.extend(invalid.map(|_| char::from(SUBSTITUTE)));
            }
            Cow::Owned(text)
        }
    }
}
