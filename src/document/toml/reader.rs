//! Reads the keys and values of TOML.

use std::ops::ControlFlow;

use memchr::memmem;

use crate::document::brackets::Brackets;
use crate::document::json::lexer::unescape;
use crate::document::keys::role_of_key;
use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter};
use crate::document::{EventSink, Place, Role, Source};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Longest path of keys.
const MAX_KEY_BYTES: usize = 256;

pub(super) struct TomlReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    table: String,
    at: usize,
}

impl<'d, 's> TomlReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown);
        Self { writer, bytes: source.bytes, table: String::new(), at: 0 }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            let text = self.writer.at(line.span());
            self.at = line.next;
            match text {
                [] => {}
                [b'#', ..] => {
                    self.writer.prose(line.text)?;
                    self.writer.emit_to(line.end, Role::Comment)?;
                }
                [b'[', ..] => {
                    self.writer.prose(line.start)?;
                    let length = table_length(text);
                    let name = text.clamped(..length).clamped(..MAX_KEY_BYTES);
                    self.table = plain_key(name);
                    self.writer.set_place(Some(Place::Key(self.table.clone().into())));
                    self.writer.emit_to(line.text + length, Role::Metadata)?;
                    self.value(Span::new(line.text + length, line.end), Role::Text)?;
                }
                _ => self.entry(line, text)?,
            }
        }
        self.writer.prose(self.bytes.len())
    }

    /// Reads `key = value`.
    fn entry(&mut self, line: TextLine, text: &[u8]) -> ControlFlow<()> {
        let Some(length) = key_length(text) else { return ControlFlow::Continue(()) };
        let key = text.clamped(..length).clamped(..MAX_KEY_BYTES);
        // The last part of a dotted key names the value, and so its role.
        let role = role_of_key(&key_parts(key).pop().unwrap_or_default());
        let key = plain_key(key);
        let path = if self.table.is_empty() { key } else { format!("{}.{key}", self.table) };
        self.writer.prose(line.text)?;
        self.writer.set_place(Some(Place::Key(path.clone().into())));
        let start = line.text + length + 1;
        self.writer.markup(start)?;
        let blanks = self.bytes.part(start..line.end).leading(|byte| byte.is_ascii_whitespace());
        if matches!(self.bytes.get(start + blanks), Some(b'[' | b'{')) {
            let end = self.brackets(start + blanks, path.clone())?;
            self.writer.set_place(Some(Place::Key(path.into())));
            return self.value(Span::new(end, TextLine::at(self.bytes, end).end), role);
        }
        self.value(Span::new(start, line.end), role)
    }

    /// Reads the string that is the whole value from `start` on in its markup, if it has one; returns
    /// where to read on.
    fn marked_string(&mut self, start: usize) -> ControlFlow<(), usize> {
        let rest = self.bytes.clamped(start..);
        let blanks = rest.leading(|byte| matches!(byte, b' ' | b'\t'));
        let string = rest.clamped(blanks..);
        let Some(&quote @ (b'"' | b'\'')) = string.first() else {
            return ControlFlow::Continue(start);
        };
        let length = string_length(string);
        let marks = if string.clamped(..3).iter().all(|&byte| byte == quote) { 3 } else { 1 };
        if length < 2 * marks || !string.clamped(..length).ends_with(&[quote]) {
            return ControlFlow::Continue(start);
        }
        let first = start + blanks;
        let inside = Span::new(first + marks, first + length - marks);
        let is_read = if quote == b'"' {
            self.writer.marked_value(inside, unescape)?
        } else {
            self.writer.marked_value(inside, |text, at, piece| piece.copy(text, at))?
        };
        ControlFlow::Continue(if is_read { first + length } else { start })
    }

    /// Reads a value, which may continue over lines if it is a string of three quotes.
    fn value(&mut self, span: Span, role: Role) -> ControlFlow<()> {
        let mut at = self.marked_string(span.start())?;
        while at < self.bytes.len() {
            let rest = self.bytes.clamped(at..);
            let found = rest.leading(|byte| !matches!(byte, b'"' | b'\'' | b'#' | b'\n'));
            at += found;
            match rest.clamped(found..) {
                [] | [b'\n', ..] => break,
                [b'#', ..] => {
                    let comment = TextLine::at(self.bytes, at);
                    self.writer.emit_to(at, role)?;
                    self.writer.emit_to(comment.end, Role::Comment)?;
                    at = comment.end;
                }
                string => at += string_length(string),
            }
        }
        let end = span.end().max(at).min(self.bytes.len());
        self.at = TextLine::at(self.bytes, end).next.max(self.at);
        self.writer.emit_to(end, role)
    }

    /// Reads the array or inline table at `start`, which may continue over lines; returns its end.
    /// TOML 1.0 has no line breaks in inline tables, which are read all the same.
    fn brackets(&mut self, start: usize, path: String) -> ControlFlow<(), usize> {
        let bytes = self.bytes;
        let mut brackets = Brackets::new(&mut self.writer, path);
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'[' | b'{' => brackets.open(at)?,
                b']' | b'}' => {
                    brackets.close(at)?;
                    if brackets.are_closed() {
                        at += 1;
                        break;
                    }
                }
                b',' => brackets.comma(at)?,
                b'=' => {
                    let key = brackets.key(at).filter(|key| key.len() <= MAX_KEY_BYTES);
                    if let Some(key) = key {
                        brackets.name(at, &plain_key(key))?;
                    }
                }
                b'#' => {
                    let comment = TextLine::at(bytes, at);
                    brackets.comment(at, comment.end)?;
                    at = comment.end;
                    continue;
                }
                b'"' | b'\'' => {
                    at += string_length(bytes.clamped(at..));
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        let end = at.min(bytes.len());
        work_counter::add(end - start);
        brackets.finish(end)?;
        ControlFlow::Continue(end)
    }
}

