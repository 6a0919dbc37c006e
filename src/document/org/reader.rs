//! Reads the lines of an Org document.

use std::ops::ControlFlow;

use memchr::memchr;

use super::title::{TaskKeywords, heading_name, headline};
use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter, assume, trimmed};
use crate::document::{EventSink, NameSpace, Role, Scope, Source, html};
use crate::hash::HashMap;
use crate::hash::HashSet;
use crate::offset_map::RunOrigin;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

/// Keywords whose value is text for readers; that of others is metadata.
const TEXT_KEYWORDS: [&str; 4] = ["title", "subtitle", "caption", "description"];

/// A link within the document, checked at its end.
pub(super) struct InternalLink {
    pub name: String,
    /// True for `*Title`, which only a headline has.
    pub is_heading: bool,
    /// Span of the name.
    pub target: Span,
    pub whole: Span,
}

pub(super) struct OrgReader<'d, 's> {
    pub(super) writer: PartWriter<'d, 's>,
    pub(super) bytes: &'d [u8],
    /// Names that links may use, in lower case.
    pub(super) targets: HashSet<String>,
    /// Names of headlines, in lower case.
    headings: HashSet<String>,
    keywords: TaskKeywords,
    pub(super) links: Vec<InternalLink>,
    /// Abbreviations of links, `#+LINK: gh https://github.com/`.
    pub(super) abbreviations: HashMap<Vec<u8>, Vec<u8>>,
    /// True if other documents are included.
    is_open: bool,
    /// True in the output of code, whose files are made when the code runs.
    pub(super) is_result: bool,
    at: usize,
}

