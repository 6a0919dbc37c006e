//! Emits parts of files in a package.

use std::ops::ControlFlow;

use memchr::memmem;

use super::field::FieldLink;
use super::relationships::Relationships;
use crate::document::package::PackageFile;
use crate::document::writer::link_content;
use crate::document::{Content, Event, EventSink, NameSpace, Part, Place, Role, Stream};
use crate::offset_map::{DerivedText, Layers, OffsetMap, RunOrigin};
use crate::percent::{self, PercentSet};
use crate::slice::{SliceExt as _, hexadecimal};
use crate::span::Span;

/// The place of a text: the one shown to people, and its bytes.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub place: Option<&'a Place<'a>>,
    pub stream: Stream<'a>,
}

/// The role and element of a part.
#[derive(Clone, Copy)]
pub(super) struct PartKind<'k> {
    pub role: Role,
    pub content: Content,
    pub element: Option<&'k str>,
    pub label: Option<&'k str>,
}

impl<'k> PartKind<'k> {
    pub const fn text(role: Role) -> Self {
        Self { role, content: Content::Text, element: None, label: None }
    }

    /// A link, whose target need not be a URI.
    pub fn link(element: &'k str, label: &'k str) -> Self {
        let label = Some(label.trim()).filter(|label| !label.is_empty());
        Self { role: Role::Destination, content: Content::Value, element: Some(element), label }
    }
}

impl PartKind<'_> {
    /// Returns the same link, searched as this target needs it.
    pub fn of_target(self, target: &[u8]) -> Self {
        Self { content: link_content(target), ..self }
    }
}

/// Emits a link to a place in the document itself, which only an audit examines. Its name is at
/// `source`.
pub(super) fn emit_internal(
    (name, source): (&str, Span),
    at: At<'_>,
    kind: PartKind<'_>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    if name.is_empty() || !sink.wants().all_events() {
        return ControlFlow::Continue(());
    }
    let mut text = DerivedText::default();
    let reference = format!("#{}", percent::encode(name, PercentSet::Fragment));
    text.replace(reference.as_bytes(), source, RunOrigin::Decoded);
    let part = Part::of_text(text.text(), Layers::new(text.map()), kind.role);
    sink.part(&Part {
        content: Content::Reference,
        element: kind.element,
        label: kind.label,
        place: at.place,
        stream: Some(&at.stream),
        ..part
    })
}

/// Reports a place that internal links may name.
pub(super) fn define(name: &str, span: Span, sink: &mut dyn EventSink) {
    if sink.wants().all_events() && !name.is_empty() {
        sink.note(&Event::Define { space: NameSpace::Anchor, name, span });
    }
}

/// Emits a text joined from pieces of a file, unless it cannot contain a URI.
pub(super) fn emit(
    text: &DerivedText,
    at: At<'_>,
    kind: PartKind<'_>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let source = Layers::new(text.map());
    emit_mapped(text.text(), source, at, kind, sink)
}

/// Emits a text of a spreadsheet, whose characters may be written as `_x0068_` (ECMA-376 part 1,
/// §22.9.2.19).
pub(super) fn emit_escaped(
    text: &DerivedText,
    at: At<'_>,
    kind: PartKind<'_>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    if memmem::find(text.text(), b"_x").is_none() {
        return emit(text, at, kind, sink);
    }
    let unescaped = unescaped(text.text());
    let below = Layers::new(text.map());
    emit_mapped(unescaped.text(), below.under(unescaped.map()), at, kind, sink)
}

