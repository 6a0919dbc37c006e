//! Reads the entries and fields of BibTeX.

use std::ops::ControlFlow;

use memchr::memchr;

use crate::delimit::split_extension;
use crate::document::keys::role_of_key;
use crate::document::latex;
use crate::document::writer::{BareUris, PartWriter};
use crate::document::{EventSink, Place, Role, Source};
use crate::offset_map::RunOrigin;
use crate::shorten::shortened_text;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Longest key of an entry.
const MAX_KEY_BYTES: usize = 256;
/// Longest value. The bound keeps time linear where a brace is never closed.
const MAX_BYTES: usize = 1 << 16;

pub(super) struct BibtexReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    at: usize,
}

impl<'d, 's> BibtexReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown);
        Self { writer, bytes: source.bytes, at: 0 }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        while let Some(found) = memchr(b'@', self.bytes.clamped(self.at..)) {
            let mark = self.at + found;
            work_counter::add(found + 1);
            self.at = mark + 1;
            let rest = self.bytes.clamped(mark + 1..);
            let length = rest.leading(|byte| byte.is_ascii_alphabetic());
            let kind = lossy(rest.clamped(..length)).to_ascii_lowercase();
            let open = mark + 1 + length;
            let blanks = self.bytes.clamped(open..).leading(|byte| byte.is_ascii_whitespace());
            // BibTeX allows parentheses around an entry as well as braces.
            let opens = matches!(self.bytes.get(open + blanks), Some(b'{' | b'('));
            // Text between entries is a comment, also an address in it.
            if opens && length > 0 && kind != "comment" {
                self.entry(mark, open + blanks + 1, &kind)?;
            }
        }
        self.writer.emit_to(self.bytes.len(), Role::Comment)
    }

    /// Reads `@kind{key, field = value, …}`; `@string` and `@preamble` have no key.
    fn entry(&mut self, mark: usize, start: usize, kind: &str) -> ControlFlow<()> {
        self.writer.emit_to(mark, Role::Comment)?;
        let mut at = start;
        let mut key = String::new();
        if kind != "string" && kind != "preamble" {
            let rest = self.bytes.clamped(start..);
            // Each `@a{` of a long line would look for a comma to its end.
            let near = rest.clamped(..MAX_KEY_BYTES);
            let length =
                near.leading(|byte| !matches!(byte, b',' | b'{' | b'}' | b'"' | b'\n' | b'='));
            if rest.get(length) == Some(&b',') {
                key = lossy(rest.clamped(..length)).trim().to_owned();
                at = start + length + 1;
                self.writer.markup(at)?;
            }
        }
        // Each field of the entry repeats the key.
        let key = shortened_text(&key).into_owned();
        loop {
            let rest = self.bytes.clamped(at..);
            let blanks = rest.leading(|byte| byte.is_ascii_whitespace() || byte == b',');
            let name = rest.clamped(blanks..);
            let length =
                name.leading(|byte| byte.is_ascii_alphanumeric() || b"_-:+.".contains(&byte));
            let after = name.clamped(length..);
            let gap = after.leading(|byte| byte.is_ascii_whitespace());
            if length == 0 || after.get(gap) != Some(&b'=') {
                self.at = at.max(self.at);
                return ControlFlow::Continue(());
            }
            let start = at + blanks;
            let name = lossy(name.clamped(..length)).to_ascii_lowercase();
            let value = start + length + gap + 1;
            let end = self.value_end(value);
            self.field(&key, name, Span::new(start, value), end)?;
            at = end;
        }
    }

    fn field(&mut self, key: &str, name: String, label: Span, end: usize) -> ControlFlow<()> {
        // BibDesk keeps the URLs of an entry in `bdsk-url-1` and so on.
        let is_url = name.starts_with("bdsk-url-");
        let role = if is_url { Role::Destination } else { role_of_key(&name) };
        let is_eprint = name == "eprint";
        let is_file = name == "file";
        let entry = key.to_owned().into();
        self.writer.set_place(Some(Place::Entry { entry, field: name.into() }));
        let value = Span::new(label.end(), end);
        if is_eprint && self.url(value).is_none() {
            let flow = self.eprint(label, value, role);
            self.writer.set_place(None);
            return flow;
        }
        if is_file && self.files(label, value)? {
            self.writer.set_place(None);
            return ControlFlow::Continue(());
        }
        let flow = match self.url(value).filter(|_| role == Role::Destination) {
            Some(url) => {
                let text = self.writer.at(url);
                self.writer.markup(url.start())?;
                self.writer
                    .link_with(url, "url", |piece| latex::unescape(text, url.start(), piece))
                    .map_continue(|_| ())
            }
            None => {
                self.writer.markup(label.start())?;
                self.writer.emit_to(end, role)
            }
        };
        self.writer.set_place(None);
        flow
    }

    /// Emits the links in the files of JabRef, Mendeley, and Zotero, `description:link:type;…`, in
    /// which a backslash stands before the colon of a link; false if the value is not such a list.
    fn files(&mut self, label: Span, value: Span) -> ControlFlow<(), bool> {
        let text = self.writer.at(value);
        let start = value.start() + text.leading(is_around);
        let end = (value.end() - text.trailing(is_around)).max(start);
        let mut links = Vec::new();
        let mut from = start;
        while from <= end {
            let file = Span::new(from, end_of_item(self.bytes, Span::new(from, end), b';'));
            let mut parts = Vec::new();
            let mut at = file.start();
            // More parts than these are not a file.
            while at <= file.end() && parts.len() <= MAX_FILE_PARTS {
                let part = Span::new(at, end_of_item(self.bytes, Span::new(at, file.end()), b':'));
                parts.push(part);
                at = part.end() + 1;
            }
            // A colon without its backslash is that of a URI, which would be divided.
            let is_divided =
                parts.iter().any(|part| self.bytes.clamped(part.end()..).starts_with(b"://"));
            if (3..=MAX_FILE_PARTS).contains(&parts.len()) && !is_divided {
                let is_link =
                    |part: &Span| memchr::memmem::find(self.writer.at(*part), b"\\://").is_some();
                links.extend(parts.into_iter().filter(is_link));
            }
            from = file.end() + 1;
        }
        if links.is_empty() {
            return ControlFlow::Continue(false);
        }
        self.writer.markup(label.start())?;
        for link in links {
            let text = self.writer.at(link);
            self.writer.link_with(link, "file", |piece| {
                let mut from = 0;
                for mark in memchr::memchr_iter(b'\\', text) {
                    let is_escape = matches!(text.get(mark + 1), Some(b':' | b';' | b'\\'));
                    if is_escape && mark >= from {
                        piece.copy(text.clamped(from..mark), link.start() + from);
                        let source = Span::new(link.start() + mark, link.start() + mark + 2);
                        let escaped = text.clamped(mark + 1..mark + 2);
                        piece.replace(escaped, source, RunOrigin::Decoded);
                        from = mark + 2;
                    }
                }
                piece.copy(text.clamped(from..), link.start() + from);
            })?;
        }
        self.writer.emit_to(value.end(), Role::Text)?;
        ControlFlow::Continue(true)
    }

    /// Emits a number of an archive as that of the arXiv, which is the default of `archiveprefix`.
    /// The numbers of other archives have other shapes, and the rule for arXiv finds nothing in
    /// them (D7).
    fn eprint(&mut self, label: Span, value: Span, role: Role) -> ControlFlow<()> {
        self.writer.markup(label.start())?;
        let text = self.writer.at(value);
        let around = text.leading(is_around);
        let start = value.start() + around;
        let whole = Span::new(label.start(), value.end());
        self.writer.derived(whole, role, |piece| {
            piece.replace(b"arXiv: ", Span::new(label.start(), start), RunOrigin::Decoded);
            piece.copy(text.clamped(around..), start);
        })
    }

    /// Returns the URL that is all of a value, without its delimiters.
    fn url(&self, value: Span) -> Option<Span> {
        let bytes = self.bytes.part(value.range());
        let start = value.start() + bytes.leading(is_around);
        let end = value.end() - bytes.trailing(is_around);
        let text = self.bytes.get(start..end)?;
        // A value of several words is prose with a URL in it, which is searched as text.
        let is_url = memchr::memmem::find(text, b"://").is_some()
            && (!text.iter().any(u8::is_ascii_whitespace) || names_spaced_file(text));
        is_url.then(|| Span::new(start, end))
    }

    /// Returns the end of a value, at the comma or the brace after it.
    fn value_end(&self, start: usize) -> usize {
        let rest = self.bytes.clamped(start..).clamped(..MAX_BYTES);
        let (mut depth, mut is_quoted) = (0_usize, false);
        for (at, byte) in rest.iter().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 0 => return start + at,
                b'}' => depth -= 1,
                // Inside braces a quotation mark is a character, as in `{the "best"}`.
                b'"' if depth == 0 => is_quoted = !is_quoted,
                b',' if depth == 0 && !is_quoted => return start + at,
                // A brace is missing: BibTeX, too, continues with the next entry.
                b'@' if starts_entry(rest, at) => return start + at,
                _ => continue,
            }
            work_counter::add(1);
        }
        work_counter::add(rest.len());
        // Between lines, so that no URI is cut.
        let is_cut = rest.len() == MAX_BYTES;
        let line = memchr::memrchr(b'\n', rest).filter(|_| is_cut);
        start + line.unwrap_or(rest.len())
    }
}

