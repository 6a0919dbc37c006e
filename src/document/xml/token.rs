//! Splits XML into tags, text, comments, and other tokens (XML 1.0).
//!
//! Every token is a span. Nothing is an error: everything that is not markup is text, because no
//! URI may be lost in broken files either. Every byte is in a token, except for delimiters, and a
//! byte is looked at a bounded number of times.

use memchr::{memchr, memchr2, memmem};

use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;
use crate::work_counter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum XmlToken {
    /// Text, with references.
    Text(Span),
    Cdata(Span),
    /// A start tag, whose attributes are in [`XmlTokens::attributes`].
    Start {
        name: Span,
        tag: Span,
        form: TagForm,
    },
    End {
        name: Span,
        tag: Span,
    },
    Comment(Span),
    /// The inside of `<?…?>`.
    Instruction(Span),
    /// The inside of `<!DOCTYPE …>`, with its internal subset.
    Doctype(Span),
}

/// The form of a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum TagForm {
    /// `<a>`.
    Open,
    /// `<a/>`.
    Empty,
    /// A tag that is not well-formed: its attributes may be wrong.
    Broken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) struct XmlAttribute {
    pub name: Span,
    /// The value without quotes, with references.
    pub value: Span,
}

/// Iterates over the tokens of a document.
#[derive(Debug)]
pub(in crate::document) struct XmlTokens<'d> {
    bytes: &'d [u8],
    at: usize,
    attributes: Vec<XmlAttribute>,
}

impl<'d> XmlTokens<'d> {
    pub fn new(bytes: &'d [u8]) -> Self {
        Self { bytes, at: 0, attributes: Vec::new() }
    }

    /// Returns the attributes of the last start tag.
    pub fn attributes(&self) -> &[XmlAttribute] {
        &self.attributes
    }

