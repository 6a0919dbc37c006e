//! Rewrites other dialects of Markdown for a CommonMark parser, without changing the length.
//!
//! Blocks of Python-Markdown, tags of MDX, and templates in definitions would hide links in and
//! after them from the parser. Since the length is unchanged, offsets need no map.

use std::borrow::Cow;
use std::ops::Range;

use super::columns::{CODE_COLUMNS, hide_tag, indentation, unindent};
use super::{liquid, liquid_values, mdx, myst, obsidian, pandoc};
use crate::document::Dialect;
use crate::slice::SliceExt as _;

/// Rewrites a document of this dialect, so that a CommonMark parser sees all its links.
pub(super) fn prepare<'t>(dialect: &Dialect, text: &'t [u8]) -> Cow<'t, [u8]> {
    let mut prepared = Cow::Borrowed(text);
    if memchr::memmem::find(text, b"\n>\n").is_some() {
        close_components(prepared.to_mut());
    }
    match dialect {
        Dialect::Mdx => {
            prepared = Cow::Owned(mdx::as_markdown(text));
            quote_expressions(prepared.to_mut(), QuotedExpressions::All);
            open_tags(prepared.to_mut(), MarkdownTags::All);
        }
        Dialect::Jsx if memchr::memmem::find(text, b"={").is_some() => {
            quote_expressions(prepared.to_mut(), QuotedExpressions::OfTags);
        }
        _ => {}
    }
    // Check before copying: most documents have none of these.
    if liquid::has_code(&prepared) {
        liquid::fence_code(prepared.to_mut());
    }
    if has_block(&prepared) {
        open_blocks(prepared.to_mut());
    }
    match dialect {
        Dialect::Kramdown(values) => {
            if !values.is_empty() {
                liquid_values::fill_addresses(&mut prepared, values);
            }
            open_text(&mut prepared);
            if memchr::memmem::find(&prepared, b"}\n[").is_some() {
                end_paragraphs(prepared.to_mut(), |line| list_end(line).or(template_end(line)));
            }
        }
        Dialect::Eleventy => liquid_values::fill_urls(&mut prepared),
        Dialect::Python => {
            open_text(&mut prepared);
            if memchr::memmem::find(&prepared, b"]:").is_some() {
                end_paragraphs(prepared.to_mut(), plain_end);
            }
        }
        Dialect::Pandoc if memchr::memmem::find(&prepared, b">\n").is_some() => {
            pandoc::end_html(prepared.to_mut());
        }
        Dialect::Obsidian => obsidian::blank_comments(prepared.to_mut()),
        Dialect::Myst if myst::has_comment(&prepared) => myst::blank_comments(prepared.to_mut()),
        _ => {}
    }
    if myst::has_directive(&prepared) {
        myst::fences(prepared.to_mut());
    }
    if has_template(&prepared) {
        fill_templates(prepared.to_mut());
    }
    prepared
}

/// Turns tags on their own line, within which kramdown and Python-Markdown read Markdown, into
/// text. Blocks come before this, because they look at the indentation of such a tag.
fn open_text(prepared: &mut Cow<'_, [u8]>) {
    if memchr::memmem::find(prepared, b"{%").is_some() {
        liquid::blank_tags(prepared.to_mut());
        liquid::neutralize_arguments(prepared.to_mut());
    }
    open_tags(prepared.to_mut(), MarkdownTags::OfText);
    if memchr::memmem::find(prepared, b"\n\n    ").is_some() {
        open_elements(prepared.to_mut());
    }
}

