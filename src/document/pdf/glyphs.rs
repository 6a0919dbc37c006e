//! Glyphs on a page, the names of glyphs, and the widths of the standard fonts.

/// A glyph: its text, and where it is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    pub text: GlyphText,
    /// The start of its baseline, in units of the page.
    pub x: f32,
    pub y: f32,
    /// The same point in the direction of the text, and across it: text may be turned.
    pub along: f32,
    pub across: f32,
    /// The distance to the next glyph, without extra space.
    pub width: f32,
    /// The size of its font.
    pub size: f32,
    /// Stands for the face of its font.
    pub face: u32,
}

/// The text of a glyph: up to three characters, for ligatures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GlyphText([Option<char>; 3]);

impl GlyphText {
    pub fn new(text: impl IntoIterator<Item = char>) -> Self {
        let mut glyph = Self::default();
        let text = text.into_iter().flat_map(as_typed);
        for (place, c) in glyph.0.iter_mut().zip(text.flatten()) {
            *place = Some(c);
        }
        glyph
    }

    pub fn chars(self) -> impl Iterator<Item = char> {
        self.0.into_iter().flatten()
    }

    pub fn is_space(self) -> bool {
        self.chars().all(char::is_whitespace)
    }
}

/// Returns the characters that an author typed for a glyph's character.
///
/// Typesetters draw the hyphen and the tilde of a URI as other dashes and tildes, and letters as
/// ligatures.
fn as_typed(c: char) -> [Option<char>; 3] {
    let typed = match c {
        '\u{ad}' | '\u{2010}' | '\u{2011}' | '\u{2212}' => "-",
        '\u{2dc}' | '\u{223c}' => "~",
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        _ => return [Some(c), None, None],
    };
    let mut chars = typed.chars();
    [chars.next(), chars.next(), chars.next()]
}

/// The names of glyphs that are not letters (Adobe Glyph List), sorted.
const NAMES: [(&str, &str); 55] = [
    ("ampersand", "&"),
    ("asciicircum", "^"),
    ("asciitilde", "~"),
    ("asterisk", "*"),
    ("at", "@"),
    ("backslash", "\\"),
    ("bar", "|"),
    ("braceleft", "{"),
    ("braceright", "}"),
    ("bracketleft", "["),
    ("bracketright", "]"),
    ("colon", ":"),
    ("comma", ","),
    ("dollar", "$"),
    ("eight", "8"),
    ("emdash", "\u{2014}"),
    ("endash", "\u{2013}"),
    ("equal", "="),
    ("exclam", "!"),
    ("f_f", "ff"),
    ("ff", "ff"),
    ("ffi", "ffi"),
    ("ffl", "ffl"),
    ("fi", "fi"),
    ("five", "5"),
    ("fl", "fl"),
    ("four", "4"),
    ("grave", "`"),
    ("greater", ">"),
    ("hyphen", "-"),
    ("less", "<"),
    ("minus", "-"),
    ("nine", "9"),
    ("numbersign", "#"),
    ("one", "1"),
    ("parenleft", "("),
    ("parenright", ")"),
    ("percent", "%"),
    ("period", "."),
    ("plus", "+"),
    ("question", "?"),
    ("quotedbl", "\""),
    ("quoteleft", "'"),
    ("quoteright", "'"),
    ("quotesingle", "'"),
    ("semicolon", ";"),
    ("seven", "7"),
    ("six", "6"),
    ("slash", "/"),
    ("space", " "),
    ("three", "3"),
    ("tilde", "~"),
    ("two", "2"),
    ("underscore", "_"),
    ("zero", "0"),
];

/// Returns the text of a glyph of this name.
pub(super) fn text_of_glyph_name(name: &[u8]) -> Option<GlyphText> {
    let name = std::str::from_utf8(name).ok()?;
    let mut chars = name.chars();
    // The name of a letter of ASCII is the letter (Adobe Glyph List).
    if let (Some(letter), None) = (chars.next(), chars.next()) {
        return Some(GlyphText::new([letter]));
    }
    if let Ok(at) = NAMES.binary_search_by_key(&name, |(known, _)| known) {
        return NAMES.get(at).map(|(_, text)| GlyphText::new(text.chars()));
    }
    // `uni` with groups of four digits, of which the first is taken, or `u` with up to six (Adobe
    // Glyph List Specification, section 2).
    let digits =
        name.strip_prefix("uni").and_then(|it| it.get(..4)).or_else(|| name.strip_prefix('u'));
    let code = crate::slice::hexadecimal(digits?.as_bytes())?;
    Some(GlyphText::new(char::from_u32(code)))
}

/// Widths of the characters from space to `~`, in thousandths of the size.
#[rustfmt::skip]
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];
#[rustfmt::skip]
const TIMES: [u16; 95] = [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500,
    500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889,
    722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500,
    444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480,
    200, 480, 541,
];

/// Returns the width of a character in a standard font of this name. PDF files may omit it.
pub(super) fn standard_width(font: &str, code: u32) -> f32 {
    let is = |names: &[&str]| names.iter().any(|name| font.contains(name));
    let table = match font {
        // All glyphs of Courier have this width.
        _ if is(&["Courier", "Mono", "mono"]) => return 600.,
        _ if is(&["Times", "Serif", "serif", "Roman"]) => &TIMES,
        _ => &HELVETICA,
    };
    let at = code.checked_sub(32).and_then(|at| usize::try_from(at).ok());
    at.and_then(|at| table.get(at)).map_or(500., |&width| f32::from(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_glyphs() {
        assert!(NAMES.is_sorted_by_key(|(name, _)| *name));
        let text = |name: &str| {
            text_of_glyph_name(name.as_bytes()).map(|text| text.chars().collect::<String>())
        };
        assert_eq!(text("a").as_deref(), Some("a"));
        assert_eq!(text("slash").as_deref(), Some("/"));
        assert_eq!(text("underscore").as_deref(), Some("_"));
        assert_eq!(text("ffi").as_deref(), Some("ffi"));
        assert_eq!(text("uni00E9").as_deref(), Some("é"));
        assert_eq!(text("g123"), None);
        assert!((standard_width("Times-Roman", 65) - 722.).abs() < 1.);
    }
}