    fn rest(&self, from: usize) -> &'d [u8] {
        self.bytes.clamped(from..)
    }

    pub fn next(&mut self) -> Option<XmlToken> {
        let start = self.at;
        let mut from = start;
        loop {
            let rest = self.rest(from);
            let found = memchr(b'<', rest);
            work_counter::add(found.unwrap_or(rest.len()));
            let at = found.map_or(self.bytes.len(), |found| from + found);
            // A bare `<`, as in `a < b`, is an error in XML (§2.4). Here it is text, so that
            // nothing after it is lost.
            if at < self.bytes.len() && !is_markup(self.rest(at + 1)) {
                from = at + 1;
                continue;
            }
            if at > start {
                self.at = at;
                return Some(XmlToken::Text(Span::new(start, at)));
            }
            if at == self.bytes.len() {
                return None;
            }
            match self.markup(at) {
                Some(token) => return Some(token),
                // A tag that the end of the document cuts off is text.
                None => {
                    self.at = self.bytes.len();
                    return Some(XmlToken::Text(Span::new(start, self.at)));
                }
            }
        }
    }

    /// Reads the token that starts with the `<` at `at`.
    fn markup(&mut self, at: usize) -> Option<XmlToken> {
        match self.rest(at + 1) {
            [b'/', ..] => Some(self.end_tag(at)),
            [b'?', ..] => Some(XmlToken::Instruction(self.until(b"?>", at + 2))),
            [b'!', b'-', b'-', ..] => Some(XmlToken::Comment(self.until(b"-->", at + 4))),
            rest if rest.starts_with(b"![CDATA[") => {
                Some(XmlToken::Cdata(self.until(b"]]>", at + 9)))
            }
            [b'!', ..] => Some(self.doctype(at + 2)),
            _ => self.start_tag(at),
        }
    }

    /// Reads up to `end`, which is consumed, or to the end of the document.
    fn until(&mut self, end: &[u8], from: usize) -> Span {
        let from = from.min(self.bytes.len());
        // A comment or section without an end takes all the rest, which is still emitted.
        let found = memmem::find(self.rest(from), end).map(|found| from + found);
        let stop = found.unwrap_or(self.bytes.len());
        work_counter::add(stop - from);
        self.at = found.map_or(stop, |found| found + end.len());
        Span::new(from, stop)
    }

    fn end_tag(&mut self, at: usize) -> XmlToken {
        let inside = self.until(b">", at + 2);
        let name = self.bytes.part(inside.range()).leading(is_name);
        XmlToken::End {
            name: Span::new(inside.start(), inside.start() + name),
            tag: Span::new(at, self.at),
        }
    }

    /// Reads a document type declaration, whose internal subset holds declarations of its own.
    fn doctype(&mut self, from: usize) -> XmlToken {
        let mut at = from;
        let mut depth = 0_usize;
        let mut is_subset = false;
        while let Some(&byte) = self.bytes.get(at) {
            at += 1;
            match byte {
                b'"' | b'\'' if depth > 0 || !is_subset => {
                    // An apostrophe in broken text closes nothing.
                    let closes = memchr2(byte, b'<', self.rest(at));
                    match closes.map(|closes| at + closes) {
                        Some(close) if self.bytes.get(close) == Some(&byte) => at = close + 1,
                        _ => {}
                    }
                }
                b'<' if self.rest(at).starts_with(b"!--") => {
                    let end = memmem::find(self.rest(at), b"-->");
                    at = end.map_or(self.bytes.len(), |end| at + end + 3);
                }
                // Declarations of the internal subset (production 28b) have a `>` of their own.
                b'<' => depth += 1,
                b'[' if depth == 0 => is_subset = true,
                b']' if depth == 0 => is_subset = false,
                b'>' if depth == 0 => {
                    self.at = at;
                    work_counter::add(at - from);
                    return XmlToken::Doctype(Span::new(from, at - 1));
                }
                b'>' => depth -= 1,
                _ => {}
            }
        }
        self.at = self.bytes.len();
        work_counter::add(self.at - from);
        XmlToken::Doctype(Span::new(from.min(self.at), self.at))
    }

    fn start_tag(&mut self, open: usize) -> Option<XmlToken> {
        self.attributes.clear();
        let start = open + 1;
        let name = Span::new(start, start + self.rest(start).leading(is_name));
        let mut at = name.end();
        let mut is_broken = false;
        let form = loop {
            at += self.rest(at).leading(|byte| byte.is_ascii_whitespace());
            match self.rest(at) {
                [] => return None,
                [b'>', ..] => break TagForm::Open,
                [b'/', b'>', ..] => {
                    at += 1;
                    break TagForm::Empty;
                }
                // The `>` is missing.
                [b'<', ..] => {
                    is_broken = true;
                    at -= 1;
                    break TagForm::Open;
                }
                [byte, ..] if is_name(*byte) => match self.attribute(at)? {
                    Some(end) => at = end,
                    None => {
                        is_broken = true;
                        at += self.rest(at).leading(is_name);
                    }
                },
                _ => {
                    is_broken = true;
                    at += 1;
                }
            }
        };
        self.at = at + 1;
        work_counter::add(self.at - open);
        let form = if is_broken { TagForm::Broken } else { form };
        Some(XmlToken::Start { name, tag: Span::new(open, self.at), form })
    }

    /// Reads the attribute at `at`, and returns its end: `Some(None)` for a name without a quoted
    /// value, `None` if the document ends in the value.
    #[expect(clippy::option_option, reason = "both ends are different")]
    fn attribute(&mut self, at: usize) -> Option<Option<usize>> {
        let space = |from: usize| from + self.rest(from).leading(|byte| byte.is_ascii_whitespace());
        let name = Span::new(at, at + self.rest(at).leading(is_name));
        let equals = space(name.end());
        if self.bytes.get(equals) != Some(&b'=') {
            return Some(None);
        }
        let open = space(equals + 1);
        let Some(&quote @ (b'"' | b'\'')) = self.bytes.get(open) else {
            return Some(None);
        };
        // Without a closing mark, nothing says where the tag ends, so the rest of the document is
        // text.
        let close = open + 1 + memchr(quote, self.rest(open + 1))?;
        self.attributes.push(XmlAttribute { name, value: Span::new(open + 1, close) });
        Some(Some(close + 1))
    }
}

