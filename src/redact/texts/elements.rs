//! Finds texts in elements of XML and HTML whose name or attribute says that they are secrets:
//! `<password>…</password>`, `<entry key="token">…</entry>`, however the brackets are spelled.

use memchr::{memchr3_iter, memmem, memrchr};

use super::{certain, gaps};
use crate::redact::names::NameClass;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Longest text of an element.
const MAX_TEXT_LENGTH: usize = 32 << 10;

/// Longest name of an element, and longest attributes.
const MAX_NAME_LENGTH: usize = 64;
const MAX_ATTRIBUTES_LENGTH: usize = 2 * MAX_NAME_LENGTH;

/// Returns the texts of elements, in order.
pub(super) fn texts(text: &[u8]) -> impl Iterator<Item = Span> {
    memchr3_iter(b'<', b'&', b'\\', text).filter_map(|at| of_element(text, at))
}

/// Returns the start of the last element if its text, or its tag, may continue after the end of
/// this text.
// An element whose brackets are escaped is in one line.
pub(super) fn open(text: &[u8]) -> Option<usize> {
    let last = memrchr(b'<', text)?;
    // `<![CDATA[` opens the text of the element before it.
    let open =
        if text.part(last..).starts_with(CDATA) { memrchr(b'<', text.part(..last))? } else { last };
    let may_go_on = |from: usize| {
        text.len() < from + MAX_TEXT_LENGTH && !text.clamped(from.max(last)..).contains(&b'>')
    };
    let is_open = match opening(text, open) {
        Opening::Tag(tag) => tag.class != NameClass::Plain && may_go_on(tag.from),
        Opening::Unfinished => true,
        Opening::Other => false,
    };
    is_open.then_some(open)
}

const CDATA: &[u8] = b"<![CDATA[";

/// A tag that opens an element.
struct OpenTag<'t> {
    class: NameClass,
    name: &'t [u8],
    /// How its brackets are spelled.
    brackets: [&'static [u8]; 2],
    /// The start of the element's text.
    from: usize,
    /// The name of the element, or the attribute `name`, says that the text is a secret; other
    /// attributes may say that it is not.
    is_certain: bool,
}

/// The construct that a bracket opens.
enum Opening<'t> {
    Tag(OpenTag<'t>),
    /// A tag whose end is not in the text.
    Unfinished,
    Other,
}

/// Returns the construct that the bracket at `at` opens.
fn opening(text: &[u8], at: usize) -> Opening<'_> {
    let Some(brackets) = gaps::brackets(text.clamped(at..at + MAX_NAME_LENGTH)) else {
        return Opening::Other;
    };
    let [open, close] = brackets;
    let start = at + open.len();
    let rest = text.clamped(start..start + MAX_NAME_LENGTH);
    let name = rest.part(..rest.leading(is_of_name));
    let behind = start + name.len();
    let attributes = text.clamped(behind..behind + MAX_ATTRIBUTES_LENGTH);
    match attributes.first() {
        _ if name.is_empty() => Opening::Other,
        _ if attributes.starts_with(close) => {
            let (class, from) = (NameClass::classify(name), behind + close.len());
            Opening::Tag(OpenTag { class, name, brackets, from, is_certain: true })
        }
        Some(byte) if byte.is_ascii_whitespace() => match memmem::find(attributes, close) {
            None if attributes.len() < MAX_ATTRIBUTES_LENGTH => Opening::Unfinished,
            None => Opening::Other,
            Some(length) => {
                let (class, is_certain) = class_of(name, attributes.part(..length));
                let from = behind + length + close.len();
                Opening::Tag(OpenTag { class, name, brackets, from, is_certain })
            }
        },
        _ => Opening::Other,
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte)
}

/// Classifies an element with attributes.
fn class_of(name: &[u8], attributes: &[u8]) -> (NameClass, bool) {
    let attribute = |sign: &[u8]| {
        let from = memmem::find(attributes, sign)? + sign.len();
        let is_quote = |byte: u8| byte == b'"' || byte == b'\'';
        let value = attributes.clamped(from..);
        let value = value.part(value.leading(is_quote)..);
        let value = value.part(..value.leading(|byte| !is_quote(byte) && byte != b' '));
        Some(NameClass::classify(value)).filter(|class| *class != NameClass::Plain)
    };
    match attribute(b" name=") {
        Some(class) => (class, true),
        None => {
            let signs = [&b" key="[..], b" id=", b" title=", b" label=", b" for="];
            let class = signs.into_iter().find_map(attribute);
            (class.unwrap_or_else(|| NameClass::classify(name)), false)
        }
    }
}

