//! URI references in a style sheet (CSS Syntax 3 §4.3, CSS Values 4 §4.5, CSS Cascade 5 §2): in
//! `url()` and in strings of `@import` and `@namespace`. Comments and other strings are skipped.

use std::ops::ControlFlow;

use memchr::memmem;

use super::super::{EventSink, Source};
use super::decode::DecodedText;
use super::token::is_space;
use super::values::{ValueOwner, WholeValue};
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// Reads a style sheet that is a document, like the content of a `style` element.
pub(super) fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    let mut piece = DecodedText::default();
    let owner = ValueOwner { element: "style", attribute: "" };
    let (text, layers) = (source.bytes, source.part(0));
    WholeValue { text, source: layers, owner, sink, piece: &mut piece }.style(Comments::Given)
}

/// Treatment of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comments {
    /// As code, like everything that is not a reference.
    Code,
    /// As comments.
    Given,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlUse {
    /// A resource is loaded.
    Link,
    /// The URI is only a name.
    Namespace,
    /// A comment, not a reference.
    Comment,
}

/// A reference without its quotes, escapes included; or the inside of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Url {
    pub span: Span,
    pub is_for: UrlUse,
}

pub(super) struct Urls<'s> {
    sheet: &'s [u8],
    at: usize,
    /// The rule that the next string would be the reference of.
    rule: Option<UrlUse>,
    comments: Comments,
}

impl<'s> Urls<'s> {
    pub fn new(sheet: &'s [u8], comments: Comments) -> Self {
        Self { sheet, at: 0, rule: None, comments }
    }

