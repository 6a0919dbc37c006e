//! The body of a leaf part: undoes its encodings and emits it by type.
//!
//! If a decoder skips bytes or a charset is doubtful, the undecoded source is emitted, too. It may
//! be the text that readers see.

use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use super::attachment::Attachment;
use super::head::{Head, Transfer};
use super::walk::MessageWalk;
use super::{EntityReading, InlineFiles, Skipped, emit};
use crate::decode::{
    self, Damage, DelSp, Encoding, Inline, InlineEncoding, MimeCharset, Quads, Validity, base64,
    flowed, inline_files, quoted_printable,
};
use crate::document::format::{FormatKind, FormatLimits};
use crate::document::mbox::{self, Next};
use crate::document::{Event, Format, InputType, Packages, Part, Role, Sniffed, Source};
use crate::finder::Rest;
use crate::offset_map::{Layers, OffsetMap};
use crate::slice::SliceExt as _;
use crate::span::Span;

/// A NUL within this many first bytes makes a file binary.
const SNIFF: usize = 8 << 10;
/// First bytes in which a body that is labelled as text shows that it is something else.
const SIGNATURE_BYTES: usize = 1 << 10;
/// Longest label of a charset in a message for users.
const MAX_LABEL_BYTES: usize = 40;
/// Start of an encrypted OpenPGP message (RFC 9580 §6.2.1).
pub(super) const PGP: &[u8] = b"-----BEGIN PGP MESSAGE-----";

/// The body at `span` of `source`.
pub(super) struct Leaf<'l> {
    pub source: Source<'l>,
    pub head: &'l Head<'l>,
    pub span: Span,
    /// Tells whether the undecoded body may contain inline files.
    pub files: InlineFiles,
}

/// Buffers reused between messages.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) number: String,
    pub(super) transfer: Made,
    pub(super) charset: Made,
}

#[derive(Debug, Default)]
pub(super) struct Made {
    text: Vec<u8>,
    map: OffsetMap,
}

impl Made {
    /// Larger buffers are freed instead of reused.
    const TEXT: usize = 4 << 20;
    const RUNS: usize = 64 << 10;

    /// Takes the buffers and leaves none, so that a nested message uses its own.
    fn take(&mut self) -> Self {
        let Self { mut text, mut map } = std::mem::take(self);
        if text.capacity() > Self::TEXT || map.capacity() > Self::RUNS {
            return Self::default();
        }
        text.clear();
        map.clear();
        Self { text, map }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    Text,
    Document(Format),
    /// PKCS #7; signed content is readable in it.
    Pkcs7,
    Archive,
    /// A known format without a reader, and what to do with it.
    Unread(String),
    Binary,
}

impl BodyKind {
    pub fn is_message(&self) -> bool {
        matches!(self, Self::Document(format) if format.is_message())
    }
}

impl Leaf<'_> {
    pub fn emit(&self, walk: &mut MessageWalk<'_, '_>) -> ControlFlow<()> {
        let bytes = self.source.bytes.part(self.span.range());
        if bytes.trim_ascii().is_empty() {
            return ControlFlow::Continue(());
        }
        let below = self.source.part(self.span.start());
        // Taken out, because a message in this body walks with the same scratch space.
        let mut made = walk.scratch.transfer.take();
        let damage = match self.head.transfer {
            // Without an `=` nothing is encoded (RFC 2045 §6.7), and the body needs no copy.
            Transfer::QuotedPrintable if memchr(b'=', bytes).is_some() => {
                quoted_printable(bytes, &mut made.text, &mut made.map);
                None
            }
            Transfer::Unknown if !looks_like_base64(bytes) => {
                return self.decoded(bytes, &below, walk);
            }
            Transfer::Base64 | Transfer::Unknown => {
                base64(bytes, Quads::Anywhere, &mut made.text, &mut made.map)
            }
            Transfer::Uuencode => return self.uuencoded(bytes, &below, walk),
            Transfer::Identity | Transfer::QuotedPrintable => {
                return self.decoded(bytes, &below, walk);
            }
        };
        self.decoded(&made.text, &below.under(&made.map), walk)?;
        walk.scratch.transfer = made;
        // Damaged lines may be readable text, such as the footer that a mailing list appends. So
        // they are emitted undecoded, and what follows them is decoded again with its own alignment
        // (docs/decisions/0006).
        let Some(Damage { lines, shifted }) = damage else {
            return ControlFlow::Continue(());
        };
        walk.enter(&self.head.media.name, EntityReading::Raw);
        let start = self.span.start();
        let lines = Span::new(start + lines.start(), start + lines.end());
        emit(self.source, lines, Role::Text, walk.sink)?;
        let Some(shifted) = shifted else {
            return ControlFlow::Continue(());
        };
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        let rest = bytes.clamped(shifted..);
        let _ = base64(rest, Quads::AfterDamage, &mut text, &mut map);
        let below = self.source.part(start + shifted);
        self.decoded(&text, &below.under(&map), walk)
    }

