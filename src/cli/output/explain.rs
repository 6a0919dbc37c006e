//! `--explain` for people: the deciding rules, wrapped to the terminal, with names for invisible
//! characters.

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr;
use urigrep::finder::Step;

use urigrep::internal::output::escape::{Escaping, visible};

/// Column at which the words of a step start.
const INDENT: usize = 10;
/// The narrowest terminal that lines are wrapped for.
const NARROW: usize = 40;

/// The longest text shown whole. Longer texts are cut to their start, an ellipsis, and their end.
const LONG: usize = 160;
const END: usize = 40;

/// Invisible characters, and those that look like a space, with their Unicode names.
#[rustfmt::skip]
const NAMES: &[(char, &str)] = &[
    ('\0', "NULL"), ('\t', "TAB"), ('\n', "LINE FEED"), ('\u{b}', "LINE TABULATION"), ('\u{c}', "FORM FEED"),
    ('\r', "CARRIAGE RETURN"), ('\u{1b}', "ESCAPE"), (' ', "SPACE"), ('\u{7f}', "DELETE"), ('\u{85}', "NEXT LINE"),
    ('\u{a0}', "NO-BREAK SPACE"), ('\u{ad}', "SOFT HYPHEN"), ('\u{34f}', "COMBINING GRAPHEME JOINER"),
    ('\u{61c}', "ARABIC LETTER MARK"), ('\u{1680}', "OGHAM SPACE MARK"), ('\u{180e}', "MONGOLIAN VOWEL SEPARATOR"),
    ('\u{2000}', "EN QUAD"), ('\u{2001}', "EM QUAD"), ('\u{2002}', "EN SPACE"), ('\u{2003}', "EM SPACE"),
    ('\u{2004}', "THREE-PER-EM SPACE"), ('\u{2005}', "FOUR-PER-EM SPACE"), ('\u{2006}', "SIX-PER-EM SPACE"),
    ('\u{2007}', "FIGURE SPACE"), ('\u{2008}', "PUNCTUATION SPACE"), ('\u{2009}', "THIN SPACE"),
    ('\u{200a}', "HAIR SPACE"), ('\u{200b}', "ZERO WIDTH SPACE"), ('\u{200c}', "ZERO WIDTH NON-JOINER"),
    ('\u{200d}', "ZERO WIDTH JOINER"), ('\u{200e}', "LEFT-TO-RIGHT MARK"), ('\u{200f}', "RIGHT-TO-LEFT MARK"),
    ('\u{2028}', "LINE SEPARATOR"), ('\u{2029}', "PARAGRAPH SEPARATOR"), ('\u{202a}', "LEFT-TO-RIGHT EMBEDDING"),
    ('\u{202b}', "RIGHT-TO-LEFT EMBEDDING"), ('\u{202c}', "POP DIRECTIONAL FORMATTING"),
    ('\u{202d}', "LEFT-TO-RIGHT OVERRIDE"), ('\u{202e}', "RIGHT-TO-LEFT OVERRIDE"),
    ('\u{202f}', "NARROW NO-BREAK SPACE"), ('\u{205f}', "MEDIUM MATHEMATICAL SPACE"), ('\u{2060}', "WORD JOINER"),
    ('\u{2061}', "FUNCTION APPLICATION"), ('\u{2062}', "INVISIBLE TIMES"), ('\u{2063}', "INVISIBLE SEPARATOR"),
    ('\u{2064}', "INVISIBLE PLUS"), ('\u{2066}', "LEFT-TO-RIGHT ISOLATE"), ('\u{2067}', "RIGHT-TO-LEFT ISOLATE"),
    ('\u{2068}', "FIRST STRONG ISOLATE"), ('\u{2069}', "POP DIRECTIONAL ISOLATE"), ('\u{3000}', "IDEOGRAPHIC SPACE"),
    ('\u{feff}', "ZERO WIDTH NO-BREAK SPACE"),
];

/// The subjects of the rules, for readers who do not know the numbers.
#[rustfmt::skip]
const CHAPTERS: [(&str, &str); 7] = [
    ("D1", "where a URI may start"), ("D2", "what a URI may contain"), ("D3", "wrappers"),
    ("D4", "the end without a wrapper"), ("D5", "line breaks without a wrapper"), ("D6", "URNs"),
    ("D7", "URIs without a scheme"),
];

fn name(c: char) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| *known == c).map(|(_, name)| *name)
}

