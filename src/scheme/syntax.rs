//! Shared parts of the recognizers: a cursor, byte predicates, and the verdicts.

use super::{MAX_HEAD_BYTES, Recognition, SchemeTarget};
use crate::error::Reason;
use crate::grammar::table::{is_unreserved, is_uri_byte};
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Reads a text from the left. A failed read consumes nothing unless stated.
#[derive(Clone, Copy)]
pub(super) struct ByteCursor<'t> {
    rest: &'t [u8],
}

impl<'t> ByteCursor<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        Self { rest: text }
    }

    pub fn rest(&self) -> &'t [u8] {
        self.rest
    }

    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// True if the next byte passes; consumes nothing.
    pub fn at(&self, test: impl Fn(u8) -> bool) -> bool {
        self.peek().is_some_and(test)
    }

    pub fn eat(&mut self, byte: u8) -> bool {
        match self.rest.split_first() {
            Some((&first, rest)) if first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Skips `count` bytes, or all that are left.
    pub fn skip(&mut self, count: usize) {
        self.rest = self.rest.clamped(count..);
    }

    /// Reads a percent-encoded byte.
    pub fn eat_triplet(&mut self) -> bool {
        let found = matches!(self.rest, &[b'%', high, low, ..] if hex(high) && hex(low));
        if found {
            self.skip(3);
        }
        found
    }

    /// Reads a word, ignoring ASCII case, or consumes nothing.
    pub fn eat_word(&mut self, word: &[u8]) -> bool {
        match self.rest.split_at_checked(word.len()) {
            Some((front, rest)) if front.eq_ignore_ascii_case(word) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Reads bytes while they pass.
    pub fn run(&mut self, test: impl Fn(u8) -> bool) -> &'t [u8] {
        let length = self.rest.leading(test);
        work_counter::add(length);
        let (front, rest) = self.rest.split_at(length);
        self.rest = rest;
        front
    }

    /// Reads bytes while they pass; true if there were exactly `count`. They are consumed in any case.
    pub fn exactly(&mut self, count: usize, test: impl Fn(u8) -> bool) -> bool {
        self.run(test).len() == count
    }
}

pub(super) fn digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

pub(super) fn hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

pub(super) fn alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// A letter, a digit or `_`: a byte that continues a word.
pub(super) fn word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// RFC 3986 unreserved, and the `%` of a percent-encoded byte.
pub(super) fn plain(byte: u8) -> bool {
    is_unreserved(byte) || byte == b'%'
}

/// A character that D4.3 never drops.
pub(super) fn solid(byte: u8) -> bool {
    is_uri_byte(byte) && !soft(byte)
}

/// D4.3: a character that never ends a URI in running text.
pub(super) fn soft(byte: u8) -> bool {
    b".,;:!?'".contains(&byte)
}

/// True for a dotted name: at least two labels of letters, digits, `-` and `_`, none of them empty.
pub(super) fn dotted(name: &[u8]) -> bool {
    let mut labels = 0;
    name.split(|&byte| byte == b'.').all(|label| {
        labels += 1;
        !label.is_empty() && label.iter().all(|&byte| word(byte) || byte == b'-')
    }) && labels > 1
}

/// As many closing as opening brackets of each kind; code that is cut at a space lacks some.
pub(super) fn brackets_balance(text: &[u8]) -> bool {
    let count = |wanted: u8| text.iter().filter(|&&byte| byte == wanted).count();
    count(b'(') == count(b')') && count(b'[') == count(b']') && count(b'{') == count(b'}')
}

/// True if `text` starts with a placeholder to fill in: `{name}`, `{{`, `${`, `$name`, `%s`, `%d`,
/// `%(name)`.
pub(crate) fn placeholder(text: &[u8]) -> bool {
    match text {
        [b'{', b'{', ..] | [b'$', b'{', ..] => true,
        // `%da` would be a percent triplet, `%d` followed by anything else is a format directive.
        [b'%', b's' | b'd', next, ..] => !hex(*next),
        [b'%', b's' | b'd'] => true,
        [b'%', b'(', name @ ..] => {
            let mut c = ByteCursor::new(name);
            !c.run(word).is_empty() && c.at(|byte| byte == b')')
        }
        [b'$', name, ..] => name.is_ascii_alphabetic(),
        [b'{', name @ ..] => {
            let mut c = ByteCursor::new(name);
            !c.run(|byte| word(byte) || byte == b'.' || byte == b'-').is_empty()
                && c.at(|byte| byte == b'}')
        }
        _ => false,
    }
}

pub(super) fn has_placeholder(text: &[u8]) -> bool {
    (0..text.len()).any(|at| text.get(at..).is_some_and(placeholder))
}

/// True if digits follow after white space, a bracket or a typographic space or dash (D1.6, `cut`).
pub(super) fn digits_follow(after: &[u8]) -> bool {
    let mut c = ByteCursor::new(after);
    loop {
        match c.rest() {
            [b' ' | b'\t' | b'(', ..] => c.skip(1),
            // U+00A0
            [0xc2, 0xa0, ..] => c.skip(2),
            // U+2000–U+2015, U+202F
            [0xe2, 0x80, 0x80..=0x95 | 0xaf, ..] => c.skip(3),
            _ => break,
        }
    }
    // Digits directly after the number would belong to it; only separated ones show that it was
    // cut.
    c.rest().len() < after.len() && c.at(digit)
}

impl<'t> SchemeTarget<'t> {
    pub(super) fn head(&self) -> &'t [u8] {
        self.text.part(self.colon + 1..).clamped(..MAX_HEAD_BYTES)
    }

    pub(super) fn accept(&self) -> Recognition {
        Recognition::Match { end: self.end }
    }

    /// Rejects the target: its syntax breaks where `rest`, the end of the body, starts.
    pub(super) fn broken(&self, rest: &[u8]) -> Recognition {
        let reason =
            if has_placeholder(self.body()) { Reason::Template } else { Reason::SchemeSyntax };
        self.reject(reason, rest)
    }

    /// Rejects the target where `rest`, the end of the body, starts.
    pub(super) fn reject(&self, reason: Reason, rest: &[u8]) -> Recognition {
        Recognition::Reject { reason, at: self.end.saturating_sub(rest.len()) }
    }

    /// The verdict once a scheme's own part is read and `rest` of the body is left. A tail that
    /// starts with one of `tail` belongs to the URI, `,` and `;` end it, and anything else breaks
    /// it.
    pub(super) fn finish(&self, rest: &[u8], tail: &[u8]) -> Recognition {
        match rest.first() {
            None => self.accept(),
            Some(byte) if tail.contains(byte) => self.accept(),
            // In a list, a URI ends before the separator (D4.7).
            Some(b',' | b';') => self.before(rest),
            Some(_) => self.broken(rest),
        }
    }

    /// Accepts the target without `rest`, the end of the body.
    pub(super) fn before(&self, rest: &[u8]) -> Recognition {
        Recognition::Match { end: self.end.saturating_sub(rest.len()) }
    }

    /// Returns the first URI of `scheme:a,scheme:b` and `scheme:a;scheme:b`: D4.7 for schemes
    /// without `//`.
    pub(super) fn first_of_list(&self) -> SchemeTarget<'t> {
        let scheme = self.text.part(..=self.colon);
        let body = self.body();
        work_counter::add(body.len());
        let end = (0..body.len()).find(|&at| {
            matches!(body.get(at), Some(b',' | b';'))
                && body.get(at + 1..).is_some_and(|rest| ByteCursor::new(rest).eat_word(scheme))
        });
        SchemeTarget { end: end.map_or(self.end, |at| self.colon + 1 + at), ..*self }
    }
}

