//! The ids of documents in a sidebar of Docusaurus: strings in lists, and values of `id`
//! (Docusaurus, "Sidebar items").

use crate::document::code::javascript::JsTokenKind::{Punctuation, String, Word};
use crate::document::code::javascript::tokens;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Keys of lists that hold other words.
const OTHER_LISTS: [&[u8]; 5] = [b"tags", b"keywords", b"exclude", b"include", b"ignore"];

/// Most brackets that are open at once. The bound keeps memory small.
const MAX_DEPTH: usize = 256;

/// An open bracket.
struct OpenBracket {
    is_list: bool,
    /// The number of ids that were found before.
    found: usize,
}

/// Returns the spans of strings that are items of lists, `items: ['a', 'b/c']`, except for lists
/// that are arguments of calls or that the program changes: these may contain anything.
pub(super) fn in_lists(bytes: &[u8]) -> Vec<Span> {
    let (mut found, mut open): (Vec<Span>, Vec<OpenBracket>) = (Vec::new(), Vec::new());
    // The last token, and the last one that may be a key.
    let (mut before, mut key) = (None, None);
    let mut tokens = tokens(bytes).peekable();
    while let Some(token) = tokens.next() {
        let text = bytes.part(token.text.range());
        let next = tokens.peek().map(|it| it.kind);
        match token.kind {
            Word | String => {
                let is_item = token.kind == String
                    && matches!(before, Some(Punctuation(b'[' | b',')))
                    && matches!(next, Some(Punctuation(b',' | b']')))
                    && open.last().is_some_and(|it| it.is_list);
                if is_item && is_id(text) {
                    found.push(token.text);
                }
                key = Some(text);
            }
            Punctuation(b'[' | b'{' | b'(') => {
                let is_value = match before {
                    None | Some(Punctuation(b':' | b'=' | b'[' | b',' | b'{' | b'>')) => true,
                    Some(Word) => matches!(key, Some(b"return" | b"default")),
                    _ => false,
                };
                let is_other = before == Some(Punctuation(b':'))
                    && key.is_some_and(|key| OTHER_LISTS.contains(&key));
                let is_list = token.kind == Punctuation(b'[') && is_value && !is_other;
                if open.len() >= MAX_DEPTH {
                    return found;
                }
                open.push(OpenBracket { is_list, found: found.len() });
            }
            Punctuation(b']' | b'}' | b')') => {
                if let Some(list) = open.pop().filter(|it| it.is_list)
                    && next == Some(Punctuation(b'.'))
                {
                    found.truncate(list.found);
                }
            }
            _ => {}
        }
        before = Some(token.kind);
    }
    found
}

/// Returns the spans of the strings that are values in objects after `key:`, at any depth.
pub(super) fn in_object(bytes: &[u8], key: &[u8]) -> Vec<Span> {
    let (mut found, mut depth) = (Vec::new(), 0_usize);
    // The last two tokens.
    let mut before = [None, None];
    for token in tokens(bytes) {
        let is_key = token.kind == Word && bytes.part(token.text.range()) == key;
        match token.kind {
            Punctuation(b'{') if depth == 0 => {
                depth =
                    usize::from(before == [Some((Word, true)), Some((Punctuation(b':'), false))]);
            }
            String if depth > 0 && before[1] == Some((Punctuation(b':'), false)) => {
                found.push(token.text);
            }
            Punctuation(b'{' | b'[' | b'(') if depth > 0 => depth += 1,
            Punctuation(b'}' | b']' | b')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = [before[1], Some((token.kind, is_key))];
    }
    found
}

/// True for a possible id: neither an address nor the name of a module.
pub(super) fn is_id(value: &[u8]) -> bool {
    let is_of_id = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./+".contains(byte);
    !value.is_empty()
        && value.iter().all(is_of_id)
        && !value.starts_with(b".")
        && !value.starts_with(b"/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_lists() {
        let text = "// ['no']\nmodule.exports = { docs: ['a', \"b/c\", // 'no'\n { type: 'doc', id: 'd' }, { items: [\n'e' /* x */, \
            ], tags: ['no'], label: 'no' }], B: { 'C': ['f'] }, g: ['no'].map((it) => h(['no'], `no`)), i: ['no' + j, '/no', '../no', 'http://no'] };\n\
            const k = ['l']; k['no']";
        let found = in_lists(text.as_bytes());
        let found: Vec<&str> = found.iter().map(|span| &text[span.range()]).collect();
        assert_eq!(found, ["a", "b/c", "e", "f", "l"]);
        let text = "redirects: { '/a': '/b', // '/c': '/no'\n \"/d\": { status: 302, destination: '/e' }, '/f': `/${g}`, }, x: '/no'";
        let found = in_object(text.as_bytes(), b"redirects");
        let found: Vec<&str> = found.iter().map(|span| &text[span.range()]).collect();
        assert_eq!(found, ["/b", "/e"]);
        assert_eq!(in_object(b"redirects: {'a': 'b", b"redirects").len(), 0);
        let nested =
            b"redirects: { 'a': '/b', redirects: { 'c': '/d' } }, redirects: { 'e': '/f' }";
        assert_eq!(in_object(nested, b"redirects").len(), 3);
        // Linear: a pass for each of them would take minutes.
        assert_eq!(in_object(&b"redirects:{".repeat(200_000), b"redirects").len(), 0);
        assert_eq!(in_lists(b"['a").len(), 0);
        assert_eq!(in_lists(b"[\"\"]").len(), 0);
    }
}
