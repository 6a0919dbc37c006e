//! Reads a document that has no text of its own, such as a PDF, into [`Facts`].
//!
//! Findings need a text to stand in. It is made here: a line per link, with its label if it has
//! one, and the other texts in which a URI was found. The place of each line is kept.

use std::ops::ControlFlow;

use super::{Facts, KeptLabel, LabelKind};
use crate::document::{
    CodeParts, Content, Event, EventSink, Format, NameSpace, Part, Place, Role, Source, Wants,
};
use crate::{Finder, Finding, Span};

/// Larger texts are not kept; their links are not audited.
const MAX_TEXT_BYTES: usize = 64 << 20;
/// Stands between a label and its destination.
const ARROW: &[u8] = " → ".as_bytes();

/// The links and names that were read from a document.
pub(in crate::audit) struct Extracted {
    pub facts: Facts,
    pub text: Vec<u8>,
    /// The place of the content that starts at an offset of the text, in order.
    pub places: Vec<(usize, Place<'static>)>,
    /// Reports of content that was not read: the path below the document, and the message.
    pub unread: Vec<(String, String)>,
    /// True if it holds files, whose links are not among the facts.
    pub has_files: bool,
}

/// Reads a document.
pub(in crate::audit) fn extract(format: Format, bytes: &[u8], finder: &Finder) -> Extracted {
    let facts = Facts { format: Some(format), ..Facts::default() };
    let extracted = Extracted {
        facts,
        text: Vec::new(),
        places: Vec::new(),
        unread: Vec::new(),
        has_files: false,
    };
    let mut reader = Extractor { finder, extracted };
    // A reader of facts never stops early.
    let _ = format.read(Source::new(bytes), &mut reader);
    let mut extracted = reader.extracted;
    let labels: Vec<_> = extracted.facts.labels.iter().map(|(_, label)| label.link).collect();
    for (index, link) in labels.into_iter().enumerate() {
        if let Some(link) = link {
            extracted.facts.links.set_label(link as usize, index);
        }
    }
    extracted
}

struct Extractor<'r> {
    finder: &'r Finder,
    extracted: Extracted,
}

impl EventSink for Extractor<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let Extracted { facts, unread, .. } = &mut self.extracted;
        match *event {
            Event::Part(part) => self.part(part),
            Event::Define { space: NameSpace::Anchor, name, span } => facts.names.push(name, span),
            Event::Unread { file, message } => unread.push((file.to_owned(), message.to_owned())),
            Event::Limit(limit) => {
                let reached = (String::new(), limit.to_string());
                if !unread.contains(&reached) {
                    unread.push(reached);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        Wants::all().code(CodeParts::Skipped).identifiers(self.finder.identifiers())
    }
}

impl Extractor<'_> {
    fn part(&mut self, part: &Part<'_>) {
        // It is audited as a document of its own: its references mean its own anchors.
        if part.stream.is_some_and(|stream| stream.file.is_some()) {
            self.extracted.has_files = true;
            return;
        }
        let is_cut = part.role == Role::Text && matches!(part.place, Some(Place::Page(_)));
        match part.role {
            Role::Code | Role::String | Role::Comment | Role::Metadata => return,
            // The ends of lines on a page may cut a URI, so only its links are certain.
            _ if is_cut || self.extracted.text.len() > MAX_TEXT_BYTES => return,
            _ => {}
        }
        match part.content {
            Content::Reference => {
                let finding = self.finder.reference(part.text);
                self.link(finding.as_ref(), part);
            }
            _ if !self.finder.may_find(part.text) => {}
            Content::Value => match self.finder.value(part.text) {
                Some(found) => self.link(Some(&Finding::Match(found)), part),
                None => self.text(part),
            },
            Content::Text | Content::Autolinks => self.text(part),
        }
    }

    /// Appends a line with a link.
    fn link(&mut self, finding: Option<&Finding<'_>>, part: &Part<'_>) {
        let Extracted { facts, text, .. } = &mut self.extracted;
        let start = text.len();
        if let Some(label) = part.label {
            text.extend_from_slice(label.as_bytes());
            let span = Span::new(start, text.len());
            let link = u32::try_from(facts.links.len()).ok();
            facts.labels.push(label, KeptLabel { span, kind: LabelKind::Text, link });
            text.extend_from_slice(ARROW);
        }
        let span = Span::new(text.len(), text.len() + part.text.len());
        text.extend_from_slice(part.text);
        text.push(b'\n');
        facts.links.push(finding, span, part.text, Some(part));
        self.place(start, part);
    }

    /// Appends a text if URIs are found in it.
    fn text(&mut self, part: &Part<'_>) {
        let Extracted { facts, text, .. } = &mut self.extracted;
        let (start, known) = (text.len(), facts.links.len());
        for finding in self.finder.findings(part.text) {
            if !matches!(finding, Finding::Rejected(_)) {
                let found = finding.span();
                let span = Span::new(start + found.start(), start + found.end());
                facts.links.push(Some(&finding), span, part.text, Some(part));
            }
        }
        if facts.links.len() > known {
            text.extend_from_slice(part.text);
            text.push(b'\n');
            self.place(start, part);
        }
    }

    fn place(&mut self, start: usize, part: &Part<'_>) {
        if let Some(place) = part.place {
            self.extracted.places.push((start, place.shortened().into_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_lines_labels_and_places() {
        let rtf = Format::named("rtf").expect("a format");
        let text = br#"{\rtf1 see http://a.example/ {\field{\*\fldinst HYPERLINK "http://b.example/"}{\fldrslt b}}}"#;
        let extracted = extract(rtf, text, &Finder::new());
        let lines = String::from_utf8_lossy(&extracted.text).into_owned();
        assert!(lines.contains("b → http://b.example/\n"), "{lines}");
        for link in extracted.facts.links() {
            assert_eq!(&lines[link.span.range()], link.written);
        }
        let label = extracted.facts.labels().next().expect("a label");
        assert_eq!(&lines[label.span.range()], "b");
        assert_eq!(extracted.places.len(), lines.lines().count());
    }
}
