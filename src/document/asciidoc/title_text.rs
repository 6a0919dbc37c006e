//! The text of a title, by which references may name it.

use super::attributes::Attributes;
use crate::slice::lossy;

/// Returns the text of a title without markup.
pub(super) fn plain_title(title: &str, attributes: &Attributes) -> String {
    let mut text = title.trim();
    // Anchors may precede the text: `[[a]]Title`, `[#a]`.
    while let Some((_, rest)) = text.strip_prefix("[[").and_then(|rest| rest.split_once("]]")) {
        text = rest.trim_start();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        plain.push_str(before);
        let value = after
            .split_once('}')
            .and_then(|(name, after)| Some((attributes.get(name.as_bytes())?, after)));
        match value {
            Some((value, after)) => {
                plain.push_str(&lossy(value));
                rest = after;
            }
            None => {
                plain.push('{');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    let mut plain = without_references(&plain);
    plain.retain(|c| !matches!(c, '`' | '*'));
    unquoted(&plain)
}

/// Returns the text with the labels of `<<id,label>>` in place of cross-references. The text of
/// `<<id>>` is the title of what it names, and not its id.
fn without_references(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<<")
        && let Some((reference, after)) = after.split_once(">>")
    {
        plain.push_str(before);
        plain.push_str(reference.split_once(',').map_or("", |(_, label)| label.trim()));
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// Returns the text without underscores around words, which mark emphasis.
fn unquoted(text: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut plain = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '_' || is_word(before) && is_word(rest.peek().copied()) {
            plain.push(c);
        }
        before = Some(c);
    }
    plain
}
