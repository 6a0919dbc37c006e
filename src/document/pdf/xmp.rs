//! XMP metadata (ISO 16684-1): the texts of elements and attributes, without namespaces.

use std::ops::ControlFlow;

use crate::document::xml::{Entities, XmlToken, XmlTokens};
use crate::document::{EventSink, Part, Role, Stream};
use crate::offset_map::{DerivedText, Layers};
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Shorter texts contain no URI.
const MIN_LENGTH: usize = 5;

pub(super) fn read(bytes: &[u8], sink: &mut dyn EventSink) -> ControlFlow<()> {
    let stream = Stream::extracted("metadata", bytes);
    let mut entities = Entities::default();
    let mut tokens = XmlTokens::new(bytes);
    while let Some(token) = tokens.next() {
        let texts: Vec<Span> = match token {
            XmlToken::Text(text) => vec![text],
            // A property may be an attribute of its description (§7.9.2.3).
            XmlToken::Start { .. } => {
                let is_namespace = |name: Span| bytes.part(name.range()).starts_with(b"xmlns");
                let attributes = tokens.attributes().iter();
                attributes.filter(|it| !is_namespace(it.name)).map(|it| it.value).collect()
            }
            _ => continue,
        };
        for span in texts {
            let raw = bytes.part(span.range());
            if raw.trim_ascii().len() < MIN_LENGTH {
                continue;
            }
            let mut text = DerivedText::default();
            entities.decode(raw, span.start(), &mut text);
            let part = Part::of_text(text.text(), Layers::new(text.map()), Role::Metadata);
            sink.part(&Part { stream: Some(&stream), ..part })?;
        }
    }
    ControlFlow::Continue(())
}
