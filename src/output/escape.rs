//! Makes bytes safe for a terminal.
//!
//! File names and matches come from strangers. Control characters could move the cursor or set
//! colours; invisible and bidirectional ones could make a URI look like another. A pipe gets the
//! bytes unchanged.

use std::io::Write;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Escaping {
    /// No escaping: the reader is a program.
    #[default]
    None,
    /// Control and invisible characters are shown as escapes.
    Terminal,
}

impl Escaping {
    #[inline]
    pub fn push(self, bytes: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::None => out.extend_from_slice(bytes),
            Self::Terminal => visible(bytes, out),
        }
    }
}

/// Appends `bytes` with everything invisible spelled out: `\n`, `\x1b`, `\u{202e}`.
pub fn visible(bytes: &[u8], out: &mut Vec<u8>) {
    if is_plain(bytes) {
        out.extend_from_slice(bytes);
        return;
    }
    for chunk in bytes.utf8_chunks() {
        let mut plain = 0;
        let valid = chunk.valid();
        for (at, c) in valid.char_indices() {
            if is_unsafe(c) {
                out.extend_from_slice(&valid.as_bytes()[plain..at]);
                plain = at + c.len_utf8();
                push_escape(c, out);
            }
        }
        out.extend_from_slice(&valid.as_bytes()[plain..]);
        // Bytes that are not UTF-8 have no fixed meaning to a terminal; 0x9b, for example, is CSI
        // in Latin-1.
        for byte in chunk.invalid() {
            push_byte(*byte, out);
        }
    }
}

/// Converts bytes to characters that can be printed anywhere: invisible characters and invalid
/// UTF-8 are spelled out.
pub fn printable(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(bytes.len());
    visible(bytes, &mut out);
    // `visible` has spelled out all invalid UTF-8.
    String::from_utf8_lossy(&out).into_owned()
}

/// True for ASCII that is shown unchanged. The loop has no early exit, so that the compiler can
/// vectorize it.
pub fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |all, byte| all & matches!(byte, b' '..=b'~'))
}

/// Appends `bytes` on one line and without control characters; other bytes stay the same.
pub fn one_line(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            0..0x20 | 0x7F => push_byte(byte, out),
            _ => out.push(byte),
        }
    }
}

fn push_escape(c: char, out: &mut Vec<u8>) {
    match c {
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\t' => out.extend_from_slice(b"\\t"),
        '\0'..='\x7F' => push_byte(c as u8, out),
        // Writing to a vector does not fail.
        _ => drop(write!(out, "\\u{{{:x}}}", u32::from(c))),
    }
}

fn push_byte(byte: u8, out: &mut Vec<u8>) {
    // Writing to a vector does not fail.
    drop(write!(out, "\\x{byte:02x}"));
}

/// True for characters that a terminal obeys (C0, DEL, C1), hides, or uses for reordering (bidi).
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        // Soft hyphen, joiners and directional marks, line and paragraph separators, embeddings and
        // isolates, the byte order mark, annotations, and tags, which can spell ASCII that no
        // reader sees.
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bytes: &[u8]) -> String {
        let mut out = Vec::new();
        Escaping::Terminal.push(bytes, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn terminal() {
        assert_eq!(shown(b"http://a/\x1b[31m\n\t\x7f"), "http://a/\\x1b[31m\\n\\t\\x7f");
        assert_eq!(
            shown("ä\u{85}\u{202e}\u{200b}\u{2028}\u{feff}é".as_bytes()),
            "ä\\u{85}\\u{202e}\\u{200b}\\u{2028}\\u{feff}é"
        );
        assert_eq!(shown(b"a\xff\xc3b"), "a\\xff\\xc3b");
        assert_eq!(shown("日本 😀".as_bytes()), "日本 😀");
    }

    #[test]
    fn elsewhere() {
        let mut out = Vec::new();
        Escaping::None.push(b"\x1b\xff\n", &mut out);
        one_line(b"\xff\n\x1b", &mut out);
        assert_eq!(out, b"\x1b\xff\n\xff\\n\\x1b");
    }
}
