//! Names of tags and attributes, packed into a number while they are read. One lookup then
//! identifies the most common names.

use crate::byte_table::{ByteTable, byte_table};
use crate::span::Span;
use crate::work_counter;

/// The name of a tag or attribute.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HtmlName {
    pub span: Span,
    /// Its bytes in lower case, the last byte lowest; meaningless if it has more than eight bytes.
    packed: u64,
}

impl HtmlName {
    /// Reads the name at the start of `rest`, whose offset is `at`. The table `ends` maps bytes
    /// that end the name to 0, and other bytes to lower case.
    #[inline(always)]
    pub fn read(rest: &[u8], at: usize, ends: &ByteTable<u8>) -> Self {
        let mut packed = 0;
        let mut left = rest.iter();
        while let Some(&byte) = left.as_slice().first() {
            let lower = ends.get(byte);
            if lower == 0 {
                break;
            }
            packed = packed << 8 | u64::from(lower);
            left.next();
        }
        let length = rest.len() - left.as_slice().len();
        work_counter::add(length);
        Self { span: Span::new(at, at + length), packed }
    }

    /// Returns a name that is never known.
    pub const fn unusual(span: Span) -> Self {
        Self { span, packed: 0 }
    }

    /// Returns the packed bytes in lower case; 0 if there are more than eight.
    #[inline(always)]
    pub fn packed(self) -> u64 {
        if self.span.len() <= 8 { self.packed } else { 0 }
    }

    /// Returns the name in lower case, if it is one of [`USUAL`].
    #[inline(always)]
    pub fn usual(self) -> Option<&'static str> {
        let packed = self.packed();
        let (of_slot, name) = BY_SLOT.get(slot(packed))?;
        (*of_slot == packed && packed != 0).then_some(*name)
    }
}

/// Packs a lower-case name of at most eight bytes into a number.
pub(super) const fn packed(name: &str) -> u64 {
    let (mut packed, mut rest) = (0, name.as_bytes());
    while let [byte, after @ ..] = rest {
        packed = packed << 8 | *byte as u64;
        rest = after;
    }
    packed
}

/// Bytes of a tag name in lower case; 0 for bytes that end it. NUL maps to 1, because no known name
/// contains it and 0 is taken.
pub(super) static IN_TAG_NAME: ByteTable<u8> = byte_table!(byte => match byte {
    b'/' | b'>' | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' => 0,
    0 => 1,
    _ => byte.to_ascii_lowercase(),
});

pub(super) static IN_ATTRIBUTE_NAME: ByteTable<u8> = IN_TAG_NAME.with(b'=', 0);

/// Names of most tags and attributes. All of them are words, so they cannot contain a URI.
const USUAL: [&str; 76] = [
    "a", "align", "alt", "b", "bgcolor", "body", "border", "br", "center", "class", "code", "col",
    "colspan", "content", "dd", "div", "dl", "dt", "em", "form", "h1", "h2", "h3", "h4", "h5",
    "head", "height", "hr", "href", "html", "i", "id", "img", "input", "kbd", "label", "lang",
    "li", "link", "meta", "method", "name", "nav", "ol", "p", "path", "pre", "rel", "role",
    "rowspan", "script", "section", "small", "span", "src", "strong", "style", "sub", "summary",
    "sup", "svg", "table", "target", "tbody", "td", "th", "thead", "title", "tr", "tt", "type",
    "ul", "valign", "value", "var", "width",
];

const SLOTS: usize = 256;

/// Returns the hash slot of a name. The factor was chosen so that no two of [`USUAL`] collide; the
/// compiler checks that below.
const fn slot(packed: u64) -> usize {
    (packed.wrapping_mul(FACTOR) >> 56) as usize
}

const FACTOR: u64 = 0x4178_85e8_ea19_3b03;

// A perfect hash, built at compile time. The number comes from the loop that looks for the end of
// the name. A second pass with string comparisons took 7 % of the instructions of an audit of
// Python's manual (docs/decisions/0007).
#[expect(clippy::indexing_slicing, reason = "the compiler does it")]
static BY_SLOT: [(u64, &str); SLOTS] = {
    let mut slots = [(0, ""); SLOTS];
    let mut left: &[&str] = &USUAL;
    while let [name, after @ ..] = left {
        let packed = packed(name);
        assert!(slots[slot(packed)].0 == 0, "two names in one slot: take another factor");
        slots[slot(packed)] = (packed, *name);
        left = after;
    }
    slots
};

#[derive(Debug, Default)]
pub(super) struct LowerName(String);

impl LowerName {
    /// Returns the name with the bytes `raw` in lower case.
    #[inline]
    pub fn lower<'n>(&'n mut self, name: HtmlName, raw: &'n [u8]) -> &'n str {
        match name.usual() {
            Some(name) => name,
            None => self.unusual(raw),
        }
    }

    fn unusual<'n>(&'n mut self, raw: &'n [u8]) -> &'n str {
        match std::str::from_utf8(raw) {
            Ok(name) if !raw.iter().any(u8::is_ascii_uppercase) => name,
            _ => {
                self.0.clear();
                self.0.push_str(&String::from_utf8_lossy(raw));
                self.0.make_ascii_lowercase();
                &self.0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> HtmlName {
        HtmlName::read(text.as_bytes(), 0, &IN_TAG_NAME)
    }

    #[test]
    fn usual_names_are_known_in_any_case() {
        for name in USUAL {
            assert_eq!(read(name).usual(), Some(name));
            assert_eq!(read(&name.to_uppercase()).usual(), Some(name));
            assert_eq!(read(&format!("{name}/>")).usual(), Some(name));
        }
        for name in
            ["", "x", "\0", "\0a", "ab", "blockquote", "blockquotea", "spanspan", "fspanspan", "é"]
        {
            assert_eq!(read(name).usual(), None, "{name}");
        }
    }

    /// The naive twin: takes the bytes before the first one that ends a name, in lower case.
    #[test]
    fn a_name_ends_where_the_standard_says() {
        for first in 0..=u8::MAX {
            let text = [b'A', first, b'b', b' ', b'c'];
            for (table, ends) in
                [(&IN_TAG_NAME, "/>\t\n\x0c\r "), (&IN_ATTRIBUTE_NAME, "/>=\t\n\x0c\r ")]
            {
                let length = text.iter().position(|byte| ends.as_bytes().contains(byte));
                let name = HtmlName::read(&text, 3, table);
                assert_eq!(Some(name.span.len()), length, "{first}");
                assert_eq!(name.span.start(), 3);
            }
        }
    }
}
