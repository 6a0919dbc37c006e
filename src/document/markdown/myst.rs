//! Directives of MyST, the Markdown of Sphinx: ```` ```{figure} a.png ```` and `:::{toctree}`.
//!
//! A directive is a fence of backquotes, tildes, or colons with a name in braces. To CommonMark, a
//! fence of backquotes is code, and one of colons is text. [`fences`] rewrites both by what the
//! body of the directive is, and [`references`] finds the references in directives.

use super::columns::{CODE_COLUMNS, indentation, unindent};
use super::dialects::is_fence;
use super::link::line_content;
use super::unseen::{Unseen, UnseenKind};
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// Meaning of the body of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DirectiveBody {
    Markdown,
    /// Terms. The Markdown below each may be indented to any depth.
    Terms,
    /// A list of documents, `title <name>`.
    Documents,
    Code,
}

/// Directives whose body is Markdown, and which have no reference as their argument.
const OF_MARKDOWN: &[&[u8]] = &[
    b"admonition",
    b"aside",
    b"attention",
    b"blockquote",
    b"button-link",
    b"button-ref",
    b"card",
    b"card-carousel",
    b"caution",
    b"centered",
    b"class",
    b"compound",
    b"container",
    b"danger",
    b"definition",
    b"deprecated",
    b"details",
    b"div",
    b"dropdown",
    b"epigraph",
    b"error",
    b"example",
    b"exercise",
    b"exercise-end",
    b"exercise-start",
    b"figure-md",
    b"grid",
    b"grid-item",
    b"grid-item-card",
    b"hint",
    b"ifconfig",
    b"highlights",
    b"important",
    b"list-table",
    b"margin",
    b"note",
    b"only",
    b"panels",
    b"pull-quote",
    b"rubric",
    b"seealso",
    b"sidebar",
    b"solution",
    b"tab",
    b"tab-item",
    b"tab-set",
    b"tabbed",
    b"table",
    b"algorithm",
    b"assumption",
    b"axiom",
    b"code-example",
    b"collapse",
    b"conjecture",
    b"corollary",
    b"criterion",
    b"group-tab",
    b"hlist",
    b"lemma",
    b"myst-example",
    b"observation",
    b"proof",
    b"property",
    b"proposition",
    b"remark",
    b"tabs",
    b"toggle",
    b"theorem",
    b"tip",
    b"todo",
    b"topic",
    b"versionadded",
    b"versionchanged",
    b"versionremoved",
    b"warning",
];

/// Directives whose argument is a file, with the name of its element.
const OF_FILES: &[(&[u8], &str, DirectiveBody)] = &[
    (b"figure", "image", DirectiveBody::Markdown),
    (b"image", "image", DirectiveBody::Markdown),
    (b"thumbnail", "image", DirectiveBody::Markdown),
    (b"include", "include", DirectiveBody::Markdown),
    (b"literalinclude", "include", DirectiveBody::Code),
];

/// The first line of a directive.
#[derive(Clone, Copy)]
struct DirectiveStart<'t> {
    name: &'t [u8],
    argument: Span,
    body: DirectiveBody,
}

/// A line, as a scan sees it.
enum DirectiveLine<'t> {
    Opens(DirectiveStart<'t>),
    /// The end of a directive.
    Closes(DirectiveBody),
    /// A line of the body of the innermost directive.
    Inside(DirectiveBody),
    Other,
}

/// Goes through lines, and keeps the open directives.
#[derive(Default)]
struct DirectiveScan {
    open: Vec<(u8, usize, DirectiveBody)>,
}

