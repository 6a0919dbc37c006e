//! The charset that a page declares (HTML Standard §13.2.3.2, "prescan a byte stream to determine
//! its encoding").

use memchr::memmem;

use super::token::{HtmlToken, Tokens, is_space};
use crate::decode::MimeCharset;
use crate::document::declared_charset;
use crate::document::format::FormatLimits;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// Bytes in which a page must declare its charset (HTML Standard §4.2.5.4).
const PRESCANNED: usize = 1024;

/// Returns the charset that a page or its XML declaration names, if its bytes have to be decoded.
///
/// A page of any size is audited, but only one of usual size is decoded: that needs a copy of it.
pub(super) fn charset(bytes: &[u8]) -> Option<MimeCharset> {
    if bytes.len() > FormatLimits::USUAL.largest {
        return None;
    }
    declared_charset::of_xml(bytes).or_else(|| {
        let head = bytes.clamped(..PRESCANNED);
        declared_charset::for_label(head.part(label(head)?.range()), bytes)
    })
}

/// Returns the label in the first `<meta>` of `head` that has one.
fn label(head: &[u8]) -> Option<Span> {
    let slice = |span: Span| head.part(span.range());
    let mut tokens = Tokens::new(head);
    while let Some(token) = tokens.next() {
        let HtmlToken::Start { name, .. } = token else { continue };
        if !slice(name.span).eq_ignore_ascii_case(b"meta") {
            continue;
        }
        let value = |wanted: &[u8]| {
            let mut attributes = tokens.attributes().iter();
            let found = attributes.find(|a| slice(a.name.span).eq_ignore_ascii_case(wanted));
            found.map(|attribute| attribute.value)
        };
        let is_type = value(b"http-equiv")
            .is_some_and(|name| slice(name).trim_ascii().eq_ignore_ascii_case(b"content-type"));
        let label = value(b"charset").or_else(|| {
            let content = value(b"content").filter(|_| is_type)?;
            let label = label_in(slice(content))?;
            Some(Span::new(content.start() + label.start(), content.start() + label.end()))
        });
        if label.is_some() {
            return label;
        }
    }
    None
}

/// Returns the label in `text/html; charset=LABEL` (HTML Standard §2.5.6, "extracting a character
/// encoding from a meta element").
fn label_in(content: &[u8]) -> Option<Span> {
    let lower = content.to_ascii_lowercase();
    memmem::find_iter(&lower, b"charset").find_map(|at| {
        let skip = |at: usize| at + lower.clamped(at..).leading(is_space);
        let equals = skip(at + b"charset".len());
        (lower.get(equals) == Some(&b'=')).then_some(())?;
        let start = skip(equals + 1);
        let rest = lower.clamped(start..);
        if let [quote @ (b'"' | b'\''), quoted @ ..] = rest {
            let end = memchr::memchr(*quote, quoted)?;
            return Some(Span::new(start + 1, start + 1 + end));
        }
        let length = rest.leading(|byte| !is_space(byte) && byte != b';');
        (length > 0).then(|| Span::new(start, start + length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_where_the_standard_looks_for_it() {
        let label = |text: &str| label(text.as_bytes()).map(|span| text[span.range()].to_owned());
        for text in [
            "<meta charset=latin1>",
            "<!doctype html><META CHARSET='latin1'/>",
            "<!-- <meta charset=x> --><head><meta charset=\"latin1\">",
            "<meta http-equiv=Content-Type content='text/html; charset=latin1'>",
            "<meta content=\"text/html;Charset = 'latin1'; x\" http-equiv=content-type>",
            "<meta name=charset content=x><meta charset=latin1>",
        ] {
            assert_eq!(label(text).as_deref(), Some("latin1"), "{text}");
        }
        for text in [
            "<p>charset=latin1",
            "<meta name=x content='text/html; charset=latin1'>",
            "<meta http-equiv=content-type content='text/html; charset'>",
            "<meta http-equiv=content-type content='text/html; charset=\"latin1'>",
        ] {
            assert_eq!(label(text), None, "{text}");
        }
    }
}
