//! Reads the blocks of reStructuredText, line by line.

use std::ops::ControlFlow;

use memchr::memchr;

use super::names;
use super::references::RstReferences;
use crate::document::lines::TextLine;
use crate::document::{CodeParts, Event, EventSink, NameSpace, Role, Source, Wants};
use crate::hash::HashSet;
use crate::offset_map::{DerivedText, OffsetMap};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

/// Element of a link in text.
pub(super) const LINK: &str = "link";
/// Element of `.. _name: uri`.
const TARGET: &str = "target";

pub(super) struct RstReader<'d, 's> {
    pub(super) source: Source<'d>,
    pub(super) bytes: &'d [u8],
    pub(super) sink: &'s mut dyn EventSink,
    pub(super) wants: Wants,
    pub(super) at: usize,
    pub(super) piece: DerivedText,
    /// Styles of titles, by level: the mark, and whether it is also above the title.
    pub(super) styles: Vec<(u8, bool)>,
    pub(super) references: RstReferences,
    /// The role derived from `raw` whose options are read.
    pub(super) raw_role: Option<String>,
    /// Roles whose text is HTML.
    pub(super) html_roles: HashSet<String>,
    /// Maps the text of a table's cell to the text around the table.
    pub(super) cell: Option<&'d OffsetMap>,
}

