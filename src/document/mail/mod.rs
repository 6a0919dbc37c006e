//! Messages: RFC 5322, MIME (RFC 2045 to 2049), and common extensions.
//!
//! A message is read as a whole. The tree of its parts is walked by a loop with its own stack.
//! Undecodable content is emitted undecoded, so no damage to a message can hide a byte of its text.
//! Binary parts, such as images, are reported as [`Event::Skipped`](super::Event::Skipped).
//!
//! Each part emits an [`Event::Entity`](super::Event::Entity), then its header and its body.

pub(super) mod attachment;
mod body;
mod date;
mod envelope;
mod format;
mod head;
mod header;
mod identifier;
#[cfg(test)]
mod outline_tests;
mod plain;
mod store;
mod walk;

use std::fmt;
use std::ops::ControlFlow;

use memchr::memchr;

pub use body::Scratch;
pub use date::Date;
pub(super) use format::MailFormat;
pub(crate) use header::FieldCursor;
pub use header::{Field, Header};
pub use store::{Store, is_message};

use super::{EventSink, Format, Part, Role, Source};
use crate::scan::HeaderOutline;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// The format of messages; a row of [`FORMATS`](super::FORMATS).
pub const FORMAT: Format = Format::MAIL;

/// The [`Part::element`] of text in a header. If its [`Part::attribute`] names no field,
/// [`Header::field_at`] finds it.
pub const HEADER: &str = "header";

/// Limits for reading a message as MIME. The rest is emitted undecoded, after an
/// [`Event::Limit`](super::Event::Limit).
///
/// ```
/// use urigrep::document::mail::MimeLimits;
/// assert_eq!((MimeLimits::default().depth, MimeLimits::default().parts), (64, 10_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MimeLimits {
    /// Depth of nested multiparts and messages; 64 by default.
    pub depth: usize,
    /// Number of parts of one message; 10,000 by default.
    pub parts: usize,
}

impl Default for MimeLimits {
    fn default() -> Self {
        Self { depth: 64, parts: 10_000 }
    }
}

/// The limit that a message exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MimeLimit {
    /// Nested multiparts and messages.
    Depth(usize),
    /// Nested messages that are themselves encoded.
    Encoded(usize),
    /// Parts.
    Parts(usize),
}

impl fmt::Display for MimeLimit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(most) => {
                write!(out, "parts of a message are nested more than {most} deep; what is below")
            }
            Self::Encoded(most) => {
                write!(
                    out,
                    "more than {most} encoded messages are inside each other; what is below"
                )
            }
            Self::Parts(most) => write!(out, "a message has more than {most} parts; the rest"),
        }?;
        out.write_str(" was searched as it stands")
    }
}

const MAX_ENCODED: usize = 4;

/// The byte order mark of UTF-8.
pub(in crate::document) const BOM: &[u8] = b"\xef\xbb\xbf";

fn starts_with_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(BOM)
}

/// Treatment of headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Headers {
    /// Emit their text.
    #[default]
    Text,
    /// Also emit the identifiers in `Message-ID`, `In-Reply-To`, and `References` as `mid:`, and
    /// those in `Content-ID` as `cid:`, as
    /// [`Content::Reference`](crate::document::Content::Reference).
    Identifiers,
}

/// Type of the multipart around a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Multipart {
    /// `multipart/mixed`, and all unknown subtypes (RFC 2046 §5.1.3).
    Mixed,
    /// `multipart/alternative`: the same content in different forms.
    Alternative,
    /// `multipart/related`: one document and its resources.
    Related,
    /// `multipart/digest`: messages.
    Digest,
    /// `multipart/signed`.
    Signed,
    /// `multipart/encrypted`.
    Encrypted,
    /// `multipart/report`.
    Report,
}

/// Way in which the text of a part was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntityReading {
    /// According to MIME.
    Parsed,
    /// Undecoded, because MIME is broken or doubtful here.
    Raw,
}

/// Header fields of an entity that set the base of its relative references (S4 §5.1, RFC 2110).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntityLocation {
    /// `Content-Base`, as written.
    pub content_base: Option<String>,
    /// `Content-Location`, as written.
    pub content_location: Option<String>,
}

