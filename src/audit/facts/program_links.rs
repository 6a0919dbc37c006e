//! The links in the markup of programs: `<a href="/a">` and `<Link to="/a">` in JSX and in the
//! components of Astro.

use std::ops::Range;

use memchr::memmem;

use super::menu::MAX_VALUE_BYTES;
use crate::slice::{ByteRuns as _, SliceExt as _, span_within};
use crate::span::Span;

/// Returns the literal values of these attributes, in order. Values that the program computes, and
/// those in comments, are left out.
pub(super) fn values(bytes: &[u8], keys: &[&str]) -> Vec<Span> {
    let comments = comments(bytes);
    let is_comment = |at: usize| {
        let next = comments.partition_point(|comment| comment.end <= at);
        comments.get(next).is_some_and(|comment| comment.start <= at)
    };
    let places = keys.iter().flat_map(|key| {
        memmem::find_iter(bytes, key.as_bytes()).map(move |at| (at, at + key.len()))
    });
    let found = places.filter(|&(at, _)| !is_comment(at));
    let mut found: Vec<Span> = found.filter_map(|(at, end)| value(bytes, at, end)).collect();
    found.sort_unstable_by_key(|span| span.start());
    found
}

/// Returns the value of the attribute whose name is at `at..end`.
fn value(bytes: &[u8], at: usize, end: usize) -> Option<Span> {
    let before = bytes.clamped(..at);
    // `let to="/a"` of a program: the word before declares a variable.
    let blanks = before.trailing(|byte| byte.is_ascii_whitespace());
    let before = before.clamped(..before.len() - blanks);
    let word = before.tail(before.trailing(|byte| byte.is_ascii_alphanumeric()));
    let is_declared = [&b"const"[..], b"let", b"var"].contains(&word);
    if blanks == 0 || is_declared {
        return None;
    }
    let rest = bytes.clamped(end..).strip_prefix(b"=")?;
    let quote = rest.first().copied().filter(|it| matches!(it, b'"' | b'\''))?;
    let value = rest.clamped(1..MAX_VALUE_BYTES + 1);
    let value = value.clamped(..value.iter().position(|&byte| byte == quote)?);
    // The attribute goes on with another one, or with the end of its tag.
    let after = rest.get(value.len() + 2)?;
    let is_in_tag = after.is_ascii_whitespace() || matches!(after, b'>' | b'/');
    let is_plain = !value.iter().any(|byte| matches!(byte, b'$' | b'\\' | b'\n' | b'{'));
    (is_in_tag && is_plain).then(|| span_within(value, bytes)).flatten()
}

/// Returns the comments of a program and of HTML, in order.
fn comments(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = memchr::memchr2(b'/', b'<', bytes.clamped(at..)) {
        let start = at + next;
        let rest = bytes.clamped(start..);
        let end = match rest {
            // A string may name `../posts/*.md`.
            [b'/', b'*', ..] if starts_comment(bytes.clamped(..start)) => Some(&b"*/"[..]),
            [b'<', b'!', b'-', b'-', ..] => Some(&b"-->"[..]),
            // An address has slashes, too.
            [b'/', b'/', ..] if starts_comment(bytes.clamped(..start)) => Some(&b"\n"[..]),
            _ => None,
        };
        let Some(end) = end else {
            at = start + 1;
            continue;
        };
        let length = memmem::find(rest, end).map_or(rest.len(), |found| found + end.len());
        found.push(start..start + length);
        at = start + length;
    }
    found
}

/// True if `//` or `/*` after this text starts a comment: at the start of a line, after white space,
/// or in the braces of JSX.
fn starts_comment(before: &[u8]) -> bool {
    before.last().is_none_or(|byte| byte.is_ascii_whitespace() || b";},{(>".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_attributes() {
        let text = "<a href=\"/a\">x</a> <Link to='/b' href={c} data-href=\"/no\"/> // <a href=\"/no\">\n\
            {/* <a href=\"/no\"> */} <!-- <a href=\"/no\"> --> const to=\"/no\"; x.href=\"/no\"\n\
            <a href=\"https://d.example/\"\n  to=\"/e\"> <B to=\"/no${f}\" to=\"/no\"+g to=\"/no";
        let found = values(text.as_bytes(), &["href", "to"]);
        let found: Vec<&str> = found.iter().map(|span| &text[span.range()]).collect();
        assert_eq!(found, ["/a", "/b", "https://d.example/", "/e"]);
        let text = "const a = glob('../posts/*.md');\n---\n<Outlet to=\"/f\"> {/* to=\"/no\" */}";
        let found = values(text.as_bytes(), &["to"]);
        assert_eq!(found.iter().map(|span| &text[span.range()]).collect::<Vec<_>>(), ["/f"]);
        assert_eq!(values(&b"/*".repeat(100_000), &["to"]).len(), 0);
        // Each quotation mark ends a value, and starts another one.
        assert!(values(&b" to=\"".repeat(100_000), &["to"]).len() < 100_000);
    }
}