impl DirectiveScan {
    /// Reads the line at this span.
    fn line<'t>(&mut self, text: &'t [u8], span: Span) -> DirectiveLine<'t> {
        let line = text.part(span.range());
        // A fence may be the first line of a list item.
        let blanks =
            line_content(text, span.start()).clamp(span.start(), span.end()) - span.start();
        let content = line.clamped(blanks..);
        let mark = content.first().copied().filter(|mark| matches!(mark, b'`' | b'~' | b':'));
        let count = mark.map_or(0, |mark| content.leading(|byte| byte == mark));
        let top = self.open.last().copied();
        // Three marks make a fence, and as many of the same as at its start close it (CommonMark
        // §4.5).
        if let Some(mark) = mark.filter(|_| count >= 3) {
            let rest = content.clamped(count..).trim_ascii();
            if rest.is_empty()
                && let Some((_, _, body)) =
                    top.filter(|&(own, least, _)| own == mark && count >= least)
            {
                self.open.pop();
                return DirectiveLine::Closes(body);
            }
            let has_markdown =
                |body| matches!(body, DirectiveBody::Markdown | DirectiveBody::Terms);
            if top.is_none_or(|(_, _, body)| has_markdown(body)) {
                let start = span.start() + blanks + count;
                let opening = opening(text, Span::new(start, span.end()));
                // Inside code without a directive, nothing is a directive. An info string has no
                // backquotes (CommonMark §4.5).
                let is_code = mark == b'~' || mark == b'`' && !rest.contains(&b'`');
                let body = opening.map_or(DirectiveBody::Code, |opening| opening.body);
                if opening.is_some() || is_code {
                    self.open.push((mark, count, body));
                }
                return opening.map_or(DirectiveLine::Other, DirectiveLine::Opens);
            }
        }
        top.map_or(DirectiveLine::Other, |(_, _, body)| DirectiveLine::Inside(body))
    }
}

/// Reads `{name} argument` in this span, which follows a fence.
fn opening(text: &[u8], span: Span) -> Option<DirectiveStart<'_>> {
    let info = text.part(span.range());
    let blanks = info.leading(|byte| byte == b' ');
    let braced = info.clamped(blanks..).strip_prefix(b"{")?;
    let length = braced.leading(|byte| byte.is_ascii_alphanumeric() || b"-_:+".contains(&byte));
    let name = braced.clamped(..length);
    if name.is_empty() || braced.get(length) != Some(&b'}') {
        return None;
    }
    let argument = trimmed(text, span.start() + blanks + 1 + length + 1, span.end());
    let file = OF_FILES.iter().find(|(known, ..)| *known == name);
    let body = match name {
        b"toctree" => DirectiveBody::Documents,
        b"glossary" => DirectiveBody::Terms,
        // `prf:proof` and `proof:lemma` hold Markdown.
        _ if name.starts_with(b"prf:") || name.starts_with(b"proof:") => DirectiveBody::Markdown,
        _ if OF_MARKDOWN.contains(&name) => DirectiveBody::Markdown,
        _ => file.map_or(DirectiveBody::Code, |&(_, _, body)| body),
    };
    Some(DirectiveStart { name, argument, body })
}

/// True if a text may have a directive.
pub(super) fn has_directive(text: &[u8]) -> bool {
    memchr::memchr_iter(b'{', text).any(|at| {
        let before = text.clamped(..at).trim_ascii_end();
        [&b"```"[..], b"~~~", b":::"].iter().any(|fence| before.ends_with(fence))
    })
}

/// Rewrites fences without changing their length, so that CommonMark reads the bodies of directives
/// as what they are.
pub(super) fn fences(text: &mut [u8]) {
    let (mut scan, mut at) = (DirectiveScan::default(), 0);
    while at < text.len() {
        let (span, next) = line(text, at);
        let mark = match scan.line(text, span) {
            DirectiveLine::Opens(DirectiveStart { body, .. }) | DirectiveLine::Closes(body) => {
                match body {
                    DirectiveBody::Markdown | DirectiveBody::Terms => Some(b':'),
                    // As Markdown, the names of documents would be a paragraph, and `<name>` a tag.
                    DirectiveBody::Documents => Some(b'`'),
                    DirectiveBody::Code => None,
                }
            }
            DirectiveLine::Inside(_) | DirectiveLine::Other => None,
        };
        if scan.open.iter().any(|&(_, _, body)| body == DirectiveBody::Terms) {
            open_definition(text.get_mut(span.range()).unwrap_or_default());
        }
        if let Some(mark) = mark {
            let line = text.get_mut(span.range()).unwrap_or_default();
            let marks = line.iter_mut().skip_while(|byte| matches!(byte, b' ' | b'\t'));
            marks
                .take_while(|byte| matches!(byte, b'`' | b'~' | b':'))
                .for_each(|byte| *byte = mark);
        }
        at = next;
    }
}

