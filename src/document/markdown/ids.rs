//! Explicit ids in Markdown, in the syntax of several processors.
//!
//! `{#id}`, `{ #id .class }`, `{: #id }`, `{ id=x }`, and `{id="x"}` after headings, terms, fences,
//! and spans; `[#id]` and `:id=x` after headings; `{/* #id */}` of MDX, and `{/*id*/}` after
//! headings of react.dev; `id="x"` and `titleId="x"` of components; `(label)=`, `$$ (label)`,
//! `:name: label`, and `:label: label` of MyST.

use memchr::memmem;

use super::lines::{MAX_LENGTH, clipped, is_end, is_start, line_at};
use super::quarto;
use crate::slice::{ByteRuns as _, SliceExt as _};

/// Emits each id with its offset.
pub(crate) fn ids<'t>(text: &'t str, emit: &mut dyn FnMut(&'t str, usize)) {
    for at in memchr::memchr_iter(b'{', text.as_bytes()) {
        let rest = text.clamped(at + 1..);
        let Some(end) =
            rest.bytes().take(MAX_LENGTH).position(|b| matches!(b, b'}' | b'{' | b'\n'))
        else {
            continue;
        };
        if rest.as_bytes().get(end) == Some(&b'}') {
            listed(rest.clamped(..end), at + 1, emit);
        }
    }
    let names = memmem::find_iter(text.as_bytes(), b"id=");
    for at in names.chain(memmem::find_iter(text.as_bytes(), b"Id=")) {
        let before = text.as_bytes().get(at.wrapping_sub(1)).copied();
        let rest = text.clamped(at + 3..);
        let quote = rest.bytes().next();
        if let Some(quote @ (b'"' | b'\'')) = quote
            // Else it may be the end of another name, such as `data-id=`.
            && (before.is_some_and(|b| b.is_ascii_whitespace()) || names_title(text, at))
            && let Some(end) =
                rest.bytes().skip(1).take(MAX_LENGTH).position(|b| b == quote || b == b'\n')
            && end > 0
        {
            emit(rest.clamped(1..1 + end), at + 4);
        }
    }
    // Search for the marks: most documents have none, so no line needs to be parsed.
    for at in memmem::find_iter(text.as_bytes(), b"$$ (") {
        let line = clipped(text.clamped(at + 4..)).trim_end();
        if let Some(label) = line.strip_suffix(')').filter(|it| !it.is_empty() && !it.contains(')'))
        {
            emit(label, at + 4);
        }
    }
    for at in memmem::find_iter(text.as_bytes(), FIGURE) {
        let line = clipped(text.clamped(at + FIGURE.len()..));
        let label = line.trim();
        if !label.is_empty() {
            emit(label, at + FIGURE.len() + line.find(label).unwrap_or(0));
        }
    }
    // `## Title [#id]` of Nextra and Fumadocs.
    for at in memmem::find_iter(text.as_bytes(), b"[#") {
        let line = clipped(text.clamped(at + 2..)).trim_end();
        let id = line.strip_suffix(']').filter(|id| !id.is_empty() && !id.contains([' ', ']']));
        if let Some(id) = id.filter(|_| line_at(text, at).1.starts_with('#')) {
            emit(id, at + 2);
        }
    }
    // `## Title {/*id*/}` of react.dev.
    for at in memmem::find_iter(text.as_bytes(), b"{/*") {
        let line = clipped(text.clamped(at + 3..)).trim_end();
        let id = line.strip_suffix("*/}").map(str::trim);
        let id = id.filter(|id| {
            !id.is_empty() && !id.contains(|c: char| c.is_whitespace() || "#{}*/".contains(c))
        });
        if let Some(id) = id.filter(|_| line_at(text, at).1.starts_with('#')) {
            emit(id, at + 3 + line.find(id).unwrap_or(0));
        }
    }
    // `## Title :id=a` of docsify.
    for at in memmem::find_iter(text.as_bytes(), b" :id=") {
        let id = clipped(text.clamped(at + 5..)).split_whitespace().next().unwrap_or_default();
        if !id.is_empty() && line_at(text, at).1.starts_with('#') {
            emit(id, at + 5);
        }
    }
    for cell in quarto::cell_ids(text.as_bytes()) {
        if let Some(id) = text.get(cell.span.range()) {
            emit(id, cell.span.start());
        }
    }
    // Options of a directive of MyST between two lines `---`.
    for at in memmem::find_iter(text.as_bytes(), b"name: ") {
        let label = clipped(text.clamped(at + "name: ".len()..)).trim();
        let label = label.trim_matches(['"', '\'']);
        if !label.is_empty() && is_start(text.clamped(..at)) && is_in_options(text.clamped(..at)) {
            emit(
                label,
                at + "name: ".len() + text.clamped(at + "name: ".len()..).find(label).unwrap_or(0),
            );
        }
    }
    for mark in [")=", ":name:", ":label:"] {
        for at in memmem::find_iter(text.as_bytes(), mark) {
            let (start, line) = match mark {
                ")=" if is_end(text.clamped(at + mark.len()..)) => line_at(text, at),
                ":name:" | ":label:" if is_start(text.clamped(..at)) => line_at(text, at),
                _ => continue,
            };
            if let Some((label, at)) = label_of(line) {
                emit(label, start + at);
            }
        }
    }
}

