//! Ids that Asciidoctor derives from titles.

use memchr::memmem;

use super::explicit_ids;
use super::parts::includes_documents;
use crate::document::anchors::{Anchors, Outline};
use crate::document::name_set::NameSet;
use crate::hash::HashMap;

/// The prefix and the separator of ids.
type IdStyle<'s> = (&'s str, &'s str);

/// Asciidoctor's default, that of Antora and GitHub, and mixtures.
const STYLES: [IdStyle<'static>; 5] = [("_", "_"), ("", "-"), ("", "_"), ("_", "-"), ("", "")];

/// Returns the anchors: ids in the document, and those of titles in any common style.
pub(super) fn anchors(outline: Outline<'_>) -> Anchors {
    let text = outline.text();
    let text = String::from_utf8_lossy(&text);
    let (own, is_set) = own_style(&text);
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
    each_name(&outline.headings, &text, own, |_, style, name| {
        let into = if style == Some(suggested) { &mut names } else { &mut others };
        into.insert(name);
    });
    // The included text has anchors of its own.
    is_open |= includes_documents(text.as_bytes());
    Anchors::fixed(names, is_open).and_others(others)
}

/// Passes each name of each title to `add`, with the index of the title.
pub(super) fn heading_names(outline: &Outline<'_>, add: &mut dyn FnMut(usize, String)) {
    let text = outline.text();
    let text = String::from_utf8_lossy(&text);
    let (own, _) = own_style(&text);
    each_name(&outline.headings, &text, own, |index, _, name| add(index, name.to_owned()));
}

/// Passes each name of each title to `add`, with the index of the title and the style of an id. A
/// title with an id of its own has no other.
fn each_name<'s>(
    headings: &[&str],
    text: &str,
    own: IdStyle<'s>,
    mut add: impl FnMut(usize, Option<IdStyle<'s>>, &str),
) {
    let explicit = explicit_ids::titles(text);
    let mut total: HashMap<&str, usize> = HashMap::default();
    headings.iter().for_each(|heading| *total.entry(heading).or_default() += 1);
    let mut seen: HashMap<String, usize> = HashMap::default();
    for (index, heading) in headings.iter().enumerate() {
        // A reference may name the title itself: `<<Debugging>>`.
        add(index, None, heading);
        if explicit.get(*heading).is_some_and(|count| total.get(heading) == Some(count)) {
            continue;
        }
        // A repeated title gets a number (Asciidoctor, `Section.generate_id`).
        let count = seen.entry((*heading).to_owned()).and_modify(|it| *it += 1).or_insert(1);
        for style in STYLES.into_iter().chain([own]) {
            let (prefix, separator) = style;
            let id = id(heading, prefix, separator);
            add(index, Some(style), &id);
            if *count > 1 {
                add(index, Some(style), &format!("{id}{separator}{count}"));
            }
        }
    }
}

/// Returns the style of the ids that a document sets, else that of Asciidoctor; true if it is set.
fn own_style(text: &str) -> (IdStyle<'_>, bool) {
    let (prefix, separator) = (setting(text, ":idprefix:"), setting(text, ":idseparator:"));
    let own = (prefix.unwrap_or("_"), separator.unwrap_or("_"));
    (own, prefix.is_some() || separator.is_some())
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
    let ((prefix, separator), _) = own_style(&text);
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
