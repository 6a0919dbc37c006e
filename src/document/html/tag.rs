//! Turns the attributes of a tag, and doctypes, into parts.

use std::ops::ControlFlow;

use super::super::{Content, EventSet, Role, Source, Wants};
use super::HtmlReader;
use super::attributes::{AttributeKind, LINK, is_address_property, kind};
use super::css::Comments;
use super::decode::ReferencePlace;
use super::name::{HtmlName, LowerName, packed};
use super::token::{Attribute, AttributeForm, is_space};
use super::values::{self, ValueOwner, WholeValue};
use super::words::is_words;
use crate::document::picture;
use crate::slice::SliceExt as _;
use crate::span::Span;

#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'n> {
    pub name: HtmlName,
    pub span: Span,
    pub element: &'n str,
    side: TagSide,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagSide {
    Start,
    /// Attributes of end tags are ignored by browsers.
    End,
}

impl<'n> Tag<'n> {
    pub fn start(name: HtmlName, span: Span, element: &'n str) -> Self {
        let side = TagSide::Start;
        Self { name, span, element, side }
    }

    /// True if the name is made of words, as the names of all elements are.
    pub fn has_usual_name(&self) -> bool {
        self.name.usual().is_some() || is_words(self.element.as_bytes())
    }

    pub fn end(name: HtmlName, span: Span, element: &'n str) -> Self {
        let side = TagSide::End;
        Self { name, span, element, side }
    }
}

const CLASS: u64 = packed("class");

/// Attributes of components that name a picture, if the value ends like one: `icon="book"` does
/// not.
pub(crate) const PICTURE_ATTRIBUTES: [&str; 6] =
    ["cover", "icon", "image", "img", "logo", "thumbnail"];

