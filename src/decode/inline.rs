//! Finds files embedded in text, as before MIME: uuencode (POSIX.1-2017, `uuencode`) and yEnc
//! (draft 1.3).

use std::sync::LazyLock;

use memchr::{memchr, memmem};

use crate::offset_map::{OffsetMap, Unit};
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// Both encodings start with this, yEnc as `=ybegin`.
static BEGIN: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"begin "));

/// Encoding of an embedded file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InlineEncoding {
    /// `begin 644 name` … `end`
    Uuencode,
    /// `=ybegin line=128 size=… name=name` … `=yend size=…`
    YEnc,
}

/// A file embedded in a text. Spans are offsets into the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inline {
    /// Its encoding.
    pub encoding: InlineEncoding,
    /// Its file name.
    pub name: Span,
    /// Its lines of data.
    pub data: Span,
    /// The whole file, from its first line to its last.
    pub whole: Span,
}

/// Iterator over the embedded files of a text, in order.
///
/// ```
/// use urigrep::decode::inline_files;
/// let text = b"Hello,\nbegin 644 note.txt\n#8FEN\n`\nend\nBye.\n";
/// let files: Vec<_> = inline_files(text).collect();
/// assert_eq!(&text[files[0].name.range()], b"note.txt");
/// assert_eq!(&text[files[0].data.range()], b"#8FEN\n");
/// assert_eq!(&text[files[0].whole.end()..], b"Bye.\n");
/// ```
#[derive(Clone, Debug)]
pub struct InlineFileIter<'t> {
    text: &'t [u8],
    at: usize,
    /// The next end of yEnc data, once it was searched for.
    y_end: usize,
}

/// Returns the embedded files in `text` that have at least one line of data and nothing else
/// between start and end.
pub fn inline_files(text: &[u8]) -> InlineFileIter<'_> {
    InlineFileIter { text, at: 0, y_end: 0 }
}

/// True if `line` may start an embedded file.
pub(crate) fn starts_inline_file(line: &[u8]) -> bool {
    line.strip_prefix(b"=y").unwrap_or(line).starts_with(b"begin ")
}

impl Iterator for InlineFileIter<'_> {
    type Item = Inline;

    fn next(&mut self) -> Option<Inline> {
        loop {
            let rest = self.text.get(self.at..)?;
            let here = self.at + BEGIN.find(rest)?;
            self.at = here + b"begin ".len();
            let before = self.text.get(..here)?;
            let starts_line = |before: &[u8]| matches!(before.last(), None | Some(b'\n'));
            // yEnc's `=ybegin ` contains `begin `, so a single search finds both.
            let file = match before.strip_suffix(b"=y") {
                Some(before) if starts_line(before) => self.begin_y(here - 2),
                _ if starts_line(before) => begin_uu(self.text, here),
                _ => None,
            };
            if let Some(file) = file {
                self.at = file.whole.end();
                return Some(file);
            }
        }
    }
}

impl InlineFileIter<'_> {
    fn begin_y(&mut self, start: usize) -> Option<Inline> {
        let (mut data, first) = line(self.text, start)?;
        let name = memmem::find(first, b" name=")? + b" name=".len();
        // Both are required (yEnc draft 1.3), and a sentence that starts with `=ybegin` has
        // neither.
        memmem::find(first, b" size=")?;
        if let Some((next, part)) = line(self.text, data)
            // A file in several posts has a `=ypart` line between the header and the data.
            && part.starts_with(b"=ypart ")
        {
            data = next;
        }
        // The end is searched for once. Without this, many `=ybegin` lines without an end would
        // each scan the rest of the text.
        if self.y_end < data {
            let rest = self.text.get(data..)?;
            let found = memmem::find(rest, b"\n=yend ");
            work_counter::add(found.unwrap_or(rest.len()));
            self.y_end = found.map_or(usize::MAX, |found| data + found + 1);
        }
        let (end, _) = line(self.text, self.y_end)?;
        Some(Inline {
            encoding: InlineEncoding::YEnc,
            name: Span::new(start + name, start + first.len()),
            data: Span::new(data, self.y_end),
            whole: Span::new(start, end),
        })
    }
}

/// Returns the end of the line at `at` including its break, and the line without it.
fn line(text: &[u8], at: usize) -> Option<(usize, &[u8])> {
    let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
    let length = memchr(b'\n', rest).unwrap_or(rest.len());
    work_counter::add(length);
    let line = rest.get(..length)?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Some(((at + length + 1).min(text.len()), line))
}

