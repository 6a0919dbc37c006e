//! Reads the blocks of AsciiDoc, line by line.

use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use super::attributes::Attributes;
use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter, assume};
use crate::document::{EventSink, Role, Scope, Source, html};
use crate::hash::HashSet;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

/// Styles of a block whose content is verbatim.
const VERBATIM_STYLES: [&[u8]; 10] = [
    b"source",
    b"listing",
    b"literal",
    b"stem",
    b"latexmath",
    b"asciimath",
    b"mermaid",
    b"plantuml",
    b"ditaa",
    b"graphviz",
];

/// A reference to a title or an id, checked at the end.
pub(super) struct TitleReference {
    pub title: String,
    /// Span of the title.
    pub target: Span,
    pub whole: Span,
}

pub(super) struct AsciiDocReader<'d, 's> {
    pub(super) writer: PartWriter<'d, 's>,
    pub(super) bytes: &'d [u8],
    pub(super) attributes: Attributes,
    /// Texts of titles, for references by title.
    titles: HashSet<String>,
    pub(super) references: Vec<TitleReference>,
    /// The delimiter of the table that the next line is in.
    table: Option<&'d [u8]>,
    /// True if a column of it holds blocks.
    has_block_cells: bool,
    at: usize,
}

impl<'d, 's> AsciiDocReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        Self {
            writer: PartWriter::new(source, sink, BareUris::Linked),
            bytes: source.bytes,
            attributes: Attributes::new(source.bytes.len()),
            titles: HashSet::default(),
            references: Vec::new(),
            table: None,
            has_block_cells: false,
            at: 0,
        }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        let (mut is_after_blank, mut is_verbatim) = (true, false);
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            self.at = line.next;
            if line.is_blank() {
                (is_after_blank, is_verbatim) = (true, false);
                continue;
            }
            let text = self.bytes.part(line.start..line.end);
            if is_style(text) {
                is_verbatim |= has_verbatim_style(text);
                // The tables in a cell have other delimiters, and end within it.
                if self.table.is_none() {
                    self.has_block_cells = has_block_column(text);
                }
                self.block_attributes(line)?;
                continue;
            }
            if is_table_delimiter(text) {
                self.table = match self.table {
                    Some(table) if table == text => None,
                    table => table.or(Some(text)),
                };
            }
            if let Some(block) = self.block(text, is_verbatim) {
                self.delimited(text, line.next, block)?;
            } else if let Some((delimiter, block)) = self.block_of_cell(text) {
                self.delimited(delimiter, line.next, block)?;
            } else if is_verbatim || is_after_blank && is_literal(text) {
                self.paragraph_of_code(line)?;
            } else if !self.macro_of_cell(line, text)? && !self.line(line, text)? {
                self.paragraph(line)?;
            }
            (is_after_blank, is_verbatim) = (false, false);
        }
        self.finish();
        self.writer.prose(self.bytes.len())
    }

    /// Returns the content of the delimited block that a line starts.
    fn block(&self, text: &[u8], is_verbatim: bool) -> Option<DelimitedBlock> {
        let &mark = text.first()?;
        let length = text.leading(|byte| byte == mark);
        let is_only = length == text.len();
        match mark {
            b'/' if is_only && length >= 4 => Some(DelimitedBlock::Comment),
            b'-' | b'.' if is_only && length >= 4 => Some(DelimitedBlock::Code),
            b'+' if is_only && length >= 4 => Some(DelimitedBlock::Html),
            // Asciidoctor reads the fences of Markdown, too. As in CommonMark §4.5, no backtick
            // follows the opening ones: that is code in a line.
            b'`' if length == 3 && !text.clamped(3..).contains(&b'`') => Some(DelimitedBlock::Code),
            // The style of an open block says what it contains. So do an example, a sidebar, and a
            // quotation, which are text without one.
            b'-' if is_only && length == 2 && is_verbatim => Some(DelimitedBlock::Code),
            b'=' | b'*' | b'_' if is_only && length >= 4 && is_verbatim => {
                Some(DelimitedBlock::Code)
            }
            _ => None,
        }
    }

    /// Returns the block that a line with the start of a cell opens, and its delimiter: `| ----` in
    /// a column of blocks (`cols="3a"`), and `a| ----` in any.
    fn block_of_cell<'t>(&self, text: &'t [u8]) -> Option<(&'t [u8], DelimitedBlock)> {
        let inside = text.clamped(self.cell_of_blocks(text)?..).trim_ascii();
        Some((inside, self.block(inside, false)?))
    }

    /// Returns the offset at which the content of a cell with blocks starts in a line:
    /// `a|image::a.png[]`.
    fn cell_of_blocks(&self, text: &[u8]) -> Option<usize> {
        let table = self.table?;
        let mark = *table.first()?;
        // A specifier is short: `2.3+^.>a|` (AsciiDoc, "Cell specifiers").
        const MAX_BYTES: usize = 16;
        let at = memchr(mark, text.clamped(..MAX_BYTES.min(text.len())))?;
        let specifier = text.clamped(..at);
        let is_specifier = specifier.iter().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".+*<^>".contains(byte)
        });
        let holds_blocks = specifier.ends_with(b"a")
            || self.has_block_cells && !specifier.ends_with(b"l") && !specifier.ends_with(b"m");
        let blanks = text.clamped(at + 1..).leading(|byte| byte == b' ');
        (is_specifier && holds_blocks).then_some(at + 1 + blanks)
    }

    /// Reads the block macro that a cell consists of.
    fn macro_of_cell(&mut self, line: TextLine, text: &[u8]) -> ControlFlow<(), bool> {
        let Some(at) = self.cell_of_blocks(text).filter(|&at| is_block_macro(text.clamped(at..)))
        else {
            return ControlFlow::Continue(false);
        };
        self.block_macro(TextLine { start: line.start + at, ..line }, text.clamped(at..))
    }

    /// Reads a block from `start` up to the line that equals its first one, to the end of its
    /// table, or to that of the document.
    fn delimited(
        &mut self,
        delimiter: &[u8],
        start: usize,
        block: DelimitedBlock,
    ) -> ControlFlow<()> {
        // The closing fence has no language.
        let delimiter = if delimiter.starts_with(b"```") { &b"```"[..] } else { delimiter };
        let mut end = self.bytes.len();
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            let text = self.bytes.part(line.start..line.end);
            if text == delimiter {
                (self.at, end) = (line.next, line.start);
                break;
            }
            if self.table == Some(text) {
                end = line.start;
                break;
            }
            self.at = line.next;
        }
        self.writer.prose(start)?;
        match block {
            DelimitedBlock::Comment => self.writer.emit_to(end, Role::Comment),
            DelimitedBlock::Code => self.writer.emit_to(end, Role::Code),
            DelimitedBlock::Html => {
                self.writer.nested(Span::new(start, end.max(start)), html::read)
            }
        }
    }

    /// Reads a paragraph whose text is verbatim.
    fn paragraph_of_code(&mut self, first: TextLine) -> ControlFlow<()> {
        let mut end = first.end;
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            if line.is_blank() {
                break;
            }
            (end, self.at) = (line.end, line.next);
        }
        self.writer.prose(first.start)?;
        self.writer.emit_to(end, Role::Code)
    }

    /// Reads a line that is a block by itself; false if it starts a paragraph.
    fn line(&mut self, line: TextLine, text: &[u8]) -> ControlFlow<(), bool> {
        if text.starts_with(b"//") && !text.starts_with(b"///") {
            self.writer.prose(line.start)?;
            self.writer.emit_to(line.end, Role::Comment)?;
            return ControlFlow::Continue(true);
        }
        if self.entry(line, text)? || self.block_macro(line, text)? {
            return ControlFlow::Continue(true);
        }
        if let Some((level, title)) = title(line, text) {
            self.title(level, title)?;
            return ControlFlow::Continue(true);
        }
        // A title with a line of marks below.
        let below = TextLine::at(self.bytes, line.next);
        if line.indent() == 0 && line.next < self.bytes.len() {
            let marks = self.bytes.part(below.start..below.end);
            let level = marks.first().and_then(|mark| b"=-~^+".iter().position(|it| it == mark));
            let width = lossy(text).chars().count();
            let is_marks = marks.iter().all(|byte| Some(byte) == marks.first());
            if let Some(level) = level
                && is_marks
                && marks.len() > 1
                // Asciidoctor allows a line of marks to be one character shorter or longer than its
                // title. Any other line of hyphens delimits a block.
                && marks.len().abs_diff(width) <= 1
                && text.iter().any(u8::is_ascii_alphanumeric)
            {
                self.at = below.next;
                self.title(level + 1, line.span())?;
                return ControlFlow::Continue(true);
            }
        }
        ControlFlow::Continue(false)
    }

    fn title(&mut self, level: usize, span: Span) -> ControlFlow<()> {
        self.inline(span)?;
        if self.writer.wants_names() {
            let text = plain_title(&lossy(self.writer.at(span)), &self.attributes);
            self.writer.heading(level, &text, span);
            self.titles.insert(text);
        }
        ControlFlow::Continue(())
    }

    /// Reads `:name: value`, which may continue over lines that end in a backslash.
    fn entry(&mut self, line: TextLine, text: &[u8]) -> ControlFlow<(), bool> {
        let Some((name, value)) = text.strip_prefix(b":").and_then(|rest| {
            let length = rest
                .leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'!'));
            let (name, after) = (rest.clamped(..length), rest.clamped(length..));
            let value = after.strip_prefix(b":")?;
            let is_entry = !name.is_empty() && value.first().is_none_or(|&byte| byte == b' ');
            is_entry.then_some((name, value))
        }) else {
            return ControlFlow::Continue(false);
        };
        let mut end = line.end;
        let mut continues = value.ends_with(b" \\");
        while continues && self.at < self.bytes.len() {
            let next = TextLine::at(self.bytes, self.at);
            (end, self.at) = (next.end, next.next);
            continues = self.bytes.part(next.span().range()).ends_with(b" \\");
        }
        match name {
            [b'!', name @ ..] | [name @ .., b'!'] => self.attributes.unset(name),
            // Lines of a longer value would have to be joined first. It is searched, but not
            // inserted.
            name if end == line.end => self.attributes.set(name, value.trim_ascii()),
            _ => {}
        }
        let start = line.end - value.len();
        self.writer.prose(line.start)?;
        self.writer.markup(start)?;
        if has_macro(value) {
            self.inline(Span::new(start, end))?
        } else {
            self.writer.emit_to(end, Role::Metadata)?
        }
        ControlFlow::Continue(true)
    }

    /// Reads `name::target[…]`.
    fn block_macro(&mut self, line: TextLine, text: &[u8]) -> ControlFlow<(), bool> {
        let name = text.leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        let Some(rest) = text.clamped(name..).strip_prefix(b"::") else {
            return ControlFlow::Continue(false);
        };
        let element = match text.clamped(..name) {
            b"image" => "image",
            b"video" | b"audio" => "media",
            b"include" => "include",
            _ => return ControlFlow::Continue(false),
        };
        let Some(open) = memchr(b'[', rest).filter(|&open| open > 0) else {
            return ControlFlow::Continue(false);
        };
        let start = line.start + name + 2;
        self.writer.prose(line.start)?;
        let target = Span::new(start, start + open);
        // `video::ID[youtube]` is the id of a video.
        let attributes = rest.clamped(open + 1..);
        if [&b"youtube"[..], b"vimeo", b"wistia"].iter().any(|it| attributes.starts_with(it)) {
            self.writer.value(target, Role::Attribute, Some(element), None)?;
        } else {
            self.target(target, element)?;
        }
        if element == "image"
            && let Some(length) = memchr::memrchr(b']', attributes)
        {
            let start = target.end() + 1;
            self.link_of_image(Span::new(start, start + length))?;
        }
        // The attributes may hold a link, `link=https://…`.
        self.writer.prose(line.end)?;
        ControlFlow::Continue(true)
    }

    /// Emits a target with its attributes inserted.
    pub(super) fn target(&mut self, span: Span, element: &'static str) -> ControlFlow<(), Span> {
        let Self { writer, bytes, attributes, .. } = self;
        let text = bytes.part(span.range());
        let is_local = memmem::find(text, b"://").is_none() && !text.starts_with(b"/");
        let is_shown = matches!(element, "image" | "media");
        let directory = attributes.get(b"imagesdir").filter(|_| is_local && is_shown);
        let directory = directory.map(|directory| directory.to_vec()).unwrap_or_default();
        writer.link_with(span, element, |piece| {
            // RFC 3986 §4.2: a first segment with a colon would be a scheme.
            if is_resource_id(text) {
                assume(piece, b"./", span.start());
            } else if !directory.is_empty() {
                assume(piece, &directory, span.start());
                if !directory.ends_with(b"/") {
                    assume(piece, b"/", span.start());
                }
            }
            attributes.expand(bytes, span, piece);
        })
    }

    /// Reads `[…]` above a block, which may have an id: `[id=a]`, or `[[a]]` and `[#a]` as in text.
    fn block_attributes(&mut self, line: TextLine) -> ControlFlow<()> {
        let inside = Span::new(line.start + 1, line.end - 1);
        if let Some(id) = id_in(self.writer.at(inside)) {
            let name = lossy(id).trim().trim_matches('"').to_owned();
            self.writer.anchor(&name, inside);
        }
        self.inline(line.span())
    }

    /// Reads lines up to a blank line or one that starts another block.
    fn paragraph(&mut self, first: TextLine) -> ControlFlow<()> {
        let mut end = first.end;
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            let text = self.bytes.part(line.start..line.end);
            let starts_other = line.is_blank()
                || is_style(text)
                || text.starts_with(b"//")
                || text.starts_with(b":")
                || self.block(text, false).is_some()
                || is_table_delimiter(text)
                || self.block_of_cell(text).is_some()
                || self.cell_of_blocks(text).is_some_and(|at| is_block_macro(text.clamped(at..)))
                || is_block_macro(text);
            if starts_other {
                break;
            }
            (end, self.at) = (line.end, line.next);
        }
        self.inline(Span::new(first.start, end))
    }

    /// Reports references to titles.
    fn finish(&mut self) {
        for reference in std::mem::take(&mut self.references) {
            // Asciidoctor compares the titles after it has read their markup.
            let plain = plain_title(&reference.title, &self.attributes);
            if self.titles.contains(&plain) {
                self.writer.refer_to_title(&plain, reference.target);
            } else {
                // Included text may have the title.
                self.writer.refer(&reference.title, Scope::Document, reference.whole);
            }
        }
    }
}