impl HtmlReader<'_, '_> {
    /// Emits the attributes of a tag. Also emits invalid names, because `<http://a.example/>` is a
    /// tag, too.
    pub fn tag(&mut self, tag: &Tag<'_>, attributes: &[Attribute]) -> ControlFlow<()> {
        let mut loose = Span::default();
        if !tag.has_usual_name() {
            loose = self.loose(tag.name.span, tag, attributes);
            self.emit(loose, Role::Text)?;
        }
        let content = if tag.element == "meta" { self.content_of_meta(attributes) } else { None };
        let mut lower = LowerName::default();
        for (index, &attribute) in attributes.iter().enumerate() {
            // Fast path: half of all attributes are classes.
            if attribute.name.packed() == CLASS && attribute.is_words {
                continue;
            }
            let raw = self.slice(attribute.name.span);
            let is_covered = attribute.name.span.start() < loose.end();
            if is_covered && attribute.value.end() <= loose.end() {
                // Browsers see an attribute here all the same: `<a =x/href=…>`.
                let name = lower.lower(attribute.name, raw);
                let kind = kind(tag.element, name);
                if tag.side == TagSide::Start && !matches!(kind, AttributeKind::Value(_)) {
                    self.attribute(attribute, name, kind, tag)?;
                }
                continue;
            }
            if attribute.form == AttributeForm::Absent && is_words(raw) {
                continue;
            }
            let name = lower.lower(attribute.name, raw);
            let kind = match (tag.side, content) {
                (TagSide::Start, Some(kind)) if name == "content" => kind,
                (TagSide::Start, _) if self.is_of_component(tag, attribute, name) => LINK,
                (TagSide::Start, _) => kind(tag.element, name),
                (TagSide::End, _) => AttributeKind::Value(Role::Attribute),
            };
            // A URI may continue over several "attributes", such as `http://a.example/?b=c`. They
            // are emitted as one text and skipped afterwards.
            if !is_covered && is_invalid_name(attribute.form, raw, kind) {
                let after = attributes.clamped(index..);
                loose = self.loose(attribute.name.span, tag, after);
                self.emit(loose, Role::Text)?;
            }
            if attribute.value.end() > loose.end() {
                self.attribute(attribute, name, kind, tag)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// True for `to="/a"` of a component, which leads somewhere as that of `<Link>` does, and for
    /// `img="/a.png"`. Only names of components have capitals and small letters, and `to` of SVG is
    /// a number or a colour.
    fn is_of_component(&self, tag: &Tag<'_>, attribute: Attribute, name: &str) -> bool {
        let is_picture = PICTURE_ATTRIBUTES.contains(&name);
        if name != "to" && !is_picture {
            return false;
        }
        let (element, value) = (self.slice(tag.name.span), self.slice(attribute.value));
        let is_path = if is_picture {
            // An address elsewhere is found as a value.
            !value.contains(&b':') && !value.starts_with(b"//") && picture::is_path(value)
        } else {
            value.contains(&b'/') || value.starts_with(b"#")
        };
        is_path
            && element.first().is_some_and(u8::is_ascii_uppercase)
            && element.iter().any(u8::is_ascii_lowercase)
            && !value.iter().any(|&byte| byte.is_ascii_whitespace() || byte == b'{')
    }

    fn attribute(
        &mut self,
        attribute: Attribute,
        name: &str,
        kind: AttributeKind,
        tag: &Tag<'_>,
    ) -> ControlFlow<()> {
        // Skip a class or a width without decoding it.
        let is_plain = matches!(kind, AttributeKind::Value(_))
            && attribute.is_words
            && !self.may_identify(attribute.value);
        if is_plain && (tag.side == TagSide::End || !self.links.looks_at(name)) {
            return ControlFlow::Continue(());
        }
        let (text, source) =
            self.value.undo(&self.source, attribute.value, ReferencePlace::Attribute);
        if tag.side == TagSide::Start {
            self.links.attribute(tag, name, text, source, self.sink);
        }
        let owner = ValueOwner { element: tag.element, attribute: name };
        let (sink, piece) = (&mut *self.sink, &mut self.piece);
        let mut whole = WholeValue { text, source, owner, sink, piece };
        let emit = |whole: WholeValue<'_>, role, content| {
            values::emit(text, source, (role, content), owner, whole.sink)
        };
        match kind {
            AttributeKind::Value(role) => emit(whole, role, Content::of_value(text)),
            AttributeKind::Script => emit(whole, Role::Code, Content::Text),
            AttributeKind::Reference(role) => whole.reference(role),
            AttributeKind::Style => whole.style(Comments::Code),
            AttributeKind::References(role) => whole.references(is_space, role),
            AttributeKind::Archives => whole.references(|c| c == b',', Role::Destination),
            AttributeKind::Srcset => whole.srcset(),
            AttributeKind::Refresh => whole.refresh(),
            AttributeKind::Document if !self.is_embedded => {
                // Its anchors and labels belong to another document.
                let wants = Wants { events: EventSet::Search, ..self.wants };
                let document = Source::inside(text, &source);
                HtmlReader::new(document, whole.sink, wants, true).read()
            }
            AttributeKind::Document => emit(whole, Role::Attribute, Content::Text),
        }
    }

    /// Returns the span from an invalid name to the next white space, quoted value, or the end of
    /// the tag.
    fn loose(&self, name: Span, tag: &Tag<'_>, attributes: &[Attribute]) -> Span {
        let rest = self.slice(Span::new(name.start(), tag.span.end()));
        let len = rest.iter().position(|&c| c == b'>' || is_space(c));
        let end = name.start() + len.unwrap_or(rest.len());
        let mut inside = attributes.iter().take_while(|a| a.name.span.start() < end);
        let quoted = inside.find(|a| a.form == AttributeForm::Quoted && a.value.start() <= end);
        Span::new(name.start(), quoted.map_or(end, |a| a.value.start() - 1))
    }

    /// Returns the type of `content` in `<meta http-equiv=refresh>`, and in `<meta property=og:image>`.
    fn content_of_meta(&self, attributes: &[Attribute]) -> Option<AttributeKind> {
        attributes.iter().find_map(|attribute| {
            let value = self.slice(attribute.value).trim_ascii();
            match self.slice(attribute.name.span).to_ascii_lowercase().as_slice() {
                b"http-equiv" if value.eq_ignore_ascii_case(b"refresh") => {
                    Some(AttributeKind::Refresh)
                }
                // Programs read each of these properties from either attribute.
                b"property" | b"name" | b"itemprop" if is_address_property(value) => Some(LINK),
                _ => None,
            }
        })
    }

    /// Emits the identifiers of a doctype and its other text (HTML Standard §13.2.5.53–68).
    pub fn doctype(&mut self, inside: Span) -> ControlFlow<()> {
        let text = self.slice(inside);
        let at = |offset: usize| inside.start() + offset;
        let mut from = 0;
        let keyword = {
            let name = text.trim_ascii_start();
            let name_end = name.iter().position(|&c| is_space(c)).unwrap_or(name.len());
            let rest = name.clamped(name_end..).trim_ascii_start();
            // `PUBLIC` and `SYSTEM`, of which only the former has a public identifier first.
            let word = rest.clamped(..6);
            let is = |other: &[u8]| word.eq_ignore_ascii_case(other);
            (is(b"public") || is(b"system")).then_some(text.len() - rest.len() + 6)
        };
        if let Some(keyword) = keyword {
            let is_public = text.get(keyword - 6).is_some_and(|c| c.eq_ignore_ascii_case(&b'p'));
            from = keyword;
            let public = if is_public { quoted(text, from) } else { None };
            if let Some(public) = public {
                from = public.end() + 1;
                self.emit(Span::new(at(public.start()), at(public.end())), Role::Metadata)?;
            }
            if let Some(system) = quoted(text, from) {
                from = system.end() + 1;
                let span = Span::new(at(system.start()), at(system.end()));
                let owner = ValueOwner { element: "!doctype", attribute: "" };
                let source = self.source.part(span.start());
                let text = self.slice(span);
                values::emit(text, source, (Role::Metadata, Content::Reference), owner, self.sink)?;
            }
        }
        self.emit(Span::new(at(from), inside.end()), Role::Metadata)
    }
}

fn quoted(text: &[u8], from: usize) -> Option<Span> {
    let rest = text.get(from..)?.trim_ascii_start();
    let start = text.len() - rest.len() + 1;
    let (quote, inside) = match rest {
        [quote @ (b'"' | b'\''), inside @ ..] => (*quote, inside),
        _ => return None,
    };
    let len = memchr::memchr(quote, inside)?;
    Some(Span::new(start, start + len))
}

/// True if the name of an attribute may be an address or the start of one.
fn is_invalid_name(form: AttributeForm, name: &[u8], kind: AttributeKind) -> bool {
    // No address is made of marks alone, such as a stray `"` or `=`.
    let is_marks = name.iter().all(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric());
    if is_words(name) || is_marks {
        return false;
    }
    // An attribute with a known meaning is not part of an address, however odd it looks.
    let is_known = kind != AttributeKind::Value(Role::Attribute);
    match form {
        AttributeForm::Absent => true,
        AttributeForm::Bare => !is_known && !is_directive(name),
        // Allow `og:title` and `v-on:click.prevent`.
        AttributeForm::Quoted => {
            let mut colons = 0;
            let is_usual = |&c: &u8| {
                colons += usize::from(c == b':');
                is_words(&[c]) || matches!(c, b':' | b'.')
            };
            let is_qualified = name.iter().all(is_usual) && colons < 2;
            !is_known && !is_qualified
        }
    }
}

/// True for a directive of a framework: `:href`, `@click`, `[href]`, `(click)`. No address starts
/// like this.
fn is_directive(name: &[u8]) -> bool {
    let is_in_name = |byte: &u8| is_words(&[*byte]) || b":.])".contains(byte);
    matches!(name, [b':' | b'@' | b'[' | b'(' | b'*' | b'#', rest @ ..] if rest.iter().all(is_in_name))
}