/// Keeps a deep line below a term from being code: a fence moves to the start of its line.
fn open_definition(line: &mut [u8]) {
    let (columns, blanks) = indentation(line);
    let content = line.clamped(blanks..);
    match columns >= CODE_COLUMNS && !content.is_empty() {
        true if is_fence(content) || content.starts_with(b":::") => line.rotate_left(blanks),
        true => unindent(line),
        false => {}
    }
}

/// True if a line may be a comment.
pub(super) fn has_comment(text: &[u8]) -> bool {
    memchr::memchr_iter(b'%', text)
        .any(|at| matches!(text.clamped(..at).last(), None | Some(b'\n' | b' ')))
}

/// Blanks comments: lines that start with `%`, outside of code and after less indentation than that
/// of code (`myst_line_comment` of markdown-it-py).
pub(super) fn blank_comments(text: &mut [u8]) {
    let (mut scan, mut at) = (DirectiveScan::default(), 0);
    while at < text.len() {
        let (span, next) = line(text, at);
        let is_of_code =
            matches!(scan.line(text, span), DirectiveLine::Inside(DirectiveBody::Code));
        let line = text.get_mut(span.range()).unwrap_or_default();
        let (columns, blanks) = indentation(line);
        let is_comment = columns < CODE_COLUMNS && line.get(blanks) == Some(&b'%');
        // A comment for urigrep is read in its place.
        if is_comment && !is_of_code && !line.windows(8).any(|word| word == b"urigrep-") {
            line.iter_mut().filter(|byte| **byte != b'\r').for_each(|byte| *byte = b' ');
        }
        at = next;
    }
}

/// Returns the references in directives, in order.
pub(super) fn references(text: &[u8]) -> Vec<Unseen> {
    let mut found = Vec::new();
    if !has_directive(text) {
        return found;
    }
    let (mut scan, mut at) = (DirectiveScan::default(), 0);
    let mut options: Option<DirectiveOptions<'_>> = None;
    while at < text.len() {
        let (span, next) = line(text, at);
        at = next;
        let read = scan.line(text, span);
        if let (Some(open), DirectiveLine::Inside(_)) = (&mut options, &read)
            && open.take(text, span)
        {
            continue;
        }
        found.extend(options.take().and_then(DirectiveOptions::reference));
        match read {
            DirectiveLine::Opens(opening) => {
                options = Some(DirectiveOptions {
                    name: opening.name,
                    reference: None,
                    link_type: b"url",
                });
                found.extend(argument(text, &opening));
            }
            DirectiveLine::Inside(DirectiveBody::Documents) => found.extend(document(text, span)),
            DirectiveLine::Closes(_) | DirectiveLine::Inside(_) | DirectiveLine::Other => {}
        }
    }
    found.extend(options.and_then(DirectiveOptions::reference));
    found
}

/// The options of a directive, `:name: value`, which follow its first line.
struct DirectiveOptions<'t> {
    name: &'t [u8],
    reference: Option<Span>,
    link_type: &'t [u8],
}

