//! Ends blocks of HTML where Pandoc does: after each tag (Pandoc's manual,
//! `markdown_in_html_blocks`).

use memchr::{memchr, memchr2_iter, memmem, memrchr};

use super::dialects::is_fence;
use crate::slice::SliceExt as _;

/// Elements that start a block of HTML in CommonMark (§4.6, condition 6), and whose content Pandoc
/// reads as Markdown.
const BLOCKS: [&[u8]; 27] = [
    b"article",
    b"aside",
    b"blockquote",
    b"body",
    b"center",
    b"dd",
    b"details",
    b"dialog",
    b"div",
    b"dl",
    b"dt",
    b"fieldset",
    b"figcaption",
    b"figure",
    b"footer",
    b"form",
    b"header",
    b"li",
    b"main",
    b"nav",
    b"ol",
    b"p",
    b"section",
    b"summary",
    b"table",
    b"td",
    b"ul",
];

/// Puts an empty line after a line that ends with a tag, if Markdown follows. To CommonMark the
/// block of HTML continues to the next empty line (§4.6), so a fence there would be HTML, and its
/// end the start of code.
pub(super) fn end_html(text: &mut [u8]) {
    let (mut at, mut is_in_fence) = (0, false);
    while let Some(length) = memchr(b'\n', text.clamped(at..)) {
        let end = at + length;
        let line = text.clamped(at..end);
        is_in_fence ^= is_fence(line.trim_ascii_start());
        let next = text.clamped(end + 1..);
        let next = next.clamped(..memchr(b'\n', next).unwrap_or(next.len())).trim_ascii();
        if !is_in_fence && !next.is_empty() && !next.starts_with(b"<") && ends_block(line) {
            let room = room(line).map(|room| at + room);
            if let Some(byte) = room.and_then(|room| text.get_mut(room)) {
                *byte = b'\n';
            }
        }
        at = end + 1;
    }
}

/// True for a line that starts with the tag of a block, and ends with a tag.
fn ends_block(line: &[u8]) -> bool {
    let Some(tag) = line.trim_ascii().strip_prefix(b"<") else { return false };
    let tag = tag.strip_prefix(b"/").unwrap_or(tag);
    let name = tag.clamped(..tag.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count());
    tag.ends_with(b">") && BLOCKS.iter().any(|block| name.eq_ignore_ascii_case(block))
}

/// Returns the offset of the last byte of a line if it may become a line feed: white space, or the
/// `>` of a tag that has neither a link nor an anchor to lose.
fn room(line: &[u8]) -> Option<usize> {
    let last = line.len().checked_sub(1)?;
    if line.get(last).is_some_and(u8::is_ascii_whitespace) {
        return Some(last);
    }
    let tag = line.clamped(memrchr(b'<', line)?..last);
    let is_plain = [&b"href"[..], b"src", b"id=", b"name=", b"poster", b"data"]
        .iter()
        .all(|attribute| memmem::find(tag, attribute).is_none());
    (is_plain && memchr2_iter(b'>', b'`', tag).next().is_none()).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_ends_at_its_tags() {
        let text = "<details>\n<summary>A</summary>\n````\nb\n````\n</details>\n<div id=\"c\">\n[d](e)\n<div id=\"f\"> \n[g](h)\n```\n</div>\ni\n```\n<b>\nj\n</p>\n";
        let ended = "<details>\n<summary>A</summary\n\n````\nb\n````\n</details>\n<div id=\"c\">\n[d](e)\n<div id=\"f\">\n\n[g](h)\n```\n</div>\ni\n```\n<b>\nj\n</p>\n";
        let mut bytes = text.as_bytes().to_vec();
        end_html(&mut bytes);
        assert_eq!(String::from_utf8(bytes).unwrap(), ended);
    }
}
