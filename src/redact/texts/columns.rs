//! Columns of tables whose header names a secret: CSV, tables of Markdown and of terminals, and
//! those of HTML.
//!
//! Whether a cell is a secret depends on the header and on the text before the cell, never on what
//! follows its line. So for a text that arrives in pieces, it is enough to remember the header, see
//! [`open`].

use alloc::vec::Vec;

use memchr::{memchr, memmem, memrchr};

use super::cells::{self, Divider};
use super::certain;
use super::following;
use crate::redact::shapes::is_of_words;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Longest header, and longest row. A longer row ends the table.
const MAX_HEADER_LENGTH: usize = 1024;
pub(crate) const MAX_ROW_LENGTH: usize = 4096;

/// A table that may continue after the end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenTable {
    /// Its header, up to the start of the next line or row.
    pub header: Span,
    /// The start of its last row, if that may continue.
    pub row: usize,
}

/// Returns the values in such columns, unordered.
pub(super) fn values(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    read(text, &mut found);
    found
}

/// Returns the tables of HTML and of lines that are open at the end of a text of whole lines.
pub(crate) fn open(text: &[u8]) -> [Option<OpenTable>; 2] {
    read(text, &mut Vec::new())
}

/// Adds the values of all tables. Returns those that are open at the end.
fn read(text: &[u8], found: &mut Vec<Span>) -> [Option<OpenTable>; 2] {
    // Tables of HTML and those of lines are read up to these offsets.
    let (mut elements, mut lines, mut open) = (0, 0, [None; 2]);
    for name in following::names(text) {
        if name.start() >= elements
            && let Some(row) = element_row(text, name)
            && certain::is_secret_name(text.part(name.range()))
        {
            (elements, open[0]) = element_table(text, row, found);
        } else if name.start() >= lines
            && ends_cell(text, name.end())
            && following::is_name(text, name)
        {
            let start = line_start(text, name.start());
            let end = line_end(text, name.start());
            lines = end;
            if let Some(header) = LineHeader::read(text, Span::new(start, end)) {
                (lines, open[1]) = line_table(text, &header, found);
            }
        }
    }
    open
}

/// True if a cell may end after a word; a cheap test that most words fail.
fn ends_cell(text: &[u8], at: usize) -> bool {
    let marks = text.clamped(at..at + 8).leading(|byte| b"\"'`*_0123456789".contains(&byte));
    let rest = text.clamped(at + marks..);
    let blanks = rest.clamped(..64).leading(|byte| byte == b' ');
    match rest.get(blanks) {
        None | Some(b'\r' | b'\n' | b'|' | b'\t' | b',' | b';' | b'&' | b'!' | b'\\') => true,
        // `│`, or a full column of blanks.
        Some(byte) => !byte.is_ascii() || blanks > 1,
    }
}

fn line_start(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(MAX_HEADER_LENGTH);
    memrchr(b'\n', text.part(from..at)).map_or(from, |line| from + line + 1)
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', text.part(at..)).map_or(text.len(), |length| at + length)
}

/// The header of a table of lines.
struct LineHeader {
    span: Span,
    divider: Divider,
    count: usize,
    /// The indices of the columns of secrets.
    secret: Vec<usize>,
}

impl LineHeader {
    fn read(text: &[u8], span: Span) -> Option<Self> {
        /// Longest name of a column.
        const MAX_NAME_LENGTH: usize = 40;
        let line = text.part(span.range());
        let divider = Divider::detect(line).filter(|_| line.len() <= MAX_HEADER_LENGTH)?;
        let cells = cells::split(line, divider);
        let is_name = |cell: &Span| {
            let name = line.part(cell.range());
            let is_marked = name.iter().any(|byte| b"=:(){}<>/\"'".contains(byte));
            name.len() <= MAX_NAME_LENGTH && !is_marked && name.iter().any(u8::is_ascii_alphabetic)
                || name.is_empty() && divider == Divider::Bar
                || !name.is_ascii() && name.len() <= MAX_NAME_LENGTH
        };
        let is_header = cells.len() > 1 && cells.iter().all(is_name);
        is_header.then_some(())?;
        let names = cells.iter().enumerate();
        let secret = names.filter(|(_, cell)| certain::is_secret_name(line.part(cell.range())));
        let secret: Vec<usize> = secret.map(|(index, _)| index).collect();
        (!secret.is_empty()).then_some(Self { span, divider, count: cells.len(), secret })
    }
}

/// Reads the rows after a header. Returns their end, and the table if it may go on.
fn line_table(
    text: &[u8],
    header: &LineHeader,
    found: &mut Vec<Span>,
) -> (usize, Option<OpenTable>) {
    let (mut start, mut is_first) = (header.span.end() + 1, true);
    while start < text.len() {
        let end = line_end(text, start);
        let line = text.part(start..end);
        let is_blank = line.trim_ascii().is_empty();
        if !is_blank && !cells::is_rule(line) {
            let cells = if line.len() <= MAX_ROW_LENGTH {
                cells::split(line, header.divider)
            } else {
                Vec::new()
            };
            if cells.len() != header.count {
                return (start, None);
            }
            let secret = header.secret.iter().filter_map(|&index| cells.get(index));
            let secret = secret.filter(|cell| is_secret(line.part(cell.range()), header.divider));
            found.extend(secret.map(|cell| Span::new(start + cell.start(), start + cell.end())));
        }
        // A table of AsciiDoc may have an empty line after its header.
        if is_blank && !is_first {
            return (start, None);
        }
        is_first = false;
        start = end + 1;
    }
    let header = Span::new(header.span.start(), (header.span.end() + 1).min(text.len()));
    (text.len(), Some(OpenTable { header, row: text.len() }))
}

