//! Reads the requests of a man page, line by line.

use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use crate::delimit::troff_character;
use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter, assume};
use crate::document::{EventSink, Role, Source};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

pub(super) struct ManReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    /// The destination whose text follows, up to `UE` or `ME`, and the start of that text.
    open: Option<(Span, usize)>,
}

impl<'d, 's> ManReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown).with_plain(plain);
        Self { writer, bytes: source.bytes, open: None }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        let mut at = 0;
        while at < self.bytes.len() {
            let line = TextLine::at(self.bytes, at);
            at = line.next;
            let text = self.bytes.part(line.start..line.end);
            // Both start a request; the second one without a line break in the output (groff(7)).
            if matches!(text, [b'.' | b'\'', ..]) {
                at = self.request(line)?.max(at);
            } else if let Some(comment) = memmem::find(text, b"\\\"") {
                self.writer.prose(line.start + comment)?;
                self.writer.emit_to(line.end, Role::Comment)?;
            } else if continues(text) {
                at = self.joined(line)?;
            }
        }
        self.writer.prose(self.bytes.len())
    }

    /// Reads a line of text that continues in the next one after a backslash (groff(7), "Line
    /// continuation"); returns the offset to continue at.
    fn joined(&mut self, first: TextLine) -> ControlFlow<(), usize> {
        let mut breaks = Vec::new();
        let mut line = first;
        while continues(self.bytes.part(line.start..line.end)) && line.next < self.bytes.len() {
            breaks.push(Span::new(line.end - 1, line.next));
            line = TextLine::at(self.bytes, line.next);
        }
        let bytes = self.bytes;
        self.writer.prose(first.start)?;
        self.writer.derived(Span::new(first.start, line.end), Role::Text, |piece| {
            let mut from = first.start;
            for line_break in breaks {
                piece.copy(bytes.part(from..line_break.start()), from);
                piece.replace(b"", line_break, RunOrigin::Decoded);
                from = line_break.end();
            }
            piece.copy(bytes.part(from..line.end), from);
        })?;
        ControlFlow::Continue(line.next)
    }

    /// Reads a request; returns the offset to continue at.
    fn request(&mut self, line: TextLine) -> ControlFlow<(), usize> {
        let text = self.bytes.part(line.start + 1..line.end);
        let blanks = text.leading(|byte| matches!(byte, b' ' | b'\t'));
        let name = text.clamped(blanks..);
        if name.starts_with(b"\\\"") {
            self.writer.prose(line.start)?;
            self.writer.emit_to(line.end, Role::Comment)?;
            return ControlFlow::Continue(line.next);
        }
        let length = name.leading(|byte| !byte.is_ascii_whitespace());
        let start = line.start + 1 + blanks + length;
        let arguments = Arguments { bytes: self.bytes, at: start, end: line.end };
        match name.clamped(..length) {
            // `UR` and `MT` are of man(7), `Lk` and `Mt` of mdoc(7), `URL` and `MTO` of
            // groff_www(7).
            b"UR" | b"URL" | b"Lk" | b"MT" | b"MTO" | b"Mt" => {
                self.links(line, arguments, name.clamped(..length))?;
            }
            b"UE" | b"ME" => {
                if let Some((destination, start)) = self.open.take() {
                    self.writer.label(Span::new(start, line.start.max(start)), destination);
                }
            }
            // The path starts at the root of the manual, as in `.so man3/a.3`, so it is not a link
            // from this file.
            b"so" => {
                for path in arguments.take(1) {
                    self.writer.prose(path.start())?;
                    self.writer.value(path, Role::Attribute, Some("include"), None)?;
                }
            }
            b"SH" | b"SS" | b"Sh" | b"Ss" => {
                let level = if matches!(name.get(1), Some(b'H' | b'h')) { 1 } else { 2 };
                let title: Vec<_> =
                    arguments.map(|it| lossy(self.writer.at(it)).into_owned()).collect();
                self.writer.heading(level, &title.join(" "), Span::new(start, line.end));
            }
            b"EX" => return self.code(line, b"EE"),
            b"Bd" if memmem::find(text, b"-literal").is_some() => return self.code(line, b"Ed"),
            // Macros of mdoc may follow each other in a line: `.An A Mt a@b.example`.
            _ => {
                let mut arguments = arguments;
                while let Some(argument) = arguments.next() {
                    let name = self.writer.at(argument);
                    if matches!(name, b"Lk" | b"Mt") {
                        self.links(line, arguments, name)?;
                        break;
                    }
                }
            }
        }
        ControlFlow::Continue(line.next)
    }

    /// Reads the arguments of a request that makes links.
    fn links(&mut self, line: TextLine, arguments: Arguments<'_>, name: &[u8]) -> ControlFlow<()> {
        let is_mail = name.starts_with(b"M");
        let mut destination = None;
        for (index, argument) in arguments.enumerate() {
            // Only `Mt` takes several; otherwise, the text of the link follows.
            if index > 0 && name != b"Mt" {
                if let Some(destination) = destination.take_if(|_| name != b"UR") {
                    self.writer.label(argument, destination);
                }
                break;
            }
            let text = self.writer.at(argument);
            // Punctuation is an argument of its own in mdoc.
            if !text.iter().any(u8::is_ascii_alphanumeric) {
                continue;
            }
            self.writer.prose(argument.start())?;
            let link = self.writer.link_with(argument, "link", |piece| {
                if is_mail && !text.starts_with(b"mailto:") {
                    assume(piece, b"mailto:", argument.start());
                }
                unescape(text, argument.start(), piece);
            })?;
            destination = Some(link);
        }
        if matches!(name, b"UR" | b"MT") {
            self.open = destination.map(|destination| (destination, line.next));
        }
        ControlFlow::Continue(())
    }

    /// Reads an example up to the request that ends it.
    fn code(&mut self, first: TextLine, end: &[u8]) -> ControlFlow<(), usize> {
        let mut at = first.next;
        while at < self.bytes.len() {
            let line = TextLine::at(self.bytes, at);
            let text = self.bytes.part(line.start..line.end);
            if text.strip_prefix(b".").is_some_and(|name| name.starts_with(end)) {
                break;
            }
            at = line.next;
        }
        self.writer.prose(first.next)?;
        self.writer.emit_to(at, Role::Code)?;
        ControlFlow::Continue(at)
    }
}

