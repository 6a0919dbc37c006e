//! Explicit ids in Markdown, in the syntax of several processors.
//!
//! `{#id}`, `{ #id .class }`, `{: #id }`, `{ id=x }`, and `{id="x"}` after headings, terms, fences,
//! and spans; `[#id]` and `:id=x` after headings; `{/* #id */}` of MDX; `id="x"` of components;
//! `(label)=`, `$$ (label)`, `:name: label`, and `:label: label` of MyST.

use std::cell::OnceCell;

use memchr::memmem;

use super::quarto;
use crate::hash::HashSet;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};

/// Longest attribute list in bytes.
const MAX_LENGTH: usize = 512;

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
    for at in memmem::find_iter(text.as_bytes(), b"id=") {
        let before = text.as_bytes().get(at.wrapping_sub(1)).copied();
        let rest = text.clamped(at + 3..);
        let quote = rest.bytes().next();
        if let Some(quote @ (b'"' | b'\'')) = quote
            // Else it may be the end of another name, such as `data-id=`.
            && before.is_some_and(|b| b.is_ascii_whitespace())
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

/// True if only white space is left on the line.
fn is_end(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
    rest.is_empty() || rest.starts_with('\n')
}

/// True if only white space precedes on the line.
fn is_start(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n');
    before.is_empty() || before.ends_with('\n')
}

/// Returns the line that contains `at`, with its offset.
fn line_at(text: &str, at: usize) -> (usize, &str) {
    let before = text.as_bytes().clamped(..at);
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    (start, first_line(text.clamped(start..)))
}

fn first_line(text: &str) -> &str {
    let end = memchr::memchr(b'\n', text.as_bytes());
    let line = text.clamped(..end.unwrap_or(text.len()));
    line.strip_suffix('\r').unwrap_or(line)
}

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

/// Syntax that includes another document, whose ids count, too. It may also include code, which has
/// no ids.
const INCLUDES: [&str; 8] = [
    // mdBook.
    "{{#include",
    // Quarto, and sites of Hugo that define it.
    "{{< include",
    // Jekyll, and other users of Liquid.
    "{% include",
    "{% render",
    // MyST, VitePress, VuePress, and the Snippets of PyMdown Extensions.
    "{include}",
    "<!--@include:",
    "<!-- @include",
    "<--",
];

/// Extensions of included code.
const CODE: [&str; 12] =
    [".rs", ".toml", ".sh", ".py", ".js", ".ts", ".json", ".txt", ".css", ".yml", ".yaml", ".svg"];

/// True for the page of an interface, which its front matter names in a specification:
/// `openapi: get /a` (Mintlify, "OpenAPI setup"), or whose layout is a program that shows one:
/// `type: redoc`, `api-reference: "one.json"`. The page has anchors for all parameters.
pub(super) fn is_of_interface(text: &str) -> bool {
    const PROGRAMS: [&str; 5] = ["openapi", "rapidoc", "redoc", "scalar", "swagger"];
    front_lines(text).any(|line| {
        let Some((key, value)) = line.split_once(':') else { return false };
        let value = value.trim().trim_matches(['"', '\'']);
        let is_description = [".json", ".yaml", ".yml"].iter().any(|end| value.ends_with(end));
        // A page with the address of another site is only an entry of the menu (Mintlify, "Pages").
        let is_elsewhere = key == "url" && value.starts_with("http");
        matches!(key, "asyncapi" | "openapi") && !value.is_empty()
            || is_elsewhere
            || matches!(key, "layout" | "type") && PROGRAMS.contains(&value)
            || is_description && ["api", "spec", "swagger"].iter().any(|it| key.contains(it))
    })
}

/// True if the text includes other documents, or documentation generated from code.
pub(super) fn includes_others(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Every include starts with one of two bytes, so memchr finds the candidates.
    let includes = memchr::memchr2_iter(b'{', b'<', bytes).any(|at| {
        let rest = text.clamped(at..);
        let include = INCLUDES.iter().find(|include| rest.starts_with(**include));
        include.is_some_and(|include| {
            // A component that the site may define.
            included_by_tag(rest).is_none()
                // The include is `--8<--`.
                && (*include != "<--" || bytes.clamped(..at).ends_with(b"--8"))
                && !is_code(clipped(rest.clamped(include.len()..)))
        })
    });
    // `::: package.module` of mkdocstrings; `::: tip` of others is a box.
    let is_docstring = |at| {
        let line = clipped(text.clamped(at..));
        line.contains('.') && !line.contains(' ') || line.contains("mkdocs-click")
    };
    includes
        || has_macro_line(text)
        || text.starts_with("::: ") && is_docstring("::: ".len())
        || memmem::find_iter(bytes, b"\n::: ").any(|at| is_docstring(at + "\n::: ".len()))
}

/// Returns the file in `{% include a.html b="c" %}` of Jekyll, whose name has no marks around it.
fn included_by_tag(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix("{%")?.trim_start_matches('-').trim_start();
    let inside = inside.strip_prefix("include ")?.trim_start();
    let name = inside.split(|c: char| c.is_whitespace() || c == '%').next()?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    (name.contains('.') && name.chars().all(is_name)).then_some(name)
}

/// Returns the files that tags of Jekyll include, as `{%` and their names: they may have headings.
fn included_by_tags(text: &str) -> impl Iterator<Item = String> {
    memmem::find_iter(text.as_bytes(), b"{%")
        .filter_map(|at| Some(format!("{{%{}", included_by_tag(clipped(text.clamped(at..)))?)))
}

/// Returns the import paths of the site's own components that a page shows without content: `import
/// A from './A.vue'`, `<A />`.
pub(super) fn components(text: &str) -> Vec<String> {
    const IMPORT: &str = "\nimport ";
    let first = text.starts_with("import ").then_some("import ".len());
    let imports = memmem::find_iter(text.as_bytes(), IMPORT).map(|at| at + IMPORT.len());
    let component = |at: usize| {
        let line = first_line(text.clamped(at..));
        let (name, path) = match line.split_once(" from ") {
            Some(parts) => parts,
            // `import './a.mdx'`
            None => ("", line),
        };
        let path = path.trim_matches([';', '"', '\'', ' ']);
        let is_own = path.starts_with(['.', '/', '@', '~'])
            && name.starts_with(|c: char| c.is_ascii_uppercase());
        // A document has headings wherever it is shown.
        let is_document = path.ends_with(".md") || path.ends_with(".mdx");
        (is_document || is_own && stands_alone(text, name)).then(|| path.to_owned())
    };
    let mut found: Vec<String> = first
        .into_iter()
        .chain(imports)
        .filter_map(component)
        .chain(included_by_tags(text))
        .chain(shortcodes(text))
        .chain(rendered_shortcodes(text))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the shortcodes of Hugo that stand alone on a line, as `{{<` and their name: they may
/// render headings.
fn shortcodes(text: &str) -> Vec<String> {
    const START: &str = "\n{{< ";
    let found = memmem::find_iter(text.as_bytes(), START).filter_map(|at| {
        let line = first_line(text.clamped(at + 1..)).trim_end();
        let inside = line.strip_prefix("{{< ")?.strip_suffix(">}}")?;
        let name = inside.split_whitespace().next()?.trim_end_matches('/');
        let closes = text.contains(&format!("{{{{< /{name}"));
        let is_lone =
            !inside.contains(">}}") && !name.is_empty() && !inside.trim_start().starts_with('/');
        (is_lone && !closes).then(|| format!("{{{{<{name}"))
    });
    found.collect()
}

/// Returns the shortcodes `{{% name %}}` of Hugo that are alone on a line, as `{{%` and their name:
/// their output is rendered as Markdown. One with a closing tag shows the text between its tags.
fn rendered_shortcodes(text: &str) -> impl Iterator<Item = String> {
    const START: &str = "{{%";
    let at = move |at: usize| {
        let line = first_line(text.clamped(at + START.len()..)).trim_end();
        line.strip_suffix("%}}").map(str::trim).filter(|inside| !inside.contains("%}}"))
    };
    let lone = move |found: &usize| {
        let before = text.clamped(..*found).trim_end_matches([' ', '\t', '>', '-', '*']);
        before.is_empty() || before.ends_with('\n')
    };
    let starts: Vec<usize> = memmem::find_iter(text.as_bytes(), START).collect();
    let closing = starts.iter().filter_map(|start| {
        let name = text.clamped(start + START.len()..).trim_start().strip_prefix('/')?;
        name.split(['%', ' ', '\n']).next()
    });
    let closed: HashSet<&str> = closing.collect();
    starts.into_iter().filter(lone).filter_map(at).filter_map(move |inside| {
        let name = inside.split_whitespace().next()?.trim_end_matches('/');
        let is_opening = !name.is_empty() && !name.starts_with('/');
        (is_opening && !closed.contains(name)).then(|| format!("{START}{name}"))
    })
}

/// True for `<A />` at the start of a line.
fn stands_alone(text: &str, component: &str) -> bool {
    memmem::find_iter(text.as_bytes(), &format!("\n<{component}")).any(|at| {
        let tag = text.clamped(at + 2 + component.len()..).split('>').next().unwrap_or_default();
        tag.starts_with(['/', ' ', '\n']) && tag.ends_with('/')
    })
}

fn is_code(line: &str) -> bool {
    CODE.iter().any(|code| line.contains(code))
}

/// Returns the start of the first line. Bounded, because one long line may have many candidates.
fn clipped(text: &str) -> &str {
    let mut most = MAX_LENGTH.min(text.len());
    while !text.is_char_boundary(most) {
        most -= 1;
    }
    first_line(text.clamped(..most))
}

/// Returns the lines of YAML front matter.
fn front_lines(text: &str) -> impl Iterator<Item = &str> {
    let body = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"));
    lines(body.unwrap_or_default()).take_while(|line| line.trim_end() != "---")
}

/// Most bytes of the address of a page. Each relative link of the page is joined to it.
const MAX_ADDRESS_BYTES: usize = 1024;

/// Returns the absolute path that front matter sets for the page.
pub(super) fn address(text: &[u8]) -> Option<String> {
    written_address(text).filter(|address| address.len() <= MAX_ADDRESS_BYTES)
}

fn written_address(text: &[u8]) -> Option<String> {
    let bare = |value: &str| value.trim().trim_matches(['"', '\'']).to_owned();
    // Empty lines may be before TOML (Zola).
    let inside = text.trim_ascii_start();
    let text = if inside.starts_with(b"+++") { inside } else { text };
    // Decode line by line, and only up to the end of the front matter: validating the whole text as
    // UTF-8 takes longer.
    let mut lines = text.split(|&byte| byte == b'\n').map(lossy);
    match &*lines.next()? {
        "+++" => {
            // The keys after a table header of TOML are not those of the page.
            let front = lines.take_while(|line| line.trim_end() != "+++" && !line.starts_with('['));
            let path = front.map(|line| {
                let value = line.strip_prefix("path").or_else(|| line.strip_prefix("url"))?;
                value.trim_start().strip_prefix('=').map(bare)
            });
            Some(format!("/{}/", path.flatten().next()?.trim_matches('/')))
        }
        "---" | "---\r" => {
            let front = lines.take_while(|line| line.trim_end() != "---");
            let address = front.map(|line| {
                const KEYS: [&str; 3] = ["permalink:", "slug:", "url:"];
                KEYS.iter().find_map(|key| line.strip_prefix(key)).map(bare)
            });
            address.flatten().next().filter(|address| address.starts_with('/'))
        }
        _ => None,
    }
}

/// Returns the keys of lists in front matter, as anchors: layouts render such lists as sections.
pub(super) fn sections(text: &str) -> Vec<String> {
    let mut sections = Vec::new();
    let mut lines = front_lines(text).peekable();
    while let Some(line) = lines.next() {
        let Some((key, value)) = line.split_once(':') else { continue };
        let is_list = match value.trim() {
            "" => lines.peek().is_some_and(|next| next.trim_start().starts_with("- ")),
            value => value.starts_with('['),
        };
        if is_list && !key.starts_with(['-', '#', ' ']) {
            sections.push(key.trim().replace('_', "-").to_lowercase());
        }
    }
    sections
}

/// Returns the names of components that are documents: `import A from './a.mdx'`.
fn imported_documents(text: &str) -> HashSet<&str> {
    let imports = lines(text).filter_map(|line| {
        let (name, path) = line.strip_prefix("import ")?.split_once(" from ")?;
        let path = path.trim_matches([';', '"', '\'', ' ']);
        (path.ends_with(".md") || path.ends_with(".mdx")).then_some(name)
    });
    imports.collect()
}

/// Components of site generators that have no headings, and no anchors but for those of their
/// titles, which are known.
const PLAIN: [&str; 32] = [
    "Accordion",
    "AccordionGroup",
    "Aside",
    "Badge",
    "Callout",
    "Card",
    "CardGrid",
    "CardGroup",
    "Cards",
    "Check",
    "CodeGroup",
    "Column",
    "Columns",
    "Danger",
    "Frame",
    "Icon",
    "Image",
    "Info",
    "LinkButton",
    "LinkCard",
    "Note",
    "RequestExample",
    "ResponseExample",
    "Step",
    "Steps",
    "Tab",
    "TabItem",
    "Tabs",
    "Tip",
    "Tooltip",
    "Visibility",
    "Warning",
];

/// True for a page made by components: it has a script or a component.
pub(super) fn has_components(text: &str) -> bool {
    // Found once, so that the time stays linear.
    let imported = OnceCell::new();
    memchr::memchr_iter(b'<', text.as_bytes()).any(|at| {
        let rest = text.as_bytes().clamped(at + 1..);
        let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'.');
        let name = rest.clamped(..end.unwrap_or(rest.len()));
        // The headings of a document that is imported are known.
        let is_plain = || {
            let is_imported = || {
                let imported = imported.get_or_init(|| imported_documents(text));
                std::str::from_utf8(name).is_ok_and(|name| imported.contains(name))
            };
            PLAIN.iter().any(|it| it.as_bytes() == name) || is_imported()
        };
        rest.starts_with(b"script")
            || name.first().is_some_and(u8::is_ascii_uppercase) && !is_plain()
    })
}

/// Returns the texts from which processors make anchors, line by line: headings, terms of
/// definition lists, titles of tabs.
///
/// MDX has no indented code, and components contain Markdown at any depth. So fences are tracked
/// here, where CommonMark would not see them.
pub(crate) fn titles(text: &str) -> Vec<String> {
    let mut titles = Vec::new();
    let mut fence: Option<&str> = None;
    let mut last = "";
    for line in lines(text) {
        // Fast path: most lines have none of these.
        let first = line.bytes().find(|byte| !byte.is_ascii_whitespace());
        match (fence, first) {
            (None, Some(byte))
                if byte.is_ascii() && !matches!(byte, b'`' | b'~' | b'#' | b'=' | b':' | b'<') =>
            {
                last = line;
                continue;
            }
            // A vertical tab is white space to `trim`, but not to `is_ascii_whitespace`.
            (Some(_), Some(byte)) if byte.is_ascii() && !matches!(byte, b'`' | b'~' | 0x0B) => {
                continue;
            }
            _ => {}
        }
        let line = line.trim();
        if let Some(open) = fence {
            if line.starts_with(open) && line.trim_start_matches(['`', '~']).is_empty() {
                fence = None;
            }
            continue;
        }
        match line.as_bytes() {
            [b'`', b'`', b'`', ..] => {
                fence = Some("```");
                continue;
            }
            [b'~', b'~', b'~', ..] => {
                fence = Some("~~~");
                continue;
            }
            [b'#', ..] => {
                let level = line.bytes().take_while(|&b| b == b'#').count();
                let after = line.clamped(level..);
                // With more marks, or without a blank after them, the line is not a heading
                // (CommonMark §4.2).
                if level <= 6 && after.starts_with([' ', '\t']) {
                    titles.push(plain(after.trim().trim_end_matches('#')));
                }
            }
            [b'=', b'=', b'=', b' ', b'"', title @ ..] => {
                let title = line.clamped(line.len() - title.len()..);
                titles.push(plain(title.split('"').next().unwrap_or_default()));
            }
            // Tabs, steps, and cards of Mintlify, Fumadocs, and Docusaurus.
            [b'<', b'A'..=b'Z', ..] => titles.extend(component_title(line).map(plain)),
            // A definition: the line before it is the term, unless that is a definition, too.
            [b':', b' ', ..] if !last.is_empty() && !last.starts_with(": ") => {
                titles.push(plain(last));
            }
            _ => {}
        }
        last = line;
    }
    titles
}

/// Like [`str::lines`], but faster, because it uses memchr.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut left = text;
    std::iter::from_fn(move || {
        if left.is_empty() {
            return None;
        }
        let (line, after) = match memchr::memchr(b'\n', left.as_bytes()) {
            Some(end) => {
                let line = left.clamped(..end);
                (line.strip_suffix('\r').unwrap_or(line), left.clamped(end + 1..))
            }
            None => (left, ""),
        };
        left = after;
        Some(line)
    })
}

