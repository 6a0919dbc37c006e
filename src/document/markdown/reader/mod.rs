//! Turns events of the parser into parts of the document.

mod gaps;
mod insert;
mod links;
mod roles;

use std::collections::VecDeque;
use std::ops::ControlFlow;

use links::OpenMarkdownLink;
use memchr::memchr;
use pulldown_cmark::{CodeBlockKind, Event, LinkType, RefDefs, Tag, TagEnd};

use super::decode::{self, Break, TextPlace};
use super::marks::{Noted, UndefinedReference};
use super::prepare::Prepared;
use super::unseen::{self, Unseen};
use crate::delimit::angle_placeholder;
use crate::document::{
    self, CodeParts, Content, EventSink, LinkOrigin, NameSpace, Part, Role, Source, TextParts,
    Wants, html, rst,
};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::SliceExt as _;
use crate::span::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    Text,
    Code,
    Html,
    /// reStructuredText, in the directive `{eval-rst}`.
    Rst,
}

pub(super) struct MarkdownReader<'p, 's> {
    source: Source<'p>,
    prepared: &'p Prepared<'p>,
    bytes: &'p [u8],
    sink: &'s mut dyn EventSink,
    wants: Wants,
    /// Everything before this offset has been emitted or is in `text`.
    at: usize,
    text: DerivedText,
    block: BlockKind,
    /// True after the first inline content of a block or line; bytes before it belong to
    /// containers.
    inside_line: bool,
    place: TextPlace,
    /// Buffer for texts that are emitted as a whole.
    piece: DerivedText,
    open: Vec<OpenMarkdownLink<'p>>,
    /// Number of open links around the current text.
    labels: usize,
    noted: Noted,
    /// Spans that the parser has no event for, the next one last.
    unseen: Vec<Unseen>,
    /// True for a code block in which the sink can find nothing.
    is_code_skipped: bool,
}

impl<'p, 's> MarkdownReader<'p, 's> {
    pub fn new(
        source: Source<'p>,
        prepared: &'p Prepared<'p>,
        sink: &'s mut dyn EventSink,
    ) -> Self {
        let mut unseen = unseen::spans(&prepared.bytes, sink.wants().events);
        unseen.reverse();
        Self {
            source,
            prepared,
            bytes: &prepared.bytes,
            wants: sink.wants(),
            sink,
            at: 0,
            text: DerivedText::default(),
            block: BlockKind::Text,
            inside_line: false,
            place: TextPlace::Other,
            piece: DerivedText::default(),
            open: Vec::new(),
            labels: 0,
            noted: Noted::default(),
            unseen,
            is_code_skipped: false,
        }
    }

    /// Emits the front matter and moves to the start of the Markdown.
    pub fn front_matter(&mut self) -> ControlFlow<()> {
        self.at = self.prepared.span(0..0).start();
        match self.prepared.front {
            Some(span) => self.whole(span, Role::Metadata),
            None => ControlFlow::Continue(()),
        }
    }

