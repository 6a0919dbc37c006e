//! Keeps what a reader gives.

use std::ops::ControlFlow;

use urigrep::Span;
use urigrep::document::{Content, Format, Mark, Marks, Part, PartSink, Role, Source};

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

impl PartSink for Collector {
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

    fn mark(&mut self, mark: &Mark<'_>) {
        self.marks.push(match mark {
            Mark::Base { reference, .. } => format!("base {reference}"),
            Mark::Anchor { name, .. } => format!("anchor {name}"),
            Mark::Heading { level, text, .. } => format!("heading {level} {text}"),
            Mark::Label { text, destination, .. } => {
                format!("label {text} ({}..{})", destination.start(), destination.end())
            }
            other => format!("{other:?}"),
        });
    }

    fn marks(&self) -> Marks {
        Marks::All
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
