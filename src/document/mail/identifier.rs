//! Identifiers of messages and parts as URIs (RFC 5322 §3.6.4, RFC 2392).

use memchr::memchr;

use crate::offset_map::OffsetMap;
use crate::slice::SliceExt as _;
use crate::span::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    Mid,
    Cid,
}

impl Scheme {
    /// Returns the scheme of the identifiers in a field.
    pub fn of_field(name: &str) -> Option<Self> {
        let is = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        if is(&["Message-ID", "In-Reply-To", "References", "Resent-Message-ID"]) {
            Some(Self::Mid)
        } else if is(&["Content-ID"]) {
            Some(Self::Cid)
        } else {
            None
        }
    }

    const fn prefix(self) -> &'static [u8] {
        match self {
            Self::Mid => b"mid:",
            Self::Cid => b"cid:",
        }
    }
}

/// Returns the identifiers in a value: text in angle brackets that contains `@`.
pub(super) fn identifiers(value: &[u8]) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at + memchr(b'<', value.get(at..)?)? + 1;
            let end = open + memchr(b'>', value.get(open..)?)?;
            // Skip an unclosed opening bracket.
            let inside = value.get(open..end)?;
            let open = open + memchr::memrchr(b'<', inside).map_or(0, |last| last + 1);
            at = end + 1;
            // An identifier has an `@` (RFC 5322 §3.6.4). Old programs put other words in brackets,
            // too.
            if memchr(b'@', value.get(open..end)?).is_some() {
                return Some(Span::new(open, end));
            }
        }
    })
}

/// Appends the URI of the identifier at `span` to `text`. It is a `url-addr-spec` of RFC 2392 §2,
/// with other bytes percent-encoded. White space in it comes from folding and is removed.
pub(super) fn uri(
    scheme: Scheme,
    value: &[u8],
    span: Span,
    text: &mut Vec<u8>,
    map: &mut OffsetMap,
) {
    text.extend_from_slice(scheme.prefix());
    // The scheme comes from no byte, so it maps to an empty span.
    map.replace(scheme.prefix().len(), Span::new(span.start(), span.start()));
    let bytes = value.part(span.range());
    for (at, &byte) in (span.start()..).zip(bytes) {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => keep(byte, at, text, map),
            b'-' | b'.' | b'_' | b'~' | b'@' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*'
            | b'+' | b',' | b';' | b'=' | b':' => keep(byte, at, text, map),
            // An identifier of the obsolete syntax may be folded (RFC 5322 §4.5.4).
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => {
                // Other characters are percent-encoded in these URIs (RFC 2392 §2).
                #[expect(clippy::indexing_slicing, reason = "there are sixteen digits")]
                let digit = |value: u8| b"0123456789ABCDEF"[usize::from(value & 15)];
                text.extend_from_slice(&[b'%', digit(byte >> 4), digit(byte)]);
                map.replace(3, Span::new(at, at + 1));
            }
        }
    }
}

fn keep(byte: u8, at: usize, text: &mut Vec<u8>, map: &mut OffsetMap) {
    text.push(byte);
    map.copy(1, at);
}
