//! Reads the commands of Texinfo.

use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter, assume, trimmed};
use crate::document::{EventSink, Role, Scope, Source, html};
use crate::hash::HashSet;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Maximum indentation of a command.
const MAX_INDENTATION_BYTES: usize = 64;

/// Longest argument. The bound keeps time linear where a brace is never closed.
const MAX_BYTES: usize = 2048;

/// Environments whose content is code.
const CODE: [&[u8]; 6] = [b"example", b"smallexample", b"lisp", b"smalllisp", b"verbatim", b"tex"];

/// Commands of titles, by level.
const TITLES: [&[&[u8]]; 4] = [
    &[b"chapter", b"unnumbered", b"appendix", b"top", b"chapheading"],
    &[b"section", b"unnumberedsec", b"appendixsec", b"heading"],
    &[b"subsection", b"unnumberedsubsec", b"appendixsubsec", b"subheading"],
    &[b"subsubsection", b"unnumberedsubsubsec", b"appendixsubsubsec", b"subsubheading"],
];

pub(super) struct TexinfoReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    nodes: HashSet<String>,
    references: Vec<(String, Span)>,
    /// True if the document is complete, except for the files that it includes.
    is_main: bool,
    is_open: bool,
    /// Environments of which no further end was found.
    unclosed: Vec<Vec<u8>>,
}

