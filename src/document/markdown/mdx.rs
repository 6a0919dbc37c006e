//! Rewrites MDX for a CommonMark parser, which allows text and fences at any depth.
//!
//! MDX has no indented code: the content of a component may be indented as deep as the component.
//! CommonMark reads a deep line after an empty one as code, and then reads the closing fence as an
//! opening one.

use memchr::memmem;

use crate::slice::SliceExt as _;

/// Looks like white space, but CommonMark does not count it as indentation.
const FORM_FEED: u8 = 0x0C;

/// Columns of indented code (CommonMark §4.4).
const CODE: usize = 4;

/// Rewrites MDX without changing its length. Indentation of deep fences moves behind them, and
/// other deep lines become text.
pub(super) fn as_markdown(mdx: &[u8]) -> Vec<u8> {
    let mut prepared = mdx.to_vec();
    blank_comments(&mut prepared);
    let mut is_after_empty = true;
    let mut left = prepared.as_mut_slice();
    while !left.is_empty() {
        let end = memchr::memchr(b'\n', left).unwrap_or(left.len());
        let (line, after) = left.split_at_mut(end);
        left = after.get_mut(1..).unwrap_or_default();
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = line.get(blanks..).unwrap_or_default();
        let is_empty = matches!(rest, [] | [b'\r']);
        if rest.starts_with(b"```") || rest.starts_with(b"~~~") {
            line.rotate_left(blanks);
        } else if is_component(rest) {
            line.rotate_right(1);
            if let Some(first) = line.first_mut() {
                *first = FORM_FEED;
            }
        } else if is_after_empty && !is_empty {
            show(line);
        }
        is_after_empty = is_empty;
    }
    prepared
}

/// True for a component's tag that fills its line and has no link. CommonMark would read the lines
/// after it as HTML.
fn is_component(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let name = line.strip_prefix(b"<").map(|rest| rest.strip_prefix(b"/").unwrap_or(rest));
    if !name.and_then(<[u8]>::first).is_some_and(u8::is_ascii_uppercase) {
        return false;
    }
    let line = line.trim_ascii_end();
    line.ends_with(b">")
        && memchr::memchr_iter(b'>', line).count() == 1
        && memmem::find(line, b"href").or_else(|| memmem::find(line, b"src")).is_none()
}

/// Blanks comments, `{/* a */}`, except for those with an id, `{/* #id */}`.
fn blank_comments(text: &mut [u8]) {
    let mut at = 0;
    while let Some(start) = memmem::find(text.clamped(at..), b"{/*").map(|found| at + found) {
        let Some(length) = memmem::find(text.clamped(start..), b"*/}") else { return };
        at = start + length + 3;
        let comment = text.get_mut(start..at).unwrap_or_default();
        if !comment.clamped(3..).trim_ascii_start().starts_with(b"#") {
            comment
                .iter_mut()
                .filter(|byte| !byte.is_ascii_whitespace())
                .for_each(|byte| *byte = b' ');
        }
    }
}

/// Turns an indented line into text by ending its indentation before it is deep enough for code.
fn show(line: &mut [u8]) {
    let mut columns = 0;
    for byte in line.iter_mut() {
        columns += match byte {
            b' ' => 1,
            b'\t' => CODE - columns % CODE,
            _ => return,
        };
        if columns >= CODE {
            *byte = FORM_FEED;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Format;

    #[test]
    fn fences() {
        let text = b"<A>\n    ```js\n    x\n  ```\n</A>\n";
        assert_eq!(&*as_markdown(text), b"\x0c<A\n```js    \n    x\n```  \n\x0c</A\n");
        assert_eq!(*Format::MARKDOWN.prepare("md", text), *text);
        assert_eq!(*Format::MARKDOWN.prepare("MDX", text), as_markdown(text));
    }

    #[test]
    fn components() {
        let text = b"<A>\n1. b\n  <C d=\"e\">\n<A href=\"x\">\n<A>b</A>\n";
        let shown = b"\x0c<A\n1. b\n\x0c  <C d=\"e\"\n<A href=\"x\">\n<A>b</A>\n";
        assert_eq!(&*as_markdown(text), shown);
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
