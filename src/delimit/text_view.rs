//! The text that the rules read: the source, or a text derived from it.

use super::unclosed::WalkedText;
use crate::offset_map::{DerivedText, RunCursor};
use crate::slice::SliceExt;
use crate::span::Span;

#[derive(Clone, Copy, Debug)]
pub(crate) struct TextView<'v> {
    /// From the first byte of the scheme to past the end of the URI.
    pub text: &'v [u8],
    pub base: usize,
    /// The derivation, unless the text is the source.
    pub derived: Option<&'v DerivedText>,
    pub walked: WalkedText,
    /// The source continues. Text within [`MARGIN`] of the end may be read differently with more of
    /// it.
    pub is_part: bool,
}

/// Bytes at the end of a part that a walk must not reach, because rules read past the end of a run.
pub(crate) const MARGIN: usize = 64;

impl<'v> TextView<'v> {
    pub fn raw(haystack: &'v [u8], base: usize) -> Self {
        let text = haystack.part(base..);
        Self { text, base, derived: None, walked: WalkedText::Source, is_part: false }
    }

    /// Views joined lines or literals.
    pub fn joined(derived: &'v DerivedText, base: usize) -> Self {
        Self::derived(derived, base, WalkedText::Joined)
    }

    pub fn derived(derived: &'v DerivedText, base: usize, walked: WalkedText) -> Self {
        Self { text: derived.text(), base, derived: Some(derived), walked, is_part: false }
    }

    /// Returns the source offset of the end `end` of this text.
    pub fn source_end(&self, end: usize) -> usize {
        match self.derived {
            Some(derived) => derived.source_end(end),
            None => self.base + end,
        }
    }

    /// Like [`source_end`](Self::source_end), but faster for ends in ascending order.
    pub fn next_source_end(&self, cursor: &mut RunCursor, end: usize) -> usize {
        match self.derived {
            Some(derived) => derived.next_source_end(cursor, end),
            None => self.base + end,
        }
    }

    /// Returns the source span of the text up to `end`.
    pub fn span(&self, end: usize) -> Span {
        Span::new(self.base, self.source_end(end))
    }

    pub fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    pub fn from(&self, at: usize) -> &'v [u8] {
        self.text.part(at..)
    }
}

/// Returns the first character of `text` and its length in bytes; `None` if it is not UTF-8.
pub(crate) fn first_char(text: &[u8]) -> Option<(char, usize)> {
    let length = match *text.first()? {
        byte @ 0x00..=0x7f => return Some((char::from(byte), 1)),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    // The first byte tells the length, so at most four bytes are validated, not the rest of the
    // text.
    let c = core::str::from_utf8(text.get(..length)?).ok()?.chars().next()?;
    Some((c, length))
}

/// Returns the last character of `text`; `None` if it is not UTF-8.
pub(crate) fn last_char(text: &[u8]) -> Option<char> {
    if let Some(&byte) = text.last()
        && byte.is_ascii()
    {
        return Some(char::from(byte));
    }
    // A character has at most four bytes, and only the first is not a continuation byte.
    let from = (1..=text.len().min(4))
        .map(|n| text.len() - n)
        .find(|&at| text.get(at).is_some_and(|byte| byte & 0xc0 != 0x80))?;
    core::str::from_utf8(text.part(from..)).ok()?.chars().next_back()
}
