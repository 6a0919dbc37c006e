//! Anchors, headings, and link texts of a document.

use super::super::{Event, EventSink, NameSpace, Source, Wants};
use super::name::{HtmlName, packed};
use super::tag::Tag;
use crate::offset_map::Layers;
use crate::slice::lossy;
use crate::span::Span;

const A: u64 = packed("a");
const H1: u64 = packed("h1");
const H6: u64 = packed("h6");

#[derive(Debug)]
pub(super) struct LinkMarks {
    wants: Wants,
    link: OpenHtmlElement<Span>,
    heading: OpenHtmlElement<u8>,
}

/// An element whose text is collected; its buffer is reused.
#[derive(Debug)]
struct OpenHtmlElement<T> {
    /// `None` if no such element is open.
    of: Option<T>,
    from: usize,
    text: Vec<u8>,
}

impl<T> OpenHtmlElement<T> {
    const CLOSED: Self = Self { of: None, from: 0, text: Vec::new() };

    fn open(&mut self, of: T, from: usize) {
        (self.of, self.from) = (Some(of), from);
        self.text.clear();
    }

    fn add(&mut self, text: &[u8]) {
        if self.of.is_some() {
            self.text.extend_from_slice(text);
        }
    }
}

impl LinkMarks {
    pub fn new(wants: Wants) -> Self {
        Self { wants, link: OpenHtmlElement::CLOSED, heading: OpenHtmlElement::CLOSED }
    }

    /// True for the element of a link or heading, if these are wanted.
    pub fn are_of(&self, name: HtmlName) -> bool {
        self.wants.all_events() && (name.packed() == A || level(name).is_some())
    }

    /// True while the text of a link or heading is collected.
    pub fn is_open(&self) -> bool {
        self.link.of.is_some() || self.heading.of.is_some()
    }

    /// Handles a start tag, before its attributes.
    pub fn start(&mut self, tag: &Tag<'_>, source: Source<'_>, sink: &mut dyn EventSink) {
        if tag.name.packed() == A {
            // HTML Standard §13.2.6.4.7: an `a` inside an `a` closes the outer one, and so does a
            // heading in a heading.
            self.end_link(tag.span.start(), source, sink);
        }
        if let Some(level) = level(tag.name) {
            self.end_heading(tag.span.start(), source, sink);
            self.heading.open(level, tag.span.end());
        }
    }

    /// True if an attribute with this name may be an anchor or the text of a link.
    pub fn looks_at(&self, name: &str) -> bool {
        self.wants.all_events() && matches!(name, "id" | "xml:id" | "name" | "alt")
    }

    /// Handles an attribute of a start tag.
    pub fn attribute(
        &mut self,
        tag: &Tag<'_>,
        name: &str,
        value: &[u8],
        source: Layers<'_>,
        sink: &mut dyn EventSink,
    ) {
        if !self.wants.all_events() {
            return;
        }
        // Lazy, because most attributes do not need it.
        let span = || source.source(Span::new(0, value.len()));
        match (tag.element, name) {
            // `usemap` refers to the name of a `map`. On headings, forges accept a name as an
            // anchor, although browsers do not.
            (_, "id" | "xml:id")
            | ("a" | "map" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6", "name")
                if !value.is_empty() =>
            {
                let span = span();
                sink.note(&Event::Define { space: NameSpace::Anchor, name: &lossy(value), span });
            }
            ("img", "alt") => self.add(value),
            ("a", "href" | "xlink:href") if !value.trim_ascii().is_empty() => {
                self.link.open(span(), tag.span.end());
            }
            _ => {}
        }
    }

    pub fn add(&mut self, text: &[u8]) {
        self.link.add(text);
        self.heading.add(text);
    }

    pub fn end(&mut self, tag: &Tag<'_>, source: Source<'_>, sink: &mut dyn EventSink) {
        if tag.name.packed() == A {
            self.end_link(tag.span.start(), source, sink);
        }
        if level(tag.name).is_some() {
            self.end_heading(tag.span.start(), source, sink);
        }
    }

    pub fn finish(&mut self, source: Source<'_>, sink: &mut dyn EventSink) {
        self.end_link(source.bytes.len(), source, sink);
        self.end_heading(source.bytes.len(), source, sink);
    }

    fn end_link(&mut self, end: usize, source: Source<'_>, sink: &mut dyn EventSink) {
        if let Some(destination) = self.link.of.take() {
            sink.note(&Event::Label {
                text: &lossy(&self.link.text),
                destination,
                span: source.span(Span::new(self.link.from, end)),
                stream: None,
            });
        }
    }

    fn end_heading(&mut self, end: usize, source: Source<'_>, sink: &mut dyn EventSink) {
        if let Some(level) = self.heading.of.take() {
            sink.note(&Event::Heading {
                level,
                text: &lossy(&self.heading.text),
                span: source.span(Span::new(self.heading.from, end)),
            });
        }
    }
}

/// Returns the level of a heading, `h1` to `h6`.
fn level(name: HtmlName) -> Option<u8> {
    match name.packed() {
        heading @ H1..=H6 => u8::try_from(heading - H1 + 1).ok(),
        _ => None,
    }
}