/// Moves a `>` on a line of its own to the end of the line before it, if it ends the tag of a
/// component. CommonMark would read it as the mark of a quote, and the attributes as text.
fn close_components(text: &mut [u8]) {
    /// Maximum distance to the start of the tag. The bound keeps time linear.
    const MAX_TAG_BYTES: usize = 1024;
    let ends: Vec<usize> = memchr::memmem::find_iter(text, b"\n>\n").collect();
    for end in ends {
        let before = text.clamped(..end);
        let before = before.clamped(before.len().saturating_sub(MAX_TAG_BYTES)..);
        let Some(start) = memchr::memmem::rfind(before, b"\n<") else { continue };
        let tag = before.clamped(start + 2..);
        let is_component = tag.first().is_some_and(u8::is_ascii_uppercase)
            && memchr::memmem::find(tag, b"\n\n").is_none()
            && !tag.contains(&b'>');
        if let Some([feed, mark]) = text.get_mut(end..end + 2).filter(|_| is_component) {
            (*feed, *mark) = (b'>', b'\n');
        }
    }
}

/// Calls `work` for each line, without its end.
pub(super) fn for_each_line(text: &mut [u8], mut work: impl FnMut(&mut [u8])) {
    let mut left = text;
    while !left.is_empty() {
        let end = memchr::memchr(b'\n', left).unwrap_or(left.len());
        let (line, after) = left.split_at_mut(end);
        work(line);
        left = after.get_mut(1..).unwrap_or_default();
    }
}

/// True for a line that opens or closes code.
pub(super) fn is_fence(line: &[u8]) -> bool {
    line.starts_with(b"```") || line.starts_with(b"~~~")
}

/// True for `!!! note`, `??? note`, and `=== "Tab"`, after which indented lines are text
/// (Python-Markdown's `admonition`, and `details` and `tabbed` of PyMdown Extensions).
fn is_block(line: &[u8]) -> bool {
    line.strip_prefix(b"!!!").is_some_and(is_kind)
        || line.strip_prefix(b"???").is_some_and(|it| is_kind(it.strip_prefix(b"+").unwrap_or(it)))
        || line.starts_with(b"=== \"")
        || line.starts_with(b"=== '")
        || line.starts_with(b"===! \"")
        || line.starts_with(b"===+ \"")
}

/// True for the kind of a block, and its title: ` note`, or `note "A"` without a space before it.
fn is_kind(line: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_ ".contains(byte);
    let is_glued = || {
        let line = line.trim_ascii_end();
        let rest = line.clamped(line.iter().take_while(|byte| is_name(byte)).count()..);
        line.first().is_some_and(u8::is_ascii_alphabetic)
            && (rest.is_empty()
                || rest.len() > 1 && rest.starts_with(b"\"") && rest.ends_with(b"\""))
    };
    line.starts_with(b" ") || is_glued()
}

fn has_block(text: &[u8]) -> bool {
    [&b"!!!"[..], b"???", b"=== ", b"===!", b"===+"]
        .iter()
        .any(|mark| memchr::memmem::find(text, mark).is_some())
        && text.split(|&byte| byte == b'\n').any(|line| is_block(line.trim_ascii_start()))
}

/// Turns the indented lines of a block into text. CommonMark would read them as code after an empty
/// line.
fn open_blocks(text: &mut [u8]) {
    let mut block = None;
    let mut is_after_empty = false;
    let mut is_in_fence = false;
    for_each_line(text, |line| {
        let (columns, blanks) = indentation(line);
        let rest = line.clamped(blanks..);
        if matches!(rest, [] | [b'\r']) {
            is_after_empty = true;
            return;
        }
        let is_inside = block.is_some_and(|column| columns >= column + CODE_COLUMNS);
        let is_fence = is_fence(rest);
        if is_inside && is_fence {
            // CommonMark reads an indented fence as code, so move its indentation after it.
            is_in_fence = !is_in_fence;
            line.rotate_left(blanks);
        // Without an empty line before it, an indented line continues a paragraph (CommonMark
        // §4.4), and is text already.
        } else if is_inside && !is_in_fence && is_after_empty {
            unindent(line);
        } else if !is_inside && !is_in_fence {
            block = is_block(rest).then_some(columns);
        } else if !is_inside {
            // The fence was not closed in the block.
            is_in_fence = false;
            block = None;
        }
        is_after_empty = false;
    });
}

