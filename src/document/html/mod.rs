//! HTML, XHTML, and SVG (HTML Standard §13.2.5, §2.5; SVG 2 §16).
//!
//! One pass over the tokens. Attributes with references give references, and everything else gives
//! text. This includes what browsers drop: attributes of end tags, duplicate attributes, unfinished
//! tags, and invalid names (`<http://…>`). Only text made of words is left out, because it cannot
//! contain an address.
//!
//! Invariants: parts are in document order and do not overlap. No tree is built, so nesting depth
//! costs nothing. A document in an attribute (`srcdoc`) is read, but a document inside that is
//! text.

mod attributes;
mod browser;
mod charset;
mod css;
mod decode;
mod divided;
mod entities;
mod format;
mod links;
mod name;
mod redirect;
mod refresh;
mod srcset;
mod tag;
#[cfg(test)]
mod tests;
mod token;
mod values;
mod words;

use std::ops::ControlFlow;
use std::sync::LazyLock;

use memchr::memmem;

#[cfg(feature = "search")]
pub(crate) use self::browser::respelled;
pub(super) use self::format::{Css, Html};
pub(crate) use self::redirect::redirect;
pub(crate) use self::tag::PICTURE_ATTRIBUTES;

use self::decode::{DecodedText, ReferencePlace, is_plain};
use self::divided::{DividedWord, InlineElement, WordBreak};
use self::links::LinkMarks;
use self::name::{HtmlName, LowerName};
use self::tag::Tag;
use self::token::{Attribute, HtmlToken, RawElement, TokenTextForm, Tokens};
use self::values::{ValueOwner, WholeValue};
use self::words::{is_words, may_identify};
use super::{Event, EventSink, Part, Role, Source, Wants};
use crate::options::Identifiers;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Reads a document or a fragment.
pub fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    if has_base(source.bytes) {
        emit_base(source, sink);
    }
    let wants = sink.wants();
    HtmlReader::new(source, sink, wants, false).read()
}

