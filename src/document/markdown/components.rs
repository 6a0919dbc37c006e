//! Components, shortcodes, and includes in Markdown: what else may bring headings into a page.

use std::cell::OnceCell;

use memchr::memmem;

use super::columns::FORM_FEED;
use super::lines::{clipped, first_line, is_start, lines};
use crate::hash::HashSet;
use crate::slice::SliceExt as _;

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

/// Components that write the documentation of code, with an anchor for each part of it (Nextra, "TSDoc
/// Component"; Fumadocs, "OpenAPI" and "Auto Type Table").
const OF_CODE: [&str; 4] = ["<APIDocs", "<APIPage", "<AutoTypeTable", "<TSDoc"];

/// Extensions of included code.
const CODE: [&str; 12] =
    [".rs", ".toml", ".sh", ".py", ".js", ".ts", ".json", ".txt", ".css", ".yml", ".yaml", ".svg"];

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
    let is_of_code = |name: &&str| {
        memmem::find_iter(bytes, name.as_bytes())
            .any(|at| bytes.get(at + name.len()).is_some_and(|it| !it.is_ascii_alphanumeric()))
    };
    includes
        || OF_CODE.iter().any(is_of_code)
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

/// Most names of one import.
const MAX_NAMES: usize = 16;

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
        // `import { A, b as C } from '@/a'`
        let names = name.trim_matches(['{', '}', ' ']).split(',');
        // The text is searched for each of them.
        let mut names = names.filter_map(|it| it.split_whitespace().next_back()).take(MAX_NAMES);
        let is_shown = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_uppercase()) && stands_alone(text, name)
        };
        let is_own = path.starts_with(['.', '/', '@', '~']);
        // A document has headings wherever it is shown.
        let is_document = path.ends_with(".md") || path.ends_with(".mdx");
        (is_document || is_own && names.any(is_shown)).then(|| path.to_owned())
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
    let name = format!("<{component}");
    memmem::find_iter(text.as_bytes(), &name).any(|at| {
        let before = text.clamped(..at);
        // In MDX, such a line has lost its `>` (`hide_tag`).
        let (before, end) = match before.strip_suffix(char::from(FORM_FEED)) {
            Some(before) => (before, '\n'),
            None => (before, '>'),
        };
        let tag = text.clamped(at + name.len()..).split(end).next().unwrap_or_default();
        before.ends_with('\n') && tag.starts_with(['/', ' ', '\n']) && tag.trim_end().ends_with('/')
    })
}

fn is_code(line: &str) -> bool {
    CODE.iter().any(|code| line.contains(code))
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
