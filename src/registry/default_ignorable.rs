//! Unicode's Default_Ignorable_Code_Point: what shows nothing where it is not supported (D2.2).
//!
//! Source: DerivedCoreProperties.txt of Unicode 17.0.0; whole blocks are reserved for it, so
//! that new assignments do not change the list. Written by hand.

use super::ranges;

/// True for soft hyphens, zero-width and bidi controls, variation selectors and their like.
pub(crate) fn is_default_ignorable(c: char) -> bool {
    ranges::value(IGNORABLE, c).is_some()
}

pub(super) static IGNORABLE: &[(char, char, ())] =
    &ranges::parse::<_, { ranges::count(TEXT) }>(TEXT, &[(b' ', ())]);

const TEXT: &str = "ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f 3164 fe00-fe0f feff \
    ffa0 fff0-fff8 1bca0-1bca3 1d173-1d17a e0000-e0fff";
