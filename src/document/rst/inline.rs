//! Inline markup of a paragraph: literals, interpreted text, references, and embedded targets.

use std::ops::ControlFlow;

use memchr::{memchr3, memmem};

use super::names;
use super::reader::{LINK, RstReader};
use crate::document::{Event, NameSpace, Role, Scope, Source, html};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Roles whose text is code, in which a URI is not a link.
const CODE_ROLES: [&str; 10] =
    ["code", "literal", "samp", "file", "kbd", "command", "math", "regexp", "makevar", "c:expr"];

/// True for a role with the name of a document or label of another project, `external+python:doc`
/// (`sphinx.ext.intersphinx`).
fn is_of_other_project(role: &str) -> bool {
    let kind = role.strip_prefix("external").filter(|rest| rest.starts_with(['+', ':']));
    kind.and_then(|rest| rest.rsplit(':').next()).is_some_and(|it| matches!(it, "doc" | "ref"))
}

/// Longer words are not references. The bound keeps time linear: each mark in `a_a_a_` looks back
/// for its word.
const MAX_NAME_BYTES: usize = 256;

/// Interpreted text, `` :role:`text` `` or `` `text`_ ``.
struct Interpreted {
    /// Span with backquotes, role, and suffix.
    whole: Span,
    text: Span,
    role: Option<Span>,
    suffix: Suffix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suffix {
    None,
    Named,
    Anonymous,
}

/// The current paragraph. If an opening mark has no end, later ones have none either, so at most
/// one search for each kind of mark fails.
struct Paragraph {
    end: usize,
    has_no_literal_end: bool,
    has_no_backquote_end: bool,
}

impl RstReader<'_, '_> {
    /// Emits a paragraph, split at its markup.
    pub(super) fn inline(&mut self, span: Span) -> ControlFlow<()> {
        let mut paragraph =
            Paragraph { end: span.end(), has_no_literal_end: false, has_no_backquote_end: false };
        let (mut done, mut at) = (span.start(), span.start());
        while let Some(found) = memchr3(b'`', b'_', b'|', self.bytes.part(at..span.end())) {
            let mark = at + found;
            at = mark + 1;
            if self.is_escaped(mark, span.start()) {
                continue;
            }
            if self.byte(mark) == Some(b'|') {
                at = self.substitution(mark, span).unwrap_or(at);
                continue;
            }
            if self.byte(mark) == Some(b'_') {
                let note = self.note_reference(mark, span);
                at = note.unwrap_or_else(|| self.simple_reference(mark, span));
                continue;
            }
            if self.bytes.clamped(mark..).starts_with(b"``") {
                match self.literal(mark, span.start(), &mut paragraph) {
                    Some(end) => {
                        self.text(Span::new(done, mark), Role::Text)?;
                        self.text(Span::new(mark + 2, end - 2), Role::Code)?;
                        (done, at) = (end, end);
                    }
                    None => at = mark + 2,
                }
                continue;
            }
            let Some(interpreted) = self.interpreted(mark, done, &mut paragraph) else { continue };
            self.text(Span::new(done, interpreted.whole.start()), Role::Text)?;
            self.emit_interpreted(&interpreted)?;
            (done, at) = (interpreted.whole.end(), interpreted.whole.end());
        }
        self.text(Span::new(done, span.end()), Role::Text)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// True after an odd number of backslashes.
    fn is_escaped(&self, at: usize, from: usize) -> bool {
        let before = self.bytes.part(from..at);
        before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
    }

    /// True if markup may start here: after white space or opening punctuation, and before text.
    fn may_start(&self, at: usize, from: usize, length: usize) -> bool {
        let before = at.checked_sub(1).filter(|&at| at >= from).and_then(|at| self.byte(at));
        // Rules 1 and 6 of reStructuredText, "Inline markup recognition rules".
        let opens = |byte: u8| byte.is_ascii_whitespace() || b"'\"([{<-/:".contains(&byte);
        let after = self.byte(at + length);
        before.is_none_or(|byte| opens(byte) || !byte.is_ascii())
            && after.is_some_and(|byte| !byte.is_ascii_whitespace())
    }

    /// Returns the end of the literal that starts at `at`, including its marks.
    fn literal(&self, at: usize, from: usize, paragraph: &mut Paragraph) -> Option<usize> {
        if paragraph.has_no_literal_end || !self.may_start(at, from, 2) {
            return None;
        }
        let start = at + 2;
        let inside = self.bytes.part(start..paragraph.end);
        // Backslashes are literal here, so do not check for escapes.
        let mut done = 0;
        // The last two of a row of marks end the literal: `` `a` `` may be written without spaces.
        let mut ends = std::iter::from_fn(|| {
            let found = done + memmem::find(inside.clamped(done..), b"``")?;
            let marks = inside.clamped(found..).iter().take_while(|&&byte| byte == b'`').count();
            done = found + marks;
            Some(start + done - 2)
        });
        let end = ends.find(|&end| {
            let is_inside = self.byte(end - 1).is_some_and(|byte| !byte.is_ascii_whitespace());
            let after = self.byte(end + 2).filter(|_| end + 2 < paragraph.end);
            end > start && is_inside && after.is_none_or(|byte| !byte.is_ascii_alphanumeric())
        });
        work_counter::add(end.unwrap_or(paragraph.end) - start);
        paragraph.has_no_literal_end = end.is_none();
        end.map(|end| end + 2)
    }

    fn interpreted(
        &self,
        at: usize,
        from: usize,
        paragraph: &mut Paragraph,
    ) -> Option<Interpreted> {
        let prefix = self.role_before(at, from);
        let start = prefix.map_or(at, |role| role.start() - 1);
        if paragraph.has_no_backquote_end || prefix.is_none() && !self.may_start(at, from, 1) {
            return None;
        }
        let inside = self.bytes.part(at + 1..paragraph.end);
        let ends = memchr::memchr_iter(b'`', inside).map(|found| at + 1 + found);
        let end = ends.into_iter().find(|&end| {
            end > at + 1
                && !self.is_escaped(end, at + 1)
                && self.byte(end - 1).is_some_and(|byte| !byte.is_ascii_whitespace())
                && self.byte(end + 1).is_none_or(|byte| !byte.is_ascii_alphanumeric())
        });
        work_counter::add(end.unwrap_or(paragraph.end) - at);
        paragraph.has_no_backquote_end = end.is_none();
        let (text, after) = (Span::new(at + 1, end?), end? + 1);
        let rest = self.bytes.part(after..paragraph.end);
        let (suffix, length) = match rest {
            [b'_', b'_', ..] => (Suffix::Anonymous, 2),
            [b'_', ..] => (Suffix::Named, 1),
            _ => (Suffix::None, 0),
        };
        let behind = if prefix.is_none() && length == 0 { role_after(rest) } else { None };
        let role = prefix.or(behind.map(|name| Span::new(after + 1, after + 1 + name)));
        let end = after + length + behind.map_or(0, |name| name + 2);
        Some(Interpreted { whole: Span::new(start, end), text, role, suffix })
    }

    /// Returns the name in a `:role:` that ends at `at`.
    fn role_before(&self, at: usize, from: usize) -> Option<Span> {
        let before = self.bytes.part(from..at).strip_suffix(b":")?;
        let name = before.iter().rev().take_while(|&&byte| is_role(byte)).count();
        let start = before.len().checked_sub(name)?;
        // The name may contain colons (`py:func`), but those before it are not part of it.
        let colons = before.clamped(start..).leading(|byte| byte == b':');
        let start = if colons > 0 { start + colons } else { return None };
        (start < before.len()).then(|| Span::new(from + start, from + before.len()))
    }

    fn emit_interpreted(&mut self, interpreted: &Interpreted) -> ControlFlow<()> {
        let Interpreted { text, role, suffix, .. } = *interpreted;
        if let Some(role) = role {
            let name = String::from_utf8_lossy(self.bytes.part(role.range())).into_owned();
            // The domain of Sphinx may be written: `:std:ref:`.
            let name = if is_of_other_project(&name) {
                &*name
            } else {
                name.rsplit_once("std:").map_or(&*name, |(_, name)| name)
            };
            // In `title <target>`, only the target is a name.
            let target = || self.titled_role(text).map_or(text, |(_, target)| target);
            return match name {
                name if CODE_ROLES.contains(&name) => self.text(text, Role::Code),
                name if self.html_roles.contains(name) => {
                    let layers = self.source.part(text.start());
                    let inside = Source::inside(self.bytes.part(text.range()), &layers);
                    html::read(inside, self.sink)
                }
                // `!` turns the reference of a role off.
                _ if self.byte(text.start()) == Some(b'!') => self.text(text, Role::Text),
                "download" => {
                    let embedded = self.titled_role(text);
                    self.titled(text, embedded, "download", Suffix::None)
                }
                "ref" | "numref" => {
                    self.refer_in_project(target(), interpreted.whole);
                    self.text(text, Role::Text)
                }
                "term" => {
                    self.refer_to_term(target(), interpreted.whole);
                    self.text(text, Role::Text)
                }
                "doc" => {
                    self.refer_to_document(target());
                    self.text(text, Role::Text)
                }
                name if is_of_other_project(name) => {
                    self.refer_to(target(), NameSpace::OtherProject);
                    self.text(text, Role::Text)
                }
                _ => self.text(text, Role::Text),
            };
        }
        if suffix == Suffix::None {
            return self.text(text, Role::Text);
        }
        if let Some(embedded) = self.embedded(text) {
            return self.titled(text, Some(embedded), LINK, suffix);
        }
        self.text(text, Role::Text)?;
        match suffix {
            Suffix::Named => self.refer(text, interpreted.whole),
            _ => self.refer_anonymous(text),
        }
        ControlFlow::Continue(())
    }

    /// Splits `text <target>` into text and target.
    fn embedded(&self, span: Span) -> Option<(Span, Span)> {
        let (label, target) = self.angled(span)?;
        // `a<b>` without a space is plain text.
        let is_separate = self.bytes.part(label.range()).last().is_none_or(u8::is_ascii_whitespace);
        is_separate.then_some((label, target))
    }

    /// Splits `text<target>` in a role of Sphinx, which needs no space (`explicit_title_re`).
    fn titled_role(&self, span: Span) -> Option<(Span, Span)> {
        let (label, target) = self.angled(span)?;
        let is_escaped = self.bytes.part(label.range()).ends_with(b"\\");
        (!label.is_empty() && !is_escaped).then_some((label, target))
    }

    fn angled(&self, span: Span) -> Option<(Span, Span)> {
        let inside = self.bytes.part(span.range()).strip_suffix(b">")?;
        let open = span.start() + memchr::memrchr(b'<', inside)?;
        Some((Span::new(span.start(), open), Span::new(open + 1, span.end() - 1)))
    }

    /// Emits a text with its embedded target, or a target alone.
    fn titled(
        &mut self,
        span: Span,
        embedded: Option<(Span, Span)>,
        element: &'static str,
        suffix: Suffix,
    ) -> ControlFlow<()> {
        let (label, target) = embedded.unwrap_or((Span::new(span.start(), span.start()), span));
        let bytes = self.bytes.part(target.range());
        self.text(label, Role::Text)?;
        // `text <name_>`_ is an alias of `name`.
        // The underscore of a URI or a path is part of it.
        if let Some(name) = bytes.strip_suffix(b"_")
            && suffix != Suffix::None
            && !name.ends_with(b"\\")
            && !name.iter().any(|byte| matches!(byte, b'/' | b':'))
        {
            let name = Span::new(target.start(), target.end() - 1);
            self.refer(name, target);
            return self.text(target, Role::Text);
        }
        let destination = self.destination(target, element)?;
        // docutils removes the spaces, so this is not a name of a target, which would end in `_`.
        let name = lossy(self.bytes.part(self.trimmed(target).range()));
        if suffix != Suffix::None
            && self.wants.all_events()
            && name.contains(' ')
            && !name.contains('\n')
        {
            let (space, scope) = (NameSpace::Unlinked, Scope::Document);
            self.sink.note(&Event::Refer { space, name: &name, scope, span: destination });
        }
        if suffix == Suffix::Named {
            let name = names::written(self.bytes.part(label.range()));
            self.define_quietly(&name, destination);
        }
        self.label(label, destination);
        ControlFlow::Continue(())
    }

    /// Reads `|name|` with its first mark at `at`; returns the offset of its end. Any text may be
    /// between the marks (reStructuredText, "Substitution References"), but a name of words is no
    /// accident.
    fn substitution(&mut self, at: usize, span: Span) -> Option<usize> {
        if !self.wants.all_events() || !self.may_start(at, span.start(), 1) {
            return None;
        }
        let inside = self.bytes.part(at + 1..span.end());
        let inside = inside.clamped(..MAX_NAME_BYTES.min(inside.len()));
        let is_char = |byte: u8| is_word(byte) || byte == b' ';
        let length = inside.leading(is_char);
        let name = inside.clamped(..length);
        let is_end = |byte: &u8| byte.is_ascii_alphanumeric();
        if inside.get(length) != Some(&b'|')
            || !name.first().is_some_and(is_end)
            || !name.last().is_some_and(is_end)
        {
            return None;
        }
        let end = at + length + 2;
        // `|name|_` is also a link.
        let marks = self.bytes.part(end..span.end()).leading(|byte| byte == b'_').min(2);
        let next = self.byte(end + marks).filter(|_| end + marks < span.end());
        if !next.is_none_or(may_follow) {
            return None;
        }
        self.refer_to_substitution(Span::new(at + 1, end - 1), Span::new(at, end));
        Some(end)
    }

    /// Reads `[label]_` with its mark at `at`; returns the offset to continue at. Footnotes without
    /// a label, `[#]_` and `[*]_`, are counted by docutils.
    fn note_reference(&mut self, at: usize, span: Span) -> Option<usize> {
        let before = self.bytes.part(span.start()..at).tail(MAX_NAME_BYTES).strip_suffix(b"]")?;
        let open = memchr::memrchr(b'[', before)?;
        work_counter::add(before.len() - open);
        let start = at - 1 - before.len() + open;
        let label = before.clamped(open + 1..);
        let name = label.strip_prefix(b"#").unwrap_or(label);
        let is_end = |byte: Option<&u8>| byte.is_some_and(|it| is_word(*it) && !is_mark(*it));
        let is_label = name.iter().all(|&byte| is_word(byte))
            && is_end(name.first())
            && is_end(name.last())
            && !name.windows(2).any(|it| it.iter().all(|&byte| is_mark(byte)));
        let end = at + 1;
        let next = self.byte(end).filter(|_| end < span.end());
        if !is_label || !self.may_start(start, span.start(), 1) || !next.is_none_or(may_follow) {
            return None;
        }
        if self.wants.all_events() {
            let whole = self.outside(Span::new(start, end));
            self.references.notes.push((lossy(label).into_owned(), whole));
        }
        Some(end)
    }

    /// Reads `word_` or `word__` with its mark at `at`; returns the offset to continue at.
    fn simple_reference(&mut self, at: usize, span: Span) -> usize {
        // Without the bound, each `_` of a long word would scan back to its start.
        let before = self.bytes.part(span.start()..at).tail(MAX_NAME_BYTES);
        let length = before.iter().rev().take_while(|&&byte| is_word(byte)).count();
        work_counter::add(length);
        let start = at - length;
        let word = self.bytes.part(start..at);
        let is_anonymous = self.byte(at + 1) == Some(b'_') && at + 1 < span.end();
        let end = if is_anonymous { at + 2 } else { at + 1 };
        // Marks inside of a name stand alone (reStructuredText, "Reference Names"): the text
        // `Node.__init_\_` has none.
        let has_marks_side_by_side = word.windows(2).any(|it| it.iter().all(|&byte| is_mark(byte)));
        let is_name = word.first().is_some_and(u8::is_ascii_alphanumeric)
            && word.last().is_some_and(u8::is_ascii_alphanumeric)
            && !has_marks_side_by_side;
        let before = start.checked_sub(1).filter(|&at| at >= span.start());
        // In `http://a.example/b_`, the mark belongs to the URI, so punctuation such as `/` before
        // the word excludes a reference.
        let starts = before.and_then(|at| self.byte(at)).is_none_or(|byte| {
            byte.is_ascii_whitespace() || matches!(byte, b'(' | b'[' | b'{' | b'"' | b'\'' | b'-')
        });
        let ends = self.byte(end).filter(|_| end < span.end());
        let ends = ends.is_none_or(may_follow);
        if is_name && starts && ends {
            let whole = Span::new(start, end);
            if is_anonymous {
                self.refer_anonymous(Span::new(start, at))
            } else {
                self.refer(Span::new(start, at), whole)
            }
        }
        // Continue after the mark: marks inside a word start no other reference.
        end
    }
}

/// True for a character that may follow inline markup (reStructuredText, "Inline markup recognition
/// rules", 7). `*` is not one of them, so `task_default_*` has no reference.
fn may_follow(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"\"')>]}-/:.,;!?\\".contains(&byte)
}

fn is_role(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+' | b':')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || is_mark(byte) || !byte.is_ascii()
}

/// True for punctuation that may be inside of a name.
fn is_mark(byte: u8) -> bool {
    matches!(byte, b'-' | b'_' | b'.' | b'+' | b':')
}

/// Returns the length of the name in a `:role:` that follows its text.
fn role_after(rest: &[u8]) -> Option<usize> {
    let rest = rest.strip_prefix(b":")?;
    let name = rest.iter().take_while(|&&byte| is_role(byte)).count();
    let inside = rest.clamped(..name);
    let length = inside.iter().position(|&byte| byte == b':')?;
    (length > 0).then_some(length)
}
