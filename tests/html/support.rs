//! Keeps what a reader gives.

use std::ops::ControlFlow;

use urigrep::Span;
use urigrep::document::{Content, Event, EventSink, Format, NameSpace, Part, Role, Source, Wants};

/// A part, and where it stands.
#[derive(Clone, Debug)]
pub struct Kept {
    pub text: Vec<u8>,
    pub span: Span,
    pub role: Role,
    pub content: Content,
    pub element: Option<String>,
    pub attribute: Option<String>,
    /// The source of each byte, and whether it stands there as it is.
    pub bytes: Vec<(Vec<Span>, bool)>,
}

/// What to keep of the map.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    Parts,
    Bytes,
}

/// Everything that a document gives.
pub struct Collector {
    keep: Keep,
    pub parts: Vec<Kept>,
    pub marks: Vec<String>,
}

impl EventSink for Collector {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.part(part),
            event => {
                self.note(event);
                ControlFlow::Continue(())
            }
        }
    }

    fn wants(&self) -> Wants {
        Wants::all()
    }
}

impl Collector {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let bytes = match self.keep {
            Keep::Parts => Vec::new(),
            Keep::Bytes => (0..part.text.len())
                .map(|at| Span::new(at, at + 1))
                .map(|byte| (part.source.ranges(byte), part.source.is_copied(byte)))
                .collect(),
        };
        self.parts.push(Kept {
            text: part.text.to_vec(),
            span: part.source.source(Span::new(0, part.text.len())),
            role: part.role,
            content: part.content,
            element: part.element.map(Into::into),
            attribute: part.attribute.map(Into::into),
            bytes,
        });
        ControlFlow::Continue(())
    }

    fn note(&mut self, event: &Event<'_>) {
        self.marks.push(match event {
            Event::Base { reference, .. } => format!("base {reference}"),
            Event::Define { space: NameSpace::Anchor, name, .. } => format!("anchor {name}"),
            Event::Heading { level, text, .. } => format!("heading {level} {text}"),
            Event::Label { text, destination, .. } => {
                format!("label {text} ({}..{})", destination.start(), destination.end())
            }
            other => format!("{other:?}"),
        });
    }
}

/// Reads a document of HTML.
pub fn read(document: &[u8], keep: Keep) -> Collector {
    read_as(Format::HTML, document, keep)
}

/// Reads a document.
pub fn read_as(format: Format, document: &[u8], keep: Keep) -> Collector {
    let mut collector = Collector { keep, parts: Vec::new(), marks: Vec::new() };
    let done = format.read(Source::new(document), &mut collector);
    assert!(done.is_continue(), "the sink never breaks");
    collector
}
