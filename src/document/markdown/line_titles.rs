//! The texts from which processors make anchors, line by line: headings, terms, titles of tabs.

use memchr::memmem;

use super::ids::ids;
use super::lines::lines;
use crate::slice::SliceExt as _;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_lines() {
        let text = "# A `b` [c](d) {#x}\n```\n# no\n```\n    ```\n# no\n  ```\n\nterm\n: about\n\n=== \"T\"\n#no";
        assert_eq!(titles(text), ["A b c", "term", "T"]);
    }
}
