//! `data:` (RFC 2397): a media type, `;base64`, a comma, the data.

use super::syntax::{Cursor, alphanumeric, brackets_pair, has_hole, plain, solid};
use super::{Outcome, Quote, Recognizer, Target};
use crate::error::Reason;

pub(super) struct Data;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Percent,
    Base64,
}

/// The registered top-level media types and `chemical`; `data:input/output,x` is prose.
const TYPES: [&[u8]; 12] = [
    b"application",
    b"audio",
    b"chemical",
    b"example",
    b"font",
    b"haptics",
    b"image",
    b"message",
    b"model",
    b"multipart",
    b"text",
    b"video",
];

impl Recognizer for Data {
    fn opens(&self, head: &[u8]) -> bool {
        match head {
            // The empty icon of web pages.
            [b',', b'"' | b'\'' | b'>', ..] => true,
            // Not the `data:,i` of a slice.
            [b',', rest @ ..] => rest.len() > 3 && rest.iter().take(4).all(|&byte| solid(byte)),
            _ => header(&mut Cursor::new(head)).is_some(),
        }
    }

    fn recognize(&self, target: &Target<'_>) -> Outcome {
        // Past the end too: the comma may be what D4.3 dropped.
        let mut c = Cursor::new(target.text.get(target.colon + 1..).unwrap_or_default());
        let Some(encoding) = header(&mut c) else {
            return target.broken(target.body());
        };
        let start = target.text.len() - c.rest().len();
        let data = target.text.get(start..target.end).unwrap_or_default();
        match encoding {
            // The start of one, to which a program adds the rest.
            Encoding::Base64 if data.is_empty() => target.reject(Reason::Template, &[]),
            Encoding::Base64 => {
                let mut c = Cursor::new(data);
                c.run(|byte| alphanumeric(byte) || b"+/=%-_".contains(&byte));
                if c.is_done() || c.at(|byte| byte == b'#') {
                    target.accept()
                } else {
                    target.broken(c.rest())
                }
            }
            Encoding::Percent if target.end < start => target.reject(Reason::SchemeSyntax, &[]),
            Encoding::Percent if has_hole(data) => target.reject(Reason::Template, data),
            Encoding::Percent if is_cut_markup(data) || !brackets_pair(data) => {
                target.reject(Reason::SchemeSyntax, &[])
            }
            // raw spaces or quotes in it, so what we see is not all of it
            Encoding::Percent if target.quote == Quote::Open => {
                target.reject(Reason::SchemeSyntax, &[])
            }
            Encoding::Percent => target.accept(),
        }
    }
}

/// `[ mediatype ] [ ";base64" ] ","`, and how what follows is encoded.
fn header(c: &mut Cursor<'_>) -> Option<Encoding> {
    let token = |byte| alphanumeric(byte) || b"!#$&-^_.+".contains(&byte);
    if !c.at(|byte| byte == b';' || byte == b',') {
        let top = c.run(token);
        let known = TYPES.iter().any(|known| known.eq_ignore_ascii_case(top));
        if !known || !c.eat(b'/') || c.run(token).is_empty() {
            return None;
        }
    }
    let mut encoding = Encoding::Percent;
    while c.eat(b';') {
        let name = c.run(token);
        if c.eat(b'=') {
            c.run(|byte| token(byte) || plain(byte) || b"'():/@".contains(&byte));
        } else if name.eq_ignore_ascii_case(b"base64") {
            encoding = Encoding::Base64;
        }
    }
    c.eat(b',').then_some(encoding)
}

/// `%3Csvg` of `%3Csvg xmlns='…'%3E`: markup that starts and does not end.
fn is_cut_markup(data: &[u8]) -> bool {
    let data = data.split(|&byte| byte == b'#').next().unwrap_or_default();
    let tail = data.len().saturating_sub(12);
    let ends = data
        .get(tail..)
        .unwrap_or_default()
        .windows(3)
        .any(|triplet| triplet.eq_ignore_ascii_case(b"%3e"));
    Cursor::new(data).eat_word(b"%3c") && !ends
}
