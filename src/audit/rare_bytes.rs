//! Presence of rare bytes in a link, computed once for several checks: [`RareBytes`].

use crate::byte_table::{ByteTable, byte_table};

/// A set of byte kinds, from one pass over a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RareBytes(u8);

static KINDS: ByteTable<u8> = byte_table!(byte => match byte {
    b'%' => RareBytes::PERCENT.0,
    b'{' | b'<' | b'$' | b'@' => RareBytes::OPENER.0,
    b'Y' => RareBytes::PLACEHOLDER_WORD.0,
    _ => 0,
});

impl RareBytes {
    /// `%`
    pub const PERCENT: Self = Self(1);
    /// Starts of template and shell syntax, except `%`.
    const OPENER: Self = Self(2);
    /// Start of `YOUR`.
    pub const PLACEHOLDER_WORD: Self = Self(4);
    /// All starts of template and shell syntax.
    pub const TEMPLATE_SYNTAX: Self = Self(Self::PERCENT.0 | Self::OPENER.0);

    pub fn find_in(text: &str) -> Self {
        Self(text.bytes().fold(0, |kinds, byte| kinds | KINDS.get(byte)))
    }

    /// True if the link has a byte of any of these kinds.
    pub fn has(self, kinds: Self) -> bool {
        self.0 & kinds.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        for (text, percent, engine, y) in [
            ("", false, false, false),
            ("a#b/c-d", false, false, false),
            ("a%20", true, true, false),
            ("{a", false, true, false),
            ("YÜ$", false, true, true),
        ] {
            let found = RareBytes::find_in(text);
            let has = |kinds| found.has(kinds);
            assert_eq!(
                (
                    has(RareBytes::PERCENT),
                    has(RareBytes::TEMPLATE_SYNTAX),
                    has(RareBytes::PLACEHOLDER_WORD)
                ),
                (percent, engine, y),
                "{text}"
            );
        }
    }
}
