//! Macros, cross references, and anchors in the text of AsciiDoc.

use std::ops::ControlFlow;

use memchr::{memchr, memchr_iter, memmem};

use super::reader::{AsciiDocReader, TitleReference, is_resource_id};
use crate::document::writer::assume;
use crate::document::{Role, html};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Maximum length of the name of a macro.
const MAX_MACRO_BYTES: usize = 16;

/// Longest target, id, and label. The bound keeps time linear where a mark has no end.
pub(super) const MAX_BYTES: usize = 1024;

/// The name of the macro for cross references.
pub(super) const XREF: &[u8] = b"xref:";

/// A macro before a bracket, `name:target[`.
struct Macro {
    kind: MacroKind,
    start: usize,
    target: Span,
}

/// The two forms of a cross reference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReferenceForm {
    /// `<<name>>`
    Angle,
    /// `xref:name[]`
    Macro,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MacroKind {
    /// `link:target[` or `https://target[`.
    Link,
    Mail,
    CrossReference,
    Image,
    Anchor,
    /// `pass:[`, `stem:[`: the text in brackets is verbatim.
    Verbatim,
}

impl AsciiDocReader<'_, '_> {
    /// Reads the markup of a text. What is left is emitted later, with the text after it.
    pub(super) fn inline(&mut self, span: Span) -> ControlFlow<()> {
        let (mut at, mut token) = (span.start(), span.start());
        let is_mark = |byte: &u8| matches!(byte, b'[' | b'<' | b'+' | b'$' | b'{');
        while let Some(found) = self.bytes.part(at..span.end()).iter().position(is_mark) {
            work_counter::add(found + 1);
            let mark = at + found;
            let rest = self.bytes.part(mark..span.end());
            at = match rest {
                [b'+', ..] | [b'$', b'$', ..] => self.passed_through(mark, span)?,
                [b'<', b'<', ..] => self.cross_reference(mark, span)?,
                // The text of a macro may start with a bracket: `xref:a.adoc[[.cmd]`b`]`.
                [b'[', b'[', ..] if self.macro_in(Span::new(token, mark)).is_none() => {
                    self.anchor(mark, rest)
                }
                [b'[', b'#', ..] => self.short_anchor(mark, rest),
                [b'[', ..] => self.macro_before(mark, token, span)?,
                [b'{', ..] => {
                    // It may also be the target of the macro whose bracket follows.
                    at = self.attribute(mark, rest)?;
                    continue;
                }
                _ => {
                    // Alone, it may be in the target of a macro: `xref:attachment$a.zip[]`.
                    at = mark + 1;
                    continue;
                }
            };
            token = at;
        }
        self.open_references(span);
        ControlFlow::Continue(())
    }

    /// Reads `{name}` whose value is a URI: it becomes a link.
    fn attribute(&mut self, at: usize, rest: &[u8]) -> ControlFlow<(), usize> {
        let token = rest.clamped(..MAX_BYTES / 4);
        let length = token.leading(|byte| {
            !byte.is_ascii_whitespace() && !matches!(byte, b'[' | b']' | b',' | b'"' | b'<' | b'>')
        });
        let token = token.clamped(..length);
        let name = memchr(b'}', token).map(|end| token.clamped(1..end));
        let value = name.and_then(|name| self.attributes.get(name));
        let is_uri = value.is_some_and(|value| memmem::find(value, b"://").is_some());
        if !is_uri || rest.get(length) == Some(&b'[') || at < self.writer.done() {
            return ControlFlow::Continue(at + 1);
        }
        // Punctuation after it belongs to the sentence.
        let end = token.trailing(|byte| {
            matches!(byte, b'.' | b';' | b':' | b'!' | b'?' | b')' | b'`' | b'*' | b'_')
        });
        let span = Span::new(at, at + length - end);
        self.target(span, "link")?;
        ControlFlow::Continue(span.end())
    }