type ReadPart = fn(&mut ByteCursor<'_>) -> bool;

/// A scheme whose whole syntax is a shape that two functions read.
pub(super) struct SchemeShape {
    /// Reads its start, which distinguishes it from a word before a colon.
    opens: ReadPart,
    /// Reads the part that the scheme defines.
    pub body: ReadPart,
    /// The bytes that may start an open-ended tail: a query, parameters, a fragment.
    tail: &'static [u8],
    /// Bytes that end the URI, as `,` and `;` do.
    ends: &'static [u8],
    /// Returns a reason if the following text shows that this is only half of a URI.
    cut: fn(&SchemeTarget<'_>) -> Option<Reason>,
}

impl SchemeShape {
    pub const fn new(opens: ReadPart, body: ReadPart) -> Self {
        Self { opens, body, tail: b"", ends: b"", cut: |_| None }
    }

    pub const fn tail(self, tail: &'static [u8]) -> Self {
        Self { tail, ..self }
    }

    pub const fn ended_by(self, ends: &'static [u8]) -> Self {
        Self { ends, ..self }
    }

    pub const fn cut_by(self, cut: fn(&SchemeTarget<'_>) -> Option<Reason>) -> Self {
        Self { cut, ..self }
    }
}

impl super::SchemeRecognizer for SchemeShape {
    fn may_start(&self, head: &[u8]) -> bool {
        (self.opens)(&mut ByteCursor::new(head))
    }

    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition {
        let target = target.first_of_list();
        let mut c = ByteCursor::new(target.body());
        // Check the text after the target first. A cut URI is rejected even if its first half has
        // the right syntax.
        if let Some(reason) = (self.cut)(&target) {
            return target.reject(reason, &[]);
        }
        if (self.body)(&mut c) {
            if c.at(|byte| self.ends.contains(&byte)) {
                return target.before(c.rest());
            }
            target.finish(c.rest(), self.tail)
        } else {
            target.broken(c.rest())
        }
    }
}

/// For [`SchemeShape::cut_by`]: rejects a number if digits follow it.
pub(super) fn cut_digits(target: &SchemeTarget<'_>) -> Option<Reason> {
    digits_follow(target.after()).then_some(Reason::Cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_eats_only_what_it_names() {
        let mut c = ByteCursor::new(b"ABc-12");
        assert!(c.eat_word(b"ab") && !c.eat(b'-') && c.eat(b'c') && c.eat(b'-'));
        assert!(!c.exactly(1, digit) && c.is_done());
    }

    #[test]
    fn dotted_names() {
        assert!(dotted(b"a.b") && dotted(b"a-1.b_2.c"));
        assert!(
            !dotted(b"a")
                && !dotted(b"a..b")
                && !dotted(b".a")
                && !dotted(b"a.")
                && !dotted(b"a.b/c")
        );
    }

    #[test]
    fn holes() {
        for text in [&b"{id}"[..], b"{{ x", b"${x}", b"$name", b"%s", b"%d&"] {
            assert!(placeholder(text), "{text:?}");
        }
        for text in [&b"{}"[..], b"{a:b}", b"$1", b"%da", b"%20", b"x", b""] {
            assert!(!placeholder(text), "{text:?}");
        }
    }

    #[test]
    fn digits_that_follow() {
        #[rustfmt::skip]
        let afters = [
            " 405", "\t4", " (405)", "\u{a0}405", "\u{2011}405", "\u{202f}4", " \u{2013}4",
        ];
        for after in afters {
            assert!(digits_follow(after.as_bytes()), "{after:?}");
        }
        for after in ["", "405", " x", "\n405", ", 405", " - 4", "\u{e9}4"] {
            assert!(!digits_follow(after.as_bytes()), "{after:?}");
        }
    }
}
