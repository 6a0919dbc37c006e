//! Emits the events of a text markup in order: [`PartWriter`].
//!
//! A reader of text markup looks for constructs and passes each to the writer. Everything else is
//! text, so a reader cannot lose a byte: the writer keeps the offset up to which everything was
//! emitted, and emits the rest by itself.

use std::ops::ControlFlow;

use super::{
    CodeParts, Content, Event, EventSink, NameSpace, Part, Place, Role, Scope, Source, ValueParts,
    Wants, marked_value,
};
use crate::delimit::split_extension;
use crate::document::LinkOrigin;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

/// Treatment of bare URIs in text by the processors of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BareUris {
    /// They become links.
    Linked,
    /// They are shown as text.
    Shown,
}

pub(super) struct PartWriter<'d, 's> {
    source: Source<'d>,
    pub bytes: &'d [u8],
    sink: &'s mut dyn EventSink,
    wants: Wants,
    /// Everything before this offset was emitted, or cannot hold a URI.
    done: usize,
    bare: BareUris,
    /// Place of the next parts.
    place: Option<Place<'static>>,
    /// Text of the next link.
    label: Option<String>,
    /// Returns the text of a link without markup.
    plain: fn(&[u8]) -> String,
    piece: DerivedText,
}

impl<'d, 's> PartWriter<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink, bare: BareUris) -> Self {
        let (bytes, wants) = (source.bytes, sink.wants());
        let piece = DerivedText::default();
        let plain = |text: &[u8]| lossy(text).into_owned();
        Self { source, bytes, sink, wants, done: 0, bare, place: None, label: None, plain, piece }
    }

    /// Sets how the text of a link is read.
    pub fn with_plain(self, plain: fn(&[u8]) -> String) -> Self {
        Self { plain, ..self }
    }

    /// Returns the offset up to which everything was emitted.
    pub fn done(&self) -> usize {
        self.done
    }

    /// True if the sink wants names, headings, and labels.
    pub fn wants_names(&self) -> bool {
        self.wants.all_events()
    }

    /// Sets the place of the next parts.
    pub fn set_place(&mut self, place: Option<Place<'static>>) {
        self.place = place;
    }

    /// Sets the text of the next link, for searches. An audit reads [`Self::label`].
    pub fn set_label(&mut self, label: String) {
        self.label = Some(label);
    }

    /// Leaves out the text up to `end`, because it repeats text that was emitted.
    pub fn skip(&mut self, end: usize) {
        self.done = self.done.max(end);
    }

    /// Returns bytes of the document.
    pub fn at(&self, span: Span) -> &'d [u8] {
        self.bytes.part(span.range())
    }

    /// Emits everything up to `end` as text for readers.
    pub fn prose(&mut self, end: usize) -> ControlFlow<()> {
        self.emit_to(end, Role::Text)
    }

    /// Emits everything up to `end` in a role, unless it contains no letters.
    pub fn emit_to(&mut self, end: usize, role: Role) -> ControlFlow<()> {
        if end <= self.done {
            return ControlFlow::Continue(());
        }
        let span = Span::new(self.done, end);
        self.done = end;
        if role == Role::Code && self.wants.code == CodeParts::Skipped {
            return ControlFlow::Continue(());
        }
        self.emit(span, role, None, None)
    }

    /// Skips markup up to `end`. Markup that may hold a URI is emitted, so that nothing is hidden.
    pub fn markup(&mut self, end: usize) -> ControlFlow<()> {
        if end <= self.done {
            return ControlFlow::Continue(());
        }
        if may_hold_uri(self.bytes.part(self.done..end)) {
            return self.emit_to(end, Role::Metadata);
        }
        self.done = end;
        ControlFlow::Continue(())
    }

    /// Emits the bytes at `span` in a role, after the text before it.
    pub fn value(
        &mut self,
        span: Span,
        role: Role,
        element: Option<&str>,
        attribute: Option<&str>,
    ) -> ControlFlow<()> {
        self.prose(span.start())?;
        self.done = self.done.max(span.end());
        self.emit(span, role, element, attribute)
    }

    fn emit(
        &mut self,
        span: Span,
        role: Role,
        element: Option<&str>,
        attribute: Option<&str>,
    ) -> ControlFlow<()> {
        let text = self.at(span);
        // Such a text holds no URI, and markup leaves many of them, which the finder need not see.
        if !text.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()) {
            return ControlFlow::Continue(());
        }
        let content = match (role, self.bare) {
            (Role::Text, BareUris::Linked) => Content::Autolinks,
            _ => Content::Text,
        };
        let part = Part::of_text(text, self.source.part(span.start()), role);
        let place = self.place.as_ref();
        self.sink.part(&Part { content, element, attribute, place, ..part })
    }

    /// Emits text that `make` derives from the bytes at `span`, after the text before it.
    pub fn derived(
        &mut self,
        span: Span,
        role: Role,
        make: impl FnOnce(&mut DerivedText),
    ) -> ControlFlow<()> {
        self.markup(span.start())?;
        self.done = self.done.max(span.end());
        self.piece.clear();
        make(&mut self.piece);
        let text = self.piece.text();
        let part = Part::of_text(text, self.source.layers(self.piece.map()), role);
        self.sink.part(&Part { place: self.place.as_ref(), ..part })
    }

    /// Reads the value at `span`, decoded by `decode`, in its markup, if it has one and the sink wants
    /// it. Returns false if it was not read.
    pub fn marked_value(
        &mut self,
        span: Span,
        decode: impl FnOnce(&[u8], usize, &mut DerivedText),
    ) -> ControlFlow<(), bool> {
        if self.wants.values == ValueParts::Text {
            return ControlFlow::Continue(false);
        }
        self.markup(span.start())?;
        let Some(place) = &self.place else { return ControlFlow::Continue(false) };
        self.piece.clear();
        decode(self.bytes.part(span.range()), span.start(), &mut self.piece);
        let layers = self.source.layers(self.piece.map());
        let value = Source::inside(self.piece.text(), &layers);
        let is_read = marked_value::read(value, place, self.sink)?;
        if is_read {
            self.done = self.done.max(span.end());
        }
        ControlFlow::Continue(is_read)
    }

    /// Emits a destination as written, after the text before it; returns its span in the stream.
    pub fn link(&mut self, span: Span, element: &'static str) -> ControlFlow<(), Span> {
        let bytes = self.at(span);
        self.link_with(span, element, |piece| piece.copy(bytes, span.start()))
    }

    /// Emits the destination of a definition that other links name.
    pub fn definition(&mut self, span: Span) -> ControlFlow<(), Span> {
        let bytes = self.at(span);
        let names = (LinkOrigin::Definition, "definition");
        self.link_from(span, names, |piece| piece.copy(bytes, span.start()))
    }

    /// Emits a destination whose text `make` derives from the bytes at `span`; returns its span in
    /// the stream.
    pub fn link_with(
        &mut self,
        span: Span,
        element: &'static str,
        make: impl FnOnce(&mut DerivedText),
    ) -> ControlFlow<(), Span> {
        self.link_from(span, (LinkOrigin::Element, element), make)
    }

    fn link_from(
        &mut self,
        span: Span,
        (origin, element): (LinkOrigin, &'static str),
        make: impl FnOnce(&mut DerivedText),
    ) -> ControlFlow<(), Span> {
        self.prose(span.start())?;
        self.done = self.done.max(span.end());
        let whole = self.source.span(span);
        // Taken even if the target is empty, so that it can't become the label of the next link.
        let label = self.label.take();
        self.piece.clear();
        make(&mut self.piece);
        let text = self.piece.text();
        if text.is_empty() {
            return ControlFlow::Continue(whole);
        }
        let part = Part::of_text(text, self.source.layers(self.piece.map()), Role::Destination);
        // A reference has at most one URI, and none if it is invalid. Text that cannot be a
        // reference is searched, so that nothing in it is lost.
        let content = if !text.iter().copied().any(ends_reference) || is_spaced_target(text) {
            Content::Reference
        } else {
            Content::Text
        };
        let place = self.place.as_ref();
        let (element, label) = (Some(element), label.as_deref());
        self.sink.part(&Part { content, element, origin, place, label, ..part })?;
        ControlFlow::Continue(whole)
    }

    /// Reports the text of a link.
    pub fn label(&mut self, text: Span, destination: Span) {
        let text = trimmed(self.bytes, text);
        if self.wants_names() && !text.is_empty() {
            let label = (self.plain)(self.at(text));
            let span = self.source.span(text);
            self.sink.note(&Event::Label { text: &label, destination, span, stream: None });
        }
    }

    /// Reports a name that a fragment may refer to.
    pub fn anchor(&mut self, name: &str, span: Span) {
        self.define(NameSpace::Anchor, name, span);
    }

    /// Reports the definition of a name.
    pub fn define(&mut self, space: NameSpace, name: &str, span: Span) {
        if self.wants_names() && !name.is_empty() {
            let span = self.source.span(span);
            self.sink.note(&Event::Define { space, name, span });
        }
    }

    /// Reports a reference by name.
    pub fn refer(&mut self, name: &str, scope: Scope, span: Span) {
        if self.wants_names() && !name.is_empty() {
            let (space, span) = (NameSpace::Label, self.source.span(span));
            self.sink.note(&Event::Refer { space, name, scope, span });
        }
    }

    /// Reports a reference by name to a title or target of the document; `span` is that of the
    /// name.
    pub fn refer_to_title(&mut self, name: &str, span: Span) {
        if self.wants_names() && !name.is_empty() {
            let (space, span) = (NameSpace::Title, self.source.span(span));
            self.sink.note(&Event::Refer { space, name, scope: Scope::Document, span });
        }
    }

    /// Reports a reference that its syntax makes plain text.
    pub fn refer_unlinked(&mut self, name: &str, span: Span) {
        let (space, span) = (NameSpace::Unlinked, self.source.span(span));
        self.sink.note(&Event::Refer { space, name, scope: Scope::Document, span });
    }

    /// Reports a heading.
    pub fn heading(&mut self, level: usize, text: &str, span: Span) {
        if self.wants_names() {
            // HTML has six levels; Org and AsciiDoc allow deeper ones.
            let level = u8::try_from(level.clamp(1, 6)).unwrap_or(6);
            self.sink.note(&Event::Heading { level, text, span: self.source.span(span) });
        }
    }

    /// Reads the bytes at `span` with another reader.
    pub fn nested(
        &mut self,
        span: Span,
        read: impl FnOnce(Source<'_>, &mut dyn EventSink) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.prose(span.start())?;
        self.done = self.done.max(span.end());
        let layers = self.source.part(span.start());
        read(Source::inside(self.at(span), &layers), self.sink)
    }
}

/// True for markup that may hold a URI: a mark of a URI is between other characters. The colons of
/// `link:` and `:name:` are not.
fn may_hold_uri(markup: &[u8]) -> bool {
    let mut triples = markup.windows(3);
    triples.any(|around| {
        match around {
            // `1.5` is a number.
            [before, b'.', after] => before.is_ascii_alphabetic() && after.is_ascii_alphabetic(),
            [before, b':' | b'@', after] => {
                !before.is_ascii_whitespace() && !after.is_ascii_whitespace()
            }
            _ => false,
        }
    })
}

/// True for a byte that no URI reference contains, in any syntax that urigrep accepts.
fn ends_reference(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || byte.is_ascii_control()
        || matches!(byte, b'<' | b'>' | b'"' | b'{' | b'}' | b'\\' | b'`')
}

/// True for a target whose author left the spaces in it as they are: a URI, or the name of a file.
///
/// Where a markup says how long a target is, its processor keeps them, so that a search of the text
/// would cut the URI in silence (D3.8). Two URIs are text, and so is a sentence, as in an attribute
/// of AsciiDoc whose value is `https://a.example/[the site] is fast`.
fn is_spaced_target(text: &[u8]) -> bool {
    let is_spaced = text.iter().all(|&byte| byte == b' ' || !ends_reference(byte));
    let is_sentence = text.iter().filter(|&&byte| byte == b' ').count() > MAX_SPACES
        || text.windows(2).any(|pair| pair == b"] ");
    let is_trimmed = text.first() != Some(&b' ') && text.last() != Some(&b' ');
    let mut schemes = memchr::memmem::find_iter(text, b"://");
    let is_target = match (schemes.next(), schemes.next()) {
        (Some(first), None) => text.part(..first).iter().all(u8::is_ascii_alphanumeric),
        (None, None) => split_extension(text).is_some(),
        _ => false,
    };
    is_spaced && is_trimmed && is_target && !is_sentence
}

/// Most spaces of a target.
const MAX_SPACES: usize = 8;

/// Returns a span without white space at its ends.
pub(super) fn trimmed(bytes: &[u8], span: Span) -> Span {
    let bytes = bytes.part(span.range());
    let start = span.start() + bytes.leading(|byte| byte.is_ascii_whitespace());
    let end = span.end() - bytes.trailing(|byte| byte.is_ascii_whitespace());
    Span::new(start.min(end), end)
}

/// Appends text that comes from no byte of the document, at `at`.
pub(super) fn assume(piece: &mut DerivedText, text: &[u8], at: usize) {
    piece.replace(text, Span::new(at, at), RunOrigin::Assumed);
}

/// Returns the way to search the target of a link that Office wrote: as a reference if it has a
/// scheme, or may name a file beside the document.
///
/// Office writes `www.a.example` and `C:\\a.docx` as targets, too: those are values that are not
/// references.
pub(super) fn link_content(target: &[u8]) -> Content {
    let is_other = |byte: &u8| {
        matches!(byte, b':' | b'@' | b'\\' | b'[' | b'"' | b'<' | b'>')
            || byte.is_ascii_whitespace()
    };
    // `www.a.example` is a host without its scheme, and not the name of a file.
    let start = target.clamped(..4).to_ascii_lowercase();
    let names_file = !target.iter().any(is_other)
        && !target.starts_with(b"//")
        && !target.starts_with(b"#")
        && start != b"www.";
    // One letter is a drive.
    let scheme = target.leading(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let has_scheme = scheme > 1 && target.get(scheme) == Some(&b':');
    if names_file || has_scheme { Content::Reference } else { Content::Value }
}