    /// Reads `+…+`, `++…++`, `+++…+++`, and `$$…$$`, which are not parsed.
    fn passed_through(&mut self, at: usize, span: Span) -> ControlFlow<(), usize> {
        let rest = self.bytes.part(at..span.end());
        let mark = rest.first().copied();
        let marks = rest.leading(|byte| Some(byte) == mark);
        let inside = rest.clamped(marks..).clamped(..MAX_BYTES);
        let before = at.checked_sub(1).and_then(|at| self.bytes.get(at));
        // A single mark must be at the edge of a word.
        let opens = marks > 1
            || before.is_none_or(|byte| !byte.is_ascii_alphanumeric())
                && inside.first().is_some_and(|byte| !byte.is_ascii_whitespace());
        // The mark itself, quoted: `"+"`.
        let is_quoted = before.is_some_and(|byte| {
            matches!(byte, b'"' | b'\'' | b'`') && inside.first() == Some(byte)
        });
        // Four marks and more delimit a block of passthrough, which is read line by line.
        if marks > 3 || !opens || is_quoted {
            return ControlFlow::Continue(at + marks);
        }
        work_counter::add(inside.len());
        let marked = rest.clamped(..marks);
        let mut ends = memmem::find_iter(inside, marked);
        let end = ends.find(|&end| {
            let after = inside.get(end + marks);
            end > 0 && (marks > 1 || after.is_none_or(|byte| !byte.is_ascii_alphanumeric()))
        });
        let Some(end) = end else { return ControlFlow::Continue(at + marks) };
        let inside = Span::new(at + marks, at + marks + end);
        if let Some(next) = self.verbatim_target(at, inside, inside.end() + marks, span)? {
            return ControlFlow::Continue(next);
        }
        match (mark, marks) {
            (Some(b'+'), 3) => self.passed_to_page(inside)?,
            _ => {
                self.writer.prose(inside.start())?;
                self.writer.emit_to(inside.end(), Role::Code)?;
            }
        }
        ControlFlow::Continue(inside.end() + marks)
    }

    /// Emits a text that a page gets as it is. It may hold HTML.
    fn passed_to_page(&mut self, inside: Span) -> ControlFlow<()> {
        let is_html = memchr::memchr2(b'<', b'&', self.bytes.part(inside.range())).is_some();
        self.writer.prose(inside.start())?;
        if is_html {
            self.writer.nested(inside, html::read)
        } else {
            self.writer.emit_to(inside.end(), Role::Code)
        }
    }

    /// Emits the target of `link:++target++[text]`, which may hold any character (Asciidoctor,
    /// "Complex URLs"). The passthrough begins at `mark` and ends at `after`.
    fn verbatim_target(
        &mut self,
        mark: usize,
        inside: Span,
        after: usize,
        span: Span,
    ) -> ControlFlow<(), Option<usize>> {
        let before = self.bytes.part(..mark);
        let name = ["link", "image"].into_iter().find(|name| {
            let before = before.strip_suffix(b":").and_then(|it| it.strip_suffix(name.as_bytes()));
            before.is_some_and(|it| !it.last().is_some_and(u8::is_ascii_alphanumeric))
        });
        let Some(element) = name.filter(|_| self.bytes.get(after) == Some(&b'[')) else {
            return ControlFlow::Continue(None);
        };
        let start = mark - element.len() - 1;
        if after >= span.end() || self.is_escaped(mark) {
            return ControlFlow::Continue(None);
        }
        self.writer.prose(start)?;
        self.writer.skip(inside.start());
        let destination = self.writer.link(inside, element)?;
        if let Some(end) = self.closing(after + 1, span) {
            self.writer.label(Span::new(after + 1, end), destination);
        }
        ControlFlow::Continue(Some(after + 1))
    }

    /// Reads `<<target>>` or `<<target,text>>`.
    fn cross_reference(&mut self, at: usize, span: Span) -> ControlFlow<(), usize> {
        let inside = self.bytes.part(at + 2..span.end()).clamped(..MAX_BYTES);
        let Some(length) = memmem::find(inside, b">>") else {
            work_counter::add(inside.len());
            return ControlFlow::Continue(at + 2);
        };
        let inside = inside.clamped(..length);
        let target = memchr(b',', inside).unwrap_or(length);
        // In prose about programs `a << b` is a shift, which has a space after it.
        let is_target = inside.first().is_some_and(|&byte| {
            byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_#/.:{\"".contains(&byte)
        });
        if !is_target || self.is_escaped(at) {
            return ControlFlow::Continue(at + 2);
        }
        let end = at + 2 + length;
        let target = Span::new(at + 2, at + 2 + target);
        let destination =
            self.reference_by_name(target, Span::new(at, end + 2), ReferenceForm::Angle)?;
        if let Some(destination) = destination.filter(|_| target.end() < end) {
            self.writer.label(Span::new(target.end() + 1, end), destination);
        }
        ControlFlow::Continue(end + 2)
    }