/// Appends the line of a step, wrapped if the terminal is narrow.
pub fn step(step: &Step<'_>, text: &[u8], escaping: Escaping, out: &mut Vec<u8>) {
    let mut line = step.what.to_owned();
    if !text.is_empty() {
        line.push_str(": ");
        line.push_str(&shown(text));
    }
    note(step.rule, &line, escaping, out);
    out.push(b'\n');
}

/// Appends an indented line below a URI: a name and words, wrapped on a terminal.
pub fn note(name: &str, line: &str, escaping: Escaping, out: &mut Vec<u8>) {
    // Two blanks after a name that is longer than the column, such as that of a flag. Those of
    // `check` end in a colon.
    let gap = if name.len() > 5 && !name.ends_with(':') { "  " } else { " " };
    let name = format!("    {name:<5}{gap}");
    let width = match escaping {
        Escaping::Terminal => columns(),
        Escaping::None => usize::MAX,
    };
    out.extend_from_slice(name.as_bytes());
    let mut column = name.width();
    for (index, word) in line.split(' ').enumerate() {
        let length = word.width();
        // A word that is wider than the terminal stays where it is: on the next line it would not
        // fit either.
        if index > 0 && column + 1 + length > width && column > INDENT {
            out.push(b'\n');
            out.extend(std::iter::repeat_n(b' ', INDENT));
            column = INDENT;
        } else if index > 0 {
            out.push(b' ');
            column += 1;
        }
        out.extend_from_slice(word.as_bytes());
        column += length;
    }
}

/// Shortens a long text to its start and its end.
fn shortened(text: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(text);
    if text.len() <= LONG {
        return text;
    }
    // `get` gives `None` within a character, so this finds the last boundary before the cut.
    let start = (0..=LONG - END).rev().find_map(|end| text.get(..end)).unwrap_or_default();
    let end = (text.len() - END..).find_map(|start| text.get(start..)).unwrap_or_default();
    Cow::Owned(format!("{start}…{end}"))
}

/// Spells out and names the invisible characters of a text.
pub fn shown(text: &[u8]) -> String {
    let mut bytes = Vec::new();
    let valid = shortened(text);
    visible(valid.as_bytes(), &mut bytes);
    let mut shown = String::from_utf8_lossy(&bytes).into_owned();
    let is_alone = valid.chars().count() == 1;
    let mut names: Vec<String> = Vec::new();
    // A space between words needs no name; a space that alone decides a rule does.
    for c in valid.chars().filter(|c| is_alone || *c != ' ') {
        let Some(name) = name(c) else { continue };
        let name =
            if c.is_ascii() { name.to_owned() } else { format!("U+{:04X} {name}", u32::from(c)) };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if is_alone && !names.is_empty() {
        return names.remove(0);
    }
    if !names.is_empty() {
        shown.push_str(&format!(" ({})", names.join(", ")));
    }
    shown
}

/// Returns the width of the terminal in columns.
fn columns() -> usize {
    let size = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    size.unwrap_or(80).max(NARROW)
}

/// Appends the legend below all explanations on a terminal.
pub fn legend(out: &mut Vec<u8>) {
    out.extend_from_slice(
        b"\n`urigrep rule D4.2` explains a rule, with examples; `urigrep rule D4` all of a group:\n",
    );
    for (number, about) in CHAPTERS {
        out.extend_from_slice(format!("  {number} {about}\n").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_invisible_characters() {
        assert_eq!(shown(b" "), "SPACE");
        assert_eq!(shown(b"\n"), "LINE FEED");
        assert_eq!(shown("\u{200b}".as_bytes()), "U+200B ZERO WIDTH SPACE");
        assert_eq!(shown("a\u{200b} b".as_bytes()), "a\\u{200b} b (U+200B ZERO WIDTH SPACE)");
        assert_eq!(shown(b"(URL: "), "(URL: ");
        let long = shown("\u{e9}".repeat(1000).as_bytes());
        assert_eq!(long, format!("{}…{}", "\u{e9}".repeat(60), "\u{e9}".repeat(20)));
    }

    #[test]
    fn chapters_are_those_of_the_document() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/delimiting.md");
        let text = std::fs::read_to_string(path).unwrap().to_lowercase();
        for (number, about) in CHAPTERS {
            let heading = format!("\n## {} {}\n", number.to_lowercase(), about.to_lowercase());
            assert!(text.contains(&heading), "{heading}");
        }
    }
}
