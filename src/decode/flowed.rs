//! Joins paragraphs that were broken into lines: `format=flowed` (RFC 3676 §4).

use memchr::memchr;

use crate::offset_map::OffsetMap;
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// The parameter `DelSp`: whether the space before a soft line break is removed (RFC 3676 §4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DelSp {
    /// `DelSp=no`, the default.
    No,
    /// `DelSp=yes`.
    Yes,
}

/// A signature line ends a paragraph in any context (RFC 3676 §4.3).
const SIGNATURE: &[u8] = b"-- ";

/// Appends each paragraph of `source` as one line to `text`, and the position of each byte to
/// `map`.
///
/// All lines of a paragraph have the same quote depth. Quote marks stay before its first line;
/// stuffed spaces are removed from unquoted lines.
///
/// ```
/// use urigrep::offset_map::OffsetMap;
/// use urigrep::{Span, decode};
/// let (mut text, mut map) = (Vec::new(), OffsetMap::new());
/// let source = b"> http://a.example/a- \r\n> b-c\r\nYes.\r\n";
/// decode::flowed(source, decode::DelSp::Yes, &mut text, &mut map);
/// assert_eq!(text, b"> http://a.example/a-b-c\r\nYes.\r\n");
/// assert_eq!(map.source(Span::new(2, 24)), Span::new(2, 29));
/// ```
pub fn flowed(source: &[u8], del_sp: DelSp, text: &mut Vec<u8>, map: &mut OffsetMap) {
    let mut copy = |span: Span| {
        if let Some(bytes) = source.get(span.range()) {
            text.extend_from_slice(bytes);
            map.copy(bytes.len(), span.start());
        }
    };
    // Quote depth of the open paragraph, and the line break before the next line.
    let mut open: Option<(usize, Span)> = None;
    let mut at = 0;
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        let length = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        work_counter::add(length);
        let whole = rest.part(..length);
        let line = whole.strip_suffix(b"\n").unwrap_or(whole);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // Order matters: quote marks come first, then a stuffed space (RFC 3676 §4.4 and §4.5).
        let depth = line.iter().take_while(|&&byte| byte == b'>').count();
        let stuffed = usize::from(line.get(depth) == Some(&b' '));
        let body = line.clamped(depth + stuffed..);
        let text_at = at + depth + stuffed;
        match open.take() {
            // The paragraph continues only at the same quote depth. Otherwise its last line was
            // marked as soft by mistake, and the line break is kept (RFC 3676 §4.5).
            Some((same, _)) if same == depth && body != SIGNATURE => {}
            broken => {
                if let Some((_, line_break)) = broken {
                    copy(line_break);
                }
                if depth > 0 {
                    copy(Span::new(at, text_at));
                }
            }
        }
        let (end, next) = (text_at + body.len(), at + length);
        // A trailing space makes a soft break. The signature separator `-- ` ends in a space, but
        // is not soft (RFC 3676 §4.3).
        if body.ends_with(b" ") && body != SIGNATURE {
            let kept = end - usize::from(del_sp == DelSp::Yes);
            copy(Span::new(text_at, kept));
            open = Some((depth, Span::new(kept, next)));
        } else {
            copy(Span::new(text_at, next));
        }
        at = next;
    }
    if let Some((_, line_break)) = open {
        copy(line_break);
    }
}
