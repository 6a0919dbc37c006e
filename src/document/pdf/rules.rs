//! Underscores that a page draws as rules, as TeX does in fonts without one.

use super::glyphs::{Glyph, GlyphText};

/// The length of such a rule, as a fraction of the text size.
const LENGTH: std::ops::RangeInclusive<f32> = 0.2..=0.7;
/// Its greatest thickness.
const THICKNESS: f32 = 0.12;
/// Distance from the end of the last glyph to the start of the rule.
const BEHIND: std::ops::RangeInclusive<f32> = -0.1..=0.3;
/// Height of the rule above the baseline.
const ABOVE: std::ops::RangeInclusive<f32> = -0.35..=0.1;

/// A straight line, or a rectangle, of a path, in the space of the user.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Path {
    #[default]
    Empty,
    Start([f32; 2]),
    /// Two corners.
    Rule([[f32; 2]; 2]),
    /// More than one rule.
    Other,
}

impl Path {
    /// Adds an operator that constructs paths (ISO 32000-2, 8.5.2).
    pub fn add(self, operator: &[u8], numbers: &[f32]) -> Self {
        match (self, operator, numbers) {
            (Self::Empty | Self::Start(_), b"m", &[x, y, ..]) => Self::Start([x, y]),
            (Self::Start(start), b"l", &[x, y, ..]) => Self::Rule([start, [x, y]]),
            (Self::Empty, b"re", &[x, y, width, height, ..]) => {
                Self::Rule([[x, y], [x + width, y + height]])
            }
            _ => Self::Other,
        }
    }
}

/// Returns the underscore that a rule is, if it follows the last glyph at the foot of its line.
///
/// The corners are in page coordinates. Rotated text is left out.
pub(super) fn underscore([first, second]: [[f32; 2]; 2], last: &Glyph) -> Option<Glyph> {
    let [left, right] = [first[0].min(second[0]), first[0].max(second[0])];
    let [foot, head] = [first[1].min(second[1]), first[1].max(second[1])];
    let is_upright = (last.along - last.x).abs() < 0.01 && (last.across - last.y).abs() < 0.01;
    let parts = |length: f32| length / last.size.max(0.1);
    let is_underscore = is_upright
        && !last.text.is_space()
        && LENGTH.contains(&parts(right - left))
        && parts(head - foot) <= THICKNESS
        && BEHIND.contains(&parts(left - (last.x + last.width)))
        && ABOVE.contains(&parts(head - last.y));
    let width = right - left;
    let text = GlyphText::new(['_']);
    is_underscore.then_some(Glyph { text, x: left, along: left, width, ..*last })
}

/// True if a glyph is above the middle of a rule that was taken for an underscore.
pub(super) fn is_below(rule: &Glyph, glyph: &Glyph) -> bool {
    let middle = rule.along + rule.width / 2.;
    (glyph.across - rule.across).abs() < glyph.size / 2.
        && glyph.along < middle
        && glyph.along + glyph.width > middle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_short_rule_after_a_glyph() {
        let text = GlyphText::new(['g']);
        let (along, across) = (100., 50.);
        let last =
            Glyph { text, x: along, y: across, along, across, width: 5., size: 10., face: 0 };
        let found = |corners| underscore(corners, &last).is_some();
        assert!(found([[105.3, 49.2], [108.3, 49.2]]));
        assert!(found([[108.3, 49.], [105.3, 49.4]]));
        assert!(!found([[105.3, 49.2], [145.3, 49.2]]), "a line to write on");
        assert!(!found([[100., 49.], [105., 49.]]), "the glyph is underlined");
        assert!(!found([[105.3, 53.], [108.3, 53.]]), "a dash");
    }

    #[test]
    fn a_rule_below_the_next_glyph() {
        let text = GlyphText::new(['_']);
        let (along, across) = (105., 50.);
        let rule =
            Glyph { text, x: along, y: across, along, across, width: 3., size: 10., face: 0 };
        assert!(is_below(&rule, &Glyph { along: 105.2, ..rule }));
        assert!(!is_below(&rule, &Glyph { along: 108., ..rule }), "behind it");
        assert!(!is_below(&rule, &Glyph { across: 38., ..rule }), "in the next line");
    }

    #[test]
    fn paths_of_one_rule() {
        let path = Path::default().add(b"m", &[1., 2.]).add(b"l", &[3., 2.]);
        assert_eq!(path, Path::Rule([[1., 2.], [3., 2.]]));
        assert_eq!(path.add(b"l", &[5., 2.]), Path::Other);
        assert_eq!(Path::default().add(b"re", &[1., 2., 3., 1.]), Path::Rule([[1., 2.], [4., 3.]]));
    }
}
