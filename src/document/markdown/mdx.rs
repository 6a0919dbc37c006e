//! Rewrites MDX for a CommonMark parser, which allows text and fences at any depth.
//!
//! MDX has no indented code: the content of a component may be indented as deep as the component.
//! CommonMark reads a deep line after an empty one as code, and then reads the closing fence as an
//! opening one.
//!
//! MDX has no blocks of HTML either: `<div>[a](b)</div>` has a link. CommonMark reads no links in a
//! block that starts with such a tag (§4.6).

use memchr::memmem;

use super::columns::{FORM_FEED, hide_tag, unindent};
use super::unseen::is_for_urigrep;
use crate::slice::{ByteRuns as _, SliceExt as _};

/// Tags that start a block of HTML wherever a line starts with them (CommonMark §4.6, condition 6).
const BLOCK_TAGS: &str = "address article aside base basefont blockquote body caption center col \
    colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset \
    h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol \
    optgroup option p param search section summary table tbody td tfoot th thead title tr track ul";

/// Rewrites MDX without changing its length. Indentation of deep fences moves after them, other
/// deep lines become text, and tags start no block of HTML.
pub(super) fn as_markdown(mdx: &[u8]) -> Vec<u8> {
    let mut prepared = mdx.to_vec();
    blank_comments(&mut prepared);
    join_names(&mut prepared);
    blank_spreads(&mut prepared);
    close_tags(&mut prepared);
    let mut is_after_empty = true;
    let mut left = prepared.as_mut_slice();
    while !left.is_empty() {
        let end = memchr::memchr(b'\n', left).unwrap_or(left.len());
        let (line, after) = left.split_at_mut(end);
        if is_lone_link(line) && starts_text(after.get(1..).unwrap_or_default()) {
            // A tag that fills its line starts a block of HTML (CommonMark §4.6, condition 7), and
            // has to keep its link. Text in its line keeps it from that.
            after.iter_mut().take(1).for_each(|end| *end = b' ');
        }
        left = after.get_mut(1..).unwrap_or_default();
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = line.get(blanks..).unwrap_or_default();
        let is_empty = matches!(rest, [] | [b'\r']);
        // A block of HTML may also start in a list item or quote.
        let inside = blanks + container_marks(rest);
        if rest.starts_with(b"```") || rest.starts_with(b"~~~") {
            line.rotate_left(blanks);
        } else if is_component(rest) {
            hide_tag(line);
        } else if let Some(end) = block_tag(rest) {
            // Nothing can be inserted before a tag that starts its line, and another name keeps it
            // a tag. Only names with links must stay.
            match line.get_mut(blanks + end) {
                Some(last) if blanks == 0 => *last = b'q',
                _ => line.iter_mut().take(1).for_each(|first| *first = FORM_FEED),
            }
        } else {
            if inside > blanks {
                hide_block(line.get_mut(inside..).unwrap_or_default());
            }
            if is_after_empty && !is_empty {
                unindent(line);
            }
        }
        is_after_empty = is_empty;
    }
    prepared
}

/// Keeps a tag after the mark of a list item or quote from starting a block of HTML.
fn hide_block(content: &mut [u8]) {
    if is_lone(content) {
        hide_tag(content);
    } else if let Some(last) = block_tag(content).and_then(|end| content.get_mut(end)) {
        *last = b'q';
    }
}

/// Returns the length of the marks of list items and quotes at the start of a line, up to their
/// content: `> - 1. ` (CommonMark §5.1, §5.2).
fn container_marks(line: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = line.clamped(at..);
        // The number of a list item has at most nine digits (CommonMark §5.2).
        let digits = rest.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
        let length = match (digits, rest.get(digits)) {
            (0, Some(b'-' | b'*' | b'+' | b'>')) => 1,
            (1.., Some(b'.' | b')')) => digits + 1,
            _ => return at,
        };
        let rest = rest.clamped(length..);
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        // The mark of a quote needs no blank after it (§5.1), that of an item does (§5.2).
        if blanks == 0 && line.get(at) != Some(&b'>') {
            return at;
        }
        at += length + blanks;
    }
}

