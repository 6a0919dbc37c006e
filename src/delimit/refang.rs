//! URIs that were made unclickable on purpose, read as they were (`--refang`, D4.6).

use super::byte_class::{is_hard, starts_with};
use super::decode::{self, DecodedExtent};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// Schemes as they are spelled, and what they mean. Both have the same length.
#[rustfmt::skip]
const SCHEMES: [(&[u8], &[u8]); 7] = [
    (b"hxxp", b"http"), (b"hxxps", b"https"), (b"htxp", b"http"), (b"htxps", b"https"),
    (b"fxp", b"ftp"), (b"fxps", b"ftps"), (b"fxtp", b"sftp"),
];

const SEPARATORS: [&[u8]; 5] = [b"://", b"[://]", b"[:]//", b"(:)//", b"[:]/[/]"];

/// What means one character, in any case. The first three do so anywhere, the others only in
/// an authority: in a path they may be meant.
#[rustfmt::skip]
const CHARACTERS: [(&[u8], &[u8]); 14] = [
    (b"[.]", b"."), (b"[dot]", b"."), (b"[/]", b"/"), (b"(.)", b"."), (b"{.}", b"."),
    (b"<.>", b"."), (b"(dot)", b"."), (b"{dot}", b"."), (b"\\.", b"."), (b"[:]", b":"),
    (b"(:)", b":"), (b"[@]", b"@"), (b"[at]", b"@"), (b"(at)", b"@"),
];
const ANYWHERE: usize = 3;
const OPENERS: &[u8] = b"[({<\\";

/// The end of the scheme before the colon at `haystack[colon]`: it may be in a bracket.
pub(crate) fn scheme_end(haystack: &[u8], colon: usize) -> usize {
    match haystack.get(..colon) {
        Some([.., b'[' | b'(']) => colon - 1,
        _ => colon,
    }
}

/// Makes of `derived` the text of the URI whose scheme is `haystack[at..end]`, up to about `most` bytes;
/// `None` when there is nothing to refang in it.
pub(crate) fn refang(
    haystack: &[u8],
    at: usize,
    end: usize,
    most: usize,
    derived: &mut DerivedText,
) -> Option<DecodedExtent> {
    let scheme = haystack.get(at..end)?;
    derived.restart(most.min(decode::MOST_AT_ONCE) + decode::TAIL);
    match SCHEMES.iter().find(|(fanged, _)| scheme.eq_ignore_ascii_case(fanged)) {
        Some((_, plain)) => derived.replace(plain, Span::new(at, end), RunOrigin::Refanged),
        None => derived.copy(scheme, at),
    }
    let rest = haystack.get(end..)?;
    let separator = SEPARATORS.iter().find(|separator| rest.starts_with(separator))?;
    let mut i = end + separator.len();
    match *separator {
        b"://" => derived.copy(b"://", end),
        _ => derived.replace(b"://", Span::new(end, i), RunOrigin::Refanged),
    }
    let mut in_authority = true;
    while derived.text().len() < most {
        let rest = haystack.part(i..);
        let Some(&byte) = rest.first() else { break };
        let known = match in_authority {
            _ if !OPENERS.contains(&byte) => &[],
            true => &CHARACTERS[..],
            false => &CHARACTERS[..ANYWHERE],
        };
        let found = known.iter().find(|(fanged, _)| starts_with(rest, fanged));
        if let Some((fanged, plain)) = found {
            derived.replace(plain, Span::new(i, i + fanged.len()), RunOrigin::Refanged);
            i += fanged.len();
            continue;
        }
        if is_hard(byte) {
            break;
        }
        // what opens nothing known is itself, and so is all up to the next that may
        let inside = |b| !is_hard(b) && !OPENERS.contains(&b);
        let length = 1 + rest.clamped(1..most).leading(inside);
        let plain = rest.part(..length);
        if plain.iter().any(|b| matches!(b, b'/' | b'?' | b'#')) {
            in_authority = false;
        }
        derived.copy(plain, i);
        i += length;
    }
    work_counter::add(i - at);
    let refanged = derived.has(RunOrigin::Refanged, derived.text().len());
    let extent = decode::end_part(derived, haystack, i, most);
    refanged.then_some(extent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openers_start_all_that_is_known() {
        for (fanged, _) in CHARACTERS {
            assert!(OPENERS.contains(&fanged[0]), "{fanged:?}");
        }
    }

    #[test]
    fn reads_what_was_meant() {
        for (text, scheme, expected) in [
            ("hxxps://a[.]example[.]com/x[.]exe ", 5, "https://a.example.com/x.exe "),
            ("fxp[:]//a(dot)b{.}c/(.) ", 3, "ftp://a.b.c/(.) "),
            ("http[://]a\\.b ", 4, "http://a.b "),
        ] {
            let mut derived = DerivedText::default();
            let extent = refang(text.as_bytes(), 0, scheme, 1000, &mut derived).unwrap();
            assert_eq!((derived.text(), extent), (expected.as_bytes(), DecodedExtent::Whole));
        }
        assert!(refang(b"http://a.example/ ", 0, 4, 1000, &mut DerivedText::default()).is_none());
    }
}
