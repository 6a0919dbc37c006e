//! A fast first look at a header: most have only fields of no interest.
//!
//! Blocks of bytes are searched by their bits, without a branch for each line. It ends at the first line
//! that is not a field in the usual form; [`FieldIter`](super::header::FieldIter) reads the rest.

use crate::scan::{BLOCK, Kernel, LineKinds};
use crate::slice::SliceExt as _;
use crate::work_counter;

/// The longest field that is given together with its neighbours.
pub(super) const SHORT: usize = 1 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::container) struct HeaderOutline {
    /// Only whole fields are before it.
    pub end: usize,
    /// The first of them whose name starts with `Content-`; also one after them.
    pub content: Option<usize>,
    pub values: Values,
}

/// Whether some values of fields need decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::container) enum Values {
    /// None has an encoded word, and none is long.
    Plain,
    /// There may be such a one.
    Any,
}

impl HeaderOutline {
    const fn nothing(at: usize) -> Self {
        Self { end: at, content: None, values: Values::Plain }
    }

    /// The outline of the header at `at`.
    pub fn of(bytes: &[u8], at: usize) -> Self {
        let mut outline = Self::nothing(at);
        let Some(loops) = Kernel::Auto.loops().mail else {
            return outline;
        };
        let text = bytes.clamped(at..);
        // It would continue a missing line.
        if let Some(b' ' | b'\t') = text.first() {
            return outline;
        }
        let mut encoded = 0;
        let mut line = at;
        let mut carried = Carried { starts: 1, ..Carried::default() };
        let (blocks, _) = text.as_chunks();
        for (block, base) in blocks.iter().zip((at..).step_by(BLOCK)) {
            let block = carried.block(&(loops.lines)(block));
            // Up to the first stop, or rather the start of its line.
            let starts = block.starts & (block.stops ^ block.stops.wrapping_sub(1));
            if let Some(last) = starts.checked_ilog2() {
                line = base + last as usize;
            }
            let before = match block.stops {
                0 => u64::MAX,
                _ => (1 << line.saturating_sub(base)) - 1,
            };
            encoded |= block.encodings & before;
            let fields = block.fields & before;
            if let Some(last) = fields.checked_ilog2() {
                outline.end_field(base + fields.trailing_zeros() as usize);
                outline.end_field(base + last as usize);
            }
            let mut initials = block.initials & before;
            while initials != 0 && outline.content.is_none() {
                let field = base + initials.trailing_zeros() as usize;
                let name = bytes.get(field..).and_then(|name| name.first_chunk());
                let is_content = name.is_some_and(is_content);
                outline.content = is_content.then_some(field);
                initials &= initials - 1;
            }
            if block.stops != 0 {
                outline.end_field(line);
                break;
            }
        }
        if encoded != 0 {
            outline.values = Values::Any;
        }
        work_counter::add(outline.end - at);
        outline
    }

    fn end_field(&mut self, end: usize) {
        if end - self.end > SHORT {
            self.values = Values::Any;
        }
        self.end = end;
    }
}

/// The common start of the names of fields about the body (RFC 2045 §3).
pub(super) fn is_content(name: &[u8; 8]) -> bool {
    name.eq_ignore_ascii_case(b"Content-")
}

/// The lines of a block, a bit each.
struct HeaderBlock {
    starts: u64,
    /// Fields, or their starts.
    fields: u64,
    /// Starts of fields that may be of interest.
    initials: u64,
    /// Starts of encoded words, after their first character.
    encodings: u64,
    /// Bytes that occur in no field.
    stops: u64,
}

/// What is carried from block to block: the lowest bit, or none.
#[derive(Default)]
struct Carried {
    starts: u64,
    /// A name goes on.
    name: u64,
    /// The last byte was a `=`.
    equals: u64,
}

impl Carried {
    #[inline(always)]
    fn block(&mut self, lines: &LineKinds) -> HeaderBlock {
        let starts = lines.feeds << 1 | self.starts;
        let openings = lines.equals << 1 | self.equals;
        self.starts = lines.feeds >> (BLOCK - 1);
        self.equals = lines.equals >> (BLOCK - 1);
        // A carry runs through each name at the start of a line, to the character after it.
        let (ends, over) = lines.names.overflowing_add(starts & lines.names);
        let (ends, over_again) = ends.overflowing_add(self.name);
        self.name = u64::from(over | over_again);
        let ends = ends & !lines.names;
        let fields = starts & !lines.blanks;
        HeaderBlock {
            starts,
            fields,
            initials: fields & lines.initials,
            encodings: openings & lines.questions,
            stops: ends & !lines.colons | fields & (!lines.names | lines.dashes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::head::Head;
    use super::super::header::FieldIter;
    use super::*;
    use proptest::prelude::*;

    /// Texts most of which start with fields.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            "[A-Za-z-]{1,70}: [a-z:=?]{0,70}\n",
            "[!-~é]{1,20}:[a-z=? \t]{0,90}\r?\n",
            Just("Content-Type: text/plain\n".to_owned()),
            Just("cc:a\n".to_owned()),
            "[ \t][a-z:=?]{0,80}\n",
            "[ \t][a-z]{500,700}\n",
            "(Subject :|>?From a|--a:|:|\n|\r|a|é)",
        ];
        prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat().into_bytes())
    }

    proptest! {
        #[test]
        fn equals_fields(text in text(), skip in 0usize..70) {
            let at = skip.min(text.len());
            let outline = HeaderOutline::of(&text, at);
            let mut fields = FieldIter::new(&text, at);
            let mut content = None;
            while fields.at < outline.end {
                let start = fields.at;
                let field = fields.next().expect("it was outlined");
                prop_assert_eq!(field.whole.start(), start, "no line of an mbox");
                if field.whole.len() > SHORT {
                    prop_assert_eq!(outline.values, Values::Any);
                }
                if field.name.len() > 7 && field.name[..8].eq_ignore_ascii_case(b"content-") {
                    content = content.or(Some(start));
                }
            }
            prop_assert_eq!(fields.at, outline.end);
            prop_assert_eq!(outline.content.filter(|at| *at < outline.end), content);
            if memchr::memmem::find(&text[at..outline.end], b"=?").is_some() {
                prop_assert_eq!(outline.values, Values::Any);
            }
            // A header is the same with and without it.
            let outlined = Head::read(&text, at, outline, |_| true);
            let read = Head::read(&text, at, HeaderOutline::nothing(at), |_| true);
            prop_assert!(outlined.is_same(&read), "{:?} {:?}", outlined, read);
            if outline.end == at {
                return Ok(());
            }
            // It ends where a full parse is needed, or near the end.
            let rest = FieldIter::new(&text, outline.end).next();
            if let Some(rest) = rest && rest.whole.end() + BLOCK < text.len() {
                let line = &text[outline.end..];
                let colon = line.iter().position(|&byte| byte == b':').unwrap();
                let name = line[..colon].iter().any(|byte| byte.is_ascii_whitespace());
                prop_assert!(line.starts_with(b"-") || name, "{:?}", rest.whole);
            }
        }
    }
}