impl<'d, 's> RstReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        Self {
            source,
            bytes: source.bytes,
            wants: sink.wants(),
            sink,
            at: 0,
            piece: DerivedText::default(),
            styles: Vec::new(),
            references: RstReferences::default(),
            raw_role: None,
            html_roles: HashSet::default(),
            cell: None,
        }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        self.blocks()?;
        self.finish();
        ControlFlow::Continue(())
    }

    pub(super) fn blocks(&mut self) -> ControlFlow<()> {
        while self.at < self.bytes.len() {
            let line = self.in_item(self.line(self.at));
            if line.is_blank() {
                self.at = line.next;
            } else if let Some(rest) = self.marker(line) {
                self.explicit(line, rest)?;
            } else if self.bytes.part(line.span().range()).starts_with(b">>> ") {
                // A doctest block has no indentation, and a blank line ends it.
                self.code_until(line.start, |line| line.is_blank())?;
            } else if !self.table(line)? && !self.title(line)? {
                self.paragraph(line)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the line without the mark of a list, if it continues with a directive or a table.
    fn in_item(&self, line: TextLine) -> TextLine {
        let text = line.start + self.content_indent(line);
        let inside = self.bytes.part(text.min(line.end)..line.end);
        let starts_block =
            [&b".. "[..], b"+--", b"== "].iter().any(|mark| inside.starts_with(mark));
        if text > line.text && starts_block { TextLine { text, ..line } } else { line }
    }

    pub(super) fn line(&self, start: usize) -> TextLine {
        TextLine::at(self.bytes, start)
    }

    /// Returns the start of the text of an explicit markup block, `.. text` or `__ text`.
    pub(super) fn marker(&self, line: TextLine) -> Option<usize> {
        let text = self.bytes.part(line.span().range());
        let rest = text.strip_prefix(b"..").or_else(|| text.strip_prefix(b"__"))?;
        let blanks = rest.leading(|byte| matches!(byte, b' ' | b'\t'));
        (blanks > 0 || rest.is_empty() && text == b"..").then_some(line.end - rest.len() + blanks)
    }

    /// Returns the end of the block that is indented deeper than `line`, without trailing blank
    /// lines.
    pub(super) fn block_end(&self, line: TextLine) -> usize {
        let (mut end, mut at) = (line.end, line.next);
        while at < self.bytes.len() {
            let next = self.line(at);
            if !next.is_blank() {
                if next.indent() <= line.indent() {
                    break;
                }
                end = next.end;
            }
            at = next.next;
        }
        end
    }

    fn explicit(&mut self, line: TextLine, rest: usize) -> ControlFlow<()> {
        let text = self.bytes.part(rest..line.end);
        if self.bytes.part(line.text..rest).starts_with(b"__") {
            return self.target(line, rest, "");
        }
        match text {
            // An empty comment ends at once, unless text follows directly.
            [] => {
                let next = self.line(line.next);
                if next.is_blank() || next.indent() <= line.indent() {
                    self.at = line.next;
                    return ControlFlow::Continue(());
                }
                self.comment(line, rest)
            }
            [b'_', name @ ..] => match target_name(name) {
                Some(length) => {
                    // A name may contain a URI, so emit it: no byte may be hidden from the search.
                    // Most names are words, which need no part of their own.
                    let may_hold = |byte: &u8| matches!(byte, b':' | b'.' | b'@');
                    if name.clamped(..length).iter().any(may_hold) {
                        self.text(Span::new(rest + 1, rest + 1 + length), Role::Metadata)?;
                    }
                    let name = names::written(name.clamped(..length));
                    let anonymous = name == "_";
                    let value = rest + 1 + length + 1;
                    self.target(line, value, if anonymous { "" } else { &name })
                }
                None => self.comment(line, rest),
            },
            [b'[', note @ ..] => match memchr(b']', note) {
                Some(length) => {
                    let label = names::written(note.clamped(..length));
                    self.references.targets.insert(names::normalized(&label), None);
                    self.text(Span::new(rest, rest + length + 2), Role::Text)?;
                    self.paragraph(TextLine { text: rest + length + 2, ..line })
                }
                None => self.comment(line, rest),
            },
            [b'|', substitution @ ..] => match memchr(b'|', substitution) {
                Some(length) => {
                    let at = rest + length + 2;
                    let name = names::written(substitution.clamped(..length));
                    self.references.substitutions.insert(names::normalized(&name));
                    let blanks = self.bytes.part(at..line.end).leading(|byte| byte == b' ');
                    self.text(Span::new(rest, at), Role::Text)?;
                    self.directive_or(line, at + blanks, Self::paragraph_at)
                }
                None => self.comment(line, rest),
            },
            _ => self.directive_or(line, rest, Self::comment),
        }
    }

    fn directive_or(
        &mut self,
        line: TextLine,
        at: usize,
        otherwise: fn(&mut Self, TextLine, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let text = self.bytes.part(at..line.end);
        let name = text.leading(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+' | b':')
        });
        let marked = text.clamped(..name);
        let is_directive = marked.ends_with(b"::")
            && marked.len() > 2
            && text.get(name).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
        if !is_directive {
            return otherwise(self, line, at);
        }
        let name = lossy(marked.clamped(..marked.len() - 2)).to_ascii_lowercase();
        self.directive(line, &name, at + marked.len())
    }

    fn paragraph_at(&mut self, line: TextLine, at: usize) -> ControlFlow<()> {
        self.paragraph(TextLine { text: at.min(line.end), ..line })
    }

    fn comment(&mut self, line: TextLine, rest: usize) -> ControlFlow<()> {
        let end = self.block_end(line);
        self.at = self.line(end).next.max(line.next);
        self.text(Span::new(rest.min(end), end), Role::Comment)
    }

    /// Reads the value of a target at `at`. Anonymous targets have no name.
    fn target(&mut self, line: TextLine, at: usize, name: &str) -> ControlFlow<()> {
        let end = self.block_end(line);
        self.at = self.line(end).next.max(line.next);
        let value = self.trimmed(Span::new(at.min(end), end));
        let whole = self.source.span(Span::new(line.text, end));
        if !name.is_empty() && self.wants.all_events() {
            self.sink.note(&Event::Define { space: NameSpace::Label, name, span: whole });
            self.sink.note(&Event::Define { space: NameSpace::Anchor, name, span: whole });
        }
        if value.is_empty() {
            self.references.targets.entry(names::normalized(name)).or_insert(None);
            self.references.chained.push(name.to_owned());
            return ControlFlow::Continue(());
        }
        let bytes = self.bytes.part(value.range());
        // `.. _a: b_` makes `a` another name of `b`. A URI may end in `_`, too, so it must not look
        // like one.
        let is_alias = bytes.ends_with(b"_")
            && !bytes.ends_with(b"\\_")
            && (bytes.starts_with(b"`") || !bytes.iter().any(|byte| matches!(byte, b'/' | b':')));
        if is_alias {
            self.references.targets.entry(names::normalized(name)).or_insert(None);
            self.refer(Span::new(value.start(), value.end() - 1), value);
            return self.text(value, Role::Text);
        }
        let destination = self.destination(value, TARGET)?;
        if name.is_empty() {
            self.references.anonymous.1.push(destination);
        } else {
            self.define_quietly(name, destination);
        }
        for name in std::mem::take(&mut self.references.chained) {
            self.references.targets.insert(names::normalized(&name), Some(destination));
        }
        ControlFlow::Continue(())
    }

    /// Emits lines from `start` as code, up to one for which `is_end` is true.
    fn code_until(&mut self, start: usize, is_end: impl Fn(TextLine) -> bool) -> ControlFlow<()> {
        let (mut end, mut at) = (start, start);
        while at < self.bytes.len() {
            let line = self.line(at);
            if is_end(line) {
                break;
            }
            if !line.is_blank() {
                end = line.end;
            }
            at = line.next;
        }
        self.code(Span::new(start, end))?;
        self.at = at;
        ControlFlow::Continue(())
    }

    pub(super) fn code(&mut self, span: Span) -> ControlFlow<()> {
        self.at = self.line(span.end()).next.max(self.at);
        if self.wants.code == CodeParts::Skipped {
            return ControlFlow::Continue(());
        }
        self.text(span, Role::Code)
    }

    /// Reads a section title, which has a line of marks below and perhaps above it.
    fn title(&mut self, line: TextLine) -> ControlFlow<(), bool> {
        // A cell has no sections.
        if line.indent() > 0 || self.cell.is_some() {
            return ControlFlow::Continue(false);
        }
        let (title, mark, has_overline, next) = match self.adornment(line) {
            Some(mark) => {
                // `::` alone starts a literal block.
                if self.bytes.part(line.span().range()) == b"::" {
                    return ControlFlow::Continue(false);
                }
                let title = self.line(line.next);
                let below = self.line(title.next);
                if title.is_blank() || self.adornment(below) != Some(mark) {
                    // This is a transition, or text that looks like one.
                    let is_alone = title.is_blank();
                    if is_alone {
                        self.at = line.next;
                    }
                    return ControlFlow::Continue(is_alone);
                }
                (title, mark, true, below.next)
            }
            None => {
                let below = self.line(line.next);
                // docutils accepts an underline that is shorter than the title from four marks on.
                let width = lossy(self.bytes.part(line.span().range())).chars().count();
                match self.adornment(below) {
                    Some(mark) if below.end - below.text >= width.min(4) => {
                        (line, mark, false, below.next)
                    }
                    _ => return ControlFlow::Continue(false),
                }
            }
        };
        self.at = next;
        let written = lossy(self.bytes.part(title.span().range())).into_owned();
        self.references.targets.entry(names::normalized(&plain(&written))).or_insert(None);
        self.inline(title.span())?;
        // The level of a style is its first use in the document; docutils prescribes no order.
        let style = (mark, has_overline);
        let level = self.styles.iter().position(|known| *known == style).unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        if self.wants.all_events() {
            let level = u8::try_from(level + 1).unwrap_or(6).min(6);
            let span = self.source.span(title.span());
            self.sink.note(&Event::Heading { level, text: &plain(&written), span });
        }
        ControlFlow::Continue(true)
    }

    /// Returns the mark of a line made only of marks.
    fn adornment(&self, line: TextLine) -> Option<u8> {
        let text = self.bytes.part(line.start..line.end);
        let &mark = text.first().filter(|byte| byte.is_ascii_punctuation())?;
        (text.len() > 1 && text.iter().all(|&byte| byte == mark)).then_some(mark)
    }

    /// Reads lines up to a blank line or one that starts another block.
    fn paragraph(&mut self, line: TextLine) -> ControlFlow<()> {
        let mut last = line;
        let mut at = line.next;
        while at < self.bytes.len() {
            let next = self.line(at);
            let text = self.bytes.part(next.span().range());
            let starts_other = next.is_blank()
                || next.indent() < line.indent()
                || self.marker(next).is_some()
                || [&b"- "[..], b"* ", b"+ "].iter().any(|bullet| text.starts_with(bullet))
                || text.first() == Some(&b':');
            if starts_other {
                break;
            }
            (last, at) = (next, next.next);
        }
        self.at = at;
        let span = Span::new(line.text, last.end);
        self.inline(span)?;
        if !self.bytes.part(span.range()).ends_with(b"::") {
            return ControlFlow::Continue(());
        }
        self.literal_block(self.content_indent(last))
    }

    /// Returns the column of a line's text after list marks; deeper lines belong to the text.
    fn content_indent(&self, line: TextLine) -> usize {
        let text = self.bytes.part(line.span().range());
        let bullet = match text {
            [b'-' | b'*' | b'+', b' ', ..] => 1,
            [b':', ..] => 0,
            _ => {
                let mark = text.leading(|byte| byte.is_ascii_alphanumeric() || byte == b'#');
                // A longer word before a full stop ends a sentence.
                let is_short = (1..4).contains(&mark);
                let is_list = matches!(text.get(mark..mark + 2), Some([b'.' | b')', b' ']));
                if is_short && is_list { mark + 1 } else { 0 }
            }
        };
        if bullet == 0 {
            return line.indent();
        }
        line.indent() + bullet + text.clamped(bullet..).leading(|byte| byte == b' ')
    }

    /// Emits the literal block after a paragraph that ends in `::`: deeper lines, or lines that
    /// start with the same mark.
    fn literal_block(&mut self, indent: usize) -> ControlFlow<()> {
        let mut at = self.at;
        let first = loop {
            if at >= self.bytes.len() {
                return ControlFlow::Continue(());
            }
            let line = self.line(at);
            if !line.is_blank() {
                break line;
            }
            at = line.next;
        };
        if first.indent() > indent {
            return self
                .code_until(first.start, |line| !line.is_blank() && line.indent() <= indent);
        }
        match self.bytes.get(first.text) {
            Some(mark) if mark.is_ascii_punctuation() && self.marker(first).is_none() => {
                let bytes = self.bytes;
                self.code_until(first.start, |line| bytes.get(line.text) != Some(mark))
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Returns the length of a target's name, up to the colon that ends it.
fn target_name(text: &[u8]) -> Option<usize> {
    let ends = |at: usize| text.get(at + 1).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    if let Some(quoted) = text.strip_prefix(b"`") {
        // A space may precede the colon.
        let is_close =
            |at: &usize| matches!(quoted.get(at + 1..), Some([b':', ..] | [b' ', b':', ..]));
        let close = memchr::memchr_iter(b'`', quoted).find(is_close)?;
        let colon = close + 2 + usize::from(quoted.get(close + 1) == Some(&b' '));
        return ends(colon).then_some(colon);
    }
    memchr::memchr_iter(b':', text)
        .find(|&at| ends(at) && at > 0 && text.get(at - 1) != Some(&b'\\'))
}

/// Removes marks from a title, but not those that are escaped.
pub(super) fn plain(title: &str) -> String {
    let mut is_escaped = false;
    let shown = title.chars().filter(|&c| {
        let is_shown = is_escaped || !matches!(c, '`' | '*' | '|' | '\\');
        is_escaped = c == '\\' && !is_escaped;
        is_shown
    });
    shown.collect()
}