/// Returns the length of the string at the start of `text`, with its quotes.
fn string_length(text: &[u8]) -> usize {
    for quotes in [&b"\"\"\""[..], b"'''"] {
        if let Some(inside) = text.strip_prefix(quotes) {
            let end = memmem::find(inside, quotes).map_or(inside.len(), |end| end + 3);
            work_counter::add(end);
            return 3 + end;
        }
    }
    let quote = text.first().copied().unwrap_or_default();
    let mut at = 1;
    loop {
        match text.get(at) {
            // An unclosed string ends with its line.
            None | Some(b'\n') => return at,
            // Literal strings have no escapes: `'C:\a\'` ends with its backslash.
            Some(b'\\') if quote == b'"' => at += 2,
            Some(&byte) if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
}

/// Returns the length of the name of a table at the start of a line, up to its bracket.
fn table_length(line: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match line.get(at) {
            None | Some(b']') => return at.min(line.len()),
            Some(b'"' | b'\'') => at += string_length(line.clamped(at..)),
            Some(_) => at += 1,
        }
    }
}

/// Returns the length of the key at the start of a line, up to its `=`.
fn key_length(line: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match line.get(at)? {
            b'=' => return Some(at),
            b'"' | b'\'' => at += string_length(line.clamped(at..)),
            // Without quotes, a key has no colon. So the `=` in `https://a.example/?b=c` ends none.
            b':' => return None,
            _ => at += 1,
        }
    }
}

/// Returns the parts of a dotted key without quotes and brackets.
fn key_parts(key: &[u8]) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at <= key.len() {
        match key.get(at) {
            Some(b'"' | b'\'') => at += string_length(key.clamped(at..)),
            None | Some(b'.') => {
                let part = lossy(key.clamped(start..at));
                let is_around = |c: char| " \t\"'[]".contains(c);
                parts.push(part.trim_matches(is_around).to_owned());
                (start, at) = (at + 1, at + 1);
            }
            Some(_) => at += 1,
        }
    }
    parts
}

/// Returns a key without brackets, and without quotes but around a full stop that is not a
/// separator.
fn plain_key(key: &[u8]) -> String {
    let quoted = |part: String| if part.contains('.') { format!("\"{part}\"") } else { part };
    key_parts(key).into_iter().map(quoted).collect::<Vec<_>>().join(".")
}
