//! What a reader gives, kept.

use std::ops::ControlFlow;

use urigrep::Span;
use urigrep::document::mail::{self, EntityReading, Headers, Multipart};
use urigrep::document::{Event, EventSink, Part, Role, Source, Wants};

/// A part, with what its entity says.
#[derive(Clone, Debug)]
pub struct Given {
    pub number: String,
    pub reading: EntityReading,
    pub role: Role,
    /// The field that it is the value of.
    pub header: Option<String>,
    pub is_header: bool,
    pub text: Vec<u8>,
    pub span: Span,
}

/// A sink that keeps all.
#[derive(Debug, Default)]
pub struct Seen {
    pub given: Vec<Given>,
    pub skipped: Vec<(String, mail::Skipped, Span)>,
    /// The `Content-Base` and `Content-Location` that each entity had around it.
    pub locations: Vec<Vec<mail::EntityLocation>>,
    pub multiparts: Vec<(String, Option<Multipart>)>,
    pub subjects: Vec<Option<String>>,
    pub headers: Headers,
    number: String,
    reading: Option<EntityReading>,
}

impl Seen {
    pub fn of(message: &[u8], headers: Headers) -> Self {
        let mut seen = Self { headers, ..Self::default() };
        let _ = mail::read(Source::new(message), &mut seen);
        seen
    }

    /// All text, part by part.
    pub fn text(&self) -> Vec<u8> {
        let parts: Vec<_> = self.given.iter().map(|given| given.text.as_slice()).collect();
        parts.join(&b'\n')
    }

    pub fn has(&self, needle: &str) -> bool {
        memchr::memmem::find(&self.text(), needle.as_bytes()).is_some()
    }
}

impl EventSink for Seen {
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
        Wants::new().headers(self.headers)
    }
}

impl Seen {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let all = Span::new(0, part.text.len());
        self.given.push(Given {
            number: self.number.clone(),
            reading: self.reading.unwrap_or(EntityReading::Parsed),
            role: part.role,
            header: part.attribute.map(str::to_owned),
            is_header: part.element == Some(mail::HEADER),
            text: part.text.to_vec(),
            span: part.source.source(all),
        });
        ControlFlow::Continue(())
    }

    fn note(&mut self, event: &Event<'_>) {
        match event {
            Event::Entity(entity) => {
                self.number = entity.number.to_owned();
                self.reading = Some(entity.reading);
                self.locations.push(entity.locations.to_vec());
                self.multiparts.push((self.number.clone(), entity.multipart));
                self.subjects.push(entity.message.subject());
            }
            Event::Skipped { reason, span } => {
                self.skipped.push((self.number.clone(), *reason, *span));
            }
            _ => {}
        }
    }
}
