//! The names of headlines: the part of a headline that a link repeats.

use std::borrow::Cow;

use crate::hash::HashSet;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};

/// Keywords of tasks that Org has without any settings.
const OWN_KEYWORDS: [&str; 2] = ["TODO", "DONE"];

/// Further keywords that users often configure, mostly outside of the file.
const USUAL_KEYWORDS: [&str; 5] = ["NEXT", "WAITING", "CANCELLED", "HOLD", "STARTED"];

/// The keywords of tasks in a document.
#[derive(Debug, Default)]
pub(super) struct TaskKeywords {
    /// Those that the document sets itself: then no others count (Org, "Per-file keywords").
    set: HashSet<String>,
}

impl TaskKeywords {
    /// Reads the lines `#+TODO: A B | C(c)`, which may be anywhere in a document.
    pub fn read(bytes: &[u8]) -> Self {
        let mut set = HashSet::default();
        for at in memchr::memmem::find_iter(bytes, b"#+") {
            let before = bytes.part(..at);
            let indent = before.trailing(|byte| matches!(byte, b' ' | b'\t'));
            if !matches!(before.get(..at - indent).and_then(<[u8]>::last), None | Some(b'\n')) {
                continue;
            }
            let line = bytes.part(at + 2..);
            let line = line.clamped(..memchr::memchr(b'\n', line).unwrap_or(line.len()));
            let key = line.clamped(..line.leading(|byte| byte != b':'));
            let is_key = |it: &&str| key.eq_ignore_ascii_case(it.as_bytes());
            if !["todo", "seq_todo", "typ_todo"].iter().any(is_key) {
                continue;
            }
            for word in lossy(line.clamped(key.len() + 1..)).split_whitespace() {
                // `(c)` is a key on the keyboard, and `|` divides open from closed states.
                let word = word.split('(').next().unwrap_or_default();
                if !matches!(word, "" | "|") {
                    set.insert(word.to_owned());
                }
            }
        }
        Self { set }
    }

    fn has(&self, word: &str) -> bool {
        if self.set.is_empty() {
            OWN_KEYWORDS.contains(&word) || USUAL_KEYWORDS.contains(&word)
        } else {
            self.set.contains(word)
        }
    }

    /// Returns the text of a headline without its keyword, priority, `COMMENT`, and tags.
    pub fn plain_title<'t>(&self, title: &'t str) -> &'t str {
        let mut text = title.trim();
        let first = text.split(' ').next().unwrap_or_default();
        if self.has(first) {
            text = text.get(first.len()..).unwrap_or_default().trim_start();
        }
        without_marks(text)
    }

    /// Returns the text of a headline with a word that may be a keyword only for its author.
    pub fn title_with_keyword<'t>(&self, title: &'t str) -> Option<&'t str> {
        let title = title.trim();
        let first = title.split(' ').next().unwrap_or_default();
        let is_unsure = self.set.is_empty() && USUAL_KEYWORDS.contains(&first);
        is_unsure.then(|| without_marks(title))
    }
}

/// Returns the names of headlines that start with a word which may be a keyword, with it: whether
/// it is one, only the settings of the author say.
pub(super) fn titles_with_keywords(text: &[u8]) -> impl Iterator<Item = String> {
    let keywords = TaskKeywords::read(text);
    let lines = text.split(|&byte| byte == b'\n');
    lines.filter_map(move |line| {
        let title = lossy(line.clamped(headline(line)?..));
        let title = keywords.title_with_keyword(&title)?;
        Some(heading_name(title).into_owned())
    })
}

/// Returns the number of stars of a headline.
pub(super) fn headline(text: &[u8]) -> Option<usize> {
    let stars = text.leading(|byte| byte == b'*');
    (stars > 0 && text.get(stars).is_some_and(|&byte| byte == b' ')).then_some(stars)
}

/// Returns the text of a headline without its priority, `COMMENT`, and tags.
fn without_marks(title: &str) -> &str {
    let mut text = title;
    if let Some((_, rest)) = text.strip_prefix("[#").and_then(|rest| rest.split_once("] ")) {
        text = rest.trim_start();
    }
    text = text.strip_prefix("COMMENT ").unwrap_or(text);
    if let Some((before, tags)) = text.rsplit_once(" :")
        && tags.ends_with(':')
        && !tags.contains(' ')
    {
        text = before;
    }
    text.trim()
}

/// Returns the name of a headline with this text, which links repeat: without statistics cookies,
/// and with single spaces (Org, "Internal Links").
pub(super) fn heading_name(text: &str) -> Cow<'_, str> {
    let is_plain = !text.contains('[') && !text.contains("  ") && text.trim() == text;
    if is_plain && !text.contains(['\t', '\n']) {
        return Cow::Borrowed(text);
    }
    let mut name = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        name.push_str(before);
        let cookie = cookie(behind);
        // A cookie divides words.
        name.push(if cookie.is_some() { ' ' } else { '[' });
        rest = behind.get(cookie.unwrap_or(0)..).unwrap_or_default();
    }
    name.push_str(rest);
    Cow::Owned(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the length of the rest of `[1/2]` or `[50%]` after the bracket; the numbers may be
/// missing.
fn cookie(text: &str) -> Option<usize> {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.bytes().take_while(u8::is_ascii_digit).count()
    };
    let first = digits(0);
    let end = match text.as_bytes().get(first)? {
        b'%' => first + 1,
        b'/' => digits(first + 1),
        _ => return None,
    };
    (text.as_bytes().get(end) == Some(&b']')).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_plain() {
        let keywords = TaskKeywords::default();
        for (title, expected) in [
            ("TODO [#A] The title  :a:b:", "The title"),
            ("a: b :c", "a: b :c"),
            ("DONE COMMENT a", "a"),
            ("TODO DONE a", "DONE a"),
            ("TODOs", "TODOs"),
            ("TODO", ""),
            ("[#A] a", "a"),
        ] {
            assert_eq!(keywords.plain_title(title), expected);
        }
        assert_eq!(keywords.title_with_keyword("NEXT a :b:"), Some("NEXT a"));
        assert_eq!(keywords.title_with_keyword("TODO a"), None);
    }

    #[test]
    fn a_document_may_have_its_own_keywords() {
        let keywords = TaskKeywords::read(b"a #+TODO: X\n #+seq_todo: IDEA(i) | SHIPPED(s!)\n");
        assert_eq!(keywords.plain_title("IDEA a"), "a");
        assert_eq!(keywords.plain_title("SHIPPED a"), "a");
        assert_eq!(keywords.plain_title("TODO a"), "TODO a");
        assert_eq!(keywords.plain_title("X a"), "X a");
    }

    #[test]
    fn names_have_no_cookies() {
        for (text, expected) in [
            ("a [1/2]", "a"),
            ("[50%] a  b", "a b"),
            ("a [/] b[%]c", "a b c"),
            ("a [1st] [b] [1/2", "a [1st] [b] [1/2"),
            ("[[x][1/2]]", "[[x] ]"),
            ("a", "a"),
        ] {
            assert_eq!(heading_name(text), expected);
        }
    }
}
