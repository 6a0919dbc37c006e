//! Unfolds the content lines of iCalendar (RFC 5545 §3.1) and vCard (RFC 6350 §3.2).

use memchr::memchr;

use crate::offset_map::OffsetMap;
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// Appends the unfolded lines of `source` to `text`, and the position of each byte to `map`.
///
/// A line break and the space or tab after it are removed. Escapes of text values are decoded (RFC
/// 5545 §3.3.11): those of `,`, `;`, `:` and the backslash to that character, and `\n` to a line
/// break.
///
/// ```
/// use urigrep::offset_map::OffsetMap;
/// use urigrep::{Span, decode};
/// let (mut text, mut map) = (Vec::new(), OffsetMap::new());
/// decode::content_lines(b"URL:http\\://a.example/b\r\n -c\r\n", &mut text, &mut map);
/// assert_eq!(text, b"URL:http://a.example/b-c\r\n");
/// assert_eq!(map.ranges(Span::new(5, 24)), [Span::new(5, 23), Span::new(26, 28)]);
/// ```
pub fn content_lines(source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) {
    let mut at = 0;
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        let length = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        work_counter::add(length);
        let line = rest.part(..length);
        // A line that starts with a space or a tab continues the one before (RFC 5545 §3.1).
        let is_folded = matches!(rest.get(length), Some(b' ' | b'\t'));
        let kept = match line {
            [before @ .., b'\r', b'\n'] if is_folded => before,
            [before @ .., b'\n'] if is_folded => before,
            _ => line,
        };
        unescaped(kept, at, text, map);
        at += length + usize::from(is_folded);
    }
}

/// Appends the line whose first byte is at `start`.
fn unescaped(line: &[u8], start: usize, text: &mut Vec<u8>, map: &mut OffsetMap) {
    let mut from = 0;
    let copy = |text: &mut Vec<u8>, map: &mut OffsetMap, span: Span| {
        text.extend_from_slice(line.part(span.range()));
        map.copy(span.len(), start + span.start());
    };
    while let Some(length) = memchr(b'\\', line.part(from..)) {
        let at = from + length;
        copy(text, map, Span::new(from, at));
        let meant = match line.get(at + 1) {
            // No standard escapes a colon, but exported contacts have `https\://`.
            Some(byte @ (b',' | b';' | b':' | b'\\')) => *byte,
            Some(b'n' | b'N') => b'\n',
            // Not an escape: keep the backslash.
            _ => {
                copy(text, map, Span::new(at, at + 1));
                from = at + 1;
                continue;
            }
        };
        text.push(meant);
        map.replace(1, Span::new(start + at, start + at + 2));
        from = at + 2;
    }
    copy(text, map, Span::new(from, line.len()));
}

#[cfg(test)]
mod tests {
    use super::content_lines;
    use crate::offset_map::OffsetMap;

    fn unfolded(source: &str) -> String {
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        content_lines(source.as_bytes(), &mut text, &mut map);
        assert_eq!(map.len(), text.len());
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn lines_are_unfolded() {
        assert_eq!(unfolded("A:b\n c\n\td\r\n  e\nB:f"), "A:bcd e\nB:f");
        assert_eq!(unfolded("\n \n"), "\n");
        assert_eq!(unfolded(""), "");
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(unfolded("A:b\\, c\\n\\\\d\\x\\"), "A:b, c\n\\d\\x\\");
    }
}