/// Returns the text of the element whose tag begins at `at`.
fn of_element(text: &[u8], at: usize) -> Option<Span> {
    let Opening::Tag(tag) = opening(text, at) else { return None };
    (tag.class != NameClass::Plain).then_some(())?;
    let ([open, _], from) = (tag.brackets, tag.from);
    let rest = text.clamped(from..from + MAX_TEXT_LENGTH);
    // An element with escaped brackets is in one line, of a log or of a page that shows source.
    let is_plain = open == b"<";
    let rest = if is_plain { rest } else { rest.part(..rest.leading(|byte| byte != b'\n')) };
    // `<![CDATA[…]]>` (XML 1.0 §2.7)
    let blanks = rest.leading(|byte| byte.is_ascii_whitespace());
    let (start, length) = match rest.part(blanks..).strip_prefix(CDATA) {
        Some(data) => (from + blanks + CDATA.len(), memmem::find(data, b"]]>")?),
        None => {
            let length = if is_plain {
                rest.leading(|byte| !matches!(byte, b'<' | b'>'))
            } else {
                memmem::find(rest, open)?
            };
            let end = rest.part(length..).strip_prefix(open)?;
            let end = end.strip_prefix(b"\\").unwrap_or(end).strip_prefix(b"/")?;
            (from, end.starts_with(tag.name).then_some(length)?)
        }
    };
    let value = text.part(start..start + length);
    // In HTML, `<code>` contains a piece of a program; elsewhere it may contain an access code.
    let is_code = tag.name.eq_ignore_ascii_case(b"code");
    let class = if is_code { tag.class.min(NameClass::About) } else { tag.class };
    let is_secret = class.hides(value) && (tag.is_certain || certain::is_mixed_word(value));
    (is_secret && !value.trim_ascii().is_empty()).then(|| Span::new(start, start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_elements() {
        for (text, hidden) in [
            ("<password>correct horse</password>", "correct horse"),
            ("<ns:password>\n x1\n</ns:password>", "\n x1\n"),
            ("<password xmlns=\"a\">s3cr3tX9</password>", "s3cr3tX9"),
            ("<token type=\"a\">keyword</token>", ""),
            ("<string name=\"token\">letters</string>", "letters"),
            ("<entry key=\"password\">s3cr3tX9</entry>", "s3cr3tX9"),
            ("<password><![CDATA[a<b>c]]></password>", "a<b>c"),
            ("&lt;password&gt;letters&lt;/password&gt;", "letters"),
            ("&lt;password&gt;\nletters&lt;/password&gt;", ""),
            ("&amp;lt;password&amp;gt;letters&amp;lt;/password&amp;gt;", "letters"),
            ("\"\\u003cpassword\\u003eletters\\u003c/password\\u003e\"", "letters"),
            ("\"\\u003Ctoken\\u003Eletters\\u003C\\/token\\u003E\"", "letters"),
            ("<page>s3cr3tX9</page> <password> </password> <password>x", ""),
        ] {
            let found: Vec<_> = texts(text.as_bytes()).map(|span| &text[span.range()]).collect();
            assert_eq!(found.join("|"), hidden, "{text}");
        }
    }

    #[test]
    fn what_may_go_on() {
        for (text, expected) in [
            ("a <password>\nx\n", Some(2)),
            ("<password type='a'>\n", Some(0)),
            ("<password><![CDATA[\n", Some(0)),
            ("<a><![CDATA[<![CDATA[\n", None),
            ("<password>x</password>\n", None),
            ("a < b <page>\n", None),
            ("<p id=1\n", Some(0)),
            ("<p name=\"token\">\n", Some(0)),
        ] {
            assert_eq!(open(text.as_bytes()), expected, "{text}");
        }
    }
}
