//! The header of a body part: its fields about the body (RFC 2045, RFC 2183, RFC 2110), and its
//! text as parts.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use memchr::memmem;

use super::header::{Field, FieldIter, FieldLines};
use super::identifier::{self, Scheme};
use super::{EntityLocation, Headers};
use crate::decode::{Parameter, ParameterSpelling, Parameters, Words, encoded_words};
use crate::document::{Content, EventSink, Part, Role, Source};
use crate::offset_map::OffsetMap;
use crate::registry;
use crate::scan::{FieldValues, HeaderOutline, SHORT_FIELD, starts_content};
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// Finds the start of encoded words.
static ENCODED: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"=?"));

/// Position of a header, and its fields about the body.
#[derive(Debug, Default)]
pub(super) struct Head<'d> {
    pub header: Span,
    pub body: usize,
    pub media: Media<'d>,
    pub transfer: Transfer,
    pub location: EntityLocation,
    disposition: Option<Parameters<'d>>,
    /// Start of the fields that `media` and `disposition` come from. If several fields have the
    /// same name, the first usable one counts.
    media_at: Option<usize>,
    disposition_at: Option<usize>,
    /// True if no part of the header needs decoding.
    plain: bool,
}

/// Value of `Content-Type`.
#[derive(Debug, Default)]
pub(super) struct Media<'d> {
    /// `type/subtype` in lower case; empty if missing.
    pub name: Cow<'static, str>,
    parameters: Parameters<'d>,
}

/// Value of `Content-Transfer-Encoding`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Transfer {
    /// `7bit`, `8bit`, and `binary`.
    #[default]
    Identity,
    /// Another word. The body is decoded if it is base64, or a word in the header would hide it.
    Unknown,
    QuotedPrintable,
    Base64,
    /// A file between `begin` and `end`; older than MIME.
    Uuencode,
}

impl Transfer {
    /// True if nothing says that the body is encoded.
    pub fn is_identity(self) -> bool {
        matches!(self, Self::Identity | Self::Unknown)
    }

    /// Reads the value of the field: `base64`, and variants that programs and attackers write, such
    /// as `(c) "x-base64"` and `8bit, base64`. That is safe because the base64 decoder passes on
    /// text that is not base64.
    fn read(value: &[u8]) -> Self {
        let is_apart = |byte: &u8| {
            byte.is_ascii_whitespace() || matches!(byte, b';' | b'(' | b')' | b'"' | b',')
        };
        let mut transfer = Self::Identity;
        for word in value.clamped(..SHORT_FIELD).split(is_apart) {
            let word = word.to_ascii_lowercase();
            // Uuencode never became a standard, and is written `x-uuencode` (RFC 2045 §6.3).
            match word.strip_prefix(b"x-").unwrap_or(&word) {
                b"quoted-printable" => return Self::QuotedPrintable,
                b"base64" => return Self::Base64,
                b"uuencode" | b"uue" => return Self::Uuencode,
                b"7bit" | b"8bit" | b"binary" | b"" => {}
                _ => transfer = Self::Unknown,
            }
        }
        transfer
    }
}

/// The most frequent types, which need no allocation.
const COMMON: [&str; 7] = [
    "text/plain",
    "text/html",
    "multipart/alternative",
    "multipart/mixed",
    "multipart/related",
    "multipart/signed",
    "message/rfc822",
];

impl<'d> Media<'d> {
    fn read(value: &'d [u8]) -> Self {
        let word = first_word(value);
        let is = |name: &&&str| name.as_bytes().eq_ignore_ascii_case(word);
        let name = match COMMON.iter().find(is) {
            Some(name) => Cow::Borrowed(*name),
            None => Cow::Owned(String::from_utf8_lossy(word).to_ascii_lowercase()),
        };
        Self { name, parameters: Parameters::new(value) }
    }

    pub fn parameter(&self, name: &str) -> Option<&[u8]> {
        self.parameters.get(name)
    }
}

