//! The names of pages and directories in a menu that is beside them: `_meta.js` of Nextra ("_meta
//! File"), and `meta.json` of Fumadocs ("Page Slugs & Page Tree").

use super::menu::MAX_VALUE_BYTES;
use crate::document::code::javascript::JsTokenKind::{Punctuation, String, Word};
use crate::document::code::javascript::{JsToken, tokens};
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Most objects inside each other that are read.
const MAX_DEPTH: usize = 16;

/// Most tokens between a name and its value: a type of TypeScript.
const MAX_TYPE_TOKENS: usize = 16;

/// A menu's entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PageEntry {
    /// A page or directory, with its path relative to that of the menu.
    Name(Span, std::string::String),
    /// An address.
    Address(Span),
}

impl PageEntry {
    pub fn start(&self) -> usize {
        match self {
            Self::Name(span, _) | Self::Address(span) => span.start(),
        }
    }
}

/// Returns the pages that the object of a menu names by its keys (Nextra).
pub(super) fn of_keys(bytes: &[u8]) -> Vec<PageEntry> {
    let tokens: Vec<JsToken> = tokens(bytes).collect();
    let mut reader = KeyReader { bytes, tokens: &tokens, found: Vec::new() };
    if let Some(start) = reader.exported() {
        reader.entries(start, "", 0);
    }
    reader.found
}

/// Returns the pages that the list `pages` of a menu names (Fumadocs). Separators, other marks, and
/// names that the list leaves out name nothing.
pub(super) fn of_list(bytes: &[u8]) -> Vec<PageEntry> {
    let mut found = Vec::new();
    let (mut depth, mut list) = (0_usize, None);
    let mut before = [None, None];
    for token in tokens(bytes) {
        let text = bytes.part(token.text.range());
        match token.kind {
            Punctuation(b'[') => {
                depth += 1;
                let is_list = depth == 2 && before == [Some("pages"), Some(":")];
                list = list.or(is_list.then_some(depth));
            }
            Punctuation(b'{') => depth += 1,
            Punctuation(b']' | b'}') => {
                list = list.filter(|it| *it != depth);
                depth = depth.saturating_sub(1);
            }
            String if list == Some(depth) => found.extend(item(text, token.text)),
            _ => {}
        }
        let name = match (token.kind, text) {
            (String, b"pages") => Some("pages"),
            (Punctuation(b':'), _) => Some(":"),
            _ => None,
        };
        before = [before[1], name];
    }
    found
}

/// Returns what an item of Fumadocs's list names.
fn item(text: &[u8], span: Span) -> Option<PageEntry> {
    let text = std::str::from_utf8(text).ok().filter(|it| !it.contains('\\'))?;
    let inside = |start: usize, end: usize| Span::new(span.start() + start, span.start() + end);
    if matches!(text, "" | "..." | "z...a") || text.starts_with(['!', '-']) {
        return None;
    }
    let link = text.strip_prefix("external:").unwrap_or(text);
    if link.starts_with('[') && link.ends_with(')') {
        let start = text.find("](")? + 2;
        return Some(PageEntry::Address(inside(start, text.len() - 1)));
    }
    let start = if text.starts_with("...") { 3 } else { 0 };
    let name = text.get(start..)?;
    Some(PageEntry::Name(inside(start, text.len()), name.to_owned()))
}

struct KeyReader<'t> {
    bytes: &'t [u8],
    tokens: &'t [JsToken],
    found: Vec<PageEntry>,
}

