//! Draws the picker: the filter, the list, and the details of the entry under the cursor.
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use urigrep::internal::output::escape::visible;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar;

use super::collect::PickEntry;
use super::list::PickList;
use crate::cli::output::PATH;

const CURSOR: Style = Style::new().invert();
const MARK: Style = AnsiColor::Yellow.on_default().bold();
const WARNING: Style = AnsiColor::Red.on_default().bold();
const DIM: Style = Style::new().dimmed();

/// Lines of context above and below the line of a match.
const CONTEXT: u64 = 2;
/// Bytes of a file that are read for context.
const MAX_CONTEXT_BYTES: u64 = 8 << 20;

const HELP: &str = "Tab mark  Enter print  ^O open  ^Y copy  ^A all  ^U clear  Esc leave";

/// The lines below the list.
const DETAILS: usize = 8;

/// Returns the number of lines of the list on a screen of this height.
pub fn list_rows(height: usize) -> usize {
    if height > DETAILS + 8 {
        // The filter, the rule above the details, and the help take one line each.
        height - DETAILS - 3
    } else {
        // A low screen has no room for details.
        height.saturating_sub(2).max(1)
    }
}

/// Returns the screen, line by line.
pub fn screen(list: &mut PickList, width: usize, height: usize) -> Vec<String> {
    let rows = list_rows(height);
    let cursor = list.cursor();
    list.top = list.top.min(cursor).max((cursor + 1).saturating_sub(rows));
    let (shown, all, marked) = list.counts();
    let counts = match marked {
        0 => format!("{shown}/{all}"),
        marked => format!("{shown}/{all}, {marked} marked"),
    };
    let filter = format!("> {}", list.filter());
    let room = width.saturating_sub(counts.len() + 2);
    let mut lines = vec![format!("{}  {}", fit(&filter, room, true), painted(DIM, &counts))];
    for number in list.top..list.top + rows {
        lines.push(match list.listed(number) {
            Some((entry, is_marked)) => {
                row(entry, if is_marked { "*" } else { " " }, number == cursor, width)
            }
            None => String::new(),
        });
    }
    if height > DETAILS + 8 {
        lines.push(painted(DIM, &"─".repeat(width)));
        let details = list.current().map(|entry| details(entry, width)).unwrap_or_default();
        lines.extend(details);
        lines.resize(height.saturating_sub(1), String::new());
    }
    let last = if list.message.is_empty() { HELP } else { &list.message };
    lines.push(painted(DIM, fit(last, width, false).trim_end()));
    lines
}

/// A line of the list.
fn row(entry: &PickEntry, mark: &str, is_current: bool, width: usize) -> String {
    let warning = if entry.is_suspicious { "!" } else { " " };
    let room = width.saturating_sub(3);
    let uri = fit(&safe(&entry.uri), room, is_current);
    let uri = if is_current { painted(CURSOR, &uri) } else { uri.trim_end().to_owned() };
    format!("{}{} {uri}", painted(MARK, mark), painted(WARNING, warning))
}

/// Returns the lines that describe an entry.
fn details(entry: &PickEntry, width: usize) -> Vec<String> {
    let mut lines = vec![painted(PATH, fit(&safe(&entry.place), width, false).trim_end())];
    if let Some(label) = &entry.label {
        lines.push(fit(&format!("text: {}", safe(label)), width, false));
    }
    if !entry.flags.is_empty() {
        let style = if entry.is_suspicious { WARNING } else { DIM };
        lines.push(painted(style, fit(&entry.flags.join(", "), width, false).trim_end()));
    }
    for (number, line) in context(entry) {
        let text = format!("{number:>5} {}", safe(&line));
        let text = fit(&text, width, false);
        lines.push(if number == entry.line { text } else { painted(DIM, text.trim_end()) });
    }
    lines.truncate(DETAILS);
    lines
}

/// Reads the lines around the match of an entry, if it is near the start of a plain file.
fn context(entry: &PickEntry) -> Vec<(u64, String)> {
    // A pipe was read to its end; to open it again would wait for its next writer.
    let is_file = |path: &PathBuf| path.metadata().is_ok_and(|metadata| metadata.is_file());
    let path = entry.file.as_ref().filter(|path| is_file(path));
    let Some(file) = path.and_then(|path| File::open(path).ok()) else {
        return Vec::new();
    };
    let mut reader = BufReader::new(file.take(MAX_CONTEXT_BYTES));
    let (first, last) = (entry.line.saturating_sub(CONTEXT), entry.line + CONTEXT);
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    for number in 1..=last {
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => break,
        }
        if number >= first {
            let text = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
            lines.push((number, text));
        }
    }
    lines
}

/// Spells out characters that a terminal would obey or hide.
fn safe(text: &str) -> String {
    let mut out = Vec::new();
    visible(text.as_bytes(), &mut out);
    String::from_utf8_lossy(&out).replace('\t', " ")
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Cuts a text at this width and marks the cut with `…`. With `fills`, it fills a shorter one up to
/// it.
fn fit(text: &str, width: usize, fills: bool) -> String {
    let mut fitted = String::new();
    let mut column = 0;
    let total: usize = text.chars().map(|c| c.width().unwrap_or(0)).sum();
    let room = if total > width { width.saturating_sub(1) } else { width };
    for c in text.chars() {
        let cell = c.width().unwrap_or(0);
        if column + cell > room {
            break;
        }
        column += cell;
        fitted.push(c);
    }
    if total > width && width > 0 {
        fitted.push('…');
        column += 1;
    }
    if fills {
        fitted.extend(std::iter::repeat_n(' ', width.saturating_sub(column)));
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The terminal was in raw mode while the picker waited for a writer of the pipe.
    #[cfg(unix)]
    #[test]
    fn pipes_have_no_context() {
        let path = std::env::temp_dir().join(format!("urigrep-pick-{}", std::process::id()));
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let entry = PickEntry { file: Some(path.clone()), line: 1, ..PickEntry::default() };
        assert!(context(&entry).is_empty());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn texts_fit() {
        assert_eq!(fit("abc", 5, true), "abc  ");
        assert_eq!(fit("abcdef", 4, false), "abc…");
        assert_eq!(fit("日本語", 4, true), "日… ");
        assert_eq!(fit("a", 0, true), "");
    }

    #[test]
    fn screens_have_their_height() {
        for (width, height) in [(80, 24), (120, 40), (20, 5), (1, 1), (0, 0)] {
            let entry = PickEntry { uri: "http://a.dev/".repeat(9), ..PickEntry::default() };
            let mut list = PickList::new(vec![entry; 50]);
            list.go(isize::MAX);
            let lines = screen(&mut list, width, height);
            assert!(lines.len() <= height.max(3), "{width}x{height}: {}", lines.len());
        }
    }
}