impl<'d> Head<'d> {
    /// Reads the header at `at`, which has this outline, up to a line for which `stops` is true.
    pub fn read(
        bytes: &'d [u8],
        at: usize,
        outline: HeaderOutline,
        stops: impl Fn(usize) -> bool,
    ) -> Self {
        let mut head = Self { plain: outline.values == FieldValues::Plain, ..Self::default() };
        let mut fields =
            FieldIter::new(bytes, outline.content.unwrap_or(outline.end).min(outline.end));
        loop {
            let start = fields.at;
            // A delimiter line ends a header that lacks its empty line. It may look like a field:
            // `--a: b`.
            if start >= outline.end && bytes.get(start) == Some(&b'-') && stops(start) {
                break;
            }
            let Some(field) = fields.next() else {
                break;
            };
            head.take(&field);
        }
        head.header = Span::new(at, fields.at);
        work_counter::add(head.header.len());
        let rest = bytes.clamped(fields.at..);
        let empty = match rest {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => 0,
        };
        head.body = fields.at + empty;
        // The outline may end before the header does; its verdict only covers the bytes it has
        // seen.
        let rest = bytes.clamped(outline.end..fields.at);
        head.plain &= rest.is_empty() || ENCODED.find(rest).is_none();
        head
    }

    fn take(&mut self, field: &FieldLines<'d>) {
        self.plain &= field.whole.len() <= SHORT_FIELD || field.value().len() <= SHORT_FIELD;
        let Some((before, name)) = field.name.split_first_chunk() else {
            return;
        };
        if !starts_content(before) {
            return;
        }
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        let value = || String::from_utf8_lossy(field.value()).into_owned();
        // The first field with a name counts.
        if is(b"type") && self.media.name.is_empty() {
            self.media = Media::read(field.value());
            self.media_at = Some(field.whole.start());
            self.plain &= !self.media.parameters.any_extended();
        } else if is(b"transfer-encoding") {
            let transfer = Transfer::read(field.value());
            // If there are several such fields, the last one with a known encoding counts: an
            // unknown one says nothing about the body.
            if !transfer.is_identity() || self.transfer == Transfer::Identity {
                self.transfer = transfer;
            }
        } else if is(b"disposition") && self.disposition.is_none() {
            let parameters = Parameters::new(field.value());
            self.plain &= !parameters.any_extended();
            self.disposition = Some(parameters);
            self.disposition_at = Some(field.whole.start());
        } else if is(b"base") {
            self.location.content_base.get_or_insert_with(value);
        } else if is(b"location") {
            self.location.content_location.get_or_insert_with(value);
        }
    }

    /// True if both emit the same text; `other` may split it into more parts.
    #[cfg(test)]
    pub fn is_same(&self, other: &Self) -> bool {
        let said = |head: &Self| {
            let media = (head.media.name.clone(), head.media_at, head.disposition_at);
            (head.header, head.body, media, head.transfer)
        };
        said(self) == said(other) && self.location == other.location && (other.plain || !self.plain)
    }

    /// Returns the file name of the body.
    pub fn file_name(&self) -> Option<&[u8]> {
        let disposition = self.disposition.as_ref();
        let name = disposition.and_then(|parameters| parameters.get("filename"));
        name.or_else(|| self.media.parameter("name"))
    }

    pub fn emit(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let mut kept = self.header.start();
        if !self.plain {
            work_counter::add(self.header.len());
            let bytes = source.bytes.part(..self.header.end());
            for field in FieldIter::new(bytes, self.header.start()) {
                let field = field.field();
                let is_long = field.value.len() > SHORT_FIELD;
                if !is_long && memmem::find(field.value, b"=?").is_none() {
                    continue;
                }
                // Such a word is emitted together with the bytes before it, so that the URI stays
                // whole.
                let word = uri_word(&field);
                let field = field.after(word);
                let before = match word {
                    0 => field.whole.start(),
                    _ => field.span.start(),
                };
                text(source, Span::new(kept, before), None, sink)?;
                kept = field.whole.end();
                self.decoded(source, &field, sink)?;
            }
        }
        text(source, Span::new(kept, self.header.end()), None, sink)?;
        if !self.plain {
            self.extended(source, sink)?;
        }
        match sink.wants().headers {
            Headers::Text => ControlFlow::Continue(()),
            Headers::Identifiers => self.identifiers(source, sink),
        }
    }

