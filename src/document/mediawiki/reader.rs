//! Reads MediaWiki text.

use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter, trimmed};
use crate::document::{EventSink, Role, Scope, Source};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Maximum length of a scheme without `//`.
const MAX_SCHEME_BYTES: usize = 16;

/// Maximum length of the name of a parameter.
const MAX_PARAMETER_BYTES: usize = 64;

/// Maximum length of the name of an element.
const MAX_ELEMENT_BYTES: usize = 16;

/// Longest name of a page, of a parameter, and of a link's text.
const MAX_BYTES: usize = 1024;

/// Elements whose content is not parsed.
const VERBATIM: [&[u8]; 9] = [
    b"nowiki",
    b"pre",
    b"syntaxhighlight",
    b"source",
    b"math",
    b"templatedata",
    b"score",
    b"graph",
    b"timeline",
];

pub(super) struct MediaWikiReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    /// Ends of verbatim elements that were searched for and not found.
    unclosed: Vec<&'static [u8]>,
    /// The text up to this offset was searched for the start of a URI.
    searched: usize,
}

impl<'d, 's> MediaWikiReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Linked);
        Self { writer, bytes: source.bytes, unclosed: Vec::new(), searched: 0 }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        self.heading(0);
        // Only these start what has a meaning of its own; all text between them is prose. Braces
        // are not among them: templates nest, and what is inside of one is text as well, but for
        // its parameters.
        let is_mark = |byte: &u8| matches!(byte, b'[' | b'<' | b'|' | b'\n' | b'&');
        let mut at = 0;
        while let Some(found) = self.bytes.clamped(at..).iter().position(is_mark) {
            let mark = at + found;
            work_counter::add(found + 1);
            at = match self.bytes.clamped(mark..) {
                [b'\n', ..] => {
                    self.heading(mark + 1);
                    mark + 1
                }
                [b'[', b'[', ..] => self.page_link(mark)?,
                [b'[', ..] => self.external_link(mark)?,
                [b'<', b'!', b'-', b'-', ..] => self.comment(mark)?,
                [b'<', ..] => self.element(mark)?,
                [b'&', ..] => self.bare_uri(mark)?,
                _ => self.parameter(mark)?,
            };
        }
        self.writer.prose(self.bytes.len())
    }

    fn heading(&mut self, at: usize) {
        if self.bytes.get(at) != Some(&b'=') || !self.writer.wants_names() {
            return;
        }
        let line = TextLine::at(self.bytes, at);
        let text = self.writer.at(line.span());
        let level = text.leading(|byte| byte == b'=').min(text.trailing(|byte| byte == b'='));
        if level > 0 && text.len() > 2 * level {
            let span = trimmed(self.bytes, Span::new(line.text + level, line.end - level));
            let title = without_tags(&lossy(self.writer.at(span)));
            self.writer.heading(level, &title, span);
            self.writer.anchor(&title.replace(' ', "_"), span);
        }
    }

    /// Reads `[[page]]` or `[[page|text]]`.
    fn page_link(&mut self, at: usize) -> ControlFlow<(), usize> {
        let inside = self.bytes.clamped(at + 2..).clamped(..MAX_BYTES);
        let length = inside.leading(|byte| !matches!(byte, b'|' | b']' | b'\n' | b'[' | b'<'));
        let is_link = length > 0 && matches!(inside.get(length), Some(b'|' | b']'));
        if !is_link {
            return ControlFlow::Continue(at + 1);
        }
        // A link to a section of this page is an anchor, which an audit can judge. Other pages are
        // in the database of a wiki and no files, so that they are only references.
        let page = trimmed(self.bytes, Span::new(at + 2, at + 2 + length));
        let text = self.writer.at(page);
        if let [b'#', section @ ..] = text {
            let start = page.start() + 1;
            self.writer.link_with(page, "wikilink", |piece| {
                piece.copy(b"#", page.start());
                for (index, word) in section.split(|&byte| byte == b' ').enumerate() {
                    let from = start + offset_in(section, word);
                    if index > 0 {
                        piece.replace(b"_", Span::new(from - 1, from), RunOrigin::Decoded);
                    }
                    piece.copy(word, from);
                }
            })?;
        } else {
            self.writer.refer(&lossy(text), Scope::Project, page);
        }
        ControlFlow::Continue(at + 2 + length)
    }

    /// Reads `[uri]` or `[uri text]`.
    fn external_link(&mut self, at: usize) -> ControlFlow<(), usize> {
        let inside = self.bytes.clamped(at + 1..);
        if !starts_uri(inside) {
            return ControlFlow::Continue(at + 1);
        }
        let target = Span::new(at + 1, at + 1 + uri_length(inside));
        let destination = self.uri(target)?;
        let text = self.bytes.clamped(target.end()..).clamped(..MAX_BYTES);
        let length = memchr::memchr2(b']', b'\n', text);
        // A line end closes the text of a link, and then it has none.
        if let Some(length) = length.filter(|&length| text.get(length) == Some(&b']')) {
            self.writer.label(Span::new(target.end(), target.end() + length), destination);
        }
        ControlFlow::Continue(target.end())
    }

    /// Reads a URI in text, in which `&amp;` at `at` stands for `&`.
    fn bare_uri(&mut self, at: usize) -> ControlFlow<(), usize> {
        let rest = self.bytes.clamped(at..);
        if !rest.starts_with(b"&amp;") {
            return ControlFlow::Continue(at + 1);
        }
        let from = self.writer.done().max(self.searched).max(at.saturating_sub(MAX_BYTES)).min(at);
        let before = self.bytes.part(from..at);
        work_counter::add(before.len());
        let start = at - before.trailing(|byte| uri_length(&[byte]) == 1);
        self.searched = at;
        if memmem::find(self.bytes.part(start..at), b"://").is_none() {
            return ControlFlow::Continue(at + 1);
        }
        let span = Span::new(start, at + uri_length(rest));
        let text = self.writer.at(span);
        self.writer.prose(start)?;
        self.writer.derived(span, Role::Text, |piece| decode(text, start, piece))?;
        ControlFlow::Continue(span.end())
    }

    fn uri(&mut self, span: Span) -> ControlFlow<(), Span> {
        let text = self.writer.at(span);
        self.writer.link_with(span, "link", |piece| decode(text, span.start(), piece))
    }

    fn comment(&mut self, at: usize) -> ControlFlow<(), usize> {
        let rest = self.bytes.clamped(at..);
        // An unclosed comment reaches to the end of the page.
        let end = at + memmem::find(rest, b"-->").map_or(rest.len(), |end| end + 3);
        self.writer.prose(at)?;
        self.writer.emit_to(end, Role::Comment)?;
        ControlFlow::Continue(end)
    }

    /// Reads an element: its id, and its content if that is not parsed.
    fn element(&mut self, at: usize) -> ControlFlow<(), usize> {
        let rest = self.bytes.clamped(at + 1..);
        let length = rest.clamped(..MAX_ELEMENT_BYTES).leading(|byte| byte.is_ascii_alphabetic());
        let name = rest.clamped(..length).to_ascii_lowercase();
        let after = rest.clamped(length..).clamped(..MAX_BYTES);
        self.id(after, at + 1 + length);
        let Some(kind) = VERBATIM.into_iter().find(|verbatim| *verbatim == name) else {
            return ControlFlow::Continue(at + 1);
        };
        let Some(close) = memchr(b'>', after) else { return ControlFlow::Continue(at + 1) };
        let is_empty = close > 0 && after.get(close - 1) == Some(&b'/');
        if is_empty || self.unclosed.contains(&kind) {
            return ControlFlow::Continue(at + 1);
        }
        let start = at + 1 + length + close + 1;
        // The name is given in small letters, as most authors write it. `</NOWIKI>` is not found,
        // and then the content is searched as prose, so that nothing is lost.
        let end = [&b"</"[..], &name].concat();
        let inside = self.bytes.clamped(start..);
        let Some(found) = memmem::find(inside, &end) else {
            // A page of many `<pre>` without an end would be searched to its end for each of them.
            self.unclosed.push(kind);
            return ControlFlow::Continue(at + 1);
        };
        self.writer.prose(start)?;
        self.writer.emit_to(start + found, Role::Code)?;
        ControlFlow::Continue(start + found)
    }

    /// Reports the id of a tag, `<span id="fee">`, whose attributes start here.
    fn id(&mut self, attributes: &[u8], at: usize) {
        const NAME: &[u8] = b"id=";
        if !self.writer.wants_names() {
            return;
        }
        let tag = attributes.clamped(..memchr(b'>', attributes).unwrap_or(0));
        let is_apart = |&id: &usize| tag.clamped(..id).last().is_some_and(u8::is_ascii_whitespace);
        let Some(name) = memmem::find_iter(tag, NAME).find(is_apart) else { return };
        let value = tag.clamped(name + NAME.len()..);
        let (from, length) = match value.first() {
            Some(quote @ (b'"' | b'\'')) => (1, value.clamped(1..).leading(|byte| byte != *quote)),
            _ => (0, value.leading(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'/'))),
        };
        let start = at + name + NAME.len() + from;
        self.anchor(Span::new(start, start + length));
    }

    /// Reports the names of `{{anchor|a|b}}`, if this `|` is the first one in it.
    fn anchor_template(&mut self, at: usize) {
        const NAME: &[u8] = b"{{anchor";
        let name = self.bytes.clamped(..at).clamped(at.saturating_sub(NAME.len())..);
        if !name.eq_ignore_ascii_case(NAME) || !self.writer.wants_names() {
            return;
        }
        let inside = self.bytes.clamped(at + 1..).clamped(..MAX_BYTES);
        // A template inside would give its names again, and another one inside of it.
        let length = inside.leading(|byte| !matches!(byte, b'{' | b'}'));
        if inside.get(length) != Some(&b'}') {
            return;
        }
        let mut start = at + 1;
        for name in inside.clamped(..length).split(|&byte| byte == b'|') {
            self.anchor(Span::new(start, start + name.len()));
            start += name.len() + 1;
        }
    }

    fn anchor(&mut self, span: Span) {
        let span = trimmed(self.bytes, span);
        let name = lossy(self.writer.at(span));
        self.writer.anchor(&name.replace(' ', "_"), span);
    }

    /// Reads a parameter of a template whose value is a URL, `|url=…`.
    fn parameter(&mut self, at: usize) -> ControlFlow<(), usize> {
        self.anchor_template(at);
        let rest = self.bytes.clamped(at + 1..).clamped(..MAX_PARAMETER_BYTES);
        let name =
            rest.leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'_'));
        let is_value = rest.get(name) == Some(&b'=') && name > 0;
        if !is_value {
            return ControlFlow::Continue(at + 1);
        }
        let start = at + 1 + name + 1;
        // A row of blanks before each of many parameters would be read again for each of them.
        let blanks = self.bytes.clamped(start..).clamped(..MAX_BYTES);
        let start = start + blanks.leading(|byte| matches!(byte, b' ' | b'\t'));
        let value = self.bytes.clamped(start..);
        if !starts_uri(value) {
            return ControlFlow::Continue(at + 1);
        }
        let target = Span::new(start, start + uri_length(value));
        self.uri(target)?;
        ControlFlow::Continue(target.end())
    }
}

