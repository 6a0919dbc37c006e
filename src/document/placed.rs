//! Documents inside values of others: their parts get the place of the value.

use std::ops::ControlFlow;

use super::{Event, EventSink, Part, Place, Wants};

/// Passes on the parts of a nested document, with a place. Its names, headings, and base are not
/// those of the document around it.
pub(super) struct PlacedSink<'p, 's> {
    pub place: &'p Place<'p>,
    pub sink: &'s mut dyn EventSink,
}

impl EventSink for PlacedSink<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.sink.part(&Part { place: Some(self.place), ..**part }),
            Event::Label { .. } | Event::Skipped { .. } | Event::Unread { .. } => {
                self.sink.event(event)
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn wants(&self) -> Wants {
        self.sink.wants()
    }
}