fn begin_uu(text: &[u8], start: usize) -> Option<Inline> {
    let (data, first) = line(text, start)?;
    let rest = first.strip_prefix(b"begin ")?;
    // The mode is required: a sentence may start with "begin ". uuencode writes three octal digits,
    // some programs four.
    let mode = rest.iter().take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    if !(3..=4).contains(&mode) || rest.get(mode) != Some(&b' ') {
        return None;
    }
    let name = start + b"begin ".len() + mode + 1;
    let mut end = data;
    while let Some((next, line)) = line(text, end)
        && uu_count(line).is_some_and(|count| count > 0)
    {
        end = next;
    }
    if end == data {
        return None;
    }
    let mut last = end;
    // A line with a count of 0 comes before the end.
    if let Some((next, zero)) = line(text, last)
        && uu_count(zero) == Some(0)
    {
        last = next;
    }
    // The `end` line may be missing, as in a truncated post.
    if let Some((next, b"end")) = line(text, last) {
        last = next;
    }
    Some(Inline {
        encoding: InlineEncoding::Uuencode,
        name: Span::new(name, start + first.len()),
        data: Span::new(data, end),
        whole: Span::new(start, last),
    })
}

/// Returns how many bytes a line of uuencode decodes to, or `None` if it is not one. A line has a
/// count and then four characters per three bytes. Spaces at its end may be missing, and a checksum
/// may follow.
fn uu_count(line: &[u8]) -> Option<usize> {
    let (&first, rest) = line.split_first()?;
    let count = usize::from(uu_value(first)?);
    let letters = count.div_ceil(3) * 4;
    // Of the last quad, up to three spaces may be cut off, as transport removes spaces at line
    // ends.
    let fits = rest.len() <= letters + 1 && (rest.len() + 4 > letters || rest.is_empty());
    (fits && rest.iter().all(|&byte| uu_value(byte).is_some())).then_some(count)
}

fn uu_value(byte: u8) -> Option<u8> {
    // Both the space and the backtick stand for 0.
    matches!(byte, b' '..=b'`').then(|| (byte - b' ') & 0x3f)
}

/// Decodes uuencoded lines, as in [`Inline::data`], into `text` and appends their positions to
/// `map`.
///
/// ```
/// use urigrep::offset_map::OffsetMap;
/// use urigrep::{Span, decode::uudecode};
/// let (mut text, mut map) = (Vec::new(), OffsetMap::new());
/// uudecode(b"#8FEN\n", &mut text, &mut map);
/// assert_eq!(text, b"bin");
/// assert_eq!(map.source(Span::new(1, 3)), Span::new(2, 5));
/// ```
pub fn uudecode(source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) {
    let mut at = 0;
    while let Some((next, line)) = line(source, at) {
        let count = line.first().copied().and_then(uu_value).map_or(0, usize::from);
        let letters = line.clamped(1..);
        let start = text.len();
        for quad in letters.chunks(4).take(count.div_ceil(3)) {
            let value = |index: usize| quad.get(index).copied().and_then(uu_value).unwrap_or(0);
            let bits = (0..4).fold(0, |bits, index| bits << 6 | u32::from(value(index)));
            let [_, made @ ..] = bits.to_be_bytes();
            text.extend_from_slice(&made);
        }
        // A short line yields fewer bytes than its count; missing bytes are not invented.
        let made = count.min((letters.len() * 3).div_ceil(4));
        text.truncate(text.len().min(start + made));
        let made = text.len() - start;
        let used = letters.len().min(made.div_ceil(3) * 4);
        let unit = Unit { text: 3, source: 4 };
        map.units(made, Span::new(at + 1, at + 1 + used), unit);
        at = next;
    }
}

/// Decodes yEnc lines, as in [`Inline::data`], into `text` and appends their positions to `map`.
///
/// ```
/// use urigrep::offset_map::OffsetMap;
/// use urigrep::decode::ydecode;
/// let (mut text, mut map) = (Vec::new(), OffsetMap::new());
/// ydecode(b"\x92\x93=\x7d\r\n", &mut text, &mut map);
/// assert_eq!(text, b"hi\x13");
/// ```
pub fn ydecode(source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) {
    let mut bytes = source.iter().enumerate();
    while let Some((at, &byte)) = bytes.next() {
        match byte {
            // Line breaks are not data: those of the file are escaped.
            b'\r' | b'\n' => {}
            b'=' => {
                if let Some((_, &escaped)) = bytes.next() {
                    // An escaped byte is shifted by 64, and every byte by 42 (yEnc draft 1.3).
                    text.push(escaped.wrapping_sub(64).wrapping_sub(42));
                    map.replace(1, Span::new(at, at + 2));
                }
            }
            byte => {
                text.push(byte.wrapping_sub(42));
                let unit = Unit { text: 1, source: 1 };
                map.units(1, Span::new(at, at + 1), unit);
            }
        }
    }
}
