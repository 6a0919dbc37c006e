//! Words that tags divide, `https://www.<b>example</b>.com/`.
//!
//! A page shows such a word as one, so a URI in it does not end at the tag. An element that only
//! changes how letters look is passed over, as `<wbr>` is. One that marks a name to fill in,
//! `https://a.example/<em>user</em>`, stays in the text as a tag, where the rule for templates sees
//! it (D4.8). Text after a whole URI, as in `http://a.example/x<span>new</span>`, is not joined to
//! it.

use std::borrow::Cow;

use memchr::memmem;

use super::name::{HtmlName, IN_TAG_NAME, packed};
use super::token::Attribute;
use crate::delimit::{LOOK_ELEMENTS, NAME_ELEMENTS};
use crate::grammar::table::is_uri_byte;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;
use crate::work_counter;

/// Most bytes of a word that are read before a tag, and after one. Longer words are not joined.
const REACH: usize = 160;

/// An element that may be in the middle of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InlineElement {
    /// It changes how letters look.
    Look,
    /// It often marks a part that readers must fill in; its name.
    Name(&'static str),
}

/// The effect of an element's start on the word around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordBreak {
    /// The word ends before it.
    Apart,
    /// The word continues in it.
    Joined,
    /// It is a name in the word.
    Name(&'static str),
}

/// An inline element in the middle of a word that was joined.
#[derive(Clone, Copy, Debug)]
pub(super) struct DividedWord {
    /// Number of such elements that are open.
    pub depth: usize,
    /// The outermost, if it is kept as a tag.
    pub name: Option<&'static str>,
}

const LOOKS: [u64; LOOK_ELEMENTS.len()] = all_packed(LOOK_ELEMENTS);
const NAMES: [u64; NAME_ELEMENTS.len()] = all_packed(NAME_ELEMENTS);

/// It has no look of its own, and ends no word either.
const NOBR: u64 = packed("nobr");

#[expect(clippy::indexing_slicing, reason = "the compiler does it")]
const fn all_packed<const N: usize>(names: [&str; N]) -> [u64; N] {
    let (mut all, mut at) = ([0; N], 0);
    while at < N {
        all[at] = packed(names[at]);
        at += 1;
    }
    all
}

impl InlineElement {
    pub fn from_name(name: HtmlName) -> Option<Self> {
        let word = name.packed();
        if LOOKS.contains(&word) || word == NOBR {
            return Some(Self::Look);
        }
        let name = NAMES.iter().zip(NAME_ELEMENTS).find(|(known, _)| **known == word);
        name.map(|(_, name)| Self::Name(name))
    }
}

/// True if no attribute can hold anything to find or to define.
pub(super) fn are_of_look(attributes: &[Attribute], bytes: &[u8]) -> bool {
    const KNOWN: [&[u8]; 7] = [b"class", b"color", b"dir", b"face", b"lang", b"size", b"style"];
    attributes.iter().all(|attribute| {
        let name = bytes.part(attribute.name.span.range());
        let value = bytes.part(attribute.value.range());
        work_counter::add(value.len());
        KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name))
            // Whatever has an address has one of these.
            && memchr::memchr3(b'/', b'(', b'@', value).is_none()
            && memmem::find(value, b"urn:").is_none()
    })
}

/// Returns how a start tag divides the word that ends `before` it. `after` is the source after it.
pub(super) fn joint(before: &[u8], element: InlineElement, after: &[u8]) -> WordBreak {
    let Some(last) = word_before(before) else { return WordBreak::Apart };
    let after = after.clamped(..REACH);
    let inner = after_tags(after);
    // A hole in a string of highlighted code is not a word after it.
    if is_hole(inner) || inner.starts_with(b"%") {
        return WordBreak::Joined;
    }
    let (inside, behind) = inner.split_at(inner.leading(|byte| is_uri_byte(byte) || byte >= 0x80));
    // A URI that starts in the element is one of its own.
    if !starts_word(inside) || memmem::find(inside, b"://").is_some() {
        return WordBreak::Apart;
    }
    let joins = b"/=-_?&:@#.".contains(&last);
    match element {
        InlineElement::Name(name) if joins => WordBreak::Name(name),
        InlineElement::Name(_) | InlineElement::Look => {
            let touches = is_of_word(last);
            let continues = memchr::memchr(b'/', inside).is_some()
                || (behind.starts_with(b"<") && starts_word(after_tags(behind)));
            if joins || (touches && continues) || b"/?#".contains(inside.first().unwrap_or(&0)) {
                WordBreak::Joined
            } else {
                WordBreak::Apart
            }
        }
    }
}

