//! `data:` (RFC 2397): a media type, `;base64`, a comma, the data.

use super::syntax::{ByteCursor, alphanumeric, brackets_balance, has_placeholder, plain, solid};
use super::{QuoteState, Recognition, SchemeRecognizer, SchemeTarget};
use crate::error::Reason;
use crate::slice::SliceExt;

pub(super) struct DataScheme;

#[derive(Clone, Copy, PartialEq, Eq)]
enum DataEncoding {
    Percent,
    Base64,
}

/// The registered top-level media types and `chemical`. Without this list, `data:input/output,x` in
/// prose would match.
#[rustfmt::skip]
const TYPES: [&[u8]; 12] = [
    b"application", b"audio", b"chemical", b"example", b"font", b"haptics", b"image", b"message",
    b"model", b"multipart", b"text", b"video",
];

impl SchemeRecognizer for DataScheme {
    fn may_start(&self, head: &[u8]) -> bool {
        match head {
            // The empty icon of web pages.
            [b',', b'"' | b'\'' | b'>', ..] => true,
            // Not the slice `data:,i`.
            [b',', rest @ ..] => rest.len() > 3 && rest.iter().take(4).all(|&byte| solid(byte)),
            _ => header(&mut ByteCursor::new(head)).is_some(),
        }
    }

    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition {
        // Read past the end, too: the comma may be what D4.3 trimmed.
        let mut c = ByteCursor::new(target.text.part(target.colon + 1..));
        let Some(encoding) = header(&mut c) else {
            return target.broken(target.body());
        };
        let start = target.text.len() - c.rest().len();
        let data = target.text.clamped(start..target.end);
        match encoding {
            // A prefix to which a program appends the rest.
            DataEncoding::Base64 if data.is_empty() => target.reject(Reason::Template, &[]),
            DataEncoding::Base64 => {
                // `%` occurs for encoded `+`, `/` and `=`; `-` and `_` occur in base64url.
                let mut c = ByteCursor::new(data);
                c.run(|byte| alphanumeric(byte) || b"+/=%-_".contains(&byte));
                if c.is_done() || c.at(|byte| byte == b'#') {
                    target.accept()
                } else {
                    target.broken(c.rest())
                }
            }
            DataEncoding::Percent if target.end < start => target.reject(Reason::SchemeSyntax, &[]),
            DataEncoding::Percent if has_placeholder(data) => target.reject(Reason::Template, data),
            // Authors write SVG icons as `data:` URIs with unencoded spaces and quotes. The
            // delimiter cuts such a URI, and an unfinished tag or bracket shows that.
            DataEncoding::Percent if is_cut_markup(data) || !brackets_balance(data) => {
                target.reject(Reason::SchemeSyntax, &[])
            }
            // It contains unencoded spaces or quotes, so the text is incomplete.
            DataEncoding::Percent if target.quote == QuoteState::Open => {
                target.reject(Reason::SchemeSyntax, &[])
            }
            DataEncoding::Percent => target.accept(),
        }
    }
}

/// Reads `[ mediatype ] [ ";base64" ] ","` and returns the encoding of the data.
fn header(c: &mut ByteCursor<'_>) -> Option<DataEncoding> {
    let token = |byte| alphanumeric(byte) || b"!#$&-^_.+".contains(&byte);
    // The media type may be omitted (RFC 2397 §3).
    if !c.at(|byte| byte == b';' || byte == b',') {
        let top = c.run(token);
        let known = TYPES.iter().any(|known| known.eq_ignore_ascii_case(top));
        if !known || !c.eat(b'/') || c.run(token).is_empty() {
            return None;
        }
    }
    let mut encoding = DataEncoding::Percent;
    while c.eat(b';') {
        let name = c.run(token);
        if c.eat(b'=') {
            c.run(|byte| token(byte) || plain(byte) || b"'():/@".contains(&byte));
        } else if name.eq_ignore_ascii_case(b"base64") {
            encoding = DataEncoding::Base64;
        }
    }
    c.eat(b',').then_some(encoding)
}

/// True for markup that starts but does not end, such as `%3Csvg` in `%3Csvg xmlns='…'%3E`.
fn is_cut_markup(data: &[u8]) -> bool {
    let data = data.split(|&byte| byte == b'#').next().unwrap_or_default();
    // The closing `>` need not be the last character, so look for it in the last few bytes.
    let tail = data.len().saturating_sub(12);
    let ends = data.part(tail..).windows(3).any(|triplet| triplet.eq_ignore_ascii_case(b"%3e"));
    ByteCursor::new(data).eat_word(b"%3c") && !ends
}
