//! Places in documents that have names: headings and targets. Names refer to them without a
//! destination: `` `A b`_ `` and `:ref:` of reStructuredText, `<<A b>>` of AsciiDoc, `[[*A b]]` of
//! Org.

use std::ops::Range;
use std::path::Path;

use urigrep::audit::ResolvedDocument;
use urigrep::document::{MarkupFamily, Scope};

use super::definition::{heading_at, trimmed};
use super::dispatch::View;

/// A place in a document, with its other names.
#[derive(Clone, Debug)]
pub struct NamedPlace {
    /// Spans of the heading and of the targets right above it.
    pub spans: Vec<Range<usize>>,
    /// Names of the targets, folded.
    names: Vec<String>,
    /// The title of the heading, folded, if the document is of reStructuredText: the extension
    /// `sphinx.ext.autosectionlabel` makes it a label.
    title: Option<String>,
}

impl NamedPlace {
    /// Returns the place with this span.
    pub fn new(document: &ResolvedDocument, span: Range<usize>) -> Self {
        let text = document.text();
        // In AsciiDoc and Org, the span of a target ends before its brackets, and that of a title
        // starts after its marks.
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b']' | b'>' | b'=');
        let is_apart = |from, to| text.get(from..to).is_none_or(|text| !text.iter().all(is_blank));
        // Targets name what follows them: the heading, or the next target (docutils, "Internal
        // Hyperlink Targets").
        let mut all: Vec<_> = document.facts().names().collect();
        all.sort_by_key(|(_, span)| span.start());
        let own = all.iter().position(|(_, it)| it.range() == span);
        let mut spans = vec![span.clone()];
        let mut names: Vec<String> = own.iter().map(|&at| folded(all[at].0)).collect();
        let (mut first, mut last) = (span.start, span.end);
        for (name, span) in all.iter().rev().filter(|(_, it)| it.range() != span) {
            let is_above = !is_apart(trimmed(text, span.range()).end, first);
            if span.end() <= first && is_above {
                first = span.start();
                spans.push(span.range());
                names.push(folded(name));
            }
        }
        for (name, span) in all.iter().filter(|(_, it)| own.is_some() && it.range() != span) {
            if span.start() >= last && !is_apart(last, span.start()) {
                last = span.end();
                spans.push(span.range());
                names.push(folded(name));
            }
        }
        let heading = document.facts().headings().find(|heading| {
            own.is_some() && heading.span.start() >= last && !is_apart(last, heading.span.start())
        });
        spans.extend(heading.map(|heading| heading.span.range()));
        let is_rst = document.facts().format().is_some_and(|it| it.family() == MarkupFamily::Rst);
        let mut headings = document.facts().headings().filter(|_| is_rst);
        let own = headings.find(|heading| spans.contains(&heading.span.range()));
        let title = own.map(|heading| folded(&document.facts().heading_name(&heading)));
        Self { spans, names, title }
    }

    /// True for a label that is the title of the heading, in a document at `page`.
    pub fn is_title(&self, label: &str, page: &Path) -> bool {
        let Some(title) = &self.title else { return false };
        // With `autosectionlabel_prefix_document`, the name of the document precedes it.
        let prefixed = || label.split_once(':').filter(|(prefix, _)| page.ends_with(prefix));
        folded(label) == *title || prefixed().is_some_and(|(_, rest)| folded(rest) == *title)
    }

    /// True for a document with a target that has the name of the title: labels mean that one.
    pub fn is_hidden_by(&self, document: &ResolvedDocument) -> bool {
        let Some(title) = &self.title else { return false };
        document.facts().names().any(|(name, _)| folded(name) == *title)
    }

    /// True for a label of the project that names the place.
    pub fn is_label(&self, label: &str) -> bool {
        self.names.contains(&folded(label))
    }
}