/// True if the word before the end of an element continues in the next element. `after` is the
/// source after the end tag.
pub(super) fn continues(before: &[u8], after: &[u8]) -> bool {
    let mut rest = after.clamped(..REACH);
    while let Some((tag, behind)) = inline_tag(rest) {
        match tag {
            InlineTag::End => rest = behind,
            InlineTag::Start(element) => {
                // A word of prose may touch a whole URI that has an element of its own.
                let is_cut = is_hole(after_tags(behind)) || has_half_host(before);
                return match joint(before, element, behind) {
                    WordBreak::Apart => false,
                    WordBreak::Joined => is_cut,
                    WordBreak::Name(_) => true,
                };
            }
        }
    }
    false
}

/// Returns the last byte of a word that has the start of a URI.
fn word_before(before: &[u8]) -> Option<u8> {
    let last = before.last().copied()?;
    if last.is_ascii_whitespace() {
        return None;
    }
    let tail = before.tail(REACH);
    let word = tail.part(tail.len() - tail.trailing(|byte| !byte.is_ascii_whitespace())..);
    let starts: [&[u8]; 3] = [b"://", b"urn:", b"doi:"];
    starts.iter().any(|start| memmem::find(word, start).is_some()).then_some(last)
}

/// True for a host of one label at the end, which few are.
fn has_half_host(before: &[u8]) -> bool {
    let tail = before.tail(REACH);
    let host = memmem::rfind(tail, b"://").map(|at| tail.part(at + 3..));
    host.is_some_and(|host| {
        host.iter().all(u8::is_ascii_alphanumeric) && !host.eq_ignore_ascii_case(b"localhost")
    })
}

fn is_hole(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'{' | b'$'))
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

fn starts_word(text: &[u8]) -> bool {
    match text {
        [b'/' | b'?' | b'#' | b'&' | b'=' | b'.' | b'-' | b'_' | b'~', next, ..] => {
            is_of_word(*next)
        }
        [first, ..] => is_of_word(*first),
        [] => false,
    }
}

enum InlineTag {
    Start(InlineElement),
    End,
}

/// Returns the tag of an inline element at the start, and what follows it.
fn inline_tag(text: &[u8]) -> Option<(InlineTag, &[u8])> {
    let tag = text.strip_prefix(b"<")?;
    let (is_end, tag) = match tag.strip_prefix(b"/") {
        Some(tag) => (true, tag),
        None => (false, tag),
    };
    let name = HtmlName::read(tag, 0, &IN_TAG_NAME);
    let element = InlineElement::from_name(name)?;
    let close = memchr::memchr2(b'<', b'>', tag)?;
    work_counter::add(close);
    let behind = tag.part(close..).strip_prefix(b">")?;
    Some((if is_end { InlineTag::End } else { InlineTag::Start(element) }, behind))
}

/// Returns what follows the tags of inline elements at the start.
fn after_tags(mut text: &[u8]) -> &[u8] {
    while let Some((_, behind)) = inline_tag(text) {
        text = behind;
    }
    text
}

/// The bytes of a tag that stays in the text.
pub(super) fn kept(name: &str, is_end: bool) -> String {
    format!("<{}{name}>", if is_end { "/" } else { "" })
}

/// Returns the text without the tags that were kept in it.
pub(super) fn without<'t>(text: &'t [u8], tags: &[Span]) -> Cow<'t, [u8]> {
    if tags.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut clean = Vec::with_capacity(text.len());
    let mut from = 0;
    for tag in tags {
        clean.extend_from_slice(text.part(from..tag.start()));
        from = tag.end();
    }
    clean.extend_from_slice(text.part(from..));
    Cow::Owned(clean)
}
