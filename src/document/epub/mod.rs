//! EPUB (EPUB 3.3, OPF 2.0): the files of a book in reading order.
//!
//! A book is a package of pages. Each file is read by its own format and keeps its own lines, so a
//! hit is at `book.epub!/ch1.xhtml:12`. Namespaces and document types are left out: no reader of
//! the book sees them.

mod book;

use std::ops::ControlFlow;

pub use book::Book;
use book::CONTAINER;

use super::format::{DocumentFormat, FormatEncoding, FormatKind, FormatLimits, Sniff};
use super::package::{ZIP, sniff_zip};
use super::{Content, Event, EventSink, Format, Part, Role, Source, Stream, Wants};
use crate::finder::Rest;
use crate::offset_map::Layers;

/// The format of EPUB.
pub(super) struct Epub;

/// The member that a book has first, with its media type as text (EPUB 3.3, section 4.2.6.3).
const TYPE: &[u8] = b"mimetypeapplication/epub+zip";

impl DocumentFormat for Epub {
    fn name(&self) -> &'static str {
        "epub"
    }

    fn title(&self) -> &'static str {
        "EPUB"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["epub"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/epub+zip"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        // Some programs pack the type, or put it elsewhere.
        sniff_zip(head, rest, &["mimetype", "META-INF/"], &[TYPE, CONTAINER.as_bytes()])
    }

    fn encoding(&self) -> FormatEncoding {
        FormatEncoding::Binary { signature: ZIP }
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits {
            largest: 512 << 20,
            largest_audited: 512 << 20,
            memory_factor: 4,
            light: 4 << 20,
        }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn book(&self, bytes: &[u8]) -> Option<Book> {
        bytes.starts_with(ZIP).then(|| Book::open(bytes))
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        if !source.bytes.starts_with(ZIP) {
            // Its extension was wrong.
            return sink.part(&source.as_text());
        }
        let book = Book::open(source.bytes);
        for message in book.problems() {
            sink.note(&Event::Unread { file: "", message });
        }
        for file in book.files() {
            let mut files = FileSink { stream: &file.stream(), sink };
            file.read(&mut files)?;
        }
        for file in book.texts() {
            let stream = Stream { file: Some(file.name), ..file.stream() };
            let text = Part::of_text(file.bytes, Layers::copied(0), Role::Text);
            sink.part(&Part { stream: Some(&stream), ..text })?;
        }
        ControlFlow::Continue(())
    }
}

/// Passes on the parts of a file of the book.
struct FileSink<'s, 'f> {
    stream: &'f Stream<'f>,
    sink: &'s mut dyn EventSink,
}

impl EventSink for FileSink<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) if self.is_for_readers(part) => {
                self.sink.part(&Part { stream: Some(self.stream), ..**part })
            }
            Event::Label { text, destination, span, .. } => {
                let (destination, span, stream) = (*destination, *span, Some(self.stream));
                self.sink.event(&Event::Label { text, destination, span, stream })
            }
            // Anchors and the base of a file are not those of the book.
            _ => ControlFlow::Continue(()),
        }
    }

    fn wants(&self) -> Wants {
        self.sink.wants()
    }
}

impl FileSink<'_, '_> {
    /// False for namespaces and document types, and for the files that the manifest and the table
    /// of contents list.
    fn is_for_readers(&self, part: &Part<'_>) -> bool {
        let is_page = self.stream.format.is_some_and(Format::is_published);
        let is_file = part.content == Content::Reference && !part.text.contains(&b':');
        let is_listed = is_file || matches!(part.attribute, Some("media-type" | "prefix"));
        part.role != Role::Metadata && (is_page || !is_listed)
    }
}
