//! A sink that keeps all that it is given.

use std::ops::ControlFlow;

use urigrep::Span;
use urigrep::document::{Event, EventSink, Format, NameSpace, Part, Source, Wants};

/// A part that owns its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub text: Vec<u8>,
    pub source: Span,
    /// The source of each byte.
    pub bytes: Vec<Span>,
    pub role: &'static str,
    /// The element and the attribute.
    pub element: String,
}

impl Given {
    /// As vectors have it.
    pub fn label(&self, document: &str) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.text).into_owned();
        let source = &document[self.source.range()];
        let mut label = vec![self.role.to_owned(), self.element.clone(), text];
        if source.as_bytes() != self.text {
            label.push(source.to_owned());
        }
        label
    }
}

struct Keep {
    parts: Vec<Given>,
    marks: Vec<String>,
}

impl EventSink for Keep {
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

impl Keep {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let words = [part.element, part.attribute];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        let byte = |at| part.source.source(Span::new(at, at + 1));
        self.parts.push(Given {
            text: part.text.to_vec(),
            source: part.source.source(Span::new(0, part.text.len())),
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
            Event::Label { text, destination, span } => {
                format!("label {text:?} {} to {}", at(span), at(destination))
            }
            Event::Define { space: NameSpace::Label, name: label, span } => {
                format!("definition {label} {}", at(span))
            }
            Event::Refer { space: NameSpace::Label, name: label, span, .. } => {
                format!("undefined {label} {}", at(span))
            }
            _ => format!("{event:?}"),
        });
    }
}

fn keep(format: Format, document: &[u8]) -> Keep {
    let (parts, marks) = (Vec::new(), Vec::new());
    let mut keep = Keep { parts, marks };
    let flow = format.read(Source::new(document), &mut keep);
    assert_eq!(flow, ControlFlow::Continue(()));
    keep
}

/// The parts of a document.
pub fn read(format: Format, document: &[u8]) -> Vec<Given> {
    keep(format, document).parts
}

/// Its marks, as vectors have them.
pub fn marks(format: Format, document: &[u8]) -> Vec<String> {
    keep(format, document).marks
}
