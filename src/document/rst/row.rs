//! Brings the events of the cells of a row into the order of the document.

use std::ops::ControlFlow;

use crate::document::{Content, Event, EventSink, LinkOrigin, NameSpace, Part, Role, Scope, Wants};
use crate::offset_map::OwnedLayers;
use crate::span::Span;

/// Stores events of cells that are beside each other.
pub(super) struct RowEvents {
    wants: Wants,
    /// Each with the offset that it is ordered by.
    events: Vec<(usize, RowEvent)>,
    /// The start of the last part: what is not a part stays after it.
    at: usize,
}

enum RowEvent {
    Part(OwnedPart),
    Label { text: String, destination: Span, span: Span },
    Define { space: NameSpace, name: String, span: Span },
    Refer { space: NameSpace, name: String, scope: Scope, span: Span },
}

struct OwnedPart {
    text: Vec<u8>,
    source: OwnedLayers,
    role: Role,
    content: Content,
    element: Option<String>,
    attribute: Option<String>,
    origin: LinkOrigin,
    label: Option<String>,
}

impl RowEvents {
    pub fn new(wants: Wants) -> Self {
        Self { wants, events: Vec::new(), at: 0 }
    }

    /// Starts a cell whose text starts at an offset of the stream.
    pub fn start_cell(&mut self, at: usize) {
        self.at = at;
    }

    /// Passes all events on, ordered by the starts of the parts.
    pub fn replay(mut self, sink: &mut dyn EventSink) -> ControlFlow<()> {
        // A stable sort: the events of a part stay after it.
        self.events.sort_by_key(|(at, _)| *at);
        for (_, event) in &self.events {
            match event {
                RowEvent::Part(part) => {
                    let whole = Part::of_text(&part.text, part.source.layers(), part.role);
                    sink.part(&Part {
                        content: part.content,
                        element: part.element.as_deref(),
                        attribute: part.attribute.as_deref(),
                        origin: part.origin,
                        label: part.label.as_deref(),
                        ..whole
                    })?;
                }
                &RowEvent::Label { ref text, destination, span } => {
                    sink.note(&Event::Label { text, destination, span, stream: None });
                }
                &RowEvent::Define { space, ref name, span } => {
                    sink.note(&Event::Define { space, name, span });
                }
                &RowEvent::Refer { space, ref name, scope, span } => {
                    sink.note(&Event::Refer { space, name, scope, span });
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl EventSink for RowEvents {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let event = match *event {
            Event::Part(part) => {
                let all = Span::new(0, part.text.len());
                self.at = part.source.source(all).start();
                RowEvent::Part(OwnedPart {
                    text: part.text.to_vec(),
                    source: part.source.to_owned_layers(all),
                    role: part.role,
                    content: part.content,
                    element: owned(part.element),
                    attribute: owned(part.attribute),
                    origin: part.origin,
                    label: owned(part.label),
                })
            }
            Event::Label { text, destination, span, .. } => {
                RowEvent::Label { text: text.to_owned(), destination, span }
            }
            Event::Define { space, name, span } => {
                RowEvent::Define { space, name: name.to_owned(), span }
            }
            Event::Refer { space, name, scope, span } => {
                RowEvent::Refer { space, name: name.to_owned(), scope, span }
            }
            // A cell has no sections, and raw HTML in it sets no base for the document.
            _ => return ControlFlow::Continue(()),
        };
        self.events.push((self.at, event));
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        self.wants
    }
}
