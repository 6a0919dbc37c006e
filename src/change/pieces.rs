//! The parts of a document in a form that can be compared with those of its changed text.

use std::hash::BuildHasher;
use std::ops::ControlFlow;

use crate::Span;
use crate::document::mail::Scratch;
use crate::document::mbox;
use crate::document::{Content, Event, EventSink, NameSpace, Part, Role, Source, Wants};
use crate::hash::RandomState;
use crate::offset_map::Layers;
use crate::search::InputText;

/// A part of a document, or all of a plain text.
#[derive(Debug)]
pub(super) struct Piece {
    pub role: Role,
    pub content: Content,
    /// Hash of the names of its element and attribute.
    names: u64,
    /// Length and hash of its text. The text itself would be another copy of the document.
    digest: (usize, u64),
    /// Its span in the input.
    pub bytes: [u64; 2],
    /// Its text, if `keeps` wants it.
    pub text: Option<Vec<u8>>,
}

impl Piece {
    /// True if both have the same place in their documents: role, element, and attribute.
    pub fn is_at_same_place(&self, other: &Self) -> bool {
        (self.role, self.content, self.names) == (other.role, other.content, other.names)
    }

    /// True if both have the same text.
    pub fn has_same_text(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

/// Reads all pieces of a text. `keeps` gets each part with its index and its span in the input, and
/// returns whether its text is kept.
pub(super) fn read(
    text: &InputText,
    hasher: &RandomState,
    keeps: &mut dyn FnMut(usize, &Part<'_>, [u64; 2]) -> bool,
) -> Vec<Piece> {
    let bytes = text.bytes();
    let mut reader = PieceReader { text, hasher, keeps, pieces: Vec::new() };
    // The reader never breaks, so the results can be ignored.
    match text.format() {
        Some(format) if format.is_message() && mbox::is_mbox(bytes) => {
            let _ = mbox::read_all(bytes, &mut Scratch::default(), &mut reader);
        }
        Some(format) => {
            let _ = format.read(Source::new(bytes), &mut reader);
        }
        None => reader.part(&Part::of_text(bytes, Layers::copied(0), Role::Text)),
    }
    reader.pieces
}

/// Converts a span of a part to the bytes of the input.
pub(super) fn input_bytes(text: &InputText, part: &Part<'_>, span: Span) -> [u64; 2] {
    let source = part.source.source(span);
    [text.source(source.start()), text.source(source.end())]
}

struct PieceReader<'r> {
    text: &'r InputText,
    hasher: &'r RandomState,
    keeps: &'r mut dyn FnMut(usize, &Part<'_>, [u64; 2]) -> bool,
    pieces: Vec<Piece>,
}

impl PieceReader<'_> {
    fn part(&mut self, part: &Part<'_>) {
        // Extracted text has no bytes in the document: nothing in it can be edited.
        let (bytes, is_kept) = match part.stream {
            Some(_) => ([0, 0], false),
            None => {
                let bytes = input_bytes(self.text, part, Span::new(0, part.text.len()));
                (bytes, (self.keeps)(self.pieces.len(), part, bytes))
            }
        };
        self.pieces.push(Piece {
            role: part.role,
            content: part.content,
            names: self.hasher.hash_one((part.element, part.attribute)),
            digest: (part.text.len(), self.hasher.hash_one(part.text)),
            bytes,
            text: is_kept.then(|| part.text.to_vec()),
        });
    }
}

impl EventSink for PieceReader<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match *event {
            Event::Part(part) => self.part(part),
            // The name of a document is a link, too: in a `toctree`, for example.
            Event::Refer { space: NameSpace::Document, name, span, .. } => {
                let source = Layers::copied(span.start());
                let part = Part::of_text(name.as_bytes(), source, Role::Destination);
                self.part(&Part { content: Content::Reference, ..part });
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        Wants::all()
    }
}