/// True for a line that starts with a block macro, which ends a paragraph.
fn is_block_macro(text: &[u8]) -> bool {
    [&b"include::"[..], b"image::"].iter().any(|name| text.starts_with(name))
}

/// Content of a delimited block that is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DelimitedBlock {
    Comment,
    Code,
    Html,
}

/// True for the first or last line of a table.
fn is_table_delimiter(text: &[u8]) -> bool {
    let marks = text.clamped(1..);
    matches!(text.first(), Some(b'|' | b'!' | b',' | b':'))
        && marks.len() >= 3
        && marks.iter().all(|&byte| byte == b'=')
}

/// True for attributes of a table with a column of blocks: the style `a` in `cols="1,2a"`.
fn has_block_column(text: &[u8]) -> bool {
    let Some(at) = memmem::find(text, b"cols=") else { return false };
    let value = text.clamped(at + b"cols=".len()..);
    let length = match value.first() {
        Some(&quote @ (b'"' | b'\'')) => memchr(quote, value.clamped(1..)).map(|length| length + 1),
        _ => memchr::memchr2(b',', b']', value),
    };
    value.clamped(..length.unwrap_or(value.len())).contains(&b'a')
}

/// True for the value of an attribute with a macro in it, `link:a.html[b]`: it becomes a link where
/// the attribute is used.
fn has_macro(value: &[u8]) -> bool {
    const MACROS: [&[u8]; 4] = [b"link:", b"xref:", b"image:", b"mailto:"];
    value.trim_ascii_end().ends_with(b"]")
        && MACROS.iter().any(|name| memmem::find(value, name).is_some())
}

