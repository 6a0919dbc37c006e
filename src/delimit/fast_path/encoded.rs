//! URIs that are not their text: brackets and letters beyond ASCII are percent-encoded (D2.2, D2.3).

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::delimited::DerivedUri;
use crate::chunk;
use crate::grammar::{UriParts, offset};
use crate::kind::{Flag, Flags, Kind};
use crate::percent;

/// Bytes by which a triplet is longer than what it encodes.
const GROWTH: u32 = 2;

/// What is encoded in a run. Of several, the last counts.
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

/// True if `text` starts with a letter of the Latin, Greek, or Cyrillic script in two bytes. UTS #58
/// and the rules treat all of them alike; other characters go to the examiner.
pub(super) fn is_letter(text: &[u8]) -> bool {
    match text {
        // U+00D7 and U+00F7 are the signs of multiplication and division. U+0149 is deprecated,
        // so it ends a link.
        [0xC3, 0x97 | 0xB7, ..] | [0xC5, 0x89, ..] => false,
        [0xC3..=0xC8 | 0xD0..=0xD1, 0x80..=0xBF, ..] => true,
        [0xCE, 0x91..=0xA1 | 0xA3..=0xBF, ..] | [0xCF, 0x80..=0x89, ..] => true,
        _ => false,
    }
}

/// True for a byte that is not encoded. Without branches, for [`chunk::run`].
const fn is_kept(byte: u8) -> bool {
    byte.is_ascii() & (byte != b'[') & (byte != b']') & (byte != b'{') & (byte != b'}')
}

/// Encodes `text`, whose authority is plain, and moves the offsets of the components behind what
/// grows.
pub(super) fn encode(text: &[u8], kind: Kind, parts: &mut UriParts) -> Option<DerivedUri> {
    // Enough for most URIs in one allocation.
    let mut uri = Vec::with_capacity(2 * text.len());
    let (path_end, query_end) = (parts.path_end, parts.query_end);
    let mut rest = text;
    loop {
        let (kept, others) = rest.split_at(chunk::run(rest, is_kept));
        uri.extend_from_slice(kept);
        let Some((&byte, after)) = others.split_first() else { break };
        let at = offset(text.len() - others.len());
        parts.path_end += if at < path_end { GROWTH } else { 0 };
        parts.query_end += if at < query_end { GROWTH } else { 0 };
        uri.extend_from_slice(&percent::triplet(byte));
        rest = after;
    }
    let iri = match kind {
        Kind::Iri => Some(core::str::from_utf8(text).ok()?.to_owned()),
        _ => None,
    };
    Some(DerivedUri { iri, uri: String::from_utf8(uri).ok()?, ..DerivedUri::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{LinkTerm, is_default_ignorable, link_term};

    #[test]
    fn letters_continue_a_link() {
        let mut letters = 0;
        for c in '\u{80}'..='\u{7FF}' {
            if is_letter(c.encode_utf8(&mut [0; 4]).as_bytes()) {
                letters += 1;
                let continues = link_term(c) == LinkTerm::Include && !is_default_ignorable(c);
                assert!(c.is_alphabetic() && continues, "{c:?}");
            }
        }
        assert!(letters > 500, "{letters}");
    }
}
