//! Fast path for messages of plain text, as most of mailing lists are: no field concerns the body,
//! and nothing is encoded.
//!
//! The output equals that of the walk over parts, without its setup costs per message.

use std::ops::ControlFlow;

use super::body::PGP;
use super::header::Header;
use super::{
    Entity, EntityReading, Headers, InlineFiles, KnownMessage, emit, head, starts_with_mark,
};
use crate::decode::Encoding;
use crate::document::{Event, EventSink, Role, Source};
use crate::scan::FieldValues;
use crate::span::Span;
use crate::work_counter;

/// Emits a message; `None` if it may be more than text, in which case nothing was emitted.
pub(super) fn read(
    source: Source<'_>,
    known: KnownMessage,
    sink: &mut dyn EventSink,
) -> Option<ControlFlow<()>> {
    // The search for the end of the message has already computed both. Together with the outline
    // loop, that takes mail from 1.79 to 1.58 times the time of plain text (docs/decisions/0004).
    let KnownMessage { outline, files } = known;
    let is_plain = outline.content.is_none() && outline.values == FieldValues::Plain;
    // A byte order mark hides the name of the first field.
    if !is_plain || files != InlineFiles::None || starts_with_mark(source.bytes) {
        return None;
    }
    let (header, rest) = source.bytes.split_at_checked(outline.end)?;
    let body = match rest {
        [b'\n', body @ ..] | [b'\r', b'\n', body @ ..] => body,
        _ => return None,
    };
    let wants = sink.wants();
    let is_wanted = wants.mime.parts > 0 && wants.headers == Headers::Text;
    // Encrypted bodies are reported, and bodies with a byte order mark are decoded. The walk over
    // parts does both.
    if !is_wanted || body.trim_ascii_start().starts_with(PGP) || Encoding::detect(body).is_some() {
        return None;
    }
    work_counter::add(source.bytes.len());
    let header_span = Span::new(0, header.len());
    let entity = Entity {
        number: "",
        message: Header::new(header),
        message_start: source.span(Span::default()).start(),
        multipart: None,
        media_type: "text/plain",
        reading: EntityReading::Parsed,
        locations: &[],
    };
    sink.note(&Event::Entity(&entity));
    let mut flow = head::text(source, header_span, None, sink);
    if flow.is_continue() {
        sink.note(&Event::Entity(&Entity { number: "1", ..entity }));
        let start = source.bytes.len() - body.len();
        flow = emit(source, Span::new(start, source.bytes.len()), Role::Text, sink);
    }
    Some(flow)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Scratch;
    use super::super::walk::MessageWalk;
    use super::*;
    use crate::document::Part;
    use crate::scan::HeaderOutline;

    /// Formats the events of a sink as text.
    #[derive(Default)]
    struct Given(Vec<String>);

    impl EventSink for Given {
        fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
            match event {
                Event::Part(part) => self.part(part),
                event => {
                    self.note(event);
                    ControlFlow::Continue(())
                }
            }
        }
    }

    impl Given {
        fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
            let span = part.source.source(Span::new(0, part.text.len()));
            let Part { text, role, content, element, attribute, .. } = part;
            self.0
                .push(format!("{span:?} {text:?} {role:?} {content:?} {element:?} {attribute:?}"));
            ControlFlow::Continue(())
        }

        fn note(&mut self, event: &Event<'_>) {
            self.0.push(format!("{event:?}"));
        }
    }

    proptest! {
        #[test]
        fn gives_what_the_walk_gives(
            fields in "([A-Z][a-z-]{0,70}: [a-z:/]{0,70}(\n [a-z]{60})?\r?\n){0,6}",
            field in prop_oneof![
                9 => Just(""), 1 => Just("Content-Type: text/html\n"), 1 => Just("Subject: =?utf-8?q?a=3Ab?=\n"), 1 => Just("Subject : a\n"),
            ],
            start in prop_oneof![9 => Just("\n"), 1 => Just("\r\n"), 1 => Just("")],
            body in prop_oneof![
                9 => "[a-z:/ \n\t<>\0]{0,200}".boxed(), 1 => Just("\n-----BEGIN PGP MESSAGE-----\n".to_owned()).boxed(),
                1 => "(a\0){50}".boxed(), 1 => "[ \n]{0,9}".boxed(),
            ],
        ) {
            let message = [&fields, field, start, &body].concat();
            let source = Source::new(message.as_bytes());
            let outline = HeaderOutline::read(source.bytes, 0);
            let known = KnownMessage { outline, files: InlineFiles::None };
            let (mut plain, mut walked) = (Given::default(), Given::default());
            let span = Span::new(0, message.len());
            let _ = MessageWalk::new(source, span, &mut Scratch::default(), &mut walked)
                .known(Some(known))
                .run();
            match read(source, known, &mut plain) {
                Some(_) => prop_assert_eq!(plain.0, walked.0),
                None => prop_assert!(plain.0.is_empty()),
            }
        }
    }
}