/// Returns the title of a component of MDX: `<Tab title="OAuth 2.0">`.
fn component_title(tag: &str) -> Option<&str> {
    [" title=", " label="].iter().find_map(|attribute| {
        let rest = tag.split_once(attribute)?.1.trim_start_matches('{');
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        rest.get(1..)?.split(quote).next()
    })
}

/// Returns the titles of tabs, each after the heading above it, as `combine_header_slug` of
/// pymdownx.tabbed builds ids.
pub(super) fn tabs(text: &str) -> Vec<String> {
    if memmem::find(text.as_bytes(), b"=== \"").is_none() {
        return Vec::new();
    }
    let mut tabs = Vec::new();
    let mut heading = String::new();
    for line in lines(text) {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix('#') {
            heading = plain(rest.trim_matches(['#', ' ']));
            // An explicit id replaces the heading.
            ids(line, &mut |id, _| heading = id.to_owned());
        } else if let Some(title) = line.strip_prefix("=== \"") {
            let title = plain(title.split('"').next().unwrap_or_default());
            // An icon, such as `:octicons-image-16:`, has no text.
            let words = title.split_whitespace().filter(|word| !is_icon(word));
            let title = words.collect::<Vec<_>>().join(" ");
            tabs.push(format!("{heading} {title}"));
        }
    }
    tabs
}

