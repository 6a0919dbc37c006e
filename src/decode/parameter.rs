//! Parses parameters of header fields (RFC 2045 §5.1), with the charsets, languages and
//! continuations of RFC 2231.
//!
//! The parser is lenient: an unquoted value extends to the next `;`.

use std::cell::OnceCell;

use memchr::{memchr2, memchr3};

use super::charset::MimeCharset;
use crate::offset_map::{OffsetMap, Unit};
use crate::percent;
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// A decoded parameter.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parameter {
    /// Name in lower case, without the suffixes of RFC 2231.
    pub name: String,
    /// Decoded value.
    pub value: Vec<u8>,
    /// Position of each byte of the value in the value of the field.
    pub map: OffsetMap,
    /// Spelling in the source.
    pub spelling: ParameterSpelling,
}

/// Spelling of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ParameterSpelling {
    /// `name=value`
    Plain,
    /// Split or percent-encoded: `name*=…`, `name*0=…`, `name*0*=…`.
    Extended,
}

/// Parameters of a field, parsed on first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters<'s> {
    source: &'s [u8],
    all: OnceCell<Vec<Parameter>>,
}

impl<'s> Parameters<'s> {
    pub const fn new(source: &'s [u8]) -> Self {
        Self { source, all: OnceCell::new() }
    }

    /// Returns the value of the parameter with this name, which must be in lower case.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        match simple(self.source, name) {
            Simple::Value(value) => Some(value),
            Simple::Absent => None,
            Simple::Unknown => {
                let found = self.all().iter().find(|parameter| parameter.name == name);
                found.map(|parameter| parameter.value.as_slice())
            }
        }
    }

    pub fn all(&self) -> &[Parameter] {
        self.all.get_or_init(|| parameters(self.source))
    }

    /// True if a parameter uses RFC 2231.
    pub fn any_extended(&self) -> bool {
        let extended = |parameter: &Parameter| parameter.spelling == ParameterSpelling::Extended;
        memchr::memchr(b'*', self.source).is_some() && self.all().iter().any(extended)
    }
}

/// Result of looking up a parameter without decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Simple<'s> {
    Value(&'s [u8]),
    Absent,
    Unknown,
}

/// Reads a parameter as most fields have them: without escapes, comments, continuations or line
/// breaks.
fn simple<'s>(source: &'s [u8], name: &str) -> Simple<'s> {
    // These characters may mean continuations, escapes or comments. They are rare, so only then are
    // all parameters parsed.
    if memchr3(b'*', b'\\', b'(', source).is_some() {
        return Simple::Unknown;
    }
    let mut quoted = false;
    let mut texts = source.split(|&byte| {
        quoted ^= byte == b'"';
        byte == b';' && !quoted
    });
    texts.next();
    for text in texts {
        let Some(equals) = memchr::memchr(b'=', text) else {
            continue;
        };
        let (before, after) = text.split_at(equals);
        if !before.trim_ascii().eq_ignore_ascii_case(name.as_bytes()) {
            continue;
        }
        let value = after.clamped(1..).trim_ascii();
        let value = match value.strip_prefix(b"\"") {
            Some(inner) => inner.split(|&byte| byte == b'"').next().unwrap_or(inner),
            None => value,
        };
        return match memchr2(b'\r', b'\n', value) {
            None => Simple::Value(value),
            Some(_) => Simple::Unknown,
        };
    }
    Simple::Absent
}

/// Returns the parameters after the first `;` in the value of a field, by name.
///
/// A name may occur several times; an extended parameter then precedes a plain one, as RFC 6266
/// §4.3 prefers.
///
/// ```
/// use urigrep::decode::parameters;
/// let field = b"message/external-body; access-type=URL;\r\n URL*0=\"ftp://\";\r\n URL*1=\"a.example/b\"";
/// let found = parameters(field);
/// assert_eq!((found[1].name.as_str(), found[1].value.as_slice()), ("url", &b"ftp://a.example/b"[..]));
/// let found = parameters(b"inline; filename*=utf-8'de'%C3%BCber.txt");
/// assert_eq!(found[0].value, "über.txt".as_bytes());
/// ```
pub fn parameters(source: &[u8]) -> Vec<Parameter> {
    let mut segments = Vec::new();
    let mut at = end_of_value(source, 0);
    while at < source.len() {
        at += 1;
        let end = end_of_value(source, at);
        segments.extend(ParameterSegment::parse(source, Span::new(at, end)));
        at = end;
    }
    segments.sort_by(|a, b| {
        // A stable sort keeps repeated parameters in the order of the source. Extended ones come
        // first, as their value is the better one (RFC 6266 §4.3).
        let plain = |segment: &ParameterSegment| segment.index.is_none() && !segment.is_encoded;
        (&a.name, plain(a), a.index).cmp(&(&b.name, plain(b), b.index))
    });
    let mut found: Vec<Parameter> = Vec::new();
    let mut rest = segments.as_slice();
    while let Some(first) = rest.first() {
        // The pieces of one value are numbered from 0.
        let follows = |(segment, index): &(&ParameterSegment, u32)| {
            segment.name == first.name && segment.index == Some(*index)
        };
        let length = match first.index {
            Some(0) => rest.iter().zip(0..).take_while(follows).count(),
            _ => 1,
        };
        let (pieces, others) = rest.split_at(length);
        found.push(assemble(source, pieces));
        rest = others;
    }
    found
}

/// Returns the end of the value at `at`: the next `;` outside quotes and comments.
fn end_of_value(source: &[u8], at: usize) -> usize {
    let (mut quoted, mut depth, mut escaped) = (false, 0u32, false);
    for (index, &byte) in source.iter().enumerate().skip(at) {
        match byte {
            _ if escaped => escaped = false,
            // A backslash escapes only inside quotes and comments.
            b'\\' => escaped = quoted || depth > 0,
            b'"' if depth == 0 => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth = depth.saturating_sub(1),
            b';' if !quoted && depth == 0 => {
                work_counter::add(index - at);
                return index;
            }
            _ => {}
        }
    }
    work_counter::add(source.len() - at);
    source.len()
}