    /// Reads a body that is a file between `begin` and `end`. The text around it, and a body
    /// without such a file, is read unchanged.
    fn uuencoded(
        &self,
        bytes: &[u8],
        below: &Layers<'_>,
        walk: &mut MessageWalk<'_, '_>,
    ) -> ControlFlow<()> {
        let is_uu = |file: &Inline| file.encoding == InlineEncoding::Uuencode;
        let Some(file) = inline_files(bytes).find(is_uu) else {
            return self.decoded(bytes, below, walk);
        };
        let start = self.span.start();
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        decode::uudecode(bytes.part(file.data.range()), &mut text, &mut map);
        let data = self.source.part(start + file.data.start());
        self.decoded(&text, &data.under(&map), walk)?;
        walk.enter(&self.head.media.name, EntityReading::Raw);
        let before = Span::new(start, start + file.whole.start());
        let after = Span::new(start + file.whole.end(), self.span.end());
        emit(self.source, before, Role::Text, walk.sink)?;
        emit(self.source, after, Role::Text, walk.sink)
    }

    fn kind(&self, text: &[u8]) -> BodyKind {
        let media = &self.head.media;
        let declared = Format::from_media_type(&media.name);
        let is_text = match declared {
            Some(format) => !format.is_binary(),
            None => {
                ["text/", "message/", "multipart/"].iter().any(|top| media.name.starts_with(top))
            }
        };
        // An archive may be labelled as text to hide it; a user who saves the attachment sees what
        // it is.
        if let Some(kind) = is_text.then(|| packed_kind(text)).flatten() {
            return kind;
        }
        if let Some(format) = declared {
            return BodyKind::Document(format);
        }
        match &*media.name {
            _ if is_text => BodyKind::Text,
            "application/pkcs7-mime" | "application/x-pkcs7-mime" if is_der(text) => {
                BodyKind::Pkcs7
            }
            _ => file_kind(self.head.file_name(), text),
        }
    }