impl<'t> DirectiveOptions<'t> {
    /// Reads a line; false if it is not an option.
    fn take(&mut self, text: &'t [u8], span: Span) -> bool {
        let span = trimmed(text, span.start(), span.end());
        let line = text.part(span.range());
        let Some(rest) = line.strip_prefix(b":") else { return false };
        let length = rest.leading(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        if length == 0 || rest.get(length) != Some(&b':') {
            return false;
        }
        let value = trimmed(text, span.start() + 1 + length + 1, span.end());
        match rest.clamped(..length) {
            b"link" => self.reference = Some(value),
            b"target" if matches!(self.name, b"figure" | b"image") => self.reference = Some(value),
            b"link-type" => self.link_type = text.part(value.range()),
            _ => {}
        }
        true
    }

    fn reference(self) -> Option<Unseen> {
        let span = self.reference.filter(|span| !span.is_empty())?;
        let kind = match self.link_type {
            b"doc" => UnseenKind::Document,
            b"ref" => UnseenKind::Label,
            b"url" => UnseenKind::File("link"),
            _ => return None,
        };
        Some(Unseen { span, kind })
    }
}

/// Returns the reference in the first line of a directive.
fn argument(text: &[u8], opening: &DirectiveStart<'_>) -> Option<Unseen> {
    let element = match opening.name {
        b"button-link" => "link",
        name => OF_FILES.iter().find(|(known, ..)| *known == name)?.1,
    };
    let span = opening.argument;
    let is_path = |byte: &u8| !byte.is_ascii_whitespace() && !b"`<>[]{}|*$".contains(byte);
    let path = text.part(span.range());
    (!path.is_empty() && path.iter().all(is_path))
        .then_some(Unseen { span, kind: UnseenKind::File(element) })
}

/// Returns the document in a line of a table of contents.
fn document(text: &[u8], span: Span) -> Option<Unseen> {
    let mut span = trimmed(text, span.start(), span.end());
    let line = text.part(span.range());
    // Options are lines `:name: value`, or YAML between lines of dashes.
    if line.is_empty() || line.starts_with(b":") || line.starts_with(b"---") {
        return None;
    }
    let inside = line.strip_suffix(b">");
    if let Some(open) = inside.and_then(|inside| memchr::memrchr(b'<', inside)) {
        span = trimmed(text, span.start() + open + 1, span.end() - 1);
    }
    let name = text.part(span.range());
    if name.is_empty() || name.iter().any(|byte| b"`[]".contains(byte)) {
        return None;
    }
    let is_uri = memchr::memmem::find(name, b"://").is_some();
    let kind = if is_uri { UnseenKind::File("toctree") } else { UnseenKind::Document };
    Some(Unseen { span, kind })
}

/// Returns the span of a line without its end, and the start of the next line.
fn line(text: &[u8], at: usize) -> (Span, usize) {
    let length = memchr::memchr(b'\n', text.clamped(at..));
    let end = length.map_or(text.len(), |length| at + length);
    (Span::new(at, end), (end + 1).min(text.len()))
}

/// Returns a span without white space at its ends.
fn trimmed(text: &[u8], start: usize, end: usize) -> Span {
    let bytes = text.part(start.min(end)..end);
    let start = end - bytes.trim_ascii_start().len();
    Span::new(start, start + bytes.trim_ascii().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, UnseenKind)> {
        let found = references(text.as_bytes());
        found.into_iter().map(|it| (&text[it.span.range()], it.kind)).collect()
    }

    #[test]
    fn bodies() {
        let text = "````{note} a\n```python\nx\n```\n````\n:::{toctree}\na\n:::\n```{code-cell}\n:::{note}\n```\n";
        let rewritten = "::::{note} a\n```python\nx\n```\n::::\n```{toctree}\na\n```\n```{code-cell}\n:::{note}\n```\n";
        let mut bytes = text.as_bytes().to_vec();
        fences(&mut bytes);
        assert_eq!(String::from_utf8(bytes).unwrap(), rewritten);
    }

    #[test]
    fn comments() {
        let text = "% a\n  % b\n    % c\n100% d\n```\n% e\n```\n:::{note}\n% f\n:::\n";
        let mut bytes = text.as_bytes().to_vec();
        assert!(has_comment(&bytes) && !has_comment(b"100% a%"));
        blank_comments(&mut bytes);
        let blank = "   \n     \n    % c\n100% d\n```\n% e\n```\n:::{note}\n   \n:::\n";
        assert_eq!(String::from_utf8(bytes).unwrap(), blank);
    }

    #[test]
    fn arguments_and_options() {
        use UnseenKind::{Document, File, Label};
        let text = "```{figure} a.png\n:target: b.md\n:name: c\n\n:target: d\n```\n  :::{include} ../e.md\n  :::\n";
        assert_eq!(
            found(text),
            [("a.png", File("image")), ("b.md", File("link")), ("../e.md", File("include"))]
        );
        let text = "::::{grid}\n:::{grid-item-card} t\n:link: f\n:link-type: doc\n:::\n:::{card}\n:link-type: ref\n:link: g\n:::\n::::";
        assert_eq!(found(text), [("f", Document), ("g", Label)]);
        assert_eq!(found("```{image} <a>\n```\n```python\n:::{image} b\n```\n```{r, a}\n```"), []);
    }

    #[test]
    fn tables_of_contents() {
        use UnseenKind::{Document, File};
        let text = "```{toctree}\n:maxdepth: 2\n\na\nB c <d/e>\n F <https://g.example/>\n```\nh\n";
        let expected =
            [("a", Document), ("d/e", Document), ("https://g.example/", File("toctree"))];
        assert_eq!(found(text), expected);
    }
}
