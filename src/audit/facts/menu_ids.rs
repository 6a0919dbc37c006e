//! The ids of documents in a sidebar of Docusaurus: strings in lists, and values of `id`
//! (Docusaurus, "Sidebar items").

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
    // The last byte that is neither white space nor in a comment, and the last word.
    let (mut before, mut word, mut at) = (b'\n', Span::new(0, 0), 0);
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.clamped(at..);
        if let Some(length) = comment(rest) {
            at += length;
            continue;
        }
        let length = match byte {
            b'"' | b'\'' | b'`' => {
                let length = string(rest);
                let span = Span::new(at + 1, (at + length).saturating_sub(1).max(at + 1));
                let is_item = byte != b'`'
                    && matches!(before, b'[' | b',')
                    && open.last().is_some_and(|it| it.is_list)
                    && matches!(following(bytes.clamped(at + length..)), b',' | b']');
                if is_item && is_id(bytes.part(span.range())) {
                    found.push(span);
                }
                (before, word) = (byte, span);
                length
            }
            b'[' | b'{' | b'(' => {
                let is_value = matches!(before, b':' | b'=' | b'[' | b',' | b'{' | b'\n' | b'>');
                let is_other = before == b':' && OTHER_LISTS.contains(&bytes.part(word.range()));
                let is_list = byte == b'[' && is_value && !is_other;
                if open.len() >= MAX_DEPTH {
                    return found;
                }
                open.push(OpenBracket { is_list, found: found.len() });
                before = byte;
                1
            }
            b']' | b'}' | b')' => {
                let closed = open.pop();
                if let Some(list) = closed.filter(|it| it.is_list)
                    && following(bytes.clamped(at + 1..)) == b'.'
                {
                    found.truncate(list.found);
                }
                before = byte;
                1
            }
            _ if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                let length = rest.iter().take_while(is_of_word).count();
                (before, word) = (byte, Span::new(at, at + length));
                // `return [` and `default [` start a value.
                if matches!(bytes.part(word.range()), b"return" | b"default") {
                    before = b'=';
                }
                length
            }
            _ if byte.is_ascii_whitespace() => 1,
            _ => {
                before = byte;
                1
            }
        };
        at += length.max(1);
    }
    found
}

/// Returns the spans of the strings that are values in objects after `key:`, at any depth.
pub(super) fn in_object(bytes: &[u8], key: &[u8]) -> Vec<Span> {
    let (mut found, mut read) = (Vec::new(), 0);
    for start in memchr::memmem::find_iter(bytes, key) {
        // Objects inside one that was read: reading each again would be quadratic.
        if start < read {
            continue;
        }
        let after = bytes.clamped(start + key.len()..).trim_ascii_start();
        let object = after.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        if let Some(object) = object.filter(|it| it.starts_with(b"{")) {
            read = values(bytes, bytes.len() - object.len(), &mut found);
        }
    }
    found
}

/// Adds the spans of the strings that are values in the object at `at`, and returns its end.
fn values(bytes: &[u8], mut at: usize, found: &mut Vec<Span>) -> usize {
    let (mut depth, mut before) = (0_usize, b'\n');
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.clamped(at..);
        if let Some(length) = comment(rest) {
            at += length;
            continue;
        }
        let length = if matches!(byte, b'"' | b'\'' | b'`') { string(rest) } else { 1 };
        match byte {
            b'"' | b'\'' if before == b':' && length > 2 => {
                found.push(Span::new(at + 1, at + length - 1));
            }
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += length;
        if depth == 0 {
            break;
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    at
}

/// True for a possible id: neither an address nor the name of a module.
pub(super) fn is_id(value: &[u8]) -> bool {
    let is_of_id = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./+".contains(byte);
    !value.is_empty()
        && value.iter().all(is_of_id)
        && !value.starts_with(b".")
        && !value.starts_with(b"/")
}

/// Returns the length of the comment that starts here; `None` if none does.
fn comment(text: &[u8]) -> Option<usize> {
    match text {
        [b'/', b'/', ..] => Some(until(text, b"\n")),
        [b'/', b'*', ..] => Some(until(text, b"*/")),
        _ => None,
    }
}

/// Returns the length up to the end of this mark, or of everything.
fn until(text: &[u8], mark: &[u8]) -> usize {
    memchr::memmem::find(text, mark).map_or(text.len(), |at| at + mark.len())
}

/// Returns the length of a string with its quotation marks.
fn string(text: &[u8]) -> usize {
    let quote = text.first().copied().unwrap_or_default();
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            // Only a template literal may span lines.
            b'\n' if quote != b'`' => return at,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// Returns the next byte after white space and comments; a line feed at the end.
fn following(text: &[u8]) -> u8 {
    let mut text = text.trim_ascii_start();
    while let Some(length) = comment(text) {
        text = text.clamped(length..).trim_ascii_start();
    }
    text.first().copied().unwrap_or(b'\n')
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
