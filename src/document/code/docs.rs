//! The text of documentation comments, without their marks, read in its markup.

use std::ops::ControlFlow;

use super::language::Docs;
use crate::document::lines::TextLine;
use crate::document::{CodeParts, Content, Event, EventSink, Format, Part, Role, Source, Wants};
use crate::offset_map::DerivedText;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// Reads comments that belong together.
pub(super) fn read_comments(
    source: &Source<'_>,
    comments: &[Span],
    docs: &Docs,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let mut text = DerivedText::default();
    for comment in comments {
        strip_marks(source.bytes, *comment, docs, &mut text);
        if comments.len() > 1 {
            // The line end is that of the comment.
            text.copy(b"\n", comment.end());
        }
    }
    read(source, &text, docs, sink)
}

/// Reads a string that documents the item around it.
pub(super) fn read_string(
    source: &Source<'_>,
    string: Span,
    docs: &Docs,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let bytes = source.bytes;
    let lines = || lines(bytes, string);
    // PEP 257: the first line follows the opening marks, so the indentation of the others decides.
    let indent = lines().skip(1).filter(|line| !line.is_blank()).map(TextLine::indent).min();
    let indent = indent.unwrap_or_default();
    let mut text = DerivedText::default();
    for (index, line) in lines().enumerate() {
        let start = if index == 0 { line.start } else { line.start + indent.min(line.indent()) };
        let end = line.next.min(string.end());
        text.copy(bytes.clamped(start..end), start);
    }
    read(source, &text, docs, sink)
}

fn lines(bytes: &[u8], span: Span) -> impl Iterator<Item = TextLine> {
    let bytes = bytes.clamped(..span.end());
    let mut next = span.start();
    std::iter::from_fn(move || {
        let line = (next < span.end()).then(|| TextLine::at(bytes, next))?;
        next = line.next.max(next + 1);
        Some(line)
    })
}

/// Appends a comment without `/**`, `*/`, and the stars or slashes at the start of its lines.
fn strip_marks(bytes: &[u8], comment: Span, docs: &Docs, text: &mut DerivedText) {
    let whole = bytes.part(comment.range());
    let mark = docs.starts.iter().find(|mark| whole.starts_with(mark.as_bytes()));
    let start = comment.start() + mark.map_or(0, |mark| mark.len());
    let is_block = whole.starts_with(b"/*");
    let is_closed = is_block && whole.len() > 4 && whole.ends_with(b"*/");
    let end = comment.end() - if is_closed { 2 } else { 0 };
    let inside = Span::new(start.min(end), end);
    for (index, line) in lines(bytes, inside).enumerate() {
        let mut start = line.start;
        if index > 0 && is_block {
            let star = bytes.clamped(line.text..end).leading(|byte| byte == b'*');
            start = if star > 0 { line.text + star } else { line.start };
        }
        let rest = bytes.clamped(start..end);
        // One space separates the mark from the text. Further ones are indentation, which means
        // code in Markdown.
        let blank = usize::from(matches!(rest.first(), Some(b' ')));
        let start = (start + blank).min(line.next);
        text.copy(bytes.clamped(start..line.next.min(end)), start);
    }
}

fn read(
    source: &Source<'_>,
    text: &DerivedText,
    docs: &Docs,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let layers = source.layers(text.map());
    match docs.markup.and_then(Format::named) {
        Some(format) => {
            let mut comments = CommentSink { sink };
            format.read(Source::inside(text.text(), &layers), &mut comments)
        }
        None => sink.part(&Part::of_text(text.text(), layers, Role::Comment)),
    }
}

/// Makes the parts of a text comments.
struct CommentSink<'s> {
    sink: &'s mut dyn EventSink,
}

impl EventSink for CommentSink<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let part = match event {
            Event::Part(part) => part,
            Event::Label { .. } => return self.sink.event(event),
            _ => return ControlFlow::Continue(()),
        };
        let content = match part.content {
            // Relative references in it name items of the program.
            Content::Reference => Content::Value,
            Content::Autolinks => Content::Text,
            content => content,
        };
        self.sink.part(&Part { role: Role::Comment, content, ..**part })
    }

    fn wants(&self) -> Wants {
        let wants = self.sink.wants();
        Wants { code: CodeParts::Given, ..wants }
    }
}