/// Built once, because each block of HTML in Markdown is a document of its own.
static STARTS: LazyLock<[memmem::Finder<'static>; 2]> =
    LazyLock::new(|| ["<b", "<B"].map(memmem::Finder::new));

fn has_base(bytes: &[u8]) -> bool {
    // Searching for `<b` beats looking at every tag: few tags start like that.
    let is_base = |at| bytes.clamped(at + 1..at + 5).eq_ignore_ascii_case(b"base");
    STARTS.iter().any(|start| start.find_iter(bytes).any(is_base))
}

/// Emits the first `<base href>` (HTML Standard §2.4.3). SVG has an element of that name, but no
/// base.
fn emit_base(source: Source<'_>, sink: &mut dyn EventSink) {
    let slice = |span: Span| source.bytes.part(span.range());
    let mut tokens = Tokens::new(source.bytes);
    // The content of a template does not belong to the document (§4.12.3).
    let mut templates = 0_usize;
    while let Some(token) = tokens.next() {
        let (name, is_start) = match token {
            HtmlToken::Start { name, .. } => (slice(name.span), true),
            HtmlToken::End { name, .. } => (slice(name.span), false),
            _ => continue,
        };
        if tokens.is_foreign() {
            continue;
        }
        if name.eq_ignore_ascii_case(b"template") {
            templates = if is_start { templates + 1 } else { templates.saturating_sub(1) };
        }
        if !is_start || templates > 0 || !name.eq_ignore_ascii_case(b"base") {
            continue;
        }
        // A separate pass before the first part: sinks resolve relative references as they arrive,
        // and a reference may precede its base.
        let is_href = |a: &&Attribute| slice(a.name.span).eq_ignore_ascii_case(b"href");
        if let Some(href) = tokens.attributes().iter().find(is_href) {
            let mut value = DecodedText::default();
            let (text, layers) = value.undo(&source, href.value, ReferencePlace::Attribute);
            let trimmed = text.trim_ascii();
            let start = text.len() - text.trim_ascii_start().len();
            let span = Span::new(start, start + trimmed.len());
            if !trimmed.is_empty() {
                sink.note(&Event::Base {
                    reference: &String::from_utf8_lossy(trimmed),
                    span: layers.source(span),
                });
            }
            return;
        }
    }
}

/// A possible line break within a word.
const WBR: u64 = name::packed("wbr");

/// The text since the last tag.
#[derive(Clone, Copy, Debug)]
enum PendingText {
    Nothing,
    /// Words without an identifier; only the text of a link or heading needs them.
    Words(Span),
    /// Other text, or words with an identifier.
    Raw(Span),
    Decoded,
}

struct HtmlReader<'d, 's> {
    source: Source<'d>,
    sink: &'s mut dyn EventSink,
    /// True inside an attribute of another document.
    is_embedded: bool,
    links: LinkMarks,
    wants: Wants,
    pending: PendingText,
    text: DecodedText,
    value: DecodedText,
    piece: DecodedText,
    /// The open SVG element whose text is code.
    within: Option<RawElement>,
    divided: Option<DividedWord>,
    /// Tags that stay in `text`.
    kept: Vec<Span>,
}

impl<'d, 's> HtmlReader<'d, 's> {
    fn new(
        source: Source<'d>,
        sink: &'s mut dyn EventSink,
        wants: Wants,
        is_embedded: bool,
    ) -> Self {
        Self {
            source,
            sink,
            is_embedded,
            links: LinkMarks::new(wants),
            wants,
            pending: PendingText::Nothing,
            text: DecodedText::default(),
            value: DecodedText::default(),
            piece: DecodedText::default(),
            within: None,
            divided: None,
            kept: Vec::new(),
        }
    }

    fn slice(&self, span: Span) -> &'d [u8] {
        self.source.bytes.part(span.range())
    }

    fn read(mut self) -> ControlFlow<()> {
        let mut tokens = Tokens::new(self.source.bytes);
        let mut element = LowerName::default();
        while let Some(token) = tokens.next() {
            match token {
                HtmlToken::Words(span) => self.add_words(span),
                HtmlToken::Text { text, form } => self.add_text(text, form),
                HtmlToken::Cdata(span) if is_words(self.slice(span)) => self.add_words(span),
                HtmlToken::Cdata(span) => self.add_text(span, TokenTextForm::Plain),
                HtmlToken::Start { name, .. }
                    if name.packed() == WBR && tokens.attributes().is_empty() => {}
                HtmlToken::Start { name, tag }
                    if self.joins_start(name, tag, tokens.attributes()) => {}
                HtmlToken::End { name, tag } if self.joins_end(name, tag, tokens.attributes()) => {}
                HtmlToken::Start { name, tag } => {
                    self.end_text()?;
                    if !self.is_of_no_use(name, tokens.attributes()) {
                        let tag = Tag::start(name, tag, element.lower(name, self.slice(name.span)));
                        if self.links.are_of(name) {
                            self.links.start(&tag, self.source, self.sink);
                        }
                        self.tag(&tag, tokens.attributes())?;
                    }
                    self.within =
                        if tokens.is_foreign() { RawElement::of_foreign(name) } else { None };
                }
                HtmlToken::End { name, tag } => {
                    self.end_text()?;
                    self.within = None;
                    if self.is_of_no_use(name, tokens.attributes()) {
                        continue;
                    }
                    let tag = Tag::end(name, tag, element.lower(name, self.slice(name.span)));
                    self.links.end(&tag, self.source, self.sink);
                    if !(tokens.attributes().is_empty() && tag.has_usual_name()) {
                        self.tag(&tag, tokens.attributes())?;
                    }
                }
                other => {
                    self.flush()?;
                    self.rare(other, &mut tokens, &mut element)?;
                }
            }
        }
        self.flush()?;
        self.links.finish(self.source, self.sink);
        ControlFlow::Continue(())
    }

    /// Returns the text since the last tag, if it may have an identifier.
    fn text_before(&self) -> Option<&[u8]> {
        match self.pending {
            PendingText::Nothing | PendingText::Words(_) => None,
            PendingText::Raw(span) => Some(self.slice(span)),
            PendingText::Decoded => Some(&self.text.text),
        }
    }

    /// True for the start tag of an element in the middle of a word that continues.
    fn joins_start(&mut self, name: HtmlName, tag: Span, attributes: &[Attribute]) -> bool {
        let Some(before) = self.text_before() else { return false };
        let Some(element) = InlineElement::from_name(name) else { return false };
        let joint = match &self.divided {
            Some(_) => WordBreak::Joined,
            None => divided::joint(before, element, self.source.bytes.part(tag.end()..)),
        };
        if joint == WordBreak::Apart || !divided::are_of_look(attributes, self.source.bytes) {
            return false;
        }
        match &mut self.divided {
            Some(divided) => divided.depth += 1,
            None => {
                let name = match joint {
                    WordBreak::Name(name) => Some(name),
                    WordBreak::Apart | WordBreak::Joined => None,
                };
                self.divided = Some(DividedWord { depth: 1, name });
                if let Some(name) = name {
                    self.keep(&divided::kept(name, false), tag);
                }
            }
        }
        true
    }

    /// True for the end tag of an element in the middle of a word.
    fn joins_end(&mut self, name: HtmlName, tag: Span, attributes: &[Attribute]) -> bool {
        // Most end tags follow words; their names are not compared.
        if self.text_before().is_none()
            || !attributes.is_empty()
            || InlineElement::from_name(name).is_none()
        {
            return false;
        }
        let Some(open) = &mut self.divided else {
            let after = self.source.bytes.part(tag.end()..);
            return self.text_before().is_some_and(|before| divided::continues(before, after));
        };
        open.depth -= 1;
        if open.depth == 0 {
            let name = open.name;
            self.divided = None;
            if let Some(name) = name {
                self.keep(&divided::kept(name, true), tag);
            }
        }
        true
    }

    /// Adds a tag to the text since the last tag.
    fn keep(&mut self, text: &str, tag: Span) {
        self.decode_pending();
        let start = self.text.text.len();
        self.text.replace(text.as_bytes(), tag);
        self.kept.push(Span::new(start, self.text.text.len()));
    }

    /// True for a tag that can be ignored, as most can: it has a known name and no attributes.
    #[inline]
    fn is_of_no_use(&self, name: HtmlName, attributes: &[Attribute]) -> bool {
        attributes.is_empty() && name.usual().is_some() && !self.links.are_of(name)
    }

    /// Handles a token that is neither text nor a tag.
    fn rare(
        &mut self,
        token: HtmlToken,
        tokens: &mut Tokens<'_>,
        element: &mut LowerName,
    ) -> ControlFlow<()> {
        match token {
            HtmlToken::Words(_)
            | HtmlToken::Text { .. }
            | HtmlToken::Cdata(_)
            | HtmlToken::Start { .. }
            | HtmlToken::End { .. } => ControlFlow::Continue(()),
            HtmlToken::Raw { raw, name, text } => {
                self.raw(raw, text, element.lower(name, self.slice(name.span)))
            }
            HtmlToken::Instruction(span) => self.instruction(span, tokens),
            HtmlToken::Comment(span) => self.comment(span),
            HtmlToken::Doctype(span) => self.doctype(span),
            HtmlToken::Declaration(span) => self.emit(span, Role::Metadata),
            HtmlToken::Unfinished(span) => self.emit(span, Role::Text),
        }
    }

    /// Emits a comment. Outlook reads one with a condition as markup, `<!--[if mso]>`, so
    /// references in it are decoded.
    fn comment(&mut self, span: Span) -> ControlFlow<()> {
        let raw = self.slice(span);
        let place = ReferencePlace::Attribute;
        if !raw.starts_with(b"[if ") || is_plain(raw, place) {
            return self.emit(span, Role::Comment);
        }
        let (text, source) = self.value.undo(&self.source, span, place);
        self.sink.part(&Part::of_text(text, source, Role::Comment))
    }

    fn instruction(&mut self, span: Span, tokens: &mut Tokens<'_>) -> ControlFlow<()> {
        let name = "xml-stylesheet";
        let after = span.start() + name.len();
        if self.slice(span).starts_with(name.as_bytes())
            && tokens.read_instruction(Span::new(after, span.end()))
        {
            let tag = Tag::start(HtmlName::unusual(Span::new(after, after)), span, name);
            return self.tag(&tag, tokens.attributes());
        }
        self.emit(span, Role::Metadata)
    }

    fn emit(&mut self, span: Span, role: Role) -> ControlFlow<()> {
        let text = self.slice(span);
        // An audit reads all comments, because any may be a directive.
        let is_read = role == Role::Comment && self.wants.all_events();
        if text.is_empty() || (is_words(text) && !self.may_identify(span) && !is_read) {
            return ControlFlow::Continue(());
        }
        self.sink.part(&Part::of_text(text, self.source.part(span.start()), role))
    }

    /// True if identifiers are wanted and this text of words may contain one.
    fn may_identify(&self, span: Span) -> bool {
        self.wants.identifiers != Identifiers::Skip && may_identify(self.slice(span))
    }

    fn add_words(&mut self, span: Span) {
        match self.pending {
            PendingText::Nothing if !self.may_identify(span) => {
                self.pending = PendingText::Words(span);
            }
            _ => self.add_text(span, TokenTextForm::Plain),
        }
    }

    fn add_text(&mut self, span: Span, form: TokenTextForm) {
        let raw = self.slice(span);
        match self.pending {
            PendingText::Nothing if form == TokenTextForm::Plain => {
                self.pending = PendingText::Raw(span);
                return;
            }
            _ => self.decode_pending(),
        }
        match form {
            TokenTextForm::Plain => self.text.copy(raw, span.start()),
            TokenTextForm::Encoded => self.text.decode(raw, span.start(), ReferencePlace::Text),
        }
    }

    /// Copies the text since the last tag into the buffer.
    fn decode_pending(&mut self) {
        match self.pending {
            PendingText::Nothing => self.text.clear(),
            PendingText::Words(before) | PendingText::Raw(before) => {
                self.text.clear();
                self.text.copy(self.slice(before), before.start());
            }
            PendingText::Decoded => {}
        }
        self.pending = PendingText::Decoded;
    }

    /// Ends the text since the last tag. Emits it unless only a link or heading would need it.
    #[inline]
    fn end_text(&mut self) -> ControlFlow<()> {
        match self.pending {
            PendingText::Nothing => ControlFlow::Continue(()),
            PendingText::Words(_) if !self.links.is_open() => {
                self.pending = PendingText::Nothing;
                ControlFlow::Continue(())
            }
            _ => self.flush(),
        }
    }

    /// Emits the text since the last tag.
    fn flush(&mut self) -> ControlFlow<()> {
        self.divided = None;
        // Text without references is emitted as a slice of the document. Only decoded or merged
        // text needs a buffer with a map.
        let (text, source) = match std::mem::replace(&mut self.pending, PendingText::Nothing) {
            PendingText::Nothing => return ControlFlow::Continue(()),
            PendingText::Words(span) => {
                if self.within.is_none() {
                    self.links.add(self.slice(span));
                }
                return ControlFlow::Continue(());
            }
            PendingText::Raw(span) if self.within.is_none() => {
                let text = self.slice(span);
                self.links.add(text);
                let part = Part::of_text(text, self.source.part(span.start()), Role::Text);
                return self.sink.part(&part);
            }
            PendingText::Raw(span) => (self.slice(span), self.source.part(span.start())),
            PendingText::Decoded => (self.text.text.as_slice(), self.source.layers(&self.text.map)),
        };
        let element = match self.within {
            Some(RawElement::Style) => "style",
            Some(_) => "script",
            None => {
                self.links.add(&divided::without(text, &self.kept));
                ""
            }
        };
        self.kept.clear();
        let owner = ValueOwner { element, attribute: "" };
        let (sink, piece) = (&mut *self.sink, &mut self.piece);
        WholeValue { text, source, owner, sink, piece }.element(self.within)
    }

    fn raw(&mut self, raw: RawElement, span: Span, element: &str) -> ControlFlow<()> {
        let (text, source) = match raw {
            RawElement::Escapable => self.value.undo(&self.source, span, ReferencePlace::Text),
            _ => (self.slice(span), self.source.part(span.start())),
        };
        let owner = ValueOwner { element, attribute: "" };
        let (sink, piece) = (&mut *self.sink, &mut self.piece);
        WholeValue { text, source, owner, sink, piece }.element(Some(raw))
    }
}