    /// Reads `[[id]]` or `[[id,text]]`, or `[[[id]]]` of a bibliography.
    fn anchor(&mut self, at: usize, rest: &[u8]) -> usize {
        let marks = rest.clamped(..3).leading(|byte| byte == b'[');
        let inside = rest.clamped(marks..).clamped(..MAX_BYTES);
        let id = inside.leading(|byte| {
            byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_-.:{}".contains(&byte)
        });
        let is_anchor = id > 0
            && match inside.get(id) {
                Some(b']') => inside.get(id + 1) == Some(&b']'),
                Some(b',') => true,
                _ => false,
            };
        if is_anchor {
            let name = lossy(inside.clamped(..id));
            self.writer.anchor(&name, Span::new(at, at + marks + id));
        }
        at + marks
    }

    /// Reads `[#id]` before a quoted text or at the start of a title.
    fn short_anchor(&mut self, at: usize, rest: &[u8]) -> usize {
        let inside = rest.clamped(2..).clamped(..MAX_BYTES);
        // Roles and options follow the id: `[#a.b%c]` (AsciiDoc, "Shorthand").
        let id = inside.leading(|byte| !b"].,% \n[".contains(&byte));
        if id > 0 && memchr(b']', inside).is_some() {
            let name = lossy(inside.clamped(..id));
            self.writer.anchor(&name, Span::new(at, at + 2 + id));
        }
        at + 2
    }

    /// Reads the macro whose bracket is at `at`. `token` is the end of the last markup.
    fn macro_before(&mut self, at: usize, token: usize, span: Span) -> ControlFlow<(), usize> {
        let Some(found) = self.macro_in(Span::new(token, at)) else {
            return ControlFlow::Continue(at + 1);
        };
        let open = at + 1;
        // A defanged host has brackets, but no label: `https://evil[.]example/`.
        let is_defanged = [&b"[.]"[..], b"[:]", b"[dot]", b"[/]"]
            .iter()
            .any(|mark| self.bytes.part(at..).starts_with(mark));
        if self.is_escaped(found.target.start()) || is_defanged {
            return ControlFlow::Continue(open);
        }
        self.writer.prose(found.start)?;
        self.writer.markup(found.target.start())?;
        let destination = match found.kind {
            MacroKind::Link => self.target(found.target, "link")?,
            MacroKind::Image => self.target(found.target, "image")?,
            MacroKind::Mail => {
                let bytes = self.bytes;
                self.writer.link_with(found.target, "link", |piece| {
                    let address = bytes.part(found.target.range());
                    if !address.starts_with(b"mailto:") {
                        assume(piece, b"mailto:", found.target.start());
                    }
                    piece.copy(address, found.target.start());
                })?
            }
            MacroKind::CrossReference => {
                let whole = Span::new(found.target.start(), open);
                match self.reference_by_name(found.target, whole, ReferenceForm::Macro)? {
                    Some(destination) => destination,
                    None => return ControlFlow::Continue(open),
                }
            }
            MacroKind::Anchor => {
                let name = lossy(self.bytes.part(found.target.range()));
                self.writer.anchor(&name, found.target);
                return ControlFlow::Continue(open);
            }
            MacroKind::Verbatim => {
                let end = self.closing(open, span).unwrap_or(open);
                let inside = Span::new(open, end);
                if let Some(next) = self.verbatim_target(found.start, inside, end + 1, span)? {
                    return ControlFlow::Continue(next);
                }
                // Without substitutions, the text of `pass:[` is that of the page.
                if self.bytes.part(found.start..open).starts_with(b"pass:[") {
                    self.passed_to_page(inside)?;
                    return ControlFlow::Continue(end);
                }
                self.writer.prose(open)?;
                self.writer.emit_to(end, Role::Code)?;
                return ControlFlow::Continue(end);
            }
        };
        if self.writer.wants_names()
            && let Some(end) = self.closing(open, span)
        {
            // Attributes follow the text: `[the text,window=_blank]`.
            let text = self.bytes.part(open..end);
            let length = memmem::find(text, b",window=").or_else(|| memmem::find(text, b",role="));
            let length = length.unwrap_or(text.strip_suffix(b"^").unwrap_or(text).len());
            // An image is not a text that names the target.
            if !text.starts_with(b"image:") {
                self.writer.label(Span::new(open, open + length), destination);
            }
        }
        if found.kind == MacroKind::Image
            && let Some(end) = self.closing(open, span)
        {
            return ControlFlow::Continue(self.link_of_image(Span::new(open, end))?);
        }
        ControlFlow::Continue(open)
    }