impl KeyReader<'_> {
    fn text(&self, at: usize) -> &[u8] {
        self.tokens.get(at).map_or(b"", |token| self.bytes.part(token.text.range()))
    }

    fn is(&self, at: usize, mark: u8) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Punctuation(mark))
    }

    fn is_word(&self, at: usize, word: &[u8]) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Word) && self.text(at) == word
    }

    /// Returns the first token inside the object that the program exports; in JSON, that is all
    /// of it.
    fn exported(&self) -> Option<usize> {
        if self.is(0, b'{') {
            return Some(1);
        }
        let value = (0..self.tokens.len()).find_map(|at| {
            if self.is_word(at, b"export") && self.is_word(at + 1, b"default") {
                return Some(at + 2);
            }
            let is_module = self.is_word(at, b"module")
                && self.is(at + 1, b'.')
                && self.is_word(at + 2, b"exports")
                && self.is(at + 3, b'=');
            is_module.then_some(at + 4)
        })?;
        if self.is(value, b'{') {
            return Some(value + 1);
        }
        let name = self.tokens.get(value).filter(|token| token.kind == Word)?;
        let name = self.bytes.part(name.text.range());
        let declared = (0..value).find(|&at| {
            ["const", "let", "var"].iter().any(|word| self.is_word(at, word.as_bytes()))
                && self.is_word(at + 1, name)
        })?;
        let first = declared + 2;
        let equals = (first..first + MAX_TYPE_TOKENS).find(|&at| self.is(at, b'='))?;
        self.is(equals + 1, b'{').then_some(equals + 2)
    }

    /// Reads the entries of an object from the token at `at`, and returns the token after it.
    fn entries(&mut self, mut at: usize, above: &str, depth: usize) -> usize {
        while let Some(token) = self.tokens.get(at).copied() {
            match token.kind {
                Punctuation(b'}') => return at + 1,
                Punctuation(b',') => at += 1,
                Word | String if self.is(at + 1, b':') => {
                    at = self.entry(token.text, at + 2, above, depth);
                }
                // `...rest`, `[computed]: x`, and methods.
                _ => at = self.after_value(at),
            }
        }
        at
    }

    /// Reads the entry with this key, whose value starts at `at`.
    fn entry(&mut self, key: Span, at: usize, above: &str, depth: usize) -> usize {
        let name = std::str::from_utf8(self.bytes.part(key.range())).unwrap_or_default();
        let names_page = !name.is_empty()
            && name != "*"
            && !name.starts_with("---")
            // A longer path names no page, and each entry below it would repeat it.
            && above.len() + name.len() < MAX_VALUE_BYTES
            && !name.contains(['\\', '/']);
        let path = || if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") };
        if !self.is(at, b'{') {
            if names_page {
                self.found.push(PageEntry::Name(key, path()));
            }
            return self.after_value(at);
        }
        let (mut next, mut items, mut is_apart, mut is_menu) = (at + 1, None, false, false);
        let mut addresses = Vec::new();
        while self.tokens.get(next).is_some() && !self.is(next, b'}') {
            if self.is(next + 1, b':') {
                let is_string = self.tokens.get(next + 2).is_some_and(|token| token.kind == String);
                match self.text(next) {
                    b"href" => {
                        is_apart = true;
                        let value = self.tokens.get(next + 2).filter(|_| is_string);
                        addresses.extend(value.map(|token| PageEntry::Address(token.text)));
                    }
                    b"type" => {
                        let value = self.text(next + 2);
                        is_menu |= value == b"menu";
                        is_apart |= is_string && matches!(value, b"menu" | b"separator");
                    }
                    b"items" if self.is(next + 2, b'{') => items = Some(next + 3),
                    _ => {}
                }
                next = self.after_value(next + 2);
            } else if self.is(next, b',') {
                next += 1;
            } else {
                // The rest may say anything.
                is_apart |= self.is(next, b'.');
                next = self.after_value(next);
            }
        }
        if names_page && !is_apart {
            self.found.push(PageEntry::Name(key, path()));
        }
        self.found.extend(addresses);
        if let Some(items) = items.filter(|_| !is_menu && names_page && depth < MAX_DEPTH) {
            self.entries(items, &path(), depth + 1);
        }
        next + 1
    }

    /// Returns the token after a value: the comma, or the end of the object.
    fn after_value(&self, start: usize) -> usize {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(start) {
            match token.kind {
                Punctuation(b',' | b'}') if depth == 0 && at > start => return at,
                Punctuation(b'{' | b'[' | b'(') => depth += 1,
                Punctuation(b'}' | b']' | b')') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        self.tokens.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, found: Vec<PageEntry>) -> Vec<std::string::String> {
        let show = |entry| match entry {
            PageEntry::Name(span, path) => {
                assert!(path.ends_with(&text[span.range()]), "{path}");
                path
            }
            PageEntry::Address(span) => format!("<{}>", &text[span.range()]),
        };
        found.into_iter().map(show).collect()
    }

    #[test]
    fn keys_of_objects() {
        let keys = |text: &str| shown(text, of_keys(text.as_bytes()));
        let text = "import x from 'y'\nexport default {\n  index: 'A', // no: 'b'\n 'b-c': { title: 'B', display: 'hidden' },\n\
            d: <b>D, d</b>, '---': { type: 'separator' }, s: { 'type': \"separator\", title: 'S' }, \"*\": { theme: { a: 1 } },\n\
            m: { type: 'menu', items: { o: { title: 'O', href: '/p' } } }, q: { href: 'https://q.example/', title: 'Q' },\n\
            ...rest, [computed]: 'x', f() { return { g: 1 } }, h: { ...i }, j: null, k: `l` } satisfies Meta\nfoo({ z: 'z' })";
        assert_eq!(keys(text), ["index", "b-c", "d", "<https://q.example/>", "j", "k"]);
        assert_eq!(keys("{ \"a\": \"A\", \"b\": { \"title\": \"B\" } }"), ["a", "b"]);
        assert_eq!(keys("module.exports = { a: '' }"), ["a"]);
        assert_eq!(keys("const m: Meta<A> = { a: '' }\nexport default m"), ["a"]);
        let nested = "export default { a: { items: { index: '', b: { items: { c: '' } } } } }";
        assert_eq!(keys(nested), ["a", "a/index", "a/b", "a/b/c"]);
        for none in ["", "export default f({ a: '' })", "export const a = { b: '' }", "{", "{ a"] {
            assert_eq!(keys(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn items_of_lists() {
        let items = |text: &str| shown(text, of_list(text.as_bytes()));
        let text = r#"{ "title": "pages", "root": true, "pages": ["index", "---A---", "...", "z...a", "!no", "...b", "../c/d",
            "[E](/f)", "external:[I][G](https://g.example/)", "(h)/i"], "pagesIndex": "j", "x": ["no"] }"#;
        assert_eq!(items(text), ["index", "b", "../c/d", "</f>", "<https://g.example/>", "(h)/i"]);
        for none in ["", "{}", r#"{"a": {"pages": ["b"]}}"#, r#"["pages"]"#, r#"{"pages": "a"}"#] {
            assert_eq!(items(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        let long = [b"{", &b"k".repeat(100_000)[..], b":{items:{", &b"a:0,".repeat(10_000), b"}}}"];
        assert_eq!(of_keys(&long.concat()).len(), 0);
        assert_eq!(of_keys(&b"{a:".repeat(100_000)).len(), 1);
        assert_eq!(of_keys(&b"{a:{items:".repeat(50_000)).len(), MAX_DEPTH + 1);
        assert_eq!(of_list(&b"{\"pages\":[".repeat(100_000)).len(), 0);
    }
}
