//! Classifies each byte outside an authority for the delimiting rules (D2.1, D2.3, D2.4).

use super::prose::is_set_off;
use super::text_view::first_char;
use crate::byte_table::{ByteTable, byte_table};
use crate::grammar::table::is_uri_byte;
use crate::registry::{LinkTerm, link_term};
use crate::slice::SliceExt;
use crate::work_counter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteClass {
    Plain,
    Special,
    NonAscii,
    Hard,
}

pub(crate) static CLASS: ByteTable<ByteClass> = byte_table!(byte => match byte {
    b'"' | b'<' | b'>' | b'`' | b'|' => ByteClass::Hard,
    b'%' | b',' | b':' | b'?' | b'#' | b'&' | b'\'' | b'^' | b'\\' | b'$' => ByteClass::Special,
    b'(' | b')' | b'[' | b']' | b'{' | b'}' => ByteClass::Special,
    b'!'..=b'~' => ByteClass::Plain,
    0x80.. => ByteClass::NonAscii,
    _ => ByteClass::Hard,
});

/// D2.4: true for a byte that ends every URI.
pub(crate) fn is_hard(byte: u8) -> bool {
    // The walk stops at a backslash to read the escape (D2.4), so its class is `Special`. For every
    // other rule it is hard.
    CLASS.get(byte) == ByteClass::Hard || byte == b'\\'
}

/// D4.3: true if the percent sign at the start of `text` is not followed by anything a URI may
/// contain.
pub(crate) fn ends_in_percent(text: &[u8]) -> bool {
    !text.get(1).is_some_and(|&b| is_uri_byte(b) || b >= 0x80)
}

pub(crate) fn is_triplet(text: &[u8]) -> bool {
    matches!(text, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

pub(crate) fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// Returns the end of the characters that are not hard from `from` on. Reads at most `most` bytes.
pub(crate) fn hard_end(text: &[u8], from: usize, most: usize) -> usize {
    let rest = text.clamped(from..).clamped(..most);
    let mut i = 0;
    while let Some(&byte) = rest.get(i) {
        match CLASS.get(byte) {
            ByteClass::Hard => break,
            ByteClass::NonAscii => match first_char(rest.part(i..)) {
                Some((c, length)) if link_term(c) != LinkTerm::Hard && !is_set_off(c) => {
                    i += length
                }
                _ => break,
            },
            _ if byte == b'\\' => break,
            _ => i += 1,
        }
    }
    work_counter::add(i);
    from + i
}
