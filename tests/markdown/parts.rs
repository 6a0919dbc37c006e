//! A sink that keeps all that it is given.

use std::ops::ControlFlow;

use urigrep::Span;
use urigrep::document::{Event, EventSink, Format, NameSpace, Part, Source, ValueParts, Wants};

/// A part that owns its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub text: Vec<u8>,
    pub source: Span,
    /// The bytes there.
    pub source_text: Vec<u8>,
    /// The source of each byte.
    pub bytes: Vec<Span>,
    pub role: &'static str,
    /// The element and the attribute.
    pub element: String,
    /// Empty if it has none.
    pub place: String,
    /// The text of its link; empty if it has none.
    pub link_text: String,
    /// The name of the text that its source is in, if that is not the document.
    pub stream: Option<String>,
}

impl Given {
    /// As vectors have it.
    pub fn label(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.text).into_owned();
        let mut label = vec![self.role.to_owned(), self.element.clone(), text];
        if self.source_text != self.text {
            label.push(String::from_utf8_lossy(&self.source_text).into_owned());
        }
        label
    }
}

struct Keep<'d> {
    document: &'d [u8],
    parts: Vec<Given>,
    marks: Vec<String>,
    values: ValueParts,
}

impl EventSink for Keep<'_> {
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
        Wants::all().values(self.values)
    }
}

impl Keep<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let words = [part.element, part.attribute];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        let byte = |at| part.source.source(Span::new(at, at + 1));
        let source = part.source.source(Span::new(0, part.text.len()));
        let stream = part.stream.map_or(self.document, |stream| stream.bytes);
        self.parts.push(Given {
            text: part.text.to_vec(),
            source,
            source_text: stream[source.range()].to_vec(),
            place: part.place.map(ToString::to_string).unwrap_or_default(),
            link_text: part.label.unwrap_or_default().to_owned(),
            stream: part.stream.map(|stream| stream.name.to_owned()),
            bytes: (0..part.text.len()).map(byte).collect(),
            role: part.role.name(),
            element: words.join(" "),
        });
        ControlFlow::Continue(())
    }

    fn note(&mut self, event: &Event<'_>) {
        let at = |span: Span| format!("{}..{}", span.start(), span.end());
        self.marks.push(match *event {
            Event::Base { reference, span } => format!("base {reference} {}", at(span)),
            Event::Define { space: NameSpace::Anchor, name, span } => {
                format!("anchor {name} {}", at(span))
            }
            Event::Heading { level, text, span } => {
                format!("heading {level} {text:?} {}", at(span))
            }
            Event::Label { text, destination, span, .. } => {
                format!("label {text:?} {} to {}", at(span), at(destination))
            }
            Event::Define { space: NameSpace::Label, name: label, span } => {
                format!("definition {label} {}", at(span))
            }
            Event::Refer { space: NameSpace::Label, name: label, span, .. } => {
                format!("undefined {label} {}", at(span))
            }
            Event::Refer { space: NameSpace::Document, name, span, .. } => {
                format!("document {name} {}", at(span))
            }
            Event::Refer { space: NameSpace::CrossReference, name, span, .. } => {
                format!("cross-reference {name} {}", at(span))
            }
            _ => format!("{event:?}"),
        });
    }
}

fn keep(format: Format, document: &[u8], values: ValueParts) -> Keep<'_> {
    let (parts, marks) = (Vec::new(), Vec::new());
    let mut keep = Keep { document, parts, marks, values };
    let flow = format.read(Source::new(document), &mut keep);
    assert_eq!(flow, ControlFlow::Continue(()));
    keep
}

/// The parts of a document.
pub fn read(format: Format, document: &[u8]) -> Vec<Given> {
    keep(format, document, ValueParts::Text).parts
}

/// The parts of a document whose values are read in their markup.
pub fn read_values(format: Format, document: &[u8]) -> Vec<Given> {
    keep(format, document, ValueParts::Documents).parts
}

/// Its marks, as vectors have them.
pub fn marks(format: Format, document: &[u8]) -> Vec<String> {
    keep(format, document, ValueParts::Text).marks
}