/// True for a line that a backslash continues.
fn continues(line: &[u8]) -> bool {
    line.trailing(|byte| byte == b'\\') % 2 == 1
}

/// The arguments of a request; quotation marks may surround each.
struct Arguments<'d> {
    bytes: &'d [u8],
    at: usize,
    end: usize,
}

impl Iterator for Arguments<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let rest = self.bytes.part(self.at.min(self.end)..self.end);
        let start = self.at + rest.leading(|byte| matches!(byte, b' ' | b'\t'));
        let rest = self.bytes.part(start.min(self.end)..self.end);
        // A comment ends the line.
        if rest.is_empty() || rest.starts_with(b"\\\"") {
            return None;
        }
        if let Some(inside) = rest.strip_prefix(b"\"") {
            let length = memchr(b'"', inside).unwrap_or(inside.len());
            self.at = start + 1 + length + 1;
            return Some(Span::new(start + 1, start + 1 + length));
        }
        let length = rest.leading(|byte| !matches!(byte, b' ' | b'\t'));
        self.at = start + length;
        Some(Span::new(start, start + length))
    }
}

/// Returns the text of a link without the escapes of troff.
fn plain(text: &[u8]) -> String {
    let mut unspaced = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'\\', rest) {
        unspaced.extend_from_slice(rest.clamped(..at));
        let (kept, length): (&[u8], usize) = match rest.clamped(at..) {
            // Spaces at which a line does not break.
            [_, b' ' | b'~' | b'0', ..] => (b" ", 2),
            // Font changes.
            [_, b'f', b'(', ..] => (b"", 5),
            [_, b'f', b'[', name @ ..] => (b"", 4 + memchr(b']', name).unwrap_or(name.len())),
            [_, b'f', ..] => (b"", 3),
            escape => (escape.clamped(..2), 2),
        };
        unspaced.extend_from_slice(kept);
        rest = rest.clamped((at + length).min(rest.len())..);
    }
    unspaced.extend_from_slice(rest);
    let mut piece = DerivedText::default();
    unescape(&unspaced, 0, &mut piece);
    lossy(piece.text()).into_owned()
}