/// Removes tags from a title, such as the `<span id="fee"></span>` before it.
fn without_tags(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    let mut rest = title;
    while let Some((before, tag)) = rest.split_once('<') {
        let Some((_, after)) = tag.split_once('>') else { break };
        out.push_str(before);
        rest = after;
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// Returns the offset of a part of a text.
fn offset_in(text: &[u8], part: &[u8]) -> usize {
    crate::slice::span_within(part, text).map_or(0, Span::start)
}

fn starts_uri(text: &[u8]) -> bool {
    let scheme = text.clamped(..MAX_SCHEME_BYTES).leading(|byte| byte.is_ascii_alphabetic());
    let rest = text.clamped(scheme..);
    // The entries of `$wgUrlProtocols` without `//`.
    let is_known = matches!(
        text.clamped(..scheme).to_ascii_lowercase().as_slice(),
        b"mailto" | b"news" | b"tel" | b"urn" | b"sip" | b"sips" | b"xmpp" | b"sms"
    );
    rest.starts_with(b"://") && scheme > 0
        || text.starts_with(b"//")
        || is_known && rest.starts_with(b":")
}

/// Returns the length of a URI; MediaWiki ends it at these characters (`EXT_LINK_URL_CLASS`).
fn uri_length(text: &[u8]) -> usize {
    text.leading(|byte| {
        !byte.is_ascii_whitespace()
            && !byte.is_ascii_control()
            && !matches!(byte, b'[' | b']' | b'<' | b'>' | b'"' | b'|' | b'{' | b'}')
    })
}

/// Appends a URI without the character references that MediaWiki undoes.
fn decode(text: &[u8], at: usize, piece: &mut DerivedText) {
    let mut from = 0;
    for found in memmem::find_iter(text, b"&amp;") {
        piece.copy(text.clamped(from..found), at + from);
        piece.replace(b"&", Span::new(at + found, at + found + 5), RunOrigin::Decoded);
        from = found + 5;
    }
    piece.copy(text.clamped(from..), at + from);
}
