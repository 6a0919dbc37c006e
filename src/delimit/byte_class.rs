//! How the delimiting rules treat each byte outside an authority (D2.1, D2.3, D2.4).

use super::text_view::first_char;
use crate::grammar::table::is_uri_byte;
use crate::registry::{LinkTerm, link_term};
use crate::work_counter;

/// How the walk treats a byte outside the authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteClass {
    Plain,
    Special,
    NonAscii,
    Hard,
}

#[expect(
    clippy::indexing_slicing,
    reason = "the compiler does it, and would notice"
)]
pub(crate) const CLASS: [ByteClass; 256] = {
    let mut table = [ByteClass::Hard; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        table[byte as usize] = match byte {
            b'"' | b'<' | b'>' | b'`' | b'|' => ByteClass::Hard,
            b'%' | b':' | b'?' | b'#' | b'&' | b'\'' | b'^' | b'\\' => ByteClass::Special,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' => ByteClass::Special,
            _ => ByteClass::Plain,
        };
        byte += 1;
    }
    let mut byte = 0x80;
    while byte < 256 {
        table[byte] = ByteClass::NonAscii;
        byte += 1;
    }
    table
};

/// D2.4: ends every URI.
#[expect(
    clippy::indexing_slicing,
    reason = "a table has an entry for each byte"
)]
pub(crate) fn is_hard(byte: u8) -> bool {
    CLASS[byte as usize] == ByteClass::Hard || byte == b'\\'
}

/// A lone percent sign starts `text`, and nothing of a URI follows it (D4.3).
pub(crate) fn ends_in_percent(text: &[u8]) -> bool {
    !text.get(1).is_some_and(|&b| is_uri_byte(b) || b >= 0x80)
}

/// A percent triplet starts `text`.
pub(crate) fn is_triplet(text: &[u8]) -> bool {
    matches!(text, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

/// True when `word` starts `text`, in any case.
pub(crate) fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// One past the run of characters that are not hard, from `from` on, looking at `most` bytes.
pub(crate) fn hard_end(text: &[u8], from: usize, most: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let rest = rest.get(..rest.len().min(most)).unwrap_or_default();
    let mut i = 0;
    while let Some(&byte) = rest.get(i) {
        #[expect(
            clippy::indexing_slicing,
            reason = "a table has an entry for each byte"
        )]
        match CLASS[byte as usize] {
            ByteClass::Hard => break,
            ByteClass::NonAscii => match first_char(rest.get(i..).unwrap_or_default()) {
                Some((c, length)) if link_term(c) != LinkTerm::Hard => i += length,
                _ => break,
            },
            _ if byte == b'\\' => break,
            _ => i += 1,
        }
    }
    work_counter::add(i);
    from + i
}
