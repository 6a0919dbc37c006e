//! The texts of links in a search are those that the readers report.

use std::collections::HashMap;
use std::ops::ControlFlow;

use urigrep::document::{Event, EventSet, FORMATS, FindingSink, Format, PartFinding, Role, Wants};
use urigrep::search::{
    Flow, Hit, Input, Labels, Level, Mail, Markup, Needs, References, Search, Sink,
};
use urigrep::{Finder, Finding, Span};

use super::{File, corpus_text};

/// The labels of the hits of a search, with the spans of the hits.
struct Labelled {
    needs: Labels,
    hits: Vec<(Span, Option<String>)>,
}

impl Sink for Labelled {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        let [start, end] = hit.bytes_of(hit.finding().span());
        let span = Span::new(start as usize, end as usize);
        self.hits.push((span, hit.label().map(|label| label.into_owned())));
        Flow::Continue
    }

    fn needs(&self, _: Level) -> Needs {
        Needs::new().labels(self.needs)
    }
}

fn search(format: Format, text: &[u8], needs: Labels) -> Vec<(Span, Option<String>)> {
    let search = Search::builder()
        .markup(Markup::Always(format))
        .mail(if format.is_message() { Mail::Always } else { Mail::Never })
        .references(References::AsWritten)
        .threads(1)
        .build()
        .expect("a search");
    let mut sink = Labelled { needs, hits: Vec::new() };
    let extension = format.extensions().first().copied().unwrap_or_default();
    search.reader(text, &Input::named(format!("a.{extension}")), &mut sink);
    sink.hits
}

/// The labels of all hits that have one, in order.
pub fn of_search(format: Format, text: &[u8]) -> Vec<String> {
    search(format, text, Labels::All).into_iter().filter_map(|(_, label)| label).collect()
}

/// Keeps every event, and joins labels and destinations at the end.
struct Twin {
    events: EventSet,
    /// The span of each finding, that of its part if this is a destination, and the label that is
    /// known with it.
    found: Vec<(Span, Option<Span>, Option<String>)>,
    labels: HashMap<Span, String>,
}

impl FindingSink for Twin {
    fn finding(&mut self, found: PartFinding<'_>) -> ControlFlow<()> {
        if !matches!(found.finding, Finding::Rejected(_)) {
            let part = found.part;
            let whole = part.source.source(Span::new(0, part.text.len()));
            // A link in a documentation comment has the role of the comment.
            let is_of_comment = part.role == Role::Comment && part.element.is_some();
            let destination = (part.role == Role::Destination || is_of_comment).then_some(whole);
            self.found.push((found.span(), destination, part.label.map(str::to_owned)));
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &Event<'_>) {
        if let Event::Label { text, destination, stream: None, .. } = event {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if !text.is_empty() {
                self.labels.entry(*destination).or_insert(text);
            }
        }
    }

    fn wants(&self) -> Wants {
        Wants::new().events(self.events)
    }
}

fn twin(format: Format, text: &[u8]) -> Vec<(Span, Option<String>)> {
    let read = |events| {
        let mut twin = Twin { events, found: Vec::new(), labels: HashMap::new() };
        assert!(format.find(text, &Finder::new(), &mut twin).is_continue());
        twin
    };
    let (found, labels) = (read(EventSet::Search).found, read(EventSet::All).labels);
    let labelled = found.into_iter().map(|(span, destination, known)| {
        let label = known.or_else(|| labels.get(&destination?).cloned());
        (span, label)
    });
    labelled.collect()
}

#[test]
fn labels_are_those_of_the_reader() {
    let (mut labels, mut wrong) = (0, Vec::new());
    let textual = FORMATS.iter().filter(|format| !format.is_message() && !format.is_binary());
    for &format in textual {
        let file: File = toml::from_str(&corpus_text(format)).expect("a file of documents");
        for document in file.document {
            let text = document.text.as_bytes();
            let hits = search(format, text, Labels::All);
            let expected = twin(format, text);
            labels += hits.iter().filter(|(_, label)| label.is_some()).count();
            if hits != expected {
                wrong.push(format!("{format} {}: {hits:?}\nnot {expected:?}", document.name));
            }
            // Labels change no hit.
            let plain = search(format, text, Labels::Known);
            let spans = |hits: &[(Span, Option<String>)]| -> Vec<Span> {
                hits.iter().map(|(span, _)| *span).collect()
            };
            assert_eq!(spans(&plain), spans(&hits), "{format} {}", document.name);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(labels > 60, "{labels}");
}
