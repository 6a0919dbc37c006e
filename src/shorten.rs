//! Names and fields of others, as they are printed: a long one is cut.
//!
//! What is printed with every match of a member or message has this bound, so that the output is bounded by what was
//! searched: a zip of 100,000 matches could have a name of 65,000 bytes for each.

use alloc::borrow::Cow;

use crate::slice::SliceExt as _;

/// Longer names and fields are cut to this many bytes and a [`MARK`].
pub(crate) const SHOWN_MAX: usize = 512;
/// Stands where something was left out.
const MARK: &str = "…";
/// How many last bytes are shown.
const END: usize = 128;

/// A name or field as it is printed: if it is long, its start and its end.
pub(crate) fn shortened(name: &[u8]) -> Cow<'_, [u8]> {
    if name.len() <= SHOWN_MAX {
        return Cow::Borrowed(name);
    }
    let [start, end] = [SHOWN_MAX - END, name.len() - END].map(|at| boundary(name, at));
    Cow::Owned([name.clamped(..start), MARK.as_bytes(), name.clamped(end..)].concat())
}

/// The same for text.
#[cfg(feature = "search")]
pub(crate) fn shortened_text(text: &str) -> Cow<'_, str> {
    match shortened(text.as_bytes()) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        // It was cut between characters.
        Cow::Owned(bytes) => {
            Cow::Owned(alloc::string::String::from_utf8_lossy(&bytes).into_owned())
        }
    }
}

/// The offset up to three bytes before `at` where a character of UTF-8 starts, if these bytes are such.
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