    fn rest(&self, at: usize) -> &'s [u8] {
        self.sheet.clamped(at..)
    }

    /// Reads a string. An unterminated string, or one cut by a line break, is not a string
    /// (§4.3.5).
    fn string(&mut self, start: usize, quote: u8) -> Option<Span> {
        let (mut at, mut inside) = (start + 1, None);
        while let Some(&c) = self.sheet.get(at) {
            match c {
                b'\\' => at += escape(self.rest(at + 1)).1 - 1,
                // A line end that is not escaped makes the string a bad one (§4.3.5).
                b'\n' | b'\r' | b'\x0c' => break,
                _ if c == quote => {
                    inside = Some(Span::new(start + 1, at));
                    at += 1;
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        self.at = at.min(self.sheet.len());
        work_counter::add(self.at - start);
        inside
    }

    /// Reads the argument of a `url(` that ends at `inside`.
    fn url(&mut self, inside: usize) -> Option<Span> {
        let blank = |at| self.rest(at).iter().take_while(|&&c| is_space(c)).count();
        let start = inside + blank(inside);
        if let Some(&quote @ (b'"' | b'\'')) = self.sheet.get(start) {
            return self.string(start, quote);
        }
        // An unquoted URL. A quote or parenthesis in it makes it invalid (§4.3.6); the bytes are
        // then emitted as code.
        let mut at = start;
        loop {
            match *self.sheet.get(at)? {
                b'\\' => at += escape(self.rest(at + 1)).1,
                c if c == b')' || is_space(c) => break,
                b'"' | b'\'' | b'(' => return None,
                _ => at += 1,
            }
            work_counter::add(1);
        }
        let close = at + blank(at);
        self.at = at;
        (self.sheet.get(close) == Some(&b')')).then(|| Span::new(start, at))
    }

    fn is_url(&self, at: usize) -> bool {
        let Some(name) = at.checked_sub(3) else {
            return false;
        };
        // In `my-url(`, the word is the end of another name.
        let before = name.checked_sub(1).and_then(|at| self.sheet.get(at));
        let is_name =
            |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'\\' | 0x80..);
        let word = self.sheet.part(name..at);
        word.eq_ignore_ascii_case(b"url") && !before.is_some_and(is_name)
    }

    fn at_rule(&self, at: usize) -> Option<UrlUse> {
        let is = |name: &str| {
            let word = self.rest(at + 1).clamped(..name.len());
            word.eq_ignore_ascii_case(name.as_bytes())
        };
        if is("import") {
            Some(UrlUse::Link)
        } else if is("namespace") {
            Some(UrlUse::Namespace)
        } else {
            None
        }
    }
}

impl Iterator for Urls<'_> {
    type Item = Url;

    fn next(&mut self) -> Option<Url> {
        while let Some(&c) = self.sheet.get(self.at) {
            let at = self.at;
            self.at += 1;
            match c {
                b'/' if self.rest(at).starts_with(b"/*") => {
                    let end = memmem::find(self.rest(at + 2), b"*/");
                    self.at = end.map_or(self.sheet.len(), |end| at + 2 + end + 2);
                    if self.comments == Comments::Given {
                        let end = end.map_or(self.sheet.len(), |end| at + 2 + end);
                        return Some(Url { span: Span::new(at + 2, end), is_for: UrlUse::Comment });
                    }
                }
                // An escaped quotation mark or bracket opens nothing.
                b'\\' => self.at += 1,
                b'@' => self.rule = self.at_rule(at),
                b';' | b'{' => self.rule = None,
                b'(' if self.is_url(at) => {
                    if let Some(span) = self.url(at + 1) {
                        let is_for = self.rule.take().unwrap_or(UrlUse::Link);
                        return Some(Url { span, is_for });
                    }
                }
                b'"' | b'\'' => {
                    // Only the first string after `@import` is a reference; others are in its
                    // conditions.
                    let rule = self.rule.take();
                    if let (Some(span), Some(is_for)) = (self.string(at, c), rule) {
                        return Some(Url { span, is_for });
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// Meaning of a backslash and the following characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escaped {
    /// An escaped line break is removed.
    Nothing,
    Code(char),
    /// The next byte stands for itself.
    Next,
}

/// Decodes the escape whose backslash precedes `rest`. Also returns its length, backslash included
/// (CSS Syntax 3 §4.3.7).
fn escape(rest: &[u8]) -> (Escaped, usize) {
    // A seventh digit is a character of its own.
    let digits = rest.iter().take(6).take_while(|c| c.is_ascii_hexdigit()).count();
    match rest {
        [b'\r', b'\n', ..] => (Escaped::Nothing, 3),
        [b'\n' | b'\r' | b'\x0c', ..] => (Escaped::Nothing, 2),
        _ if digits > 0 => {
            let digit = |&digit: &u8| char::from(digit).to_digit(16).unwrap_or_default();
            let code = rest.iter().take(digits).map(digit).fold(0, |code, digit| code << 4 | digit);
            // One white space ends the digits, and CR LF counts as one (§4.3.7).
            let space = match rest.clamped(digits..) {
                [b'\r', b'\n', ..] => 2,
                [c, ..] if is_space(*c) => 1,
                _ => 0,
            };
            // Zero, a surrogate, and a number above U+10FFFF stand for U+FFFD (§4.3.7).
            let c = char::from_u32(code).filter(|&c| c != '\0');
            (Escaped::Code(c.unwrap_or(char::REPLACEMENT_CHARACTER)), 1 + digits + space)
        }
        _ => (Escaped::Next, 2),
    }
}

/// Appends `raw`, which is at `at` in the source, with its escapes decoded (CSS Syntax 3 §4.3.7).
pub(super) fn unescape(raw: &[u8], at: usize, to: &mut DecodedText) {
    work_counter::add(raw.len());
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'\\', raw.clamped(from..)) {
        let start = from + found;
        to.copy(raw.part(from..start), at + from);
        let (escaped, len) = escape(raw.clamped(start + 1..));
        let c = match escaped {
            Escaped::Code(c) => Some(c),
            Escaped::Nothing | Escaped::Next => None,
        };
        if let Some(c) = c {
            let text = c.encode_utf8(&mut [0; 4]).len();
            to.text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            to.map.replace(text, Span::new(at + start, at + start + len));
        }
        from = start + len;
        if escaped == Escaped::Next {
            from -= 1;
            // Copy the escaped byte here, because it may be a backslash.
            let byte = raw.clamped(from..from + 1);
            to.copy(byte, at + from);
            from += byte.len();
        }
    }
    to.copy(raw.clamped(from..), at + from);
}
