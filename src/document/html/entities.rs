//! Entities that a page in XML declares: SVG and XHTML (XML 1.0 §4.4.2). Browsers insert their
//! text.

use std::ops::ControlFlow;

use memchr::memmem;

use crate::document::xml::{Entities, XmlToken, XmlTokens};
use crate::document::{EventSink, Source};
use crate::offset_map::DerivedText;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Declarations come before the first element; few pages have any.
const HEAD_BYTES: usize = 64 << 10;

/// Reads a page with `read`, after the text of its own entities was inserted.
pub(super) fn read(
    source: Source<'_>,
    sink: &mut dyn EventSink,
    read: impl FnOnce(Source<'_>, &mut dyn EventSink) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(doctype) = doctype(source.bytes) else { return read(source, sink) };
    let mut entities = Entities::default();
    entities.declare(source.bytes.part(doctype.range()));
    let mut text = DerivedText::with_capacity(source.bytes.len());
    text.copy(source.bytes.part(..doctype.end()), 0);
    entities.insert(source.bytes.part(doctype.end()..), doctype.end(), &mut text);
    let layers = source.layers(text.map());
    read(Source::inside(text.text(), &layers), sink)
}

/// Returns the document type, if it declares entities.
fn doctype(bytes: &[u8]) -> Option<Span> {
    memmem::find(bytes.clamped(..HEAD_BYTES), b"<!ENTITY")?;
    let mut tokens = XmlTokens::new(bytes);
    while let Some(token) = tokens.next() {
        match token {
            XmlToken::Doctype(span) => return Some(span),
            XmlToken::Start { .. } | XmlToken::End { .. } => return None,
            _ => {}
        }
    }
    None
}
