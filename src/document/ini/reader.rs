//! Reads the sections, keys, and values of INI files and Java properties.

use std::ops::ControlFlow;

use crate::document::keys::role_of_key;
use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter};
use crate::document::{EventSink, Place, Role, Source};
use crate::slice::{SliceExt as _, lossy};

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
        while at < self.bytes.len() {
            let line = TextLine::at(self.bytes, at);
            at = line.next;
            let text = self.writer.at(line.span());
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
                _ => {
                    self.writer.emit_to(line.text, role)?;
                    role = Role::Text;
                    if let Some(length) = key_length(text) {
                        let key = lossy(text.clamped(..length).clamped(..MAX_KEY_BYTES));
                        let key = key.trim();
                        role = role_of_key(key);
                        let path = match self.section.is_empty() {
                            true => key.to_owned(),
                            false => format!("{}.{key}", self.section),
                        };
                        self.writer.set_place(Some(Place::Key(path.into())));
                        self.writer.markup(line.text + length + 1)?;
                    }
                }
            }
        }
        self.writer.emit_to(self.bytes.len(), role)
    }
}

/// Returns the length of a key, up to `=`, or `:` before white space: other colons belong to URIs.
fn key_length(text: &[u8]) -> Option<usize> {
    let ends = |(at, byte): (usize, &u8)| match byte {
        b'=' => true,
        b':' => text.get(at + 1).is_none_or(u8::is_ascii_whitespace),
        _ => false,
    };
    let length = text.iter().enumerate().position(ends)?;
    // A line may be a URI without a key, and the `=` is then in its query:
    // `https://a.example/?b=c`.
    let has_colon = text.clamped(..length).contains(&b':');
    (length > 0 && !has_colon).then_some(length)
}