/// True for a component's tag that fills its line and has no link. CommonMark would read the lines
/// after it as HTML.
fn is_component(line: &[u8]) -> bool {
    tag_name(line).first().is_some_and(u8::is_ascii_uppercase) && is_lone(line)
}

/// True for any tag that fills its line and has no link, except for those of raw text.
fn is_lone(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let name = tag_name(line);
    let is_raw = [&b"pre"[..], b"script", b"style", b"textarea"].contains(&name);
    !name.is_empty()
        && !is_raw
        && line.ends_with(b">")
        && memchr::memchr_iter(b'>', line).count() == 1
        && !has_link(line)
}

/// True for an opening tag with a link that fills its line, and starts no block for its name.
fn is_lone_link(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let name = tag_name(line);
    let is_raw = [&b"pre"[..], b"script", b"style", b"textarea"].contains(&name);
    !name.is_empty()
        && !is_raw
        && !line.starts_with(b"</")
        && line.ends_with(b">")
        && !line.ends_with(b"/>")
        && memchr::memchr_iter(b'>', line).count() == 1
        && block_tag(line).is_none()
        && has_link(line)
}

/// True for text that goes on in a paragraph, whatever was before it.
fn starts_text(text: &[u8]) -> bool {
    let text = text.clamped(text.leading(|byte| matches!(byte, b' ' | b'\t'))..);
    match text.first() {
        Some(b'[') => true,
        Some(b'!') => text.get(1) == Some(&b'['),
        Some(byte) => byte.is_ascii_alphabetic() || !byte.is_ascii(),
        None => false,
    }
}

/// Returns the offset of the last letter in the name of a tag that starts a block of HTML, if the
/// tag has no link.
fn block_tag(line: &[u8]) -> Option<usize> {
    let name = tag_name(line);
    let is_block = |name: &[u8]| {
        let mut known = BLOCK_TAGS.split_ascii_whitespace();
        known.any(|known| known.as_bytes().eq_ignore_ascii_case(name))
    };
    let tag = line.clamped(..memchr::memchr(b'>', line).unwrap_or(line.len()));
    let before = if line.starts_with(b"</") { 2 } else { 1 };
    (is_block(name) && !has_link(tag)).then(|| before + name.len() - 1)
}

/// Returns the name of the tag at the start of a line; empty for other lines.
fn tag_name(line: &[u8]) -> &[u8] {
    let name = line.strip_prefix(b"<").map(|rest| rest.strip_prefix(b"/").unwrap_or(rest));
    let name = name.unwrap_or_default();
    name.clamped(..name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count())
}

/// True for a tag with an attribute whose name has such a word in it: `dark-src=`, `srcset=`,
/// `to={a}`. In a value, as in `title="Search & data operations"`, it means nothing.
fn has_link(tag: &[u8]) -> bool {
    ["href", "src", "cite", "action", "data", " to"].iter().any(|word| {
        memmem::find_iter(tag, word.as_bytes()).any(|at| {
            let rest = tag.clamped(at + word.len()..);
            let length = match *word {
                " to" => 0,
                _ => rest.leading(|byte| byte.is_ascii_alphanumeric() || byte == b'-'),
            };
            rest.clamped(length..).trim_ascii_start().starts_with(b"=")
        })
    })
}

/// Replaces the dots in names of components, `<Cards.Card href="a">`: with a dot, it is not a tag
/// to CommonMark (§6.6), and its links are lost.
fn join_names(text: &mut [u8]) {
    let mut at = 0;
    while let Some(start) = memchr::memchr(b'<', text.clamped(at..)).map(|found| at + found + 1) {
        at = start;
        let rest = text.get_mut(start..).unwrap_or_default();
        let from = usize::from(rest.first() == Some(&b'/'));
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.';
        let length = rest.clamped(from..).iter().take_while(|byte| is_name(byte)).count();
        let name = rest.get_mut(from..from + length).unwrap_or_default();
        if name.first().is_some_and(u8::is_ascii_uppercase) {
            name.iter_mut().filter(|byte| **byte == b'.').for_each(|byte| *byte = b'-');
        }
        at += from + length;
    }
}

