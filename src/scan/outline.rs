//! Reads the outline of a header quickly: most headers contain only fields of no interest.
//!
//! Blocks of bytes are searched by their bits, without a branch per line. The outline ends at the
//! first line that is not a field in the usual form; the full parser of fields reads the rest.

use super::Kernel;
use super::lines::{BLOCK, LineKinds};
use crate::slice::SliceExt as _;
use crate::work_counter;

/// Longest field that is reported together with its neighbours.
pub(crate) const SHORT_FIELD: usize = 1 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeaderOutline {
    /// Only whole fields precede this offset.
    pub end: usize,
    /// The first field whose name starts with `Content-`, which may also be after `end`.
    pub content: Option<usize>,
    pub values: FieldValues,
}

/// Selects whether values of fields may need decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldValues {
    /// No value contains an encoded word or is long.
    Plain,
    /// Some value may contain one or be long.
    Any,
}

impl HeaderOutline {
    pub(crate) const fn nothing(at: usize) -> Self {
        Self { end: at, content: None, values: FieldValues::Plain }
    }

    /// Returns the outline of the header at `at`.
    pub fn read(bytes: &[u8], at: usize) -> Self {
        match Kernel::Auto.loops().mail {
            Some(loops) => (loops.outline)(bytes, at),
            None => Self::nothing(at),
        }
    }

    /// Returns the outline, using `lines` to classify each block.
    #[inline(always)]
    pub(super) fn scan_with(
        lines: impl Fn(&[u8; BLOCK]) -> LineKinds,
        bytes: &[u8],
        at: usize,
    ) -> Self {
        let mut outline = Self::nothing(at);
        let text = bytes.clamped(at..);
        // A header cannot start with a continuation line.
        if let Some(b' ' | b'\t') = text.first() {
            return outline;
        }
        let mut encoded = 0;
        let mut line = at;
        let mut carried = Carry { starts: 1, ..Carry::default() };
        let (blocks, _) = text.as_chunks();
        for (block, base) in blocks.iter().zip((at..).step_by(BLOCK)) {
            let block = carried.block(&lines(block));
            // Keeps the line starts up to the first stop. The last of them is the start of the line
            // with the stop.
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
                outline.content = name.is_some_and(starts_content).then_some(field);
                initials &= initials - 1;
            }
            if block.stops != 0 {
                outline.end_field(line);
                break;
            }
        }
        if encoded != 0 {
            outline.values = FieldValues::Any;
        }
        work_counter::add(outline.end - at);
        outline
    }

    fn end_field(&mut self, end: usize) {
        if end - self.end > SHORT_FIELD {
            self.values = FieldValues::Any;
        }
        self.end = end;
    }
}

/// True for the common start of field names about the body (RFC 2045 §3).
pub(crate) fn starts_content(name: &[u8; 8]) -> bool {
    name.eq_ignore_ascii_case(b"Content-")
}

/// Features of the lines in a block, a bit each.
struct HeaderBlock {
    starts: u64,
    /// Starts of fields.
    fields: u64,
    /// Starts of fields that may be of interest.
    initials: u64,
    /// Starts of encoded words, at their second character.
    encodings: u64,
    /// Bytes that occur in no usual field.
    stops: u64,
}

/// State carried from block to block, in the lowest bit.
#[derive(Default)]
struct Carry {
    starts: u64,
    /// A name continues.
    name: u64,
    /// The last byte was a `=`.
    equals: u64,
}

impl Carry {
    #[inline(always)]
    fn block(&mut self, lines: &LineKinds) -> HeaderBlock {
        let starts = lines.feeds << 1 | self.starts;
        let openings = lines.equals << 1 | self.equals;
        self.starts = lines.feeds >> (BLOCK - 1);
        self.equals = lines.equals >> (BLOCK - 1);
        // Adding 1 at the first bit of a name carries through its ones to the character after it. A
        // name that started in an earlier block is continued by its carry.
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
