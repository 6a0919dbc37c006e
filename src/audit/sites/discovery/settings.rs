//! Reads values from settings of generators and from front matter, in any of their languages.
//!
//! A key is a word before `:` or `=`, and its value a string. This suffices for TOML, YAML, JSON,
//! and JavaScript, so no parser of each is needed. Computed values are unknown.

use std::borrow::Cow;

use memchr::memmem;

use crate::audit::sites::address_bounds::filled_in;
use crate::audit::sites::titled::YEAR;
use crate::slice::lossy;

/// Returns the first plain string of one of these keys.
pub fn value(text: &str, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| values(text, key).into_iter().next())
}

/// Returns all plain strings after a key: one, or the items of a list.
pub fn values(text: &str, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    // Fast path: many keys are looked up in the same settings, which have few of them.
    if memmem::find(text.as_bytes(), key.as_bytes()).is_none() {
        return found;
    }
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(rest) = after_key(line, key) else { continue };
        let rest = rest.trim();
        // In `- { from: a, to: b }`, the value ends at the comma.
        let is_inline = line.trim_start().trim_start_matches("- ").starts_with('{');
        let rest = if is_inline && !rest.starts_with('[') {
            rest.split([',', '}']).next().unwrap_or_default()
        } else {
            rest
        };
        if let Some(list) = rest.strip_prefix('[') {
            let mut list = list.to_owned();
            // Search each new line only. Searching the growing list again would take quadratic time
            // if it has no end.
            let mut is_open = !list.contains(']');
            while is_open && let Some(line) = lines.next() {
                is_open = !line.contains(']');
                list.push_str(line);
            }
            let inner = list.split(']').next().unwrap_or_default();
            found.extend(inner.split(',').filter_map(string));
        } else if rest.is_empty() {
            while let Some(item) =
                lines.peek().and_then(|line| line.trim_start().strip_prefix("- "))
            {
                found.extend(string(item));
                lines.next();
            }
        } else {
            found.extend(string(rest));
        }
    }
    found
}

/// Returns the value of one of these attributes of each element of this name in XML settings.
pub fn attributes<'t>(
    text: &'t str,
    element: &str,
    names: &[&str],
) -> impl Iterator<Item = &'t str> {
    let tags = text.split('<').filter_map(move |tag| tag.strip_prefix(element));
    let tags = tags.filter(|tag| tag.starts_with(|c: char| c.is_whitespace() || c == '/'));
    tags.filter_map(move |tag| {
        let tag = tag.split('>').next()?;
        names.iter().find_map(|name| tag.split_once(&format!("{name}=\""))?.1.split('"').next())
    })
}

/// A line of a table with patterns of addresses.
#[derive(Clone, Copy, Debug)]
pub enum PatternLine<'t> {
    /// The head of the table, or of a table in it: `[permalinks.page]`.
    Head(&'t str),
    /// A key and its value, without quotation marks. The value of a key of YAML with others below
    /// it is empty.
    Entry(&'t str, &'t str),
}

/// Returns the lines of a table, in TOML or YAML, up to the next table or key.
pub fn pattern_lines<'t>(
    text: &'t str,
    table: &'t str,
) -> impl Iterator<Item = PatternLine<'t>> + 't {
    let is_head = move |line: &str| line.trim_start_matches('[').starts_with(table);
    let is_content = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let lines = text.lines().skip_while(move |line| !is_head(line)).filter(is_content);
    lines.map_while(move |line| {
        if is_head(line) {
            return Some(PatternLine::Head(line.trim()));
        }
        let is_in_table = line.starts_with([' ', '\t']) || line.contains('=');
        let (key, value) = line.trim().split_once([':', '=']).filter(|_| is_in_table)?;
        let unquoted = |text: &'t str| text.trim().trim_matches(['"', '\'']);
        Some(PatternLine::Entry(unquoted(key), unquoted(value)))
    })
}

/// Returns the fixed prefixes of address patterns that use titles: `blog` for `blog:
/// /:section/:year/:title/`.
pub fn titled(text: &str, table: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in pattern_lines(text, table) {
        let PatternLine::Entry(section, pattern) = line else { continue };
        let bare = |text: &str| text.trim().trim_matches(['"', '\'', '/']).to_owned();
        let Some(pattern) = filled_in(&bare(pattern), ":section", &bare(section)) else { continue };
        let start = bare(pattern.split(':').next().unwrap_or_default());
        if ![":slug", ":title"].iter().any(|it| pattern.contains(it)) {
            continue;
        }
        if !start.is_empty() {
            found.push(start);
        } else if pattern.starts_with(YEAR) {
            found.push(YEAR.to_owned());
        }
    }
    found
}