/// True for a value in a column of secrets. Tables that people read describe secrets more often
/// than they contain them.
fn is_secret(value: &[u8], divider: Divider) -> bool {
    let is_word = !value.iter().any(|byte| byte.is_ascii_whitespace() || b"(){}<>$".contains(byte));
    let is_address = memmem::find(value, b"://").is_some();
    is_word
        && !is_address
        && (certain::is_mixed_word(value) || divider.is_of_data() && !is_of_words(value))
}

/// Returns the row of HTML in which a name fills a cell, with the start of that cell.
fn element_row(text: &[u8], name: Span) -> Option<Span> {
    // The cell may have elements of its own: `<th><b>password</b></th>`.
    let is_whole = text.clamped(name.end()..name.end() + 64).trim_ascii_start().starts_with(b"<");
    is_whole.then_some(())?;
    let before = text.clamped(name.start().saturating_sub(MAX_HEADER_LENGTH)..name.start());
    before.trim_ascii_end().ends_with(b">").then_some(())?;
    let start = name.start() - before.len() + memmem::rfind(before, b"<tr")?;
    let rest = text.clamped(name.end()..start + 2 * MAX_HEADER_LENGTH);
    let end = name.end() + memmem::find(rest, b"</tr").or_else(|| memmem::find(rest, b"<tr"))?;
    Some(Span::new(start, end))
}

/// Reads the rows after a header row of HTML. Returns their end, and the table if it may go on.
fn element_table(text: &[u8], row: Span, found: &mut Vec<Span>) -> (usize, Option<OpenTable>) {
    let names = cells::of_elements(text, row);
    let is_secret = |cell: &&(usize, Span)| certain::is_secret_name(text.part(cell.1.range()));
    let secret: Vec<usize> = names.iter().filter(is_secret).map(|(index, _)| *index).collect();
    let mut at = row.end();
    let table = memmem::find(text.part(at..), b"table").map_or(text.len(), |length| at + length);
    while let Some(length) = memmem::find(text.part(at..table), b"<tr") {
        let start = at + length;
        let behind = text.part(start + 3..table);
        let end = start + 3 + memmem::find(behind, b"<tr").unwrap_or(behind.len());
        let cells = cells::of_elements(text, Span::new(start, end.min(start + MAX_ROW_LENGTH)));
        let cells = cells.iter().filter(|(index, _)| secret.contains(index));
        let cells = cells.map(|(_, cell)| *cell);
        found.extend(cells.filter(|cell| certain::is_mixed_word(text.part(cell.range()))));
        at = end;
    }
    let last = memmem::rfind(text.part(row.end()..), b"<tr").map(|start| row.end() + start);
    let last = last.filter(|start| text.len() - start < MAX_ROW_LENGTH).unwrap_or(text.len());
    let open = OpenTable { header: row, row: last };
    (table, (table == text.len()).then_some(open))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_below_a_name() {
        for (text, hidden) in [
            ("user,password\njoe,s3cr3t\nann,hunter2\n", "s3cr3t|hunter2"),
            ("user;password;x\njoe;s3cr3t;1\n", "s3cr3t"),
            ("\"user\",\"password\"\n\"a, b\",\"s3c,r3t\"\n", "s3c,r3t"),
            ("user\tpassword\njoe\ts3cr3t\n", "s3cr3t"),
            ("| user | Password |\n|---|:-:|\n| joe | `s3cr3tX9` |\n", "s3cr3tX9"),
            ("user | API key\n--- | ---\njoe | s3cr3tX9\n", "s3cr3tX9"),
            ("|===\n|user |password\n\n|joe |s3cr3tX9\n|===\n", "s3cr3tX9"),
            ("! user !! password\n|-\n| joe || s3cr3tX9\n", "s3cr3tX9"),
            ("||user||password||\n|joe|s3cr3tX9|\n", "s3cr3tX9"),
            ("USER   PASSWORD\njoe    s3cr3tX9\n", "s3cr3tX9"),
            ("user & password \\\\\njoe & s3cr3tX9 \\\\\n", "s3cr3tX9"),
            (" user │ password\n──────┼──────\n joe  │ s3cr3tX9\n", "s3cr3tX9"),
            (
                "<tr><th>user</th>\n<th><b>password</b></th></tr><tr><td>joe<td><i>s3cr3tX9</i></tr>",
                "s3cr3tX9",
            ),
            ("user,password\njoe,s3cr3t,x\nann,hunter2\n", ""),
            ("user,password\n\n\njoe,s3cr3t\n", ""),
            ("| user | password |\n| joe | a number |\n", ""),
            ("the user, or password\nfoo, bar\n", ""),
            ("f(user, password)\nf(joe, s3cr3tX9)\n", ""),
            ("| token | meaning |\n| sha256 | a hash |\n", ""),
        ] {
            let mut found = values(text.as_bytes());
            found.sort_unstable_by_key(|span| span.start());
            let found: Vec<_> = found.iter().map(|span| &text[span.range()]).collect();
            assert_eq!(found.join("|"), hidden, "{text}");
        }
    }

    #[test]
    fn many_headers_take_linear_time() {
        let text = "a,password\n<tr><th>password<tr>".repeat(1 << 12);
        assert!(values(text.as_bytes()).is_empty());
    }
}
