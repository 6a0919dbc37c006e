//! Archives, compressed files, and documents that are attached to messages,
//! or embedded in documents such as TNEF and PDF: each file is read by its format.

use std::borrow::Cow;
use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use super::body::{BodyKind, file_kind};
use super::walk::MessageWalk;
use super::{Entity, EntityReading, FORMAT, MAX_ENCODED, MimeLimit, Scratch, Skipped};
use crate::archive::{
    ArchiveInput, ArchiveLimits, ArchiveProblem, Member, MemberPath, Visitor, walk,
};
use crate::decode::{Encoding, MimeCharset};
use crate::document::mbox;
use crate::document::nested::{self, Inside};
use crate::document::{
    Event, EventSink, FileParts, InputType, Packages, Part, Role, Source, Stream, Wants,
};
use crate::offset_map::OffsetMap;
use crate::span::Span;

/// Maximum number of bytes read from a file in an attached archive. The message itself is in
/// memory, too.
const MAX_FILE_BYTES: u64 = 32 << 20;

/// A message or document that holds attached files.
trait AttachmentHolder {
    fn sink(&mut self) -> &mut dyn EventSink;

    /// Begins a file. The base of the previous file does not apply to it.
    fn enter(&mut self);

    /// Returns the place of the next file.
    fn place(&self) -> AttachmentPlace;

    fn kind(&self) -> HolderKind;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HolderKind {
    Message,
    /// A document of this format.
    Document(&'static str),
}

impl HolderKind {
    /// Returns the start of the names of streams.
    fn prefix(self) -> &'static str {
        match self {
            Self::Message => "mail",
            Self::Document(format) => format,
        }
    }
}

impl AttachmentHolder for MessageWalk<'_, '_> {
    fn sink(&mut self) -> &mut dyn EventSink {
        self.sink
    }

    fn enter(&mut self) {
        MessageWalk::enter(self, "", EntityReading::Parsed);
    }

    fn place(&self) -> AttachmentPlace {
        MessageWalk::place(self)
    }

    fn kind(&self) -> HolderKind {
        HolderKind::Message
    }
}

/// A document with files in it.
struct DocumentWithFiles<'s> {
    format: &'static str,
    sink: &'s mut dyn EventSink,
}

impl AttachmentHolder for DocumentWithFiles<'_> {
    fn sink(&mut self) -> &mut dyn EventSink {
        self.sink
    }

    fn enter(&mut self) {}

    fn place(&self) -> AttachmentPlace {
        let encoded = self.sink.wants().nesting;
        AttachmentPlace { number: String::new(), message_start: 0, encoded }
    }

    fn kind(&self) -> HolderKind {
        HolderKind::Document(self.format)
    }
}

/// An attached archive, a compressed file, or a document.
pub(in crate::document) struct Attachment<'a> {
    /// Name in the header of its part.
    pub name: Option<&'a [u8]>,
    pub bytes: &'a [u8],
    /// Span of its part in the stream of the message.
    pub span: Span,
}

impl Attachment<'_> {
    /// Returns its name, or the number of its part.
    fn shown_name(&self, container: &dyn AttachmentHolder) -> Cow<'_, str> {
        let place = || match container.kind() {
            HolderKind::Message => format!("part {}", container.place().number),
            HolderKind::Document(_) => "attachment".to_owned(),
        };
        self.name.map_or_else(|| Cow::Owned(place()), String::from_utf8_lossy)
    }

    /// Reads a file that a document of this format holds.
    pub fn read_inside(&self, format: &'static str, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let mut container = DocumentWithFiles { format, sink };
        // Each level may unpack to a multiple of the one before it.
        if container.place().encoded >= MAX_ENCODED {
            let message = format!("documents are nested more than {MAX_ENCODED} deep; not read");
            let file = self.shown_name(&container).into_owned();
            container.sink.note(&Event::Unread { file: &file, message: &message });
            return ControlFlow::Continue(());
        }
        match file_kind(self.name, self.bytes) {
            BodyKind::Archive => self.read_from(&mut container),
            _ => self.read_document_from(&mut container),
        }
    }

    /// Reads it as one document.
    pub(super) fn read_document(&self, mail: &mut MessageWalk<'_, '_>) -> ControlFlow<()> {
        self.read_document_from(mail)
    }

    fn read_document_from(&self, mail: &mut dyn AttachmentHolder) -> ControlFlow<()> {
        let _inside = Inside::new();
        let name = self.shown_name(mail);
        let stream = format!("{}!/{name}", mail.kind().prefix());
        let stream = Stream { name: &stream, file: Some(&name), format: None, bytes: self.bytes };
        let mut files =
            ArchiveFiles { attachment: self, name: &name, mail, flow: ControlFlow::Continue(()) };
        files.read_file(self.name.unwrap_or_default(), &stream)
    }

    /// Reads all files in it.
    pub(super) fn read(&self, mail: &mut MessageWalk<'_, '_>) -> ControlFlow<()> {
        self.read_from(mail)
    }

    fn read_from(&self, mail: &mut dyn AttachmentHolder) -> ControlFlow<()> {
        let name = self.shown_name(mail);
        let limits = bounded(mail.sink().wants().archives);
        let _inside = Inside::new();
        let mut files =
            ArchiveFiles { attachment: self, name: &name, mail, flow: ControlFlow::Continue(()) };
        let mut input = Cursor::new(self.bytes);
        walk(ArchiveInput::File(&mut input), name.as_bytes(), &limits, &mut files);
        files.flow
    }
}