/// Appends an argument without the escapes of troff.
fn unescape(text: &[u8], at: usize, piece: &mut DerivedText) {
    // From the names in groff_char(7), those of characters that a URI or an address may contain.
    const GLYPHS: [(&[u8], &[u8]); 7] = [
        (b"ti", b"~"),
        (b"ha", b"^"),
        (b"aq", b"'"),
        (b"dq", b"\""),
        (b"rs", b"\\"),
        (b"at", b"@"),
        (b"sh", b"#"),
    ];
    let mut from = 0;
    while let Some(found) = memchr(b'\\', text.clamped(from..)) {
        let mark = from + found;
        let mut utf8 = [0; 4];
        piece.copy(text.clamped(from..mark), at + from);
        let (plain, length): (&[u8], usize) = match text.clamped(mark..) {
            // Places where a line may break, and spaces of little or no width (groff(7)). Authors
            // put them into long URIs.
            [_, b':' | b'%' | b'&' | b'/' | b',' | b'^' | b'|' | b'c' | b')', ..] => (b"", 2),
            // A bare `-` may be typeset as a hyphen that is not ASCII, so careful authors write
            // `\-` in URIs.
            [_, b'-', ..] => (b"-", 2),
            [_, b'.', ..] => (b".", 2),
            [_, b'e' | b'\\', ..] => (b"\\", 2),
            [_, b'(', glyph @ ..] if glyph.len() >= 2 => {
                let known = GLYPHS.iter().find(|(name, _)| glyph.starts_with(name));
                (known.map_or(text.clamped(mark..mark + 4), |(_, plain)| plain), 4)
            }
            [_, b'[', glyph @ ..] => {
                let length = memchr(b']', glyph).unwrap_or(glyph.len());
                let name = glyph.clamped(..length);
                let known = GLYPHS.iter().find(|(known, _)| *known == name);
                let length = (2 + length + 1).min(text.len() - mark);
                let written = text.clamped(mark..mark + length);
                let plain = known.map(|(_, plain)| *plain);
                let plain = plain.or_else(|| {
                    Some(troff_character(name)?.encode_utf8(&mut utf8).as_bytes() as &[u8])
                });
                (plain.unwrap_or(written), length)
            }
            _ => (b"\\", 1),
        };
        let source = Span::new(at + mark, at + mark + length);
        piece.replace(plain, source, RunOrigin::Decoded);
        from = mark + length;
    }
    piece.copy(text.clamped(from..), at + from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_links() {
        for (text, expected) in [
            (r"RFC\ 2254\~\fBb\fP\f[I]c\f(CWd\fR", "RFC 2254 bcd"),
            (r"a\-b\", r"a-b\"),
            (r"\f", ""),
            (r"\f[x", ""),
        ] {
            assert_eq!(plain(text.as_bytes()), expected);
        }
    }

    #[test]
    fn escapes_of_troff() {
        for (text, expected) in [
            (r"https://a.example/\:b\-c", "https://a.example/b-c"),
            (r"https://a.example/\(tib\[ti]c", "https://a.example/~b~c"),
            (r"https://a.example/\[u00E9]\[u]", r"https://a.example/é\[u]"),
            (r"a\&.b\", r"a.b\"),
        ] {
            let mut piece = DerivedText::default();
            unescape(text.as_bytes(), 3, &mut piece);
            assert_eq!(String::from_utf8_lossy(piece.text()), expected);
        }
    }
}