    /// Emits the value of one field with encoded words decoded.
    fn decoded(
        &self,
        source: Source<'_>,
        field: &Field<'_>,
        sink: &mut dyn EventSink,
    ) -> ControlFlow<()> {
        let (mut decoded, mut map) = (Vec::new(), OffsetMap::new());
        let words = encoded_words(field.value, &mut decoded, &mut map);
        if words != Words::None {
            let below = source.part(field.span.start());
            sink.part(&header_part(&decoded, &below.under(&map), Content::Text, Some(field.name)))?;
        }
        match words {
            Words::Decoded => ControlFlow::Continue(()),
            // Damaged words are also emitted as written, because a mail reader may show them so.
            Words::None | Words::Damaged => text(source, field.span, Some(field.name), sink),
        }
    }

    /// Emits the values of encoded parameters.
    fn extended(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let bytes = source.bytes.part(..self.header.end());
        for field in FieldIter::new(bytes, self.header.start()) {
            let at = Some(field.whole.start());
            let parameters = match &self.disposition {
                _ if at == self.media_at => &self.media.parameters,
                Some(disposition) if at == self.disposition_at => disposition,
                _ => continue,
            };
            let field = field.field();
            let is_extended =
                |parameter: &&Parameter| parameter.spelling == ParameterSpelling::Extended;
            let below = source.part(field.span.start());
            for parameter in parameters.all().iter().filter(is_extended) {
                let layers = below.under(&parameter.map);
                let part = header_part(&parameter.value, &layers, Content::Text, Some(field.name));
                sink.part(&part)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Emits the identifiers of the message and of those it answers.
    fn identifiers(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let bytes = source.bytes.part(..self.header.end());
        for field in FieldIter::new(bytes, self.header.start()) {
            let field = field.field();
            let Some(scheme) = Scheme::of_field(field.name) else {
                continue;
            };
            let below = source.part(field.span.start());
            for span in identifier::identifiers(field.value) {
                let (mut uri, mut map) = (Vec::new(), OffsetMap::new());
                identifier::uri(scheme, field.value, span, &mut uri, &mut map);
                let layers = below.under(&map);
                sink.part(&header_part(&uri, &layers, Content::Reference, Some(field.name)))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the number of bytes of the value that may belong to a URI starting in the name:
/// `https://a.example/` on its own line looks like a field.
fn uri_word(field: &Field<'_>) -> usize {
    let name = field.name.as_bytes();
    let follows = field.span.start() == field.whole.start() + name.len() + 1;
    let word = name.rsplit(|byte| !byte.is_ascii_alphanumeric()).next();
    let is_scheme = || word.is_some_and(registry::is_scheme);
    if follows && (field.value.starts_with(b"//") || is_scheme()) {
        let end = field.value.iter().position(u8::is_ascii_whitespace);
        end.unwrap_or(field.value.len())
    } else {
        0
    }
}

/// Emits undecoded bytes of a header, if there are any.
pub(super) fn text(
    source: Source<'_>,
    span: Span,
    name: Option<&str>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let bytes = source.bytes.part(span.range());
    if bytes.is_empty() {
        return ControlFlow::Continue(());
    }
    let layers = source.part(span.start());
    sink.part(&header_part(bytes, &layers, Content::Text, name))
}

fn header_part<'p>(
    text: &'p [u8],
    source: &crate::offset_map::Layers<'p>,
    content: Content,
    name: Option<&'p str>,
) -> Part<'p> {
    let text = Part::of_text(text, *source, Role::Metadata);
    Part { content, element: Some(super::HEADER), attribute: name, ..text }
}

/// Returns the start of a value, up to white space, a comment, or a parameter.
fn first_word(value: &[u8]) -> &[u8] {
    let mut words = value.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b'('));
    words.next().unwrap_or_default()
}
