//! Links, targets, and verbatim text in Org.

use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use super::reader::{InternalLink, OrgReader};
use crate::document::writer::{assume, trimmed};
use crate::document::{Role, html, picture};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Maximum length of a target.
const MAX_TARGET_BYTES: usize = 256;

/// Longest link and verbatim text. The bound keeps time linear where a mark has no end.
const MAX_BYTES: usize = 1024;

/// Schemes that only Emacs resolves.
const EMACS_SCHEMES: [&[u8]; 19] = [
    b"id",
    b"info",
    b"elisp",
    b"shell",
    b"help",
    b"man",
    b"woman",
    b"attachment",
    b"docview",
    b"bbdb",
    b"mhe",
    b"gnus",
    b"rmail",
    b"notmuch",
    b"mu4e",
    b"eww",
    b"fuzzy",
    b"coderef",
    b"roam",
];

impl OrgReader<'_, '_> {
    pub(super) fn inline(&mut self, span: Span) -> ControlFlow<()> {
        let mut at = span.start();
        let is_mark = |byte: &u8| matches!(byte, b'[' | b'<' | b'=' | b'~' | b'@');
        while let Some(found) = self.bytes.part(at..span.end()).iter().position(is_mark) {
            work_counter::add(found);
            let mark = at + found;
            let rest = self.bytes.part(mark..span.end()).clamped(..MAX_BYTES);
            at = match rest {
                [b'[', b'[', ..] => self.link(mark, rest)?,
                [b'<', b'<', ..] => self.target(mark, rest),
                [b'=' | b'~', ..] => self.verbatim(mark, span.start(), rest)?,
                [b'@', b'@', ..] => self.snippet(mark, rest)?,
                _ => mark + 1,
            };
        }
        ControlFlow::Continue(())
    }

    /// Reads `[[target]]` or `[[target][text]]`.
    fn link(&mut self, at: usize, rest: &[u8]) -> ControlFlow<(), usize> {
        let inside = rest.clamped(2..);
        if inside.starts_with(b"[") {
            return ControlFlow::Continue(at + 1);
        }
        // A target has no brackets, unless a backslash escapes them.
        let bracket = memchr::memchr2_iter(b']', b'[', inside)
            .find(|&end| end == 0 || inside.get(end - 1) != Some(&b'\\'));
        let ends = bracket.filter(|&end| matches!(inside.get(end..end + 2), Some(b"]]" | b"][")));
        let Some(length) = ends.filter(|&length| length > 0) else {
            work_counter::add(inside.len());
            return ControlFlow::Continue(at + 2);
        };
        let target = Span::new(at + 2, at + 2 + length);
        let has_text = inside.get(length + 1) == Some(&b'[');
        let text = inside.clamped(length + 2..);
        let (text, end) = match memmem::find(text, b"]]").filter(|_| has_text) {
            Some(end) => {
                let start = target.end() + 2;
                (Some(Span::new(start, start + end)), start + end + 2)
            }
            None => (None, target.end() + 2),
        };
        self.writer.prose(at)?;
        let destination = self.destination(target, Span::new(at, end))?;
        if let Some(destination) = destination
            && let Some(text) = text
        {
            self.writer.label(text, destination);
        }
        // The text of a link may be an image, `[[file:a.png]]`.
        ControlFlow::Continue(target.end())
    }

    /// Emits the target of a link; returns its span unless it is a link within the document.
    fn destination(&mut self, target: Span, whole: Span) -> ControlFlow<(), Option<Span>> {
        let text = self.bytes.part(target.range());
        if let Some(destination) = self.abbreviated(target)? {
            return ControlFlow::Continue(Some(destination));
        }
        let is_path = text.starts_with(b"./") || text.starts_with(b"../");
        if text.starts_with(b"#") || memmem::find(text, b"://").is_some() {
            // `file:https://…` is a slip; Emacs opens the URI.
            let slip = if text.starts_with(b"file:http") { 5 } else { 0 };
            let target = Span::new(target.start() + slip, target.end());
            return ControlFlow::Continue(Some(self.unescaped_link(target)?));
        }
        if text.starts_with(b"file:") || is_path {
            let path = self.file_path(target);
            if self.is_result {
                self.writer.value(path, Role::Attribute, Some("result"), None)?;
                return ControlFlow::Continue(None);
            }
            let element =
                if picture::is_path(self.bytes.part(path.range())) { "image" } else { "link" };
            return ControlFlow::Continue(Some(self.path(path, element)?));
        }
        let scheme = memchr(b':', text).map(|at| text.clamped(..at)).unwrap_or_default();
        let has_scheme = !scheme.is_empty() && scheme.iter().all(u8::is_ascii_alphanumeric);
        if has_scheme && !EMACS_SCHEMES.contains(&scheme) {
            return ControlFlow::Continue(Some(self.unescaped_link(target)?));
        }
        if has_scheme || text.starts_with(b"/") || text.starts_with(b"~") {
            // `id:`, `info:`, `elisp:`, and the like are resolved by Emacs.
            self.writer.value(target, Role::Attribute, Some("link"), None)?;
            return ControlFlow::Continue(None);
        }
        let title = text.strip_prefix(b"*");
        let (is_heading, text) = (title.is_some(), title.unwrap_or(text));
        let target = trimmed(self.bytes, Span::new(target.end() - text.len(), target.end()));
        let mut name = DerivedText::default();
        unescape(text, 0, &mut name);
        let name = lossy(name.text());
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        // `[[(name)]]` refers to a line of code.
        if self.writer.wants_names() && !name.starts_with('(') {
            self.links.push(InternalLink { name, is_heading, target, whole });
        }
        ControlFlow::Continue(None)
    }