    /// Emits a body whose transfer encoding is undone.
    fn decoded(
        &self,
        text: &[u8],
        below: &Layers<'_>,
        walk: &mut MessageWalk<'_, '_>,
    ) -> ControlFlow<()> {
        let kind = self.kind(text);
        let source = Source::inside(text, below);
        let is_text = kind == BodyKind::Text || kind.is_message();
        if is_text && mbox::is_mbox(text) {
            return self.mailbox(source, walk);
        }
        if self.head.media.name == "message/partial" {
            let message = "it is a piece of a message (RFC 2046, 5.2.2), and encoded text in it was \
                           not read; join the pieces first";
            unread(self.head.file_name(), message, walk);
        }
        match &kind {
            BodyKind::Binary => {
                self.skip(Skipped::Binary, walk);
                return ControlFlow::Continue(());
            }
            BodyKind::Archive => {
                let span = self.source.span(self.span);
                return Attachment { name: self.head.file_name(), bytes: text, span }.read(walk);
            }
            // Its texts are not bytes of the message.
            BodyKind::Document(format) if format.is_binary() => {
                let span = self.source.span(self.span);
                let attachment = Attachment { name: self.head.file_name(), bytes: text, span };
                return attachment.read_document(walk);
            }
            BodyKind::Unread(message) => {
                unread(self.head.file_name(), message, walk);
                return ControlFlow::Continue(());
            }
            BodyKind::Pkcs7 => return self.pkcs7(source, walk),
            BodyKind::Document(format) if format.is_message() => {
                if let Some(flow) = walk.message(source) {
                    return flow;
                }
            }
            BodyKind::Text | BodyKind::Document(_) => {}
        }
        if text.trim_ascii_start().starts_with(PGP) {
            self.skip(Skipped::Encrypted, walk);
        }
        let label = self.head.media.parameter("charset");
        // The label comes first; a byte order mark only counts without a known label.
        let charset = match (label.and_then(MimeCharset::for_label), Encoding::detect(text)) {
            (Some(charset), _) => charset,
            (None, Some((encoding, _))) => MimeCharset::from(encoding),
            (None, None) => {
                if let Some(label) = label.filter(|_| is_non_ascii(text)) {
                    let label = String::from_utf8_lossy(label.clamped(..MAX_LABEL_BYTES));
                    let message =
                        format!("its charset `{label}` is not known; convert it to UTF-8");
                    unread(self.head.file_name(), &message, walk);
                }
                return self.text(text, below, &kind, walk);
            }
        };
        if charset.is_text(text) {
            return self.text(text, below, &kind, walk);
        }
        let mut made = walk.scratch.charset.take();
        let validity = charset.decode(text, &mut made.text, &mut made.map);
        self.text(&made.text, &below.under(&made.map), &kind, walk)?;
        walk.scratch.charset = made;
        match validity {
            Validity::Valid => ControlFlow::Continue(()),
            Validity::Doubtful => {
                walk.enter(&self.head.media.name, EntityReading::Raw);
                self.text(text, below, &kind, walk)
            }
        }
    }

    fn text(
        &self,
        text: &[u8],
        layers: &Layers<'_>,
        kind: &BodyKind,
        walk: &mut MessageWalk<'_, '_>,
    ) -> ControlFlow<()> {
        let source = Source::inside(text, layers);
        if let Some(flow) = document(source, kind, walk) {
            flow?;
            return self.inline_files(text, layers, walk);
        }
        match self.flowed() {
            Some(del_sp)
                // RFC 3676 §4.1: only a space before a line break makes it a soft one.
                if memmem::find(text, b" \n").or(memmem::find(text, b" \r\n")).is_some() =>
            {
                let (mut lines, mut map) = (Vec::new(), OffsetMap::new());
                flowed(text, del_sp, &mut lines, &mut map);
                plain(&lines, layers.under(&map), walk)?;
            }
            _ => plain(text, *layers, walk)?,
        }
        self.inline_files(text, layers, walk)
    }

    /// Reads the files in a text, such as those of uuencode.
    fn inline_files(
        &self,
        text: &[u8],
        layers: &Layers<'_>,
        walk: &mut MessageWalk<'_, '_>,
    ) -> ControlFlow<()> {
        let source = Source::inside(text, layers);
        // The search for the end of the message has seen the undecoded bytes only, so decoded text
        // must be searched again.
        if self.files == InlineFiles::None && self.is_as_it_stands(text) {
            return ControlFlow::Continue(());
        }
        for file in inline_files(text) {
            self.inline(source, &file, walk)?;
        }
        ControlFlow::Continue(())
    }

    /// True if nothing of the body had to be decoded.
    fn is_as_it_stands(&self, text: &[u8]) -> bool {
        let bytes = self.source.bytes.part(self.span.range());
        std::ptr::eq(text, bytes)
    }

    /// Returns the parameters of `format=flowed`, if the body has it.
    fn flowed(&self) -> Option<DelSp> {
        let media = &self.head.media;
        let says = |name: &str, value: &str| {
            let parameter = media.parameter(name).unwrap_or_default();
            parameter.eq_ignore_ascii_case(value.as_bytes())
        };
        // The parameter belongs to this type only (RFC 3676 §4).
        if media.name != "text/plain" || !says("format", "flowed") {
            return None;
        }
        Some(if says("delsp", "yes") { DelSp::Yes } else { DelSp::No })
    }

