//! Decides whether a possible host stands in prose or in code (D7).
//!
//! `mastodon.social` and `user.name` look alike, and the top-level domain does not help, because
//! most words are one. In a sentence, a lowercase name is a host. Next to brackets, operators, and
//! quotation marks of a program it is a member.

use crate::registry::{ListLookup, slots, words};
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Largest indentation of a name that is alone in its line. More than that is a line of a program.
const MAX_BULLET_BYTES: usize = 3;
/// Bytes read on each side of a word.
const CONTEXT_BYTES: usize = 48;

/// Top-level domains that are also names of settings or of members in programs, even in technical
/// prose.
#[rustfmt::skip]
static MEMBERS: ListLookup<{ slots(105) }> = ListLookup::new(words![
    "abc", "app", "as", "author", "auto", "bar", "box", "broker", "build", "builders", "business",
    "by", "call", "cam", "case", "cat", "center", "channel", "charity", "click", "codes", "country",
    "data", "date", "day", "deal", "design", "directory", "discover", "diy", "do", "domains",
    "download", "eat", "email", "events", "exchange", "fail", "family", "feedback", "fit", "free",
    "fun", "game", "gift", "global", "graphics", "group", "help", "host", "how", "id", "is", "land",
    "lib", "like", "limited", "link", "man", "map", "media", "menu", "moi", "my", "name", "network",
    "new", "next", "now", "open", "page", "parts", "pay", "pid", "pipe", "plus", "post", "press",
    "properties", "read", "report", "run", "sas", "save", "search", "security", "select",
    "services", "show", "so", "space", "store", "style", "support", "systems", "target", "to",
    "tools", "top", "total", "watch", "win", "work", "zero", "zone",
]);

/// Countries with many hosts whose two letters are not names of members: `Google.de` and `d=a.de;`
/// are hosts.
#[rustfmt::skip]
static COUNTRIES: ListLookup<{ slots(32) }> = ListLookup::new(words![
    "ag", "au", "br", "ca", "ch", "cn", "co", "cz", "de", "dk", "es", "eu", "fi", "fr", "gr", "hu",
    "ie", "il", "io", "jp", "kr", "nl", "nz", "pl", "pt", "ru", "sk", "tv", "tw", "ua", "uk", "za",
]);

/// Words after which a host follows, not a member.
#[rustfmt::skip]
static INTRODUCING: ListLookup<{ slots(17) }> = ListLookup::new(words![
    "account", "at", "domain", "follow", "homepage", "hosted", "instance", "join", "login", "on",
    "server", "site", "url", "via", "visit", "visiting", "website",
]);

/// True if the word at `(at, end)` is meant as a host: it stands in a sentence or alone in its
/// line. Its top-level domain is also a word; `first` is its first label.
pub(super) fn names_host(
    haystack: &[u8],
    (at, end): (usize, usize),
    (first, top): (&[u8], &[u8]),
    labels: usize,
) -> bool {
    let context = HostContext::read(haystack, at, end);
    let has_upper = haystack.part(at..end).iter().any(u8::is_ascii_uppercase);
    // Hosts under these domains are written in small letters in prose. A name in capitals is a
    // class, one of one letter a variable.
    if has_upper || first.len() < 2 || !context.is_apart() || context.has_code() {
        return false;
    }
    // Names in programs contain no hyphens, and hardly ever digits before such a member.
    let is_name = first.iter().any(|b| b.is_ascii_digit() || *b == b'-');
    let is_member = MEMBERS.holds(top) && !is_name;
    if context.is_alone() {
        !is_member
    } else {
        // Four labels are the path of a member, `app.user.profile.name`, unless a word such as
        // `visit` says otherwise.
        context.words() > 1 && (!is_member && labels < 4 || context.is_introduced())
    }
}

/// True if a name under a country's domain is a member of a program. It has code around it, or it
/// is capitalized or at most two letters long and nothing introduces it.
pub(super) fn is_member(
    haystack: &[u8],
    (at, end): (usize, usize),
    (first, top): (&[u8], &[u8]),
) -> bool {
    let context = HostContext::read(haystack, at, end);
    if context.is_quoted() {
        return false;
    }
    let is_short = first.len() <= 2;
    let is_capitalized = first.first().is_some_and(u8::is_ascii_uppercase);
    let is_doubtful = context.has_code() || is_capitalized || is_short;
    // Under the listed countries only short names in code are members. Under all others any doubt
    // is enough, unless a word introduces the name or it is alone in its line.
    is_doubtful && !COUNTRIES.holds(top) && !context.is_introduced() && !context.is_alone()
        || is_short && COUNTRIES.holds(top) && context.has_code()
}

