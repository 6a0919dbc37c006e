//! Unicode's Default_Ignorable_Code_Point: what shows nothing where it is not supported (D2.2).
//!
//! Source: DerivedCoreProperties.txt of Unicode 17.0.0; whole blocks are reserved for it, so
//! that new assignments do not change the list. Written by hand.

use super::ranges;

/// True for soft hyphens, zero-width and bidi controls, variation selectors and their like.
pub(crate) fn is_default_ignorable(c: char) -> bool {
    ranges::value(IGNORABLE, c).is_some()
}

pub(super) static IGNORABLE: &[(char, char, ())] = &[
    ('\u{ad}', '\u{ad}', ()),
    ('\u{34f}', '\u{34f}', ()),
    ('\u{61c}', '\u{61c}', ()),
    ('\u{115f}', '\u{1160}', ()),
    ('\u{17b4}', '\u{17b5}', ()),
    ('\u{180b}', '\u{180f}', ()),
    ('\u{200b}', '\u{200f}', ()),
    ('\u{202a}', '\u{202e}', ()),
    ('\u{2060}', '\u{206f}', ()),
    ('\u{3164}', '\u{3164}', ()),
    ('\u{fe00}', '\u{fe0f}', ()),
    ('\u{feff}', '\u{feff}', ()),
    ('\u{ffa0}', '\u{ffa0}', ()),
    ('\u{fff0}', '\u{fff8}', ()),
    ('\u{1bca0}', '\u{1bca3}', ()),
    ('\u{1d173}', '\u{1d17a}', ()),
    ('\u{e0000}', '\u{e0fff}', ()),
];
