//! Byte offsets and positions of the protocol: [`DocumentLines`].

use std::ops;

use memchr::memchr2_iter;

use super::types::{LspPosition, Range};

/// The unit of [`LspPosition::character`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionEncoding {
    Utf8,
    /// The unit of every client.
    #[default]
    Utf16,
}

impl PositionEncoding {
    /// Chooses among the encodings that the client knows.
    pub fn choose(offered: &[&str]) -> Self {
        // Bytes need no conversion.
        if offered.contains(&"utf-8") { Self::Utf8 } else { Self::Utf16 }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
        }
    }

    fn length(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 if text.is_ascii() => text.len(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }

    /// Returns the offset after this number of units, at most the end of the text.
    fn offset(self, text: &str, units: usize) -> usize {
        let mut left = units;
        for (at, c) in text.char_indices() {
            let width = match self {
                Self::Utf8 => c.len_utf8(),
                Self::Utf16 => c.len_utf16(),
            };
            // A position within a character means its start.
            if left < width {
                return at;
            }
            left -= width;
        }
        text.len()
    }
}

/// The lines of a text. They end with `\n`, `\r\n`, or `\r`, as the protocol says; the library's
/// `LineIndex` knows no `\r`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentLines {
    /// Ascending; the first is 0.
    starts: Vec<usize>,
    /// Places within long lines, and the units before them in their line. Ascending.
    places: Vec<(usize, usize)>,
    encoding: PositionEncoding,
}

/// Distance between the remembered places of a long line. Without these, the line would be read
/// from its start for each link: 34 s for 10,000 links in a line of 1.6 MB.
const PLACE_BYTES: usize = 4096;

impl DocumentLines {
    pub fn new(text: &[u8], encoding: PositionEncoding) -> Self {
        let (starts, places) = lines(text, 0, encoding);
        Self { starts, places, encoding }
    }

    /// Returns the lines of a file. An editor takes its byte order mark off when it reads it.
    pub fn of_file(text: &[u8], encoding: PositionEncoding) -> Self {
        let mut this = Self::new(text, encoding);
        if text.starts_with("\u{feff}".as_bytes())
            && let Some(first) = this.starts.first_mut()
        {
            *first = '\u{feff}'.len_utf8();
            let mark = encoding.length("\u{feff}");
            // Places within a long first line count from after the mark, too.
            let next = this.starts.get(1).copied().unwrap_or(usize::MAX);
            let of_first = this.places.iter_mut().take_while(|(at, _)| *at < next);
            of_first.for_each(|(_, units)| *units -= mark);
        }
        this
    }

    /// Updates the lines after `length` new bytes have replaced those of `old`, which gave `text`.
    ///
    /// Only the lines with the change are read again. An editor that replaces a word everywhere
    /// sends a change for each, and reading the whole text for each would take minutes.
    pub fn replaced(&mut self, text: &[u8], old: ops::Range<usize>, length: usize) {
        let new_end = old.start + length;
        // A carriage return before the change may be half of a line end now, or no longer.
        let first = self.line_of(old.start.saturating_sub(1));
        let from = self.starts.get(first).copied().unwrap_or_default();
        // The line end before this line is after the change, and stays a line end.
        let next = self.starts.partition_point(|start| *start <= old.end);
        let moved = |at: usize| at - old.end + new_end;
        let to = self.starts.get(next).map_or(text.len(), |start| moved(*start));
        let (starts, places) = lines(text.get(from..to).unwrap_or_default(), from, self.encoding);
        let is_last = next >= self.starts.len();
        let keep = if is_last { starts.len() } else { starts.partition_point(|at| *at < to) };
        let old_to = self.starts.get(next).copied().unwrap_or(usize::MAX);
        for start in self.starts.iter_mut().skip(next) {
            *start = moved(*start);
        }
        let end = next.min(self.starts.len());
        self.starts.splice(first..end, starts.into_iter().take(keep));
        let first_place = self.places.partition_point(|(at, _)| *at <= from);
        let next_place = self.places.partition_point(|(at, _)| *at <= old_to);
        for (at, _) in self.places.iter_mut().skip(next_place) {
            *at = moved(*at);
        }
        self.places.splice(first_place..next_place, places);
    }

    /// Returns the position of an offset. In text that is not UTF-8, each invalid sequence counts
    /// as the one character that editors show for it.
    pub fn position(&self, text: &[u8], offset: usize) -> LspPosition {
        let offset = floor(text, offset);
        let line = self.line_of(offset);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let places = self.places.partition_point(|(place, _)| *place <= offset);
        let place = places.checked_sub(1).and_then(|last| self.places.get(last));
        let (start, units) = place.copied().filter(|it| it.0 > start).unwrap_or((start, 0));
        let before = String::from_utf8_lossy(text.get(start..offset).unwrap_or_default());
        let units = units + self.encoding.length(&before);
        LspPosition {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            character: u32::try_from(units).unwrap_or(u32::MAX),
        }
    }

    /// Returns the length of a text without line ends, in the units of positions.
    pub fn units(&self, text: &str) -> usize {
        self.encoding.length(text)
    }

    pub fn range(&self, text: &[u8], span: ops::Range<usize>) -> Range {
        Range { start: self.position(text, span.start), end: self.position(text, span.end) }
    }