    /// Handles the next event; `span` is its range in the document.
    pub fn event(&mut self, event: Event<'p>, span: Span) -> ControlFlow<()> {
        match event {
            Event::Start(_) => {}
            Event::InlineHtml(_) if self.is_of_shortcode(span) => self.unseen(span.end())?,
            // What looks like such a span in code or a tag is an example.
            Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::InlineHtml(_) => {
                self.unseen(span.start())?;
                self.skip_unseen(span.end());
            }
            _ => self.unseen(span.end())?,
        }
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.end(tag, span),
            Event::Text(text) | Event::Html(text) => self.leaf(&text, span),
            Event::SoftBreak | Event::HardBreak => self.line_break(span),
            Event::Code(text) => {
                self.plain(&text);
                self.code(span, b'`', Break::Space)
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.plain(&text);
                self.code(span, b'$', Break::Line)
            }
            Event::InlineHtml(_) if self.is_placeholder(span) || self.is_of_shortcode(span) => {
                self.between(span.start())?;
                self.copy(span.end());
                self.inside_line = true;
                ControlFlow::Continue(())
            }
            Event::InlineHtml(_) => {
                self.cut(span.start())?;
                self.block = BlockKind::Html;
                let inside = Span::new(span.start().max(self.at), span.end());
                decode::code(self.bytes, inside, Break::Line, self.place, &mut self.text);
                self.resume(span.end())
            }
            Event::FootnoteReference(_) | Event::Rule => {
                self.cut(span.start())?;
                self.copy(span.end());
                self.resume(span.end())
            }
            Event::TaskListMarker(_) => {
                self.cut(span.start())?;
                self.resume(span.end())
            }
        }
    }

    /// True for `<img src="a.png">` in `{{<img src="a.png">}}` of Hugo, which is not an HTML element.
    fn is_of_shortcode(&self, span: Span) -> bool {
        self.bytes.part(..span.start()).ends_with(b"{{")
    }

    /// True for `<name>` directly after a word, as in `http://a.example/<name>`. It is not an
    /// element of HTML, and the rules of text say what it means (D4.8).
    fn is_placeholder(&self, span: Span) -> bool {
        let before = self.bytes.part(..span.start()).last();
        before.is_some_and(|byte| byte.is_ascii_graphic() && !b">)]".contains(byte))
            && angle_placeholder(self.bytes.part(span.range()))
    }

    /// Emits the undefined references that end at or before `at` of the parser's text, where an
    /// event starts. The parser reports those of a block before the events of the block.
    ///
    /// A link that starts there drops the reference whose label it is: in `[][a](b)`, the link
    /// `[a](b)` wins at its `]` (CommonMark, "Phase 2: inline structure").
    pub fn undefined(
        &mut self,
        undefined: &mut VecDeque<UndefinedReference>,
        at: usize,
        is_link: bool,
    ) {
        while let Some(reference) = undefined.front().filter(|it| it.end() <= at) {
            if reference.is_shortcut() {
                self.noted.shortcuts.extend(undefined.pop_front());
                continue;
            }
            reference.emit(self.prepared, &self.source, self.sink);
            undefined.pop_front();
        }
        // No bracket is inside of a label, so the references after the first one end after the link
        // has started.
        if is_link && undefined.front().is_some_and(|it| it.label_start() == Some(at)) {
            undefined.pop_front();
        }
    }

    /// Emits the rest of the document, and marks that had to wait for its end.
    pub fn finish(&mut self, definitions: &RefDefs<'_>) -> ControlFlow<()> {
        self.flush()?;
        self.inside_line = false;
        self.unseen(self.bytes.len())?;
        self.between(self.bytes.len())?;
        self.flush()?;
        self.noted.emit(definitions, self.prepared, &self.source, self.sink);
        ControlFlow::Continue(())
    }

    fn start(&mut self, tag: Tag<'p>, span: Span) -> ControlFlow<()> {
        match tag {
            Tag::Link { link_type, dest_url, id, .. } => match link_type {
                LinkType::Autolink | LinkType::Email => self.autolink(link_type, span),
                kind => self.open(kind, "link", dest_url, id, span),
            },
            Tag::Image { link_type, dest_url, id, .. } => {
                self.open(link_type, "image", dest_url, id, span)
            }
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript => {
                self.between(span.start())?;
                self.inside_line = true;
                ControlFlow::Continue(())
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => {
                self.skip_unseen(span.end());
                self.code_block(span)
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) if info.starts_with("{eval-rst}") => {
                self.block(BlockKind::Rst, span)
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) if is_raw_html(&info) => {
                self.block(BlockKind::Html, span)
            }
            // Quarto leaves shortcodes in such code as they are (Quarto, "Shortcodes", "Escaping").
            Tag::CodeBlock(CodeBlockKind::Fenced(info))
                if info.contains("shortcodes=\"false\"") =>
            {
                self.unseen(span.start())?;
                self.skip_unseen(span.end());
                self.code_block(span)
            }
            Tag::CodeBlock(_) => self.code_block(span),
            Tag::HtmlBlock => self.block(BlockKind::Html, span),
            Tag::Heading { id, .. } => {
                self.block(BlockKind::Text, span)?;
                if self.wants.all_events() {
                    self.noted.heading.clear();
                    self.noted.is_heading_open = true;
                    if let Some(id) = id {
                        self.anchor(&id, span);
                    }
                }
                ControlFlow::Continue(())
            }
            Tag::Table(_) => {
                self.block(BlockKind::Text, span)?;
                self.place = TextPlace::Cell;
                ControlFlow::Continue(())
            }
            _ => self.block(BlockKind::Text, span),
        }
    }

    fn end(&mut self, tag: TagEnd, span: Span) -> ControlFlow<()> {
        match tag {
            TagEnd::Link | TagEnd::Image => return self.close(span),
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript => return self.between(span.end()),
            // The gap holds the closing fence.
            TagEnd::CodeBlock | TagEnd::HtmlBlock => self.between(span.end())?,
            TagEnd::Table => self.place = TextPlace::Other,
            _ => {}
        }
        self.flush()?;
        self.block = BlockKind::Text;
        self.inside_line = false;
        if let TagEnd::Heading(level) = tag
            && self.noted.is_heading_open
        {
            self.noted.is_heading_open = false;
            self.sink.note(&document::Event::Heading {
                level: level as u8,
                text: &self.noted.heading,
                span: self.source.span(span),
            });
        }
        ControlFlow::Continue(())
    }

    /// Starts a block, which ends the pending text.
    fn block(&mut self, block: BlockKind, span: Span) -> ControlFlow<()> {
        self.flush()?;
        self.inside_line = false;
        self.unseen(span.start())?;
        self.between(span.start())?;
        self.block = block;
        ControlFlow::Continue(())
    }

    fn code_block(&mut self, span: Span) -> ControlFlow<()> {
        self.block(BlockKind::Code, span)?;
        // Most code holds no URI, and every line of it is an event.
        self.is_code_skipped =
            self.wants.code == CodeParts::Skipped || !self.is_wanted(self.bytes.part(span.range()));
        ControlFlow::Continue(())
    }

    /// True if the sink wants this text, which is not only markup.
    fn is_wanted(&self, text: &[u8]) -> bool {
        let may_match = match self.wants.text {
            TextParts::All => true,
            TextParts::WithColon => memchr(b':', text).is_some(),
        };
        may_match && has_letters(text)
    }

    /// Handles text, or a line of code or HTML.
    fn leaf(&mut self, text: &str, span: Span) -> ControlFlow<()> {
        if self.block == BlockKind::Code && self.is_code_skipped {
            self.inside_line = true;
            self.at = self.at.max(span.end());
            return ControlFlow::Continue(());
        }
        let first = self.bytes.get(span.start());
        let mut start = span.start();
        if self.block == BlockKind::Text && first.is_some_and(u8::is_ascii_punctuation) {
            // Backslashes before punctuation that are in no event are an escape (CommonMark §2.4).
            let before = self.bytes.clamped(self.at..start);
            start -= before.iter().rev().take_while(|&&b| b == b'\\').count();
        }
        self.between(start)?;
        self.plain(text);
        self.inside_line = true;
        if span.end() <= self.at || span.is_empty() {
            return ControlFlow::Continue(());
        }
        if self.at < span.start() {
            let escape = Span::new(self.at, span.start() + 1);
            let escaped = self.bytes.get(span.start()..=span.start());
            let escaped = escaped.unwrap_or_default();
            self.text.replace(escaped, escape, RunOrigin::Decoded);
            self.at = escape.end();
        }
        // If the parser changed nothing, copy, so that the map has one run. Otherwise the whole
        // event maps to the whole range.
        let stands = self.prepared.text.get(self.at..span.end());
        if stands.is_some_and(|stands| text.ends_with(stands)) {
            self.copy(span.end());
        } else {
            let of = Span::new(self.at, span.end());
            self.text.replace(text.as_bytes(), of, RunOrigin::Decoded);
            self.at = span.end();
        }
        ControlFlow::Continue(())
    }

    fn line_break(&mut self, span: Span) -> ControlFlow<()> {
        self.between(span.start())?;
        self.plain("\n");
        if self.bytes.get(span.range()) == Some(b"\n") {
            self.text.copy(b"\n", span.start());
        } else {
            self.text.replace(b"\n", span, RunOrigin::Decoded);
        }
        self.at = self.at.max(span.end());
        self.inside_line = false;
        ControlFlow::Continue(())
    }

    /// Handles a code span or formula enclosed in runs of `mark`.
    fn code(&mut self, span: Span, mark: u8, lines: Break) -> ControlFlow<()> {
        self.cut(span.start())?;
        let whole = self.bytes.part(span.range());
        let run = whole.iter().take_while(|&&b| b == mark).count();
        let run = if 2 * run <= whole.len() { run } else { 0 };
        let mut inner = Span::new(span.start() + run, span.end() - run);
        let content = self.bytes.part(inner.range());
        // One space on each side is not part of the code (CommonMark §6.1).
        if mark == b'`'
            && let [b' ', .., b' '] = content
            && content.iter().any(|&b| b != b' ')
        {
            inner = Span::new(inner.start() + 1, inner.end() - 1);
        }
        if mark == b'`' && self.role(span, inner)? {
            return self.resume(span.end());
        }
        // Nothing in code is decoded, so a colon of its text is one of the source.
        if self.wants.code == CodeParts::Skipped || !self.is_wanted(content) {
            return self.resume(span.end());
        }
        self.piece.clear();
        decode::code(self.bytes, inner, lines, self.place, &mut self.piece);
        self.emit(Role::Code, Content::Text, None, None)?;
        self.resume(span.end())
    }

    /// Ends the pending text at `to`, where something separate starts.
    fn cut(&mut self, to: usize) -> ControlFlow<()> {
        self.between(to)?;
        self.flush()
    }

    /// Continues with the text at `at`.
    fn resume(&mut self, at: usize) -> ControlFlow<()> {
        let given = self.flush();
        self.at = self.at.max(at);
        self.block = BlockKind::Text;
        self.inside_line = true;
        given
    }

    /// Appends the bytes up to `to` to the pending text.
    fn copy(&mut self, to: usize) {
        let bytes = self.bytes.clamped(self.at..to);
        self.text.copy(bytes, self.at);
        self.at = self.at.max(to);
    }

    fn plain(&mut self, text: &str) {
        if self.wants.all_events() && self.block == BlockKind::Text {
            if !self.open.is_empty() {
                self.noted.label.push_str(text);
            }
            if self.noted.is_heading_open && self.open.iter().all(|open| open.element != "image") {
                self.noted.heading.push_str(text);
            }
        }
    }

    /// Handles `{#id}` of a heading.
    fn anchor(&mut self, id: &str, span: Span) {
        let text = self.prepared.text.part(span.range());
        let open = text.rfind('{').unwrap_or(0);
        let attributes = text.clamped(open..);
        let at = attributes.match_indices('#').map(|(at, _)| open + at + 1);
        let mut found = at.filter(|&at| text.get(at..).is_some_and(|rest| rest.starts_with(id)));
        if let Some(at) = found.next_back() {
            let start = span.start() + at;
            self.sink.note(&document::Event::Define {
                space: NameSpace::Anchor,
                name: id,
                span: self.source.span(Span::new(start, start + id.len())),
            });
        }
    }

    fn flush(&mut self) -> ControlFlow<()> {
        if self.text.text().is_empty() {
            return ControlFlow::Continue(());
        }
        let layers = self.source.layers(self.text.map());
        let role = match self.block {
            BlockKind::Html => {
                let given = html::read(Source::inside(self.text.text(), &layers), self.sink);
                self.text.clear();
                return given;
            }
            BlockKind::Rst => {
                let given = rst::read(Source::inside(self.text.text(), &layers), self.sink);
                self.text.clear();
                return given;
            }
            BlockKind::Text => Role::Text,
            BlockKind::Code => Role::Code,
        };
        // Within a link's text, bare URIs are not links of their own.
        let content = match role {
            Role::Text if self.labels == 0 => Content::Autolinks,
            _ => Content::Text,
        };
        let given = if self.is_wanted(self.text.text()) {
            let text = Part::of_text(self.text.text(), layers, role);
            self.sink.part(&Part { content, ..text })
        } else {
            ControlFlow::Continue(())
        };
        self.text.clear();
        given
    }

    fn emit(
        &mut self,
        role: Role,
        content: Content,
        element: Option<&str>,
        attribute: Option<&str>,
    ) -> ControlFlow<()> {
        if content == Content::Text && !self.is_wanted(self.piece.text()) {
            return ControlFlow::Continue(());
        }
        let source = self.source.layers(self.piece.map());
        let text = Part::of_text(self.piece.text(), source, role);
        self.sink.part(&Part { content, element, attribute, ..text })
    }

    /// Emits a reference, which may be empty.
    fn emit_destination(&mut self, element: Option<&str>, origin: LinkOrigin) -> ControlFlow<()> {
        let source = self.source.layers(self.piece.map());
        let text = Part::of_text(self.piece.text(), source, Role::Destination);
        self.sink.part(&Part { content: Content::Reference, element, origin, ..text })
    }

    fn whole(&mut self, span: Span, role: Role) -> ControlFlow<()> {
        self.piece.clear();
        let bytes = self.bytes.part(span.range());
        self.piece.copy(bytes, span.start());
        self.emit(role, Content::Text, None, None)
    }
}

/// True for a block that is copied to the page (Pandoc's manual, "Generic raw attribute"; docutils,
/// "Raw Data Pass-Through", as MyST writes it).
fn is_raw_html(info: &str) -> bool {
    let info = info.trim();
    let format = info.strip_prefix("{raw}").map(str::trim_start);
    matches!(info, "{=html}" | "{=html5}") || format.is_some_and(is_html)
}

/// True if `html` is among these formats.
fn is_html(formats: &str) -> bool {
    formats.split_whitespace().any(|format| format == "html")
}

/// True for text that is not only markup.
fn has_letters(bytes: &[u8]) -> bool {
    let letter = |b: &u8| b.is_ascii_alphabetic() || !b.is_ascii();
    bytes.iter().any(letter)
}
