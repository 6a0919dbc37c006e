//! Reads the keys and values of YAML, line by line.

use std::ops::ControlFlow;

use memchr::memchr;

use super::flow::{is_flow, string_end};
use crate::document::json::lexer::unescape;
use crate::document::keys::role_of_key;
use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter};
use crate::document::{EventSink, Place, Role, Source};
use crate::offset_map::DerivedText;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy, span_within};
use crate::span::Span;
use crate::work_counter;

/// Deeper keys have the path of the keys above.
const MAX_DEPTH: usize = 32;
/// Longest key.
pub(super) const MAX_KEY_BYTES: usize = 256;

/// A key or an item that holds deeper lines.
struct OpenLevel {
    indent: usize,
    name: String,
    /// Number of the item, for a list.
    item: Option<u64>,
}

impl OpenLevel {
    pub fn key(indent: usize, name: String) -> Self {
        Self { indent, name, item: None }
    }

    /// Returns the first item of a list.
    pub fn item(indent: usize) -> Self {
        Self { indent, name: "0".to_owned(), item: Some(0) }
    }

    /// Goes on to the next item.
    pub fn count(&mut self) {
        if let Some(item) = &mut self.item {
            *item += 1;
            self.name = item.to_string();
        }
    }
}

pub(super) struct YamlReader<'d, 's> {
    pub(super) writer: PartWriter<'d, 's>,
    pub(super) bytes: &'d [u8],
    levels: Vec<OpenLevel>,
    /// True once the last key or item has a value. What follows in deeper lines goes on with it.
    has_value: bool,
    at: usize,
}