/// True for `[…]` above a block.
pub(super) fn is_style(text: &[u8]) -> bool {
    text.len() > 2 && text.starts_with(b"[") && text.ends_with(b"]") && {
        // `[1]` and `[link](…)` are text.
        text.get(1).is_some_and(|&byte| {
            byte.is_ascii_alphabetic()
                || matches!(byte, b'[' | b'#' | b'.' | b'%' | b',' | b'"' | b'{')
        }) && !text.clamped(..text.len() - 1).contains(&b']')
            || text.starts_with(b"[[") && text.ends_with(b"]]")
    }
}

fn has_verbatim_style(text: &[u8]) -> bool {
    let inside = text.clamped(1..);
    let style = inside.clamped(..inside.leading(|byte| byte.is_ascii_alphabetic()));
    VERBATIM_STYLES.contains(&style) || inside.starts_with(b",")
}

/// Returns the id in the attributes of a block.
pub(super) fn id_in(text: &[u8]) -> Option<&[u8]> {
    let first = text.clamped(..memchr(b',', text).unwrap_or(text.len()));
    // `[source#id]`; an id at the start is read as in text.
    if let Some(at) = memchr(b'#', first).filter(|&at| at > 0 && !first.contains(&b'=')) {
        let id = first.clamped(at + 1..);
        return Some(id.clamped(..id.leading(|byte| !matches!(byte, b'.' | b'%' | b'#' | b' '))));
    }
    let at = memmem::find(text, b"id=")?;
    let is_start = at.checked_sub(1).is_none_or(|at| matches!(text.get(at), Some(b',' | b' ')));
    let value = text.clamped(at + 3..);
    is_start.then(|| value.clamped(..memchr(b',', value).unwrap_or(value.len())))
}

