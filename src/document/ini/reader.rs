//! Reads the sections, keys, and values of INI files and Java properties.

use std::ops::ControlFlow;

use crate::document::keys::role_of_key;
use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter};
use crate::document::{EventSink, Place, Role, Source};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};

/// Longest name of a section or a key.
const MAX_KEY_BYTES: usize = 256;

pub(super) struct IniReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    section: String,
}

impl<'d, 's> IniReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown);
        Self { writer, bytes: source.bytes, section: String::new() }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        let (mut at, mut role) = (0, Role::Text);
        // True after a backslash, with which a line of Java properties continues in the next one.
        let mut continues = false;
        while at < self.bytes.len() {
            let line = TextLine::at(self.bytes, at);
            at = line.next;
            let text = self.writer.at(line.span());
            let continues = std::mem::replace(&mut continues, text.ends_with(b"\\"));
            match text {
                [] => {}
                // `;` starts a comment in INI, `!` in Java properties.
                [b'#' | b';' | b'!', ..] => {
                    self.writer.emit_to(line.text, role)?;
                    self.writer.emit_to(line.end, Role::Comment)?;
                }
                [b'[', name @ .., b']'] => {
                    self.writer.emit_to(line.text, role)?;
                    // Each key of the section repeats its name.
                    self.section = lossy(name.clamped(..MAX_KEY_BYTES)).into_owned();
                    self.writer.set_place(Some(Place::Key(self.section.clone().into())));
                    role = Role::Text;
                    self.writer.emit_to(line.end, Role::Metadata)?;
                }
                // An indented line continues the value before it.
                _ if line.indent() > 0 => {}
                _ if continues && key_length(text, continues).is_none() => {}
                _ => {
                    self.writer.emit_to(line.text, role)?;
                    role = Role::Text;
                    if let Some(length) = key_length(text, continues) {
                        let key = plain_key(text.clamped(..length).clamped(..MAX_KEY_BYTES));
                        role = role_of_key(&key);
                        let path = if self.section.is_empty() {
                            key
                        } else {
                            format!("{}.{key}", self.section)
                        };
                        self.writer.set_place(Some(Place::Key(path.into())));
                        // The word may belong to a sentence, or be the label of an identifier.
                        if !matches!(text.get(length), Some(b' ' | b'\t')) {
                            self.writer.markup(line.text + length + 1)?;
                        }
                    }
                }
            }
        }
        self.writer.emit_to(self.bytes.len(), role)
    }
}

/// Characters that Java properties escape in a key.
const ESCAPED: &[u8] = b" :=#!\\";

/// Returns the length of a key, up to `=`, or `:` before white space: other colons belong to URIs.
/// White space ends one, too, unless the line continues another one.
fn key_length(text: &[u8], continues: bool) -> Option<usize> {
    let word = || word_length(text).filter(|_| !continues);
    let (mut at, mut is_escaped) = (0, false);
    while let Some(byte) = text.get(at) {
        let rest = text.clamped(at + 1..);
        match byte {
            // The colon of a URI, in a line that continues with the value of the last one.
            b'\\' if rest.starts_with(b"://") => return word(),
            b'\\' if rest.first().is_some_and(|byte| ESCAPED.contains(byte)) => {
                (at, is_escaped) = (at + 2, true);
                continue;
            }
            b'=' => return (at > 0).then_some(at),
            // A key with an escaped mark is one of Java properties, in which every unescaped colon
            // ends the key.
            b':' if is_escaped && !rest.starts_with(b"//")
                || rest.first().is_none_or(u8::is_ascii_whitespace) =>
            {
                return (at > 0).then_some(at);
            }
            // A line may be a URI without a key, and the `=` is then in its query:
            // `https://a.example/?b=c`.
            b':' => return word(),
            _ => at += 1,
        }
    }
    word()
}

/// Returns the length of a key that white space ends, as in Java properties and many `.conf` files.
fn word_length(text: &[u8]) -> Option<usize> {
    let length = text.leading(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let is_key = text.first().is_some_and(u8::is_ascii_alphabetic)
        && text.get(length).is_some_and(|byte| matches!(byte, b' ' | b'\t'));
    is_key.then_some(length)
}

/// Returns a key without the escapes of Java properties.
fn plain_key(key: &[u8]) -> String {
    let mut plain = Vec::with_capacity(key.len());
    let mut bytes = key.trim_ascii().iter();
    while let Some(&byte) = bytes.next() {
        let escaped = bytes.as_slice().first().filter(|next| ESCAPED.contains(next));
        match escaped.filter(|_| byte == b'\\') {
            Some(&next) => {
                plain.push(next);
                bytes.next();
            }
            None => plain.push(byte),
        }
    }
    lossy(&plain).into_owned()
}
