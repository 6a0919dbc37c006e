//! Reads XML into events.

use std::ops::ControlFlow;

use super::decode::Entities;
use super::roles;
use super::token::{TagForm, XmlAttribute, XmlToken, XmlTokens, local_name};
use crate::document::keys::role_of_key;
use crate::document::{
    Content, Event, EventSet, EventSink, Format, NameSpace, Part, Place, Role, Source, Wants,
};
use crate::offset_map::{DerivedText, Layers, RunOrigin};
use crate::slice::{SliceExt as _, lossy};
use crate::span::Span;

/// Longest path of elements that a place names. Deeper elements have the place of an outer one, so
/// that the work on paths stays linear.
const MAX_PATH_LENGTH: usize = 256;
/// Longest text of a link that is looked for ahead.
const MAX_LABEL_LENGTH: usize = 512;
/// Number of open elements that an end tag may close at once.
const MAX_CLOSED: usize = 16;

/// Root of a document of OpenDocument in one file (ODF 1.3 part 3, §3.1.2).
const FLAT: &[u8] = b"office:document";
/// Elements of OpenDocument within a text (§6.1).
const INLINE: [&[u8]; 13] = [
    b"text:a",
    b"text:bookmark",
    b"text:bookmark-end",
    b"text:bookmark-start",
    b"text:change",
    b"text:change-end",
    b"text:change-start",
    b"text:meta",
    b"text:reference-mark",
    b"text:reference-mark-end",
    b"text:reference-mark-start",
    b"text:soft-page-break",
    b"text:span",
];
/// Elements of it that are white space.
const WHITE: [&[u8]; 3] = [b"text:line-break", b"text:s", b"text:tab"];

/// Reads a document.
pub(super) fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    let wants = sink.wants();
    let mut reader = XmlReader {
        source,
        sink,
        wants,
        entities: Entities::default(),
        elements: Vec::new(),
        path: String::new(),
        text: DerivedText::default(),
        value: DerivedText::default(),
        is_flat: false,
        key: Role::Text,
    };
    let mut tokens = XmlTokens::new(source.bytes);
    while let Some(token) = tokens.next() {
        reader.token(token, tokens.attributes())?;
    }
    reader.end_text()
}

/// An open element.
struct OpenElement {
    name: Span,
    /// Length of the path without it.
    path: usize,
    /// True if an attribute says that its text is a URI.
    is_address: bool,
    /// The label of the identifier that its text is, by its name or an attribute.
    label: Option<&'static str>,
}

struct XmlReader<'r, 's> {
    source: Source<'r>,
    sink: &'s mut dyn EventSink,
    wants: Wants,
    entities: Entities,
    elements: Vec<OpenElement>,
    path: String,
    /// Text of the innermost element since the last tag.
    text: DerivedText,
    /// Buffer for a value.
    value: DerivedText,
    /// True for a document of OpenDocument in one file.
    is_flat: bool,
    /// The role that the last `<key>` gives to the `<string>` after it, in property lists of Apple.
    key: Role,
}

/// The names of an element or attribute in lower case.
struct XmlNames {
    name: String,
}

impl XmlNames {
    fn new(name: &[u8]) -> Self {
        Self { name: lossy(name).to_ascii_lowercase() }
    }

    fn local(&self) -> &str {
        self.name.split_once(':').map_or(&self.name, |(_, local)| local)
    }
}

/// Bytes of a document that are searched for the declaration of a namespace.
const MAX_DECLARATION_BYTES: usize = 4 << 10;