/// Returns the text after `key:` or `key =` at the start of a line, or after a comma or an opening
/// bracket.
fn after_key<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let trimmed = line.trim_start();
    if trimmed.starts_with(['#', '/', '*']) {
        return None;
    }
    line.match_indices(key).find_map(|(at, _)| {
        let before = line.get(..at)?.trim_end_matches(['"', '\'']).trim_end();
        let after = line.get(at + key.len()..)?.trim_start_matches(['"', '\'']).trim_start();
        let starts = before.is_empty() || before.ends_with([',', '{', '(']);
        starts.then(|| after.strip_prefix([':', '=']))?
    })
}

/// Returns a string without its quotes; `None` if it is computed.
pub fn string(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches([',', ';']).trim();
    let first = text.chars().next()?;
    if matches!(first, '"' | '\'' | '`') {
        // A template literal with `${…}` is computed.
        let inner = text.get(1..)?.split(first).next()?;
        return (!inner.contains("${")).then(|| inner.to_owned());
    }
    // Remove a comment of YAML or TOML.
    let text = text.split(" #").next().unwrap_or_default().trim();
    // Of anything but a path, these would be the operators of a program.
    let is_path = text.starts_with('/');
    let is_plain = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '/' | '.' | '-' | '_' | ':' | '~' | '%' | '+' | '@' | ' ')
            || is_path && matches!(c, '&' | '!' | '\'')
    };
    (!text.is_empty() && text.chars().all(is_plain)).then(|| text.to_owned())
}

/// Delimiters of front matter in YAML and in TOML.
const FENCES: [&str; 2] = ["---", "+++"];
const BOM: &str = "\u{FEFF}";

/// True if the text may start with front matter.
pub fn has_fence(text: &[u8]) -> bool {
    let text = opened(text);
    FENCES.iter().any(|fence| text.starts_with(fence.as_bytes()))
}

/// Returns a text without a byte order mark, and without empty lines before front matter in TOML,
/// which Zola allows.
fn opened(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(BOM.as_bytes()).unwrap_or(text);
    let inside = text.trim_ascii_start();
    if inside.starts_with(b"+++") { inside } else { text }
}

/// Returns the front matter of a document.
pub fn front_matter(text: &[u8]) -> Option<Cow<'_, str>> {
    let text = opened(text);
    let fence = FENCES.iter().find(|fence| text.starts_with(fence.as_bytes()))?;
    let start = memchr::memchr(b'\n', text)? + 1;
    let body = text.get(start..)?;
    let end = memmem::find(body, format!("\n{fence}").as_bytes())?;
    body.get(..end).map(lossy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages() {
        for text in [
            "[book]\nsrc = \"text\"\n",
            "# src: no\nsrc: text # yes\n",
            "export default { src: 'text' }",
            "{\"src\": \"text\"}",
            "  src: `text`,",
        ] {
            assert_eq!(value(text, &["src"]).as_deref(), Some("text"), "{text}");
        }
        let xml = "<ihp><topicsx dir=\"a\"/><topics id=\"b\" dir=\"c/d\"/></ihp>";
        assert_eq!(attributes(xml, "topics", &["src", "dir"]).collect::<Vec<_>>(), ["c/d"]);
        assert_eq!(attributes(xml, "images", &["dir"]).next(), None);
        assert_eq!(value("mysrc: a\nsrc: process.env.X ? 1 : 2", &["src"]), None);
        assert_eq!(values("aliases:\n  - /a/\n  - \"/b\"\nx: y", "aliases"), ["/a/", "/b"]);
        assert_eq!(value("slug: /a-q&a\nb: c&d", &["slug"]).as_deref(), Some("/a-q&a"));
        assert_eq!(value("slug: /a-q&a\nb: c&d", &["b"]), None);
        assert_eq!(values("- { from: a, to: b }\n- { from: 'c' }", "from"), ["a", "c"]);
        assert_eq!(values("{ from: ['a', 'c'], to: 'b' }", "from"), ["a", "c"]);
        assert_eq!(values("aliases = [\n'/a/',\n '/b']", "aliases"), ["/a/", "/b"]);
        let yaml = "a: b\npermalinks:\n  blog: /:section/:year/:slug/\n  docs: /d/:filename/\nc:\n  x: /y/:title/\n";
        let toml = "[permalinks]\nblog = '/news/:title/'\n[permalinks.page]\nposts = '/:section/:title/'\n[x]\na = '/b/:title'\n";
        assert_eq!(titled(yaml, "permalinks"), ["blog"]);
        let dated = "permalinks:\n  # Of posts.\n  page:\n    blog: /:year/:month/:slug/\n";
        assert_eq!(titled(dated, "permalinks"), [":year"]);
        assert_eq!(titled(toml, "permalinks"), ["news", "posts"]);
        assert_eq!(front_matter(b"---\na: b\n---\n# C").as_deref(), Some("a: b"));
        assert_eq!(front_matter(b"# C\n---\n"), None);
        assert!(has_fence("\u{FEFF}+++\n".as_bytes()) && !has_fence(b"# C\n---\n"));
    }
}
