//! Lays out glyphs as lines of text, and infers from their positions where lines were broken.

use super::glyphs::Glyph;
use crate::slice::SliceExt as _;

/// A change of the baseline by more than this part of the size starts a line.
const LINE: f32 = 0.5;
/// A step back by more than this part of the size starts a line.
const BACK: f32 = 1.5;
/// A gap of more than this part of the size is a space.
const GAP: f32 = 0.17;
/// The number of a footnote is smaller than this part of the size of the text.
const NOTE_SIZE: f32 = 0.85;
/// The baseline of such a number is higher by more than this part of the size of the text.
const NOTE_RISE: f32 = 0.15;
/// The next line is at most this many sizes below.
const NEXT_LINE: f32 = 2.5;
/// Largest distance, in sizes of the font, between the starts of lines of a column: some are
/// indented.
const INDENTATION: f32 = 6.;
/// Lines before and after one that show where its column ends.
const NEIGHBOURS: usize = 8;

/// The text of glyphs, with spaces and line ends where they are apart.
#[derive(Debug, Default)]
pub(super) struct PlacedText {
    pub text: String,
    pub ends: Vec<LineEnd>,
    /// The offset in the text at which each face starts.
    faces: Vec<(usize, u32)>,
}

/// The end of a line, except the last one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineEnd {
    /// Its line feed.
    pub at: usize,
    /// True if the following line continues the same column, and its first word did not fit into
    /// this one.
    pub is_full: bool,
}

/// A line on the page.
#[derive(Clone, Copy)]
struct GlyphLine {
    start: f32,
    end: f32,
    across: f32,
    size: f32,
    /// The width of its first word.
    first_word: f32,
    is_in_first_word: bool,
}

impl GlyphLine {
    const fn new(glyph: &Glyph) -> Self {
        let Glyph { along: start, across, size, .. } = *glyph;
        Self { start, end: start, across, size, first_word: 0., is_in_first_word: true }
    }

    fn add(&mut self, glyph: &Glyph) {
        self.size = self.size.max(glyph.size);
        self.end = self.end.max(glyph.along + glyph.width);
        if self.is_in_first_word {
            self.first_word = self.end - self.start;
        }
    }
}

impl PlacedText {
    pub fn new<'g>(glyphs: impl IntoIterator<Item = &'g Glyph>) -> Self {
        let mut layout = Self::default();
        let mut lines: Vec<GlyphLine> = Vec::new();
        let mut last: Option<&Glyph> = None;
        for glyph in glyphs {
            let text = &mut layout.text;
            let is_apart = last.is_none_or(|last| {
                let size = last.size.max(glyph.size).max(0.1);
                let gap = glyph.along - (last.along + last.width);
                (glyph.across - last.across).abs() > LINE * size || gap < -BACK * size
            });
            if glyph.text.is_space() && (is_apart || text.is_empty() || text.ends_with('\n')) {
                // A line may start with a space, which is invisible. The next glyph starts the
                // line.
                continue;
            }
            // Blanks after a URI would hide that it reaches the end of its line.
            if is_apart && last.is_some() {
                text.truncate(text.trim_end_matches(' ').len());
                layout.ends.push(LineEnd { at: text.len(), is_full: false });
                text.push('\n');
            } else if let Some(last) = last
                && !glyph.text.is_space()
                && !text.ends_with([' ', '\n'])
                && is_word_end(last, glyph)
            {
                text.push(' ');
            }
            match lines.last_mut() {
                Some(line) if !is_apart => {
                    line.is_in_first_word &= !text.ends_with(' ') && !glyph.text.is_space();
                    if !glyph.text.is_space() {
                        line.add(glyph);
                    }
                }
                _ => {
                    let mut line = GlyphLine::new(glyph);
                    line.add(glyph);
                    lines.push(line);
                }
            }
            let face = layout.faces.last().map(|(_, face)| *face);
            if face != Some(glyph.face) && !glyph.text.is_space() {
                layout.faces.push((text.len(), glyph.face));
            }
            text.extend(glyph.text.chars());
            last = Some(glyph);
        }
        for (index, end) in layout.ends.iter_mut().enumerate() {
            end.is_full = is_full(&lines, index);
        }
        layout
    }

    /// Returns a text whose lines are not full.
    #[cfg(test)]
    pub fn of_text(text: &str) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        let ends = ends.map(|at| LineEnd { at, is_full: false }).collect();
        Self { text: text.to_owned(), ends, faces: Vec::new() }
    }

    /// True if a character of this range of the text has a face.
    pub fn has_face(&self, range: std::ops::Range<usize>, face: u32) -> bool {
        let behind = self.faces.partition_point(|(start, _)| *start <= range.start);
        let faces = self.faces.clamped(behind.saturating_sub(1)..);
        faces.iter().take_while(|(start, _)| *start < range.end).any(|(_, it)| *it == face)
    }

    /// Returns the face of the character at this place of the text.
    pub fn face(&self, at: usize) -> Option<u32> {
        let behind = self.faces.partition_point(|(start, _)| *start <= at);
        behind.checked_sub(1).and_then(|index| self.faces.get(index)).map(|(_, face)| *face)
    }
}

/// True if the next line is the next one of the same column, and its first word did not fit into
/// this one. The other lines show how wide the column is.
fn is_full(lines: &[GlyphLine], index: usize) -> bool {
    let (Some(line), Some(next)) = (lines.get(index), lines.get(index + 1)) else { return false };
    let size = line.size.max(next.size).max(0.1);
    let is_near = |other: &GlyphLine| (other.start - line.start).abs() <= INDENTATION * size;
    let down = line.across - next.across;
    if !(down > LINE * size && down <= NEXT_LINE * size && is_near(next)) {
        return false;
    }
    let around = lines.clamped(index.saturating_sub(NEIGHBOURS)..=index + NEIGHBOURS);
    let ends = around.iter().filter(|other| is_near(other)).map(|other| other.end);
    let margin = ends.fold(line.end, f32::max);
    line.end + next.first_word > margin - 0.1 * size
}

/// True if a glyph is apart from the last one of its line, or set as a note to it.
fn is_word_end(last: &Glyph, glyph: &Glyph) -> bool {
    let size = last.size.max(glyph.size).max(0.1);
    let gap = glyph.along - (last.along + last.width);
    gap > GAP * size || is_note(glyph, last) || is_note(last, glyph)
}

/// True if a glyph is the number of a footnote, or an exponent: smaller than the one beside it, and
/// higher. Without a space it would become part of a URI before or after it.
///
/// A tilde does not count: many authors raise it within a URI because it looks better.
fn is_note(glyph: &Glyph, beside: &Glyph) -> bool {
    let mut chars = glyph.text.chars();
    glyph.size < NOTE_SIZE * beside.size
        && glyph.across - beside.across > NOTE_RISE * beside.size
        && chars
            .all(|c| c.is_alphanumeric() || matches!(c, '*' | '\u{2020}' | '\u{2021}' | '\u{a7}'))
}
