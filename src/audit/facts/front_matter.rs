//! Finds links in the strings of front matter, which a template renders as Markdown or HTML: Hugo and
//! Jekyll have `markdownify`, Zola has `markdown`. Jekyll has pages of HTML with front matter, too.
//!
//! The languages of front matter are not parsed. What is neither a link of Markdown nor of HTML as it
//! stands, with escapes for example, is left alone.

use std::ops::Range;

use memchr::memmem;

use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// Returns the span of the YAML at the start of a page.
pub(super) fn of_page(bytes: &[u8]) -> Option<Span> {
    let first = memchr::memchr(b'\n', bytes)? + 1;
    let is_fence = bytes.clamped(..first).trim_ascii_end() == b"---";
    let last = memmem::find(bytes.clamped(first - 1..), b"\n---").filter(|_| is_fence)?;
    Some(Span::new(first, first + last))
}

/// Returns the ranges of the destinations, in order.
pub(super) fn destinations(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_comment = line.trim_ascii_start().starts_with(b"#");
        if !is_comment && memchr::memchr2(b']', b'=', line).is_some() {
            let links = memmem::find_iter(line, b"](").map(|it| it + 2);
            let links = links.filter_map(|start| Some(start..start + markdown(line, start)?));
            let tags = memmem::find_iter(line, b" href=").map(|it| it + " href=".len());
            let tags = tags.filter_map(|start| Some(start + 1..start + 1 + html(line, start)?));
            let first = found.len();
            found.extend(links.chain(tags).map(|range| at + range.start..at + range.end));
            found.get_mut(first..).unwrap_or_default().sort_by_key(|range| range.start);
        }
        at += line.len();
    }
    found
}

/// Returns the length of a destination of Markdown, up to its `)` or title.
fn markdown(line: &[u8], start: usize) -> Option<usize> {
    // A destination never reaches the next bracket, so that time is linear.
    let rest = line.clamped(start..);
    let mut depth = 0_usize;
    let end = rest.iter().position(|byte| match byte {
        b'(' => {
            depth += 1;
            false
        }
        b')' if depth > 0 => {
            depth -= 1;
            false
        }
        byte => b")[]|*^\\<>\"'`".contains(byte) || byte.is_ascii_whitespace(),
    })?;
    let after = rest.clamped(end..);
    let is_link = after.starts_with(b")") || after.starts_with(b" \"") || after.starts_with(b" '");
    (end > 0 && is_link).then_some(end)
}

/// Returns the length of a quoted attribute in an element `a`.
fn html(line: &[u8], start: usize) -> Option<usize> {
    let quote = line.get(start).copied().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let before = line.clamped(..start);
    // Attributes before this one are few.
    const MAX_TAG_BYTES: usize = 512;
    let before = before.tail(MAX_TAG_BYTES);
    let tag = before.clamped(memchr::memrchr(b'<', before)?..);
    let rest = line.clamped(start + 1..);
    // In a string of YAML, the same quotation mark would end the string.
    let length =
        rest.iter().position(|byte| b"\"'\\<>[".contains(byte) || byte.is_ascii_whitespace())?;
    let is_link = tag.starts_with(b"<a ") && rest.get(length) == Some(&quote) && length > 0;
    is_link.then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        destinations(text.as_bytes()).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn links() {
        let text = "a: \"[b](c.md) [d](#e)\"\n# f: [g](h)\ni:\n- '<a class=\"j\" href=\"k/\">l</a> ![m](n(o) \"p\")'\n";
        assert_eq!(found(text), ["c.md", "#e", "k/", "n(o)"]);
    }

    #[test]
    fn no_links() {
        let text =
            "a: '[a-z](b|c)'\nd: [e](\nf: \"<a href=\\\"g\\\">\"\nh: <img href='i'>\nj: [k]()\n";
        assert_eq!(found(text), [""; 0]);
    }
}
