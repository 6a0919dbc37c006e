//! Reads Textile.

use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter, trimmed};
use crate::document::{EventSink, Role, Source, html};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Maximum length of the signature of a block.
const MAX_SIGNATURE_BYTES: usize = 64;

/// Longest text of a link, and of code within a line.
const MAX_BYTES: usize = 512;

/// Longest tag of HTML.
const MAX_TAG_LENGTH: usize = 1024;

/// Elements whose content is not parsed.
const VERBATIM: [&[u8]; 3] = [b"pre", b"code", b"notextile"];
/// Start of a comment.
const COMMENT: &[u8] = b"<!--";

pub(super) struct TextileReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    /// Elements whose end was searched for and not found.
    unclosed: Vec<&'static [u8]>,
    at: usize,
}

impl<'d, 's> TextileReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown);
        Self { writer, bytes: source.bytes, unclosed: Vec::new(), at: 0 }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        let mut is_start = true;
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            if is_start && self.block(line)? {
                continue;
            }
            is_start = line.is_blank();
            self.at = line.next;
            self.inline(line)?;
        }
        self.writer.prose(self.bytes.len())
    }

    /// Reads a block that starts with a mark such as `bc. `; true if it was verbatim.
    fn block(&mut self, line: TextLine) -> ControlFlow<(), bool> {
        let text = self.bytes.part(line.start..line.end);
        // `bc(class#id). `, `h2{color:red}. `, `###.. `: a short signature, a full stop, and a
        // space.
        let Some(mark) = memmem::find(text.clamped(..MAX_SIGNATURE_BYTES), b". ") else {
            return ControlFlow::Continue(false);
        };
        let name = text.clamped(..mark);
        let is_extended = name.ends_with(b".");
        let signature = name.strip_suffix(b".").unwrap_or(name);
        let length = signature.leading(|byte| byte.is_ascii_alphanumeric() || byte == b'#');
        let is_html = signature.clamped(..length) == b"notextile";
        let role = match signature.clamped(..length) {
            b"bc" | b"pre" | b"notextile" => Role::Code,
            b"###" => Role::Comment,
            [b'h', level @ b'1'..=b'6'] => {
                let span = trimmed(self.bytes, Span::new(line.start + mark + 2, line.end));
                let title = lossy(self.writer.at(span));
                self.writer.heading(usize::from(level - b'0'), &title, span);
                self.attributes(signature.clamped(length..), line);
                return ControlFlow::Continue(false);
            }
            _ => {
                self.attributes(signature.clamped(length..), line);
                return ControlFlow::Continue(false);
            }
        };
        // An extended block reaches to the next block with a mark.
        let (mut end, mut at) = (line.end, line.next);
        let mut is_after_blank = false;
        while at < self.bytes.len() {
            let next = TextLine::at(self.bytes, at);
            let starts_block =
                is_after_blank && starts_block(self.bytes.part(next.start..next.end));
            if next.is_blank() && !is_extended || starts_block {
                break;
            }
            is_after_blank = next.is_blank();
            (end, at) = (next.end.max(end), next.next);
        }
        self.at = at;
        self.writer.prose(line.start + mark + 1)?;
        if is_html {
            let start = (line.start + mark + 1).min(end);
            self.writer.nested(Span::new(start, end), html::read)?;
        } else {
            self.writer.emit_to(end, role)?
        }
        ControlFlow::Continue(true)
    }

    /// Reports the id in `(class#id)`.
    fn attributes(&mut self, text: &[u8], line: TextLine) {
        let Some(at) = memchr(b'#', text) else { return };
        let id = text.clamped(at + 1..);
        let id = id.clamped(..id.leading(|byte| byte != b')'));
        self.writer.anchor(&lossy(id), Span::new(line.start, line.end));
    }

    fn inline(&mut self, line: TextLine) -> ControlFlow<()> {
        if self.alias(line)? {
            return ControlFlow::Continue(());
        }
        let is_mark = |byte: &u8| matches!(byte, b'"' | b'!' | b'@' | b'<');
        let mut at = line.start;
        while let Some(found) = self.bytes.part(at.min(line.end)..line.end).iter().position(is_mark)
        {
            let mark = at + found;
            work_counter::add(found + 1);
            at = match self.bytes.part(mark..line.end) {
                [b'"', b':', ..] => self.link(mark, line)?,
                [b'!', ..] => self.image(mark, line)?,
                [b'@', ..] => self.code(mark, line)?,
                [b'<', ..] => self.element(mark)?,
                _ => mark + 1,
            };
            // An element may end in a later line, and those lines are read.
            if at > line.end {
                self.at = self.at.max(at);
            }
        }
        ControlFlow::Continue(())
    }

    /// Reads `[alias]uri`.
    fn alias(&mut self, line: TextLine) -> ControlFlow<(), bool> {
        let text = self.bytes.part(line.start..line.end);
        let Some(close) = text.strip_prefix(b"[").and_then(|rest| memchr(b']', rest)) else {
            return ControlFlow::Continue(false);
        };
        let target = Span::new(line.start + close + 2, line.end);
        let uri = self.writer.at(target);
        // `[1] a note` starts like an alias, and so do other lines in brackets.
        let is_target = memmem::find(uri, b"://").is_some() || uri.starts_with(b"/");
        if !is_target || uri.iter().any(u8::is_ascii_whitespace) {
            return ControlFlow::Continue(false);
        }
        self.writer.definition(target)?;
        ControlFlow::Continue(true)
    }

    /// Reads `"text":target`, whose text ends at `at`.
    fn link(&mut self, at: usize, line: TextLine) -> ControlFlow<(), usize> {
        // Bounded, because each `":` of a long line looks back for its opener.
        let before = self.bytes.part(line.start..at).tail(MAX_BYTES);
        let Some(open) = memchr::memrchr(b'"', before).filter(|&open| open + 1 < before.len())
        else {
            return ControlFlow::Continue(at + 1);
        };
        work_counter::add(before.len());
        let rest = self.bytes.part(at + 2..line.end);
        let target = rest.clamped(..target_length(rest));
        let is_uri = target.iter().any(|byte| matches!(byte, b'/' | b'.' | b':' | b'#'));
        if target.is_empty() || !is_uri {
            // An alias.
            return ControlFlow::Continue(at + 2);
        }
        // The text between the last quotation marks before the colon, as Textile takes it.
        let target = Span::new(at + 2, at + 2 + target.len());
        let text = Span::new(at - before.len() + open + 1, at);
        let destination = self.writer.link(target, "link")?;
        self.writer.label(text, destination);
        ControlFlow::Continue(target.end())
    }

    /// Reads `!image!`, `!image(text)!`, and `!image!:target`.
    fn image(&mut self, at: usize, line: TextLine) -> ControlFlow<(), usize> {
        let before =
            at.checked_sub(1).filter(|&at| at >= line.start).and_then(|at| self.bytes.get(at));
        let opens = before.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'!');
        let inside = self.bytes.part(at + 1..line.end).clamped(..MAX_BYTES);
        let align = inside.leading(|byte| matches!(byte, b'<' | b'>' | b'='));
        let inside = inside.clamped(align..);
        let length = inside
            .leading(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'!' | b'(' | b'"'));
        let path = inside.clamped(..length);
        // Two exclamation marks are in many sentences. The name of an image has a full stop inside,
        // and no space.
        let is_image = memchr(b'.', path).is_some()
            && memchr(b'!', inside.clamped(length..)).is_some()
            && path.first().is_some_and(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'{')
            })
            && !path.ends_with(b".");
        if !opens || !is_image {
            return ControlFlow::Continue(at + 1);
        }
        let start = at + 1 + align;
        self.writer.link(Span::new(start, start + length), "image")?;
        let end = start + length;
        let rest = self.bytes.part(end..line.end);
        let close = end + memchr(b'!', rest).unwrap_or(rest.len());
        if let [b'!', b':', target @ ..] = self.bytes.part(close.min(line.end)..line.end) {
            let length = target_length(target);
            if length > 0 {
                let target = Span::new(close + 2, close + 2 + length);
                self.writer.link(target, "link")?;
                return ControlFlow::Continue(target.end());
            }
        }
        ControlFlow::Continue(close + 1)
    }

    /// Reads `@code@`.
    fn code(&mut self, at: usize, line: TextLine) -> ControlFlow<(), usize> {
        let before =
            at.checked_sub(1).filter(|&at| at >= line.start).and_then(|at| self.bytes.get(at));
        let inside = self.bytes.part(at + 1..line.end).clamped(..MAX_BYTES);
        work_counter::add(inside.len());
        // `joe@example.org` and `@ 5 pm` are not code.
        let opens = before.is_none_or(|byte| !byte.is_ascii_alphanumeric())
            && inside.first().is_some_and(|byte| !byte.is_ascii_whitespace());
        let Some(length) = memchr(b'@', inside).filter(|&length| opens && length > 0) else {
            return ControlFlow::Continue(at + 1);
        };
        self.writer.prose(at + 1)?;
        self.writer.emit_to(at + 1 + length, Role::Code)?;
        ControlFlow::Continue(at + length + 2)
    }

    /// Reads an element whose content is not parsed, or a comment.
    fn element(&mut self, at: usize) -> ControlFlow<(), usize> {
        let rest = self.bytes.clamped(at..);
        if rest.starts_with(COMMENT) {
            if self.unclosed.contains(&COMMENT) {
                return ControlFlow::Continue(at + 4);
            }
            let Some(length) = memmem::find(rest, b"-->") else {
                self.unclosed.push(COMMENT);
                return ControlFlow::Continue(at + 4);
            };
            self.writer.prose(at)?;
            self.writer.emit_to(at + length + 3, Role::Comment)?;
            return ControlFlow::Continue(at + length + 3);
        }
        // No name that matters is longer.
        let length = rest.clamped(1..16).leading(|byte| byte.is_ascii_alphabetic());
        let name = rest.clamped(1..=length);
        let kind = VERBATIM.into_iter().find(|verbatim| *verbatim == name);
        let is_tag = length > 0 && rest.get(1 + length).is_some_and(u8::is_ascii_whitespace);
        if kind.is_none() && is_tag {
            return self.tag(at);
        }
        let Some(kind) = kind.filter(|kind| !self.unclosed.contains(kind)) else {
            return ControlFlow::Continue(at + 1);
        };
        let end = [&b"</"[..], name].concat();
        let Some(length) = memmem::find(rest, &end) else {
            self.unclosed.push(kind);
            return ControlFlow::Continue(at + 1);
        };
        let open = memchr(b'>', rest.clamped(..length)).map_or(0, |open| open + 1);
        self.writer.prose(at + open)?;
        match kind {
            b"notextile" => self.writer.nested(Span::new(at + open, at + length), html::read)?,
            _ => self.writer.emit_to(at + length, Role::Code)?,
        }
        ControlFlow::Continue(at + length)
    }

    /// Reads a tag of HTML, which Textile leaves as it is.
    fn tag(&mut self, at: usize) -> ControlFlow<(), usize> {
        let near = self.bytes.clamped(at..).clamped(..MAX_TAG_LENGTH);
        // An attribute, without which a tag holds no address.
        let end = memchr(b'>', near).filter(|&end| memchr(b'=', near.clamped(..end)).is_some());
        work_counter::add(end.unwrap_or(near.len()));
        let Some(end) = end else { return ControlFlow::Continue(at + 1) };
        self.writer.nested(Span::new(at, at + end + 1), html::read)?;
        ControlFlow::Continue(at + end + 1)
    }
}

fn starts_block(text: &[u8]) -> bool {
    let length = text.leading(|byte| byte.is_ascii_alphanumeric() || byte == b'#');
    let name = text.clamped(..length);
    let is_known = matches!(name, b"p" | b"bc" | b"pre" | b"bq" | b"notextile" | b"###")
        || matches!(name, [b'h', b'1'..=b'6']);
    is_known && text.get(length) == Some(&b'.')
}

/// Returns the length of a target, up to white space, without the punctuation after it.
fn target_length(text: &[u8]) -> usize {
    let length = text.leading(|byte| {
        !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'<' | b'>' | b'|' | b']')
    });
    let target = text.clamped(..length);
    // A closing bracket belongs to the target if one opens in it, as in `Rust_(film)`, and to the
    // sentence otherwise.
    let opens = memchr(b'(', target).is_some();
    length
        - target.trailing(|byte| {
            matches!(byte, b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_')
                || byte == b')' && !opens
        })
}