impl<'r> XmlReader<'r, '_> {
    fn slice(&self, span: Span) -> &'r [u8] {
        self.source.bytes.part(span.range())
    }

    fn token(&mut self, token: XmlToken, attributes: &[XmlAttribute]) -> ControlFlow<()> {
        match token {
            XmlToken::Text(span) => {
                self.entities.decode(self.slice(span), span.start(), &mut self.text);
                return ControlFlow::Continue(());
            }
            XmlToken::Cdata(span) => {
                self.text.copy(self.slice(span), span.start());
                return ControlFlow::Continue(());
            }
            XmlToken::Start { name, tag, .. } if self.is_inline(name) => {
                if WHITE.contains(&self.slice(name)) {
                    self.text.replace(b" ", tag, RunOrigin::Decoded);
                }
            }
            XmlToken::End { name, .. } if self.is_inline(name) => {}
            // References and CDATA sections only continue a text (XML 1.0 §2.7). Any other token
            // ends it.
            _ => self.end_text()?,
        }
        match token {
            XmlToken::Text(_) | XmlToken::Cdata(_) => ControlFlow::Continue(()),
            XmlToken::Start { name, tag, form } => self.start(name, tag, form, attributes),
            XmlToken::End { name, tag } => {
                // An end tag has no attributes, but text in their place must not be lost.
                let rest = Span::new(name.end(), tag.end());
                if self.slice(rest).trim_ascii() != b">" {
                    self.verbatim(rest, Role::Text)?;
                }
                self.close(name);
                ControlFlow::Continue(())
            }
            XmlToken::Comment(span) => self.verbatim(span, Role::Comment),
            XmlToken::Instruction(span) => self.instruction(span),
            XmlToken::Doctype(span) => {
                self.entities.declare(self.slice(span));
                self.verbatim(span, Role::Metadata)
            }
        }
    }

    /// True for an element of a flat document of OpenDocument that is within a text, and does not
    /// end it.
    fn is_inline(&self, name: Span) -> bool {
        let name = self.slice(name);
        self.is_flat && (INLINE.contains(&name) || WHITE.contains(&name))
    }

    /// Emits a processing instruction. Its text is not parsed, unless it has attributes like a tag
    /// ("Associating Style Sheets with XML documents" §3).
    fn instruction(&mut self, span: Span) -> ControlFlow<()> {
        let text = self.slice(span);
        let has_attributes =
            [&b"xml-stylesheet"[..], b"xml-model"].iter().any(|name| text.starts_with(name));
        if !has_attributes || memchr::memchr(b'&', text).is_none() {
            return self.verbatim(span, Role::Metadata);
        }
        self.value.clear();
        self.entities.decode(text, span.start(), &mut self.value);
        let place = Place::Element(self.path.as_str().into());
        let source = self.source.layers(self.value.map());
        let part = Part::of_text(self.value.text(), source, Role::Metadata);
        self.sink.part(&Part { place: Some(&place), ..part })
    }

    /// Emits undecoded bytes.
    fn verbatim(&mut self, span: Span, role: Role) -> ControlFlow<()> {
        let text = self.slice(span);
        // An audit reads all comments, because any may be a directive.
        let is_wanted = role == Role::Comment && self.wants.events == EventSet::All;
        if !is_wanted && !may_hold_uri(text) {
            return ControlFlow::Continue(());
        }
        let place = Place::Element(self.path.as_str().into());
        let part = Part::of_text(text, self.source.part(span.start()), role);
        self.sink.part(&Part { place: Some(&place), ..part })
    }

    fn start(
        &mut self,
        name: Span,
        tag: Span,
        form: TagForm,
        attributes: &[XmlAttribute],
    ) -> ControlFlow<()> {
        self.open(name);
        // Attributes of a broken tag may be wrong, so its bytes are searched as they are.
        if form == TagForm::Broken {
            self.verbatim(tag, Role::Text)?;
        } else if !attributes.is_empty() {
            self.attributes(name, tag, form, attributes)?;
        }
        if form == TagForm::Empty {
            self.close(name);
        }
        ControlFlow::Continue(())
    }

    fn open(&mut self, name: Span) {
        self.is_flat |= self.elements.is_empty() && self.slice(name) == FLAT;
        let label = roles::label(local_name(self.slice(name)));
        self.elements.push(OpenElement { name, path: self.path.len(), is_address: false, label });
        if self.path.len() + name.len() < MAX_PATH_LENGTH {
            if !self.path.is_empty() {
                self.path.push('/');
            }
            self.path.push_str(&lossy(self.source.bytes.part(name.range())));
        }
    }

    /// Closes the element of this name, with those in it that were left open.
    fn close(&mut self, name: Span) {
        let bytes = self.source.bytes;
        let is_same = |it: &OpenElement| bytes.part(it.name.range()) == bytes.part(name.range());
        // Looking through all open elements for every end tag would take quadratic time.
        let last = self.elements.len().saturating_sub(MAX_CLOSED);
        let open = self.elements.clamped(last..).iter().rposition(is_same);
        if let Some(element) = open.and_then(|open| self.elements.get(last + open)) {
            self.path.truncate(element.path);
            self.elements.truncate(last + open.unwrap_or_default());
        }
    }

    /// True if an attribute of an element says that another one is an identifier.
    fn has_identifier(&self, attributes: &[XmlAttribute]) -> bool {
        attributes.iter().any(|attribute| {
            let names = XmlNames::new(self.slice(attribute.name));
            roles::makes_identifier(names.local(), self.slice(attribute.value))
        })
    }

    fn attributes(
        &mut self,
        name: Span,
        tag: Span,
        form: TagForm,
        attributes: &[XmlAttribute],
    ) -> ControlFlow<()> {
        let element = XmlNames::new(self.slice(name));
        let is_root = self.elements.len() == 1;
        let label = if form == TagForm::Open { self.label_after(name, tag) } else { None };
        let is_output = roles::may_be_output(element.local()) && self.is_of_stylesheet(&element);
        for attribute in attributes {
            let raw = self.slice(attribute.value);
            let names = XmlNames::new(self.slice(attribute.name));
            self.name_events(&names, *attribute, is_root);
            if roles::makes_address(element.local(), names.local(), raw)
                && let Some(element) = self.elements.last_mut()
            {
                element.is_address = true;
            }
            if let Some(label) = roles::label(raw)
                && let Some(element) = self.elements.last_mut()
            {
                element.label.get_or_insert(label);
            }
            let is_href = names.local() == "href";
            let meaning = if is_href && (is_output || self.has_identifier(attributes)) {
                roles::VALUE
            } else {
                roles::of_attribute(&names.name, names.local())
            };
            // A relative reference may be short and needs no colon.
            if meaning.content != Content::Reference && !may_hold_uri(raw) {
                continue;
            }
            self.value.clear();
            self.entities.decode(raw, attribute.value.start(), &mut self.value);
            let whole = self.value.text();
            if whole.trim_ascii().is_empty() {
                continue;
            }
            let reference = match meaning.content {
                Content::Reference => roles::uri_specification(whole),
                _ => None,
            };
            let span = reference.unwrap_or_else(|| Span::new(0, whole.len()));
            let layers = self.source.layers(self.value.map());
            let place = Place::Element(format!("{}/@{}", self.path, names.name).into());
            let is_link = meaning.role == Role::Destination;
            let text = whole.part(span.range());
            let part = Part {
                content: meaning.content_of(text),
                element: Some(&element.name),
                attribute: Some(&names.name),
                place: Some(&place),
                label: label.as_deref().filter(|_| is_link),
                ..Part::of_text(text, layers.copied_under(span.start()), meaning.role)
            };
            let destination = part.source.source(Span::new(0, part.text.len()));
            self.sink.part(&part)?;
            if let Some(text) = label.as_deref().filter(|_| is_link && self.wants.all_events()) {
                let span = self.source.span(Span::new(tag.end(), tag.end() + text.len()));
                self.sink.note(&Event::Label { text, destination, span, stream: None });
            }
        }
        ControlFlow::Continue(())
    }

    /// True for an element of XSLT or of its extensions, by the namespace that the document
    /// declares for its prefix.
    fn is_of_stylesheet(&self, element: &XmlNames) -> bool {
        const NAMESPACES: [&str; 2] =
            ["http://www.w3.org/1999/XSL/Transform", "http://exslt.org/common"];
        let Some((prefix, _)) = element.name.split_once(':') else { return false };
        // The declaration is usually on the root, and may be anywhere above.
        let head = self.source.bytes.clamped(..MAX_DECLARATION_BYTES);
        NAMESPACES.iter().any(|namespace| {
            let is_declared = |mark: char| {
                let declaration = format!("xmlns:{prefix}={mark}{namespace}{mark}");
                memchr::memmem::find(head, declaration.as_bytes()).is_some()
            };
            is_declared('"') || is_declared('\'')
        })
    }

    /// Emits a property of the document that the attribute gives: its base, or the name of an
    /// element.
    fn name_events(&mut self, names: &XmlNames, attribute: XmlAttribute, is_root: bool) {
        let value = lossy(self.slice(attribute.value));
        let name = value.trim();
        let span = self.source.span(attribute.value);
        match names.name.as_str() {
            // The base of an inner element is not followed: few documents have one, and events
            // have no end of a base.
            "xml:base" if is_root => self.sink.note(&Event::Base { reference: name, span }),
            "xml:id" | "id" if self.wants.all_events() && !name.is_empty() => {
                self.sink.note(&Event::Define { space: NameSpace::Anchor, name, span });
            }
            _ => {}
        }
    }

    /// Returns the text of an element that has nothing else in it.
    fn label_after(&self, name: Span, tag: Span) -> Option<String> {
        let rest = self.source.bytes.clamped(tag.end()..).clamped(..MAX_LABEL_LENGTH);
        let text = rest.clamped(..memchr::memchr(b'<', rest)?);
        let close = rest.clamped(text.len()..).strip_prefix(b"</")?;
        let is_own = close.starts_with(self.slice(name));
        let label = lossy(text.trim_ascii()).into_owned();
        (is_own && !label.is_empty()).then_some(label)
    }

    /// Emits the text since the last tag.
    fn end_text(&mut self) -> ControlFlow<()> {
        let text = std::mem::take(&mut self.text);
        let flow = self.emit_text(&text);
        // Put back so that its memory is used again.
        self.text = text;
        self.text.clear();
        flow
    }

    fn emit_text(&mut self, text: &DerivedText) -> ControlFlow<()> {
        let bytes = text.text();
        let element = self.elements.last().map(|it| self.slice(it.name)).unwrap_or_default();
        if element == b"key" {
            self.key = role_of_key(lossy(bytes).trim());
        }
        if !may_hold_uri(bytes) && bytes.trim_ascii().len() < 5 {
            return ControlFlow::Continue(());
        }
        let is_property = element == b"string" && self.key == Role::Destination;
        let names = self.elements.last().map(|element| XmlNames::new(self.slice(element.name)));
        let local = names.as_ref().map_or("", XmlNames::local);
        let place = Place::Element(self.path.as_str().into());
        let source = self.source.layers(text.map());
        if roles::may_hold_html(local, bytes) {
            let mut sink = TextPlaceSink { place: &place, sink: self.sink };
            return Format::HTML.read(Source::inside(bytes, &source), &mut sink);
        }
        let is_address =
            is_property || self.elements.last().is_some_and(|element| element.is_address);
        let meaning = roles::of_element(local, is_address);
        let (bytes, source) = trimmed(bytes, &source);
        // The label is the name of the element or of its kind, `<issn>0028-0836</issn>`. In the
        // text passed on, it precedes the number, as in prose.
        let label = self.elements.last().and_then(|element| element.label);
        let mut labelled = DerivedText::default();
        let inside = Source::inside(bytes, &source);
        let (bytes, source) = match label.filter(|_| meaning.role == Role::Text) {
            Some(label) => {
                labelled.replace(label.as_bytes(), Span::new(0, 0), RunOrigin::Assumed);
                labelled.copy(bytes, 0);
                (labelled.text(), inside.layers(labelled.map()))
            }
            None => (bytes, source),
        };
        let part = Part::of_text(bytes, source, meaning.role);
        let element = names.as_ref().map(|names| names.name.as_str());
        self.sink.part(&Part {
            content: meaning.content_of(bytes),
            element: element.filter(|_| meaning.role == Role::Destination),
            place: Some(&place),
            ..part
        })
    }
}

/// Returns a text without white space at its ends.
fn trimmed<'t>(text: &'t [u8], source: &'t Layers<'t>) -> (&'t [u8], Layers<'t>) {
    let start = text.len() - text.trim_ascii_start().len();
    (text.trim_ascii(), source.copied_under(start))
}

/// True for text with a byte that every URI has, or enough text for an identifier.
fn may_hold_uri(text: &[u8]) -> bool {
    text.len() > 7 || memchr::memchr(b':', text).is_some()
}

/// Adds a place to the parts of a document in a text.
struct TextPlaceSink<'p> {
    place: &'p Place<'p>,
    sink: &'p mut dyn EventSink,
}

impl EventSink for TextPlaceSink<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => {
                // The page that relative references in it start from is not known.
                let content = match part.content {
                    Content::Reference => Content::Value,
                    content => content,
                };
                self.sink.part(&Part { content, place: Some(self.place), ..**part })
            }
            Event::Label { .. } => self.sink.event(event),
            // Anchors in it belong to another document.
            _ => ControlFlow::Continue(()),
        }
    }

    fn wants(&self) -> Wants {
        self.sink.wants()
    }
}