/// True if a `<` before this text starts markup.
fn is_markup(after: &[u8]) -> bool {
    match after {
        [b'/', byte, ..] => is_name_start(*byte),
        [b'?', ..] | [b'!', b'-', b'-', ..] => true,
        [b'!', rest @ ..] => rest.starts_with(b"[CDATA[") || starts_doctype(rest),
        [byte, ..] => is_name_start(*byte),
        [] => false,
    }
}

fn starts_doctype(text: &[u8]) -> bool {
    text.clamped(..7).eq_ignore_ascii_case(b"doctype")
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':') || !byte.is_ascii()
}

/// True for a byte of a name (XML 1.0, production 4a).
fn is_name(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

/// Returns a name without its prefix.
pub(in crate::document) fn local_name(name: &[u8]) -> &[u8] {
    let colon = name.iter().position(|&byte| byte == b':');
    colon.map_or(name, |colon| name.clamped(colon + 1..))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the tokens, with attributes, separated by bars.
    fn tokens(text: &str) -> String {
        let mut tokens = XmlTokens::new(text.as_bytes());
        let mut written = Vec::new();
        while let Some(token) = tokens.next() {
            written.push(match token {
                XmlToken::Text(span) => format!("text {}", &text[span.range()]),
                XmlToken::Cdata(span) => format!("cdata {}", &text[span.range()]),
                XmlToken::Comment(span) => format!("comment {}", &text[span.range()]),
                XmlToken::Instruction(span) => format!("instruction {}", &text[span.range()]),
                XmlToken::Doctype(span) => format!("doctype {}", &text[span.range()]),
                XmlToken::End { name, .. } => format!("/{}", &text[name.range()]),
                XmlToken::Start { name, form, .. } => {
                    let attributes = tokens.attributes().iter().map(|attribute| {
                        let [name, value] = [attribute.name, attribute.value];
                        format!(" {}={}", &text[name.range()], &text[value.range()])
                    });
                    let attributes: String = attributes.collect();
                    format!("{form:?} {}{attributes}", &text[name.range()])
                }
            });
        }
        written.join("|")
    }

    #[test]
    fn tokens_of_good_and_broken_documents() {
        for (text, expected) in [
            ("<?xml version='1.0'?><a/>", "instruction xml version='1.0'|Empty a"),
            ("<a b='c>' x:d = \"e\">f</a >", "Open a b=c> x:d=e|text f|/a"),
            ("<!--a>b--><![CDATA[<c>]]>", "comment a>b|cdata <c>"),
            (
                "<!DOCTYPE a [<!ENTITY b \"]>\"><!-- ' -->]><a>",
                "doctype DOCTYPE a [<!ENTITY b \"]>\"><!-- ' -->]|Open a",
            ),
            ("a < b <c", "text a < b |text <c"),
            ("<a b=c>d", "Broken a|text d"),
            ("<a b='c", "text <a b='c"),
            ("<a <b>", "Broken a|Open b"),
            ("</>x", "text </>x"),
            ("<!--a", "comment a"),
            ("", ""),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }

    #[test]
    fn work_is_linear() {
        let pieces = [
            "<a b=\"",
            "<a ",
            "<!--",
            "<![CDATA[",
            "<!DOCTYPE [",
            "<a b='\"",
            "</a",
            "<?",
            "&<",
            "<!DOCTYPE '",
        ];
        for piece in pieces {
            let text = piece.repeat(10_000);
            let _ = work_counter::take();
            let mut tokens = XmlTokens::new(text.as_bytes());
            while tokens.next().is_some() {}
            let work = work_counter::take().unwrap_or_default();
            assert!(work < 10 * text.len() as u64, "{piece}: {work} of {}", text.len());
        }
    }
}