/// True for an indented line that does not belong to a list.
fn is_literal(text: &[u8]) -> bool {
    if !text.starts_with(b" ") && !text.starts_with(b"\t") {
        return false;
    }
    let text = text.trim_ascii_start();
    let marks = text.leading(|byte| matches!(byte, b'*' | b'-' | b'.'));
    let number = text.leading(|byte| byte.is_ascii_alphanumeric());
    let is_bullet = (1..=5).contains(&marks) && text.get(marks) == Some(&b' ');
    let is_number = (1..4).contains(&number)
        && matches!(text.get(number), Some(b'.' | b')'))
        && text.get(number + 1) == Some(&b' ');
    !is_bullet && !is_number && memmem::find(text, b"::").is_none() && !text.starts_with(b"<")
}

/// Returns the level and the span of a title with marks before it.
fn title(line: TextLine, text: &[u8]) -> Option<(usize, Span)> {
    let &mark = text.first().filter(|mark| matches!(mark, b'=' | b'#'))?;
    let level = text.leading(|byte| byte == mark);
    let is_title = level <= 6 && text.get(level) == Some(&b' ');
    let end = line.end;
    is_title.then(|| (level, Span::new((line.start + level + 1).min(end), end)))
}

/// Returns the text of a title without markup.
pub(super) fn plain_title(title: &str, attributes: &Attributes) -> String {
    let mut text = title.trim();
    // Anchors may precede the text: `[[a]]Title`, `[#a]`.
    while let Some((_, rest)) = text.strip_prefix("[[").and_then(|rest| rest.split_once("]]")) {
        text = rest.trim_start();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        plain.push_str(before);
        let value = after
            .split_once('}')
            .and_then(|(name, after)| Some((attributes.get(name.as_bytes())?, after)));
        match value {
            Some((value, after)) => {
                plain.push_str(&lossy(value));
                rest = after;
            }
            None => {
                plain.push('{');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    let mut plain = without_references(&plain);
    plain.retain(|c| !matches!(c, '`' | '*'));
    unquoted(&plain)
}

/// Returns the text with the labels of `<<id,label>>` in place of cross-references. The text of
/// `<<id>>` is the title of what it names, and not its id.
fn without_references(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<<")
        && let Some((reference, after)) = after.split_once(">>")
    {
        plain.push_str(before);
        plain.push_str(reference.split_once(',').map_or("", |(_, label)| label.trim()));
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// Returns the text without underscores around words, which mark emphasis.
fn unquoted(text: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut plain = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '_' || is_word(before) && is_word(rest.peek().copied()) {
            plain.push(c);
        }
        before = Some(c);
    }
    plain
}

/// True for a resource id of Antora: `module:page.adoc`, `2.0@component::page.adoc`,
/// `partial$a.adoc`.
pub(super) fn is_resource_id(target: &[u8]) -> bool {
    let path = target.clamped(..memchr(b'#', target).unwrap_or(target.len()));
    let is_uri = memmem::find(path, b"://").is_some()
        || [&b"mailto:"[..], b"data:", b"tel:"].iter().any(|it| path.starts_with(it));
    let is_windows = matches!(path, [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic());
    !is_uri && !is_windows && path.iter().any(|byte| matches!(byte, b':' | b'$' | b'@'))
}