/// Turns lines that are only a tag without a link or id into text. After such a tag, CommonMark
/// reads HTML up to an empty line (§4.6), but MDX reads Markdown.
fn open_tags(text: &mut [u8], tags: MarkdownTags) {
    let mut is_in_fence = false;
    // In a block of HTML, which an empty line ends.
    let mut is_in_html = false;
    for_each_line(text, |line| {
        let content = line.trim_ascii_start();
        if is_fence(content) {
            is_in_fence = !is_in_fence;
        }
        let is_tag = !is_in_fence && is_lone_tag(content, tags);
        let is_of_html =
            content.starts_with(b"<") || is_in_html && !content.trim_ascii_end().is_empty();
        if is_tag && is_in_html && is_markdown_tag(content) {
            // `<details><summary>a</summary>` is above.
            line.fill(b' ');
        } else if is_tag {
            hide_tag(line);
        }
        is_in_html = is_of_html && !is_tag && !is_in_fence;
    });
}

/// Elements that contain others. Their content is indented more often than that of `<p>` and
/// `<li>`, whose end tag may be missing.
const ELEMENTS: [&[u8]; 12] = [
    b"article", b"aside", b"center", b"details", b"div", b"dl", b"figure", b"ol", b"section",
    b"table", b"tbody", b"ul",
];

/// Turns indented lines after an empty one into text where an element is open. kramdown and
/// Python-Markdown read HTML up to the end tag, CommonMark only up to the empty line (§4.6), so the
/// links below it would be in code.
fn open_elements(text: &mut [u8]) {
    // An element without an end would turn all code after it into text.
    let ends = ELEMENTS.map(|name| memchr::memmem::rfind(text, &[b"</", name].concat()));
    let (mut open, mut offset): (Option<(&[u8], usize)>, usize) = (None, 0);
    let mut is_after_empty = false;
    let mut is_in_fence = false;
    for_each_line(text, |line| {
        let (columns, blanks) = indentation(line);
        let rest = line.clamped(blanks..);
        let is_empty = rest.trim_ascii_end().is_empty();
        is_in_fence ^= open.is_none() && is_fence(rest);
        if open.is_none() && !is_in_fence && columns < CODE_COLUMNS {
            let starts = ELEMENTS
                .iter()
                .zip(ends)
                .find(|(name, end)| opens(rest, name) && end.is_some_and(|end| end > offset));
            open = starts.map(|(name, _)| (*name, 0));
        }
        if let Some((name, depth)) = open {
            let depth = depth + count_tags(rest, b"<", name);
            let depth = depth.saturating_sub(count_tags(rest, b"</", name));
            open = (depth > 0).then_some((name, depth));
            if is_after_empty && !is_empty && columns >= CODE_COLUMNS {
                unindent(line);
            }
        }
        is_after_empty = is_empty;
        offset += line.len() + 1;
    });
}

/// True if `text` starts with a tag `<name`.
fn opens(text: &[u8], name: &[u8]) -> bool {
    let rest = text.strip_prefix(b"<").and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| ends_name(rest.first()))
}

/// True if the name of a tag ends before this byte.
fn ends_name(next: Option<&u8>) -> bool {
    next.is_none_or(|&byte| byte == b'>' || byte.is_ascii_whitespace())
}

/// Counts the tags `name` in a line that start with `mark`, `<` or `</`.
fn count_tags(line: &[u8], mark: &[u8], name: &[u8]) -> usize {
    let tag = [mark, name].concat();
    let found = memchr::memmem::find_iter(line, &tag);
    found.filter(|at| ends_name(line.get(at + tag.len()))).count()
}

