//! Headings, anchors, labels, and undefined references.

use pulldown_cmark::{BrokenLink, LinkType, RefDefs};

use super::prepare::Prepared;
use crate::document::{Event, EventSink, NameSpace, Scope, Source};
use crate::slice::SliceExt as _;
use crate::span::Span;

/// A full or collapsed reference without a definition, or `[text](a destination.md)`; offsets refer
/// to the parser's text.
#[derive(Debug)]
pub(super) struct UndefinedReference {
    space: NameSpace,
    name: String,
    start: usize,
    end: usize,
    /// Start of `[label]` in `[text][label]`.
    label_start: Option<usize>,
}

/// Longer texts in brackets alone are prose.
const MAX_SHORTCUT_LENGTH: usize = 64;

/// Longer texts in parentheses are prose.
const MAX_DESTINATION_LENGTH: usize = 256;

impl UndefinedReference {
    /// Returns `None` for certainly ordinary text.
    pub fn new(link: BrokenLink<'_>, text: &str) -> Option<Self> {
        // The parser's span of `[label][]` ends before `[]`.
        let brackets = match link.link_type {
            LinkType::Reference => 0,
            LinkType::Collapsed => 2,
            LinkType::Shortcut => {
                return Self::malformed(text, link.span.end).or_else(|| Self::shortcut(link, text));
            }
            _ => return None,
        };
        let written = text.get(link.span.clone()).filter(|_| brackets == 0);
        let middle = written.and_then(|written| written.rfind("]["));
        Some(Self {
            space: NameSpace::Label,
            name: link.reference.into_string(),
            start: link.span.start,
            end: link.span.end + brackets,
            label_start: middle.map(|middle| link.span.start + middle + 1),
        })
    }

    /// Returns `[label]` alone, if it may be meant as a reference. Brackets around it, or after it,
    /// make it a part of other markup, and `[!NOTE]`, `[^1]`, `[@a]` and `[ ]` have their own
    /// meaning.
    fn shortcut(link: BrokenLink<'_>, text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (start, end) = (link.span.start, link.span.end);
        let before = start.checked_sub(1).and_then(|at| bytes.get(at));
        let is_part = matches!(before, Some(b'[' | b'!' | b'\\' | b'`'))
            || matches!(bytes.get(end), Some(b'(' | b'[' | b']' | b'{' | b':' | b'='));
        let name = link.reference;
        let is_name = name.len() > 1
            && name.starts_with(|c: char| c.is_alphanumeric() || c == '`')
            && name.contains(char::is_alphabetic)
            && !name.contains(['\n', '=', '|', '<', '"']);
        (is_name && !is_part && name.len() <= MAX_SHORTCUT_LENGTH).then(|| Self {
            space: NameSpace::Shortcut,
            name: name.into_string(),
            start,
            end,
            label_start: None,
        })
    }

    /// Returns the text in the parentheses at `open`, which is not a destination because of a
    /// space.
    fn malformed(text: &str, open: usize) -> Option<Self> {
        let rest = text.as_bytes().clamped(open..).strip_prefix(b"(")?;
        let rest = rest.clamped(..MAX_DESTINATION_LENGTH);
        let end = open + 1 + end_of_parentheses(rest)?;
        let name = without_title(text.get(open + 1..end)?);
        (name.trim() == name && is_meant(name)).then(|| Self {
            space: NameSpace::Unlinked,
            name: name.to_owned(),
            start: open + 1,
            end: open + 1 + name.len(),
            label_start: None,
        })
    }

    /// Returns the offset of its end in the parser's text.
    pub const fn end(&self) -> usize {
        self.end
    }

    /// Returns the offset of its label's bracket, if it has a text as well.
    pub const fn label_start(&self) -> Option<usize> {
        self.label_start
    }

    /// True for `[label]`, which may be plain text.
    pub const fn is_shortcut(&self) -> bool {
        matches!(self.space, NameSpace::Shortcut)
    }

    pub fn emit(&self, prepared: &Prepared<'_>, source: &Source<'_>, sink: &mut dyn EventSink) {
        sink.note(&Event::Refer {
            space: self.space,
            scope: Scope::Document,
            name: &self.name,
            span: source.span(prepared.span(self.start..self.end)),
        });
    }
}

/// Returns the offset of the `)` that ends a destination on this line; pairs inside belong to it.
fn end_of_parentheses(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' => depth -= 1,
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

/// Removes ` "a title"` or ` 'a title'` from a destination.
fn without_title(text: &str) -> &str {
    let quote = text.chars().next_back().filter(|c| matches!(c, '"' | '\''));
    let title = quote.and_then(|quote| text.strip_suffix(quote)?.rsplit_once(quote));
    title.and_then(|(before, _)| before.strip_suffix(' ')).unwrap_or(text).trim_end()
}

/// True for a text with a space that is meant as a destination: a path or an address.
fn is_meant(text: &str) -> bool {
    let has_title = text.contains(['"', '\'', '<', '`', '{']);
    let last = text.split('#').next().unwrap_or_default();
    let has_extension = last.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.ends_with(' ')
            // One character, as in `v 1.5` and `e.g`, is not an extension.
            && (2..=5).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let is_path = ["./", "../", "/"].iter().any(|start| text.starts_with(start));
    text.contains(' ') && !has_title && (has_extension || is_path || text.contains("://"))
}

/// The text of a reference link.
struct PendingLabel {
    text: String,
    span: Span,
    /// Label of its definition, as normalized by the parser.
    id: String,
}

/// State of the marks collected so far.
#[derive(Default)]
pub(super) struct Noted {
    /// Text of the last heading, without markup.
    pub heading: String,
    pub is_heading_open: bool,
    /// Text of the open links, without markup.
    pub label: String,
    /// True if a reference of the form `[label]` has a definition.
    pub has_shortcut: bool,
    /// References of this form that have none.
    pub shortcuts: Vec<UndefinedReference>,
    pending: Vec<PendingLabel>,
    /// Start of each definition and span of its destination, in order.
    definitions: Vec<(usize, Span)>,
}

impl Noted {
    pub fn define(&mut self, start: usize, destination: Span) {
        self.definitions.push((start, destination));
    }

    /// Records a reference link, whose text starts at `label` in the label text. Its definition may
    /// follow later.
    pub fn refer(&mut self, label: usize, span: Span, id: &str) {
        let text = self.label.clamped(label..);
        self.pending.push(PendingLabel { text: text.to_owned(), span, id: id.to_owned() });
    }

    pub fn emit(
        &self,
        definitions: &RefDefs<'_>,
        prepared: &Prepared<'_>,
        source: &Source<'_>,
        sink: &mut dyn EventSink,
    ) {
        // If no such reference is a link, the author uses brackets for something else.
        for shortcut in self.shortcuts.iter().filter(|_| self.has_shortcut) {
            shortcut.emit(prepared, source, sink);
        }
        for link in &self.pending {
            let definition = definitions.get(&link.id);
            let Some(start) = definition.map(|it| prepared.span(it.span.clone()).start()) else {
                continue;
            };
            // They were noted in the order of the document.
            let at = self.definitions.binary_search_by_key(&start, |&(start, _)| start);
            if let Some(&(_, destination)) = at.ok().and_then(|at| self.definitions.get(at)) {
                sink.note(&Event::Label {
                    text: &link.text,
                    destination: source.span(destination),
                    span: source.span(link.span),
                    stream: None,
                });
            }
        }
    }
}