impl<'d, 's> YamlReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown);
        Self { writer, bytes: source.bytes, levels: Vec::new(), has_value: false, at: 0 }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            self.at = line.next;
            let text = self.writer.at(line.span());
            match text {
                [] => {}
                [b'#', ..] => {
                    self.flush(line.start)?;
                    self.writer.emit_to(line.end, Role::Comment)?;
                }
                // Another document starts, and its keys are not below the last one (YAML 1.2
                // §9.1.2).
                [b'-', b'-', b'-', ..] if line.indent() == 0 => {
                    self.flush(line.start)?;
                    self.levels.clear();
                    self.has_value = false;
                }
                _ => self.entry(line)?,
            }
        }
        self.flush(self.bytes.len())
    }

    /// Emits the rest, such as the end of a value, in the place of the last key.
    fn flush(&mut self, end: usize) -> ControlFlow<()> {
        // The items of `urls` are links, as its value would be.
        let key = self.levels.iter().rev().find(|level| level.item.is_none());
        let role = key.map_or(Role::Text, |level| role_of_key(&level.name));
        self.marked_value(end)?;
        self.writer.emit_to(end, role)
    }

    /// Reads the value up to `end` in its markup, if it has one.
    fn marked_value(&mut self, end: usize) -> ControlFlow<()> {
        let rest = self.bytes.clamped(..end);
        let value = rest.clamped(self.writer.done()..).trim_ascii();
        let Some(span) = span_within(value, rest) else { return ControlFlow::Continue(()) };
        let inside =
            Span::new(span.start() + 1, span.end().saturating_sub(1).max(span.start() + 1));
        let is_read = match value {
            [b'"', .., b'"'] => self.writer.marked_value(inside, unescape)?,
            [b'\'', .., b'\''] => self.writer.marked_value(inside, unescape_doubled)?,
            [_, ..] => self.writer.marked_value(span, unindented)?,
            [] => false,
        };
        if is_read { self.writer.markup(span.end()) } else { ControlFlow::Continue(()) }
    }

    /// Reads `- key: value` and its variants.
    fn entry(&mut self, line: TextLine) -> ControlFlow<()> {
        let mut start = line.text;
        loop {
            let rest = self.bytes.part(start..line.end);
            let is_item = matches!(rest, [b'-', b' ' | b'\t', ..] | [b'-']);
            let indent = start - line.start;
            if !is_item {
                break;
            }
            self.flush(start)?;
            // An item that is indented as deep is the one before in the same list, which is counted
            // on.
            self.leave(indent + 1);
            match self.levels.last_mut() {
                Some(item @ OpenLevel { item: Some(_), .. }) if item.indent == indent => {
                    item.count()
                }
                _ => self.enter(OpenLevel::item(indent)),
            }
            self.has_value = false;
            self.place();
            self.writer.markup(start + 1)?;
            start += 1 + self.bytes.part(start + 1..line.end).leading(|byte| byte == b' ');
        }
        let rest = self.bytes.part(start..line.end);
        let indent = start - line.start;
        if let [b'?', b' ' | b'\t', key @ ..] = rest {
            return self.long_key(line, key, indent);
        }
        // The value of a long key.
        if let [b':', b' ' | b'\t', ..] = rest {
            self.flush(start)?;
            self.writer.markup(start + 1)?;
            return self.value(line, start + 1, indent);
        }
        let properties = properties_length(rest);
        let Some(length) = key_length(rest.clamped(properties..)) else {
            // Such a line goes on with the value above, or with that of a key further left.
            if self.levels.last().is_some_and(|level| level.indent >= indent) {
                self.flush(start)?;
                self.leave(indent);
                self.place();
            }
            return self.value(line, start, indent);
        };
        let length = properties + length;
        let key = plain_key(rest.clamped(properties..length));
        self.flush(start)?;
        self.leave(indent);
        self.enter(OpenLevel::key(indent, key));
        self.has_value = false;
        self.place();
        // A key may be a URI.
        self.writer.markup(start + length + 1)?;
        self.value(line, start + length + 1, indent)
    }

    /// Reads `? key`, whose value follows in a line that starts with a colon (YAML 1.2 §8.2.2).
    fn long_key(&mut self, line: TextLine, key: &[u8], indent: usize) -> ControlFlow<()> {
        let key = key.clamped(properties_length(key)..).clamped(..MAX_KEY_BYTES).trim_ascii();
        let name = plain_key(key);
        self.flush(line.start + indent)?;
        self.leave(indent);
        self.enter(OpenLevel::key(indent, name));
        self.has_value = false;
        self.place();
        self.writer.markup(line.end)?;
        if is_block_header(key) {
            self.block(indent);
        }
        ControlFlow::Continue(())
    }

    /// Reads the value that starts in a line: its brackets, its comment, or the lines of a block.
    fn value(&mut self, line: TextLine, start: usize, indent: usize) -> ControlFlow<()> {
        let (mut line, mut start) = (line, start.min(line.end));
        let text = self.bytes.part(start..line.end);
        let blanks = text.leading(|byte| matches!(byte, b' ' | b'\t'));
        let before = blanks + properties_length(text.clamped(blanks..));
        let goes_on = self.has_value;
        self.has_value |= before < text.len();
        let limit = self.levels.last().map(|level| level.indent);
        let end = match text.clamped(before..) {
            _ if goes_on => None,
            value if is_flow(value) => {
                self.writer.markup(start + before)?;
                Some(self.flow(start + before, limit)?)
            }
            // Its lines may look like keys and comments.
            [b'"' | b'\'', ..] => Some(string_end(self.bytes, start + before, limit)),
            _ => None,
        };
        if let Some(end) = end {
            start = end;
            line = TextLine::at(self.bytes, end);
            self.at = line.next.max(self.at);
        }
        let text = self.bytes.part(start.min(line.end)..line.end);
        let comment = comment_start(text);
        let value = text.clamped(..comment.unwrap_or(text.len())).trim_ascii();
        let is_block = !goes_on && is_block_header(value);
        if is_block {
            // Only the lines below are the value.
            self.writer
                .markup(start + text.leading(|byte| byte.is_ascii_whitespace()) + value.len())?;
        }
        if let Some(comment) = comment {
            self.flush(start + comment)?;
            self.writer.emit_to(line.end, Role::Comment)?;
        }
        if is_block {
            self.block(indent);
        }
        ControlFlow::Continue(())
    }

    /// Skips the lines of a block scalar, which are emitted with the value.
    fn block(&mut self, indent: usize) {
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            if !line.is_blank() && line.indent() <= indent {
                break;
            }
            self.at = line.next;
        }
    }

    /// Leaves keys and items that are indented as deep, or deeper.
    fn leave(&mut self, indent: usize) {
        while self.levels.last().is_some_and(|level| level.indent >= indent) {
            self.levels.pop();
        }
    }

    fn enter(&mut self, level: OpenLevel) {
        if self.levels.len() < MAX_DEPTH {
            self.levels.push(level);
        }
    }

    pub(super) fn place(&mut self) {
        let path = self.path();
        self.writer.set_place(Some(Place::Key(path.into())));
    }

    /// Returns the path of the current value.
    pub(super) fn path(&self) -> String {
        let names: Vec<&str> = self.levels.iter().map(|level| level.name.as_str()).collect();
        names.join(".")
    }
}