/// The text on both sides of a word, within its line.
struct HostContext<'h> {
    before: &'h [u8],
    after: &'h [u8],
}

impl<'h> HostContext<'h> {
    fn read(haystack: &'h [u8], at: usize, end: usize) -> Self {
        let before = haystack.part(..at).tail(CONTEXT_BYTES);
        let before = memchr::memrchr(b'\n', before).map_or(before, |line| before.part(line + 1..));
        let after = haystack.part(end..).clamped(..CONTEXT_BYTES);
        let after = memchr::memchr(b'\n', after).map_or(after, |line| after.part(..line));
        work_counter::add(before.len() + after.len());
        Self { before, after }
    }

    /// True if spaces or sentence punctuation surround the word.
    fn is_apart(&self) -> bool {
        let opens = self
            .before
            .last()
            .is_none_or(|b| b.is_ascii_whitespace() || b"(\"'*_".contains(b) || *b >= 0x80);
        let closes = match self.after {
            [] => true,
            [b'.' | b',' | b';' | b':' | b'!' | b'?' | b')' | b'"' | b'\'' | b'*', next, ..] => {
                next.is_ascii_whitespace() || b")\"'*.!?".contains(next)
            }
            [b'.' | b',' | b';' | b':' | b'!' | b'?' | b')' | b'"' | b'\'' | b'*'] => true,
            [byte, ..] => byte.is_ascii_whitespace() || *byte >= 0x80,
        };
        opens && closes
    }

    /// True if quotation marks surround the word: the string is the host.
    fn is_quoted(&self) -> bool {
        let quotes = |b: Option<&u8>| matches!(b, Some(b'"' | b'\'' | b'`'));
        quotes(self.before.last()) && quotes(self.after.first())
    }

    /// True if signs of a program are near.
    fn has_code(&self) -> bool {
        let is_sign = |b: &u8| b"{}=<>[]$\\|&`^~".contains(b);
        let calls = |text: &[u8]| {
            text.windows(2)
                .any(|w| matches!(w, b"()" | b"::" | b"->" | b"//" | b"/*" | b"*/" | b"--"))
                || text.windows(2).any(|w| matches!(w, [a, b'('] if a.is_ascii_alphanumeric()))
        };
        // A comment mark at the start of the line is not code by itself.
        let before = self.before.trim_ascii_start();
        let before = before.part(before.leading(|b| b"/*#!;-".contains(&b))..);
        let imports = before.ends_with(b"from ") && self.after.starts_with(b" import")
            || before.starts_with(b"import ")
            || before.starts_with(b"from ");
        // A semicolon at the end of a line ends a statement, not a clause.
        let ends = self.after.trim_ascii_end().ends_with(b";");
        imports
            || ends
            || before.iter().chain(self.after).any(is_sign)
            || calls(before)
            || calls(self.after)
    }

    /// True if the line contains nothing else but a bullet.
    fn is_alone(&self) -> bool {
        let is_mark = |b: u8| b.is_ascii_whitespace() || b"-*+.,".contains(&b);
        self.before.len() <= MAX_BULLET_BYTES
            && self.before.leading(is_mark) == self.before.len()
            && self.after.leading(is_mark) == self.after.len()
    }

    /// Counts the words near by.
    fn words(&self) -> usize {
        let count = |text: &[u8]| {
            let words = text.split(|b| b.is_ascii_whitespace());
            words
                .filter(|word| {
                    word.len() > 1
                        && word.iter().filter(|b| b.is_ascii_alphabetic() || **b >= 0x80).count()
                            > 1
                })
                .count()
        };
        count(self.before) + count(self.after)
    }

    /// True if the preceding word introduces a host.
    fn is_introduced(&self) -> bool {
        let text = self.before.trim_ascii_end();
        let text = text.strip_suffix(b":").unwrap_or(text);
        let word = text.tail(text.trailing(|b| b.is_ascii_alphabetic()));
        !word.is_empty() && INTRODUCING.holds(word)
    }
}
