//! Values of data that are texts in a markup of their own, for searches with `--embedded`.
//!
//! Feeds, exports of content systems, and APIs keep pages as strings: `{"body": "<a href=…>"}`.
//! As text, `&amp;` stays in their URIs, and their relative links are not seen.

use std::ops::ControlFlow;

use super::placed::PlacedSink;
use super::{Event, EventSink, Format, Place, Source, ValueParts, Wants};
use crate::slice::SliceExt as _;

/// Elements of HTML that texts in databases are made of. `<T>` of a type and `<name>` of a manual
/// are none.
const ELEMENTS: [&[u8]; 40] = [
    b"a",
    b"abbr",
    b"area",
    b"article",
    b"b",
    b"blockquote",
    b"body",
    b"br",
    b"center",
    b"code",
    b"dd",
    b"div",
    b"dl",
    b"em",
    b"figure",
    b"font",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"hr",
    b"html",
    b"i",
    b"iframe",
    b"img",
    b"li",
    b"ol",
    b"p",
    b"pre",
    b"script",
    b"section",
    b"span",
    b"strong",
    b"sup",
    b"table",
    b"td",
    b"ul",
    b"video",
];

/// Reads `value` in its markup, if it has one. Returns false if it has none: then it is text.
pub(super) fn read(
    value: Source<'_>,
    place: &Place<'_>,
    sink: &mut dyn EventSink,
) -> ControlFlow<(), bool> {
    let Some(format) = markup_of(value.bytes) else { return ControlFlow::Continue(false) };
    format.read(value, &mut PlacedSink { place, sink: &mut OneLevel(sink) })?;
    ControlFlow::Continue(true)
}

/// True for a search that reads values in their markup.
pub(super) fn are_wanted(sink: &dyn EventSink) -> bool {
    sink.wants().values == ValueParts::Documents
}

/// Returns the markup of a value. Larger ones than a document may be are text.
fn markup_of(text: &[u8]) -> Option<Format> {
    if text.len() > Format::LARGEST {
        return None;
    }
    let has_tag = || memchr::memchr_iter(b'<', text).any(|at| is_tag(text.clamped(at + 1..)));
    // Markdown may have tags in it, and its reader reads them. A page that starts with a tag is one
    // block of HTML up to its first empty line (CommonMark §4.6), and seldom means `](`.
    let is_page = text.trim_ascii_start().first() == Some(&b'<');
    if !is_page && memchr::memmem::find(text, b"](").is_some() {
        return Some(Format::MARKDOWN);
    }
    has_tag().then_some(Format::HTML)
}

/// True if `rest`, behind `<`, starts with a start tag or an end tag.
fn is_tag(rest: &[u8]) -> bool {
    let name = rest.strip_prefix(b"/").unwrap_or(rest).clamped(..16);
    let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, after) = name.split_at_checked(length).unwrap_or_default();
    let is_ended = after
        .first()
        .is_some_and(|&byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'));
    is_ended && ELEMENTS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Passes on all events, and wants the values of a value as text: no input makes a reader recurse.
struct OneLevel<'s>(&'s mut dyn EventSink);

impl EventSink for OneLevel<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        self.0.event(event)
    }

    fn wants(&self) -> Wants {
        self.0.wants().values(ValueParts::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markups_are_told_from_text() {
        let html = ["<p>a", "a<BR/>b", "see <a href='b'>", "x</a>", " <li>[a](b)"];
        let markdown = ["[a](b)", "see <b>[a](b)</b>", "![](a.png)"];
        let text =
            ["", "a < b", "Vec<T>", "<name>", "List<Integer>", "<", "</", "[a] (b)", "<a", "<abc>"];
        assert!(html.iter().all(|it| markup_of(it.as_bytes()) == Some(Format::HTML)));
        assert!(markdown.iter().all(|it| markup_of(it.as_bytes()) == Some(Format::MARKDOWN)));
        assert!(text.iter().all(|it| markup_of(it.as_bytes()).is_none()));
        assert!(markup_of(&b"<p>".repeat(Format::LARGEST)).is_none());
    }
}