impl<'d, 's> OrgReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        Self {
            writer: PartWriter::new(source, sink, BareUris::Linked),
            bytes: source.bytes,
            targets: HashSet::default(),
            headings: HashSet::default(),
            keywords: TaskKeywords::default(),
            links: Vec::new(),
            abbreviations: HashMap::default(),
            is_open: false,
            is_result: false,
            at: 0,
        }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        if self.writer.wants_names() {
            self.keywords = TaskKeywords::read(self.bytes);
        }
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            self.at = line.next;
            if line.is_blank() {
                continue;
            }
            let text = self.writer.at(line.span());
            match text {
                [b'*', ..] if line.indent() == 0 && headline(text).is_some() => {
                    // Org knows headlines at the start of a line only; an indented star is an item
                    // of a list.
                    self.headline(line, text)?;
                }
                [b'#', b'+', ..] => self.keyword(line)?,
                [b'#', b' ', ..] | [b'#'] => {
                    self.writer.prose(line.text)?;
                    self.writer.emit_to(line.end, Role::Comment)?;
                }
                // A colon and a space start a line of fixed width, which Org does not parse.
                // Without the space it is a drawer or a property.
                [b':', b' ', ..] | [b':'] => {
                    self.writer.prose(line.text)?;
                    self.writer.emit_to(line.end, Role::Code)?;
                }
                [b':', ..] if text.ends_with(b":") || text.contains(&b' ') => {
                    self.property(line)?
                }
                _ => self.paragraph(line)?,
            }
        }
        self.finish();
        self.writer.prose(self.bytes.len())
    }

    fn headline(&mut self, line: TextLine, text: &[u8]) -> ControlFlow<()> {
        let stars = headline(text).unwrap_or_default();
        let span = trimmed(self.bytes, Span::new(line.text + stars, line.end));
        self.inline(span)?;
        let text = lossy(self.writer.at(span));
        let title = self.keywords.plain_title(&text);
        self.writer.heading(stars, title, span);
        // `[[*The title]]` and `[[The title]]` lead here, in any case of the letters.
        if self.writer.wants_names() {
            let titles = [Some(title), self.keywords.title_with_keyword(&text)];
            for title in titles.into_iter().flatten() {
                self.headings.insert(heading_name(title).to_lowercase());
            }
        }
        ControlFlow::Continue(())
    }

    /// Reads `:NAME: value` of a drawer.
    fn property(&mut self, line: TextLine) -> ControlFlow<()> {
        let text = self.writer.at(line.span());
        let name = text.clamped(1..).leading(|byte| !matches!(byte, b':' | b' '));
        if text.get(name + 1) != Some(&b':') || name == 0 {
            return self.paragraph(line);
        }
        let value = trimmed(self.bytes, Span::new(line.text + name + 2, line.end));
        let key = text.clamped(1..=name);
        self.writer.prose(line.text)?;
        if key.eq_ignore_ascii_case(b"CUSTOM_ID") || key.eq_ignore_ascii_case(b"ID") {
            let id = lossy(self.writer.at(value));
            self.writer.anchor(&id, value);
        }
        self.writer.markup(value.start())?;
        // A property may be a link, such as the source of a note.
        self.inline(value)?;
        self.writer.emit_to(value.end(), Role::Metadata)
    }

    /// Reads `#+KEY: value` or a block.
    fn keyword(&mut self, line: TextLine) -> ControlFlow<()> {
        let text = self.writer.at(line.span());
        let name = text.clamped(2..);
        let length = name.leading(|byte| !matches!(byte, b':' | b' ' | b'[' | b'\t'));
        let key = lossy(name.clamped(..length)).to_ascii_lowercase();
        if let Some(block) = key.strip_prefix("begin_") {
            return self.block(line, block);
        }
        // The end of a block without a start is text, so that nothing in its line is lost.
        if key.starts_with("end_") || name.get(length) != Some(&b':') {
            return self.paragraph(line);
        }
        let value = trimmed(self.bytes, Span::new(line.text + 2 + length + 1, line.end));
        self.writer.prose(line.text)?;
        match &*key {
            // What follows was printed by code. Its `[[file:plot.png]]` exists once the code has
            // run, which no audit can know.
            "results" => {
                self.is_result = true;
                self.writer.markup(value.end())
            }
            // Both may define targets that are not in this document.
            "include" | "setupfile" => self.include(value, &key),
            "name" | "label" => {
                let name = lossy(self.writer.at(value)).into_owned();
                self.targets.insert(name.to_lowercase());
                self.writer.anchor(&name, value);
                self.writer.markup(value.end())
            }
            "link" => {
                let text = self.writer.at(value);
                let length = memchr(b' ', text).unwrap_or(text.len());
                let (name, target) = (text.clamped(..length), text.clamped(length..).trim_ascii());
                self.abbreviations.insert(name.to_vec(), target.to_vec());
                self.writer.markup(value.start())?;
                self.writer.emit_to(value.end(), Role::Metadata)
            }
            "html" | "html_head" | "html_head_extra" => self.writer.nested(value, html::read),
            key if TEXT_KEYWORDS.contains(&key) => self.inline(value),
            _ => {
                self.writer.markup(value.start())?;
                self.inline(value)?;
                self.writer.emit_to(value.end(), Role::Metadata)
            }
        }
    }

    /// Reads `"file.org::search" :lines "1-3"`.
    fn include(&mut self, value: Span, key: &str) -> ControlFlow<()> {
        self.is_open = true;
        let text = self.writer.at(value);
        let (start, length) = match text.strip_prefix(b"\"") {
            Some(rest) => (value.start() + 1, memchr(b'"', rest).unwrap_or(rest.len())),
            None => (value.start(), memchr(b' ', text).unwrap_or(text.len())),
        };
        self.writer.markup(start)?;
        let span = Span::new(start, start + length);
        let element = if key == "include" { "include" } else { "setup" };
        let path = self.file_path(span);
        self.writer.link(path, element)?;
        self.writer.markup(value.end())
    }

    /// Returns the span of a file name without `::search`.
    pub(super) fn file_path(&self, span: Span) -> Span {
        let text = self.bytes.part(span.range());
        let length = memchr::memmem::find(text, b"::").unwrap_or(text.len());
        Span::new(span.start(), span.start() + length)
    }

    fn block(&mut self, first: TextLine, kind: &str) -> ControlFlow<()> {
        let role = match kind {
            "comment" => Some(Role::Comment),
            "src" | "example" => Some(Role::Code),
            "export" => Some(Role::Code),
            _ => None,
        };
        let Some(role) = role else { return self.paragraph(first) };
        // Only HTML has a reader; `#+begin_export latex` is code, which is searched as it is.
        let is_html = kind == "export" && {
            let text = self.writer.at(first.span()).to_ascii_lowercase();
            text.ends_with(b" html")
        };
        let mut end = self.bytes.len();
        let mut at = first.next;
        while at < self.bytes.len() {
            let line = TextLine::at(self.bytes, at);
            at = line.next;
            let text = self.writer.at(line.span());
            let ends = text.clamped(..6).eq_ignore_ascii_case(b"#+end_")
                && text.clamped(6..).eq_ignore_ascii_case(kind.as_bytes());
            if ends {
                end = line.start;
                break;
            }
        }
        // Without an end, the block reaches to the end of the document: Org then parses nothing of
        // it, and the search still sees all of it as code.
        self.at = at;
        self.writer.prose(first.next)?;
        if is_html {
            return self.writer.nested(Span::new(first.next.min(end), end), html::read);
        }
        self.writer.emit_to(end, role)
    }

    /// Reads lines up to one that is special.
    fn paragraph(&mut self, first: TextLine) -> ControlFlow<()> {
        let mut end = first.end;
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            let text = self.writer.at(line.span());
            let is_special = match text {
                [] => true,
                [b'*', ..] => line.indent() == 0 && headline(text).is_some(),
                [b'#', b'+' | b' ', ..] | [b'#'] | [b':', ..] => true,
                _ => false,
            };
            if is_special {
                break;
            }
            (end, self.at) = (line.end, line.next);
        }
        let inline = self.inline(Span::new(first.text, end));
        self.is_result = false;
        inline
    }

    /// Emits the destination of a link with an abbreviation written out; true if it has one.
    pub(super) fn abbreviated(&mut self, span: Span) -> ControlFlow<(), Option<Span>> {
        let text = self.bytes.part(span.range());
        let Some(colon) = memchr(b':', text) else { return ControlFlow::Continue(None) };
        let Some(target) = self.abbreviations.get(text.clamped(..colon)) else {
            return ControlFlow::Continue(None);
        };
        let (key, start) =
            (Span::new(span.start(), span.start() + colon + 1), span.start() + colon + 1);
        let tag = self.bytes.part(start..span.end());
        // Org puts the tag where the target has `%s`, or else after it.
        let place = memchr::memmem::find(target, b"%s");
        let (before, after) = match place {
            Some(at) => (target.clamped(..at), target.clamped(at + 2..)),
            None => (target.as_slice(), &b""[..]),
        };
        // A long abbreviation that is used often would multiply the size of the document.
        if before.len() + after.len() > 256 {
            return ControlFlow::Continue(None);
        }
        let destination = self.writer.link_with(span, "link", |piece| {
            piece.replace(before, key, RunOrigin::Decoded);
            piece.copy(tag, start);
            assume(piece, after, span.end());
        })?;
        ControlFlow::Continue(Some(destination))
    }

    /// Reports links within the document.
    fn finish(&mut self) {
        for link in std::mem::take(&mut self.links) {
            let name = link.name.to_lowercase();
            let is_target = !link.is_heading && self.targets.contains(&name);
            if is_target || self.headings.contains(&name) {
                self.writer.refer_to_title(&link.name, link.target);
            // An included document may define the target, so nothing is said of it.
            } else if !self.is_open {
                self.writer.refer(&link.name, Scope::Document, link.whole);
            }
        }
    }

    pub(super) fn define(&mut self, name: &str, span: Span) {
        self.targets.insert(name.to_lowercase());
        self.writer.define(NameSpace::Anchor, name, span);
    }
}