/// True for the end of a name such as `titleId`, which a component gives to its title.
fn names_title(text: &str, end: usize) -> bool {
    let before = text.clamped(..end);
    let start =
        ["title", "heading", "anchor", "section"].iter().find_map(|name| before.strip_suffix(name));
    text.clamped(end..).starts_with('I')
        && start.is_some_and(|start| start.ends_with(|c: char| c.is_ascii_whitespace()))
}

/// True if options of a directive of MyST are open at the end of this text.
fn is_in_options(before: &str) -> bool {
    let before = before.as_bytes().tail(MAX_LENGTH);
    let mut lines = before.rsplit(|&byte| byte == b'\n').skip(1).map(<[u8]>::trim_ascii);
    let is_open = lines
        .find(|line| line.starts_with(b"---") || line.is_empty())
        .is_some_and(|it| it == b"---");
    let fence = lines.next().unwrap_or_default();
    is_open
        && [&b"```"[..], b"~~~", b":::"].iter().any(|it| fence.starts_with(it))
        && fence.contains(&b'{')
}

/// The MyST-Parser directive whose argument is a label.
const FIGURE: &str = "{figure-md}";

/// Emits the ids in an attribute list.
fn listed<'t>(list: &'t str, start: usize, emit: &mut dyn FnMut(&'t str, usize)) {
    let mut at = 0;
    for word in list.split_inclusive(char::is_whitespace) {
        let offset = start + at;
        at += word.len();
        let word = word.trim_end();
        let (skipped, id) = match word.rsplit_once('#') {
            // Accept `.class#id` and `: #id`, but no color or template variable.
            Some((before, id)) if !before.contains(['=', '"', '(', '$']) => (before.len() + 1, id),
            _ => match word.strip_prefix("id=") {
                Some(id) => (3, id),
                None => continue,
            },
        };
        let mut give_bare = |id: &'t str| {
            // MDX needs the braces escaped: `\{#id\}`.
            let bare = id.trim_matches(['"', '\'', '}', ',', '\\']);
            if !bare.is_empty() {
                emit(bare, offset + skipped + id.find(bare).unwrap_or(0));
            }
        };
        // In kramdown a class may follow without a space, `{#id.class}`. Elsewhere the dot is a
        // part of the id (markdown-it-attrs, goldmark, pandoc).
        let start = id.split('.').next().filter(|_| word.contains('#')).unwrap_or(id);
        give_bare(start);
        if start != id {
            give_bare(id);
        }
    }
}

/// Returns the label of a line `(label)=`, `:name: label`, or `:label: label`, with its offset in
/// the line.
fn label_of(line: &str) -> Option<(&str, usize)> {
    let trimmed = line.trim();
    let inner = match trimmed.strip_prefix('(') {
        Some(rest) => rest.strip_suffix(")=")?,
        None => {
            let option = [":name:", ":label:"].into_iter().find_map(|it| trimmed.strip_prefix(it));
            option?.trim()
        }
    };
    (!inner.is_empty()).then_some((inner, line.find(inner)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_in_many_ways() {
        let found = |text: &str| {
            let mut found = Vec::new();
            ids(text, &mut |id, at| {
                assert_eq!(text.get(at..at + id.len()), Some(id), "{text}");
                found.push(id.to_owned());
            });
            found
        };
        for text in [
            "# A {#x}",
            "# A { #x .b }",
            "a\n{: #x }",
            "# A { id=x }",
            "# A {id=\"x\"}",
            "# A {.b#x}",
            "```js {#x}\n```",
            "## A {/* #x */}",
            "## A {/*x*/}",
            "<Tab titleId=\"x\">",
            "<Tab id=\"x\">",
            "<Tab\n  id='x'>",
            "(x)=\n# A",
            ":name: x",
            "   :label: x\r\n",
            "term {#x}\n: definition",
            "$$ a\n$$ (x)\n",
            ":::{figure-md} x\n",
        ] {
            assert_eq!(found(text), ["x"], "{text}");
        }
        for text in [
            "(x)=y",
            "a (x)=",
            "a :name: x",
            "{a}",
            "A {/*x*/}",
            "## A {/* x y */}",
            "<Tab videoId=\"x\">",
            "{% if %}",
            "{ color=\"#fff\" }",
            "(x) = 1",
            "id=x",
            "a {\n#b }",
            "{}",
            "{#}",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