    /// Emits an inline file. Its encoded lines are also emitted as text, because some mail readers
    /// show them.
    fn inline(
        &self,
        source: Source<'_>,
        file: &Inline,
        walk: &mut MessageWalk<'_, '_>,
    ) -> ControlFlow<()> {
        let bytes = |span: Span| source.bytes.part(span.range());
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        match file.encoding {
            InlineEncoding::Uuencode => decode::uudecode(bytes(file.data), &mut text, &mut map),
            InlineEncoding::YEnc => decode::ydecode(bytes(file.data), &mut text, &mut map),
        }
        let kind = file_kind(Some(bytes(file.name)), &text);
        let (name, span) = (Some(bytes(file.name)), source.span(file.whole));
        match &kind {
            BodyKind::Binary => {
                walk.sink.note(&Event::Skipped { reason: Skipped::Binary, span });
                return ControlFlow::Continue(());
            }
            BodyKind::Archive => return Attachment { name, bytes: &text, span }.read(walk),
            BodyKind::Unread(message) => {
                unread(name, message, walk);
                return ControlFlow::Continue(());
            }
            BodyKind::Text | BodyKind::Document(_) | BodyKind::Pkcs7 => {}
        }
        let below = source.part(file.data.start());
        let layers = below.under(&map);
        document(Source::inside(&text, &layers), &kind, walk)
            .unwrap_or_else(|| plain(&text, layers, walk))
    }

    /// Reads signed, readable content, which is a part with a header (RFC 8551 §3.5.2). Encrypted
    /// content is skipped.
    fn pkcs7(&self, source: Source<'_>, walk: &mut MessageWalk<'_, '_>) -> ControlFlow<()> {
        // In signed data, the message is readable (RFC 8551 §3.5.2). Encrypted data shows no
        // header.
        let Some(start) = memmem::find(source.bytes, b"Content-Type:") else {
            self.skip(Skipped::Encrypted, walk);
            return ControlFlow::Continue(());
        };
        let signed = source.bytes.clamped(start..);
        let layers = source.part(start);
        match walk.message(Source::inside(signed, &layers)) {
            Some(flow) => flow,
            None => plain(signed, layers, walk),
        }
    }

    /// Reads an attached mailbox, message by message.
    fn mailbox(&self, source: Source<'_>, walk: &mut MessageWalk<'_, '_>) -> ControlFlow<()> {
        let mut from = 0;
        while let Next::Message(message) = mbox::next(source.bytes, from, Rest::End) {
            from = message.content.end();
            emit(source, message.envelope, Role::Metadata, walk.sink)?;
            let layers = source.part(message.content.start());
            let bytes = source.bytes.part(message.content.range());
            match walk.message(Source::inside(bytes, &layers)) {
                Some(flow) => flow?,
                None => plain(bytes, layers, walk)?,
            }
        }
        ControlFlow::Continue(())
    }

    fn skip(&self, reason: Skipped, walk: &mut MessageWalk<'_, '_>) {
        let span = self.source.span(self.span);
        walk.sink.note(&Event::Skipped { reason, span });
    }
}

/// Reads a document that is not a message; `None` for other bodies.
fn document(
    source: Source<'_>,
    kind: &BodyKind,
    walk: &mut MessageWalk<'_, '_>,
) -> Option<ControlFlow<()>> {
    let &BodyKind::Document(format) = kind else { return None };
    let FormatLimits { largest, memory_factor, .. } = format.limits();
    // The message was admitted with the memory factor of mail, so formats with a smaller factor
    // need no limit of their own.
    let is_admitted = memory_factor <= Format::MAIL.limits().memory_factor;
    let is_read = !format.is_message() && (is_admitted || source.bytes.len() <= largest);
    is_read.then(|| format.read(source, walk.sink))
}

/// True for an ASN.1 sequence with any form of length (X.690 §8.1.3). No text starts like that.
fn is_der(bytes: &[u8]) -> bool {
    // A sequence whose length is open or takes up to four bytes (X.690 8.1.3); shorter ones hold no
    // message.
    matches!(bytes, [0x30, 0x80..=0x84, ..])
}

