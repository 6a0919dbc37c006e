//! Colours, and excerpts with a caret, of the verbs.
use std::io::{IsTerminal, stdout};

use urigrep::internal::output::escape::visible;

use anstyle::{AnsiColor, Style};
use clap::Args;
use unicode_width::UnicodeWidthChar;

use crate::cli::config;
use crate::cli::flags::values::When;
use crate::cli::output::Colors;

pub const NAME: Style = AnsiColor::Cyan.on_default();
pub const TEXT: Style = Style::new().bold();
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const DOUBTFUL: Style = AnsiColor::Yellow.on_default();

/// Blanks before an excerpt.
const INDENT: &str = "  ";
/// The width of a terminal that does not say it.
const USUAL: usize = 80;
/// The narrowest terminal that excerpts are cut for.
const NARROW: usize = 30;

/// The colours of a verb.
#[derive(Args, Clone, Copy, Debug)]
pub struct ColorFlag {
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "When to use colours: auto, never, always, or ansi."
    )]
    color: When,
}

impl ColorFlag {
    pub fn look(self) -> Look {
        let size = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let columns = size.unwrap_or(USUAL).max(NARROW);
        Look {
            colors: config::style_of_stdout(self.color, None).colors,
            columns: stdout().is_terminal().then_some(columns),
        }
    }
}

/// Settings of a verb's output for people.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub colors: Colors,
    /// The width of the terminal; `None` if the output goes elsewhere.
    columns: Option<usize>,
}

impl Look {
    pub fn is_on_terminal(self) -> bool {
        self.columns.is_some()
    }

    /// Appends a text and a line with a caret below the byte at `at`. On a terminal, a long text is
    /// cut around that byte, so that the caret stays below it.
    pub fn excerpt(self, text: &[u8], at: usize, out: &mut Vec<u8>) {
        let before = printed(text.get(..at).unwrap_or(text));
        let after = printed(text.get(at..).unwrap_or_default());
        let room = self.columns.map_or(usize::MAX, |columns| columns - INDENT.len());
        // The text after the place gets up to half of the room, as both sides show what is wrong.
        let before = last_columns(&before, room.saturating_sub(width(&after).min(room / 2) + 1));
        let after = first_columns(&after, room - width(&before).min(room));
        out.extend_from_slice(INDENT.as_bytes());
        out.extend_from_slice(before.as_bytes());
        out.extend_from_slice(after.as_bytes());
        let column = width(&before);
        out.extend_from_slice(format!("\n{INDENT}{:column$}", "").as_bytes());
        self.colors.text(BAD, "^", out);
        out.push(b'\n');
    }

    /// Appends lines of columns with the first one in colour.
    pub fn table(self, lines: &str, out: &mut Vec<u8>) {
        for line in lines.split_inclusive('\n') {
            let (name, rest) = line.split_at(line.find("  ").unwrap_or(line.len()));
            self.colors.text(NAME, name, out);
            out.extend_from_slice(rest.as_bytes());
        }
    }
}

/// Returns the text as it is printed: an escape such as `\n` takes two columns.
fn printed(text: &[u8]) -> String {
    let mut out = Vec::new();
    visible(text, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(c: char) -> usize {
    c.width().unwrap_or(0)
}

const ELLIPSIS: &str = "…";

/// Cuts the end of a text that is wider.
fn first_columns(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |c: &char| {
        let fits = columns_of(*c) <= left;
        left = left.saturating_sub(columns_of(*c));
        fits
    };
    text.chars().take_while(fits).chain(ELLIPSIS.chars()).collect()
}

/// Cuts the start of a text that is wider.
fn last_columns(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let mut end: Vec<char> = Vec::new();
    for c in text.chars().rev() {
        if columns_of(c) > left {
            break;
        }
        left -= columns_of(c);
        end.push(c);
    }
    ELLIPSIS.chars().chain(end.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, at: usize, columns: Option<usize>) -> String {
        let mut out = Vec::new();
        Look { colors: Colors::Off, columns }.excerpt(text.as_bytes(), at, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn carets_stand_below_their_byte() {
        assert_eq!(excerpt("http://a b", 8, None), "  http://a b\n          ^\n");
        assert_eq!(excerpt("a\u{4e2d}\n<", 5, None), "  a\u{4e2d}\\n<\n       ^\n");
        assert_eq!(excerpt("abc", 3, Some(30)), "  abc\n     ^\n");
        let long = format!("{}<{}", "a".repeat(50), "b".repeat(50));
        let cut = excerpt(&long, 50, Some(32));
        let expected = format!("  …{}<{}…\n{:16}^\n", "a".repeat(13), "b".repeat(14), "");
        assert_eq!(cut, expected);
        let at_end = excerpt(&long, long.len(), Some(32));
        assert_eq!(at_end, format!("  …{}\n{:31}^\n", "b".repeat(28), ""));
    }
}
