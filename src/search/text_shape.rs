//! Decides whether standard input is plain text, before all of it has arrived.

use memchr::memchr;

use crate::document::{InputType, Packages};
use crate::finder::Rest;
use crate::search::input_shape::{ShapeSniff, binary_format, sniff_shape};
use crate::search::{Input, Search, TextEncoding};
use crate::slice::SliceExt as _;

/// Bytes from which a byte order mark, and the zeros of UTF-16 and UTF-32, are known. More of them
/// would keep a line waiting.
const BOM_MAX: usize = 4;

/// The way in which a text that arrives in pieces is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextShape {
    /// As lines of text.
    Lines,
    /// As a whole: it is a document, an archive, or in UTF-16 or UTF-32.
    Whole,
    /// More of it must be known to decide.
    NeedMore,
}

impl Search {
    /// Decides how standard input is read that starts with `head`. The result depends on its bytes
    /// only, and not on how many arrived at once.
    ///
    /// ```
    /// use urigrep::finder::Rest;
    /// use urigrep::search::{Search, TextShape};
    /// let search = Search::default();
    /// assert_eq!(search.text_shape(b"12:30 started\n", Rest::More), TextShape::Lines);
    /// assert_eq!(search.text_shape(b"<!DOCTYPE html>\n", Rest::More), TextShape::Whole);
    /// ```
    pub fn text_shape(&self, head: &[u8], rest: Rest) -> TextShape {
        let query = &self.settings.query;
        let input = Input::stdin();
        let needs_more = head.len() < BOM_MAX
            || head.len() < InputType::head_bytes(head) && InputType::needs_more(head);
        if rest == Rest::More && needs_more {
            return TextShape::NeedMore;
        }
        let start = head.clamped(..BOM_MAX);
        let is_wide =
            memchr(0, start).is_some() || matches!(start, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
        let is_text = !is_wide
            && matches!(query.encoding, TextEncoding::Unicode)
            && binary_format(query, &input, head).is_none()
            && InputType::guess(head, input.name(), Packages::Documents) == InputType::Plain;
        if !is_text {
            return TextShape::Whole;
        }
        match sniff_shape(query, &input, head, rest) {
            ShapeSniff::Known(None) => TextShape::Lines,
            ShapeSniff::Known(Some(_)) => TextShape::Whole,
            ShapeSniff::NeedMore => TextShape::NeedMore,
        }
    }
}