    /// Emits a target without the backslashes before brackets (Org 9.3, `org-link-escape`).
    fn unescaped_link(&mut self, target: Span) -> ControlFlow<(), Span> {
        let text = self.bytes.part(target.range());
        self.writer.link_with(target, "link", |piece| unescape(text, target.start(), piece))
    }

    /// Reads `@@html:…@@`, text that an export to HTML takes as it is.
    fn snippet(&mut self, at: usize, rest: &[u8]) -> ControlFlow<(), usize> {
        const OPEN: &[u8] = b"@@html:";
        let Some(inside) = rest.strip_prefix(OPEN) else { return ControlFlow::Continue(at + 2) };
        work_counter::add(inside.len());
        let Some(length) = memmem::find(inside, b"@@") else {
            return ControlFlow::Continue(at + 2);
        };
        let start = at + OPEN.len();
        self.writer.nested(Span::new(start, start + length), html::read)?;
        ControlFlow::Continue(start + length + 2)
    }

    /// Emits the path of a file. A `:` in its first segment would start a scheme (RFC 3986 §4.2).
    fn path(&mut self, span: Span, element: &'static str) -> ControlFlow<(), Span> {
        let text = self.bytes.part(span.range());
        let first = text.clamped(..memchr(b'/', text).unwrap_or(text.len()));
        let needs_dot = first.contains(&b':') && !first.starts_with(b"file:");
        self.writer.link_with(span, element, |piece| {
            if needs_dot {
                assume(piece, b"./", span.start());
            }
            piece.copy(text, span.start());
        })
    }

    /// Reads `<<target>>` or `<<<radio target>>>`.
    fn target(&mut self, at: usize, rest: &[u8]) -> usize {
        let marks = rest.iter().take(3).take_while(|&&byte| byte == b'<').count();
        let inside = rest.clamped(marks..).clamped(..MAX_TARGET_BYTES);
        let inside = inside.clamped(..memchr(b'\n', inside).unwrap_or(inside.len()));
        let closer = if marks == 3 { &b">>>"[..] } else { b">>" };
        if let Some(length) = memmem::find(inside, closer).filter(|&length| length > 0) {
            let name = lossy(inside.clamped(..length));
            self.define(&name, Span::new(at, at + marks + length));
        }
        at + marks
    }

    /// Reads `=verbatim=` or `~code~`.
    fn verbatim(&mut self, at: usize, from: usize, rest: &[u8]) -> ControlFlow<(), usize> {
        let before = at.checked_sub(1).filter(|&at| at >= from).and_then(|at| self.bytes.get(at));
        let opens =
            // Org takes a mark only between certain characters (`org-emphasis-regexp-components`),
            // so that the `=` of `a=b` and of a query are not marks. Other marks may stand around
            // it.
            before.is_none_or(|byte| byte.is_ascii_whitespace() || b"-({'\"*_/".contains(byte));
        let starts = rest.get(1).is_some_and(|byte| !byte.is_ascii_whitespace());
        if !opens || !starts {
            return ControlFlow::Continue(at + 1);
        }
        let Some(mark) = rest.first() else { return ControlFlow::Continue(at + 1) };
        let inside = rest.clamped(1..);
        work_counter::add(inside.len());
        // It spans at most two lines (Org, `org-emphasis-regexp-components`).
        let ends = memchr::memchr_iter(*mark, inside).find(|&end| {
            let last = end.checked_sub(1).and_then(|at| inside.get(at));
            let after = inside.get(end + 1);
            last.is_some_and(|byte| !byte.is_ascii_whitespace())
                && after.is_none_or(|byte| {
                    byte.is_ascii_whitespace() || b"-.,;:!?'\")}[\\*_/".contains(byte)
                })
        });
        let few = |end: &usize| memchr::memchr_iter(b'\n', inside.clamped(..*end)).count() < 2;
        let Some(end) = ends.filter(few) else { return ControlFlow::Continue(at + 1) };
        self.writer.prose(at + 1)?;
        self.writer.emit_to(at + 1 + end, Role::Code)?;
        ControlFlow::Continue(at + end + 2)
    }
}

/// Returns the search option after the path that ends at an offset, and its span: `*B` of `::*B]]`.
pub(super) fn search_option(text: &[u8], path_end: usize) -> Option<(String, Span)> {
    let rest = text.get(path_end..)?.strip_prefix(b"::")?.clamped(..MAX_BYTES);
    let mut brackets = memchr::memchr2_iter(b']', b'[', rest);
    let end = brackets.find(|&end| end == 0 || rest.get(end - 1) != Some(&b'\\'))?;
    let written = rest.clamped(..end);
    let mut option = DerivedText::default();
    unescape(written, 0, &mut option);
    let start = path_end + 2;
    Some((lossy(option.text()).into_owned(), Span::new(start, start + end)))
}

/// Appends a target without its escapes: of the backslashes before a bracket or the end, every
/// second one quotes what follows.
fn unescape(text: &[u8], at: usize, piece: &mut DerivedText) {
    let mut from = 0;
    while let Some(found) = memchr(b'\\', text.clamped(from..)) {
        let mark = from + found;
        piece.copy(text.clamped(from..mark), at + from);
        let row = text.clamped(mark..).leading(|byte| byte == b'\\');
        from = mark + row;
        let kept = match text.get(from) {
            None | Some(b'[' | b']') => row / 2,
            Some(_) => row,
        };
        let source = Span::new(at + mark, at + from);
        piece.replace(text.clamped(mark..mark + kept), source, RunOrigin::Decoded);
    }
    piece.copy(text.clamped(from..), at + from);
}