/// Appends the text between single quotes, in which one is doubled (YAML 1.2 §7.3.2).
fn unescape_doubled(text: &[u8], at: usize, piece: &mut DerivedText) {
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(text.clamped(from..), b"''") {
        piece.copy(text.clamped(from..=from + found), at + from);
        from += found + 2;
    }
    piece.copy(text.clamped(from..), at + from);
}

/// Appends the lines of a block or plain value without the indentation of the first one after it
/// starts: in Markdown, it would make code of them (YAML 1.2 §8.1).
fn unindented(text: &[u8], at: usize, piece: &mut DerivedText) {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next().unwrap_or_default();
    piece.copy(first, at);
    let mut start = first.len();
    // The first line is trimmed, so the others say how deep the value is.
    let indent = |line: &[u8]| line.leading(|byte| byte == b' ');
    let filled = lines.clone().filter(|line| !line.trim_ascii().is_empty());
    let common = filled.map(indent).min().unwrap_or_default();
    for line in lines {
        let blanks = common.min(indent(line));
        piece.copy(line.clamped(blanks..), at + start + blanks);
        start += line.len();
    }
}

/// Returns a key without quotation marks.
pub(super) fn plain_key(key: &[u8]) -> String {
    lossy(key).trim().trim_matches(['"', '\'']).to_owned()
}

/// Returns the length of the tag and the anchor before a key or value: `!!str &a ` (YAML 1.2 §6.9).
fn properties_length(text: &[u8]) -> usize {
    let mut length = 0;
    // There is at most one of each.
    for _ in 0..2 {
        let rest = text.clamped(length..);
        let word = rest.leading(|byte| !byte.is_ascii_whitespace());
        let blanks = rest.clamped(word..).leading(|byte| matches!(byte, b' ' | b'\t'));
        if matches!(rest.first(), Some(b'!' | b'&')) && blanks > 0 {
            length += word + blanks;
        }
    }
    length
}

/// Returns the length of a key, up to its colon.
fn key_length(text: &[u8]) -> Option<usize> {
    let whole = text;
    let text = text.clamped(..MAX_KEY_BYTES);
    work_counter::add(text.len());
    let (start, quote) = match text.first()? {
        &quote @ (b'"' | b'\'') => (1 + memchr(quote, text.clamped(1..))? + 1, true),
        // These indicators start no plain key (YAML 1.2 §7.3.3).
        b'{' | b'[' | b'|' | b'>' | b'#' | b'@' | b'`' => return None,
        _ => (0, false),
    };
    let mut rest = text.clamped(start..);
    // A mark after white space starts a comment (YAML 1.2 §6.6).
    if !quote && let Some(comment) = memchr::memmem::find(rest, b" #") {
        rest = rest.clamped(..comment);
    }
    // A colon ends a key only before white space, so the key of `http://a.example: 1` is a URI.
    let colon = memchr::memchr_iter(b':', rest)
        // In all of the line: a colon at the bound may be that of `https:`.
        .find(|&at| whole.get(start + at + 1).is_none_or(u8::is_ascii_whitespace))?;
    let is_near = !quote || rest.clamped(..colon).iter().all(u8::is_ascii_whitespace);
    (is_near && start + colon > 0).then_some(start + colon)
}

/// True for the header of a block scalar: `|`, `>-`, `|2+`, with at most two characters for its
/// indentation and its last line ends (YAML 1.2 §8.1.1). A longer text is a plain value.
fn is_block_header(text: &[u8]) -> bool {
    match text {
        [b'|' | b'>', signs @ ..] => {
            signs.len() <= 2 && signs.iter().all(|b| b.is_ascii_digit() || b"+-".contains(b))
        }
        _ => false,
    }
}

/// Returns the start of the comment in a value.
fn comment_start(text: &[u8]) -> Option<usize> {
    let mut marks = memchr::memchr_iter(b'#', text);
    // Behind another character, the mark belongs to the value: `https://a.example/#top` (YAML 1.2
    // §6.6).
    marks.find(|&at| at == 0 || text.get(at - 1).is_some_and(u8::is_ascii_whitespace))
}