/// Returns a text without escapes of characters.
fn unescaped(text: &[u8]) -> DerivedText {
    const LENGTH: usize = "_x0068_".len();
    let mut made = DerivedText::with_capacity(text.len());
    let mut kept = 0;
    for at in memmem::find_iter(text, b"_x") {
        let escape = text.clamped(at..at + LENGTH);
        let digits = escape.strip_prefix(b"_x").and_then(|rest| rest.strip_suffix(b"_"));
        // The underscore between two escapes, `_x0068_x0069_`, belongs to the first one.
        let code = digits.filter(|digits| digits.len() == 4 && at >= kept).and_then(hexadecimal);
        // Half of a surrogate pair is not a character, and stays as it is written.
        let code = code.and_then(char::from_u32);
        let Some(char) = code else { continue };
        made.copy(text.part(kept..at), kept);
        let character = Span::new(at, at + LENGTH);
        made.replace(char.encode_utf8(&mut [0; 4]).as_bytes(), character, RunOrigin::Decoded);
        kept = at + LENGTH;
    }
    made.copy(text.clamped(kept..), kept);
    made
}

/// Emits a piece of such a text.
pub(super) fn emit_piece(
    (text, piece): (&DerivedText, Span),
    at: At<'_>,
    kind: PartKind<'_>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let below = Layers::new(text.map());
    let map = OffsetMap::copied(piece.len(), piece.start());
    emit_mapped(text.text().part(piece.range()), below.under(&map), at, kind, sink)
}

/// Emits the link of a field instruction in such a text.
pub(super) fn emit_field(
    text: &DerivedText,
    link: FieldLink,
    at: At<'_>,
    kind: PartKind<'_>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let target = link.target(text.text());
    let below = Layers::new(text.map());
    let kind = kind.of_target(target.text());
    emit_mapped(target.text(), below.under(target.map()), at, kind, sink)
}

/// Emits a text with its map to the file.
pub(super) fn emit_mapped(
    text: &[u8],
    source: Layers<'_>,
    at: At<'_>,
    kind: PartKind<'_>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    // Most texts are short words without a URI.
    if text.trim_ascii().len() < 5 {
        return ControlFlow::Continue(());
    }
    let part = Part::of_text(text, source, kind.role);
    sink.part(&Part {
        content: kind.content,
        element: kind.element,
        label: kind.label,
        place: at.place,
        stream: Some(&at.stream),
        ..part
    })
}

/// A link that leads where a relationship says.
pub(super) struct RelationshipLink<'l> {
    pub id: &'l str,
    /// The place in the target, which the link names itself; empty if it names none.
    pub fragment: &'l str,
    pub label: &'l str,
}

/// Emits the target of a relationship as a link.
pub(super) fn emit_relationship(
    relationships: &mut Relationships<'_>,
    link: &RelationshipLink<'_>,
    place: &Place<'_>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let stream = relationships.file.as_ref().map(|file| (file.name.to_owned(), file.bytes));
    let (Some((name, bytes)), Some(relationship)) = (stream, relationships.used(link.id, sink))
    else {
        return ControlFlow::Continue(());
    };
    let name = format!("zip!/{name}");
    let stream = Stream::extracted(&name, bytes);
    let kind = PartKind::link(&relationship.kind, link.label);
    let kind = match relationship.kind.as_str() {
        "hyperlink" | "image" => kind.of_target(relationship.target.text()),
        // The template of a text is in a folder of the program.
        _ => kind,
    };
    let mut target = relationship.target.clone();
    if !link.fragment.is_empty() && !target.text().contains(&b'#') {
        // The fragment is in another file than the target, so its source is the target's end.
        let end = target.map().source(Span::new(0, target.text().len())).end();
        let fragment = percent::encode_rest(link.fragment.as_bytes(), PercentSet::Fragment);
        let fragment = format!("#{fragment}");
        target.replace(fragment.as_bytes(), Span::new(end, end), RunOrigin::Decoded);
    }
    emit(&target, At { place: Some(place), stream }, kind, sink)
}

/// Emits the external relationships that no link uses: linked images, templates, data.
pub(super) fn emit_unused(
    relationships: &Relationships<'_>,
    place: Option<&Place<'_>>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let Some(stream) = relationships.file.as_ref().map(PackageFile::stream) else {
        return ControlFlow::Continue(());
    };
    for relationship in relationships.unused() {
        let kind = PartKind::link(&relationship.kind, "");
        emit(&relationship.target, At { place, stream }, kind, sink)?;
    }
    ControlFlow::Continue(())
}