/// Bounds the windows of decoders, since the message is in memory, too. Messages are read by
/// several threads, which is why a large window can't wait for its turn here.
fn bounded(limits: ArchiveLimits) -> ArchiveLimits {
    ArchiveLimits {
        window: limits.window.min(ArchiveLimits::LIGHT),
        bytes: limits.bytes.min(nested::left()),
        ..limits
    }
}

/// Reads the files of an archive as they arrive.
struct ArchiveFiles<'f> {
    attachment: &'f Attachment<'f>,
    name: &'f str,
    mail: &'f mut dyn AttachmentHolder,
    flow: ControlFlow<()>,
}

impl ArchiveFiles<'_> {
    /// Returns the path of a member below the message.
    fn path(&self, member: &MemberPath) -> String {
        format!("{}{}", self.name, String::from_utf8_lossy(member.members()))
    }

    fn unread(&mut self, file: &str, message: &str) {
        self.mail.sink().note(&Event::Unread { file, message });
    }
}

impl Visitor for ArchiveFiles<'_> {
    fn member(&mut self, member: Member<'_>) -> ControlFlow<()> {
        let file = self.path(member.path);
        let mut bytes = Vec::new();
        // An error is reported by `problem`. The bytes before it are read.
        let _ = member.reader.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > MAX_FILE_BYTES {
            bytes.truncate(MAX_FILE_BYTES as usize);
            let message =
                format!("only the first {} MiB were read; unpack it first", MAX_FILE_BYTES >> 20);
            self.unread(&file, &message);
        }
        let inner = String::from_utf8_lossy(member.path.stream());
        let name = format!("{}!/{}+{inner}", self.mail.kind().prefix(), self.name);
        let stream = Stream { name: &name, file: Some(&file), format: None, bytes: &bytes };
        self.flow = self.read_file(member.name, &stream);
        self.flow
    }

    fn is_whole(&self, _: &MemberPath, name: &[u8], head: &[u8]) -> bool {
        InputType::document(head, name, Packages::Documents).is_some()
    }

    fn skipped(&mut self, _: &MemberPath) {
        self.skip(Skipped::Encrypted);
    }

    fn problem(&mut self, place: &MemberPath, problem: ArchiveProblem) {
        let file = self.path(place);
        self.unread(&file, &problem.to_string());
    }
}

