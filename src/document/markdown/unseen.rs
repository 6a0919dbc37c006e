//! Spans that the parser has no event for: references in directives of MyST, and comments that are
//! not HTML.

use memchr::memmem;

use super::{liquid, myst, quarto, tags};
use crate::document::{EventSet, LinkOrigin, picture};
use crate::slice::{ByteRuns as _, SliceExt as _, span_within};
use crate::span::Span;

/// A span without an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unseen {
    pub span: Span,
    pub kind: UnseenKind,
}

/// Meaning of such a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnseenKind {
    /// A document, without its extension.
    Document,
    /// A label that any document may define.
    Label,
    /// A file or URI; the name of its element.
    File(&'static str),
    /// A path that the program with this construct looks up.
    Lookup(LinkOrigin),
    /// The text of a comment for urigrep.
    Comment,
    /// The name of a page, `[[name]]`, which stays a part of its text.
    Page,
    /// `@fig-a` of Quarto, which stays a part of its text, too.
    CrossReference,
    /// An id that such a reference may name.
    CrossId,
}

/// Returns all such spans, in order.
pub(super) fn spans(text: &[u8], events: EventSet) -> Vec<Unseen> {
    let mut found = myst::references(text);
    let in_order = found.len();
    found.extend(comments(text).map(|span| Unseen { span, kind: UnseenKind::Comment }));
    let kind = UnseenKind::File("include");
    found.extend(quarto_includes(text).map(|span| Unseen { span, kind }));
    // A search has no use for them.
    if events == EventSet::All {
        let kind = UnseenKind::Lookup(LinkOrigin::MdbookInclude);
        found.extend(mdbook_includes(text).map(|span| Unseen { span, kind }));
        let kind = UnseenKind::Lookup(LinkOrigin::Import);
        found.extend(imports(text).map(|span| Unseen { span, kind }));
        found.extend(liquid::includes(text).into_iter().map(|(origin, span)| {
            let kind = UnseenKind::Lookup(origin);
            Unseen { span, kind }
        }));
        found.extend(tags::quoted_paths(text).into_iter().map(|(origin, span)| {
            let kind = UnseenKind::Lookup(origin);
            Unseen { span, kind }
        }));
        let kind = UnseenKind::Lookup(LinkOrigin::Snippet);
        found.extend(snippets(text).map(|span| Unseen { span, kind }));
        let kind = UnseenKind::Lookup(LinkOrigin::CodeSource);
        found.extend(code_sources(text).map(|span| Unseen { span, kind }));
        let kind = UnseenKind::Lookup(LinkOrigin::QuartoFile);
        found.extend(quarto_files(text).map(|span| Unseen { span, kind }));
        let kind = UnseenKind::Lookup(LinkOrigin::Shortcode);
        found.extend(references(text).map(|span| Unseen { span, kind }));
        found.extend(shortcodes(text).map(|(origin, span)| {
            let kind = UnseenKind::Lookup(origin);
            Unseen { span, kind }
        }));
        let kind = UnseenKind::Lookup(LinkOrigin::ShortcodeArgument);
        found.extend(includes_of_hugo(text).map(|span| Unseen { span, kind }));
        let kind = UnseenKind::Lookup(LinkOrigin::Mdc);
        found.extend(attributes_of_mdc(text).map(|span| Unseen { span, kind }));
        found.extend(pages(text).map(|span| Unseen { span, kind: UnseenKind::Page }));
        let kind = UnseenKind::CrossReference;
        found.extend(quarto::references(text).map(|span| Unseen { span, kind }));
        let kind = UnseenKind::CrossId;
        found.extend(quarto::ids(text).into_iter().map(|id| Unseen { span: id.span, kind }));
    }
    if in_order > 0 || found.len() > in_order {
        found.sort_by_key(|it| it.span.start());
    }
    found
}

/// Longest path of an included file in bytes. The bound keeps time linear.
const MAX_PATH_BYTES: usize = 512;

/// Returns the paths in `{{< include _part.qmd >}}` of Quarto. Hugo has the same syntax for
/// whatever a site defines, so a path counts only if its name is one that Quarto includes: a
/// `.qmd`, or a name with the underscore that keeps a file from being rendered by itself.
fn quarto_includes(text: &[u8]) -> impl Iterator<Item = Span> {
    quarto_arguments(text, b"{{< include ")
        .filter(is_name_of_quarto)
        .filter_map(|path| span_within(path, text))
}