/// Ends the paragraph before a definition: Python-Markdown takes definitions out of it
/// (`ReferenceProcessor`), and kramdown ends it at a list of attributes, but to CommonMark they are
/// its text (§4.7). In the previous line, the first character of the range at which it may `end` is
/// removed, and a line end is added after the others.
fn end_paragraphs(text: &mut [u8], end: impl Fn(&[u8]) -> Option<Range<usize>>) {
    let (mut at, mut is_in_fence) = (0, false);
    let mut before: Option<Range<usize>> = None;
    while at < text.len() {
        let line = text.clamped(at..);
        let line = line.clamped(..memchr::memchr(b'\n', line).unwrap_or(line.len()));
        let (columns, blanks) = indentation(line);
        let rest = line.clamped(blanks..);
        let next = at + line.len() + 1;
        let is_definition = columns < CODE_COLUMNS && is_definition(rest);
        is_in_fence ^= is_fence(rest);
        let last = end(line).map(|end| at + end.start..at + end.end);
        if let Some(end) = before.filter(|_| is_definition && !is_in_fence)
            && let Some(end) = text.get_mut(end)
            && let Some(first) = end.first_mut()
        {
            *first = b'\n';
            end.rotate_left(1);
        }
        // A definition needs no empty line after another one.
        before = last.filter(|_| !is_definition);
        at = next;
    }
}

/// True for `[label]: destination`, but not for a footnote or an abbreviation.
fn is_definition(line: &[u8]) -> bool {
    let Some(label) = line.strip_prefix(b"[").filter(|rest| !rest.starts_with(b"^")) else {
        return false;
    };
    let end = memchr::memchr2(b']', b'[', label);
    end.is_some_and(|end| end > 0 && label.clamped(end..).starts_with(b"]:"))
}

/// Returns the range of the last character of a line if it ends a word of text, not a link.
fn plain_end(line: &[u8]) -> Option<Range<usize>> {
    // A heading needs no empty line after it, and its text makes an anchor.
    let last = line.len().checked_sub(1).filter(|_| !line.starts_with(b"#"))?;
    // None of these closes a link, a code span, or emphasis, so no markup is lost with it.
    let is_mark = |byte: &u8| b" \t\r.,:;!?".contains(byte);
    let word = line.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    let is_word = u8::is_ascii_alphanumeric;
    (line.last().is_some_and(is_mark) || word.iter().all(is_word)).then_some(last..last + 1)
}

/// Returns the range after the brace of a list of attributes on a line of its own, `{: .a }`.
/// Without its colon, it still has its id.
fn list_end(line: &[u8]) -> Option<Range<usize>> {
    let end = line.trim_ascii_end().len();
    let start = line.len() - line.trim_ascii_start().len();
    let list = line.get(start..end).unwrap_or_default();
    (list.starts_with(b"{:") && list.ends_with(b"}")).then_some(start + 1..end)
}

/// Returns the range from the last space of a line of templates, `{% include a.md %}` and
/// `{{ a }}`, to its end. Liquid may write nothing there, or other definitions, so that the
/// definition in the next line is one.
fn template_end(line: &[u8]) -> Option<Range<usize>> {
    let end = line.trim_ascii_end().len();
    let content = line.clamped(..end).trim_ascii_start();
    let is_template = content.starts_with(b"{%") && content.ends_with(b"%}")
        || content.starts_with(b"{{") && content.ends_with(b"}}");
    let last = memchr::memrchr(b' ', line.clamped(..end));
    let is_of_end = |at: &usize| end - at <= 4;
    is_template.then(|| last.filter(is_of_end).unwrap_or(end - 1)..end)
}

/// Tags after which a dialect reads Markdown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkdownTags {
    All,
    /// Tags within paragraphs, such as `<em>`.
    OfText,
}

/// Expressions of JSX to quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuotedExpressions {
    All,
    /// Those that are after the start of a tag, and end in its line: `={` in code of other
    /// languages may have no end, or a distant one.
    OfTags,
}

/// Longest start of a tag in front of an expression. The bound keeps time linear.
const MAX_TAG_BYTES: usize = 1024;

