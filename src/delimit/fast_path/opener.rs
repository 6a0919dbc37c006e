//! The text before a scheme (D3.1, D3.6, D3.7), for simple cases.

use super::super::wrapper::WrapperEdge;
use crate::byte_table::{ByteTable, byte_table};
use crate::scan::is_prefix;
use crate::slice::SliceExt;

/// Most white space before a scheme in bytes; with more, the candidate goes to the examiner.
const MAX_SPACE_BYTES: usize = 64;

/// The plain text directly before a scheme.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FastOpener {
    None,
    /// `URL:` or `URI:`.
    Prefix,
    Quote,
    Apostrophe,
    Backtick,
    Paren,
    Bracket,
    Angle,
}

/// D3.1, D3.6, D3.7 for simple cases; `None` hands the candidate to the examiner.
#[inline(always)]
pub(super) fn opener(haystack: &[u8], start: usize) -> Option<(FastOpener, WrapperEdge)> {
    let text = haystack.part(..start);
    let Some((&byte, before)) = text.split_last() else {
        return Some((FastOpener::None, WrapperEdge::Open));
    };
    let exact_after = |sign| WrapperEdge::exact_if(before.last() == Some(&sign));
    // Most URIs follow a space or start their line. Testing these two bytes first avoids the jump
    // table that the match below compiles to.
    if matches!(byte, b' ' | b'\n') || BEFORE.get(byte) == ByteBefore::Space {
        return Some((after_space(text, before)?, WrapperEdge::Open));
    }
    let opener = match BEFORE.get(byte) {
        ByteBefore::Plain => (FastOpener::None, WrapperEdge::Open),
        ByteBefore::Rules | ByteBefore::Space => return None,
        ByteBefore::Colon => (label(text)?, WrapperEdge::Open),
        // D3.7: an emphasis mark of Org, unless the `=` assigns a value. A row of them is a frame.
        ByteBefore::Equals => match before.last() {
            Some(byte) if !byte.is_ascii_whitespace() && !b"([{'\"=".contains(byte) => {
                (FastOpener::None, WrapperEdge::Open)
            }
            _ => return None,
        },
        ByteBefore::Opener(opener @ (FastOpener::Quote | FastOpener::Apostrophe)) => {
            (opener, exact_after(b'='))
        }
        ByteBefore::Opener(FastOpener::Paren) => (FastOpener::Paren, exact_after(b']')),
        ByteBefore::Opener(FastOpener::Angle) => (FastOpener::Angle, WrapperEdge::Exact),
        ByteBefore::Opener(opener) => (opener, WrapperEdge::Open),
    };
    Some(opener)
}

/// Returns the opener in `text`, which ends in white space and has `before` in front of the last
/// byte.
#[inline]
fn after_space(text: &[u8], before: &[u8]) -> Option<FastOpener> {
    let before = without_space(before)?;
    match before.last() {
        Some(b':') => match label(before)? {
            // D3.1: not over a blank line
            FastOpener::Prefix if breaks(text.part(before.len()..)) > 1 => None,
            opener => Some(opener),
        },
        // D3.1: `< http://…>`; TeX's `\tt `
        Some(b'<') => None,
        Some(b't') if before.ends_with(b"\\tt") => None,
        _ => Some(FastOpener::None),
    }
}

fn breaks(space: &[u8]) -> usize {
    space.iter().filter(|&&byte| byte == b'\n').count()
}

/// Returns `text` without trailing white space, unless there is too much of it.
#[inline]
fn without_space(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    while let [before @ .., byte] = rest
        && byte.is_ascii_whitespace()
    {
        if text.len() - rest.len() == MAX_SPACE_BYTES {
            return None;
        }
        rest = before;
    }
    Some(rest)
}

/// D3.1: true if the colon at the end of `text` belongs to `URL:` or `URI:`, and nothing opened
/// before it.
fn label(text: &[u8]) -> Option<FastOpener> {
    let Some((before, word)) = text.split_last_chunk::<4>() else {
        return Some(FastOpener::None);
    };
    match before.last() {
        _ if !is_prefix(word) => Some(FastOpener::None),
        None => Some(FastOpener::Prefix),
        Some(byte) if byte.is_ascii_alphanumeric() => Some(FastOpener::None),
        Some(byte) if byte.is_ascii_whitespace() => {
            let word = before.trim_ascii_end().last();
            let plain = word.is_none_or(u8::is_ascii_alphanumeric);
            plain.then_some(FastOpener::Prefix)
        }
        Some(_) => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteBefore {
    Plain,
    Space,
    Colon,
    Equals,
    Opener(FastOpener),
    Rules,
}

static BEFORE: ByteTable<ByteBefore> = byte_table!(byte => match byte {
    b' ' | b'\t' | b'\n' | b'\r' | 0x0c => ByteBefore::Space,
    b':' => ByteBefore::Colon,
    b'=' => ByteBefore::Equals,
    b'"' => ByteBefore::Opener(FastOpener::Quote),
    b'\'' => ByteBefore::Opener(FastOpener::Apostrophe),
    b'`' => ByteBefore::Opener(FastOpener::Backtick),
    b'(' => ByteBefore::Opener(FastOpener::Paren),
    b'[' => ByteBefore::Opener(FastOpener::Bracket),
    b'<' => ByteBefore::Opener(FastOpener::Angle),
    // Marks, TeX, escapes, scheme characters, other scripts
    b'*' | b'_' | b'~' | b'@' | b'|' | b'{' | b'\\' | b'+' | b'-' | b'.' | 0x80.. => {
        ByteBefore::Rules
    }
    // D4.7: delimiters of a command of sed
    b'#' | b'!' | b'%' | b'^' => {
        ByteBefore::Rules
    }
    b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => ByteBefore::Rules,
    _ => ByteBefore::Plain,
});