/// Returns the paths in `{src="snippets/a.kt"}` after a fence (Writerside, "Code").
fn code_sources(text: &[u8]) -> impl Iterator<Item = Span> {
    const SOURCE: &[u8] = b"src=\"";
    memmem::find_iter(text, SOURCE).filter_map(move |at| {
        let before = text.clamped(at.saturating_sub(MAX_PATH_BYTES)..at);
        let line = before.clamped(memchr::memrchr(b'\n', before)? + 1..).trim_ascii_start();
        let is_attribute = line.starts_with(b"{") && !line.starts_with(b"{{");
        let path = text.clamped(at + SOURCE.len()..);
        let path = path.clamped(..MAX_PATH_BYTES.min(path.len()));
        let path = path.clamped(..memchr::memchr(b'"', path)?);
        let is_path = !path.is_empty() && !path.contains(&b'\n');
        (is_attribute && is_path).then(|| span_within(path, text)).flatten()
    })
}

/// Returns the paths in `{{< include app.py >}}`, in code, too, `{{< video a.mp4 >}}`, and
/// `{{< embed a.ipynb#b >}}` of Quarto, without the label of a cell, which is not an anchor. Hugo
/// may have shortcodes of these names, so they have an origin of their own, and the audit, which
/// knows the generator, decides.
fn quarto_files(text: &[u8]) -> impl Iterator<Item = Span> {
    let included = quarto_arguments(text, b"{{< include ").filter(|path| !is_name_of_quarto(path));
    let shown =
        [&b"{{< video "[..], b"{{< embed "].into_iter().flat_map(|it| quarto_arguments(text, it));
    let shown = shown.map(|path| path.clamped(..memchr::memchr(b'#', path).unwrap_or(path.len())));
    included.chain(shown).filter_map(|path| span_within(path, text))
}

