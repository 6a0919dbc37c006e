//! Reads DokuWiki text.

use std::ops::ControlFlow;

use memchr::memmem;

use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter, assume, trimmed};
use crate::document::{EventSink, Role, Scope, Source};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Longest link.
const MAX_BYTES: usize = 1024;
/// Longest address of mail (RFC 5321 §4.5.3.1).
const MAX_ADDRESS_LENGTH: usize = 256;

/// Starts and ends of text that is not parsed.
const VERBATIM: [(&[u8], &[u8]); 6] = [
    (b"<code", b"</code>"),
    (b"<file", b"</file>"),
    (b"<nowiki>", b"</nowiki>"),
    (b"<html>", b"</html>"),
    (b"<php>", b"</php>"),
    (b"%%", b"%%"),
];

pub(super) struct DokuWikiReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    has_no_end: [bool; VERBATIM.len()],
}

impl<'d, 's> DokuWikiReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Linked);
        Self { writer, bytes: source.bytes, has_no_end: [false; VERBATIM.len()] }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        let is_mark = |byte: &u8| matches!(byte, b'[' | b'{' | b'<' | b'%' | b'\n');
        let mut at = self.line(0)?;
        while let Some(found) = self.bytes.clamped(at..).iter().position(is_mark) {
            let mark = at + found;
            work_counter::add(found + 1);
            at = match self.bytes.clamped(mark..) {
                [b'\n', ..] if self.ends_block(mark) => mark + 1,
                [b'\n', ..] => self.line(mark + 1)?,
                [b'[', b'[', ..] => self.link(mark, b"]]")?,
                [b'{', b'{', ..] => self.link(mark, b"}}")?,
                [b'<', ..] => match self.address(mark)? {
                    Some(end) => end,
                    None => self.verbatim(mark)?,
                },
                _ => self.verbatim(mark)?,
            };
        }
        self.writer.prose(self.bytes.len())
    }

    /// Reads the start of a line, or all of a line of code: one that is indented, and not an item
    /// of a list.
    fn line(&mut self, at: usize) -> ControlFlow<(), usize> {
        let line = TextLine::at(self.bytes, at);
        let is_indented = |text: &[u8]| text.starts_with(b"  ") || text.starts_with(b"\t");
        let text = self.bytes.clamped(at..line.end);
        let marker = text.trim_ascii_start().first();
        if !is_indented(text) || matches!(marker, None | Some(b'*' | b'-')) {
            self.heading(&line);
            return ControlFlow::Continue(at);
        }
        self.writer.prose(at)?;
        self.writer.emit_to(line.end, Role::Code)?;
        ControlFlow::Continue(line.end)
    }

    /// True if an item of a list or a row of a table ends here. Its pattern takes the line end, at
    /// which code would start (DokuWiki, `Listblock` and `Table`).
    fn ends_block(&self, end: usize) -> bool {
        let before = self.bytes.clamped(..end);
        let line = before.clamped(memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)..);
        let rest = line.trim_ascii_start();
        let is_item = line.starts_with(b"  ") || line.starts_with(b"\t");
        matches!(line.first(), Some(b'|' | b'^'))
            || is_item && matches!(rest.first(), Some(b'*' | b'-'))
    }

    fn heading(&mut self, line: &TextLine) {
        let text = self.writer.at(line.span());
        let marks = text.leading(|byte| byte == b'=').min(text.trailing(|byte| byte == b'='));
        if marks < 2 || text.len() <= 2 * marks || !self.writer.wants_names() {
            return;
        }
        let span = trimmed(self.bytes, Span::new(line.text + marks, line.end - marks));
        let title = lossy(self.writer.at(span));
        // Six marks are the first level in DokuWiki, two the fifth.
        self.writer.heading(7_usize.saturating_sub(marks), &title, span);
        self.writer.anchor(&title.to_lowercase().replace(' ', "_"), span);
    }

    /// Reads `[[target|text]]` or `{{image|text}}`.
    fn link(&mut self, at: usize, closer: &[u8]) -> ControlFlow<(), usize> {
        let inside = self.bytes.clamped(at + 2..).clamped(..MAX_BYTES);
        work_counter::add(inside.len());
        let Some(length) = memmem::find(inside, closer) else {
            return ControlFlow::Continue(at + 2);
        };
        let bar = memchr::memchr(b'|', inside.clamped(..length));
        let target = Span::new(at + 2, at + 2 + bar.unwrap_or(length));
        let target = trimmed(self.bytes, target);
        let text = self.writer.at(target);
        let end = at + 2 + length;
        // In braces a target is a file of the media manager, never a page or an address of mail.
        let is_image = closer == b"}}";
        let is_uri = memmem::find(text, b"://").is_some() || text.starts_with(b"mailto:");
        let is_address =
            memchr::memchr(b'@', text).is_some() && !text.iter().any(|b| b" /:".contains(b));
        if is_uri || is_address && !is_image {
            self.writer.prose(at)?;
            let element = if is_image { "image" } else { "link" };
            let destination = self.writer.link_with(target, element, |piece| {
                if is_address && !is_uri {
                    assume(piece, b"mailto:", target.start());
                }
                piece.copy(text, target.start());
            })?;
            if bar.is_some() {
                let label = Span::new(target.end() + 1, end.max(target.end() + 1));
                self.writer.label(label, destination);
                // The rest of the label starts no line.
                if memchr::memchr(b'\n', self.writer.at(label)).is_some() {
                    return ControlFlow::Continue(end);
                }
            }
            return ControlFlow::Continue(target.end());
        }
        if !is_image {
            self.writer.refer(&lossy(text), Scope::Project, target);
        }
        ControlFlow::Continue(target.end().max(at + 2))
    }

    /// Reads `<joe@a.example>`, an address of mail.
    fn address(&mut self, at: usize) -> ControlFlow<(), Option<usize>> {
        let inside = self.bytes.clamped(at + 1..).clamped(..MAX_ADDRESS_LENGTH);
        // What DokuWiki takes for an address (`PREG_PATTERN_VALID_EMAIL`), but for the marks of a
        // tag.
        let length = inside.leading(|byte| {
            byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.@".contains(&byte)
        });
        work_counter::add(length);
        let address = Span::new(at + 1, at + 1 + length);
        let text = self.writer.at(address);
        let mut halves = text.splitn(2, |&byte| byte == b'@');
        let (user, host) = (halves.next(), halves.next().unwrap_or_default());
        let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
        let is_address = inside.get(length) == Some(&b'>')
            && user.is_some_and(|user| !user.is_empty())
            && host.first().is_some_and(u8::is_ascii_alphanumeric)
            && host.last().is_some_and(u8::is_ascii_alphabetic)
            && host.iter().all(is_host)
            && host.contains(&b'.');
        if !is_address {
            return ControlFlow::Continue(None);
        }
        self.writer.prose(at)?;
        self.writer.link_with(address, "link", |piece| {
            assume(piece, b"mailto:", address.start());
            piece.copy(text, address.start());
        })?;
        ControlFlow::Continue(Some(address.end() + 1))
    }

    fn verbatim(&mut self, at: usize) -> ControlFlow<(), usize> {
        let rest = self.bytes.clamped(at..);
        let kind = VERBATIM.iter().zip(&mut self.has_no_end);
        let Some(((start, end), has_no_end)) =
            { kind }.find(|((start, _), _)| rest.starts_with(start))
        else {
            return ControlFlow::Continue(at + 1);
        };
        if *has_no_end {
            return ControlFlow::Continue(at + 1);
        }
        let inside = rest.clamped(start.len()..);
        let Some(length) = memmem::find(inside, end) else {
            // One search that failed is enough. Each further opener would read the rest of the page
            // again.
            *has_no_end = true;
            return ControlFlow::Continue(at + 1);
        };
        // The start may have attributes: `<code php file.php>`.
        let open = if start.ends_with(b">") || start.starts_with(b"%") {
            0
        } else {
            memchr::memchr(b'>', inside.clamped(..length)).map_or(0, |open| open + 1)
        };
        let from = at + start.len();
        self.writer.prose(from + open)?;
        self.writer.emit_to(from + length, Role::Code)?;
        ControlFlow::Continue(from + length + end.len())
    }
}
