//! Values in the configuration files of generators and in front matter, whatever their language.
//!
//! A key is looked for as a word before `:` or `=`, and its value as a string: that is enough for TOML, YAML, JSON and
//! JavaScript alike, and what is computed there is not known.

use std::borrow::Cow;

use memchr::memmem;

use crate::slice::lossy;

/// The first value of one of these keys that is a plain string.
pub fn value(text: &str, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| values(text, key).into_iter().next())
}

/// All plain strings that follow the key: one, or the items of a list.
pub fn values(text: &str, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    // Each directory asks for many keys of the same settings, which have few of them.
    if memmem::find(text.as_bytes(), key.as_bytes()).is_none() {
        return found;
    }
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(rest) = after_key(line, key) else { continue };
        let rest = rest.trim();
        // `- { from: a, to: b }`
        let rest = match line.trim_start().trim_start_matches("- ").starts_with('{') {
            true => rest.split([',', '}']).next().unwrap_or_default(),
            false => rest,
        };
        if let Some(list) = rest.strip_prefix('[') {
            let mut list = list.to_owned();
            // Only the new line is looked at: a list without an end must not be read again for each line.
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

/// What addresses start with that a table of patterns makes of titles: `blog` of `blog: /:section/:year/:title/`.
pub fn titled(text: &str, table: &str) -> Vec<String> {
    let is_head = |line: &str| line.trim_start_matches('[').starts_with(table);
    let mut found = Vec::new();
    let lines = text.lines().skip_while(|line| !is_head(line));
    for line in lines.filter(|line| !line.trim().is_empty() && !is_head(line)) {
        let is_in_table = line.starts_with([' ', '\t']) || line.contains('=');
        let Some((section, pattern)) = line.trim().split_once([':', '=']).filter(|_| is_in_table)
        else {
            break;
        };
        let unquoted = |text: &str| text.trim().trim_matches(['"', '\'', '/']).to_owned();
        let pattern = unquoted(pattern).replace(":section", &unquoted(section));
        let start = unquoted(pattern.split(':').next().unwrap_or_default());
        if [":slug", ":title"].iter().any(|it| pattern.contains(it)) && !start.is_empty() {
            found.push(start);
        }
    }
    found
}

/// What follows `key:` or `key =` in a line that starts with it, or has it after a comma or brace.
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

/// A string without its quotes; `None` for what is computed.
fn string(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches([',', ';']).trim();
    let first = text.chars().next()?;
    if matches!(first, '"' | '\'' | '`') {
        let inner = text.get(1..)?.split(first).next()?;
        return (!inner.contains("${")).then(|| inner.to_owned());
    }
    // A comment of YAML and TOML.
    let text = text.split(" #").next().unwrap_or_default().trim();
    let is_plain = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '/' | '.' | '-' | '_' | ':' | '~' | '%' | '+' | '@' | ' ')
    };
    (!text.is_empty() && text.chars().all(is_plain)).then(|| text.to_owned())
}

/// What is around front matter, in YAML and in TOML.
const FENCES: [&str; 2] = ["---", "+++"];
const BOM: &str = "\u{FEFF}";

/// Whether front matter may start a document.
pub fn has_fence(text: &[u8]) -> bool {
    let text = text.strip_prefix(BOM.as_bytes()).unwrap_or(text);
    FENCES.iter().any(|fence| text.starts_with(fence.as_bytes()))
}

/// The front matter of a document.
pub fn front_matter(text: &[u8]) -> Option<Cow<'_, str>> {
    let text = text.strip_prefix(BOM.as_bytes()).unwrap_or(text);
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
        assert_eq!(value("mysrc: a\nsrc: process.env.X ? 1 : 2", &["src"]), None);
        assert_eq!(values("aliases:\n  - /a/\n  - \"/b\"\nx: y", "aliases"), ["/a/", "/b"]);
        assert_eq!(values("- { from: a, to: b }\n- { from: 'c' }", "from"), ["a", "c"]);
        assert_eq!(values("aliases = [\n'/a/',\n '/b']", "aliases"), ["/a/", "/b"]);
        let yaml = "a: b\npermalinks:\n  blog: /:section/:year/:slug/\n  docs: /d/:filename/\nc:\n  x: /y/:title/\n";
        let toml = "[permalinks]\nblog = '/news/:title/'\n[permalinks.page]\nposts = '/:section/:title/'\n[x]\na = '/b/:title'\n";
        assert_eq!(titled(yaml, "permalinks"), ["blog"]);
        assert_eq!(titled(toml, "permalinks"), ["news", "posts"]);
        assert_eq!(front_matter(b"---\na: b\n---\n# C").as_deref(), Some("a: b"));
        assert_eq!(front_matter(b"# C\n---\n"), None);
        assert!(has_fence("\u{FEFF}+++\n".as_bytes()) && !has_fence(b"# C\n---\n"));
    }
}
