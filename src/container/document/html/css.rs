//! The URI references of a style sheet (CSS Syntax 3 §4.3, CSS Values 4 §4.5, CSS Cascade 5 §2): those of
//! `url()`, and the strings of `@import` and `@namespace`, outside of comments and other strings.

use memchr::memmem;

use super::decode::Decoded;
use super::token::is_space;
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Something is loaded.
    Link,
    /// It is only a name.
    Namespace,
}

/// A reference, escapes and all, without quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Url {
    pub span: Span,
    pub is_for: Use,
}

pub(super) struct Urls<'s> {
    sheet: &'s [u8],
    at: usize,
    /// The rule whose reference the next string would be.
    rule: Option<Use>,
}

struct Quoted {
    inside: Span,
    end: usize,
}

impl<'s> Urls<'s> {
    pub fn new(sheet: &'s [u8]) -> Self {
        Self { sheet, at: 0, rule: None }
    }

    fn rest(&self, at: usize) -> &'s [u8] {
        self.sheet.clamped(at..)
    }

    /// The string whose quote is here; one cut off by a line break or the end has no inside (§4.3.5).
    fn string(&self, start: usize, quote: u8) -> Result<Quoted, usize> {
        let mut at = start + 1;
        while let Some(&c) = self.sheet.get(at) {
            match c {
                b'\\' => at += 1,
                b'\n' | b'\r' | b'\x0c' => {
                    work_counter::add(at - start);
                    return Err(at);
                }
                _ if c == quote => {
                    work_counter::add(at - start);
                    let inside = Span::new(start + 1, at);
                    return Ok(Quoted { inside, end: at + 1 });
                }
                _ => {}
            }
            at += 1;
        }
        work_counter::add(self.sheet.len() - start);
        Err(self.sheet.len())
    }

    /// The argument of a `url(` that ends here.
    fn url(&mut self, inside: usize) -> Option<Span> {
        let blank = |at| self.rest(at).iter().take_while(|&&c| is_space(c)).count();
        let start = inside + blank(inside);
        if let Some(&quote @ (b'"' | b'\'')) = self.sheet.get(start) {
            let string = self.string(start, quote);
            self.at = match &string {
                Ok(quoted) => quoted.end,
                Err(end) => *end,
            };
            return string.ok().map(|quoted| quoted.inside);
        }
        let mut at = start;
        loop {
            match *self.sheet.get(at)? {
                b'\\' => at += 2,
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
        let before = name.checked_sub(1).and_then(|at| self.sheet.get(at));
        let is_name =
            |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'\\' | 0x80..);
        let word = self.sheet.part(name..at);
        word.eq_ignore_ascii_case(b"url") && !before.is_some_and(is_name)
    }

    fn at_rule(&self, at: usize) -> Option<Use> {
        let is = |name: &str| {
            let word = self.rest(at + 1).clamped(..name.len());
            word.eq_ignore_ascii_case(name.as_bytes())
        };
        if is("import") {
            Some(Use::Link)
        } else if is("namespace") {
            Some(Use::Namespace)
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
                }
                b'\\' => self.at += 1,
                b'@' => self.rule = self.at_rule(at),
                b';' | b'{' => self.rule = None,
                b'(' if self.is_url(at) => {
                    if let Some(span) = self.url(at + 1) {
                        let is_for = self.rule.take().unwrap_or(Use::Link);
                        return Some(Url { span, is_for });
                    }
                }
                b'"' | b'\'' => match (self.string(at, c), self.rule.take()) {
                    (Ok(Quoted { inside, end }), Some(is_for)) => {
                        self.at = end;
                        return Some(Url { span: inside, is_for });
                    }
                    (Ok(Quoted { end, .. }) | Err(end), _) => self.at = end,
                },
                _ => {}
            }
        }
        None
    }
}

/// Adds `raw`, at `at` in the source, with its escapes undone (CSS Syntax 3 §4.3.7).
pub(super) fn unescape(raw: &[u8], at: usize, to: &mut Decoded) {
    work_counter::add(raw.len());
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'\\', raw.clamped(from..)) {
        let start = from + found;
        to.copy(raw.part(from..start), at + from);
        let rest = raw.clamped(start + 1..);
        let hex = rest.iter().take(6).take_while(|c| c.is_ascii_hexdigit());
        let digits = hex.count();
        let code = rest
            .iter()
            .take(digits)
            .fold(0, |code, &digit| code << 4 | char::from(digit).to_digit(16).unwrap_or_default());
        let (c, len) = match rest {
            // An escaped line break is removed.
            [b'\r', b'\n', ..] => (None, 3),
            [b'\n' | b'\r' | b'\x0c', ..] => (None, 2),
            _ if digits > 0 => {
                let space = usize::from(rest.get(digits).is_some_and(|&c| is_space(c)));
                let c = char::from_u32(code).filter(|&c| c != '\0');
                (Some(c.unwrap_or(char::REPLACEMENT_CHARACTER)), 1 + digits + space)
            }
            // The next byte means itself.
            _ => (None, 1),
        };
        if let Some(c) = c {
            let text = c.encode_utf8(&mut [0; 4]).len();
            to.text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            to.map.replace(text, Span::new(at + start, at + start + len));
        }
        from = start + len;
        if len == 1 {
            // Which may be a backslash.
            let byte = raw.clamped(from..from + 1);
            to.copy(byte, at + from);
            from += byte.len();
        }
    }
    to.copy(raw.clamped(from..), at + from);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(sheet: &str) -> Vec<String> {
        let text = |url: Url| {
            let mut decoded = Decoded::default();
            unescape(&sheet.as_bytes()[url.span.range()], 0, &mut decoded);
            let text = String::from_utf8(decoded.text).expect("text");
            match url.is_for {
                Use::Link => text,
                Use::Namespace => format!("namespace {text}"),
            }
        };
        Urls::new(sheet.as_bytes()).map(text).collect()
    }

    #[test]
    fn references() {
        for (sheet, expected) in [
            ("a{background:url(a.png) no-repeat, URL( 'b c.png' )}", &["a.png", "b c.png"][..]),
            ("@import \"x.css\"; @import url(y.css) print;", &["x.css", "y.css"]),
            ("@namespace svg 'http://a.example/';", &["namespace http://a.example/"]),
            ("/* url(a) */ b{content:'url(c)'; src:url(\"d\")}", &["d"]),
            ("a{b:myurl(c)} d{e:url(f g)} h{i:url(j\"k)}", &[]),
            ("a{b:url(c\\)d) url('\\65 \\'f\\\ng')}", &["c)d", "e'fg"]),
            ("a{b:url(", &[]),
            ("a{b:url('c", &[]),
            ("a{b:'c\n;d:url(e)}", &["e"]),
            ("url(data:image/png;base64,//a=)", &["data:image/png;base64,//a="]),
        ] {
            assert_eq!(urls(sheet), expected, "{sheet}");
        }
    }
}