/// Most parts of a file: a description, the link, its type, and where it was downloaded from.
const MAX_FILE_PARTS: usize = 4;

/// Returns the end of the item at the start of `span`, at a separator without a backslash before
/// it.
fn end_of_item(bytes: &[u8], span: Span, separator: u8) -> usize {
    let text = bytes.part(span.range());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == separator => break,
            _ => at += 1,
        }
    }
    span.start() + at.min(text.len())
}

/// True for a URL that ends in the name of a file with spaces, as in
/// `https://a.example/My Report.pdf`.
///
/// Many authors write more into the field than the URL: `https://a.example/x, accessed 3.5.2010`.
/// Then a mark stands before the space, or no name of a file at the end.
fn names_spaced_file(text: &[u8]) -> bool {
    let is_file = split_extension(text)
        .is_some_and(|(_, extension)| extension.iter().any(u8::is_ascii_alphabetic));
    let mut pairs = text.windows(2);
    let is_prose =
        pairs.any(|pair| matches!(pair, [before, b' '] if !before.is_ascii_alphanumeric()));
    let is_line = text.iter().all(|&byte| byte == b' ' || !byte.is_ascii_whitespace());
    is_file && !is_prose && is_line
}

/// True if an entry starts at the `@`: it begins a line, and `kind{` follows.
fn starts_entry(text: &[u8], at: usize) -> bool {
    const MAX_KIND_BYTES: usize = 32;
    let kind = text.clamped(at + 1..).clamped(..MAX_KIND_BYTES);
    let length = kind.leading(|byte| byte.is_ascii_alphabetic());
    text.clamped(..at).ends_with(b"\n") && length > 0 && kind.get(length) == Some(&b'{')
}

/// True for a byte around the text of a value.
fn is_around(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'"')
}