struct ParameterSegment {
    name: String,
    index: Option<u32>,
    /// True if its value is percent-encoded.
    is_encoded: bool,
    value: Span,
}

impl ParameterSegment {
    fn parse(source: &[u8], span: Span) -> Option<Self> {
        let text = source.get(span.range())?;
        let equals = memchr::memchr(b'=', text)?;
        let name = String::from_utf8_lossy(text.get(..equals)?.trim_ascii()).to_ascii_lowercase();
        let value = text.get(equals + 1..)?;
        let start = span.start() + equals + 1 + (value.len() - value.trim_ascii_start().len());
        let value = Span::new(start, start + value.trim_ascii().len());
        let mut parts = name.split('*');
        let base = parts.next()?.to_owned();
        let (index, is_encoded) = match (parts.next(), parts.next()) {
            // The suffix is `*` for encoded values, `*0` for pieces, and `*0*` for encoded pieces
            // (RFC 2231 §3 and §4.1).
            (None, _) => (None, false),
            (Some(""), None) => (None, true),
            (Some(digits), last) => (digits.parse().ok(), last.is_some()),
        };
        Some(Self { name: base, index, is_encoded, value })
    }
}

fn assemble(source: &[u8], pieces: &[ParameterSegment]) -> Parameter {
    let (mut bytes, mut lower) = (Vec::new(), OffsetMap::new());
    let mut charset = None;
    let mut end = 0;
    let mut hull: Option<Span> = None;
    let mut in_order = true;
    for (number, piece) in pieces.iter().enumerate() {
        let mut span = piece.value;
        in_order &= end <= span.start();
        end = span.end();
        hull = Some(hull.map_or(span, |hull| {
            Span::new(hull.start().min(span.start()), hull.end().max(span.end()))
        }));
        if number == 0 && piece.is_encoded {
            // Only the first piece has `charset'language'` (RFC 2231 §4.1).
            let value = source.part(span.range());
            let value = value.strip_prefix(b"\"").unwrap_or(value);
            let mut fields = value.splitn(3, |&byte| byte == b'\'');
            if let (Some(label), Some(_), Some(rest)) =
                (fields.next(), fields.next(), fields.next())
            {
                charset = MimeCharset::for_label(label);
                let quote = usize::from(span.len() > value.len());
                let start = span.start() + quote + value.len() - rest.len();
                span = Span::new(start, span.end());
            }
        }
        unquote(source, span, piece.is_encoded, &mut bytes, &mut lower);
    }
    if !in_order {
        // A map needs ascending source offsets. Pieces that are out of order in the source map only
        // as a whole.
        lower = OffsetMap::new();
        lower.replace(bytes.len(), hull.unwrap_or_default());
    }
    let extended = pieces.iter().any(|piece| piece.index.is_some() || piece.is_encoded);
    let mut parameter = Parameter {
        name: pieces.first().map(|piece| piece.name.clone()).unwrap_or_default(),
        value: bytes,
        map: lower,
        spelling: if extended { ParameterSpelling::Extended } else { ParameterSpelling::Plain },
    };
    if let Some(charset) = charset
        && !charset.is_text(&parameter.value)
    // Decode after joining the pieces, because one character may be split across two of them.
    {
        let (mut text, mut upper) = (Vec::new(), OffsetMap::new());
        let _ = charset.decode(&parameter.value, &mut text, &mut upper);
        let mut map = OffsetMap::new();
        map.append_composed(&upper, &parameter.map);
        (parameter.value, parameter.map) = (text, map);
    }
    parameter
}

/// Appends a value without its quotes and escapes and, if `is_encoded`, decodes percent escapes.
/// The value ends at its closing quote; only a comment may follow.
fn unquote(source: &[u8], span: Span, is_encoded: bool, text: &mut Vec<u8>, map: &mut OffsetMap) {
    let bytes = source.part(span.range());
    let quoted = bytes.first() == Some(&b'"');
    let mut at = usize::from(quoted);
    while let Some(&byte) = bytes.get(at) {
        let source = span.start() + at;
        match (byte, bytes.get(at + 1)) {
            (b'"', _) if quoted => break,
            (b'\\', Some(&escaped)) if quoted => {
                text.push(escaped);
                map.replace(1, Span::new(source, source + 2));
                at += 1;
            }
            // Line breaks of folded fields.
            (b'\r' | b'\n', _) => {}
            _ => match percent::octet(bytes, at) {
                Some(octet) if is_encoded => {
                    text.push(octet);
                    let unit = Unit { text: 1, source: 3 };
                    map.units(1, Span::new(source, source + 3), unit);
                    at += 2;
                }
                _ => {
                    text.push(byte);
                    map.copy(1, source);
                }
            },
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_simple_way_says_the_same(value in "[a-b]{0,2}([;]? ?[aA]?b?[*0\"\\\\(\n]? ?=? ?[\"]?[a-b;= ]{0,3}[\"\\\\)\r]?){0,5}") {
            let all = parameters(value.as_bytes());
            for name in ["a", "ab", "b"] {
                let wanted = all.iter().find(|parameter| parameter.name == name);
                let wanted = wanted.map(|parameter| parameter.value.as_slice());
                match simple(value.as_bytes(), name) {
                    Simple::Value(found) => prop_assert_eq!(Some(found), wanted),
                    Simple::Absent => prop_assert_eq!(wanted, None),
                    Simple::Unknown => {}
                }
            }
        }
    }
}
