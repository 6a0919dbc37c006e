//! URIs that are not their text: brackets and letters beyond ASCII are percent-encoded (D2.2,
//! D2.3).

use alloc::string::String;
use alloc::vec::Vec;

use super::super::delimited::{DerivedIri, DerivedUri};
use crate::chunk;
use crate::grammar::{UriParts, offset};
use crate::kind::{Flag, Flags, Kind};
use crate::percent;
use crate::slice::ByteRuns;

/// Bytes by which a triplet is longer than the byte that it encodes.
const GROWTH: usize = 2;

/// The kind of encoded character in a run. Of several, the last counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FastEncoding {
    None,
    /// Letters beyond ASCII.
    Iri,
    /// Square brackets.
    Lax,
    /// Braces.
    Template,
}

impl FastEncoding {
    pub fn of_bracket(opener: u8) -> Self {
        if opener == b'{' { Self::Template } else { Self::Lax }
    }

    /// Returns the kind of a URI with a scheme and an authority.
    pub fn kind(self) -> Kind {
        match self {
            Self::None => Kind::Uri,
            Self::Iri => Kind::Iri,
            Self::Lax | Self::Template => Kind::Lax,
        }
    }

    pub fn flags(self) -> Flags {
        match self {
            Self::Template => Flags::default().with(Flag::Template),
            Self::None | Self::Iri | Self::Lax => Flags::default(),
        }
    }
}

/// Returns the length in bytes of the letter at the start of `text`, in scripts of which UTS #58
/// and the rules treat all letters alike; 0 if there is none. Other characters go to the examiner.
#[inline(always)]
pub(super) fn letter_length(text: &[u8]) -> usize {
    match *text {
        // U+00D7 and U+00F7 are the signs of multiplication and division. U+0149 is deprecated,
        // so it ends a link.
        [0xC3, 0x97 | 0xB7, ..] | [0xC5, 0x89, ..] => 0,
        // Latin, Greek, and Cyrillic
        [0xC3..=0xC8 | 0xD0..=0xD1, 0x80..=0xBF, ..] => 2,
        [0xCE, 0x91..=0xA1 | 0xA3..=0xBF, ..] | [0xCF, 0x80..=0x89, ..] => 2,
        // Hebrew and Arabic
        [0xD7, 0x90..=0xAA, ..] | [0xD8, 0xA0..=0xBF, ..] | [0xD9, 0x81..=0x8A, ..] => 2,
        // Han from U+4E00 to U+9FFF
        [0xE4, 0xB8..=0xBF, 0x80..=0xBF, ..] | [0xE5..=0xE9, 0x80..=0xBF, 0x80..=0xBF, ..] => 3,
        // Hiragana, Katakana, and the mark of a long vowel
        [0xE3, 0x81, 0x81..=0xBF, ..] | [0xE3, 0x82, 0x80..=0x96 | 0xA1..=0xBF, ..] => 3,
        [0xE3, 0x83, 0x80..=0xBA | 0xBC, ..] => 3,
        // Hangul from U+AC00 to U+D7A3
        [0xEA, 0xB0..=0xBF, 0x80..=0xBF, ..] | [0xEB..=0xEC, 0x80..=0xBF, 0x80..=0xBF, ..] => 3,
        [0xED, 0x80..=0x9D, 0x80..=0xBF, ..] | [0xED, 0x9E, 0x80..=0xA3, ..] => 3,
        // Thai with its vowels and tones; Devanagari with its signs
        [0xE0, 0xB8, 0x81..=0xAE | 0xB0..=0xBA, ..] | [0xE0, 0xB9, 0x80..=0x8E, ..] => 3,
        [0xE0, 0xA4, 0x84..=0xB9 | 0xBE..=0xBF, ..] | [0xE0, 0xA5, 0x80..=0x8D, ..] => 3,
        _ => 0,
    }
}

/// True for a byte that is not encoded. Without branches, for [`chunk::run`].
const fn is_kept(byte: u8) -> bool {
    byte.is_ascii() & (byte != b'[') & (byte != b']') & (byte != b'{') & (byte != b'}')
}

/// Encodes `text`, whose authority is plain and in which `count` bytes must be encoded, and moves
/// the offsets of the components after them.
pub(super) fn encode(
    text: &[u8],
    count: usize,
    kind: Kind,
    parts: &mut UriParts,
) -> Option<DerivedUri> {
    let mut uri = Vec::with_capacity(text.len() + GROWTH * count);
    let (path_end, query_end) = (parts.path_end, parts.query_end);
    let mut rest = text;
    loop {
        let (kept, others) = rest.split_at(chunk::run(rest, is_kept));
        uri.extend_from_slice(kept);
        if others.is_empty() {
            break;
        }
        // The sign that ends a component is kept, so all of these are in one.
        let at = offset(text.len() - others.len());
        let (row, after) = others.split_at(others.leading(|byte| !is_kept(byte)));
        for &byte in row {
            uri.extend_from_slice(&percent::triplet(byte));
        }
        let growth = offset(GROWTH * row.len());
        parts.path_end += if at < path_end { growth } else { 0 };
        parts.query_end += if at < query_end { growth } else { 0 };
        rest = after;
    }
    let iri = (kind == Kind::Iri).then_some(DerivedIri::Source);
    Some(DerivedUri { iri, uri: String::from_utf8(uri).ok()?, ..DerivedUri::default() })
}

#[cfg(test)]
mod tests {
    use super::super::super::prose::is_set_off;
    use super::*;
    use crate::registry::{LinkTerm, is_default_ignorable, link_term};

    #[test]
    fn letters_continue_a_link() {
        let mut letters = 0;
        for c in '\u{80}'..=char::MAX {
            let length = letter_length(c.encode_utf8(&mut [0; 4]).as_bytes());
            if length > 0 {
                letters += 1;
                let continues = link_term(c) == LinkTerm::Include && !is_default_ignorable(c);
                assert!(continues && !is_set_off(c) && length == c.len_utf8(), "{c:?}");
            }
        }
        assert!(letters > 30_000, "{letters}");
    }
}
