//! The texts of links that a document has after their destinations.
//!
//! A hit is passed on as soon as it is found, but most markup has the text of a link after its
//! destination, and that of a reference link may stand anywhere. So the labels are collected by a
//! reading of their own, which happens once such a destination was found and only for sinks that
//! show labels. Then no hit waits for another, and their order is that of a search without labels.

use std::ops::ControlFlow;

use crate::document::{CodeParts, Event, EventSet, EventSink, Part, Stream, TextParts, Wants};
use crate::hash::HashMap;
use crate::search::query::Query;
use crate::span::Span;

/// Most labels that are kept of a document, which bounds the memory for them.
pub(crate) const MAX_LABELS: usize = 1 << 18;

/// Labels by destination, for each text of a document that has offsets of its own.
#[derive(Default)]
pub(crate) struct LinkLabels {
    texts: HashMap<TextKey, HashMap<Span, Box<str>>>,
    kept: usize,
}

/// A text with offsets of its own: the number of the part of a message, because two attachments
/// may have the same name, and the name of the stream.
#[derive(PartialEq, Eq, Hash)]
struct TextKey {
    number: Box<str>,
    stream: Box<str>,
}

impl TextKey {
    fn new(number: &str, stream: Option<&Stream<'_>>) -> Self {
        Self { number: number.into(), stream: stream.map_or("", |stream| stream.name).into() }
    }
}

impl LinkLabels {
    /// Collects the labels of the document that `read` passes to a sink.
    pub fn collect(query: &Query, read: impl FnOnce(&mut dyn EventSink)) -> Self {
        let mut collector =
            LabelCollector { query, labels: Self::default(), number: String::new() };
        read(&mut collector);
        collector.labels
    }

    /// True if there were more labels than are kept.
    pub fn is_full(&self) -> bool {
        self.kept == MAX_LABELS
    }

    /// Returns the label of a destination in the part of a message with this number.
    pub fn label(&self, destination: &Part<'_>, number: &str) -> Option<&str> {
        let labels = self.texts.get(&TextKey::new(number, destination.stream))?;
        let span = destination.source.source(Span::new(0, destination.text.len()));
        labels.get(&span).map(|label| &**label)
    }
}

struct LabelCollector<'q> {
    query: &'q Query,
    labels: LinkLabels,
    /// Number of the part of the message.
    number: String,
}

impl EventSink for LabelCollector<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            _ if self.labels.is_full() => return ControlFlow::Break(()),
            Event::Entity(entity) => entity.number.clone_into(&mut self.number),
            Event::Label { text, destination, stream, .. } => {
                // HTML and the markups that become HTML show any white space as one space.
                let words: Vec<&str> = text.split_whitespace().collect();
                if !words.is_empty() {
                    let key = TextKey::new(&self.number, *stream);
                    let labels = self.labels.texts.entry(key).or_default();
                    // Several reference links may share a destination: the first one counts, as in
                    // the audit.
                    labels.entry(*destination).or_insert_with(|| words.join(" ").into());
                    self.labels.kept += 1;
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        // A label may be in text that a search need not see, so all text is read. The limits are
        // those of the search, or other parts of a message would be read.
        let wants = self.query.wants().events(EventSet::All);
        wants.text(TextParts::All).code(CodeParts::Skipped)
    }
}