/// Returns the type of a body that is labelled as text, if its first bytes show that it is
/// something else.
fn packed_kind(text: &[u8]) -> Option<BodyKind> {
    let head = text.clamped(..SIGNATURE_BYTES);
    // ESC is left out, because ISO-2022-JP switches its sets with it.
    let is_control = |byte: &u8| matches!(byte, 0..=8 | 14..=26 | 28..=31);
    // Signatures without such a byte: some documents of PDF, `ar`, bzip2, and `cpio`. A text may be
    // about PDF, but it contains no objects.
    let is_pdf = || head.starts_with(b"%PDF-") && memmem::find(head, b" obj").is_some();
    let is_plain_archive =
        || [b"!<arch>\n".as_slice(), b"BZh", b"07070"].iter().any(|start| head.starts_with(start));
    if !(head.iter().any(is_control) || is_pdf() || is_plain_archive()) {
        return None;
    }
    match InputType::guess(text, b"", Packages::Documents) {
        InputType::Document(format) => Some(BodyKind::Document(format)),
        InputType::Archive(_) => Some(BodyKind::Archive),
        InputType::Unread(unread) => Some(BodyKind::Unread(unread.message())),
        InputType::Plain => None,
    }
}

/// True for a text in a charset that does not include ASCII: it has hardly any spaces and line
/// breaks.
fn is_non_ascii(text: &[u8]) -> bool {
    let head = text.clamped(..SNIFF);
    let white = head.iter().filter(|byte| byte.is_ascii_whitespace()).count();
    white * 32 < head.len() && std::str::from_utf8(text).is_err()
}

/// Returns the type of a file by its name and first bytes.
pub(super) fn file_kind(name: Option<&[u8]>, text: &[u8]) -> BodyKind {
    let head = text.part(..text.len().min(SNIFF));
    let name = name.unwrap_or_default();
    let sniffed = match Format::sniff(head, Rest::End) {
        Sniffed::Is(format) => Some(format),
        Sniffed::Unknown | Sniffed::NeedMore => None,
    };
    match InputType::guess(text, name, Packages::Documents) {
        InputType::Document(format) => return BodyKind::Document(format),
        InputType::Archive(_) => return BodyKind::Archive,
        InputType::Unread(unread) => return BodyKind::Unread(unread.message()),
        InputType::Plain => {}
    }
    // UTF-16 text has NULs, too, so a recognized encoding is not binary.
    if memchr(0, head).is_some() && Encoding::detect(head).is_none() {
        return BodyKind::Binary;
    }
    // Programs are read as text: a search of mail is not about their comments.
    let is_document = |format: &Format| format.kind() != FormatKind::Code;
    let named = Format::from_file_name(name);
    let certain = named.map(|format| match format.refined(head, Rest::End) {
        Sniffed::Is(refined) => Sniffed::Is(refined),
        _ => format.contradicting(head, Rest::End),
    });
    let format = match certain {
        Some(Sniffed::Is(format)) => Some(format),
        _ => named.or(sniffed),
    };
    let format = format.filter(is_document);
    format.map_or(BodyKind::Text, BodyKind::Document)
}

/// Reports a file in a known format without a reader.
fn unread(name: Option<&[u8]>, message: &str, walk: &mut MessageWalk<'_, '_>) {
    let file = match name {
        Some(name) => String::from_utf8_lossy(name).into_owned(),
        None => format!("part {}", walk.place().number),
    };
    walk.sink.note(&Event::Unread { file: &file, message });
}

fn plain(text: &[u8], source: Layers<'_>, walk: &mut MessageWalk<'_, '_>) -> ControlFlow<()> {
    walk.sink.part(&Part::of_text(text, source, Role::Text))
}

/// True for a body whose first bytes are base64, and no words.
fn looks_like_base64(bytes: &[u8]) -> bool {
    let head = bytes.trim_ascii().clamped(..1 << 10);
    let is_of_base64 = |&byte: &u8| byte.is_ascii_alphanumeric() || b"+/=\r\n".contains(&byte);
    // A single word of letters is more likely one of people.
    head.len() >= 16 && head.iter().all(is_of_base64) && head.iter().any(u8::is_ascii_uppercase)
}
