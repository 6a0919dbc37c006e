//! Changes of a text that are applied together: [`ChangeRun`].

use std::cmp::Ordering;
use std::ops::Range;

use super::position::DocumentLines;
use super::types::{self, LspPosition};

/// Changes of a text in ascending or descending order, each with its span in the text before all of
/// them.
#[derive(Debug, Default)]
pub(super) struct ChangeRun {
    changes: Vec<(Range<usize>, String)>,
    direction: Option<Ordering>,
    /// The end of the last change, in the text with the run and in the text before it. `None` if
    /// later lines may have changed.
    end: Option<[LspPosition; 2]>,
}

impl ChangeRun {
    /// Returns the span of a further change in the text before the run, and the direction that the
    /// run has with it. `None` if the run must be applied first.
    pub fn place(
        &self,
        range: types::Range,
        text: &str,
        lines: &DocumentLines,
    ) -> Option<(Range<usize>, Option<Ordering>)> {
        let Some((last, _)) = self.changes.last() else {
            return Some((lines.span(text, range), None));
        };
        // A position next to the last change may refer to a line that this change made longer.
        if self.direction != Some(Ordering::Greater) {
            let span = lines.span(text, range);
            if span.end < last.start {
                return Some((span, Some(Ordering::Less)));
            }
        }
        let [new, old] = self.end.filter(|_| self.direction != Some(Ordering::Less))?;
        if range.start <= new || range.end < range.start {
            return None;
        }
        let before = |position: LspPosition| -> Option<LspPosition> {
            let line = position.line - new.line;
            Some(LspPosition {
                line: old.line.checked_add(line)?,
                character: match line {
                    0 => old.character.checked_add(position.character - new.character)?,
                    _ => position.character,
                },
            })
        };
        let range = types::Range { start: before(range.start)?, end: before(range.end)? };
        let span = lines.span(text, range);
        (span.start > last.end).then_some((span, Some(Ordering::Greater)))
    }

    pub fn push(
        &mut self,
        span: Range<usize>,
        new: String,
        direction: Option<Ordering>,
        text: &str,
        lines: &DocumentLines,
    ) {
        self.direction = direction;
        self.end = self.end_with(&span, &new, text, lines);
        self.changes.push((span, new));
    }

    /// Returns where a change ends, with the run and before it. A carriage return at one of its
    /// ends could join a line feed to a line end, or be separated from one.
    fn end_with(
        &self,
        span: &Range<usize>,
        new: &str,
        text: &str,
        lines: &DocumentLines,
    ) -> Option<[LspPosition; 2]> {
        if new.contains('\r') || text.get(..span.start)?.ends_with('\r') {
            return None;
        }
        let [start, end] = [span.start, span.end].map(|at| lines.position(text.as_bytes(), at));
        let start = match (self.changes.is_empty(), self.end) {
            (true, _) => start,
            (false, Some([new, old])) if start >= old => LspPosition {
                line: new.line + (start.line - old.line),
                character: if start.line == old.line {
                    new.character + (start.character - old.character)
                } else {
                    start.character
                },
            },
            (false, _) => return None,
        };
        let lines_of_new = new.matches('\n').count();
        let last = new.rsplit('\n').next().unwrap_or_default();
        let units = u32::try_from(lines.units(last)).ok()?;
        let new_end = LspPosition {
            line: start.line.checked_add(u32::try_from(lines_of_new).ok()?)?,
            character: if lines_of_new == 0 { start.character.checked_add(units)? } else { units },
        };
        Some([new_end, end])
    }

    /// Returns the changes from the first to the last in the text.
    pub fn ascending(mut self) -> Vec<(Range<usize>, String)> {
        if self.direction == Some(Ordering::Less) {
            self.changes.reverse();
        }
        self.changes
    }
}