/// Blanks `{...props}` in tags: CommonMark has no such attribute (§6.6), and the others would be
/// lost.
fn blank_spreads(text: &mut [u8]) {
    let mut at = 0;
    while let Some(start) = memmem::find(text.clamped(at..), b"{...").map(|found| at + found) {
        at = start + 4;
        let inside = text.clamped(at..).clamped(..MAX_TAG_BYTES);
        let length =
            memchr::memchr2(b'}', b'{', inside).filter(|&it| inside.get(it) == Some(&b'}'));
        if let Some(spread) = length.and_then(|length| text.get_mut(start..=at + length)) {
            spread.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
    }
}

/// Longest tag that is read. The bound keeps time linear where a tag has no end.
const MAX_TAG_BYTES: usize = 1024;

/// Moves a `>` that starts a line to the end of the line before it, if it ends a tag. CommonMark
/// would read it as the mark of a quote (§5.1), and the attributes as text.
fn close_tags(text: &mut [u8]) {
    let mut at = 0;
    while let Some(start) = memchr::memchr(b'<', text.clamped(at..)).map(|found| at + found) {
        at = start + 1;
        // Before a backtick it is code, which is about tags.
        let is_code = start.checked_sub(1).is_some_and(|at| text.get(at) == Some(&b'`'));
        let Some(length) = tag_length(text.clamped(start..)).filter(|_| !is_code) else { continue };
        let end = start + length;
        let blanks = text
            .clamped(start..end)
            .iter()
            .rev()
            .take_while(|it| matches!(it, b' ' | b'\t'))
            .count();
        let feed = end - blanks - 1;
        if text.get(feed) == Some(&b'\n')
            && let Some(moved) = text.get_mut(feed..=end)
        {
            moved.rotate_right(1);
        }
        at = end;
    }
}

/// Returns the number of bytes before the `>` of the tag at the start of a text; `None` if an empty
/// line or another tag comes first.
fn tag_length(text: &[u8]) -> Option<usize> {
    if tag_name(text).is_empty() {
        return None;
    }
    let (mut quote, mut depth) = (None, 0_usize);
    let mut is_empty_line = false;
    for (at, &byte) in text.iter().enumerate().take(MAX_TAG_BYTES).skip(1) {
        match byte {
            b'\n' if is_empty_line => return None,
            _ if quote == Some(byte) => quote = None,
            _ if quote.is_some() => {}
            b'"' | b'\'' => quote = Some(byte),
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            b'>' => return Some(at),
            b'<' | b'`' => return None,
            _ => {}
        }
        is_empty_line = byte == b'\n' || is_empty_line && byte.is_ascii_whitespace();
    }
    None
}

/// Blanks comments, `{/* a */}`, except for those with an id, `{/* #id */}`, or for urigrep.
fn blank_comments(text: &mut [u8]) {
    let mut at = 0;
    while let Some(start) = memmem::find(text.clamped(at..), b"{/*").map(|found| at + found) {
        // Later comments have no end either.
        let Some(length) = memmem::find(text.clamped(start..), b"*/}") else { return };
        at = start + length + 3;
        let comment = text.get_mut(start..at).unwrap_or_default();
        let inside = comment.clamped(3..);
        if !inside.trim_ascii_start().starts_with(b"#") && !is_for_urigrep(inside) {
            comment
                .iter_mut()
                .filter(|byte| !byte.is_ascii_whitespace())
                .for_each(|byte| *byte = b' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Dialect, Format};

    #[test]
    fn fences() {
        let text = b"<A>\n    ```js\n    x\n  ```\n</A>\n";
        assert_eq!(&*as_markdown(text), b"\x0c<A\n```js    \n    x\n```  \n\x0c</A\n");
        assert_eq!(*Format::MARKDOWN.prepare(&Dialect::ByExtension, text), *text);
        assert_eq!(*Format::MARKDOWN.prepare(&Dialect::Mdx, text), as_markdown(text));
    }

    #[test]
    fn components() {
        let text = b"<A>\n1. b\n  <C d=\"e\">\n<A href=\"x\">\n<A>b</A>\n";
        let shown = b"\x0c<A\n1. b\n\x0c  <C d=\"e\"\n<A href=\"x\">\n<A>b</A>\n";
        assert_eq!(&*as_markdown(text), shown);
    }

    #[test]
    fn text_in_links() {
        let text = b"<a href=\"x\">\n![b](c)\n</a>\n<A href=\"x\">\n- d\n<A href=\"x\" />\ne\n";
        let shown = b"<a href=\"x\"> ![b](c)\n</a>\n<A href=\"x\">\n- d\n<A href=\"x\" />\ne\n";
        assert_eq!(String::from_utf8_lossy(&as_markdown(text)), String::from_utf8_lossy(shown));
    }

    #[test]
    fn tags_in_containers() {
        let text = b"- <p>[a](b)</p>\n> 1. <C>\n+ <div>\n-<p>\n* <Link href=\"d\">\n2024. e\n-\n";
        let shown =
            b"- <q>[a](b)</p>\n> 1. \x0c<C\n+ \x0c<div\n-<p>\n* <Link href=\"d\">\n2024. e\n-\n";
        assert_eq!(&*as_markdown(text), shown);
    }

    #[test]
    fn tags_before_text() {
        let text =
            b"<div>[a](b)</div>\n <td>c\n<Link id=\"d\">e\n<iframe src=\"f\"></iframe>\n<b>g\n";
        let shown =
            b"<diq>[a](b)</div>\n\x0c<td>c\n<Linq id=\"d\">e\n<iframe src=\"f\"></iframe>\n<b>g\n";
        assert_eq!(String::from_utf8_lossy(&as_markdown(text)), String::from_utf8_lossy(shown));
    }

    #[test]
    fn members() {
        let mut text = b"<Cards.Card href=\"a.b\">c.d</Cards.Card> <e.f>".to_vec();
        join_names(&mut text);
        assert_eq!(text, b"<Cards-Card href=\"a.b\">c.d</Cards-Card> <e.f>");
    }

    #[test]
    fn spreads() {
        let mut text = b"<A {...b} {...c({})} href=\"d\">".to_vec();
        blank_spreads(&mut text);
        assert_eq!(text, b"<A        {...c({})} href=\"d\">");
    }

    #[test]
    fn tags_that_end_on_their_own_line() {
        let mut text =
            b"<a\n  href=\"b\"\n  d={() => 1}\n  >\nc</a>\n`<a\n> d`\n<a\n\n> e\n".to_vec();
        close_tags(&mut text);
        let shown = b"<a\n  href=\"b\"\n  d={() => 1}>\n  \nc</a>\n`<a\n> d`\n<a\n\n> e\n";
        assert_eq!(String::from_utf8_lossy(&text), String::from_utf8_lossy(shown));
    }

    #[test]
    fn comments() {
        let text = b"a {/* [b](c)\n*/} # d {/* #e */} {/* f";
        let shown = b"a           \n    # d {/* #e */} {/* f";
        assert_eq!(String::from_utf8_lossy(&as_markdown(text)), String::from_utf8_lossy(shown));
    }

    #[test]
    fn deep_lines() {
        let text = b"<A>\n\n      a\n      b\n\n\tc\n \n   d\n</A>";
        let shown = b"\x0c<A\n\n   \x0c  a\n      b\n\n\x0cc\n \n   d\n\x0c</A";
        assert_eq!(&*as_markdown(text), shown);
    }
}