fn is_icon(word: &str) -> bool {
    word.len() > 2 && word.starts_with(':') && word.ends_with(':')
}

/// Removes Markdown markup from a line: `[a](b)` becomes `a`.
fn plain(line: &str) -> String {
    if !line.bytes().any(|byte| matches!(byte, b'`' | b'*' | b'[' | b']' | b'{')) {
        return line.trim().to_owned();
    }
    let mut plain = String::new();
    let mut rest = line.split(" {#").next().unwrap_or_default();
    while let Some(at) = rest.find("](") {
        plain.push_str(rest.clamped(..at));
        let after = rest.clamped(at + 2..);
        rest = after.find(')').map_or("", |end| after.clamped(end + 1..));
    }
    plain.push_str(rest);
    plain.replace(['`', '*', '['], "").trim().to_owned()
}

/// True for a line that is only `{{ name }}` or `{{ name(…) }}`: a macro fills in a part of the
/// page.
fn has_macro_line(text: &str) -> bool {
    memmem::find_iter(text.as_bytes(), b"{{").any(|at| {
        let line = clipped(text.clamped(at..)).trim_end();
        let inside = line.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
        let inside = inside.map(str::trim).unwrap_or_default();
        is_start(text.clamped(..at))
            && inside.starts_with(|c: char| c.is_ascii_alphabetic())
            && !inside.contains(['{', '}', '<'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_library() {
        for text in ["", "\n", "a", "a\n", "a\r\n\r\nb\r", "\r\n", "\r", "\n\n a \n"] {
            assert!(lines(text).eq(text.lines()), "{text:?}");
        }
    }

    #[test]
    fn titles_of_lines() {
        let text = "# A `b` [c](d) {#x}\n```\n# no\n```\n    ```\n# no\n  ```\n\nterm\n: about\n\n=== \"T\"\n#no";
        assert_eq!(titles(text), ["A b c", "term", "T"]);
    }

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