    /// Returns the bracket that closes the one before `open`.
    fn closing(&self, open: usize, span: Span) -> Option<usize> {
        let inside = self.bytes.part(open..span.end()).clamped(..MAX_BYTES);
        work_counter::add(inside.len());
        let mut depth = 0_usize;
        for at in memchr::memchr2_iter(b'[', b']', inside) {
            match inside.get(at) {
                _ if at > 0 && inside.get(at - 1) == Some(&b'\\') => {}
                Some(b'[') => depth += 1,
                _ if depth == 0 => return Some(open + at),
                _ => depth -= 1,
            }
        }
        None
    }

    /// Returns the macro that ends at the end of `span`.
    fn macro_in(&self, span: Span) -> Option<Macro> {
        let before = self.bytes.part(span.range()).tail(MAX_BYTES);
        let line = before.len() - before.trailing(|byte| byte != b'\n');
        let before = before.clamped(line..);
        let base = span.end() - before.len();
        let token = before.len() - before.trailing(|byte| !byte.is_ascii_whitespace());
        // The targets of images and references may have spaces, so look at the whole line for
        // these.
        for colon in memchr_iter(b':', before) {
            let name = before.clamped(..colon);
            let length = name.trailing(|byte| byte.is_ascii_alphabetic());
            let start = colon - length;
            let (name, target) = (name.clamped(start..), before.clamped(colon + 1..));
            let is_word = name.is_empty()
                || start.checked_sub(1).is_some_and(|at| {
                    before.get(at).is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
                });
            let has_target = !target.is_empty() && !target.starts_with(b" ");
            let kind = match name {
                _ if is_word => continue,
                b"link" | b"image" if target == b"pass:" => {
                    let target = Span::new(span.end(), span.end());
                    let start = base + colon + 1;
                    return Some(Macro { kind: MacroKind::Verbatim, start, target });
                }
                b"xref" if has_target => MacroKind::CrossReference,
                // `image::` is the macro of a block, which the reader of lines takes.
                b"image" | b"icon" if has_target && !target.starts_with(b":") => MacroKind::Image,
                // `pass:q,a[…]` names substitutions before its bracket. Anything longer is not a
                // list of them.
                b"pass" | b"stem" | b"latexmath" | b"asciimath" if target.len() < 4 => {
                    MacroKind::Verbatim
                }
                _ if start < token => continue,
                b"link" if has_target => MacroKind::Link,
                b"mailto" if has_target => MacroKind::Mail,
                b"anchor" if has_target => MacroKind::Anchor,
                // `http://[::1]/` has a bracket of its own (RFC 3986 §3.2.2).
                b"http" | b"https" | b"ftp" | b"irc" | b"file"
                    if target.starts_with(b"//") && target.len() > 2 =>
                {
                    return Some(Macro {
                        kind: MacroKind::Link,
                        start: base + start,
                        target: Span::new(base + start, span.end()),
                    });
                }
                _ => continue,
            };
            // An icon is a name, not a file.
            let kind = if name == b"icon" { return None } else { kind };
            let target = Span::new(base + colon + 1, span.end());
            return Some(Macro { kind, start: base + start, target });
        }
        // `{url}[text]` is a link if the value of the attribute is one, or the start of a macro.
        let used = before.clamped(token..);
        let open = memchr(b'{', used)?;
        let name = used.clamped(open + 1..);
        let name = name.clamped(..memchr(b'}', name)?);
        let value = self.attributes.get(name)?;
        let kind = match value {
            _ if value.starts_with(XREF) && !value.contains(&b'[') => MacroKind::CrossReference,
            _ if memmem::find(value, b"://").is_some() => MacroKind::Link,
            _ => return None,
        };
        let target = Span::new(base + token + open, span.end());
        Some(Macro { kind, start: target.start(), target })
    }

    /// True after a backslash, which makes markup text.
    fn is_escaped(&self, target: usize) -> bool {
        let line = self.bytes.clamped(..target).tail(MAX_MACRO_BYTES);
        let name = line.trailing(|byte| byte.is_ascii_alphabetic() || matches!(byte, b':' | b'<'));
        let at = line.len() - name;
        at.checked_sub(1).and_then(|at| line.get(at)) == Some(&b'\\')
    }

