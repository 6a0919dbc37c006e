//! Reads the text after a run for closers, and trims the end of the run (D3, D4.3).

use super::super::authority::{MAX_USERINFO_LENGTH, next_at_sign};
use super::super::trim::format_breaks;
use super::super::wrapper::WrapperEdge;
use super::opener::FastOpener;
use super::walk::FastWalk;
use crate::kind::Wrapper;
use crate::slice::SliceExt;

/// D4.11: true for a field of comma-separated text. D4.7: true for a setting, or a parameter in the
/// query of a relative reference. Both depend on the text around the URI, which only the examiner
/// reads.
#[inline(always)]
pub(super) fn is_field(before: &[u8], walked: &FastWalk) -> bool {
    let before = before.last();
    walked.has_comma && matches!(before, None | Some(b'\n' | b',' | b'=' | b':'))
        || walked.has_ampersand && before == Some(&b'=')
}

/// Returns the trimmed end of the run and its wrapper. `None` if a full rule must decide.
#[inline(always)]
pub(super) fn end(
    text: &[u8],
    opened: (FastOpener, WrapperEdge),
    walked: &FastWalk,
) -> Option<(usize, Wrapper)> {
    let (wrapper, edge) = close(text, opened, walked)?;
    // D4.8: a program completes an authority
    if wrapper == Wrapper::Quote
        && walked.end == walked.path_start
        && matches!(text.part(..walked.end).last(), Some(b'.' | b'_'))
    {
        return None;
    }
    let end = match edge {
        // D4.5: its author cut it
        WrapperEdge::Exact if text.part(..walked.end).ends_with(b"...") => return None,
        WrapperEdge::Exact => walked.end,
        WrapperEdge::Open => trim(text, walked.body, walked.end)?,
    };
    // D3.8: a program's string keeps its whole URI, and the program completes one that ends in an
    // authority (D4.8).
    (wrapper != Wrapper::Quote || end == walked.end).then_some((end, wrapper))
}

/// Returns the wrapper formed by `opener` and the text after the run, and whether it is exact.
/// `None` if a full rule must decide.
#[inline(always)]
fn close(
    haystack: &[u8],
    (opener, edge): (FastOpener, WrapperEdge),
    walked: &FastWalk,
) -> Option<(Wrapper, WrapperEdge)> {
    let end = walked.end;
    let after = haystack.get(end).copied();
    let closed = match after {
        // D4.8: a variable of a shell
        Some(b'"' | b'\'') if touches_variable(haystack, end) => return None,
        // D4.3: the line break of a format
        Some(b'"') if format_breaks(haystack.part(..end)) > 0 => return None,
        // D2.4: CSV doubles a quotation mark
        Some(b'"') if opener == FastOpener::Quote => {
            if haystack.get(end + 1) == Some(&b'"') && may_be_inside(haystack, end + 1) {
                return None;
            }
            true
        }
        // D2.4: a quotation mark that closes nothing, or that apostrophes enclose
        Some(b'"') if opener == FastOpener::Apostrophe || may_be_inside(haystack, end) => {
            return None;
        }
        Some(b'"') => false,
        // D4.8: a command whose output a shell puts there
        Some(b'`') if opener != FastOpener::Backtick && may_be_inside(haystack, end) => {
            return None;
        }
        Some(b'`') => opener == FastOpener::Backtick,
        // D4.6: half of a defanged dot, `example.]com`
        Some(b')' | b']')
            if haystack.part(..end).last() == Some(&b'.') && may_be_inside(haystack, end) =>
        {
            return None;
        }
        // D3.8: in a string of a program, a bracket may be unpaired
        Some(b')' | b']') if opener == FastOpener::Apostrophe => return None,
        Some(b')') => opener == FastOpener::Paren,
        Some(b']') => opener == FastOpener::Bracket,
        // D3.6: an apostrophe of a word, `it's`, does not close
        Some(b'\'') if opener == FastOpener::Apostrophe && !may_be_inside(haystack, end) => true,
        Some(b'>') if opener == FastOpener::Angle => true,
        // D4.3: an arrow, `->`
        Some(b'>') if haystack.part(..end).last() == Some(&b'-') => return None,
        Some(b'>') => false,
        // D4.8: anything but a closing tag may be a placeholder. D1.6: a SICI contains `<…>`.
        Some(b'<') if haystack.get(end + 1) == Some(&b'/') && !sici(haystack, walked.body) => false,
        // D4.9: a parameter after a host, or a comma typed for a dot
        Some(b',' | b';') if end == walked.path_start && may_be_inside(haystack, end) => {
            return None;
        }
        Some(b',' | b';') => false,
        // D4.6: a defanged dot between spaces, `example [.] com`
        Some(b' ') if matches!(haystack.get(end + 1), Some(b'[' | b'(' | b'd' | b'D')) => {
            return None;
        }
        // D3.8: a string may continue after a space
        Some(b' ') if opener == FastOpener::Apostrophe => return None,
        Some(byte) if byte.is_ascii_whitespace() => false,
        None => false,
        _ => return None,
    };
    // D3.2, D3.6: a wrapper that is still open may be closed in the next line.
    if !closed
        && (edge == WrapperEdge::Exact || matches!(opener, FastOpener::Quote | FastOpener::Angle))
    {
        return None;
    }
    let wrapper = match opener {
        // `[uri text]` of a wiki: the space ends the URI
        FastOpener::Bracket if after.is_some_and(|b| b.is_ascii_whitespace()) => Wrapper::Bracket,
        FastOpener::Prefix => Wrapper::Prefix,
        _ if !closed => Wrapper::None,
        FastOpener::None => Wrapper::None,
        FastOpener::Quote | FastOpener::Apostrophe => Wrapper::Quote,
        FastOpener::Backtick => Wrapper::Backtick,
        FastOpener::Paren => Wrapper::Paren,
        FastOpener::Bracket => Wrapper::Bracket,
        FastOpener::Angle => Wrapper::Angle,
    };
    Some((wrapper, edge))
}

