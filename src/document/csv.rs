//! Comma-separated values (RFC 4180), also with semicolons, tabs, or bars as separators.

use std::ops::ControlFlow;

use super::format::{DocumentFormat, FormatKind, FormatLimits};
use super::{EventSink, Part, Role, Source};
use crate::offset_map::OffsetMap;
use crate::slice::SliceExt as _;
use crate::work_counter;

/// Possible separators; the comma is the default.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Number of bytes and lines used to detect the separator.
const SAMPLE_BYTES: usize = 4096;
const SAMPLE_LINES: usize = 3;
/// Unit separator: it has the length of a separator, and no URI contains it.
const FIELD_END: u8 = 0x1f;

/// The format of comma-separated values.
pub(super) struct Csv;

impl DocumentFormat for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn title(&self) -> &'static str {
        "comma-separated values"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["csv"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/csv"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::USUAL
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        read(source, sink)
    }
}

/// Emits the whole document as one text, in which no URI crosses the end of a field (D4.11).
fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    // A copy of equal length, so that the map to the source is trivial.
    let mut text = source.bytes.to_vec();
    end_fields(&mut text);
    let mut map = OffsetMap::new();
    map.copy(text.len(), 0);
    sink.part(&Part::of_text(&text, source.layers(&map), Role::Text))
}

/// Replaces each separator outside quotes with [`FIELD_END`].
fn end_fields(text: &mut [u8]) {
    work_counter::add(text.len());
    let separator = separator(text);
    let (mut is_quoted, mut starts_field) = (false, true);
    for byte in text {
        match *byte {
            b'"' if is_quoted => is_quoted = false,
            b'"' if starts_field => is_quoted = true,
            found if found == separator && !is_quoted => *byte = FIELD_END,
            _ => {}
        }
        starts_field = matches!(*byte, FIELD_END | b'\n');
    }
}

/// Returns the most frequent separator of the first line that occurs equally often in the next
/// ones.
fn separator(text: &[u8]) -> u8 {
    let sample = text.clamped(..SAMPLE_BYTES);
    // The last line of a cut sample may be incomplete, so it does not count.
    let is_cut = sample.len() < text.len();
    let whole = sample.split(|&byte| byte == b'\n').count() - usize::from(is_cut);
    let mut lines = sample.split(|&byte| byte == b'\n').take(whole.clamp(1, SAMPLE_LINES));
    let first = lines.next().unwrap_or_default();
    let rest: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    let count = |line: &[u8], separator| line.iter().filter(|&&byte| byte == separator).count();
    let is_even = |&(separator, columns): &(u8, usize)| {
        columns > 0 && rest.iter().all(|line| count(line, separator) == columns)
    };
    let counted =
        SEPARATORS.into_iter().rev().map(|separator| (separator, count(first, separator)));
    counted
        .filter(is_even)
        .max_by_key(|(_, columns)| *columns)
        .map_or(b',', |(separator, _)| separator)
}

#[cfg(test)]
mod tests {
    use super::end_fields;

    #[test]
    fn a_line_that_the_sample_cuts_tells_nothing() {
        let row = format!("a;b,{};c", "x".repeat(1500));
        let mut text = [&row[..], &row, &row].join("\n").into_bytes();
        end_fields(&mut text);
        assert_eq!(text[..4], *b"a\x1fb,");
    }

    #[test]
    fn fields_end() {
        for (text, expected) in [
            ("a,b\n\"c,d\",e", "a\u{1f}b\n\"c,d\"\u{1f}e"),
            ("a;b,c\nd;e\nf;g", "a\u{1f}b,c\nd\u{1f}e\nf\u{1f}g"),
            ("a\tb,c\nd\te", "a\u{1f}b,c\nd\u{1f}e"),
            ("a \"b, c", "a \"b\u{1f} c"),
            ("", ""),
        ] {
            let mut text = text.as_bytes().to_vec();
            end_fields(&mut text);
            assert_eq!(String::from_utf8_lossy(&text), expected);
        }
    }
}