/// True for a name that Quarto includes, which no other program has.
fn is_name_of_quarto(path: &&[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    name.ends_with(b".qmd") || name.starts_with(b"_")
}

/// Returns the first arguments of shortcodes that start like this, if they are paths.
fn quarto_arguments<'t>(text: &'t [u8], open: &'static [u8]) -> impl Iterator<Item = &'t [u8]> {
    memmem::find_iter(text, open).filter_map(move |at| {
        let rest = text.clamped(at + open.len()..);
        let rest = rest.clamped(..MAX_PATH_BYTES.min(rest.len()));
        let arguments = rest.clamped(..memmem::find(rest, b">}}")?).trim_ascii();
        let end = arguments.iter().position(u8::is_ascii_whitespace);
        let path = arguments.clamped(..end.unwrap_or(arguments.len()));
        let is_path = !path.is_empty() && !path.iter().any(|byte| b"\n\"' <{".contains(byte));
        let is_address = memmem::find(path, b"://").is_some();
        // A third brace escapes it.
        let is_escaped = text.clamped(..at).ends_with(b"{");
        (is_path && !is_address && !is_escaped).then_some(path)
    })
}

/// Directives of mdBook that a file replaces, even in code blocks.
const MDBOOK_DIRECTIVES: [&[u8]; 4] = [b"include", b"rustdoc_include", b"playground", b"playpen"];

/// Returns the paths in `{{#include listing.rs:10}}` of mdBook. Handlebars has the same syntax, so
/// these paths have an origin of their own: code that knows the generator decides.
fn mdbook_includes(text: &[u8]) -> impl Iterator<Item = Span> {
    const OPEN: &[u8] = b"{{#";
    memmem::find_iter(text, OPEN).filter_map(|at| {
        let rest = text.clamped(at + OPEN.len()..);
        let rest = rest.clamped(..MAX_PATH_BYTES.min(rest.len()));
        let directive = rest.clamped(..memmem::find(rest, b"}}")?);
        let end = directive.iter().position(|byte| *byte == b' ')?;
        let argument = directive.clamped(end..).trim_ascii();
        // The lines or the name of a part follow a colon, and flags of a playground a space.
        let is_end = |byte: &u8| *byte == b':' || byte.is_ascii_whitespace();
        let path = argument.clamped(..argument.iter().position(is_end).unwrap_or(argument.len()));
        // mdBook includes no address: cut at its colon, it would be hidden.
        let is_address = memmem::find(argument, b"://").is_some();
        let is_path =
            !path.is_empty() && !is_address && !path.iter().any(|byte| b"\"'<{$".contains(byte));
        let is_escaped = text.clamped(..at).ends_with(b"\\");
        let is_known = MDBOOK_DIRECTIVES.contains(&directive.clamped(..end));
        (is_path && is_known && !is_escaped).then(|| span_within(path, text))?
    })
}

/// True for the path of a document or a picture.
pub(crate) fn is_shown(path: &[u8]) -> bool {
    [&b".md"[..], b".mdx"].iter().any(|end| path.ends_with(end)) || picture::is_path(path)
}

/// Returns the paths in `import a from './a.png'`, `import './a.css'`, `'@site/a'`, and `'/a.mdx'`
/// of MDX. To a path without an extension, its bundler adds one.
fn imports(text: &[u8]) -> impl Iterator<Item = Span> {
    const OTHERS: [&[u8]; 16] = [
        b".astro", b".cjs", b".css", b".js", b".json", b".jsx", b".less", b".mjs", b".sass",
        b".scss", b".svelte", b".ts", b".tsx", b".vue", b".yaml", b".yml",
    ];
    memmem::find_iter(text, b"import ").filter_map(|at| {
        let is_first = matches!(text.clamped(..at).last(), None | Some(b'\n'));
        let line = text.clamped(at..MAX_PATH_BYTES.min(text.len() - at) + at);
        let line = line.clamped(..memchr::memchr(b'\n', line).unwrap_or(line.len()));
        let value = match memmem::find(line, b" from ") {
            Some(at) => line.clamped(at + " from ".len()..),
            None => line.clamped("import ".len()..),
        };
        let (quote, inside) = value.split_first().filter(|(quote, _)| b"'\"".contains(quote))?;
        let value = inside.clamped(..memchr::memchr(*quote, inside)?);
        let path = value.clamped(..memchr::memchr(b'?', value).unwrap_or(value.len()));
        let is_raw = value.ends_with(b"?raw");
        let ends = |ends: &[&[u8]]| ends.iter().any(|end| path.ends_with(end));
        let is_of_site = path.starts_with(b"@site/");
        let is_relative = path.starts_with(b"./") || path.starts_with(b"../");
        let is_known = match path {
            [b'/', b'/', ..] => false,
            [b'/', ..] => is_shown(path),
            _ if is_of_site || is_relative => {
                is_raw || is_shown(path) || ends(&OTHERS) || is_without_extension(path)
            }
            _ => false,
        };
        (is_first && is_known).then(|| span_within(path, text))?
    })
}

/// True for `./a/b`, to which a bundler adds an extension.
pub(crate) fn is_without_extension(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    !name.is_empty() && !name.contains(&b'.')
}

/// Returns the paths in `--8<-- "a.md:part"` (PyMdown Extensions, "Snippets"), which are in code,
/// too.
fn snippets(text: &[u8]) -> impl Iterator<Item = Span> {
    const OPEN: &[u8] = b"--8<-- \"";
    memmem::find_iter(text, OPEN).filter_map(|at| {
        let line = text.clamped(..at).rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let rest = text.clamped(at + OPEN.len()..);
        let value =
            rest.clamped(..memchr::memchr(b'"', rest.clamped(..MAX_PATH_BYTES.min(rest.len())))?);
        let path = value.clamped(..memchr::memchr(b':', value).unwrap_or(value.len()));
        // An address, or an escaped snippet.
        let is_other = value.starts_with(b"http") || line.ends_with(b";") || path.starts_with(b";");
        let is_path = path.contains(&b'.') && !path.iter().any(|byte| b"\n ${}<>*".contains(byte));
        (is_path && !is_other).then(|| span_within(path, text))?
    })
}

/// Longest shortcode in bytes. The bound keeps time linear.
const MAX_SHORTCODE_BYTES: usize = 512;

/// Longest name of an argument in bytes. The bound keeps time linear.
const MAX_NAME_BYTES: usize = 32;

/// Returns the origin of an argument that may name a path: `src` and `href` are what HTML calls a
/// link, `dark-src` and `link` mean one only to the template.
fn origin_of(name: &[u8], value: &[u8]) -> Option<LinkOrigin> {
    const OTHERS: [&[u8]; 14] = [
        b"-href", b"-src", b"_href", b"_src", b"cover", b"file", b"icon", b"image", b"img",
        b"link", b"logo", b"page", b"poster", b"url",
    ];
    if matches!(name, b"src" | b"href") {
        return Some(LinkOrigin::Shortcode);
    }
    let is_path = value.contains(&b'/') || value.contains(&b'.');
    let is_other = OTHERS.iter().any(|other| name.ends_with(other));
    (is_path && is_other).then_some(LinkOrigin::ShortcodeArgument)
}

/// Returns the paths in arguments of `{{< name src="a.png" >}}` of Hugo, which its templates write
/// into HTML, and of `{{% name %}}`, with their origins. An address elsewhere is found as text.
fn shortcodes(text: &[u8]) -> impl Iterator<Item = (LinkOrigin, Span)> {
    let attributes = memchr::memchr_iter(b'=', text).filter_map(|at| {
        let rest = text.clamped(at + 1..).strip_prefix(b"\"")?;
        let before = text.clamped(at.saturating_sub(MAX_NAME_BYTES)..at);
        let name = before.rsplit(u8::is_ascii_whitespace).next().filter(|it| *it != before)?;
        let value =
            rest.clamped(..memchr::memchr(b'"', rest.clamped(..MAX_PATH_BYTES.min(rest.len())))?);
        let is_path = is_path_of_hugo(value) && !value.starts_with(b"//");
        let origin = origin_of(name, value).filter(|_| is_path)?;
        Some((at - name.len(), origin, value))
    });
    attributes.filter_map(|(at, origin, value)| {
        let before = text.clamped(at.saturating_sub(MAX_SHORTCODE_BYTES)..at);
        let open = memmem::rfind(before, b"{{")?;
        let inside = before.clamped(open + 2..);
        let is_open = memmem::find(inside, b"}}").is_none() && !inside.contains(&b'\n');
        // `{{</* name */>}}` is shown unchanged.
        let is_shortcode = matches!(inside, [b'<' | b'%', rest @ ..] if !rest.starts_with(b"/*"));
        let span = span_within(value, text)?;
        (is_open && is_shortcode).then_some((origin, span))
    })
}

/// Returns the paths in `{{< include "a.md" >}}` and `{{% readfile "a.md" %}}`, shortcodes that
/// sites of Hugo define for parts of pages.
fn includes_of_hugo(text: &[u8]) -> impl Iterator<Item = Span> {
    const NAMES: [&[u8]; 4] = [b"include", b"include-file", b"readfile", b"snippet"];
    memmem::find_iter(text, b"{{").filter_map(|at| {
        let rest = text.clamped(at + 2..);
        let rest = rest.clamped(..MAX_SHORTCODE_BYTES.min(rest.len()));
        let rest = rest.strip_prefix(b"<").or_else(|| rest.strip_prefix(b"%"))?.trim_ascii_start();
        let name = rest.clamped(..rest.iter().position(u8::is_ascii_whitespace)?);
        let inside = rest.clamped(name.len()..).trim_ascii_start().strip_prefix(b"\"")?;
        let value = inside.clamped(..memchr::memchr(b'"', inside)?);
        let is_file = value.contains(&b'.') && is_path_of_hugo(value);
        (is_file && NAMES.contains(&name)).then(|| span_within(value, text))?
    })
}

/// Returns the paths in attributes of components, `::card{to="/a"}` and `:link{href="b"}` (MDC,
/// "Syntax").
fn attributes_of_mdc(text: &[u8]) -> impl Iterator<Item = Span> {
    const NAMES: [&[u8]; 6] = [b"href", b"image", b"path", b"src", b"to", b"url"];
    let open = memchr::memchr_iter(b'{', text).filter_map(|at| {
        let before = text.clamped(at.saturating_sub(MAX_NAME_BYTES)..at);
        let name = before.iter().rev();
        let length = name.take_while(|it| it.is_ascii_alphanumeric() || **it == b'-').count();
        let is_component = length > 0 && before.clamped(..before.len() - length).ends_with(b":");
        let inside = text.clamped(at + 1..);
        let inside = inside.clamped(..MAX_PATH_BYTES.min(inside.len()));
        let line = inside.clamped(..memchr::memchr(b'\n', inside).unwrap_or(inside.len()));
        is_component.then(|| line.clamped(..memchr::memchr(b'}', line).unwrap_or(0)))
    });
    open.flat_map(|attributes| {
        memmem::find_iter(attributes, b"=\"").filter_map(|at| {
            let before = attributes.clamped(..at);
            let name = before.rsplit(u8::is_ascii_whitespace).next()?;
            let value = attributes.clamped(at + 2..);
            let value = value.clamped(..memchr::memchr(b'"', value)?);
            let is_path = NAMES.contains(&name)
                && is_path_of_hugo(value)
                && !value.starts_with(b"//")
                && (value.contains(&b'/') || value.contains(&b'.') || value.starts_with(b"#"));
            is_path.then_some(value)
        })
    })
    .filter_map(|value| span_within(value, text))
}

/// True for a path as an argument of a shortcode: not an address, a glob, or a template.
fn is_path_of_hugo(value: &[u8]) -> bool {
    !value.is_empty() && !value.iter().any(|byte| b" \n\t:*'`<>{}$".contains(byte))
}

/// Returns the paths in `{{< ref "a.md" >}}` and `{{% relref path="a.md" %}}` of Hugo, which writes
/// the addresses of these pages there (Hugo, "Ref and relref shortcodes").
fn references(text: &[u8]) -> impl Iterator<Item = Span> {
    memmem::find_iter(text, b"ref").filter_map(|at| {
        let before = text.clamped(at.saturating_sub(8)..at);
        // In a definition, `_` takes the place of each space.
        let is_blank = |byte: u8| matches!(byte, b' ' | b'_');
        let before = before.strip_suffix(b"rel").unwrap_or(before).trim_ascii_end();
        let before = before.clamped(..before.len() - before.trailing(is_blank));
        if !before.ends_with(b"{{<") && !before.ends_with(b"{{%") {
            return None;
        }
        let rest = text.clamped(at + "ref".len()..);
        let rest = rest.clamped(..MAX_PATH_BYTES.min(rest.len()));
        let is_in_definition = rest.starts_with(b"_");
        let blanks = if is_in_definition { rest.leading(is_blank) } else { 1 };
        let is_separated = rest.first().copied().is_some_and(is_blank);
        let argument = is_separated.then(|| rest.clamped(blanks..).trim_ascii_start())?;
        let argument = argument.strip_prefix(b"path=").unwrap_or(argument);
        let value = match argument.split_first()? {
            (quote @ (b'"' | b'`'), inside) => inside.clamped(..memchr::memchr(*quote, inside)?),
            _ if is_in_definition => return None,
            _ => argument.clamped(..argument.iter().position(u8::is_ascii_whitespace)?),
        };
        // Without quotes, `lang=en` is another argument.
        let is_path = is_path_of_hugo(value) && !value.contains(&b'=');
        is_path.then(|| span_within(value, text))?
    })
}

/// Longest name of a page in bytes. The bound keeps time linear.
const MAX_PAGE_BYTES: usize = 256;

/// Returns the texts in `[[…]]`, unless they are links of Markdown or escaped.
fn pages(text: &[u8]) -> impl Iterator<Item = Span> {
    memmem::find_iter(text, b"[[").filter_map(|at| {
        let start = at + 2;
        let rest = text.clamped(start..);
        let end = memmem::find(rest.clamped(..MAX_PAGE_BYTES.min(rest.len())), b"]]")?;
        let name = rest.clamped(..end);
        let is_link = matches!(rest.get(end + 2), Some(b'(' | b'[' | b':'));
        let is_escaped = text.clamped(..at).ends_with(b"\\");
        let is_name =
            !name.iter().any(|byte| b"[]\n{}<>".contains(byte)) && !name.trim_ascii().is_empty();
        (is_name && !is_link && !is_escaped && !is_in_code(text, at))
            .then(|| Span::new(start, start + end))
    })
}

/// True after `<code>` on the same line.
fn is_in_code(text: &[u8], at: usize) -> bool {
    let before = text.clamped(at.saturating_sub(MAX_PAGE_BYTES)..at);
    let line = memchr::memrchr(b'\n', before).map_or(before, |end| before.clamped(end..));
    let last = |tag: &[u8]| memmem::rfind(line, tag);
    last(b"<code").is_some_and(|start| last(b"</code").is_none_or(|end| end < start))
}

/// First word of a comment for urigrep.
const WORD: &[u8] = b"urigrep-";

/// Longest comment in bytes. The bound keeps time linear.
const MAX_COMMENT_BYTES: usize = 512;

/// Marks around a comment: of MDX, of a definition without a reference, and of Obsidian.
const MARKS: &[(&[u8], &[u8])] = &[
    (b"{/*", b"*/}"),
    (b"[//]: # (", b")"),
    (b"[//]: # \"", b"\""),
    (b"[//]: # '", b"'"),
    (b"[//]: <> (", b")"),
    (b"[comment]: # (", b")"),
    (b"[comment]: <> (", b")"),
    (b"%%", b"%%"),
];

/// True for the text of a comment for urigrep, which is kept where other comments are blanked.
pub(super) fn is_for_urigrep(comment: &[u8]) -> bool {
    comment.trim_ascii_start().starts_with(WORD)
}

/// Returns the texts of comments for urigrep that are not HTML.
fn comments(text: &[u8]) -> impl Iterator<Item = Span> {
    memmem::find_iter(text, WORD).filter_map(|at| {
        let before = text.clamped(..at).trim_ascii_end();
        let (_, close) = MARKS.iter().find(|(open, _)| before.ends_with(open))?;
        let rest = text.clamped(at..);
        let end = memmem::find(rest.clamped(..MAX_COMMENT_BYTES.min(rest.len())), close)?;
        let comment = rest.clamped(..end).trim_ascii_end();
        (!comment.contains(&b'\n')).then(|| Span::new(at, at + comment.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_for_urigrep() {
        let text = "{/* urigrep-a b */} [//]: # (urigrep-c) %% urigrep-d %% <!-- urigrep-e -->\n%% urigrep-f\n%%";
        let found = comments(text.as_bytes()).map(|span| &text[span.range()]);
        assert_eq!(
            found.collect::<Vec<_>>(),
            ["urigrep-a b", "urigrep-c", "urigrep-d", "urigrep-f"]
        );
    }

    #[test]
    fn includes_of_quarto() {
        let text = "{{< include _a.qmd >}} {{< include ../b.qmd>}} {{< include c.md >}} \
            {{< include \"_d.md\" >}} {{< include _e.md >}} {{< include _f.md\n>}} \
            {{{< include _h.md >}}} {{< include _g.md";
        let found = quarto_includes(text.as_bytes()).map(|span| &text[span.range()]);
        assert_eq!(found.collect::<Vec<_>>(), ["_a.qmd", "../b.qmd", "_e.md", "_f.md"]);
    }

    #[test]
    fn snippets_by_path() {
        let text = "--8<-- \"a/b.md\"\n  --8<-- \"c.py:d\"\n;--8<-- \"e.md\"\n--8<-- \"https://f.example/g.md\"\n\
            --8<-- \"; h.md\"\n--8<--\ni.md\n--8<--\n";
        let found = snippets(text.as_bytes()).map(|span| &text[span.range()]);
        assert_eq!(found.collect::<Vec<_>>(), ["a/b.md", "c.py"]);
    }

    #[test]
    fn imports_of_pictures() {
        let text = "import a from './b.png';\nimport C from \"../d/_e.mdx\"\nimport F from './g'\nimport {h} from 'i/j.png'\nimport './z.css'\nimport y from './'\n\
            x import k from './l.png'\nimport m from './n.sh?raw';\nimport o from './p.types'\n\
            import q from '@site/r.js'\nimport s from '/t.mdx'\nimport u from '/v.js'\nimport w from '@x/y.mdx'";
        let found = imports(text.as_bytes()).map(|span| &text[span.range()]);
        assert_eq!(
            found.collect::<Vec<_>>(),
            ["./b.png", "../d/_e.mdx", "./g", "./z.css", "./n.sh", "@site/r.js", "/t.mdx"]
        );
    }

    #[test]
    fn files_of_quarto() {
        let text = "{{< include a.py >}} {{< include _b.qmd >}} {{< video c.mp4 title=\"d e\" >}} \
            {{< embed f.ipynb#g >}} {{< video https://a.example/h.mp4 >}} {{{< video i.mp4 >}}} {{< pagebreak >}}";
        let found = quarto_files(text.as_bytes()).map(|span| &text[span.range()]);
        assert_eq!(found.collect::<Vec<_>>(), ["a.py", "c.mp4", "f.ipynb"]);
    }

    #[test]
    fn includes_of_mdbook() {
        let text = "{{#include a.rs}} {{#rustdoc_include ../b.rs:here}} {{#playground c.rs editable}} \
            \\{{#include d.rs}} {{#if e}} {{#include {{f}}}} {{#include}} {{#include https://a.example/x.md}} {{#include g.rs:1:2";
        let found = mdbook_includes(text.as_bytes()).map(|span| &text[span.range()]);
        assert_eq!(found.collect::<Vec<_>>(), ["a.rs", "../b.rs", "c.rs"]);
    }

    #[test]
    fn attributes_of_shortcodes() {
        let text = "{{< a src=\"b.png\" alt=\"c\" href=\"#d\" >}} {{% e href=\"/f/\" %}} <img src=\"g.png\"> \
            {{</* h src=\"i\" */>}} {{ j src=\"k\" }} {{< l src=\"https://m.dev/\" >}} {{< n src=\"{{ o }}\" >}} {{< p >}} src=\"q\" \
            {{< r dark-src=\"/s.png\" link=\"t/\" icon=\"u\" title=\"v/w\" >}}";
        let found = |origin| {
            let found = shortcodes(text.as_bytes()).filter(move |(it, _)| *it == origin);
            found.map(|(_, span)| &text[span.range()]).collect::<Vec<_>>()
        };
        assert_eq!(found(LinkOrigin::Shortcode), ["b.png", "#d", "/f/"]);
        assert_eq!(found(LinkOrigin::ShortcodeArgument), ["/s.png", "t/"]);
    }

    #[test]
    fn includes_of_sites() {
        let text = "{{< include \"a/b.md\" >}} {{% readfile \"c.txt\" %}} {{< include file=\"d.md\" >}} \
            {{< note \"e.md\" >}} {{< include \"f g.md\" >}} {{</* include \"h.md\" */>}} {{< include i.md >}}";
        let found = includes_of_hugo(text.as_bytes()).map(|span| &text[span.range()]);
        assert_eq!(found.collect::<Vec<_>>(), ["a/b.md", "c.txt"]);
    }

    #[test]
    fn attributes_of_components() {
        let text = "::card{to=\"/a\" icon=\"b/c\"}\n:link{.d href=\"e.md#f\" src=\"https://g.dev\"} [h](i){to=\"/j\"}\n{to=\"/k\"} ::l{ to=\"m\n\"}";
        let found = attributes_of_mdc(text.as_bytes()).map(|span| &text[span.range()]);
        assert_eq!(found.collect::<Vec<_>>(), ["/a", "e.md#f"]);
    }

    #[test]
    fn references_of_hugo() {
        let text = "[a]({{< ref \"b.md#c\" >}}) {{%relref path=\"/d\" lang=\"e\" %}} {{<ref f >}} {{< relref `g` >}} \
            {{< href \"h\" >}} {{< ref . >}} {{</* ref \"i\" */>}} [l]: {{<_relref_\"_m_n\"_>}} {{<_ref_o_>}} ref \"j\" {{< ref \"{{ k }}\" >}}";
        let found = references(text.as_bytes()).map(|span| &text[span.range()]);
        assert_eq!(found.collect::<Vec<_>>(), ["b.md#c", "/d", "f", "g", ".", "_m_n"]);
    }

    #[test]
    fn names_of_pages() {
        let text = "[[a b]] ![[c.png|d]] [[1]](e) \\[[f]] [[g\n]] [[ ]] [[h#i]]";
        let found = pages(text.as_bytes()).map(|span| &text[span.range()]);
        assert_eq!(found.collect::<Vec<_>>(), ["a b", "c.png|d", "h#i"]);
    }
}