/// A part of a message. All [`Part`]s up to the next entity belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entity<'p> {
    /// Its number in IMAP (RFC 9051 §6.4.5.1): `1`, `2.1`. A header has the number of its message;
    /// the outermost one is empty.
    pub number: &'p str,
    /// Header of the innermost message around it.
    pub message: Header<'p>,
    /// Offset of that message in the stream.
    pub message_start: usize,
    /// Innermost multipart around it.
    pub multipart: Option<Multipart>,
    /// `type/subtype` in lower case.
    pub media_type: &'p str,
    /// Way in which its text was read.
    pub reading: EntityReading,
    /// Non-empty locations of the entities around it and its own, outermost first.
    pub locations: &'p [EntityLocation],
}

/// Reason why a part was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Skipped {
    /// Encrypted.
    Encrypted,
    /// Binary, such as images.
    Binary,
}

/// Reads a message. Apple Mail's `.emlx` is supported, too: it adds a length before and a property
/// list after the message.
///
/// ```
/// use std::ops::ControlFlow;
/// use urigrep::Span;
/// use urigrep::document::{Event, EventSink, Source, mail};
///
/// #[derive(Default)]
/// struct Print(Vec<String>);
/// impl EventSink for Print {
///     fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
///         if let Event::Part(part) = event {
///             let start = part.source.source(Span::new(0, part.text.len())).start();
///             self.0.push(format!("{start}: {}", String::from_utf8_lossy(part.text)));
///         }
///         ControlFlow::Continue(())
///     }
/// }
///
/// let message = b"Content-Transfer-Encoding: quoted-printable\n\nhttp://a.example/=\n?q=3D1\n";
/// let mut print = Print::default();
/// let _ = mail::read(Source::new(message), &mut print);
/// assert_eq!(print.0[1], "45: http://a.example/?q=1\n");
/// ```
pub fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    read_with(source, &mut Scratch::default(), sink)
}

/// Like [`read`], with reused buffers.
pub fn read_with(
    source: Source<'_>,
    scratch: &mut Scratch,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let message = apple(source.bytes).unwrap_or(Span::new(0, source.bytes.len()));
    walk::MessageWalk::new(source, message, scratch, sink).run()?;
    // The property list of `.emlx` is searched, too, but for the declaration before it: nobody
    // wrote the URI in that.
    let list = source.bytes.part(message.end()..);
    let declaration = memchr::memmem::find(list, b"<plist").unwrap_or(0);
    let rest = Span::new(message.end() + declaration, source.bytes.len());
    emit(source, rest, Role::Metadata, sink)
}

/// Results of the search for the end of a message in an mbox.
#[derive(Clone, Copy, Debug)]
pub(in crate::document) struct KnownMessage {
    pub outline: HeaderOutline,
    /// Tells whether its undecoded text may contain inline files.
    pub files: InlineFiles,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::document) enum InlineFiles {
    #[default]
    None,
    Possible,
}

/// Like [`read_with`], for a message of an mbox.
pub(in crate::document) fn read_known(
    source: Source<'_>,
    known: Option<KnownMessage>,
    scratch: &mut Scratch,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    // Most messages of mailing lists take this path.
    if let Some(flow) = known.and_then(|known| plain::read(source, known, sink)) {
        return flow;
    }
    let message = Span::new(0, source.bytes.len());
    let walk = walk::MessageWalk::new(source, message, scratch, sink);
    walk.known(known).run()
}

/// Returns the span of the message in an Apple Mail file.
fn apple(bytes: &[u8]) -> Option<Span> {
    let line = memchr(b'\n', bytes.get(..bytes.len().min(32))?)?;
    let digits = bytes.get(..line)?.trim_ascii();
    let length: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let end = (line + 1).checked_add(length)?;
    let rest = bytes.get(end..)?;
    let is_list = rest.is_empty() || rest.starts_with(b"<?xml") || rest.starts_with(b"<plist");
    (digits.first()?.is_ascii_digit() && is_list).then_some(Span::new(line + 1, end))
}

/// Emits undecoded bytes, unless they are white space.
fn emit(source: Source<'_>, span: Span, role: Role, sink: &mut dyn EventSink) -> ControlFlow<()> {
    let bytes = source.bytes.part(span.range());
    if bytes.trim_ascii().is_empty() {
        return ControlFlow::Continue(());
    }
    sink.part(&Part::of_text(bytes, source.part(span.start()), role))
}