impl<'d, 's> TexinfoReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        Self {
            writer: PartWriter::new(source, sink, BareUris::Shown).with_plain(plain),
            bytes: source.bytes,
            nodes: HashSet::default(),
            references: Vec::new(),
            // Every manual starts with this line. A file without it is a part of one, and other
            // parts may define what it refers to.
            is_main: memmem::find(source.bytes, b"\\input texinfo").is_some(),
            is_open: false,
            unclosed: Vec::new(),
        }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        let mut at = 0;
        while let Some(found) = memchr(b'@', self.bytes.clamped(at..)) {
            work_counter::add(found + 1);
            at = self.command(at + found)?;
        }
        // Nodes may be used before they are defined, so references are judged at the end.
        if self.is_main && !self.is_open {
            for (name, whole) in std::mem::take(&mut self.references) {
                if !self.nodes.contains(&name) {
                    self.writer.refer(&name, Scope::Document, whole);
                }
            }
        }
        self.writer.prose(self.bytes.len())
    }

    /// Reads a command; returns the offset to continue at.
    fn command(&mut self, at: usize) -> ControlFlow<(), usize> {
        let rest = self.bytes.clamped(at + 1..);
        let length = rest.leading(|byte| byte.is_ascii_alphabetic());
        let name = rest.clamped(..length);
        let after = at + 1 + length;
        // An escape of one character, such as `@@` and `@{`.
        if length == 0 {
            return ControlFlow::Continue(at + 2);
        }
        if rest.get(length) == Some(&b'{') {
            return self.braced(at, name, after);
        }
        // Commands with a line of their own must start it. Reading the line for any command would
        // read a long line once for each command in it.
        let is_comment = matches!(name, b"c" | b"comment")
            && rest.get(length).is_none_or(u8::is_ascii_whitespace);
        if !is_comment && !self.starts_line(at) {
            return ControlFlow::Continue(after);
        }
        let line = TextLine::at(self.bytes, after);
        let argument = line.span();
        match name {
            _ if is_comment => {
                self.writer.prose(at)?;
                self.writer.emit_to(line.end.max(after), Role::Comment)?;
                return ControlFlow::Continue(line.next);
            }
            b"ignore" => return self.environment(line, name, Role::Comment),
            b"html" => return self.html(line),
            _ if CODE.contains(&name) => return self.environment(line, name, Role::Code),
            b"node" => {
                let text = self.writer.at(argument);
                let length = memchr(b',', text).unwrap_or(text.len());
                let span = Span::new(argument.start(), argument.start() + length);
                self.define(trimmed(self.bytes, span));
            }
            b"include" => {
                self.is_open = true;
                self.writer.prose(argument.start())?;
                self.writer.link(argument, "include")?;
                return ControlFlow::Continue(line.end.max(after));
            }
            b"verbatiminclude" => {
                self.writer.prose(argument.start())?;
                self.writer.link(trimmed(self.bytes, argument), "include")?;
                return ControlFlow::Continue(line.end.max(after));
            }
            b"menu" => self.menu(line),
            _ => {
                let level = TITLES.iter().position(|names| names.contains(&name));
                if let Some(level) = level.filter(|_| self.writer.wants_names()) {
                    let title = plain(self.writer.at(argument));
                    self.writer.heading(level + 1, &title, argument);
                }
            }
        }
        ControlFlow::Continue(after)
    }

    /// Reads the nodes in a menu: `* Node::`, and `* Title: Node.` (Texinfo, "The Parts of a Menu").
    fn menu(&mut self, first: TextLine) {
        if !self.writer.wants_names() {
            return;
        }
        let Some(end) = self.environment_end(first, b"menu") else { return };
        let mut at = first.next;
        while at < end {
            let line = TextLine::at(self.bytes, at);
            at = line.next;
            let text = self.bytes.part(line.start..line.end);
            let Some(entry) = text.strip_prefix(b"* ") else { continue };
            let Some(colon) = memchr(b':', entry) else { continue };
            let after = entry.clamped(colon + 1..);
            let (start, length) = if after.starts_with(b":") {
                (0, colon)
            } else {
                let length = memchr::memchr3(b'.', b',', b'\t', after).unwrap_or(after.len());
                (colon + 1, length)
            };
            let start = line.start + 2 + start;
            let node = trimmed(self.bytes, Span::new(start, start + length));
            // `(manual)Node` is in another manual.
            if !node.is_empty() && self.bytes.get(node.start()) != Some(&b'(') {
                self.references.push((plain(self.writer.at(node)), node));
            }
        }
    }

    /// True if only white space is before `at` in its line.
    fn starts_line(&self, at: usize) -> bool {
        let before = self.bytes.clamped(..at).tail(MAX_INDENTATION_BYTES);
        let blanks = before.trailing(|byte| matches!(byte, b' ' | b'\t'));
        let before = before.clamped(..before.len() - blanks);
        before.last().is_none_or(|&byte| byte == b'\n') && blanks < 64
    }

    /// Reads `@name{…}`.
    fn braced(&mut self, at: usize, name: &[u8], open: usize) -> ControlFlow<(), usize> {
        let is_known = matches!(
            name,
            b"url"
                | b"uref"
                | b"email"
                | b"anchor"
                | b"ref"
                | b"xref"
                | b"pxref"
                | b"link"
                | b"verb"
                | b"image"
        );
        if !is_known {
            return ControlFlow::Continue(open + 1);
        }
        if name == b"verb" {
            return self.verbatim(open);
        }
        let Some(arguments) = self.arguments(open) else {
            return ControlFlow::Continue(open + 1);
        };
        let Some(&first) = arguments.first() else { return ControlFlow::Continue(open + 1) };
        let whole = Span::new(at, arguments.last().map_or(first.end(), |last| last.end()) + 1);
        match name {
            b"anchor" => self.define(first),
            b"ref" | b"xref" | b"pxref" | b"link" => {
                // The fourth argument names another manual.
                let is_other = arguments.get(3).is_some_and(|manual| !manual.is_empty())
                    // In `@link{node, text, manual}`, it is the third.
                    || name == b"link" && arguments.len() > 2;
                if !is_other && self.writer.wants_names() {
                    self.references.push((plain(self.writer.at(first)), whole));
                }
            }
            b"image" => {
                self.writer.prose(first.start())?;
                // The name has no extension: each output format adds its own, so it names no single
                // file.
                self.writer.value(first, Role::Attribute, Some("image"), None)?;
            }
            _ => {
                let text = self.writer.at(first);
                self.writer.prose(first.start())?;
                let is_mail = name == b"email" && !text.starts_with(b"mailto:");
                let is_empty = first.is_empty();
                let destination = self.writer.link_with(first, "link", |piece| {
                    if is_mail && !is_empty {
                        assume(piece, b"mailto:", first.start());
                    }
                    unescape(text, first.start(), piece);
                })?;
                if let Some(&text) = arguments.get(1) {
                    self.writer.label(text, destination);
                }
                return ControlFlow::Continue(first.end());
            }
        }
        ControlFlow::Continue(first.end())
    }

    /// Reads `@verb{|…|}`.
    fn verbatim(&mut self, open: usize) -> ControlFlow<(), usize> {
        let inside = self.bytes.clamped(open + 1..).clamped(..MAX_BYTES);
        let Some((&mark, text)) = inside.split_first() else {
            return ControlFlow::Continue(open + 1);
        };
        work_counter::add(text.len());
        let Some(end) = memmem::find(text, &[mark, b'}']) else {
            return ControlFlow::Continue(open + 1);
        };
        self.writer.prose(open + 2)?;
        self.writer.emit_to(open + 2 + end, Role::Code)?;
        ControlFlow::Continue(open + 2 + end)
    }

    /// Returns the arguments between the brace at `open` and the one that closes it.
    fn arguments(&self, open: usize) -> Option<Vec<Span>> {
        let inside = self.bytes.clamped(open + 1..).clamped(..MAX_BYTES);
        let (mut depth, mut start, mut arguments) = (0_usize, 0, Vec::new());
        let mut at = 0;
        let mut add = |start: usize, end: usize| {
            arguments.push(trimmed(self.bytes, Span::new(open + 1 + start, open + 1 + end)));
        };
        loop {
            match inside.get(at)? {
                // The byte after it may be an escaped brace.
                b'@' => at += 1,
                b'{' => depth += 1,
                b'}' if depth == 0 => break,
                b'}' => depth -= 1,
                b',' if depth == 0 => {
                    add(start, at);
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        work_counter::add(at);
        add(start, at);
        Some(arguments)
    }

    fn define(&mut self, span: Span) {
        let name = plain(self.writer.at(span));
        self.writer.anchor(&name, span);
        self.nodes.insert(name);
    }

    /// Returns the end of an environment's content.
    fn environment_end(&mut self, first: TextLine, name: &[u8]) -> Option<usize> {
        // Each further search would read the rest of the document again.
        if self.unclosed.iter().any(|unclosed| unclosed == name) {
            return None;
        }
        let end = [&b"\n@end "[..], name].concat();
        // The content may be empty, so the line end before it counts as that before `@end`.
        let start = first.next.saturating_sub(1);
        let found = memmem::find(self.bytes.clamped(start..), &end);
        if found.is_none() {
            self.unclosed.push(name.to_vec());
        }
        found.map(|found| (start + found + 1).max(first.next))
    }

    fn environment(&mut self, first: TextLine, name: &[u8], role: Role) -> ControlFlow<(), usize> {
        let Some(end) = self.environment_end(first, name) else {
            return ControlFlow::Continue(first.next);
        };
        self.writer.prose(first.next)?;
        self.writer.emit_to(end, role)?;
        ControlFlow::Continue(end)
    }

    fn html(&mut self, first: TextLine) -> ControlFlow<(), usize> {
        let Some(end) = self.environment_end(first, b"html") else {
            return ControlFlow::Continue(first.next);
        };
        self.writer.nested(Span::new(first.next, end), html::read)?;
        ControlFlow::Continue(end)
    }
}

/// Returns the text of a name or a title without commands, with white space as one space.
fn plain(text: &[u8]) -> String {
    const CHARACTERS: [&[u8]; 5] = [b"comma", b"atchar", b"hashchar", b"backslashchar", b"tie"];
    let mut uncommanded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'@', rest) {
        uncommanded.extend_from_slice(rest.clamped(..at));
        let after = rest.clamped(at + 1..);
        let length = after.leading(|byte| byte.is_ascii_alphabetic());
        // Escapes are decoded below; in `@code{a}`, only the argument is text.
        let kept = match length {
            0 => rest.clamped(at..at + 2),
            _ if CHARACTERS.contains(&after.clamped(..length)) => rest.clamped(at..=at + length),
            _ => b"",
        };
        uncommanded.extend_from_slice(kept);
        rest = after.clamped(length.max(1)..);
    }
    uncommanded.extend_from_slice(rest);
    let mut piece = DerivedText::default();
    unescape(&uncommanded, 0, &mut piece);
    let mut plain = lossy(piece.text()).into_owned();
    plain.retain(|c| !matches!(c, '{' | '}'));
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Appends an argument without the escapes of Texinfo.
fn unescape(text: &[u8], at: usize, piece: &mut DerivedText) {
    const ESCAPES: [(&[u8], &[u8]); 14] = [
        (b"@@", b"@"),
        (b"@{", b"{"),
        (b"@}", b"}"),
        // These three control hyphens, line breaks, and the space after a full stop.
        (b"@-", b""),
        (b"@/", b""),
        (b"@:", b""),
        (b"@ ", b" "),
        (b"@comma{}", b","),
        (b"@atchar{}", b"@"),
        (b"@lbracechar{}", b"{"),
        (b"@rbracechar{}", b"}"),
        (b"@backslashchar{}", b"\\"),
        (b"@hashchar{}", b"#"),
        (b"@tie{}", b" "),
    ];
    let mut from = 0;
    while let Some(found) = memchr(b'@', text.clamped(from..)) {
        let mark = from + found;
        piece.copy(text.clamped(from..mark), at + from);
        let rest = text.clamped(mark..);
        match ESCAPES.iter().find(|(escape, _)| rest.starts_with(escape)) {
            Some((escape, plain)) => {
                let source = Span::new(at + mark, at + mark + escape.len());
                piece.replace(plain, source, RunOrigin::Decoded);
                from = mark + escape.len();
            }
            None => {
                piece.copy(b"@", at + mark);
                from = mark + 1;
            }
        }
    }
    piece.copy(text.clamped(from..), at + from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_texinfo() {
        let mut piece = DerivedText::default();
        unescape(b"https://a.example/@@b@comma{}c@/d@x", 0, &mut piece);
        assert_eq!(piece.text(), b"https://a.example/@b,cd@x");
        assert_eq!(plain(b"The @code{a}\n  @@node"), "The a @node");
    }
}
