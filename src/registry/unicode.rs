//! Unicode properties of characters: the ends of links and hosts, and scripts.
//!
//! The tables are ranges of code points, made at compile time from the lists in `data/`.

use super::list::{self, list};
use super::range_table::{CodePointRange, Word, ranges, records, word, word_of_byte};
use crate::byte_table::{ByteTable, byte_table};

/// The property Link_Term of Unicode UTS #58, which determines the end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkTerm {
    /// Extends the link to here.
    Include,
    /// Ends the link before it.
    Hard,
    Soft,
    /// Opens a bracket.
    Open,
    /// Closes the bracket that [`opener_of`] returns.
    Close,
}

pub(crate) fn link_term(c: char) -> LinkTerm {
    const LIST: &str = list!("link_term.txt");
    const RANGES: [CodePointRange; list::count(LIST)] = ranges(LIST);
    static ASCII: ByteTable<LinkTerm> = byte_table!(byte => term_of(word_of_byte(&RANGES, byte)));
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => ASCII.get(byte),
        _ => term_of(word!("link_term.txt", c)),
    }
}

const fn term_of(word: Option<&Word>) -> LinkTerm {
    match word {
        Some(b"Incl") => LinkTerm::Include,
        Some(b"Soft") => LinkTerm::Soft,
        Some(b"Open") => LinkTerm::Open,
        Some(_) => LinkTerm::Close,
        None => LinkTerm::Hard,
    }
}

/// Returns the Link_Bracket of `closer`: the opener that it pairs with.
pub(crate) fn opener_of(closer: char) -> Option<char> {
    static BRACKETS: &[CodePointRange] = &records::<{ list::count(LIST) }>(LIST);
    const LIST: &str = list!("link_bracket.txt");
    let at = BRACKETS.binary_search_by_key(&closer, |pair| pair.0).ok()?;
    Some(BRACKETS[at].1)
}

/// True if the local part of a mail address may contain `c`: the property Link_Email.
pub(crate) fn link_email(c: char) -> bool {
    word!("link_email.txt", c).is_some()
}

/// The effect of a non-ASCII code point in a host (D2.2, D4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostTerm {
    /// The host continues.
    Allowed,
    /// No host can contain it, but the author meant it: `invalid-host`.
    Rejects,
    /// The host ends before it.
    Ends,
}

pub(crate) fn host_term(c: char) -> HostTerm {
    match word!("host_term.txt", c) {
        Some(b"Allo") => HostTerm::Allowed,
        Some(_) => HostTerm::Rejects,
        None => HostTerm::Ends,
    }
}

/// Returns the ISO 15924 code of the script of `c`, if it is used with only one.
pub(crate) fn script(c: char) -> Option<&'static str> {
    if c.is_ascii() {
        // Digits and punctuation are used with every script (Script=Common, UAX #24).
        return c.is_ascii_alphabetic().then_some("Latn");
    }
    str::from_utf8(word!("script.txt", c)?).ok()
}

/// True for an invisible character: white space, and what is ignored by default.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_whitespace() || is_default_ignorable(c)
}

/// Unicode's Default_Ignorable_Code_Point: soft hyphens, zero-width and bidi controls, variation
/// selectors and similar (D2.2). Whole blocks are reserved for it, so new assignments do not change
/// it.
pub(crate) fn is_default_ignorable(c: char) -> bool {
    #[rustfmt::skip]
    let is = matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    );
    is
}
