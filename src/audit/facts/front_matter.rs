//! Finds links in the strings of front matter, which a template renders as Markdown or HTML: Hugo
//! and Jekyll have `markdownify`, Zola has `markdown`. Jekyll has pages of HTML with front matter,
//! too.
//!
//! The languages of front matter are not parsed. So a link is only found if the front matter
//! contains it literally, without escapes.

use std::ops::Range;

use memchr::memmem;

use crate::document::picture;
use crate::slice::{ByteRuns as _, SliceExt as _, span_within};
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
            let tags = [&b" href="[..], b" src="].into_iter();
            let tags = tags.flat_map(|it| memmem::find_iter(line, it).map(|at| at + it.len()));
            let tags = tags.filter_map(|start| Some(start + 1..start + 1 + html(line, start)?));
            let first = found.len();
            found.extend(links.chain(tags).map(|range| at + range.start..at + range.end));
            found.get_mut(first..).unwrap_or_default().sort_by_key(|range| range.start);
        }
        at += line.len();
    }
    found
}

/// Returns the ranges of values that name a file or page by their key, `image: ./a.png` and
/// `link: /guide`, in order. What the key means is known only to the theme.
pub(super) fn values(text: &[u8]) -> Vec<Range<usize>> {
    let values = text.split(|&byte| byte == b'\n').filter_map(value);
    values.filter_map(|value| span_within(value, text)).map(Span::range).collect()
}

/// Returns the value of such a key in a line of YAML or TOML.
fn value(line: &[u8]) -> Option<&[u8]> {
    const KEYS: [&[u8]; 18] = [
        b"avatar",
        b"background",
        b"banner",
        // Of pandoc and Quarto.
        b"bibliography",
        b"csl",
        b"cover",
        b"dark",
        b"file",
        b"href",
        b"icon",
        b"image",
        b"img",
        b"light",
        b"link",
        b"logo",
        b"src",
        b"teaser",
        b"thumbnail",
    ];
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"- ").unwrap_or(line).trim_ascii_start();
    let end = line.iter().position(|byte| matches!(byte, b':' | b'='))?;
    let key = line.clamped(..end).trim_ascii_end().to_ascii_lowercase();
    // The address of the page itself.
    let is_known = key != b"permalink" && KEYS.iter().any(|known| key.ends_with(known));
    let value = line.clamped(end + 1..).trim_ascii_start();
    let value = match value.first() {
        Some(quote @ (b'"' | b'\'')) => {
            let inside = value.clamped(1..);
            inside.clamped(..memchr::memchr(*quote, inside)?)
        }
        // A comment follows a space.
        _ => value.clamped(..memmem::find(value, b" #").unwrap_or(value.len())).trim_ascii_end(),
    };
    (is_known && is_path(value)).then_some(value)
}

/// True for a value that can only be the path of a file or page.
fn is_path(value: &[u8]) -> bool {
    let is_rooted = value.len() > 1 && value.starts_with(b"/") && !value.starts_with(b"//");
    let is_relative = value.starts_with(b"./") || value.starts_with(b"../");
    let is_plain =
        |byte: &u8| !byte.is_ascii_whitespace() && !b":*<>{}[]()|$,\\\"'`".contains(byte);
    (is_rooted || is_relative || is_of_citations(value) || picture::is_path(value))
        && value.iter().all(is_plain)
}

/// True for the path of a bibliography, or of the style of its citations.
pub(super) fn is_of_citations(value: &[u8]) -> bool {
    value.ends_with(b".bib") || value.ends_with(b".csl")
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

/// Returns the length of a quoted attribute in an element `a` or `img`.
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
    let is_tag = tag.starts_with(b"<a ") || tag.starts_with(b"<img ");
    let is_link = is_tag && rest.get(length) == Some(&quote) && length > 0;
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
        let text = "a: \"[b](c.md) [d](#e)\"\n# f: [g](h)\ni:\n- '<a class=\"j\" href=\"k/\">l</a> ![m](n(o) \"p\")'\nq: '<b><img width=\"9\" src=\"/r.png\"></b>'\n";
        assert_eq!(found(text), ["c.md", "#e", "k/", "n(o)", "/r.png"]);
    }

    #[test]
    fn values_that_name_files() {
        let text = "image: './a.png' # b\nhero:\n  actions:\n    - link: /c/d#e\n      icon: f\n  Image: g.SVG\n\
            permalink: /h\nimage: i/j:latest\nlink: https://k.example/l.png\nsrc: \"/m\"\nlogo = \"n.webp\"\nlink: /\n\
            image: [o.png]\nbibliography: t.bib\nfile: p/q.py\nimage: r s.png\ntitle: /t\n";
        let found: Vec<&str> = values(text.as_bytes()).into_iter().map(|it| &text[it]).collect();
        assert_eq!(found, ["./a.png", "/c/d#e", "g.SVG", "/m", "n.webp", "t.bib"]);
    }

    #[test]
    fn no_links() {
        let text =
            "a: '[a-z](b|c)'\nd: [e](\nf: \"<a href=\\\"g\\\">\"\nh: <img src=i>\nj: [k]()\n";
        assert_eq!(found(text), [""; 0]);
    }
}