/// D4.9: true if a mark at `at` and an `@` follow in the same run, before a path, so that all
/// before the `@` may be the userinfo. Only for a URI with `//`: another one would end the run, so
/// the looks do not overlap.
pub(super) fn may_be_userinfo(haystack: &[u8], at: usize) -> bool {
    matches!(haystack.get(at), Some(b',' | b';' | b')' | b']'))
        && next_at_sign(haystack.part(at..).clamped(..MAX_USERINFO_LENGTH)).is_some()
}

/// True if the text after the mark at `at` may continue a URI.
fn may_be_inside(haystack: &[u8], at: usize) -> bool {
    let next = haystack.get(at + 1);
    next.is_some_and(|&b| b.is_ascii_alphanumeric() || matches!(b, b'%' | b'&' | b'\''))
}

/// True if a `$` may follow the mark at `at`, also in marks of its own: `"$x`, `'"$x"`.
fn touches_variable(haystack: &[u8], at: usize) -> bool {
    matches!(haystack.part(at + 1..), [b'$', ..] | [b'"' | b'\'', b'$', ..])
}

/// Bytes after a scheme in which the examiner searches a DOI.
const DOI_BYTES: usize = 16;

/// D1.6: true if a DOI may start after the scheme that ends at `body`.
fn sici(haystack: &[u8], body: usize) -> bool {
    let near = haystack.part(body..).clamped(..DOI_BYTES);
    near.windows(3).any(|w| w == b"10.")
}

/// D4.3: trims one soft character. A row of them may mean something else, and so may a mark that
/// an opener before the URI decides about. The examiner decides both.
#[inline(always)]
fn trim(haystack: &[u8], body: usize, end: usize) -> Option<usize> {
    let soft = |b: u8| matches!(b, b'.' | b',' | b';' | b':' | b'!' | b'?');
    let mark = |b: u8| matches!(b, b'*' | b'_' | b'\'' | b']');
    match haystack.get(body..end)? {
        [.., b, a] if soft(*a) => (!soft(*b) && !mark(*b)).then_some(end - 1),
        [.., a] if mark(*a) => None,
        // D3.7: the end of a comment
        [.., b'*', b'/'] => None,
        [.., b'&', b'&'] => None,
        _ => Some(end),
    }
}
