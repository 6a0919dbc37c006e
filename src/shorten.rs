//! Shortens long names and fields before they are printed.
//!
//! This bounds everything that is printed with each match of a member or message, and so the output
//! by the size of the input. Otherwise a zip with 100,000 matches could print a name of 65,000
//! bytes for each.

use alloc::borrow::Cow;

use crate::slice::SliceExt as _;

/// Longer names and fields are cut to this many bytes and a [`MARK`].
pub(crate) const SHOWN_MAX: usize = 512;
/// Stands for the omitted part.
const MARK: &str = "…";
/// Number of bytes shown from the end.
const END: usize = 128;

/// Returns the start and the end of a long name or field, or all of a short one.
pub(crate) fn shortened(name: &[u8]) -> Cow<'_, [u8]> {
    if name.len() <= SHOWN_MAX {
        return Cow::Borrowed(name);
    }
    // The end of a name is kept, because it has the extension. Both cuts move back to the start of
    // a character.
    let [start, end] = [SHOWN_MAX - END, name.len() - END].map(|at| boundary(name, at));
    Cow::Owned([name.clamped(..start), MARK.as_bytes(), name.clamped(end..)].concat())
}

/// Like [`shortened`], for text.
#[cfg(feature = "search")]
pub(crate) fn shortened_text(text: &str) -> Cow<'_, str> {
    match shortened(text.as_bytes()) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        // The cut is between characters, so this loses nothing.
        Cow::Owned(bytes) => {
            Cow::Owned(alloc::string::String::from_utf8_lossy(&bytes).into_owned())
        }
    }
}

/// Returns the start of the UTF-8 character at or up to three bytes before `at`, if the bytes are
/// UTF-8.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let is_inside = |at: &usize| bytes.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
    (at.saturating_sub(3)..=at).rev().find(|at| !is_inside(at)).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "search")]
    #[test]
    fn cuts_between_characters() {
        assert_eq!(shortened(&[b'a'; SHOWN_MAX]), &[b'a'; SHOWN_MAX][..]);
        for before in 0..3 {
            let long = "a".repeat(before) + &"あ".repeat(1000);
            let short = shortened_text(&long);
            assert!(short.len() < SHOWN_MAX + 8 && short.contains(MARK), "{before}");
            assert!(!short.contains(char::REPLACEMENT_CHARACTER), "{before}");
        }
        assert!(shortened(&[0x80; 5000]).len() < SHOWN_MAX + 8);
    }
}