/// Returns the range of the string in `{"/a"}`, `{require('./a.png').default}`, and
/// `{useBaseUrl('/a.png')}`, which is a reference (Docusaurus, "Assets" and "Static assets").
fn literal(expression: &[u8]) -> Option<Range<usize>> {
    let inside = expression.strip_prefix(b"{")?.strip_suffix(b"}")?;
    let mut start = 1 + inside.len() - inside.trim_ascii_start().len();
    let mut text = inside.trim_ascii();
    if let Some(call) = [&b"require("[..], b"useBaseUrl("].iter().find(|it| text.starts_with(it)) {
        start += call.len();
        text = text.clamped(call.len()..);
        text = text.strip_suffix(b".default").unwrap_or(text).strip_suffix(b")")?;
    }
    let (quote, rest) = text.split_first()?;
    let content = rest.strip_suffix(std::slice::from_ref(quote))?;
    let is_string = matches!(quote, b'"' | b'\'' | b'`')
        && !content.is_empty()
        && !content.iter().any(|byte| byte == quote || b"\"\n\\$".contains(byte));
    is_string.then(|| start..start + content.len() + 2)
}

/// Blanks an expression, except for a string in it.
fn keep_only(expression: &mut [u8], literal: Range<usize>) {
    for (index, byte) in expression.iter_mut().enumerate() {
        if index == literal.start || index + 1 == literal.end {
            *byte = b'"';
        } else if !literal.contains(&index) && *byte != b'\n' {
            *byte = b' ';
        }
    }
}

/// Quotes the expressions of JSX attributes, such as `style={{ margin: 10 }}`. With white space or
/// quotes in them, CommonMark reads the tag as text (§6.6) and loses its other attributes. The
/// content of the expression is blanked.
fn quote_expressions(text: &mut [u8], which: QuotedExpressions) {
    let mut at = 0;
    while let Some(start) = memchr::memmem::find(text.clamped(at..), b"={").map(|it| at + it + 1) {
        let (mut depth, mut end) = (0_usize, None);
        let is_of_tag = which == QuotedExpressions::OfTags;
        if is_of_tag && !is_in_tag(text.clamped(start.saturating_sub(MAX_TAG_BYTES)..start)) {
            at = start;
            continue;
        }
        for (offset, byte) in text.clamped(start..).iter().enumerate() {
            match byte {
                b'\n' if is_of_tag => break,
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                end = Some(start + offset);
                break;
            }
        }
        // If this expression has no end, later ones have none either.
        let Some(end) = end else {
            if is_of_tag {
                at = start;
                continue;
            }
            return;
        };
        let expression = text.get_mut(start..=end).unwrap_or_default();
        at = end;
        if let Some(literal) = literal(expression) {
            keep_only(expression, literal);
            continue;
        }
        let needs_quotes = |byte: &u8| byte.is_ascii_whitespace() || b"\"'<>=`".contains(byte);
        // The two quotes and the two braces need four characters.
        if expression.len() < 4 || !expression.iter().any(needs_quotes) {
            continue;
        }
        let last = expression.len() - 1;
        for (index, byte) in expression.iter_mut().enumerate() {
            *byte = match index {
                0 => b'"',
                1 => b'{',
                _ if index == last => b'"',
                _ if index + 1 == last => b'}',
                _ if matches!(*byte, b'\n' | b'\r') => *byte,
                _ => b'_',
            };
        }
    }
}

/// True if a tag is open at the end of a text, in its last line.
fn is_in_tag(text: &[u8]) -> bool {
    let line = text.clamped(memchr::memrchr(b'\n', text).map_or(0, |it| it + 1)..);
    let Some(open) = memchr::memrchr(b'<', line) else { return false };
    let tag = line.clamped(open + 1..);
    tag.first().is_some_and(u8::is_ascii_alphabetic) && !tag.contains(&b'>')
}