impl ArchiveFiles<'_> {
    fn skip(&mut self, reason: Skipped) {
        self.mail.sink().note(&Event::Skipped { reason, span: self.attachment.span });
    }

    fn read_file(&mut self, name: &[u8], stream: &Stream<'_>) -> ControlFlow<()> {
        let kind = file_kind(Some(name), stream.bytes);
        let is_message = mbox::is_mbox(stream.bytes) || kind.is_message();
        let place = self.mail.place();
        // The base in one file does not apply to the next.
        self.mail.enter();
        match kind {
            BodyKind::Unread(message) => {
                self.unread(stream.file.unwrap_or_default(), &message);
                return ControlFlow::Continue(());
            }
            // An archive is unpacked before, unless it is nested too deep. A message may have
            // binary parts.
            BodyKind::Binary | BodyKind::Archive if !is_message => {
                self.skip(Skipped::Binary);
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        let format = match kind {
            _ if is_message => Some(FORMAT),
            BodyKind::Document(format) => Some(format),
            _ => None,
        };
        let stream = &Stream { format, ..*stream };
        let container = self.mail.kind();
        let sink = self.mail.sink();
        let (start, nesting) = (place.message_start, place.encoded + 1);
        let mut sink = StreamSink { sink, stream, start, container, nesting };
        if is_message {
            if place.encoded < MAX_ENCODED {
                return read_messages(stream.bytes, &place, &mut sink);
            }
            sink.sink.note(&Event::Limit(MimeLimit::Encoded(MAX_ENCODED)));
        }
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        let source = Source::new(stream.bytes);
        let is_binary = matches!(kind, BodyKind::Document(format) if format.is_binary());
        if is_binary && let Err(message) = nested::take_document() {
            return sink.event(&Event::Unread { file: "", message: &message });
        }
        if is_binary && sink.wants().files == FileParts::Whole {
            return sink.event(&Event::Part(&Part::of_text(b"", source.part(0), Role::Text)));
        }
        let Some((encoding, _)) = Encoding::detect(stream.bytes).filter(|_| !is_binary) else {
            return emit(source, kind, &mut sink);
        };
        let charset = MimeCharset::from(encoding);
        if charset.is_text(stream.bytes) {
            return emit(source, kind, &mut sink);
        }
        // Bytes that do not fit the encoding are replaced: no URI contains them.
        let _ = charset.decode(stream.bytes, &mut text, &mut map);
        let below = source.part(0);
        let layers = below.under(&map);
        emit(Source::inside(&text, &layers), kind, &mut sink)
    }
}

/// Place of an attachment in its message.
pub(super) struct AttachmentPlace {
    /// Number of its part.
    pub number: String,
    /// Offset of the message in the stream.
    pub message_start: usize,
    /// Number of encoded messages around it.
    pub encoded: usize,
}

/// Reads a file of one message, or of many.
fn read_messages(
    bytes: &[u8],
    place: &AttachmentPlace,
    sink: &mut StreamSink<'_, '_>,
) -> ControlFlow<()> {
    let mut scratch = Scratch::default();
    if mbox::is_mbox(bytes) {
        return mbox::read_all(bytes, &mut scratch, sink);
    }
    let whole = Span::new(0, bytes.len());
    let walk = MessageWalk::new(Source::new(bytes), whole, &mut scratch, sink);
    walk.inside(&place.number, &[]).run()
}

fn emit(source: Source<'_>, kind: BodyKind, sink: &mut dyn EventSink) -> ControlFlow<()> {
    match kind {
        BodyKind::Document(format)
            if !format.is_message()
                && source.bytes.len() <= format.limits().largest
                && !format.is_dense(source.bytes) =>
        {
            format.read(source, sink)
        }
        _ => sink.part(&source.as_text()),
    }
}

/// Passes on the events of a file, with offsets in its own stream.
struct StreamSink<'s, 'f> {
    sink: &'s mut dyn EventSink,
    stream: &'f Stream<'f>,
    /// Offset of the message around the attachment.
    start: usize,
    container: HolderKind,
    /// Number of encoded messages and files around the current one. Each may unpack to a multiple
    /// of its size.
    nesting: usize,
}

/// Calls `emit` with the stream of a text in an attached file.
fn inside<T>(
    file: &Stream<'_>,
    text: Option<&Stream<'_>>,
    emit: impl FnOnce(&Stream<'_>) -> T,
) -> T {
    // A text of a document in the archive, such as a page.
    let Some(text) = text else {
        return emit(file);
    };
    let name = format!("{}+{}", file.name, text.name);
    let path = match (file.file, text.file) {
        (Some(file), Some(text)) => Some(format!("{file}!/{text}")),
        (file, text) => file.or(text).map(str::to_owned),
    };
    emit(&Stream {
        name: &name,
        file: path.as_deref(),
        format: text.format.or(file.format),
        ..*text
    })
}

impl EventSink for StreamSink<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => {
                let Self { sink, stream, .. } = self;
                inside(stream, part.stream, |stream| {
                    sink.part(&Part { stream: Some(stream), ..**part })
                })
            }
            Event::Label { text, destination, span, stream: inner } => {
                let Self { sink, stream, .. } = self;
                inside(stream, *inner, |stream| {
                    let (destination, span, stream) = (*destination, *span, Some(stream));
                    sink.event(&Event::Label { text, destination, span, stream })
                })
            }
            // Its header is not in the document, and a base applies to its file only.
            Event::Entity(_) | Event::Base { .. } if self.container != HolderKind::Message => {
                ControlFlow::Continue(())
            }
            Event::Entity(entity) => {
                self.sink.event(&Event::Entity(&Entity { message_start: self.start, ..**entity }))
            }
            Event::Unread { file, message } => {
                let path = match (self.stream.file.unwrap_or_default(), *file) {
                    // A fault of the document itself has no path below it.
                    (own, "") => Cow::Borrowed(own),
                    ("", inner) => Cow::Borrowed(inner),
                    (own, inner) => Cow::Owned(format!("{own}!/{inner}")),
                };
                self.sink.event(&Event::Unread { file: &path, message })
            }
            Event::Base { .. } | Event::Limit(_) => self.sink.event(event),
            Event::Skipped { reason, .. } => {
                let span = Span::new(self.start, self.start);
                self.sink.event(&Event::Skipped { reason: *reason, span })
            }
            // An audit reads each file as a document of its own.
            Event::Heading { .. } | Event::Define { .. } | Event::Refer { .. } => {
                ControlFlow::Continue(())
            }
        }
    }

    fn wants(&self) -> Wants {
        Wants { nesting: self.nesting, ..self.sink.wants() }
    }
}
