//! HTML, XHTML and SVG.

use std::ops::ControlFlow;

use super::{Content, Part, Role, Sink, Source};
use crate::offset_map::OffsetMap;

/// Reads a document.
pub fn read(source: Source<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
    let map = OffsetMap::copied(source.bytes.len(), 0);
    sink.part(&Part {
        text: source.bytes,
        source: source.layers(&map),
        role: Role::Text,
        content: Content::Text,
        element: None,
        attribute: None,
    })
}