    /// Emits the target of a cross reference that starts with an attribute, whose value decides
    /// whether it is a path or an id.
    fn reference_by_attribute(
        &mut self,
        target: Span,
        whole: Span,
    ) -> ControlFlow<(), Option<Span>> {
        let Self { writer, bytes, attributes, .. } = self;
        let mut expanded = DerivedText::default();
        attributes.expand(bytes, target, &mut expanded);
        let whole_text = expanded.text();
        let text = whole_text.strip_prefix(XREF).unwrap_or(whole_text);
        let is_macro = text.len() < whole_text.len();
        let prefix: &[u8] = match text {
            // Without this, the module before the colon would be read as a scheme (RFC 3986 §4.2).
            _ if is_resource_id(text) => b"./",
            _ if text.iter().any(|byte| matches!(byte, b'#' | b'.' | b'/')) => b"",
            _ => b"#",
        };
        writer.prose(whole.start())?;
        let destination = writer.link_with(target, "xref", |piece| {
            assume(piece, prefix, target.start());
            if is_macro {
                piece.replace(text, target, RunOrigin::Decoded)
            } else {
                attributes.expand(bytes, target, piece)
            }
        })?;
        ControlFlow::Continue(Some(destination))
    }

    /// Emits the target of a cross reference as a relative reference. Returns `None` for a
    /// reference to a title.
    pub(super) fn reference_by_name(
        &mut self,
        target: Span,
        whole: Span,
        form: ReferenceForm,
    ) -> ControlFlow<(), Option<Span>> {
        let text = self.bytes.part(target.range());
        if text.starts_with(b"{") {
            return self.reference_by_attribute(target, whole);
        }
        let (path, fragment) = match memchr(b'#', text) {
            Some(at) => (text.clamped(..at), Some(text.clamped(at + 1..))),
            None => (text, None),
        };
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        let has_extension = name.contains(&b'.');
        let is_path = fragment.is_some() && !path.is_empty()
            || [&b".adoc"[..], b".asciidoc", b".asc", b".ad", b".html"]
                .iter()
                .any(|it| name.ends_with(it))
            || is_resource_id(text) && has_extension
            // In a macro, every name with an extension is a path (Asciidoctor 2.0, "Inter-document
            // cross references"). Authors write numbers, as in `v1.2`, for anchors nevertheless.
            || form == ReferenceForm::Macro
                && fragment.is_none()
                && has_extension
                && (path.contains(&b'/') || ends_in_letters(name));
        if memmem::find(text, b"://").is_some() {
            self.writer.prose(whole.start())?;
            return ControlFlow::Continue(Some(self.target(target, "link")?));
        }
        if !is_path && fragment.is_none() && text.contains(&b' ') {
            let is_quote = |byte| byte == b'"';
            let (start, end) = (text.leading(is_quote), text.trailing(is_quote));
            let target = Span::new(target.start() + start, target.end() - end);
            let title = lossy(self.bytes.part(target.range())).into_owned();
            self.references.push(TitleReference { title, target, whole });
            return ControlFlow::Continue(None);
        }
        let start = target.start();
        let (path_end, is_resource) = (start + path.len(), is_resource_id(text));
        let Self { writer, bytes, attributes, .. } = self;
        writer.prose(whole.start())?;
        let destination = writer.link_with(target, "xref", |piece| {
            if !is_path {
                if fragment.is_none() {
                    assume(piece, b"#", start);
                }
                attributes.expand(bytes, target, piece);
                return;
            }
            if is_resource {
                assume(piece, b"./", start);
            }
            attributes.expand(bytes, Span::new(start, path_end), piece);
            // `<<page#id>>` may leave out the extension. An attribute at the end may hold it.
            if !has_extension && !path.ends_with(b"}") {
                assume(piece, b".adoc", path_end);
            }
            attributes.expand(bytes, Span::new(path_end, target.end()), piece);
        })?;
        ControlFlow::Continue(Some(destination))
    }
}

/// True for a name whose extension starts with a letter.
fn ends_in_letters(name: &[u8]) -> bool {
    let mut parts = name.rsplit(|&byte| byte == b'.');
    parts.next().and_then(<[u8]>::first).is_some_and(u8::is_ascii_alphabetic)
}