/// Returns the span of the reference at an offset, and that of the definition that it uses:
/// `[text][label]` and `[label]` of Markdown (CommonMark 6.3), `` `label`_ `` of reStructuredText.
// Readers resolve such references to their destinations, so the facts have the definitions only.
pub fn used_definition(
    view: View<'_>,
    document: &ResolvedDocument,
    offset: usize,
) -> Option<(Range<usize>, Range<usize>)> {
    let text = view.document.text.as_str();
    let line = view.document.lines.line(text, view.document.lines.line_of(offset));
    let content = text.get(line.clone())?;
    let at = offset - line.start;
    let (span, label) = match document.facts().format()?.family() {
        MarkupFamily::Markdown => bracketed(content, at)?,
        MarkupFamily::Rst => phrase(content, at)?,
        _ => return None,
    };
    let label = folded(label);
    let mut definitions = document.facts().definitions().iter();
    let used = definitions.find(|it| folded(&it.label) == label)?;
    Some((line.start + span.start..line.start + span.end, used.span.range()))
}

/// Returns the span of `[text][label]` around an offset, and the label.
fn bracketed(line: &str, at: usize) -> Option<(Range<usize>, &str)> {
    let start = line.get(..at)?.rfind('[')?;
    let end = start + line.get(start..)?.find(']')?;
    if end + 1 < at {
        return None;
    }
    let inside = line.get(start + 1..end)?;
    let rest = line.get(end + 1..)?;
    if let Some(label) = rest.strip_prefix('[') {
        let length = label.find(']')?;
        let label = label.get(..length).filter(|label| !label.is_empty()).unwrap_or(inside);
        return Some((start..end + length + 3, label));
    }
    Some((start..end + 1, inside))
}

/// Returns the span of `` `label`_ `` or `label_` around an offset, and the label.
fn phrase(line: &str, at: usize) -> Option<(Range<usize>, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '+' | ':');
    let before = line.get(..at)?;
    let quoted =
        before.rfind('`').filter(|start| before.matches('`').count() % 2 == 1 && *start < at);
    if let Some(start) = quoted {
        let end = start + 1 + line.get(start + 1..)?.find('`')?;
        let is_reference = line.get(end + 1..)?.starts_with('_');
        return is_reference.then(|| Some((start..end + 2, line.get(start + 1..end)?)))?;
    }
    let start =
        at - before.chars().rev().take_while(|c| is_word(*c)).map(char::len_utf8).sum::<usize>();
    let rest = line.get(at..)?;
    let end = at + rest.chars().take_while(|c| is_word(*c)).map(char::len_utf8).sum::<usize>();
    let is_reference = start < end && line.get(end..)?.starts_with('_');
    is_reference.then(|| Some((start..end + 1, line.get(start..end)?)))?
}

/// Returns the place that a name of a document refers to.
pub fn place_of_name(document: &ResolvedDocument, name: &str) -> Option<Range<usize>> {
    let (facts, name) = (document.facts(), folded(name));
    let target = facts.names().find(|(other, _)| folded(other) == name);
    let heading = || facts.headings().find(|it| folded(&facts.heading_name(it)) == name);
    target.map(|(_, span)| span).or_else(|| Some(heading()?.span)).map(|span| span.range())
}

/// Returns the place that the reference by name at an offset leads to.
pub fn referred_place(document: &ResolvedDocument, offset: usize) -> Option<Range<usize>> {
    let mut references = document.facts().title_references().iter();
    let reference = references.find(|it| has(&it.span.range(), offset))?;
    place_of_name(document, &reference.text)
}

/// Returns the label of the project that the reference at an offset names.
pub fn label_at(document: &ResolvedDocument, offset: usize) -> Option<&str> {
    let mut labels = document.facts().undefined().iter();
    let is_here = |span: Range<usize>| has(&span, offset);
    let found = labels.find(|it| it.scope == Scope::Project && is_here(it.span.range()))?;
    Some(&found.label)
}

/// Returns the span of the heading or target at an offset.
pub fn place_at(document: &ResolvedDocument, offset: usize) -> Option<Range<usize>> {
    heading_at(document, offset).or_else(|| {
        let names = document.facts().names();
        let mut spans = names.map(|(_, span)| trimmed(document.text(), span.range()));
        let span = spans.find(|span| has(span, offset))?;
        // Ids of elements that make headings, too, are names within them.
        document.facts().names().map(|(_, it)| it.range()).find(|it| it.start == span.start)
    })
}

fn has(span: &Range<usize>, offset: usize) -> bool {
    span.start <= offset && offset <= span.end
}

/// Returns a name as docutils and Org compare it. AsciiDoc knows titles by their exact text, but
/// two titles that differ in case alone are rare.
pub fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
