//! Strings of JSON (RFC 8259 §7).

use std::io::{self, Write};

use super::super::escape::is_unsafe;
use super::super::printable::printable_run;

/// Appends `text` as a string with its quotes.
///
/// Characters that a terminal would obey or hide are written as escapes such as `\u202e`. JSON does
/// not require that, but the string stays the same.
pub fn push_string(text: &str, out: &mut Vec<u8>) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    push_content(text, out);
    out.push(b'"');
}

#[inline]
fn push_content(text: &str, out: &mut Vec<u8>) {
    let mut rest = text;
    loop {
        let (plain, tail) = rest.split_at(printable_run(rest.as_bytes(), *b"\"\\"));
        out.extend_from_slice(plain.as_bytes());
        let mut chars = tail.chars();
        let Some(next) = chars.next() else {
            return;
        };
        push_char(next, out);
        rest = chars.as_str();
    }
}

#[cold]
fn push_char(c: char, out: &mut Vec<u8>) {
    match c {
        '"' => out.extend_from_slice(b"\\\""),
        '\\' => out.extend_from_slice(b"\\\\"),
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\t' => out.extend_from_slice(b"\\t"),
        '\u{8}' => out.extend_from_slice(b"\\b"),
        '\u{c}' => out.extend_from_slice(b"\\f"),
        // Writing to a vector does not fail.
        _ if is_unsafe(c) => drop(write_escape(c, out)),
        _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Writes the escape of a character; one above U+FFFF needs two.
pub(super) fn write_escape(c: char, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
}