/// True for `<div className="a">` and `</div>`.
fn is_lone_tag(line: &[u8], tags: MarkdownTags) -> bool {
    let line = line.trim_ascii_end();
    let Some(tag) = line.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")) else {
        return false;
    };
    let name = tag.strip_prefix(b"/").unwrap_or(tag);
    // Their content is never Markdown, and CommonMark reads it as HTML up to the end tag (§4.6,
    // condition 1).
    let raw = [&b"script"[..], b"style", b"pre", b"textarea"];
    let of_text = [&b"em"[..], b"strong", b"span", b"small", b"b", b"i", b"u", b"sub", b"sup"];
    let is_word = |word: &[u8]| {
        name.strip_prefix(word).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
    };
    name.first().is_some_and(u8::is_ascii_lowercase)
        && (tags == MarkdownTags::All || of_text.iter().any(|word| is_word(word)) || has_markdown(tag))
        && !raw.iter().any(|raw| name.starts_with(raw))
        && memchr::memchr2(b'<', b'>', tag).is_none()
        // As text, the tag would lose its link or its anchor.
        && [&b"href"[..], b"src", b"id=", b"name=", b"poster", b"data", b" to="]
            .iter()
            .all(|attribute| memchr::memmem::find(tag, attribute).is_none())
}

/// True for a line with a tag whose content is Markdown.
fn is_markdown_tag(line: &[u8]) -> bool {
    line.trim_ascii_end().strip_suffix(b">").is_some_and(has_markdown)
}

/// True for a tag with the attribute `markdown`, whose content is Markdown to Python-Markdown
/// (`md_in_html`) and kramdown.
fn has_markdown(tag: &[u8]) -> bool {
    tag.split(u8::is_ascii_whitespace).skip(1).any(|attribute| {
        attribute.strip_prefix(b"markdown").is_some_and(|rest| {
            matches!(rest, [] | [b'='] | b"=\"1\"" | b"=1" | b"=\"span\"" | b"=\"block\"")
        })
    })
}

/// True if a text may have a template in a definition.
fn has_template(text: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(text, part).is_some();
    has(b"]: ") && (has(b"{{") || has(b"{%"))
}

/// Turns a template in a definition into one word: `[a]: {{ url }}/b`. With white space in its
/// destination, the definition and all that follow it are a paragraph to CommonMark.
fn fill_templates(text: &mut [u8]) {
    for_each_line(text, |line| {
        let is_definition = line.trim_ascii_start().starts_with(b"[");
        let Some(at) = memchr::memmem::find(line, b"]: ").filter(|_| is_definition) else {
            return;
        };
        // A title may have braces, too, but no template.
        let destination = line.clamped(at + 3..).trim_ascii_start();
        let word = destination.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        if !word.windows(2).any(|it| matches!(it, b"{{" | b"{%")) {
            return;
        }
        // The path of a page keeps its quotation marks, which show where it ends.
        let is_reference = is_reference_of_hugo(destination);
        let mut depth = 0_usize;
        for byte in line.get_mut(at + 3..).unwrap_or_default() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                b'"' | b'\'' if is_reference => {}
                b' ' | b'\t' | b'"' | b'\'' if depth > 0 => *byte = b'_',
                _ => {}
            }
        }
    });
}

