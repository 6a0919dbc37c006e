//! Front matter of Markdown: the address that it sets, and what the page has because of it.

use super::lines::lines;
use crate::slice::lossy;

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

/// Returns the lines of YAML front matter.
fn front_lines(text: &str) -> impl Iterator<Item = &str> {
    let body = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"));
    lines(body.unwrap_or_default()).take_while(|line| line.trim_end() != "---")
}

/// Maximum number of bytes in the address of a page. Each relative link of the page is joined to
/// it.
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
                const KEYS: [&str; 2] = ["slug:", "url:"];
                let permalink = || rooted(bare(line.strip_prefix("permalink:")?));
                KEYS.iter().find_map(|key| line.strip_prefix(key)).map(bare).or_else(permalink)
            });
            address.flatten().next().filter(|address| address.starts_with('/'))
        }
        _ => None,
    }
}

/// Returns a permalink with its slash: Jekyll and Eleventy add one to `a.html` (Jekyll, `URL`;
/// Eleventy, "Permalinks"). `pretty` is the name of a pattern, and `:title` one.
fn rooted(permalink: String) -> Option<String> {
    let is_path = permalink.contains(['.', '/']) && !permalink.contains([':', '{', '<', '(', ' ']);
    let is_relative = permalink.starts_with('.');
    match permalink {
        it if it.starts_with('/') => Some(it),
        it if is_path && !is_relative => Some(format!("/{it}")),
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