    /// Returns the number of the line, from 0, that has an offset.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Returns the offset of a position. Positions beyond a line mean its end, and those beyond the
    /// text its end.
    pub fn offset(&self, text: &str, position: LspPosition) -> usize {
        let line = self.line(text, position.line as usize);
        let wanted = position.character as usize;
        // The units of the places ascend within a line only.
        let first = self.places.partition_point(|(at, _)| *at <= line.start);
        let next = self.places.partition_point(|(at, _)| *at <= line.end);
        let places = self.places.get(first..next).unwrap_or_default();
        let before = places.partition_point(|(_, units)| *units <= wanted).checked_sub(1);
        let (start, units) =
            before.and_then(|last| places.get(last)).copied().unwrap_or((line.start, 0));
        let content = text.get(start..line.end).unwrap_or_default();
        start + self.encoding.offset(content, wanted - units)
    }

    pub fn span(&self, text: &str, range: Range) -> ops::Range<usize> {
        let start = self.offset(text, range.start);
        start..self.offset(text, range.end).max(start)
    }

    /// Returns the bytes of a line without its end; empty after the text.
    pub fn line(&self, text: &str, line: usize) -> ops::Range<usize> {
        let Some(&start) = self.starts.get(line) else { return text.len()..text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text.get(start..end).unwrap_or_default();
        start..start + content.trim_end_matches(['\n', '\r']).len()
    }
}

/// Returns the starts of the lines of a text, and the places within long ones. `from` is the offset
/// of its first byte.
fn lines(
    text: &[u8],
    from: usize,
    encoding: PositionEncoding,
) -> (Vec<usize>, Vec<(usize, usize)>) {
    let ends = memchr2_iter(b'\n', b'\r', text)
        .filter(|&at| text.get(at..at + 2) != Some(b"\r\n"))
        .map(|at| at + 1);
    let mut starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
    let mut places = Vec::new();
    for (line, &start) in starts.iter().enumerate() {
        let end = starts.get(line + 1).copied().unwrap_or(text.len());
        let (mut at, mut units) = (start, 0);
        while end - at > PLACE_BYTES {
            // Before a byte that continues no character, invalid text is the same in pieces.
            let rest = text.get(at + PLACE_BYTES..end).unwrap_or_default();
            let within = rest.iter().take_while(|byte| **byte & 0xC0 == 0x80).count();
            let next = at + PLACE_BYTES + within;
            let piece = String::from_utf8_lossy(text.get(at..next).unwrap_or_default());
            units += encoding.length(&piece);
            at = next;
            places.push((from + at, units));
        }
    }
    starts.iter_mut().for_each(|start| *start += from);
    (starts, places)
}

/// Returns the last boundary of a character at or before an offset.
fn floor(text: &[u8], offset: usize) -> usize {
    let is_within = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let offset = offset.min(text.len());
    // A character has at most four bytes.
    (offset.saturating_sub(3)..=offset).rev().find(|at| !is_within(at)).unwrap_or(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_in_both_units() {
        let text = "aé😀b\r\nc\rd\n";
        for (encoding, characters) in
            [(PositionEncoding::Utf8, [0, 1, 3, 7, 8]), (PositionEncoding::Utf16, [0, 1, 2, 4, 5])]
        {
            let lines = DocumentLines::new(text.as_bytes(), encoding);
            for (offset, character) in [0, 1, 3, 7, 8].into_iter().zip(characters) {
                let position = LspPosition { line: 0, character };
                assert_eq!(lines.position(text.as_bytes(), offset), position);
                assert_eq!(lines.offset(text, position), offset);
            }
            for (offset, line) in [(10, 1), (12, 2), (14, 3)] {
                assert_eq!(
                    lines.position(text.as_bytes(), offset),
                    LspPosition { line, character: 0 }
                );
            }
        }
        let lines = DocumentLines::new(text.as_bytes(), PositionEncoding::Utf16);
        let at = |line, character| lines.offset(text, LspPosition { line, character });
        assert_eq!([at(0, 3), at(0, 99), at(3, 0), at(9, 9)], [3, 8, 14, 14]);
        assert_eq!(lines.position(text.as_bytes(), 5), LspPosition { line: 0, character: 2 });
    }

    #[test]
    fn a_change_is_taken_over() {
        let pieces = ["", "a", "\n", "\r", "\r\n", "é", "😀\n", "b\rc", &"é".repeat(3000)];
        let mut state = 3986_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16] {
            let mut text = String::new();
            let mut lines = DocumentLines::new(b"", encoding);
            for _ in 0..2000 {
                let mut at = || text.floor_char_boundary(random(text.len().min(40_000) + 1));
                let (one, other) = (at(), at());
                let piece = pieces[random(pieces.len())];
                // Short spans, or the text would stay empty.
                let start = one.min(other);
                let end = text.floor_char_boundary(one.max(other).min(start + random(9)));
                let old = start..end.max(start);
                text.replace_range(old.clone(), piece);
                lines.replaced(text.as_bytes(), old.clone(), piece.len());
                let new = DocumentLines::new(text.as_bytes(), encoding);
                assert_eq!(lines, new, "{old:?} {piece:?}");
                let place = random(text.len() + 1);
                let position = new.position(text.as_bytes(), place);
                let none = DocumentLines { places: Vec::new(), ..new.clone() };
                assert_eq!(new.offset(&text, position), none.offset(&text, position));
            }
        }
    }

    #[test]
    fn positions_in_long_lines() {
        let piece = "aé😀b".repeat(2000);
        let mut text = format!("{piece}\n{piece}x\n").into_bytes();
        text.extend([0x80; 9000]);
        text.extend(piece.bytes());
        for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16] {
            let lines = DocumentLines::new(&text, encoding);
            let none = DocumentLines { places: Vec::new(), ..lines.clone() };
            assert!(!lines.places.is_empty());
            for offset in (0..text.len()).step_by(611) {
                assert_eq!(lines.position(&text, offset), none.position(&text, offset), "{offset}");
            }
        }
    }
}