/// True for `{{< relref "a" >}}` of Hugo.
fn is_reference_of_hugo(text: &[u8]) -> bool {
    let inside = text.strip_prefix(b"{{<").or_else(|| text.strip_prefix(b"{{%"));
    let inside = inside.unwrap_or_default().trim_ascii_start();
    inside.starts_with(b"ref ") || inside.starts_with(b"relref ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(work: fn(&mut [u8]), text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        work(&mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn blocks() {
        let text = "!!! note\n\n    a\n    b\n\n    ```\n    c\n\n    d\n    ```\n\n      e\n\nf\n\n    code\n";
        let opened = "!!! note\n\n   \x0ca\n    b\n\n```    \n    c\n\n    d\n```    \n\n   \x0c  e\n\nf\n\n    code\n";
        assert_eq!(shown(open_blocks, text), opened);
        assert!(has_block(b"a\n  ??? b \"c\"\n") && !has_block(b"a!!! b\n===\n"));
    }

    #[test]
    fn tags() {
        let text = "<div className=\"a\">\n[b](c)\n</div>\n<a href=\"d\">\n```\n<p>\n```\n";
        let opened = "\x0c<div className=\"a\"\n[b](c)\n\x0c</div\n<a href=\"d\">\n```\n<p>\n```\n";
        assert_eq!(shown(|text| open_tags(text, MarkdownTags::All), text), opened);
        let text =
            "<details><summary>a</summary>\n<div markdown=\"1\">\n* [b](c)\n</div>\n</details>\n";
        let opened =
            "<details><summary>a</summary>\n                  \n* [b](c)\n</div>\n</details>\n";
        assert_eq!(shown(|text| open_tags(text, MarkdownTags::OfText), text), opened);
        let text = "<em>\n[b](c)\n</em>\n<div>\n<div class=a markdown>\n";
        let opened = "\x0c<em\n[b](c)\n\x0c</em\n<div>\n                      \n";
        assert_eq!(shown(|text| open_tags(text, MarkdownTags::OfText), text), opened);
    }

    #[test]
    fn elements() {
        let text =
            "<table>\n  <p>\n\n      a\n      b\n\n</table>\n\n    code\n<div>\n\n    code\n";
        let opened =
            "<table>\n  <p>\n\n   \x0c  a\n      b\n\n</table>\n\n    code\n<div>\n\n    code\n";
        assert_eq!(shown(open_elements, text), opened);
        let text =
            "<ul>\n<li><ul></ul>\n\n    a\n</ul>\n\n    code\n```\n<ul>\n\n    code\n```\n</ul>\n";
        let opened = text.replacen("    a", "   \x0ca", 1);
        assert_eq!(shown(open_elements, text), opened);
    }

    #[test]
    fn definitions() {
        let text = "a b\n[c]: d\n[e]: f\n\n[g].\n   [h]: i\nhttps://j.dev/k\n[l]: m\nn\n[^o]: p\nq\n    [r]: s\n```\nt\n[u]: v\n```\n# w\n[x]: y\n";
        let ended = "a \n\n[c]: d\n[e]: f\n\n[g]\n\n   [h]: i\nhttps://j.dev/k\n[l]: m\nn\n[^o]: p\nq\n    [r]: s\n```\nt\n[u]: v\n```\n# w\n[x]: y\n";
        assert_eq!(shown(|text| end_paragraphs(text, plain_end), text), ended);
    }

    #[test]
    fn expressions() {
        let text = "<img style={{ a: \"b\" }} width={9} src=\"c.png\" /> x={ [d](e)";
        let quoted = "<img style=\"{________}\" width={9} src=\"c.png\" /> x={ [d](e)";
        assert_eq!(shown(|text| quote_expressions(text, QuotedExpressions::All), text), quoted);
        let text = "<a href={'/b'} c={`d`} e={`${f}`} src={require('./g.png').default}>";
        let quoted = "<a href= \"/b\"  c= \"d\"  e=\"{____}\" src=         \"./g.png\"          >";
        assert_eq!(shown(|text| quote_expressions(text, QuotedExpressions::All), text), quoted);
        let text = "<a b={{ c: 1 }} d={{ e: 2 }} href=\"f\"> g={ h } i={\n[j](k) <l m={ n\n}";
        let quoted = "<a b=\"{______}\" d=\"{______}\" href=\"f\"> g={ h } i={\n[j](k) <l m={ n\n}";
        assert_eq!(shown(|text| quote_expressions(text, QuotedExpressions::OfTags), text), quoted);
    }

    #[test]
    fn templates() {
        let text = "[a]: {{ site.url | relative }}/b \"t\"\n[c]: /x/{% post_url x %}\n[d]({{ e }})\n[f]: g \"{{ h }}\"\n";
        let filled = "[a]: {{_site.url_|_relative_}}/b \"t\"\n[c]: /x/{%_post_url_x_%}\n[d]({{ e }})\n[f]: g \"{{ h }}\"\n";
        assert_eq!(shown(fill_templates, text), filled);
    }
}
