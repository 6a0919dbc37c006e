//! Marks of a document: anchors, headings and the labels of links.

use super::super::{Mark, Marks, PartSink, Source};
use super::tag::Tag;
use crate::offset_map::Layers;
use crate::span::Span;

#[derive(Debug)]
pub(super) struct LinkMarks {
    marks: Marks,
    link: Option<OpenElement<Span>>,
    heading: Option<OpenElement<u8>>,
}

#[derive(Debug)]
struct OpenElement<T> {
    of: T,
    from: usize,
    text: Vec<u8>,
}

impl LinkMarks {
    pub fn new(marks: Marks) -> Self {
        Self { marks, link: None, heading: None }
    }

    /// Handles a start tag; its attributes follow.
    pub fn start(&mut self, tag: Tag<'_>, source: Source<'_>, sink: &mut dyn PartSink) {
        if self.marks != Marks::All {
            return;
        }
        if tag.element == "a" {
            self.end_link(tag.span.start(), source, sink);
        }
        if let Some(level) = level(tag.element) {
            self.end_heading(tag.span.start(), source, sink);
            self.heading = Some(OpenElement { of: level, from: tag.span.end(), text: Vec::new() });
        }
    }

    /// True when an attribute of this name may be an anchor or the text of a link.
    pub fn looks_at(&self, name: &str) -> bool {
        self.marks == Marks::All && matches!(name, "id" | "xml:id" | "name" | "alt")
    }

    /// Handles an attribute of a start tag.
    pub fn attribute(
        &mut self,
        tag: Tag<'_>,
        name: &str,
        value: &[u8],
        source: Layers<'_>,
        sink: &mut dyn PartSink,
    ) {
        if self.marks != Marks::All {
            return;
        }
        // Most attributes don't need it.
        let span = || source.source(Span::new(0, value.len()));
        match (tag.element, name) {
            // `usemap` names a `map`; on a heading the name is an anchor to forges, if not to browsers.
            (_, "id" | "xml:id")
            | ("a" | "map" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6", "name")
                if !value.is_empty() =>
            {
                let span = span();
                sink.mark(&Mark::Anchor { name: &String::from_utf8_lossy(value), span });
            }
            ("img", "alt") => self.add(value),
            ("a", "href" | "xlink:href") if !value.trim_ascii().is_empty() => {
                let from = tag.span.end();
                self.link = Some(OpenElement { of: span(), from, text: Vec::new() });
            }
            _ => {}
        }
    }

    pub fn add(&mut self, text: &[u8]) {
        if let Some(link) = &mut self.link {
            link.text.extend_from_slice(text);
        }
        if let Some(heading) = &mut self.heading {
            heading.text.extend_from_slice(text);
        }
    }

    pub fn end(&mut self, tag: Tag<'_>, source: Source<'_>, sink: &mut dyn PartSink) {
        if tag.element == "a" {
            self.end_link(tag.span.start(), source, sink);
        }
        if level(tag.element).is_some() {
            self.end_heading(tag.span.start(), source, sink);
        }
    }

    pub fn finish(&mut self, source: Source<'_>, sink: &mut dyn PartSink) {
        self.end_link(source.bytes.len(), source, sink);
        self.end_heading(source.bytes.len(), source, sink);
    }

    fn end_link(&mut self, end: usize, source: Source<'_>, sink: &mut dyn PartSink) {
        if let Some(link) = self.link.take() {
            sink.mark(&Mark::Label {
                text: &String::from_utf8_lossy(&link.text),
                destination: link.of,
                span: source.span(Span::new(link.from, end)),
            });
        }
    }

    fn end_heading(&mut self, end: usize, source: Source<'_>, sink: &mut dyn PartSink) {
        if let Some(heading) = self.heading.take() {
            sink.mark(&Mark::Heading {
                level: heading.of,
                text: &String::from_utf8_lossy(&heading.text),
                span: source.span(Span::new(heading.from, end)),
            });
        }
    }
}

fn level(element: &str) -> Option<u8> {
    match element.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}
