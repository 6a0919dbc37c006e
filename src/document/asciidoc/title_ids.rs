//! Ids that Asciidoctor derives from titles.

use memchr::memmem;

use super::explicit_ids;
use crate::document::anchors::{Anchors, Outline};
use crate::document::name_set::NameSet;
use crate::hash::HashMap;

/// Prefixes and separators: Asciidoctor's default, that of Antora and GitHub, and mixtures.
const STYLES: [(&str, &str); 5] = [("_", "_"), ("", "-"), ("", "_"), ("_", "-"), ("", "")];

/// Returns the anchors: ids in the document, and those of titles in any common style.
pub(super) fn anchors(outline: Outline<'_>) -> Anchors {
    let text = outline.text();
    let text = String::from_utf8_lossy(&text);
    let (prefix, separator) = (setting(&text, ":idprefix:"), setting(&text, ":idseparator:"));
    let own = (prefix.unwrap_or("_"), separator.unwrap_or("_"));
    let is_set = prefix.is_some() || separator.is_some();
    // Antora and forges have another default than Asciidoctor itself.
    let is_default = || memmem::find(text.as_bytes(), b"<<_").is_some();
    let suggested = if is_set || is_default() { own } else { ("", "-") };
    let mut names: NameSet = outline.names.iter().copied().collect();
    let (mut others, mut is_open) = (NameSet::default(), false);
    for name in outline.names.iter().filter(|name| name.contains('{')) {
        match expanded(name, &text) {
            Some(name) => names.insert(&name),
            // Another document sets the attribute.
            None => is_open = true,
        }
    }
    let explicit = explicit_ids::titles(&text);
    let mut total: HashMap<&str, usize> = HashMap::default();
    outline.headings.iter().for_each(|heading| *total.entry(heading).or_default() += 1);
    let mut seen: HashMap<String, usize> = HashMap::default();
    for heading in &outline.headings {
        // A reference may name the title itself: `<<Debugging>>`.
        others.insert(heading);
        if explicit.get(*heading).is_some_and(|count| total.get(heading) == Some(count)) {
            continue;
        }
        // A repeated title gets a number (Asciidoctor, `Section.generate_id`).
        let count = seen.entry((*heading).to_owned()).and_modify(|it| *it += 1).or_insert(1);
        for style in STYLES.into_iter().chain([own]) {
            let into = if style == suggested { &mut names } else { &mut others };
            let (prefix, separator) = style;
            let id = id(heading, prefix, separator);
            into.insert(&id);
            if *count > 1 {
                into.insert(&format!("{id}{separator}{count}"));
            }
        }
    }
    // The included text has anchors of its own.
    is_open |= memmem::find(text.as_bytes(), b"include::").is_some();
    Anchors::fixed(names, is_open).and_others(others)
}

/// Returns an id with the values of the attributes in it, `[id="{prefix}-a"]`: all of 415 findings
/// of one document of redpanda were about such ids. `None` if the document does not set one.
fn expanded(id: &str, text: &str) -> Option<String> {
    let mut full = String::with_capacity(id.len());
    let mut rest = id;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        full.push_str(before);
        full.push_str(setting(text, &format!(":{name}:"))?);
        rest = after;
    }
    full.push_str(rest);
    Some(full)
}

/// Returns the id of each title, in the style that the document chooses.
pub(super) fn heading_ids(outline: &Outline<'_>) -> Vec<String> {
    let text = outline.text();
    let text = String::from_utf8_lossy(&text);
    let prefix = setting(&text, ":idprefix:").unwrap_or("_");
    let separator = setting(&text, ":idseparator:").unwrap_or("_");
    let mut seen: HashMap<String, usize> = HashMap::default();
    let numbered = |heading: &&str| {
        let id = id(heading, prefix, separator);
        let count = seen.entry(id.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *count > 1 { format!("{id}{separator}{count}") } else { id }
    };
    outline.headings.iter().map(numbered).collect()
}

/// Returns the value of an attribute that is set at the start of a line.
fn setting<'t>(text: &'t str, entry: &str) -> Option<&'t str> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(entry));
    lines.next().map(str::trim)
}

/// Returns the id of a title (Asciidoctor, `Section.generate_id`).
fn id(title: &str, prefix: &str, separator: &str) -> String {
    let mut id = String::with_capacity(title.len() + prefix.len());
    id.push_str(prefix);
    let mut is_separated = false;
    for c in title.to_lowercase().chars() {
        let separates = c == ' ' || matches!(c, '.' | '-') && !separator.is_empty();
        if separates || c == '_' && separator == "_" {
            is_separated = true;
        } else if c.is_alphanumeric() || matches!(c, '_' | '-' | '.') {
            if is_separated
                && !(id.len() == prefix.len() && prefix.is_empty())
                && !id.ends_with(separator)
            {
                id.push_str(separator);
            }
            is_separated = false;
            id.push(c);
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_ids() {
        assert_eq!(id("The Title, 2.0 -- a_b!", "_", "_"), "_the_title_2_0_a_b");
        assert_eq!(id("The Title, 2.0 -- a_b!", "", "-"), "the-title-2-0-a_b");
        assert_eq!(id(" Ünder", "_", "_"), "_ünder");
    }
}
